"""Writes grids of 100 million cells, most of them in a million intervals; and some of 10 million cells.

Those alone that are drawn in any case, unless SPANWISE_TEST_ALL is set.

usage: pvpython MakeLarge.py folder
"""

import os
import sys

import numpy
from spanwise import numpy_support
from spanwise.spanwiseReaders import vtkSpanwiseWriter


def write(path, rows, offsets, intervals, fields):
    writer = vtkSpanwiseWriter()
    writer.SetFileName(path)
    writer.SetInputDataObject(numpy_support.from_arrays(rows, offsets, intervals, fields=fields))
    assert writer.Write()


def write_rows(path, rows, with_array):
    """Rows of 100 intervals of 100 cells, with gaps of 20 that lie elsewhere in each row."""
    numbers = numpy.arange(len(rows))
    begins = 120 * numpy.arange(100) + 37 * numbers[:, None] % 120
    intervals = numpy.stack([begins, begins + 100], axis=2).reshape(-1, 2)
    fields = {}
    if with_array:
        places = numpy.arange(10000, dtype=numpy.float32)
        fields["wave"] = numpy.sin(0.001 * places[None, :] + 0.01 * numbers[:, None].astype(numpy.float32)).reshape(-1)
    write(path, rows, 100 * numpy.arange(len(rows) + 1), intervals, fields)


def write_ball(path, radius):
    axis = numpy.arange(-radius, radius)
    y, x = numpy.meshgrid(axis, axis, indexing="ij")
    distance = (x + 0.5) ** 2 + (y + 0.5) ** 2
    rows, counts, intervals, waves = [], [], [], []
    for z in axis:
        inside = distance < radius**2 - (z + 0.5) ** 2
        steps = numpy.diff(numpy.pad(inside, ((0, 0), (1, 1))).astype(numpy.int8), axis=1)
        row, begins = numpy.nonzero(steps == 1)
        _, ends = numpy.nonzero(steps == -1)
        used, count = numpy.unique(row, return_counts=True)
        rows.append(numpy.stack([axis[used], numpy.full(len(used), z)], axis=1))
        counts.append(count)
        intervals.append(numpy.stack([begins, ends], axis=1) - radius)
        waves.append((numpy.sin(0.1 * axis)[None, :] * numpy.cos(0.07 * axis + 0.05 * z)[:, None])[inside])
    offsets = numpy.concatenate([[0], numpy.cumsum(numpy.concatenate(counts))])
    write(path, numpy.concatenate(rows), offsets, numpy.concatenate(intervals),
          {"wave": numpy.concatenate(waves).astype(numpy.float32)})


folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
plane = numpy.arange(10000)
block = numpy.stack([plane % 100, plane // 100], axis=1)
makers = {
    "plane": lambda path: write_rows(path, plane, False),
    "block": lambda path: write_rows(path, block, False),
    "plane-wave": lambda path: write_rows(path, plane, True),
    "block-wave": lambda path: write_rows(path, block, True),
    "ball-wave": lambda path: write_ball(path, 288),
    "small-wave": lambda path: write_rows(path, plane[:1000], True),
    "small-block-wave": lambda path: write_rows(path, block[:1000], True),
    "small-ball-wave": lambda path: write_ball(path, 134),
}
for name, make in makers.items():
    if name in ("plane", "block-wave", "small-ball-wave") or "SPANWISE_TEST_ALL" in os.environ:
        make(os.path.join(folder, f"{name}.icsr"))
