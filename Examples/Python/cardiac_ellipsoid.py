"""When a left ventricle of the heart is activated: muscle fibres as a tensor, isochrones, the way to the latest place.

    pvbatch cardiac_ellipsoid.py FOLDER    with FOLDER/cardiac_ellipsoid.vtu, which Data/cardiac_ellipsoid.py writes

Lengths are in mm and times in ms, so that speeds are in mm/ms, which is m/s. Excitation goes along fibres two to three
times as fast as across them: M = v_f^2 f f^T + v_t^2 (I - f f^T) with the unit vector f along the fibre. It starts
where D. Durrer et al. (1970), Total excitation of the isolated human heart, Circulation 41, 899-912, found the left
ventricle activated first: at the endocardium high on the anterior wall beside the septum, in the middle of the septum,
and on the posterior wall beside the septum, a third of the way from the apex to the base. There is no conduction system
otherwise, so that activation takes longer than in a heart.
"""
import math
import sys

import numpy as np
from paraview.simple import *
from paraview.vtk.util.numpy_support import vtk_to_numpy

folder = sys.argv[1] if len(sys.argv) > 1 else "."
ALONG, ACROSS = 0.6, 0.25  # m/s


def endocardium(longitude, height):
    """The point of the endocardium at a longitude in degrees and a height z in mm. The septum is at longitude 180, the
    anterior wall at 90."""
    radius = 21.0 * math.sqrt(1.0 - (height / 51.0)**2)
    return [radius * math.cos(math.radians(longitude)), radius * math.sin(math.radians(longitude)), height]


SITES = [endocardium(130, 8.0), endocardium(180, -15.0), endocardium(235, -35.0)]

mesh = XMLUnstructuredGridReader(FileName=[f"{folder}/cardiac_ellipsoid.vtu"])


def activation(along, across, **properties):
    """Arrival times from the sites with speeds along and across the fibres."""
    tensor = PythonCalculator(Input=mesh, ArrayAssociation="Cell Data", ArrayName="M", UseMultilineExpression=1,
                              MultilineExpression=f"""
f = inputs[0].CellData["fibre"]
x, y, z = f[:, 0], f[:, 1], f[:, 2]
square, more = {across}**2, {along}**2 - {across}**2
return numpy.stack([square + more * x * x, square + more * y * y, square + more * z * z,
                    more * x * y, more * y * z, more * x * z], axis=1)
""")
    return SpanwiseEikonalArrivalTime(Input=tensor, SourcePoints=sum(SITES, []), SpeedKind="Array",
                                      SpeedArray=["CELLS", "M"],
                                      ResultArrayName="Activation Time", **properties)


def of_points(source):
    source.UpdatePipeline()
    return vtk_to_numpy(servermanager.Fetch(source).GetPointData().GetArray("Activation Time"))


def in_field(source, name):
    return source.FieldData[name].GetRange()[0]


times = activation(ALONG, ACROSS, ComputeGradient=1)
times.UpdatePipeline()
result = servermanager.Fetch(times)
points = vtk_to_numpy(result.GetPoints().GetData())
time = vtk_to_numpy(result.GetPointData().GetArray("Activation Time"))
fibre, depth = (vtk_to_numpy(result.GetCellData().GetArray(name)) for name in ("fibre", "depth"))
slowness = vtk_to_numpy(result.GetCellData().GetArray("Gradient"))
corners = vtk_to_numpy(result.GetCells().GetConnectivityArray()).reshape(-1, 4)

# Nothing is left out, and factored times, which may be too early by the order of their error, are so by little.
assert in_field(times, "Eikonal Unreached Points") == 0 and in_field(times, "Eikonal Skipped Cells") == 0
straight = np.min([np.linalg.norm(points - site, axis=1) for site in SITES], axis=0) / ALONG
assert np.all(time >= 0.98 * straight - 0.1), "a front is faster than fibres allow"

# Times that are not factored never are, but for the sites, which are beside the mesh by less than 0.02 mm. Where fronts
# go across fibres they are slower than along them; where that is as fast it is the speed that counts.
plain = of_points(activation(ALONG, ACROSS, FactorTimes=0))
same = of_points(activation(ALONG, ALONG, FactorTimes=0))
isotropic = of_points(SpanwiseEikonalArrivalTime(Input=mesh, SourcePoints=sum(SITES, []), Speed=ALONG, FactorTimes=0,
                                                 ResultArrayName="Activation Time"))
assert np.all(plain >= straight - 0.05), "a front is faster than fibres allow"
assert np.all(plain >= same - 1e-9), "fibres across which fronts are slower made them faster"
assert np.abs(same - isotropic).max() < 1e-9, "a tensor v^2 I is not the speed v"

