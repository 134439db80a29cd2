"""A Surface as Voxels

A closed surface is filled with voxels. Its boundary layer is taken off, and the voxels are cut open.
"""
from paraview.simple import *

surface = Superquadric(registrationName="Surface", Toroidal=1, PhiRoundness=0.7, ThetaResolution=96,
                       PhiResolution=96)
solid = SpanwiseSurfaceToIntervals(registrationName="Voxels", Input=surface, Resolution=160)
core = SpanwiseMorphology(registrationName="Eroded", Input=solid, Operation="Erode", Element="Ball", Radius=6)
half = SpanwiseExtractRegion(registrationName="Cut open", Input=core, Side="Outside", Corner=[0, -1, -1],
                             Lengths=[1, 1, 2])

view = GetActiveViewOrCreate("RenderView")
Show(half, view, Representation="Surface", DiffuseColor=[1, 0.72, 0.4])
Show(surface, view, Representation="Surface", Opacity=0.2)
view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [3, -4, 4], [0, 0, 0], [0, 0, 1]
ResetCamera(view)
SetActiveSource(half)
