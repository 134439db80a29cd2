"""How deep the cells inside a scanned surface lie: exact distances to the surface's cells, and the greatest ball inside.

    pvbatch surface_depth.py FOLDER [CELLS]    with FOLDER/surface.vtp, which Data/scanned_surface.py writes

CELLS along the longest axis; 512 of them make some 37 million inside.
"""
import math
import sys

from paraview.simple import *

folder = sys.argv[1] if len(sys.argv) > 1 else "."
resolution = int(sys.argv[2]) if len(sys.argv) > 2 else 512

surface = XMLPolyDataReader(FileName=[f"{folder}/surface.vtp"])
surface.UpdatePipeline()
x0, x1, y0, y1, z0, z1 = surface.GetDataInformation().GetBounds()
cell = max(x1 - x0, y1 - y0, z1 - z0) / resolution
lattice = {"Origin": [x0, y0, z0], "Spacing": [cell, cell, cell]}
solid = SpanwiseSurfaceToIntervals(Input=surface, **lattice)
depth = SpanwiseSignedDistanceToSet(Input=solid, Where="Cells Of The Set", Sign="Positive Inside",
                                    ResultArrayName="Depth")


def cells_of(source):
    source.UpdatePipeline()
    return source.GetDataInformation().GetNumberOfCells()


def from_depth(low):
    """The cells that lie at least so deep."""
    return SpanwiseThresholdToIntervals(Input=depth, Scalars=["CELLS", "Depth"], LowerThreshold=low,
                                        UpperThreshold=deepest)


def eroded(radius):
    """The cells whose ball of centres lies inside; the radius is a number of cells."""
    return cells_of(SpanwiseMorphology(Input=solid, Operation="Erode", Element="Ball", Radius=radius))


def outside(radius):
    """How many cells of a ball around the deepest cell do not lie inside."""
    ball = SpanwiseIntervalShape(Shape="Ball", Dimension="3D", Center=centre, Radius=radius, **lattice)
    return cells_of(SpanwiseSetAlgebra(Input=[ball, solid], Operation="Difference"))


# The deepest cell is the middle of the greatest ball inside: the ball touches what is not inside.
depth.UpdatePipeline()
deepest = depth.CellData["Depth"].GetRange()[1]
line = servermanager.Fetch(SpanwiseIntervalTable(Input=from_depth(deepest)))  # of the first of them, if several are as deep
at = [line.GetValueByName(0, name).ToInt() for name in ("Begin", "y", "z")]
centre = [low + (k + 0.5) * cell for low, k in zip((x0, y0, z0), at)]
print(f"{cells_of(solid)} cells of {cell:.3f} mm inside; the deepest is ({centre[0]:.1f}, {centre[1]:.1f}, {centre[2]:.1f})"
      f" mm, and {deepest:.2f} mm from the surface")
diagonal = math.sqrt(3.0) * cell
assert outside(deepest) == 0, "the ball does not fit in"
assert outside(deepest + diagonal) > 0, "the ball does not touch the surface"

# What is deeper than t is what erosion leaves: by a ball that measures from centre to centre, and not to a face, half a
# cell more at least, and half a diagonal at most.
for t in (0.1 * deepest, 0.25 * deepest):
    inner, between, outer = eroded((t + diagonal / 2) / cell), cells_of(from_depth(t)), eroded(t / cell + 0.5)
    print(f"deeper than {t:.2f} mm: {between * cell**3 / 1000:.1f} cm^3; eroded by balls {inner * cell**3 / 1000:.1f} to "
          f"{outer * cell**3 / 1000:.1f} cm^3")
    assert inner <= between <= outer, "distances and erosions are not of one mind"

# Half of it, cut where it is deepest, and the ball.
half = SpanwiseExtractRegion(Input=depth, Region="Box", Corner=[centre[0], y0 - 1, z0 - 1],
                             Lengths=[x1 - centre[0] + 1, y1 - y0 + 2, z1 - z0 + 2])
view = CreateRenderView(ViewSize=[800, 640], OrientationAxesVisibility=0, UseColorPaletteForBackground=0)
view.Background = [1.0, 1.0, 1.0]
shown = Show(half, view)
ColorBy(shown, ("CELLS", "Depth"))
colors = GetColorTransferFunction("Depth")
colors.ApplyPreset("Viridis", True)
colors.RescaleTransferFunction(0.0, deepest)
bar = GetScalarBar(colors, view)
bar.Title, bar.ComponentTitle, bar.AddRangeLabels = "Depth / mm", "", 0
bar.TitleColor = bar.LabelColor = [0, 0, 0]
shown.SetScalarBarVisibility(view, True)
ball = Show(Sphere(Center=centre, Radius=deepest, ThetaResolution=64, PhiResolution=64), view)
ball.AmbientColor = ball.DiffuseColor = [0.95, 0.45, 0.3]
ball.Opacity = 0.35
view.CameraPosition = [centre[0] - 3.0 * (x1 - x0), centre[1] - 0.9 * (y1 - y0), centre[2] + 0.7 * (z1 - z0)]
view.CameraViewUp = [0, 0, 1]
view.CameraFocalPoint = [(centre[0] + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2]
ResetCamera(view)
GetActiveCamera().Zoom(1.4)
SaveScreenshot(f"{folder}/surface_depth.png", view)
