"""A stream of Mach 2 around a disc: schlieren, density, levels, and the mesh at the shock.

In ParaView: File > Load State, then Play. `cells_along_x` is the size of the coarsest level.
"""
from paraview.simple import *

cells_along_x = globals().get("cells_along_x", 70)

flow = SpanwiseCompressibleFlow(registrationName="Flow", CellsAlongX=cells_along_x, NumberOfLevels=4, TimePerFrame=0.5,
                                NumberOfFrames=31)


def view_of(array, representation, centre, scale):
    view = CreateRenderView(ViewSize=[600, 500], OrientationAxesVisibility=0, CameraParallelProjection=1)
    view.CameraPosition, view.CameraFocalPoint = [*centre, 30], [*centre, 0]
    view.CameraViewUp, view.CameraParallelScale = [0, 1, 0], scale
    shown = Show(flow, view, Representation=representation, EdgeColor=[0.25, 0.25, 0.25])
    ColorBy(shown, ("CELLS", array))
    shown.SetScalarBarVisibility(view, True)
    return view


layout = CreateLayout("Mach 2")
right = layout.SplitHorizontal(0, 0.5) + 1
layout.SplitVertical(right - 1, 0.5)
layout.SplitVertical(right, 0.5)
schlieren = view_of("Schlieren", "Surface", [1, 0], 3)
density = view_of("Density", "Surface", [1, 0], 3)
levels = view_of("Level", "Surface", [1, 0], 3)
mesh = view_of("Pressure", "Surface With Edges", [-1.05, 0.75], 0.5)
for view in (schlieren, density, levels, mesh):
    AssignViewToLayout(view=view, layout=layout)

GetColorTransferFunction("Schlieren").ApplyPreset("X Ray", True)
GetColorTransferFunction("Schlieren").RescaleTransferFunction(0, 12)
GetColorTransferFunction("Density").ApplyPreset("Viridis", True)
GetColorTransferFunction("Density").RescaleTransferFunction(0, 6)
GetColorTransferFunction("Level").RescaleTransferFunction(0, 3)
GetColorTransferFunction("Pressure").RescaleTransferFunction(0, 5.7)
GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
