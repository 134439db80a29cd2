"""Filters on a device beside the host, from Python: Documentation/Performance/Devices.md.

    ./dev exec python3 Benchmarks/devices [--cells 1e4 1e6 1e8] [--sets-of 1e9] [--size 1] [--out FILE]

Times are medians of Modified() and Update() of a filter whose inputs are there, until the device has done all, in
milliseconds; beside them is what a call takes of the device's memory, above what its inputs and its last result do, and
what it copies. --cells: balls with sets and fields; --sets-of: balls without fields; --size: solvers, at so many times
their cells, 0 for none. --out writes a file of Documentation/Performance/Data, --machine says of which machine. A build
without a device has the host stand in for it, which shows what sides cost.

The host's code of a build for CUDA has no vectors. What a host can do is measured by a build for hosts, on the same
machine: first that one with --sides host --out FILE, then the other with --sides device --host-of FILE.
"""

import argparse
import datetime
import pathlib
import sys

import numpy as np
import spanwise

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "report")]

import scene  # noqa: E402
import sets  # noqa: E402
import solvers  # noqa: E402
from figures import Run, rounded  # noqa: E402
from timing import driver, median_ms, memory_of  # noqa: E402

LARGE = 1e7  # cells from which times are told; of fewer, what the device takes of the host's time
results = {}


def power_of_ten(cells):
    exponent = int(np.floor(np.log10(cells)))
    factor = cells / 10**exponent
    return f"10^{exponent}" if factor == 1 else f"{factor:g} * 10^{exponent}"


def measure(label, make_rows, large=True):
    """All rows on each side; `label` is added to their names."""
    for side in arguments.sides:
        spanwise.compute_on(side)
        for name, work in make_rows():
            fields = results.setdefault(name + label, {})
            fields[f"{side} ms"] = rounded(median_ms(work, arguments.repeats, arguments.seconds))
            messages = [message for of_filter in scene.errors for message in of_filter]
            if messages:
                sys.exit(f"{name}: {messages[0]}")
            if side == "device" and large:
                fields |= {key: rounded(figure) for key, figure in memory_of(work).items()}
            line = f"{name + label:60} {fields[f'{side} ms']:12.3f} ms on the {side}"
            if side == "device" and "host ms" in fields:
                ratio = fields["host ms"] / fields["device ms"]
                line += f", {ratio:8.2f} times as fast"
                if not large:
                    results[name + label] = {"of the host": rounded(1.0 / ratio)}
            print(line, flush=True)
        scene.errors.clear()


def measure_copies():
    """GB/s of 1 GB of doubles, by the driver and through Spanwise: the best of three."""
    values = np.ones(125_000_000)
    if driver.seconds_of_copies(values) is None:
        return
    spanwise.compute_on("device")
    for who, seconds_of_copies in (("driver", driver.seconds_of_copies), ("Spanwise", sets.seconds_of_copies)):
        best = np.min([seconds_of_copies(values) for _ in range(3)], axis=0)
        for way, seconds in zip(("to the device", "to new memory of the host"), best):
            results[f"{way}, 1 GB/{who}"] = {"GB/s": rounded(1e-9 * values.nbytes / seconds)}


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--cells", type=float, nargs="*", default=[1e4, 1e6])
parser.add_argument("--sets-of", type=float, nargs="*", default=[])
parser.add_argument("--size", type=float, default=0.1)
parser.add_argument("--sides", nargs="+", choices=["host", "device"], default=["host", "device"])
parser.add_argument("--host-of", type=pathlib.Path, help="a file of --out, with times of the host to compare with")
parser.add_argument("--repeats", type=int, default=9)
parser.add_argument("--seconds", type=float, default=3.0, help="after which a row is not repeated further")
parser.add_argument("--machine", default="this machine", help="in general terms, e.g. 'one NVIDIA H200'")
parser.add_argument("--out", type=pathlib.Path)
arguments = parser.parse_args()
if arguments.host_of:
    results = Run.read(arguments.host_of).results
for cells in arguments.cells:
    for rows in (sets.rows_of_sets, sets.rows_of_fields):
        measure(f"/{power_of_ten(cells)}", lambda: sets.works(rows(cells)), large=cells >= LARGE)
for cells in arguments.sets_of:
    measure(f"/{power_of_ten(cells)}", lambda: sets.works(sets.rows_of_sets(cells)))
if arguments.size:
    measure("", lambda: solvers.rows_of_solvers(arguments.size))
if "device" in arguments.sides:
    measure_copies()
print(spanwise.runtime_report())
if arguments.out:
    given = [f"--cells {' '.join(f'{cells:g}' for cells in arguments.cells)}"] if arguments.cells else []
    given += [f"--sets-of {' '.join(f'{cells:g}' for cells in arguments.sets_of)}"] if arguments.sets_of else []
    given += [f"--size {arguments.size:g}"]
    header = {"machine": arguments.machine, "month": f"{datetime.date.today():%Y-%m}",
              "statistic": f"median of {arguments.repeats}, of what is slow fewer",
              "command": f"python3 Benchmarks/devices {' '.join(given)}"}
    arguments.out.write_text(Run(arguments.out.stem, header, results).text(), encoding="utf-8")
