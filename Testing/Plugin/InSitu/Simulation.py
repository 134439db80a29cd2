"""Examples/InSitu runs, on one process and on ranks, and leaves the same cells in its files.

usage: python3 Simulation.py example-folder work-folder [command before python3...]
"""

import os
import shutil
import subprocess
import sys

import numpy as np

import spanwise


def grids(example, folder, before):
    """Step: grid, of the files that the simulation leaves."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    python = [*before, sys.executable, *(["-m", "mpi4py"] if before else [])]
    command = [*python, os.path.join(example, "simulation.py"), os.path.join(example, "extracts.py")]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0 and "ERR|" not in done.stdout and "Traceback" not in done.stdout, done.stdout
    extracts = os.path.join(folder, "extracts")
    names = sorted(os.listdir(extracts))
    assert names == [f"cells_{step:04d}.icsr" for step in range(0, 9, 2)], names
    return {int(name[6:10]): spanwise.read(os.path.join(extracts, name)) for name in names}


example, work, *ranks = sys.argv[1:]
alone = grids(example, os.path.join(work, "alone"), [])
counts = [len(grid) for grid in alone.values()]
assert counts == sorted(set(counts)) and counts[0] > 0, counts
for step, grid in alone.items():
    assert (grid["step"] == step).all()
    assert grid.box[0][0] == 0 and grid.box[0][1] <= step + 1, (step, grid.box)  # a cell a step along x
earlier = alone[0]
for grid in alone.values():
    assert len(earlier - grid) == 0
    earlier = grid
if ranks:
    together = grids(example, os.path.join(work, "ranks"), ranks)
    for step, grid in together.items():
        assert grid == alone[step], (step, grid, alone[step])
        np.testing.assert_array_equal(grid["step"], alone[step]["step"])
