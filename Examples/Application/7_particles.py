"""Particles: Two Clusters Under Gravity

Two clusters of stars that meet (N-body). Press Play: frames are computed as they are shown.
"""
from paraview.simple import *


def cluster(name, x, spin):
    stars = PointSource(registrationName=name, NumberOfPoints=500, Radius=1.0, Center=[x, 0, 0])
    return Calculator(registrationName=f"{name} with velocity", Input=stars, AttributeType="Point Data",
                      ResultArrayName="velocity",
                      Function=f"{spin} * ((coordsX - {x}) * jHat - coordsY * iHat) - 2 * {x} * jHat")


stars = AppendGeometry(registrationName="Stars", Input=[cluster("Left", -2, 18), cluster("Right", 2, 18)])
motion = SpanwiseNBodyMotion(registrationName="Motion", Input=stars, Velocities="Array",
                             VelocityArray=["POINTS", "velocity"], AutomaticSoftening=0, Softening=0.2, TimeStep=0.001,
                             NumberOfFrames=60)

view = GetActiveViewOrCreate("RenderView")
scene = GetAnimationScene()
scene.UpdateAnimationUsingDataTimeSteps()
scene.GoToFirst()
scene.GoToNext()
ColorBy(Show(motion, view, Representation="Points", PointSize=3), ("POINTS", "Velocity", "Magnitude"))
view.InteractionMode = "2D"
ResetCamera(view)
SetActiveSource(motion)
