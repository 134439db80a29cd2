"""When a wave from a harbour arrives at the coasts of the world: isochrones, and the ways that it takes.

    pvbatch ocean_wave.py FOLDER [HARBOUR [CELL]]    with FOLDER/coastlines.vtp, which Data/coastlines.py --levels 1
                                                     writes; a name of PLACES; the size of a cell in degrees (1/16)

Waves that are long beside the depth h of the water, as those of tsunamis are, travel with sqrt(g h). Here h is the same
everywhere, 3682 m, the mean of the ocean (M. A. Charette, W. H. F. Smith (2010), The volume of Earth's ocean,
Oceanography 23(2), 112-114), so that the speed is 190 m/s. The wave of the earthquake off Valdivia on 22 May 1960 took
about 15 hours to Hilo and 22 to Japan.

Cells are equal in longitude and latitude. Lengths are in degrees and times in hours; what a degree is worth comes in by
the metric: M = c^2 diag(1 / (R cos latitude)^2, 1 / R^2) with the radius R of the sphere a radian, so that times are
those of great circles. Longitude is periodic. Around the pole fronts go along the last row, which is 3 km wide there.
"""
import math
import sys

import numpy as np
from paraview.simple import *
from paraview.vtk.util.numpy_support import vtk_to_numpy
from spanwise import numpy_support

RADIUS = 6371.0  # km
SPEED = 3.6 * math.sqrt(9.81 * 3682.0)  # km/h
KM_A_DEGREE = RADIUS * math.pi / 180.0

# Longitudes and latitudes of where waves come from and of where they arrive.
PLACES = {
    "Valdivia": (-73.6, -39.9), "Crescent City": (-124.3, 41.7), "Hilo": (-155.0, 19.8), "Miyako": (142.1, 39.6),
    "Sydney": (151.4, -33.9), "Cape Town": (18.3, -33.9), "Lisbon": (-9.5, 38.6), "Mumbai": (72.7, 18.9),
    "New York": (-73.8, 40.5), "Tromso": (18.5, 70.3),
}

folder = sys.argv[1] if len(sys.argv) > 1 else "."
harbour = sys.argv[2] if len(sys.argv) > 2 else "Valdivia"
cell = float(sys.argv[3]) if len(sys.argv) > 3 else 1.0 / 16.0

coastlines = XMLPolyDataReader(FileName=[f"{folder}/coastlines.vtp"])

# The tensor of each cell, for a grid of intervals: xx, yy, xy. A script brings functions of numpy in the place of
# Python's own, such as max and abs.
TENSOR = f"""
import numpy
from spanwise import numpy_support
from vtkmodules.util.numpy_support import numpy_to_vtk
grid = inputs[0].VTKObject
output.VTKObject.ShallowCopy(grid)
arrays = numpy_support.to_arrays(grid)
latitudes = numpy.radians(arrays.origin[1] + (arrays.rows + 0.5) * arrays.spacing[1])
ofRows = numpy.stack([1.0 / numpy.cos(latitudes)**2, numpy.ones_like(latitudes), numpy.zeros_like(latitudes)], axis=1)
numbers = arrays.cell_offsets[arrays.row_offsets]
metric = numpy_to_vtk(({SPEED} / {KM_A_DEGREE})**2 * numpy.repeat(ofRows, numpy.diff(numbers), axis=0), deep=True)
metric.SetName("M")
output.VTKObject.GetCellData().AddArray(metric)
"""


