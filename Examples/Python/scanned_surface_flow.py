"""A stream of Mach 2 around a scanned surface in 3D: the pressure on it, and schlieren in a plane behind it.

    pvbatch scanned_surface_flow.py FOLDER [CELLS_ALONG_X]    with FOLDER/surface.vtp, which Data/scanned_surface.py writes
"""
import sys

from paraview.simple import *

folder = sys.argv[1] if len(sys.argv) > 1 else "."
cells_along_x = int(sys.argv[2]) if len(sys.argv) > 2 else 40
LEVELS = 3

surface = XMLPolyDataReader(FileName=[f"{folder}/surface.vtp"])
surface.UpdatePipeline()
x0, x1, y0, y1, z0, z1 = surface.GetDataInformation().GetBounds()
wide = max(x1 - x0, y1 - y0, z1 - z0)
corner = [x0 - 0.8 * wide, (y0 + y1) / 2 - wide, (z0 + z1) / 2 - wide]
lengths = [2.8 * wide, 2 * wide, 2 * wide]
finest = lengths[0] / cells_along_x / 2 ** (LEVELS - 1)
solid = SpanwiseSurfaceToIntervals(Input=surface, Origin=corner, Spacing=[finest] * 3)

# Density 1.4 and pressure 1: the speed of sound is 1. Frames are times in which sound goes a tenth of the surface's size.
flow = SpanwiseCompressibleFlow(Obstacle="Set", ObstacleSet=solid, Domain="Given", Corner=corner, Lengths=lengths,
                                CellsAlongX=cells_along_x, NumberOfLevels=LEVELS, GradientLimit=0.15,
                                TimePerFrame=0.1 * wide, NumberOfFrames=21)
GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
GetAnimationScene().GoToLast()

# The pressure of the gas beside the surface.
normals = SurfaceNormals(Input=surface)
beside = WarpByVector(Input=normals, Vectors=["POINTS", "Normals"], ScaleFactor=finest)
on_surface = ResampleWithDataset(SourceDataArrays=SpanwiseLevelsToUnstructuredGrid(Input=flow), DestinationMesh=beside)
plane = Slice(Input=flow, SliceType="Plane")
plane.SliceType.Origin = [(x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2]
plane.SliceType.Normal = [0, 1, 0]

view = CreateRenderView(ViewSize=[1000, 750], OrientationAxesVisibility=0)
shown = Show(on_surface, view)
ColorBy(shown, ("POINTS", "Pressure"))
shown.SetScalarBarVisibility(view, True)
GetColorTransferFunction("Pressure").RescaleTransferFunction(0, 5.7)
behind = Show(plane, view)
ColorBy(behind, ("CELLS", "Schlieren"))
GetColorTransferFunction("Schlieren").ApplyPreset("X Ray", True)
GetColorTransferFunction("Schlieren").RescaleTransferFunction(0, 20 / wide)
view.CameraViewUp = [0, 0, 1]
view.CameraFocalPoint = [(x0 + x1) / 2 + 0.3 * wide, (y0 + y1) / 2, (z0 + z1) / 2]
view.CameraPosition = [view.CameraFocalPoint[0] - 1.2 * wide, y0 - 3.4 * wide, z1 + 0.8 * wide]
SaveScreenshot(f"{folder}/scanned_surface_flow.png", view, OverrideColorPalette="WhiteBackground")

cells = flow.GetDataInformation().GetNumberOfCells()
report = servermanager.Fetch(flow, idx=1)
drag = report.GetColumnByName("Drag").GetValue(report.GetNumberOfRows() - 1)
print(f"{cells} cells; pressures up to {flow.CellData['Pressure'].GetRange()[1]:.2f} of the stream's; drag {drag:.4g}")
