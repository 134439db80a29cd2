"""A stream of Mach 2 around a disc, from the start until the bow shock has settled: pictures and an animation.

    pvbatch mach2_cylinder.py FOLDER [CELLS_ALONG_X]

What is shown is Examples/States/mach2_cylinder.py, which ParaView loads as a state.
"""
import os
import runpy
import sys

from paraview.simple import *

folder = sys.argv[1] if len(sys.argv) > 1 else "."
cells_along_x = int(sys.argv[2]) if len(sys.argv) > 2 else 70
os.makedirs(f"{folder}/mach2_cylinder", exist_ok=True)

state = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "States", "mach2_cylinder.py")
state = runpy.run_path(state, init_globals={"cells_along_x": cells_along_x})
flow = state["flow"]

# All frames, which are computed one after the other.
SaveAnimation(f"{folder}/mach2_cylinder/schlieren.png", state["schlieren"], ImageResolution=[600, 500],
              FrameWindow=[0, 30])

GetAnimationScene().GoToLast()
for name in ("density", "levels", "mesh"):
    SaveScreenshot(f"{folder}/mach2_cylinder/{name}.png", state[name], ImageResolution=[900, 750])
SaveScreenshot(f"{folder}/mach2_cylinder.png", state["layout"], ImageResolution=[1200, 1000],
               OverrideColorPalette="WhiteBackground")

cells = flow.GetDataInformation().GetNumberOfCells()
finest = (8 * cells_along_x) * (8 * round(cells_along_x * 6 / 7))
nose = flow.CellData["Pressure"].GetRange()[1]
raised = servermanager.Fetch(flow).GetFieldData().GetArray("Raised Cells").GetValue(0)
print(f"{cells} cells in place of {finest}; the pressure at the nose is {nose:.3f} times that of the stream, 5.640 by "
      f"Rayleigh's formula; {raised:.0f} states were raised")
assert abs(nose / 5.640 - 1) < 0.03, "the pressure at the nose is not that behind a normal shock at rest"
assert raised == 0 and cells < 0.6 * finest
