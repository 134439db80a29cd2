"""No filter leaves memory behind on the device's side, or on the host's: rows of Benchmarks/devices, of few cells, run
again and again. 20 runs of each, 200 where all is tested."""

import gc
import itertools
import os
import pathlib
import re
import sys

import spanwise

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SOURCE / "Benchmarks/devices")]

import scene  # noqa: E402
import sets  # noqa: E402
import solvers  # noqa: E402

RUNS = 200 if os.environ.get("SPANWISE_TEST_ALL") else 20
CELLS, SIZE = 1e3, 5e-4
UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


def held():
    """Bytes of all arrays of Kokkos, as exactly as the report says it: to a tenth of the unit."""
    gc.collect()
    lines = re.findall(r"^memory in \w+: ([\d.]+) (\w+) now", spanwise.runtime_report(), re.MULTILINE)
    return sum(float(number) * UNITS[unit] for number, unit in lines)


def expect_nothing_left(name, run):
    for _ in range(3):  # what is kept for the next run is there then
        run()
    before = held()
    for _ in range(RUNS):
        run()
    assert held() <= before, f"{name}: {before:g} bytes before {RUNS} runs, {held():g} after"
    messages = [message for of_filter in scene.errors for message in of_filter]
    assert not messages, (name, messages[0])


def two_frames(name):
    """Makes a flow or a motion, computes two frames, and gives it up."""

    def run():
        rows = dict(solvers.rows_of_frames(SIZE))
        work = solvers.next_frame(*rows[name])
        work()
        work()

    return run


def expect_figures_of_an_array(cells):
    """What is said of the device's memory is what an array of doubles takes there, and goes with it."""
    _, smoothing = next(row for row in sets.rows_of_fields(cells) if row[0] == "ten Jacobi steps")
    source = smoothing.GetInputConnection(0, 0).GetProducer()
    source.Update()
    count = source.GetOutputDataObject(0).GetNumberOfCells()
    gc.collect()
    before = spanwise.device_memory(restart=True)
    smoothing.Update()
    after = spanwise.device_memory()
    assert 8 * count <= after.held - before.held <= 16 * count, (before, after, count)
    assert after.most >= after.held, after
    smoothing.GetOutputDataObject(0).Initialize()
    gc.collect()
    assert spanwise.device_memory().held < before.held + 8 * count, (before, after, spanwise.device_memory())


spanwise.compute_on("device")
expect_figures_of_an_array(1e6)
rows = itertools.chain(sets.rows_of_sets(CELLS), sets.rows_of_fields(CELLS), solvers.rows_that_update(SIZE))
names = [name for name, _ in solvers.rows_of_frames(SIZE)]
count = 0
for name, run in itertools.chain(sets.works(rows), ((name, two_frames(name)) for name in names)):
    expect_nothing_left(name, run)
    count += 1
print(f"{count} rows, {RUNS} runs of each: nothing left")
assert count > 30
