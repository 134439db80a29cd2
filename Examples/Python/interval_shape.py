"""A ball, a box and the inside of a quadric as cells.    pvpython interval_shape.py [FOLDER for the picture]"""
import sys

from paraview.simple import *

ball = IntervalShape(Shape="Ball", Radius=0.5)
box = IntervalShape(Shape="Box", Corner=[0.75, -0.5, -0.5], Lengths=[1, 1, 1])
cone = IntervalShape(Shape="Implicit Function", ImplicitFunction="Quadric",
                     Corner=[2, -0.5, -0.5], Lengths=[1, 1, 1])
cone.ImplicitFunction.QuadricCoefficients = [1, 1, -1, 0, 0, 0, -5, 0, 0, 6.25]  # (x - 2.5)^2 + y^2 = z^2

view = CreateRenderView(ViewSize=[1000, 500])
for name, shape in (("ball", ball), ("box", box), ("cone", cone)):
    shape.UpdatePipeline()
    cells = shape.GetDataInformation().GetNumberOfCells()
    print(f"{name}: {cells} cells, a volume of {cells / 64**3:.4f}")
    Show(shape, view)
view.CameraPosition, view.CameraFocalPoint = [1.5, -4, 2], [1.2, 0, 0]
view.CameraViewUp = [0, 0, 1]
ResetCamera(view)
if len(sys.argv) > 1:
    SaveScreenshot(f"{sys.argv[1]}/IntervalShape.png", view)
