"""A shock of Mach 10 runs up a ramp of 30 degrees: the double Mach reflection of P. Woodward and P. Colella (1984).

    pvbatch double_mach_reflection.py FOLDER [CELLS_ALONG_X]
"""
import math
import sys

from paraview.simple import *
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkIOXML import vtkXMLPolyDataWriter

folder = sys.argv[1] if len(sys.argv) > 1 else "."
cells_along_x = int(sys.argv[2]) if len(sys.argv) > 2 else 90
LENGTHS = [3.0, 2.1]
FOOT = 0.25  # of the ramp

points = vtkPoints()
for x, y in ((FOOT, -0.1), (4.0, -0.1), (4.0, (4.0 - FOOT) * math.tan(math.radians(30))), (FOOT, 0.0)):
    points.InsertNextPoint(x, y, 0.0)
polygons = vtkCellArray()
polygons.InsertNextCell(4, (0, 1, 2, 3))
ramp = vtkPolyData()
ramp.SetPoints(points)
ramp.SetPolys(polygons)
writer = vtkXMLPolyDataWriter()
writer.SetInputData(ramp)
writer.SetFileName(f"{folder}/ramp.vtp")
writer.Write()

size = LENGTHS[0] / cells_along_x / 8  # of the finest cells
solid = SpanwisePolygonsToIntervals(Input=XMLPolyDataReader(FileName=[f"{folder}/ramp.vtp"]), Origin=[0, -0.1, 0],
                                    Spacing=[size, size, size])
flow = SpanwiseCompressibleFlow(Obstacle="Set", ObstacleSet=solid, Domain="Given", Corner=[0, 0, 0],
                                Lengths=[*LENGTHS, 1],
                                CellsAlongX=cells_along_x, MachNumber=10, Start="Shock", LowerY="Slip Wall",
                                UpperY="Slip Wall", NumberOfLevels=4, GradientLimit=0.2, TimePerFrame=0.02,
                                NumberOfFrames=13)

GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
GetAnimationScene().GoToLast()
flow.UpdatePipeline(0.24)
low, high = flow.CellData["Density"].GetRange()

# The ramp is level in the picture, and the reflection at its right end, with 30 lines of density.
view = CreateRenderView(ViewSize=[1200, 400], OrientationAxesVisibility=0, CameraParallelProjection=1)
shown = Show(flow, view)
ColorBy(shown, ("CELLS", "Density"))
shown.RescaleTransferFunctionToDataRange()
shown.SetScalarBarVisibility(view, False)
at_points = CellDatatoPointData(Input=SpanwiseLevelsToUnstructuredGrid(Input=flow), CellDataArraytoprocess=["Density"])
lines = Show(Contour(Input=at_points, ContourBy=["POINTS", "Density"],
                     Isosurfaces=[low + (k + 0.5) / 30 * (high - low) for k in range(30)]), view)
ColorBy(lines, None)
lines.DiffuseColor = lines.AmbientColor = [0.0, 0.0, 0.0]
up = [-math.sin(math.radians(30)), math.cos(math.radians(30)), 0]
middle = [FOOT + 1.55 * math.cos(math.radians(30)) + 0.38 * up[0], 1.55 * math.sin(math.radians(30)) + 0.38 * up[1], 0]
view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [middle[0], middle[1], 9], middle, up
view.CameraParallelScale = 0.5
SaveScreenshot(f"{folder}/double_mach_reflection.png", view, OverrideColorPalette="WhiteBackground")
print(f"{flow.GetDataInformation().GetNumberOfCells()} cells; densities from {low:.2f} to {high:.2f}")
