"""A plain python3 makes a ball with what lies under a folder.    python3 UsePython.py FOLDER"""

import sys
from importlib.metadata import entry_points, version

import loaded_libraries
import numpy as np
from spanwise import from_mask, runtime_report, to_mask, vtkSpanwiseGrid, vtkSpanwiseIntervalShape

ball = vtkSpanwiseIntervalShape()
ball.SetShape(vtkSpanwiseIntervalShape.BALL)
ball.SetRadius(1.0)
ball.SetSpacing(0.1, 0.1, 0.1)
ball.Update()
grid = ball.GetOutput()
assert vtkSpanwiseGrid.HasIntervals(grid)
volume = grid.GetNumberOfCells() * 0.1**3
assert abs(volume - 4.18879) < 0.1, volume

mask = np.eye(5, dtype=bool)
assert (to_mask(from_mask(mask).closing(1, "ball"), mask.shape) >= mask).all()
assert version("spanwise") and entry_points(group="pyvista.readers", name=".icsr")
assert "execution spaces:" in runtime_report(), runtime_report()

loaded_libraries.check(sys.argv[1])
