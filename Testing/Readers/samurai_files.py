"""Files as samurai::dump writes them, with h5py (include/samurai/io/restart.hpp of samurai 0.33)."""

import h5py
import numpy

# struct Interval<int, long long>: start, end, step, a gap, index
INTERVAL = numpy.dtype({"names": ["start", "end", "step", "index"], "formats": ["<i4", "<i4", "<i4", "<i8"],
                        "offsets": [0, 4, 8, 16], "itemsize": 24})


def in_order(cells):
    """Cells in samurai's order, and Spanwise's: by z, then y, then x."""
    return cells[numpy.lexsort(cells.T)]


def level_arrays(cells):
    """The intervals and the offsets of each axis of a level of one process (LevelCellArray), of cells in order."""
    dimension = cells.shape[1]
    intervals = [[] for _ in range(dimension)]
    offsets = [[] for _ in range(dimension)]
    count = 0

    def add(part, axis):
        nonlocal count
        first = len(intervals[axis])
        for coordinate in numpy.unique(part[:, axis]):
            if axis == 0:
                number = count
                count += 1
            else:
                number = len(offsets[axis])
                offsets[axis].append(len(intervals[axis - 1]))
                add(part[part[:, axis] == coordinate], axis - 1)
            if len(intervals[axis]) > first and intervals[axis][-1][1] == coordinate:
                intervals[axis][-1][1] += 1
            else:
                intervals[axis].append([coordinate, coordinate + 1, 1, number - coordinate])

    if len(cells):
        add(cells, dimension - 1)
        for axis in range(1, dimension):
            offsets[axis].append(len(intervals[axis - 1]))
    return [[tuple(interval) for interval in axis] for axis in intervals], offsets


def dump_array(file, name, parts, kind):
    """An array of all processes; nothing where it is empty."""
    ends = numpy.cumsum([0] + [len(part) for part in parts])
    if ends[-1] > 0:
        file[f"{name}/partition"] = ends.astype("u8")
        file[f"{name}/data"] = numpy.concatenate([numpy.array(part, dtype=kind) for part in parts])


def dump(path, processes, fields=None, levels=None, origin=None, size=1.0, time=None, **options):
    """Writes what samurai::dump(path, mesh, fields...) would.

    processes: for each a dict from the level to its cells, an int array [cells, dimension].
    fields: from the name to a function of (level, cells) that gives values [cells] or [cells, components].
    levels: the least and the greatest level. Default: those of the cells.
    """
    all_levels = sorted({level for process in processes for level in process})
    dimension = next(cells.shape[1] for process in processes for cells in process.values())
    low, high = levels or (all_levels[0], all_levels[-1])
    processes = [{level: in_order(cells) for level, cells in sorted(process.items())} for process in processes]
    with h5py.File(path, "w", **options) as file:
        file["n_process"] = numpy.uint64(1) if len(processes) == 1 else numpy.int32(len(processes))
        file["mesh/dim"] = numpy.uint64(dimension)
        file["mesh/min_level"] = numpy.uint64(low)
        file["mesh/max_level"] = numpy.uint64(high)
        file["mesh/origin_point"] = numpy.zeros(dimension) if origin is None else numpy.array(origin, dtype=float)
        file["mesh/scaling_factor"] = float(size)
        none = numpy.zeros((0, dimension), int)
        for level in range(low, high + 1):
            arrays = [level_arrays(process.get(level, none)) for process in processes]
            for axis in range(dimension):
                name = f"mesh/level/{level}/dim/{axis}"
                dump_array(file, f"{name}/intervals", [intervals[axis] for intervals, _ in arrays], INTERVAL)
                if axis > 0:
                    dump_array(file, f"{name}/offsets", [offsets[axis] for _, offsets in arrays], "u8")
        for name, function in (fields or {}).items():
            parts = [numpy.concatenate([numpy.asarray(function(level, cells)) for level, cells in process.items()])
                     if process else numpy.zeros(0) for process in processes]
            values = next(part for part in parts if len(part))
            file[f"fields/{name}/n_comp"] = numpy.uint64(1 if values.ndim == 1 else values.shape[1])
            dump_array(file, f"fields/{name}/data", [part.ravel() for part in parts], values.dtype)
        if time is not None:
            file.attrs["time"] = float(time)
