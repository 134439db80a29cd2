"""The cells inside a ring, and those outside it.    pvpython polygons_to_intervals.py [FOLDER for the picture]"""
import math
import sys

from paraview.simple import *

ring = Disk(InnerRadius=0.5, OuterRadius=1.0, CircumferentialResolution=180)
ring.UpdatePipeline()

lattice = {"SpacingMode": "Spacing", "Spacing": [0.01, 0.01, 0.01], "Origin": [0, 0, 0]}
inside = PolygonsToIntervals(Input=ring, **lattice)
outside = PolygonsToIntervals(Input=ring, Domain="Outside Within Bounds", UseBounds=1, Bounds=[-1.5, 1.5, -1, 1], **lattice)

view = CreateRenderView(ViewSize=[900, 600])
for name, grid, color in (("inside", inside, [0.2, 0.45, 0.7]), ("outside", outside, [0.85, 0.75, 0.5])):
    grid.UpdatePipeline()
    cells = grid.GetDataInformation().GetNumberOfCells()
    print(f"{name}: {cells} cells, an area of {cells * 1e-4:.4f}")
    Show(grid, view).DiffuseColor = color
print(f"the ring's area is {0.75 * math.pi:.4f}")
ResetCamera(view)
if len(sys.argv) > 1:
    SaveScreenshot(f"{sys.argv[1]}/PolygonsToIntervals.png", view)
