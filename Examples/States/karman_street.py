"""Vortices behind a disc at a Reynolds number of 100, on levels of cells that follow them: a street of von Karman.

In ParaView: File > Load State, then Play. `cells_along_x` is the size of the coarsest level.
"""
from paraview.simple import *

cells_along_x = globals().get("cells_along_x", 130)

# The stream is a little aslant, so that vortices do not wait for round-off.
flow = SpanwiseLatticeBoltzmannFlow(registrationName="Flow", CellsAlongX=cells_along_x, NumberOfLevels=3,
                                    VorticityLimit=0.05,
                                    Direction=[1, 0.05, 0], TimePerFrame=2.0, StepsPerRecord=20, NumberOfFrames=46)


def view_of(array, representation):
    view = CreateRenderView(ViewSize=[900, 350], OrientationAxesVisibility=0, CameraParallelProjection=1)
    view.CameraPosition, view.CameraFocalPoint = [4, 0, 30], [4, 0, 0]
    view.CameraViewUp, view.CameraParallelScale = [0, 1, 0], 2.6
    shown = Show(flow, view, Representation=representation, EdgeColor=[0.35, 0.35, 0.35])
    ColorBy(shown, ("CELLS", array))
    return view


layout = CreateLayout("Street of vortices")
layout.SplitVertical(layout.SplitVertical(0, 0.36) + 1, 0.56)
vorticity = view_of("Vorticity", "Surface")
levels = view_of("Level", "Surface With Edges")
scene = GetAnimationScene()
scene.UpdateAnimationUsingDataTimeSteps()
scene.GoToNext()  # a chart of the start alone would be a point
forces = CreateView("XYChartView", ViewSize=[900, 300])
Show(OutputPort(flow, 1), forces, UseIndexForXAxis=0, XArrayName="Time", SeriesVisibility=["Drag", "Lift"])
for view in (vorticity, levels, forces):
    AssignViewToLayout(view=view, layout=layout)

GetColorTransferFunction("Vorticity").ApplyPreset("Cool to Warm", True)
GetColorTransferFunction("Vorticity").RescaleTransferFunction(-4, 4)
GetColorTransferFunction("Level").RescaleTransferFunction(0, 2)