class Ocean:
    """The ocean in cells of a size in degrees, and when the wave from a place arrives in them."""

    def __init__(self, size):
        lattice = {"Origin": [-180.0, -90.0, 0.0], "Spacing": [size] * 3}
        land = SpanwisePolygonsToIntervals(Input=coastlines, **lattice)
        globe = SpanwiseIntervalShape(Shape="Box", Dimension="2D", Corner=[-180, -90, 0], Lengths=[360, 180, 0],
                                      **lattice)
        water = SpanwiseSetAlgebra(Input=[globe, land], Operation="Difference")
        self.cells = SpanwiseComponents(Input=water, Keep="Largest", PeriodicX=1)
        self.cells.UpdatePipeline()
        arrays = numpy_support.to_arrays(servermanager.Fetch(self.cells))
        self.size = size
        self.centres = np.array(arrays.origin[:2]) + (arrays.cells() + 0.5) * size
        self.is_water = np.zeros((int(180 / size + 0.5), int(360 / size + 0.5)), bool)
        x, y = arrays.cells().T
        self.is_water[y, x] = True

    def at_sea(self, place):
        """The centre of the cell that is nearest to a place."""
        return self.centres[np.argmax(unit_vectors(self.centres) @ unit_vectors(place))]

    def wave_from(self, place):
        """Solves for the times of all cells."""
        metric = ProgrammableFilter(Input=self.cells, Script=TENSOR)
        self.source = self.at_sea(place)
        self.wave = SpanwiseEikonalArrivalTime(
            Input=metric, SourcePoints=[*self.source, 0.0], SpeedKind="Array", SpeedArray=["CELLS", "M"], PeriodicX=1,
            Order="Second", FactoringRadius=10.0, ResultArrayName="Hours")
        self.wave.UpdatePipeline()
        self.hours = vtk_to_numpy(servermanager.Fetch(self.wave).GetCellData().GetArray("Hours"))
        assert np.isfinite(self.hours).all(), "some of the ocean is not reached"

    def errors_in_open_water(self, number=4000):
        """Where the great circle from the source is clear of land: the times beside those of its length, as shares."""
        cells = np.arange(0, len(self.centres), 1 + len(self.centres) // number)
        far = distance(self.source, self.centres[cells])
        cells, far = cells[far > 20 * self.size * KM_A_DEGREE], far[far > 20 * self.size * KM_A_DEGREE]
        clear = np.array([self.is_clear(self.centres[c]) for c in cells])
        return self.hours[cells[clear]] * SPEED / far[clear] - 1.0, far[clear].max()

    def is_clear(self, place):
        """Whether the great circle from the source to a place stays in the water, looked at twice a cell."""
        one, two = unit_vectors(self.source), unit_vectors(place)
        angle = math.acos(np.clip(one @ two, -1.0, 1.0))
        along = np.linspace(0.0, angle, 2 + int(2 * math.degrees(angle) / self.size))[:, None]
        way = (np.sin(angle - along) * one + np.sin(along) * two) / math.sin(angle)
        longitude = np.degrees(np.arctan2(way[:, 1], way[:, 0]))
        latitude = np.degrees(np.arcsin(np.clip(way[:, 2], -1.0, 1.0)))
        rows, columns = self.is_water.shape
        y = np.minimum(((latitude + 90.0) / self.size).astype(int), rows - 1)
        x = ((longitude + 180.0) / self.size).astype(int) % columns
        return self.is_water[y, x].all()


def unit_vectors(places):
    """Of places [..., 2] in degrees."""
    longitude, latitude = np.moveaxis(np.radians(places), -1, 0)
    return np.stack([np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude), np.sin(latitude)], -1)


def distance(one, two):
    """Along great circles, in km, between places in degrees."""
    apart = np.linalg.norm(unit_vectors(one) - unit_vectors(two), axis=-1)
    return 2.0 * RADIUS * np.arcsin(np.minimum(apart / 2.0, 1.0))


ocean = Ocean(cell)
ocean.wave_from(PLACES[harbour])
shares, farthest = ocean.errors_in_open_water()
print(f"ocean: {len(ocean.hours)} cells of 1/{1 / cell:.0f} degree, waves at {SPEED:.1f} km/h from {harbour}; "
      f"the last place is reached after {ocean.hours.max():.2f} hours")
print(f"open water, {len(shares)} places up to {farthest:.0f} km away along great circles: times differ by "
      f"{100 * np.abs(shares).mean():.3f} % on average, from {100 * shares.min():.3f} to {100 * shares.max():.3f} %")
assert len(shares) > 100 and np.abs(shares).mean() < 0.001, "times in open water are not those of great circles"

# The ways to the other places.
names = [name for name in PLACES if name != harbour]
coasts = np.array([ocean.at_sea(PLACES[name]) for name in names])
ways = SpanwiseEikonalPaths(Input=ocean.wave,
                            SeedPoints=np.column_stack([coasts, np.zeros(len(coasts))]).ravel().tolist())
