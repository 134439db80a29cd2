"""Flow: A Liquid Behind a Cylinder

A vortex street by the lattice Boltzmann method. Press Play: frames are computed as they are shown.
"""
from paraview.simple import *

flow = SpanwiseLatticeBoltzmannFlow(registrationName="Liquid", CellsAlongX=160, Viscosity=0.01, NumberOfFrames=100)

view = GetActiveViewOrCreate("RenderView")
scene = GetAnimationScene()
scene.UpdateAnimationUsingDataTimeSteps()
scene.GoToFirst()
scene.GoToNext()
ColorBy(Show(flow, view, Representation="Surface"), ("CELLS", "Velocity", "Magnitude"))
view.InteractionMode = "2D"
ResetCamera(view)
SetActiveSource(flow)
