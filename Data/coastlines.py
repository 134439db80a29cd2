#!/usr/bin/env python3
"""Coastlines of the world as closed polygons in a longitude/latitude rectangle.

    python3 coastlines.py OUT.vtp [--resolution i]

The source is GSHHG (Wessel and Smith, 1996, J. Geophys. Res. 101(B4), 8741-8743) as Debian's package gmt-gshhg-low
carries it: every coastline is broken into segments, one for each passage through a bin of a global grid. Here the
segments are stitched into rings again, every ring is checked for closure, and the rings are cut at the date line, so
that the even-odd rule over all polygons in [-180, 180] x [-90, 90] degrees gives the land.

A bin's points are 16-bit offsets from its south-west corner, in 1/65535 of the bin's size. So all bins together are one
integer lattice, on which two segments of a ring meet at exactly the same point: nothing here depends on a tolerance.

A segment's information word holds, from the lowest bit: exit side (3 bits), entry side (3), level (3), number of
points. Sides are 0 south, 1 east, 2 north, 3 west; 4 says that the whole ring lies inside the bin. Levels are 1 land,
2 lake, 3 island in a lake, 4 pond on such an island, 6 the grounding line of Antarctica.
"""
import argparse
import sys
from collections import defaultdict, namedtuple
from pathlib import Path

import numpy as np

PACKAGE = "gmt-gshhg-low"
FOLDER = Path("/usr/share/gmt-gshhg")

# The lattice's steps along the side of a bin.
BIN_STEPS = 65535
INSIDE_BIN = 4

# The file holds Antarctica twice. Its ice front, level 1, bounds the sea's surface; its grounding line, where the ice
# begins to float, and the islands that only the grounding line leaves free, have this level and are not read.
GROUNDING_LINE = 6

VARIABLES = (
    "Bin_size_in_minutes",
    "N_bins_in_360_longitude_range",
    "N_bins_in_180_degree_latitude_range",
    "N_segments_in_a_bin",
    "Embedded_npts_levels_exit_entry_for_a_segment",
    "Id_of_first_point_in_a_segment",
    "Id_of_GSHHS_ID",
    "Relative_longitude_from_SW_corner_of_bin",
    "Relative_latitude_from_SW_corner_of_bin",
)

# WGS 84: semi-major axis in km, and flattening.
SEMI_MAJOR_AXIS = 6378.137
FLATTENING = 1 / 298.257223563

# level 1..4; area in km^2; points [N, 2], longitude and latitude in degrees.
Ring = namedtuple("Ring", "level area points")

# polygon: the source's number of the ring; entry, exit: sides; points [N, 2]: integers on the lattice.
Segment = namedtuple("Segment", "polygon level entry exit points")


class CoastlineError(RuntimeError):
    """The coastlines cannot be read, or are not what they should be."""


def source_file(resolution="i"):
    """The installed file of a resolution: c (crude, 25 km), l (low, 5 km) or i (intermediate, 1 km)."""
    path = FOLDER / f"binned_GSHHS_{resolution}.nc"
    if not path.exists():
        raise CoastlineError(f"{path} is missing; please install the Debian package {PACKAGE}")
    return path


def read_variables(path):
    """Reads the variables of a binned GSHHG file (netCDF-4, that is HDF5) that describe bins, segments and points."""
    try:
        import h5py
    except ImportError:
        raise CoastlineError("reading coastlines needs h5py; please install the Debian package python3-h5py") from None
    try:
        with h5py.File(path, "r") as file:
            return {name: file[name][:] for name in VARIABLES}
    except (OSError, KeyError) as error:
        raise CoastlineError(f"{path} is not a binned GSHHG file: {error}") from None


