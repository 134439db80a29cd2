"""Filters with solvers, at sizes of everyday work; `size` multiplies their cells, points and particles."""

import numpy as np
import spanwise
from scene import add_array, make, producer, with_cell_array
from sets import ball, radius_of, works
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import VTK_TETRA, vtkCellArray, vtkDataObject, vtkPolyData, vtkUnstructuredGrid

Potential, Motion = spanwise.vtkSpanwiseNBodyPotential, spanwise.vtkSpanwiseNBodyMotion
Distance, Adapt = spanwise.vtkSpanwiseSignedDistanceToSet, spanwise.vtkSpanwiseAdaptiveRefinement
Lattice = spanwise.vtkSpanwiseLatticeFlow


def along(cells, dimension=3):
    """Cells of an axis of a box of so many."""
    return max(6, round(cells ** (1 / dimension)))


def box(cells):
    """The unit cube of about so many cells."""
    h = 1.0 / along(cells)
    return make("IntervalShape", Shape=spanwise.vtkSpanwiseIntervalShape.BOX, Spacing=(h, h, h),
                Origin=(0.0, 0.0, 0.0), Corner=(0.0, 0.0, 0.0), Lengths=(1.0, 1.0, 1.0))


def levels(cells):
    """A unit cube that is refined twice around a sphere: five times as many leaves as the box of `cells` has cells."""
    n = along(cells)
    z, y, x = np.meshgrid(*[(np.arange(n) + 0.5) / n - 0.5] * 3, indexing="ij")
    shell = np.exp(-(((np.sqrt(x * x + y * y + z * z) - 0.3) / 0.06) ** 2)).ravel()
    source = with_cell_array(box(cells), "v", lambda number: shell)
    return make("AdaptiveRefinement", source, cells="v", Direction=Adapt.REFINE, Sensor=Adapt.THRESHOLD,
                LowerThreshold=0.5, UpperThreshold=2.0, NumberOfLevels=3, BufferCells=1)


def tetrahedra(count):
    """The unit cube cut into cubes and these into six tetrahedra along their diagonal; inner points are moved."""
    n = max(2, round((count / 6) ** (1 / 3)))
    line = np.arange(n + 1) / n
    z, y, x = np.meshgrid(line, line, line, indexing="ij")
    places = np.stack([x.ravel(), y.ravel(), z.ravel()], axis=1)
    inner = ((places > 0) & (places < 1)).all(axis=1)
    places[inner] += np.random.default_rng(3).uniform(-0.2 / n, 0.2 / n, (int(inner.sum()), 3))
    k, j, i = (axis.ravel() for axis in np.meshgrid(*[np.arange(n)] * 3, indexing="ij"))

    def corner(c):
        return ((k + (c >> 2)) * (n + 1) + j + (c >> 1 & 1)) * (n + 1) + i + (c & 1)

    paths = [(0, 1, 3, 7), (0, 5, 1, 7), (0, 3, 2, 7), (0, 2, 6, 7), (0, 4, 5, 7), (0, 6, 4, 7)]
    corners = np.stack([np.stack([corner(c) for c in path], axis=1) for path in paths], axis=1).ravel()
    mesh, points, cells = vtkUnstructuredGrid(), vtkPoints(), vtkCellArray()
    points.SetData(numpy_to_vtk(places, deep=1))
    offsets = np.arange(0, len(corners) + 1, 4, dtype=np.int64)
    cells.SetData(numpy_to_vtkIdTypeArray(offsets, deep=1), numpy_to_vtkIdTypeArray(corners.astype(np.int64), deep=1))
    mesh.SetPoints(points)
    mesh.SetCells(VTK_TETRA, cells)
    return producer(mesh)


def particles(count):
    """Random points in the unit cube with charges of both signs, masses and velocities."""
    random = np.random.default_rng(11)
    points, data = vtkPoints(), vtkPolyData()
    points.SetData(numpy_to_vtk(random.random((count, 3)), deep=1))
    data.SetPoints(points)
    charges = random.uniform(-1.0, 1.0, count)
    add_array(data.GetPointData(), "q", charges - charges.mean())
    add_array(data.GetPointData(), "mass", random.uniform(0.5, 1.5, count) / count)
    add_array(data.GetPointData(), "velocity", random.normal(0.0, 0.3, (count, 3)))
    return producer(data)


def arrival(source, **properties):
    algorithm = make("EikonalArrivalTime", source, **properties)
    algorithm.SetNumberOfSourcePoints(1)
    algorithm.SetSourcePoint(0, 0.31, 0.43, 0.52)
    return algorithm


def sums(source, **properties):
    return make("NBodyPotential", source, points="q", Charges=Potential.ARRAY, **properties)


