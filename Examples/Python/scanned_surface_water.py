"""Water flows around a scanned surface: a picture of the stress on it, and the force that it gets.

    pvbatch scanned_surface_water.py FOLDER [CELLS_ALONG_X]   with FOLDER/surface.vtp, which Data/scanned_surface.py writes

What is shown is Examples/States/scanned_surface_water.py, which ParaView loads as a state.
"""
import math
import os
import runpy
import sys

from paraview.simple import *

folder = sys.argv[1] if len(sys.argv) > 1 else "."
cells_along_x = int(sys.argv[2]) if len(sys.argv) > 2 else 72

state = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "States", "scanned_surface_water.py")
state = runpy.run_path(state, init_globals={"cells_along_x": cells_along_x, "surface_file": f"{folder}/surface.vtp"})
flow = state["flow"]

GetAnimationScene().GoToLast()
SaveScreenshot(f"{folder}/scanned_surface_water.png", state["layout"], OverrideColorPalette="WhiteBackground")

report = servermanager.Fetch(flow, idx=1)
drag = report.GetColumnByName("Drag").GetValue(report.GetNumberOfRows() - 1)
x0, x1, y0, y1, z0, z1 = state["surface"].GetDataInformation().GetBounds()
coefficient = drag / (0.5 * math.pi / 4 * (y1 - y0) * (z1 - z0))  # of the ellipse around it, as the stream sees it
cells = flow.GetDataInformation().GetNumberOfCells()
stress = flow.CellData["Wall Shear"].GetRange(-1)[1]
print(f"{cells} cells; the drag is {1e-3 * drag:.1f} uN, its coefficient {coefficient:.2f} at a Reynolds number of "
      f"{y1 - y0:.0f}; the stress on the surface is up to {stress:.2f} mPa")
assert 1.0 < coefficient < 1.6, "a ball has 0.85 in the open (Schiller and Naumann), and sides this near add half of it"
