"""Levels: A Field on an Adaptive Grid

An image becomes cells of three sizes (AMR): small where its values change. A contour has no cracks where sizes meet.
"""
from paraview.simple import *

image = Wavelet(registrationName="Image", WholeExtent=[-16, 16, -16, 16, -16, 16])
levels = SpanwiseAdaptiveRefinement(registrationName="Levels", Input=image, Scalars=["POINTS", "RTData"],
                                    NumberOfLevels=3,
                                    GradientLimit=0.08)
mesh = SpanwiseLevelsToUnstructuredGrid(registrationName="No hanging nodes", Input=levels)
contour = Contour(registrationName="Contour", Input=mesh, ContourBy=["POINTS", "RTData"], Isosurfaces=[180])
middle = Slice(registrationName="Middle", Input=levels, SliceType="Plane", Triangulatetheslice=0)
middle.SliceType.Origin, middle.SliceType.Normal = [0, 0, 0.1], [0, 0, 1]

view = GetActiveViewOrCreate("RenderView")
Show(contour, view, Representation="Surface")
ColorBy(Show(middle, view, Representation="Surface With Edges"), ("CELLS", "RTData"))
view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [40, -60, 60], [0, 0, 0], [0, 0, 1]
ResetCamera(view)
SetActiveSource(levels)
