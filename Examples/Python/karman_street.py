"""Vortices behind a disc at a Reynolds number of 100: a picture of the last frame, and how often they are shed.

    pvbatch karman_street.py FOLDER [CELLS_ALONG_X]

What is shown is Examples/States/karman_street.py, which ParaView loads as a state.
"""
import os
import runpy
import sys

from paraview.simple import *

folder = sys.argv[1] if len(sys.argv) > 1 else "."
cells_along_x = int(sys.argv[2]) if len(sys.argv) > 2 else 130
os.makedirs(folder, exist_ok=True)

state = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "States", "karman_street.py")
state = runpy.run_path(state, init_globals={"cells_along_x": cells_along_x})
flow = state["flow"]

GetAnimationScene().GoToLast()
SaveScreenshot(f"{folder}/karman_street.png", state["layout"], ImageResolution=[1000, 1100],
               OverrideColorPalette="WhiteBackground")

report = servermanager.Fetch(flow, idx=1)
times, lift = (report.GetColumnByName(name) for name in ("Time", "Lift"))
last = [k for k in range(report.GetNumberOfRows()) if times.GetValue(k) > 0.6 * times.GetValue(report.GetNumberOfRows() - 1)]
risings = []
for k in last[1:]:
    before, now = lift.GetValue(k - 1), lift.GetValue(k)
    if before < 0 <= now:
        risings.append(times.GetValue(k) - (times.GetValue(k) - times.GetValue(k - 1)) * now / (now - before))
frequency = (len(risings) - 1) / (risings[-1] - risings[0])
cells = flow.GetDataInformation().GetNumberOfCells()
finest = (4 * cells_along_x) * (4 * round(cells_along_x * 5 / 13))
print(f"{cells} cells in place of {finest}; the lift swings {frequency:.3f} times while the stream passes the disc")
assert cells < 0.5 * finest
assert 0.18 < frequency < 0.24, "vortices are shed 0.21 times a diameter between sides this near"
