"""What Spanwise saves beside what people use otherwise: time, memory and errors of three of the use cases.

    python3 use_cases.py [IMAGE.nii.gz]    with Spanwise, numpy and scipy; an MRI scan of a head

Times are processor time, of all threads together, so that other programs on the machine count little; the least of
some repetitions. Results are checked: against scipy, a closed form, and numpy.
"""

import sys
import time

import numpy as np
import spanwise
from scipy import ndimage, sparse
from scipy.sparse.csgraph import dijkstra
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkPolyData
from vtkmodules.vtkIOImage import vtkNIFTIImageReader

REPETITIONS = 3


def least(work, repetitions=REPETITIONS):
    """The least processor time of some calls in seconds, and what the last one gave."""
    times = []
    for _ in range(repetitions):
        begin = time.process_time()
        result = work()
        times.append(time.process_time() - begin)
    return min(times), result


def clean_a_segmentation(path):
    """An opening by a ball of four voxels, of the tissue in a scan: scipy.ndimage does it on the whole image."""
    reader = vtkNIFTIImageReader(file_name=path)
    reader.Update()
    image = reader.GetOutput()
    scan = vtk_to_numpy(image.GetPointData().GetScalars()).reshape(image.GetDimensions()[::-1])
    mask = (scan >= 60) & (scan <= 125)
    grid = spanwise.from_mask(mask)

    seconds, opened = least(lambda: grid.opening(4, "ball"))
    z, y, x = np.ogrid[-4:5, -4:5, -4:5]
    theirs, expected = least(lambda: ndimage.binary_opening(mask, x * x + y * y + z * z <= 16), 1)

    assert (spanwise.to_mask(opened, shape=mask.shape) == expected).all(), "scipy opens to other voxels"
    print(f"segmentation: {len(grid):,} of {mask.size:,} voxels opened in {seconds:.2f} s, by scipy.ndimage in "
          f"{theirs:.1f} s: {theirs / seconds:.0f} times; the same voxels")


def around_a_disk(x, y, source, radius):
    """The length of the shortest way from a source to places outside a disk around 0: two tangents and an arc."""
    far, near = np.maximum(np.hypot(x, y), radius), np.hypot(*source)
    angle = np.abs(np.angle(np.exp(1j * (np.arctan2(y, x) - np.arctan2(source[1], source[0])))))
    arc = angle - np.arccos(radius / far) - np.arccos(radius / near)
    bent = np.sqrt(far**2 - radius**2) + np.sqrt(near**2 - radius**2) + radius * arc
    return np.where(arc > 0, bent, np.hypot(x - source[0], y - source[1]))


def dijkstra_of(mask, source):
    """Shortest ways over the edges between cells and their eight neighbours, as cost distance in a GIS."""
    number = np.full(mask.shape, -1)
    number[mask] = np.arange(mask.sum())
    edges = []
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        here = number[: mask.shape[0] - dy, max(0, -dx) : mask.shape[1] - max(0, dx)]
        there = number[dy:, max(0, dx) : mask.shape[1] + min(0, dx)]
        both = (here >= 0) & (there >= 0)
        edges.append((here[both], there[both], np.full(both.sum(), np.hypot(dx, dy))))
    begin, end, length = (np.concatenate(parts) for parts in zip(*edges))
    graph = sparse.coo_array((length, (begin, end)), shape=(mask.sum(), mask.sum())).tocsr()
    return dijkstra(graph, directed=False, indices=number[source])


def find_arrival_times(size):
    """Arrival times around a round obstacle: ways over the graph of cells are too long in most directions."""
    y, x = np.mgrid[:size, : 3 * size // 2] + 0.5 - np.array([size / 2, 3 * size / 4])[:, None, None]
    radius = size / 5
    mask = np.hypot(x, y) > radius
    row, column = size // 2, size // 10
    source = (x[row, column], y[row, column])
    grid = spanwise.from_mask(mask)
    place = [(column + 0.5, row + 0.5)]

    seconds, times = least(lambda: grid.arrival_times(place))
    theirs, lengths = least(lambda: dijkstra_of(mask, (row, column)), 1)
    exact = around_a_disk(x[mask], y[mask], source, radius)
    is_far = exact > size / 10
    ours = np.abs(times["Arrival Time"] - exact)[is_far] / exact[is_far]
    graph = np.abs(lengths - exact)[is_far] / exact[is_far]

    assert ours.mean() < 0.2 * graph.mean(), "arrival times are not better than lengths on the graph"
    print(f"arrival times: {len(grid):,} cells in {seconds:.2f} s, mean error {100 * ours.mean():.2f} %; Dijkstra's "
          f"algorithm of scipy on the graph of cells: {theirs:.1f} s, mean error {100 * graph.mean():.1f} %")


def sum_potentials(count):
    """The potential of charges at each other: numpy forms all pairs."""
    random = np.random.default_rng(1)
    places, charges = random.random((count, 3)), random.random(count)
    points = vtkPoints()
    points.SetData(numpy_to_vtk(places))
    particles = vtkPolyData(points=points)
    array = numpy_to_vtk(charges)
    array.SetName("charge")
    particles.GetPointData().AddArray(array)

    def sums():
        potential = spanwise.vtkSpanwiseNBodyPotential()
        potential.SetInputData(particles)
        potential.SetCharges(potential.ARRAY)
        potential.SetInputArrayToProcess(0, 0, 0, 0, "charge")
        potential.SetComputeField(False)
        potential.Update()
        return vtk_to_numpy(potential.GetOutput().GetPointData().GetArray("Potential"))

    def pairs():
        sums_of = np.empty(count)
        for k in range(0, count, 20):
            squares = sum((places[k : k + 20, None, d] - places[None, :, d]) ** 2 for d in range(3))
            np.putmask(squares, squares == 0, np.inf)
            sums_of[k : k + 20] = (charges / np.sqrt(squares)).sum(axis=1)
        return sums_of

    seconds, ours = least(sums)
    theirs, expected = least(pairs, 1)
    error = np.linalg.norm(ours / ours.mean() - expected / expected.mean()) / np.linalg.norm(expected / expected.mean())
    assert error < 1e-5, f"the relative error is {error}"
    print(f"potentials: {count:,} charges in {seconds:.2f} s, by numpy in {theirs:.1f} s: "
          f"{theirs / seconds:.0f} times; they differ by {error:.0e}")


scan = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/mricron/templates/ch2.nii.gz"
clean_a_segmentation(scan)
find_arrival_times(600)
sum_potentials(20000)
