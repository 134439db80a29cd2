"""Water flows around a scanned surface: its shear stress on the surface, and streamlines.

In ParaView: File > Load State, then Play. `surface_file` is a closed surface, as Data/scanned_surface.py writes it, in
millimetres; `cells_along_x` is the number of cells along the box.
"""
from paraview.simple import *

surface_file = globals().get("surface_file", "surface.vtp")
cells_along_x = globals().get("cells_along_x", 72)

surface = XMLPolyDataReader(registrationName="Surface", FileName=[surface_file])
surface.UpdatePipeline()
x0, x1, y0, y1, z0, z1 = surface.GetDataInformation().GetBounds()
wide = max(x1 - x0, y1 - y0, z1 - z0)
middle = [(x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2]
corner = [middle[0] - wide, middle[1] - wide, middle[2] - wide]
lengths = [2.8 * wide, 2 * wide, 2 * wide]
cell = lengths[0] / cells_along_x

# Lengths in mm, times in s, masses in mg: 1 mm^2/s and 1 mg/mm^3 are those of water, and stresses are in mPa.
flow = SpanwiseLatticeBoltzmannFlow(registrationName="Flow", Obstacle="Set", ObstacleSet=surface, Domain="Given",
                                    Corner=corner,
                                    Lengths=lengths, CellsAlongX=cells_along_x, Speed=1.0, Viscosity=1.0, Density=1.0,
                                    TimePerFrame=0.25 * wide, NumberOfFrames=17)
GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
grid = SpanwiseLevelsToUnstructuredGrid(registrationName="Fluid", Input=flow)

# What cells at the wall know goes to the surface, from a cell or two around.
at_wall = CellCenters(Input=Threshold(Input=grid, Scalars=["CELLS", "Wall Shear"], ThresholdMethod="Above Upper Threshold",
                                      UpperThreshold=1e-12))
on_surface = PointDatasetInterpolator(registrationName="Wall shear", Input=at_wall, Source=surface,
                                       Kernel="LinearKernel", PassPointArrays=0)
on_surface.Kernel.Radius = 1.6 * cell
lines = StreamTracer(registrationName="Streamlines", Input=CellDatatoPointData(Input=grid),
                     Vectors=["POINTS", "Velocity"], SeedType="Line",
                     MaximumStreamlineLength=3 * wide, IntegrationDirection="BOTH")
lines.SeedType.Point1 = [middle[0] - 0.7 * wide, y0 - 0.05 * wide, middle[2]]
lines.SeedType.Point2 = [middle[0] - 0.7 * wide, y1 + 0.05 * wide, middle[2]]
lines.SeedType.Resolution = 40
tubes = Tube(Input=lines, Radius=0.004 * wide)


def show(source, array, low, high, preset, view):
    shown = Show(source, view)
    ColorBy(shown, ("POINTS", array, "Magnitude"))
    shown.SetScalarBarVisibility(view, True)
    colors = GetColorTransferFunction(array)
    colors.ApplyPreset(preset, True)
    colors.RescaleTransferFunction(low, high)
    return shown


view = CreateRenderView(ViewSize=[1000, 750], OrientationAxesVisibility=0)
GetAnimationScene().GoToNext()  # water at rest has no streamlines
show(on_surface, "Wall Shear", 0, 0.25, "Inferno", view)
show(tubes, "Velocity", 0, 1.5, "Viridis", view)
view.CameraViewUp = [0, 0, 1]
view.CameraFocalPoint = [middle[0] + 0.3 * wide, *middle[1:]]
view.CameraPosition = [view.CameraFocalPoint[0] - 0.9 * wide, y0 - 2.6 * wide, z1 + 1.2 * wide]
layout = GetLayout(view)
