"""Flow: A Shock Before a Ball

A gas at Mach 2 on levels of cells that follow the shock. Press Play: frames are computed as they are shown.
"""
from paraview.simple import *

flow = SpanwiseCompressibleFlow(registrationName="Gas", CellsAlongX=42, MachNumber=2, NumberOfLevels=3,
                                NumberOfFrames=60)

view = GetActiveViewOrCreate("RenderView")
scene = GetAnimationScene()
scene.UpdateAnimationUsingDataTimeSteps()
scene.GoToFirst()
scene.GoToNext()
ColorBy(Show(flow, view, Representation="Surface With Edges"), ("CELLS", "Density"))
view.InteractionMode = "2D"
ResetCamera(view)
SetActiveSource(flow)
