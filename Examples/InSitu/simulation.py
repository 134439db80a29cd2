"""A front grows through a porous block, and ParaView Catalyst saves it while it does.

    python3 simulation.py extracts.py
    mpiexec -n 2 python3 -m mpi4py simulation.py extracts.py    each rank has a slice of the block
"""
import sys

import numpy as np
import spanwise  # before Catalyst hands its classes to Python
from paraview.catalyst import bridge

STEPS, SIZE, SPACING = 9, 24, 0.5


def slice_of_rank():
    """The z of this rank's cells: all of them on one process."""
    if "mpi4py" not in sys.modules:
        return slice(0, SIZE)
    from mpi4py import MPI

    ranks = MPI.COMM_WORLD
    return slice(SIZE * ranks.rank // ranks.size, SIZE * (ranks.rank + 1) // ranks.size)


def simulate():
    """(time, step, mask [z, y, x] of what the front has reached): each step it enters all pores that share a face."""
    pores = spanwise.from_mask(np.random.default_rng(1).random((SIZE, SIZE, SIZE)) < 0.6)
    front = pores & spanwise.from_mask(np.ones((SIZE, SIZE, 1), bool))
    for step in range(STEPS):
        yield 0.1 * step, step, spanwise.to_mask(front, (SIZE, SIZE, SIZE))
        front = front.dilate(1, "faces") & pores


bridge.initialize()
bridge.add_pipeline(sys.argv[1])
mine = slice_of_rank()
for time, step, reached in simulate():
    grid = spanwise.from_mask(reached[mine], SPACING, origin=(0.0, 0.0, mine.start * SPACING))
    grid["step"] = np.full(len(grid), step)
    bridge.coprocess(time, step, grid.dataset)
bridge.finalize()
