"""Arrival times on grids beside scikit-fmm and eikonalfm, in turn: "cube/Grid times" of EikonalGrid.cpp.

    ./dev exec python3 Benchmarks/EikonalGrid.py [--rounds 5] [--sizes 50 75 100] [--out FILE]

The peers use fast marching in one thread. They solve on (N + 1)^3 nodes with speed 1 from one node in the
middle; each time is the best of some calls, and what counts is the ratio of a round. Factored times are compared with
the second order of scikit-fmm, and with the factored second order of eikonalfm. Both are on PyPI and not in Debian: put
them on PYTHONPATH. --out writes a file of Documentation/Performance/Data, --machine says of which machine.
"""
import argparse
import datetime
import json
import pathlib
import statistics
import subprocess
import sys
import time

import eikonalfm
import numpy as np
import skfmm

SOURCE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCE / "Benchmarks/report"))
from figures import Run, rounded  # noqa: E402

MOST_SECONDS = 1.0
KINDS = {"order 1": ("order 1", "order 1"), "order 2": ("order 2", "order 2"),
         "order 2, factored near": ("order 2", "factored"), "order 2, factored": ("order 2", "factored")}


def best(work):
    """The least time of some calls, in milliseconds."""
    times = []
    while len(times) < 10 and sum(times) < MOST_SECONDS:
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return 1000.0 * min(times)


def of_peers(n):
    """{(peer, kind): milliseconds}."""
    speed, middle, spacing = np.ones((n + 1,) * 3), (n // 2,) * 3, (1.0 / n,) * 3
    phi = np.ones_like(speed)
    phi[middle] = -1.0
    found = {}
    for order in (1, 2):
        kind = f"order {order}"
        found["scikit-fmm", kind] = best(lambda: skfmm.travel_time(phi, speed, dx=1.0 / n, order=order))
        found["eikonalfm", kind] = best(lambda: eikonalfm.fast_marching(speed, middle, spacing, order))
    found["eikonalfm", "factored"] = best(lambda: eikonalfm.factored_fast_marching(speed, middle, spacing, 2))
    return found


def ours(n):
    """{name: milliseconds}, the best of three."""
    output = subprocess.run([arguments.program, f"--benchmark_filter=Grid times.*/{n}/", "--benchmark_format=json",
                             "--benchmark_min_time=0.2s", "--benchmark_repetitions=3"], capture_output=True, check=True)
    found = {}
    for entry in json.loads(output.stdout)["benchmarks"]:
        if entry["run_type"] == "iteration" and "device" not in entry["name"]:
            name = entry["run_name"].removesuffix("/real_time")
            found[name] = min(found.get(name, np.inf), entry["real_time"])
    return found


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--sizes", type=int, nargs="+", default=[50, 75, 100])
parser.add_argument("--program", default=SOURCE / "build/release/bin/SpanwiseBenchmarks")
parser.add_argument("--machine", default="this machine", help="in general terms, e.g. '2 cores, AMD Zen 5'")
parser.add_argument("--out", type=pathlib.Path)
arguments = parser.parse_args()
rounds = {}  # {(name, field): a figure of each round}
for turn in range(arguments.rounds):
    for n in arguments.sizes:
        peers = of_peers(n)
        for name, milliseconds in ours(n).items():
            kind = name.split("/")[-3].removeprefix("Grid times, ")
            for peer, of_kind in zip(("scikit-fmm", "eikonalfm"), KINDS[kind]):
                rounds.setdefault((name, f"of {peer}"), []).append(milliseconds / peers[peer, of_kind])
        for (peer, kind), milliseconds in peers.items():
            rounds.setdefault((f"{peer}/{n} {kind}", "ms"), []).append(milliseconds)
results = {}
for (name, field), figures in rounds.items():
    middle = statistics.median(figures)
    print(f"{name:62} {middle:9.3f} {field:14} ({min(figures):.3f} to {max(figures):.3f})")
    results.setdefault(name, {})[field] = round(middle, 2) if field.startswith("of ") else rounded(middle)
if arguments.out:
    header = {"machine": arguments.machine, "month": f"{datetime.date.today():%Y-%m}",
              "statistic": f"median of {arguments.rounds} rounds", "command": "python3 Benchmarks/EikonalGrid.py"}
    arguments.out.write_text(Run(arguments.out.stem, header, results).text(), encoding="utf-8")
