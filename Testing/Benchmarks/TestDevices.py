"""Benchmarks/devices measures what the page about filters on a GPU shows: few cells, with the host in a GPU's place."""

import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib

SOURCE = pathlib.Path(__file__).resolve().parents[2]

with tempfile.TemporaryDirectory() as folder:
    host, out = pathlib.Path(folder) / "host.json", pathlib.Path(folder) / "h200-filters.json"
    measure = [sys.executable, SOURCE / "Benchmarks/devices", "--cells", "1e3", "--sets-of", "1e4", "--size", "5e-4",
               "--repeats", "1"]
    subprocess.run([*measure, "--sides", "host", "--out", host], check=True)
    subprocess.run([*measure, "--sides", "device", "--host-of", host, "--out", out], check=True)
    results = json.loads(out.read_text(encoding="utf-8"))["results"]
tables = tomllib.loads((SOURCE / "Benchmarks/report/definitions/Devices.toml").read_text(encoding="utf-8"))["tables"]
wanted = {"small": ("/10^3", {"of the host"}), "larger": ("/10^4", {"host ms", "device ms"}),
          "solvers": ("", {"host ms", "device ms"})}
memory = {"memory MB", "to device MB", "to host MB"}  # of which the host, in a device's place, copies nothing
for table, (ending, fields) in wanted.items():
    for _, name in tables[table]["rows"]:
        figures = results.get(name + ending, {})
        assert set(figures) == fields | (set() if table == "small" else memory), (name, figures)
        assert all(0 < figures[field] < 1e6 for field in fields), (name, figures)
assert {name for _, name in tables["large"]["rows"]} <= {name for _, name in tables["small"]["rows"]}
