"""What the dock shows of an output: counts, bytes and rows, of the data as it is now, on every rank."""

import sys

from paraview import simple
from spanwise.spanwiseServer import vtkSpanwiseGridInformation

import spanwise_testing as testing

testing.connect()
testing.check_loaded(int(sys.argv[1]))


def gather(source, rows=100, cells=()):
    information = vtkSpanwiseGridInformation()
    information.SetMaximumNumberOfRows(rows)
    for rank, cell in cells:
        information.AddCell(rank, cell)
    source.SMProxy.GatherInformation(information)
    return information


shape = simple.SpanwiseIntervalShape()
information = gather(shape)
assert (information.GetNumberOfCells(), information.GetNumberOfOthers()) == (0, 0)  # nothing was executed

shape.UpdatePipeline()
information = gather(shape)
cells = shape.GetDataInformation().GetNumberOfCells()
rows = information.GetNumberOfRows()
assert information.GetDimension() in (2, 3)
assert information.GetNumberOfCells() == cells > 0
assert 0 < rows <= information.GetNumberOfIntervals() <= cells
# at least the set itself: 16 bytes an interval
assert information.GetGeometryBytes() >= 16 * information.GetNumberOfIntervals()

# The sample: as many rows as asked for, in the order of y (2D) or z and y (3D), whatever rank holds them.
lines = gather(shape, 7).GetRowsAsText().splitlines()
assert len(lines) == min(7, rows), lines


def key(line):
    words = line.split(":")[0].split()
    return tuple(int(word) for word in words if word not in ("y", "z"))


keys = [key(line) for line in gather(shape, 1000).GetRowsAsText().splitlines()]
assert keys == sorted(keys), keys

# The intervals of a cell: of the first one on every rank.
lines = gather(shape, 100, [(-1, 0)]).GetRowsAsText().splitlines()
assert 1 <= len(lines) <= int(sys.argv[1]), lines

# An output that is out of date is told as it is, and is not executed.
shape.Radius = 2 * shape.Radius
assert gather(shape).GetNumberOfCells() == cells

# Levels: each has its line, the lines add up, and each has its share of the rows that are shown.
coarse = simple.SpanwiseIntervalShape(Shape="Box", Corner=[0, 0, 0], Lengths=[8, 16, 16], Spacing=[1, 1, 1], Level=0)
fine = simple.SpanwiseIntervalShape(Shape="Box", Corner=[8, 0, 0], Lengths=[8, 16, 16], Spacing=[1, 1, 1], Level=2)
levels = simple.SpanwiseGridToLevels(Input=simple.GroupDatasets(Input=[coarse, fine]))
levels.UpdatePipeline()
information = gather(levels, 40)
assert information.GetNumberOfLevels() == 3, information.GetLevelsAsText()  # the one between has no cells
numbers = [tuple(int(word) for word in line.replace(":", "").split() if word.isdigit())
           for line in information.GetLevelsAsText().splitlines()]
assert [line[:4] for line in numbers] == [(0, 256, 256, 8 * 256), (1, 0, 0, 0), (2, 4096, 4096, 32 * 64**2)], numbers
assert sum(line[3] for line in numbers) == information.GetNumberOfCells()
assert sum(line[4] for line in numbers) == information.GetGeometryBytes() > 0
lines = information.GetRowsAsText().splitlines()
assert [line.split()[1] for line in lines] == ["0"] * 20 + ["2"] * 20, lines

# Tables and explicit cells are none of ours.
table = simple.SpanwiseIntervalTable(Input=shape)
table.UpdatePipeline()
information = gather(table)
assert (information.GetDimension(), information.GetNumberOfCells()) == (0, 0)
assert information.GetNumberOfOthers() > 0
tetrahedra = simple.Tetrahedralize(Input=simple.Wavelet(WholeExtent=[0, 2, 0, 2, 0, 2]))
tetrahedra.UpdatePipeline()
information = gather(tetrahedra)
assert (information.GetDimension(), information.GetNumberOfCells()) == (0, 0)
assert information.GetNumberOfOthers() > 0
