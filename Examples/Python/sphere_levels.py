"""A stream around a sphere at a Reynolds number of 100 on levels of cells: a picture, and what levels save.

    pvbatch sphere_levels.py FOLDER [CELLS_ALONG_X]

What is shown is Examples/States/sphere_levels.py, which ParaView loads as a state.
"""
import math
import os
import runpy
import sys

from paraview.simple import *

folder = sys.argv[1] if len(sys.argv) > 1 else "."
cells_along_x = int(sys.argv[2]) if len(sys.argv) > 2 else 40
os.makedirs(folder, exist_ok=True)

state = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "States", "sphere_levels.py")
state = runpy.run_path(state, init_globals={"cells_along_x": cells_along_x})
SaveScreenshot(f"{folder}/sphere_levels.png", state["layout"], ImageResolution=[900, 800],
               OverrideColorPalette="WhiteBackground")

flow = state["flow"]
cells = flow.GetDataInformation().GetNumberOfCells()
finest = (4 * cells_along_x)**3 // 4
drag = servermanager.Fetch(flow, idx=1).GetColumnByName("Drag")
coefficient = drag.GetValue(drag.GetNumberOfTuples() - 1) * 2.0 / (math.pi / 4.0)
print(f"{cells} cells in place of {finest}; the drag coefficient is {coefficient:.2f}")
assert cells < 0.1 * finest
assert 1.0 < coefficient < 1.5  # 1.09 in the open; sides are near
