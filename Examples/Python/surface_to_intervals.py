"""The cells inside a closed surface.    pvpython surface_to_intervals.py [FOLDER for the picture]"""
import sys

from paraview.simple import *

surface = Superquadric(Toroidal=1, ThetaResolution=100, PhiResolution=100)
surface.UpdatePipeline()

solid = SurfaceToIntervals(Input=surface, Resolution=80)
solid.UpdatePipeline()
x0, x1 = solid.GetDataInformation().GetBounds()[:2]
print(f"{solid.GetDataInformation().GetNumberOfCells()} cells between x = {x0:.3f} and {x1:.3f}")

view = CreateRenderView(ViewSize=[800, 600])
shown = Show(solid, view)
shown.SetRepresentationType("Surface With Edges")
view.CameraPosition, view.CameraViewUp = [1, -2, 1.5], [0, 0, 1]
ResetCamera(view)
if len(sys.argv) > 1:
    SaveScreenshot(f"{sys.argv[1]}/SurfaceToIntervals.png", view)