# How fast fronts are: 1 / |grad u|, where the angle between them and the fibre says v^2 = v_f^2 cos^2 + v_t^2 sin^2.
steepness = np.linalg.norm(slowness, axis=1)
cosine = np.abs(np.sum(fibre * slowness, axis=1)) / steepness
expected = np.sqrt(ALONG**2 * cosine**2 + ACROSS**2 * (1.0 - cosine**2))
along, across = np.median(1.0 / steepness[cosine > 0.98]), np.median(1.0 / steepness[cosine < 0.2])
off = np.median(np.abs(1.0 / (steepness * expected) - 1.0))
assert off < 0.06, "fronts do not have the speed of their direction"

late = time[corners].mean(axis=1)
edge = np.linalg.norm(points[corners[:, 1]] - points[corners[:, 0]], axis=1).mean()
volume = np.abs(np.linalg.det(points[corners[:, 1:]] - points[corners[:, :1]])) / 6.0
order = np.argsort(late)
half, most = np.interp([0.5, 0.9], np.cumsum(volume[order]) / volume.sum(), late[order])
print(f"ventricle: {len(corners)} tetrahedra with edges of {edge:.2f} mm, {volume.sum() / 1000:.1f} cm^3, in "
      f"{in_field(times, 'Eikonal Iterations'):.0f} iterations, "
      f"{in_field(times, 'Eikonal Updates') / len(points):.0f} local problems a point")
print(f"activated in {time.max():.1f} ms, half of the muscle in {half:.1f}, nine tenths in {most:.1f}; "
      f"{isotropic.max():.1f} if all directions were as fast as along fibres; "
      f"the epicardium first at {late[depth > 0.95].min():.1f} ms")
print(f"fronts along fibres (within 11 degrees) {along:.3f} m/s, across (within 12) {across:.3f} m/s; "
      f"from the speed of their direction {100 * off:.2f} % in the median")

# The way to the place that is activated last.
latest = points[np.argmax(time)]
way = SpanwiseEikonalPaths(Input=times, SeedPoints=list(latest))
way.UpdatePipeline()
line = servermanager.Fetch(way)
steps = np.linalg.norm(np.diff(vtk_to_numpy(line.GetPoints().GetData()), axis=0), axis=1)
print(f"the latest place is at ({latest[0]:.1f}, {latest[1]:.1f}, {latest[2]:.1f}) mm; the way there from site "
      f"{vtk_to_numpy(line.GetCellData().GetArray('Source'))[0]:.0f} is {steps.sum():.1f} mm long, "
      f"{steps.sum() / time.max():.3f} m/s on average")

# Fibres, the outside and the inside, beside each other.
view = CreateRenderView(ViewSize=[1500, 700], OrientationAxesVisibility=0)
colours = GetColorTransferFunction("Activation Time")
colours.ApplyPreset("Viridis", True)
colours.RescaleTransferFunction(0.0, 10.0 * math.ceil(time.max() / 10.0))


def show(source, at, **properties):
    shown = Show(source, view, Representation="Surface", Translation=[at, 0.0, 0.0], Ambient=0.35, Diffuse=0.65,
                 **properties)
    shown.ColorArrayName = ["POINTS", ""]
    return shown


def show_times(source, at):
    """A part of the ventricle coloured by its times, with an isochrone each 10 ms."""
    surface = ExtractSurface(Input=source)
    lines = Contour(Input=surface, ContourBy=["POINTS", "Activation Time"],
                    Isosurfaces=[10.0 * k for k in range(1, math.ceil(time.max() / 10.0))])
    shown = show(surface, at)
    ColorBy(shown, ("POINTS", "Activation Time"))
    dark = show(lines, at, LineWidth=2.0, DisableLighting=1)
    dark.AmbientColor = dark.DiffuseColor = [0.1, 0.1, 0.1]
    return shown


behind = Clip(Input=times, ClipType="Plane", Invert=0)
behind.ClipType.Origin, behind.ClipType.Normal = [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]
directions = Glyph(Input=CellCenters(Input=times), GlyphType="Line", OrientationArray=["POINTS", "fibre"],
                   GlyphMode="Uniform Spatial Distribution (Bounds Based)", MaximumNumberOfSamplePoints=40000,
                   ScaleFactor=3.0)
inside = Clip(Input=directions, ClipType="Plane", Invert=0)
inside.ClipType.Origin, inside.ClipType.Normal = [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]
lines = show(inside, -75.0, LineWidth=1.5)
ColorBy(lines, ("POINTS", "depth"))
show_times(times, 0.0)
show_times(behind, 75.0).SetScalarBarVisibility(view, True)
bar = GetScalarBar(colours, view)
bar.Title, bar.ComponentTitle, bar.AddRangeLabels = "Activation time / ms", "", 0
tube = show(Tube(Input=way, Radius=0.6), 75.0)
tube.AmbientColor = tube.DiffuseColor = [0.9, 0.15, 0.1]
view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [0, -250, 130], [0, 0, -20], [0, 0, 1]
ResetCamera(view)
GetActiveCamera().Zoom(2.1)
SaveScreenshot(f"{folder}/cardiac_ellipsoid.png", view, OverrideColorPalette="WhiteBackground")