def read_segments(path):
    """Reads every segment of a binned GSHHG file.

    Returns (list of Segment, lattice steps round the globe, size of a bin in degrees).
    """
    variables = read_variables(path)
    degrees = variables["Bin_size_in_minutes"][0] / 60
    columns = int(variables["N_bins_in_360_longitude_range"][0])
    rows = int(variables["N_bins_in_180_degree_latitude_range"][0])
    segments_in_bin = variables["N_segments_in_a_bin"]
    words = variables["Embedded_npts_levels_exit_entry_for_a_segment"]
    first_points = variables["Id_of_first_point_in_a_segment"]
    polygons = variables["Id_of_GSHHS_ID"]
    # Offsets are unsigned; the file declares them signed.
    x = variables["Relative_longitude_from_SW_corner_of_bin"].view(np.uint16)
    y = variables["Relative_latitude_from_SW_corner_of_bin"].view(np.uint16)

    counts = words >> 9
    if segments_in_bin.sum() != words.size or counts.sum() != x.size or x.size != y.size:
        raise CoastlineError(f"{path}: {words.size} segments and {x.size} points do not match the bins' counts "
                             f"({segments_in_bin.sum()}) and the segments' counts ({counts.sum()})")

    # Bins run eastwards from longitude 0, row by row southwards from the north pole; the lattice's y counts from the
    # south pole.
    bins = np.repeat(np.arange(segments_in_bin.size), segments_in_bin)
    west = bins % columns * BIN_STEPS
    south = (rows - 1 - bins // columns) * BIN_STEPS
    segments = []
    for s, (word, first, count) in enumerate(zip(words.tolist(), first_points.tolist(), counts.tolist())):
        here = slice(first, first + count)
        points = np.stack([x[here] + west[s], y[here] + south[s]], axis=1)
        segments.append(Segment(int(polygons[s]), word >> 6 & 7, word >> 3 & 7, word & 7, points))
    return segments, columns * BIN_STEPS, degrees


def successors(segments, around):
    """The segment that continues each segment, by number; -1 where there is none.

    What leaves a bin by one side enters its neighbour by the opposite one, at the same lattice point.
    """
    waiting = defaultdict(list)
    for s, segment in enumerate(segments):
        if segment.entry != INSIDE_BIN:
            x, y = segment.points[0]
            waiting[segment.polygon, x % around, y, segment.entry].append(s)
    follows = []
    for segment in segments:
        x, y = segment.points[-1]
        # Where a ring passes a point twice (a strait narrower than a lattice step) either continuation is right: the
        # edges are the same, and so is the even-odd result.
        found = waiting.get((segment.polygon, x % around, y, (segment.exit + 2) % 4))
        follows.append(found.pop() if found else -1)
    return follows


def stitch(segments, around):
    """Chains segments end to end until nothing follows, or the chain's first segment does.

    around: lattice steps round the globe, so that x and x + around are one meridian.
    Returns a list of (polygon, level, points [N, 2] in lattice steps with continuous x). A chain that is a ring ends
    where it began, or `around` steps east or west of it where it runs round a pole.
    """
    follows = successors(segments, around)
    # A chain that is open is walked from its beginning, so that its gap is the one in the data.
    followed = set(follows)
    order = sorted(range(len(segments)), key=lambda s: s in followed)
    used = np.zeros(len(segments), bool)
    chains = []
    for first in order:
        if used[first]:
            continue
        used[first] = True
        pieces, shift, last, s = [segments[first].points], 0, first, follows[first]
        while s not in (first, -1):
            used[s] = True
            # Where a bin ends at the meridian 0, x goes on from there instead of starting again.
            shift += segments[last].points[-1, 0] - segments[s].points[0, 0]
            pieces.append(segments[s].points[1:] + [shift, 0])
            last, s = s, follows[s]
        chains.append((segments[first].polygon, segments[first].level, np.concatenate(pieces)))
    return chains


def closing_gap(points, turn=360):
    """How far a ring's last point lies from its first, in the points' unit; whole turns do not count."""
    dx, dy = points[-1] - points[0]
    return float(np.hypot(dx - turn * np.round(dx / turn), dy))


def check_closed(chains, around, degrees):
    """Raises CoastlineError, which names the first open chain and its gap, unless every chain closes exactly.

    chains: as stitch() returns them; around: lattice steps round the globe; degrees: the size of a bin.
    """
    gaps = [(closing_gap(lattice, around), polygon, level, lattice[0]) for polygon, level, lattice in chains]
    open_chains = [chain for chain in gaps if chain[0] != 0]
    if open_chains:
        gap, polygon, level, first = open_chains[0]
        longitude, latitude = degrees_of(first, degrees)
        raise CoastlineError(
            f"{len(open_chains)} of {len(chains)} rings do not close; the ring of polygon {polygon} (level {level}), "
            f"which begins at longitude {longitude:.5f}, latitude {latitude:.5f}, "
            f"ends {gap * degrees / BIN_STEPS:.3g} degrees from its beginning")


def degrees_of(lattice, degrees):
    """Longitudes and latitudes in degrees [N, 2] of lattice points [N, 2], for bins of a size in degrees.

    The product is a whole number, so borders of bins come out exactly.
    """
    return lattice * degrees / BIN_STEPS - [0, 90]


def zone(latitude):
    """Area between the equator and a latitude in degrees, in km^2 per radian of longitude, on the WGS 84 ellipsoid.

    Snyder (1987), Map Projections: A Working Manual, USGS Professional Paper 1395, equation 3-12.
    """
    squared = FLATTENING * (2 - FLATTENING)
    e = np.sqrt(squared)
    sine = np.sin(np.radians(latitude))
    q = (1 - squared) * (sine / (1 - squared * sine**2) + np.arctanh(e * sine) / e)
    return SEMI_MAJOR_AXIS**2 * q / 2


def enclosed_area(points):
    """Area in km^2 inside a ring [N, 2] in degrees whose edges are straight in longitude and latitude.

    A ring that runs round a pole encloses that pole.
    """
    longitude, latitude = points.T
    middle = (latitude[1:] + latitude[:-1]) / 2
    heights = zone(latitude)
    # Simpson's rule on each edge.
    mean = (heights[:-1] + 4 * zone(middle) + heights[1:]) / 6
    area = abs(np.sum(np.radians(np.diff(longitude)) * mean))
    return float(2 * np.pi * zone(90) - area if winding(points) else area)


def winding(points):
    """How often a ring in degrees runs round the globe: 0, or 1 eastwards or -1 westwards round a pole."""
    return round((points[-1, 0] - points[0, 0]) / 360)


def read_rings(path):
    """Reads the coastlines of a binned GSHHG file as closed rings.

    Returns a list of Ring (level, area in km^2, points [N, 2] in degrees), ordered as the source orders its polygons. A
    ring's first point is repeated at its end. Longitudes run continuously, so they may leave [-180, 180] degrees, and
    Antarctica's last point lies 360 degrees from its first. Rings of fewer than three different points are left out.
    Raises CoastlineError where a ring is open.
    """
    segments, around, degrees = read_segments(path)
    segments = [segment for segment in segments if segment.level != GROUNDING_LINE]
    chains = sorted(stitch(segments, around), key=lambda chain: chain[0])
    check_closed(chains, around, degrees)
    rings = []
    for _, level, lattice in chains:
        moved = np.any(np.diff(lattice, axis=0), axis=1)
        points = degrees_of(lattice[np.append(True, moved)], degrees)
        if len(points) > 3:  # else a skerry that the lattice has flattened to a line: it encloses nothing
            rings.append(Ring(level, enclosed_area(points), points))
    return rings


def cut_at_date_line(points):
    """Brings a closed ring in degrees into [-180, 180] x [-90, 90].

    Returns a list of closed rings [N, 2] with the first point repeated at the end: one where the ring does not pass the
    date line, its parts otherwise. A ring round a pole is closed along the rectangle's edge at that pole.
    """
    points = shift_into_rectangle(points, points[:, 0].min())
    round_pole = winding(points)
    if not round_pole and points[:, 0].max() <= 180:
        return [points]
    chains = chains_between_date_lines(points)
    if round_pole:
        pole = np.copysign(90, points[:, 1].mean())
        chains.append(np.array([[180, pole], [-180, pole]]))
    return join_along_date_line(chains)


def shift_into_rectangle(points, longitude):
    """Turns points [N, 2] in degrees round the globe by the whole turns that bring a longitude into [-180, 180)."""
    return points - [360 * np.floor((longitude + 180) / 360), 0]


def chains_between_date_lines(points):
    """Breaks a ring at the meridians 180 + 360 k and shifts its chains into [-180, 180]; they begin and end at +-180.

    Bins end at the date line, so a ring has a vertex wherever it passes it, and no edge needs cutting.
    """
    on_line = np.flatnonzero((points[:, 0] - 180) % 360 == 0)
    if on_line.size == 0:
        raise CoastlineError(f"the ring at latitude {points[0, 1]:.5f} passes the date line without a vertex on it")
    # The same ring, begun at the date line.
    turn = points[-1] - points[0]
    points = np.concatenate([points[on_line[0]:], points[1:on_line[0] + 1] + turn])
    on_line = np.flatnonzero((points[:, 0] - 180) % 360 == 0)
    chains = []
    for begin, end in zip(on_line[:-1], on_line[1:]):
        chain = points[begin:end + 1]
        chain = shift_into_rectangle(chain, chain[:, 0].mean())
        if np.abs(chain[:, 0]).max() > 180:
            raise CoastlineError(f"an edge near latitude {chain[0, 1]:.5f} passes the date line without a vertex on it")
        # A chain along the date line bounds nothing in the rectangle.
        if np.any(np.abs(chain[:, 0]) < 180):
            chains.append(chain)
    return chains


def join_along_date_line(chains):
    """Joins chains that begin and end at longitude +-180 into closed rings.

    Along each of the two meridians the ring's inside begins at every second end of a chain, counted from a pole; these
    ends are joined in pairs.
    """
    ends = [(chain[at, 0], chain[at, 1], c, at) for c, chain in enumerate(chains) for at in (0, -1)]
    partner = {}
    for side in (-180, 180):
        along = sorted((end for end in ends if end[0] == side), key=lambda end: end[1])
        for one, other in zip(along[::2], along[1::2]):
            partner[one[2:]], partner[other[2:]] = other[2:], one[2:]

    rings = []
    left = set(range(len(chains)))
    while left:
        first = (min(left), 0)
        at, pieces = first, []
        while True:
            c, begin = at
            left.discard(c)
            pieces.append(chains[c] if begin == 0 else chains[c][::-1])
            at = partner[c, -1 if begin == 0 else 0]
            if at == first:
                break
        pieces.append(pieces[0][:1])
        rings.append(np.concatenate(pieces))
    return rings


def polygons_of(rings):
    """Cuts rings at the date line.

    Returns a list of (number of the ring, Ring whose area is that of the part). Longitudes lie in [-180, 180] degrees.
    """
    polygons = []
    for number, ring in enumerate(rings):
        for part in cut_at_date_line(ring.points):
            polygons.append((number, Ring(ring.level, enclosed_area(part), part)))
    return polygons


def write_polygons(rings, path):
    """Writes rings as a VTK polydata file (.vtp): one polygon for each ring, more where the date line cuts a ring.

    Points are (longitude, latitude, 0) in degrees within [-180, 180] x [-90, 90]. Cell arrays: level (1 land, 2 lake,
    3 island in a lake, 4 pond on such an island), area (of the polygon, in km^2), ring (number of the ring; the parts
    of a ring that was cut share it). Land is where an odd number of polygons covers a point.
    """
    from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
    from vtkmodules.vtkCommonCore import vtkPoints
    from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
    from vtkmodules.vtkIOXML import vtkXMLPolyDataWriter

    numbered = polygons_of(rings)
    # A VTK polygon closes itself, so the repeated point goes.
    outlines = [polygon.points[:-1] for _, polygon in numbered]
    offsets = np.cumsum([0] + [len(outline) for outline in outlines])
    coordinates = np.zeros((offsets[-1], 3))
    coordinates[:, :2] = np.concatenate(outlines)

    points = vtkPoints()
    points.SetData(numpy_to_vtk(coordinates, deep=True))
    cells = vtkCellArray()
    corners = np.arange(offsets[-1])
    cells.SetData(numpy_to_vtkIdTypeArray(offsets, deep=True), numpy_to_vtkIdTypeArray(corners, deep=True))
    data = vtkPolyData()
    data.SetPoints(points)
    data.SetPolys(cells)
    columns = {
        "level": np.array([polygon.level for _, polygon in numbered], np.uint8),
        "area": np.array([polygon.area for _, polygon in numbered]),
        "ring": np.array([number for number, _ in numbered], np.int32),
    }
    for name, values in columns.items():
        array = numpy_to_vtk(values, deep=True)
        array.SetName(name)
        data.GetCellData().AddArray(array)

    writer = vtkXMLPolyDataWriter()
    writer.SetFileName(str(path))
    writer.SetInputData(data)
    # Write() reports success on a path that cannot be opened.
    if not writer.Write() or writer.GetErrorCode():
        raise CoastlineError(f"{path} could not be written")


def land_area(rings):
    """Area of all land in km^2: what rings of odd level enclose, less what rings of even level take out of it."""
    return sum(ring.area if ring.level % 2 else -ring.area for ring in rings)


def main():
    parser = argparse.ArgumentParser(description="Writes the coastlines of the world as closed polygons.")
    parser.add_argument("output", help="the polydata file to write, .vtp")
    parser.add_argument("--resolution", choices="cli", default="i", help="crude, low or intermediate (default: i)")
    parser.add_argument("--levels", type=int, choices=(1, 2, 3, 4), default=4, metavar="N",
                        help="rings of levels 1 to N only; 1 parts land from ocean and leaves lakes out (default: 4)")
    arguments = parser.parse_args()
    try:
        rings = [ring for ring in read_rings(source_file(arguments.resolution)) if ring.level <= arguments.levels]
        write_polygons(rings, arguments.output)
    except CoastlineError as error:
        sys.exit(f"coastlines: {error}")
    counts = ", ".join(f"{sum(ring.level == level for ring in rings)} of level {level}" for level in (1, 2, 3, 4))
    print(f"{arguments.output}: {len(rings)} closed rings ({counts}), land {land_area(rings):.4g} km^2")


if __name__ == "__main__":
    main()
