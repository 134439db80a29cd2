"""Fluid under a moving lid at a Reynolds number of 1000, with the velocities that Ghia, Ghia and Shin published.

In ParaView: File > Load State. It takes half a minute until the flow is steady. `cells` are along a side.
"""
from paraview.simple import *

cells = globals().get("cells", 128)

flow = SpanwiseLatticeBoltzmannFlow(registrationName="Cavity", Obstacle="None", Corner=[0, 0, 0], Lengths=[1, 1, 1],
                                    CellsAlongX=cells, Viscosity=0.001, LidVelocity=[1, 0, 0], LowerX="Wall",
                                    UpperX="Wall",
                                    LowerY="Wall", UpperY="Wall", TimePerFrame=2.0, NumberOfFrames=61,
                                    SteadyTolerance=2e-4, TimeLimit=0)
points = CellDatatoPointData(registrationName="At points", Input=flow)
seeds = Plane(registrationName="Seeds", Origin=[0.05, 0.05, 0], Point1=[0.95, 0.05, 0], Point2=[0.05, 0.95, 0],
              XResolution=6, YResolution=6)
lines = StreamTracerWithCustomSource(registrationName="Streamlines", Input=points, SeedSource=seeds,
                                     Vectors=["POINTS", "Velocity"], MaximumStreamlineLength=0.7)

# J. Comput. Phys. 48 (1982), tables I and II: where, and the velocity there.
TABLES = {
    "u over y": [(0.9766, 0.65928), (0.9688, 0.57492), (0.9609, 0.51117), (0.9531, 0.46604), (0.8516, 0.33304),
                 (0.7344, 0.18719), (0.6172, 0.05702), (0.5, -0.0608), (0.4531, -0.10648), (0.2813, -0.27805),
                 (0.1719, -0.38289), (0.1016, -0.2973), (0.0703, -0.2222), (0.0625, -0.20196), (0.0547, -0.18109)],
    "v over x": [(0.9688, -0.21388), (0.9609, -0.27669), (0.9531, -0.33714), (0.9453, -0.39188), (0.9063, -0.5155),
                 (0.8594, -0.42665), (0.8047, -0.31966), (0.5, 0.02526), (0.2344, 0.32235), (0.2266, 0.33075),
                 (0.1563, 0.37095), (0.0938, 0.32627), (0.0781, 0.30353), (0.0703, 0.29012), (0.0625, 0.27485)]}

layout = CreateLayout("Cavity")
layout.SplitHorizontal(0, 0.5)
view = CreateRenderView(ViewSize=[500, 500], OrientationAxesVisibility=0, CameraParallelProjection=1)
view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [0.5, 0.5, 5], [0.5, 0.5, 0], [0, 1, 0]
view.CameraParallelScale = 0.54
ColorBy(Show(flow, view, Representation="Surface"), ("CELLS", "Velocity", "Magnitude"))
shown = Show(lines, view, Opacity=0.6, Translation=[0, 0, 0.01])
shown.ColorArrayName = ["POINTS", ""]
shown.AmbientColor = shown.DiffuseColor = [1, 1, 1]

GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
GetAnimationScene().GoToLast()
chart = CreateView("XYChartView", ViewSize=[500, 500], LegendLocation="TopLeft", BottomAxisTitle="place",
                   LeftAxisTitle="velocity")
lines_through_centre = {}
for name, ends, along, component, colour in (
        ("u over y", ([0.5, 0, 0], [0.5, 1, 0]), "Points_Y", "Velocity_X", ["0.1", "0.4", "0.8"]),
        ("v over x", ([0, 0.5, 0], [1, 0.5, 0]), "Points_X", "Velocity_Y", ["0.8", "0.3", "0.1"])):
    lines_through_centre[name] = line = PlotOverLine(registrationName=name, Input=points, Point1=ends[0],
                                                            Point2=ends[1], Resolution=200)
    Show(line, chart, UseIndexForXAxis=0, XArrayName=along, SeriesVisibility=[component],
         SeriesLabel=[component, name], SeriesColor=[component, *colour])
    crosses = ProgrammableSource(registrationName=f"{name}, Ghia et al.", OutputDataSetType="vtkTable", Script=f"""
import numpy
table = numpy.array({TABLES[name]})
gap = numpy.full(len(table), numpy.nan)
for name, column, d in zip(("place", "velocity"), table.T, ((0.012, 0), (0, 0.02))):
    cross = [column - d[0], column + d[0], gap, column - d[1], column + d[1], gap]
    output.RowData.append(numpy.array(cross).T.flatten(), name)
""")
    Show(crosses, chart, UseIndexForXAxis=0, XArrayName="place", SeriesVisibility=["velocity"],
         SeriesLabel=["velocity", f"{name}, Ghia et al. 1982"], SeriesColor=["velocity", "0.1", "0.1", "0.1"])
GetColorTransferFunction("Velocity").RescaleTransferFunction(0, 0.8)
for view_or_chart, hint in ((view, 1), (chart, 2)):
    AssignViewToLayout(view=view_or_chart, layout=layout, hint=hint)
