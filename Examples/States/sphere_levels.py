"""A stream around a sphere at a Reynolds number of 100, on levels of cells: small ones only where they matter.

In ParaView: File > Load State, then Play. `cells_along_x` is the size of the coarsest level.
"""
from paraview.simple import *

cells_along_x = globals().get("cells_along_x", 40)

flow = SpanwiseLatticeBoltzmannFlow(registrationName="Flow", Dimension="3D", Domain="Given", Corner=[-2, -2, -2],
                                    Lengths=[8, 4, 4], CellsAlongX=cells_along_x, NumberOfLevels=3, VorticityLimit=0.25,
                                    BufferCells=2, Collision="Entropic", TimePerFrame=1.0, NumberOfFrames=15,
                                    TimeLimit=0)
middle = Slice(registrationName="Middle", Input=flow, SliceType="Plane", Triangulatetheslice=0)
middle.SliceType.Origin, middle.SliceType.Normal = [0, 0, -1e-3], [0, 0, 1]
sphere = Sphere(registrationName="Sphere", Radius=0.5, ThetaResolution=64, PhiResolution=64)
points = CellDatatoPointData(registrationName="At points", Input=flow)
seeds = Plane(registrationName="Seeds", Origin=[-1.8, -0.5, 0.05], Point1=[-1.8, 0.5, 0.05], Point2=[-1.8, -0.5, 0.3],
              XResolution=10, YResolution=1)
lines = StreamTracerWithCustomSource(registrationName="Streamlines", Input=points, SeedSource=seeds,
                                     Vectors=["POINTS", "Velocity"], MaximumStreamlineLength=16.0)

layout = CreateLayout("Sphere")
layout.SplitVertical(0, 0.6)
levels = CreateRenderView(ViewSize=[900, 480], OrientationAxesVisibility=0)
levels.CameraPosition, levels.CameraFocalPoint, levels.CameraViewUp = [0.6, -5.2, 4.6], [1.5, 0, -0.3], [0, 0, 1]
ColorBy(Show(middle, levels, Representation="Surface With Edges", EdgeColor=[0.3, 0.3, 0.3]), ("CELLS", "Level"))
ColorBy(Show(lines, levels, LineWidth=2.0), ("POINTS", "Velocity", "Magnitude"))
speed = CreateRenderView(ViewSize=[900, 320], OrientationAxesVisibility=0, CameraParallelProjection=1)
speed.CameraPosition, speed.CameraFocalPoint, speed.CameraViewUp = [2, 0, 30], [2, 0, 0], [0, 1, 0]
speed.CameraParallelScale = 1.4
ColorBy(Show(middle, speed, Representation="Surface"), ("CELLS", "Velocity", "Magnitude"))
for view in (levels, speed):
    Show(sphere, view, DiffuseColor=[0.8, 0.8, 0.8])
scene = GetAnimationScene()
scene.UpdateAnimationUsingDataTimeSteps()
scene.GoToLast()
for view, hint in ((levels, 1), (speed, 2)):
    AssignViewToLayout(view=view, layout=layout, hint=hint)
GetColorTransferFunction("Velocity").RescaleTransferFunction(0, 1.3)
GetColorTransferFunction("Level").ApplyPreset("Blues", True)
GetColorTransferFunction("Level").RescaleTransferFunction(0, 2)
