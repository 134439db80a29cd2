"""Voxels: Cut a Hole and Measure

A box with a ball cut out of it, both as voxels on one lattice, and how deep the voxels lie in what is left.
"""
from paraview.simple import *

lattice = {"Spacing": 3 * [0.04]}
box = SpanwiseIntervalShape(registrationName="Box", Shape="Box", Corner=[-1, -1, -1], Lengths=[2, 2, 2], **lattice)
ball = SpanwiseIntervalShape(registrationName="Ball", Shape="Ball", Center=[0.5, -0.6, 0.6], Radius=0.9, **lattice)
cut = SpanwiseSetAlgebra(registrationName="Box without ball", Input=[box, ball], Operation="Difference")
distance = SpanwiseSignedDistanceToSet(registrationName="Distance", Input=cut, Where="Cells Of The Set")
back = SpanwiseExtractRegion(registrationName="Cut open", Input=distance, Side="Outside", Corner=[-2, -2, -2],
                             Lengths=[4, 1.5, 4])

view = GetActiveViewOrCreate("RenderView")
ColorBy(Show(back, view, Representation="Surface"), ("CELLS", "Signed Distance"))
view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [3, -5, 3], [0, 0, 0], [0, 0, 1]
ResetCamera(view)
SetActiveSource(back)