ways.UpdatePipeline()
lines = servermanager.Fetch(ways)
assert lines.GetNumberOfCells() == len(names), "some place has no way"
seeds = vtk_to_numpy(lines.GetCellData().GetArray("Seed"))
offsets = vtk_to_numpy(lines.GetLines().GetOffsetsArray())
corners = vtk_to_numpy(lines.GetPoints().GetData())[vtk_to_numpy(lines.GetLines().GetConnectivityArray()), :2]
for k, seed in enumerate(seeds):
    way = corners[offsets[k]:offsets[k + 1]]
    length = distance(way[:-1], way[1:]).sum()
    hours = ocean.hours[np.argmin(np.linalg.norm(ocean.centres - coasts[seed], axis=1))]
    print(f"  {names[seed]:14} {hours:5.2f} hours, {length:6.0f} km by sea, {length / hours / SPEED:.4f} of the speed; "
          f"great circle {distance(ocean.source, coasts[seed]):6.0f} km")
    assert np.abs(length / hours / SPEED - 1.0) < 0.02, "a way is longer or shorter than its time"

# Pictures. Isochrones come from larger cells, which are as many as a screen shows.
small = Ocean(np.maximum(cell, 0.25))
small.wave_from(PLACES[harbour])
last = math.ceil(ocean.hours.max())
isochrones = Contour(Input=CellDatatoPointData(Input=small.wave), ContourBy=["POINTS", "Hours"],
                     Isosurfaces=[float(hour) for hour in range(1, last)])
colours = GetColorTransferFunction("Hours")
colours.ApplyPreset("Viridis", True)
colours.RescaleTransferFunction(0.0, last)
LAND, DARK, WAY = [0.85, 0.82, 0.74], [0.05, 0.05, 0.1], [1.0, 0.35, 0.2]


def show(source, view, colour=None, **properties):
    shown = Show(source, view, Representation="Surface", DisableLighting=1, **properties)
    if colour is None:
        ColorBy(shown, ("CELLS", "Hours"))
    else:
        shown.ColorArrayName = ["POINTS", ""]
        shown.DiffuseColor = shown.AmbientColor = colour
    return shown


def make_view(size, **properties):
    return CreateRenderView(ViewSize=size, OrientationAxesVisibility=0, UseColorPaletteForBackground=0,
                            CameraParallelProjection=1, **properties)


flat = make_view([1600, 800], Background=LAND)
show(ocean.wave, flat).SetScalarBarVisibility(flat, True)
show(isochrones, flat, DARK, LineWidth=1.0, Translation=[0.0, 0.0, 0.1])
for turn in (-360.0, 0.0, 360.0):  # ways go on beyond the date line
    turned = Transform(Input=ways)
    turned.Transform.Translate = [turn, 0.0, 0.2]
    show(turned, flat, WAY, LineWidth=3.0)
bar = GetScalarBar(colours, flat)
bar.Orientation, bar.WindowLocation, bar.Position = "Horizontal", "Any Location", [0.36, 0.015]
bar.ScalarBarLength, bar.ScalarBarThickness, bar.AddRangeLabels = 0.3, 12, 0
bar.TitleColor = bar.LabelColor = DARK
flat.CameraPosition, flat.CameraFocalPoint, flat.CameraViewUp = [0, 0, 500], [0, 0, 0], [0, 1, 0]
flat.CameraParallelScale = 90
SaveScreenshot(f"{folder}/ocean_wave.png", flat)


def on_sphere(source, radius):
    """The same with its points on a sphere."""
    turn = math.pi / 180.0
    return Calculator(Input=source, AttributeType="Point Data", CoordinateResults=1, Function=(
        f"{radius} * (cos({turn} * coordsY) * cos({turn} * coordsX) * iHat"
        f" + cos({turn} * coordsY) * sin({turn} * coordsX) * jHat + sin({turn} * coordsY) * kHat)"))


round_view = make_view([800, 800], Background=[1.0, 1.0, 1.0])
show(Sphere(Radius=0.995, ThetaResolution=180, PhiResolution=180), round_view, LAND)
show(on_sphere(ExtractSurface(Input=small.wave), 1.0), round_view)
show(on_sphere(isochrones, 1.002), round_view, DARK, LineWidth=1.5)
show(on_sphere(ways, 1.004), round_view, WAY, LineWidth=4.0)
towards = unit_vectors((-130.0, 0.0))
round_view.CameraPosition, round_view.CameraFocalPoint = (5.0 * towards).tolist(), [0.0, 0.0, 0.0]
round_view.CameraViewUp, round_view.CameraParallelScale = [0, 0, 1], 1.05
SaveScreenshot(f"{folder}/ocean_wave_sphere.png", round_view)