def rows_that_update(size):
    """(name, filter) of each row whose work is an update."""
    grid = with_cell_array(box(1e7 * size), "c", lambda number: 1.5 + 0.4 * np.sin(4e-6 / size * number))
    yield "arrival times on a grid, 10^7 cells", arrival(grid)
    with_speeds = arrival(grid, SpeedKind=spanwise.vtkSpanwiseEikonalArrivalTime.SPEED_ARRAY)
    with_speeds.SetInputArrayToProcess(1, 0, 0, vtkDataObject.FIELD_ASSOCIATION_CELLS, "c")
    yield "arrival times on a grid with speeds, 10^7 cells", with_speeds
    yield "arrival times on three levels, 1.2 * 10^6 leaves", arrival(levels(1.1e5 * size))
    mesh = tetrahedra(1e6 * size)
    yield "arrival times on a mesh, 10^6 tetrahedra", arrival(mesh)
    radius = radius_of(1e7 * size)
    yield "distances in a box around a ball, 10^7 cells", make("SignedDistanceToSet", ball(radius),
                                                             Where=Distance.BOX, Margin=0.2 * radius)
    yield "quality of 10^6 tetrahedra", make("ElementQuality", mesh)
    yield "10 smoothing steps, 10^6 tetrahedra", make("SmoothMesh", mesh, Iterations=10)
    some, many = particles(round(1e5 * size)), particles(round(1e6 * size))
    multipoles = {"Method": Potential.FAST_MULTIPOLE, "Accuracy": 1e-6}
    yield "direct sums, 10^5 particles", sums(some, Method=Potential.DIRECT)
    yield "multipoles to 10^-6, 10^6 particles", sums(many, **multipoles)
    yield "multipoles in single precision to 10^-5, 10^6 particles", sums(
        many, Method=Potential.FAST_MULTIPOLE, Accuracy=1e-5, SinglePrecision=True)
    yield "multipoles in a periodic box, 10^6 particles", sums(
        many, PeriodicBox=True, PeriodBounds=(0.0, 1.0, 0.0, 1.0, 0.0, 1.0), **multipoles)


def motion(size):
    algorithm = make("NBodyMotion", particles(round(1e5 * size)), points="mass", Masses=Motion.MASS_ARRAY,
                     Velocities=Motion.VELOCITY_ARRAY, TimeStep=0.001, StepsPerFrame=5, NumberOfFrames=50,
                     Method=Motion.FAST_MULTIPOLE, Accuracy=1e-6, TimeLimit=0.0, MemoryLimit=20000)
    algorithm.SetInputArrayToProcess(1, 0, 0, vtkDataObject.FIELD_ASSOCIATION_POINTS, "velocity")
    return algorithm, 0.005


def gas(dimension, cells, number_of_levels=1):
    """The default scene, a shock that meets a disc or ball; 30 to 40 steps of the finest level a frame."""
    n = along(cells, dimension)
    per_frame = 20 * 0.4 * 7.0 / n / 2 ** (number_of_levels - 1) / 3.2
    return make("CompressibleFlow", Dimension=dimension, CellsAlongX=n, NumberOfLevels=number_of_levels,
                TimePerFrame=per_frame, NumberOfFrames=50, TimeLimit=0.0, MemoryLimit=60000), per_frame


def liquid(dimension, n, steps, length, **properties):
    """A flow of speed 1, a tenth of a cell a step. The viscosity is stable at any size."""
    per_frame = steps * 0.1 * length / n
    return make("LatticeFlow", Dimension=dimension, CellsAlongX=n, TimePerFrame=per_frame, NumberOfFrames=50,
                TimeLimit=0.0, MemoryLimit=60000, Viscosity=max(0.001, length / n / 15), **properties), per_frame


def cavity(size):
    walls = {f"{end}{axis}": Lattice.WALL for end in ("Lower", "Upper") for axis in "XYZ"}
    return liquid(3, along(256**3 * size), 40, 1.0, Obstacle=Lattice.NONE, Domain=Lattice.GIVEN_BOX,
                  Corner=(0.0, 0.0, 0.0), Lengths=(1.0, 1.0, 1.0), LidVelocity=(1.0, 0.0, 0.0), **walls)


def rows_of_frames(size):
    """(name, (filter, time of a frame)) of each row whose work is a frame."""
    yield "motion by multipoles, 10^5 particles, 5 steps", motion(size)
    yield "gas in 2D, 3.9 * 10^6 cells, 30 steps", gas(2, 4e6 * size)
    yield "gas in 3D, 1.05 * 10^7 cells, 36 steps", gas(3, 1.06e7 * size)
    yield "gas in 3D on three levels, 40 steps", gas(3, 1e6 * size, 3)
    yield "liquid around a disc, 2.6 * 10^6 cells, 100 steps", liquid(2, along(6.8e6 * size, 2), 100, 13.0)
    yield "liquid in a cavity of 256^3 cells, 40 steps", cavity(size)


def next_frame(algorithm, time_of_frame):
    """A call that goes on by a frame; the first is that at the beginning."""
    frame = -1

    def work():
        nonlocal frame
        frame += 1
        algorithm.UpdateTimeStep(frame * time_of_frame)

    return work


def rows_of_solvers(size):
    """(name, call) of each row."""
    yield from works(rows_that_update(size))
    for name, flow in rows_of_frames(size):
        yield name, next_frame(*flow)
