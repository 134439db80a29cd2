"""Slow flow through a packed bed of spheres, and its permeability: one Apply for a scan of any porous rock.

In ParaView: File > Load State. The bed takes the place of a scan: an image whose values say where the grains are.
Lengths are in millimetres, times in seconds; the fluid is water. `cells` are along a side.
"""
from paraview.simple import *

cells = globals().get("cells", 48)

# Spheres of 1 mm at random places of a cube of 4 mm that repeats; the value is the distance to the nearest.
scan = ProgrammableSource(registrationName="Scan", OutputDataSetType="vtkImageData", ScriptRequestInformation=f"""
from paraview import util
util.SetOutputWholeExtent(self, 3 * [0, {cells}])
""", Script=f"""
import numpy
def shortest(offset):  # to the nearest copy
    return offset - 4.0 * numpy.round(offset / 4.0)
random = numpy.random.default_rng(1)
spheres = 4.0 * random.random((1, 3))
while len(spheres) < 44:
    place = 4.0 * random.random(3)
    if numpy.linalg.norm(shortest(spheres - place), axis=1).min() > 1.0:
        spheres = numpy.vstack((spheres, place))
axis = (numpy.arange({cells}) + 0.5) * 4.0 / {cells}
places = numpy.stack(numpy.meshgrid(axis, axis, axis, indexing="ij")[::-1], axis=-1)
distance = numpy.full(places.shape[:3], 4.0)
for sphere in spheres:
    distance = numpy.minimum(distance, numpy.linalg.norm(shortest(places - sphere), axis=-1) - 0.5)
image = self.GetImageDataOutput()
image.SetDimensions({cells} + 1, {cells} + 1, {cells} + 1)
image.SetSpacing(*3 * [4.0 / {cells}])
output.CellData.append(distance.flatten(), "Distance")
""")
pores = SpanwiseThresholdToIntervals(registrationName="Pores", Input=scan, Scalars=["CELLS", "Distance"],
                                     LowerThreshold=0,
                                     UpperThreshold=4)

# As fast as no flow is, so that the time step suits; what pushes is a fall of pressure of 50 Pa/m.
flow = SpanwiseLatticeBoltzmannFlow(registrationName="Flow", Obstacle="Set", ObstacleSet=pores, InputIs="Fluid",
                                    CellsAlongX=cells, Viscosity=1.0, Acceleration=[50, 0, 0], Speed=10.0,
                                    LowerX="Periodic",
                                    UpperX="Periodic", LowerY="Periodic", UpperY="Periodic", LowerZ="Periodic",
                                    UpperZ="Periodic", TimePerFrame=0.05, NumberOfFrames=41, SteadyTolerance=1e-3,
                                    TimeLimit=0,
                                    StepsPerRecord=10)
points = CellDatatoPointData(registrationName="At points", Input=flow)
seeds = Plane(registrationName="Seeds", Origin=[0.02, 0.1, 1.4], Point1=[0.02, 3.9, 1.4], Point2=[0.02, 0.1, 2.1],
              XResolution=40, YResolution=4)
lines = StreamTracerWithCustomSource(registrationName="Streamlines", Input=points, SeedSource=seeds,
                                     Vectors=["POINTS", "Velocity"], MaximumStreamlineLength=12.0)
grains = Contour(registrationName="Grains", Input=CellDatatoPointData(registrationName="Scan at points", Input=scan),
                 ContourBy=["POINTS", "Distance"], Isosurfaces=[0.0])
half = Clip(registrationName="Half of the grains", Input=grains, ClipType="Plane")
half.ClipType.Origin, half.ClipType.Normal = [2, 2, 2], [0, 0, 1]

layout = CreateLayout("Packed bed")
layout.SplitHorizontal(0, 0.6)
view = CreateRenderView(ViewSize=[600, 500], OrientationAxesVisibility=0)
view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [1.2, 4, 11.5], [2, 1.9, 1.4], [0, 1, 0]
Show(half, view, DiffuseColor=[0.8, 0.76, 0.7], ColorArrayName=["POINTS", ""])
told = AnnotateGlobalData(registrationName="Permeability", Input=flow, SelectArrays="Permeability",
                          Prefix="Permeability ", Suffix=" mm^2")
Show(told, view, WindowLocation="Lower Center")
ColorBy(Show(lines, view, LineWidth=2.0), ("POINTS", "Velocity", "Magnitude"))
scene = GetAnimationScene()
scene.UpdateAnimationUsingDataTimeSteps()
scene.GoToLast()
chart = CreateView("XYChartView", ViewSize=[400, 500], ChartTitle="Permeability", ShowLegend=0,
                   BottomAxisTitle="time, s", LeftAxisTitle="mm^2")
Show(OutputPort(flow, 1), chart, UseIndexForXAxis=0, XArrayName="Time", SeriesVisibility=["Permeability"])
for one, hint in ((view, 1), (chart, 2)):
    AssignViewToLayout(view=one, layout=layout, hint=hint)
GetColorTransferFunction("Velocity").RescaleTransferFunction(0, 3)
