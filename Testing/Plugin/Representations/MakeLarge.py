"""Writes grids of 100 million cells in a million intervals; and one of 10 million cells.

usage: pvpython MakeLarge.py folder
"""

import os
import sys

import numpy
from spanwise import numpy_support
from spanwise.spanwiseReaders import vtkSpanwiseWriter


def write(path, rows, with_array):
    """Rows of 100 intervals of 100 cells, with gaps of 20 that lie elsewhere in each row."""
    numbers = numpy.arange(len(rows))
    begins = 120 * numpy.arange(100) + 37 * numbers[:, None] % 120
    intervals = numpy.stack([begins, begins + 100], axis=2).reshape(-1, 2)
    fields = {}
    if with_array:
        places = numpy.arange(10000, dtype=numpy.float32)
        fields["wave"] = numpy.sin(0.001 * places[None, :] + 0.01 * numbers[:, None].astype(numpy.float32)).reshape(-1)
    writer = vtkSpanwiseWriter()
    writer.SetFileName(path)
    writer.SetInputDataObject(numpy_support.from_arrays(rows, 100 * numpy.arange(len(rows) + 1), intervals, fields=fields))
    assert writer.Write()


folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
plane = numpy.arange(10000)
block = numpy.stack([plane % 100, plane // 100], axis=1)
write(os.path.join(folder, "plane.icsr"), plane, False)
write(os.path.join(folder, "block.icsr"), block, False)
write(os.path.join(folder, "plane-wave.icsr"), plane, True)
write(os.path.join(folder, "block-wave.icsr"), block, True)
write(os.path.join(folder, "small-wave.icsr"), plane[:1000], True)
