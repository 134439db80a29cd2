"""Arrival Times: A Wave Around Islands

When a front that starts in a corner arrives (eikonal equation), and the fastest ways back to where it started.
"""
from paraview.simple import *

lattice = {"Dimension": "2D", "Spacing": [0.005, 0.005, 0.005]}
sea = [SpanwiseIntervalShape(registrationName="Sea", Shape="Box", Corner=[0, 0, 0], Lengths=[2, 1, 0], **lattice)]
islands = [
    SpanwiseIntervalShape(registrationName=f"Island {k}", Shape="Ball", Center=[x, y, 0], Radius=radius, **lattice)
    for k, (x, y, radius) in enumerate(((0.5, 0.35, 0.22), (1.0, 0.75, 0.2), (1.45, 0.3, 0.25)), 1)
]
water = SpanwiseSetExpression(registrationName="Water", Input=sea + islands, InputNames=["S", "A", "B", "C"],
                              Expression="S - (A | B | C)")
times = SpanwiseEikonalArrivalTime(registrationName="Arrival time", Input=water, SourcePoints=[0.1, 0.2, 0],
                                   Order="Second")
coast = Line(registrationName="Coast", Point1=[1.98, 0.02, 0], Point2=[1.98, 0.98, 0], Resolution=24)
paths = SpanwiseEikonalPaths(registrationName="Fastest ways", Input=times, Seeds="Points Of Second Input",
                             SeedInput=coast)

view = GetActiveViewOrCreate("RenderView")
ColorBy(Show(times, view, Representation="Surface"), ("CELLS", "Arrival Time"))
lines = Show(paths, view, Representation="Wireframe", LineWidth=2, Translation=[0, 0, 0.01])
ColorBy(lines, None)
lines.AmbientColor = lines.DiffuseColor = [0, 0, 0]
view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [1, 0.5, 5], [1, 0.5, 0], [0, 1, 0]
ResetCamera(view)
SetActiveSource(times)
