"""Grids of intervals from numpy arrays, and back."""

import unittest

import numpy
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkFiltersCore import vtkElevationFilter

import spanwise
from spanwise import numpy_support

ORIGIN = (0.5, -1.0, 2.0)
SPACING = (0.5, 0.25, 1.0)


class FromArrays(unittest.TestCase):
    def setUp(self):
        self.row_offsets = [0, 2, 3]
        self.intervals = [[0, 3], [5, 6], [-7, -5]]

    def make(self, rows=(-1, 2), **arguments):
        return numpy_support.from_arrays(rows, self.row_offsets, self.intervals, ORIGIN, SPACING, **arguments)

    def test_2d(self):
        grid = self.make(fields={"number": numpy.arange(6), "pair": numpy.arange(12.0).reshape(6, 2)}, level=2)
        self.assertTrue(spanwise.vtkSpanwiseGrid.HasIntervals(grid))
        self.assertEqual(grid.GetNumberOfCells(), 6)
        arrays = numpy_support.to_arrays(grid)
        self.assertEqual(arrays.dimension, 2)
        self.assertEqual(arrays.rows.tolist(), [-1, 2])
        self.assertEqual(arrays.row_offsets.tolist(), self.row_offsets)
        self.assertEqual(arrays.intervals.tolist(), self.intervals)
        self.assertEqual(arrays.cell_offsets.tolist(), [0, 3, 4, 6])
        self.assertEqual(arrays.origin, ORIGIN)
        self.assertEqual(arrays.spacing, SPACING)
        self.assertEqual(arrays.level, 2)
        self.assertEqual(arrays.fields["number"].tolist(), list(range(6)))
        self.assertEqual(arrays.fields["pair"].shape, (6, 2))
        self.assertEqual(arrays.cells().tolist(), [[0, -1], [1, -1], [2, -1], [5, -1], [-7, 2], [-6, 2]])

    def test_3d(self):
        grid = self.make([[2, -4], [-1, 4]])
        arrays = numpy_support.to_arrays(grid)
        self.assertEqual(arrays.dimension, 3)
        self.assertEqual(arrays.rows.tolist(), [[2, -4], [-1, 4]])
        self.assertEqual(arrays.cells()[-1].tolist(), [-6, -1, 4])

    def test_the_arrays_outlive_the_grid(self):
        arrays = numpy_support.to_arrays(self.make())
        self.assertEqual(arrays.intervals.tolist(), self.intervals)
        with self.assertRaises(ValueError):
            arrays.intervals[0, 0] = 5  # read-only

    def test_the_empty_set(self):
        arrays = numpy_support.to_arrays(numpy_support.from_arrays([], [0], []))
        self.assertEqual(len(arrays.rows), 0)
        self.assertEqual(arrays.intervals.shape, (0, 2))
        self.assertEqual(arrays.row_offsets.tolist(), [0])
        self.assertEqual(arrays.cells().shape, (0, 2))

    def test_wrong_arrays_raise(self):
        with self.assertRaisesRegex(ValueError, "row keys must ascend"):
            self.make([2, -1])
        with self.assertRaisesRegex(ValueError, "rows is of type float64"):
            self.make([0.5, 1.5])
        with self.assertRaisesRegex(ValueError, "the field number has shape"):
            self.make(fields={"number": [1, 2]})
        with self.assertRaisesRegex(ValueError, "the level is 31"):
            self.make(level=31)
        with self.assertRaisesRegex(ValueError, "the spacing along x is 0"):
            numpy_support.from_arrays([0], [0, 1], [[0, 1]], spacing=(0, 1, 1))
        with self.assertRaisesRegex(ValueError, "whole number from -2147483648"):
            numpy_support.from_arrays([0], [0, 1], [[0, 1 << 40]])
        self.intervals = [[0, 3], [3, 6], [-7, -5]]
        with self.assertRaisesRegex(ValueError, "overlaps or touches"):
            self.make()


class FromCells(unittest.TestCase):
    def test_fields_go_with_their_cells(self):
        cells = numpy.array([[4, 0], [-1, 2], [3, 0], [0, -5]])
        grid = numpy_support.from_cells(cells, fields={"x": cells[:, 0], "cell": cells})
        arrays = numpy_support.to_arrays(grid)
        self.assertEqual(arrays.fields["x"].tolist(), arrays.cells()[:, 0].tolist())
        self.assertEqual(arrays.fields["cell"].tolist(), arrays.cells().tolist())

    def test_random_3d(self):
        random = numpy.random.default_rng(7)
        cells = numpy.unique(random.integers(-20, 20, (3000, 3)), axis=0)
        random.shuffle(cells)
        arrays = numpy_support.to_arrays(numpy_support.from_cells(cells, fields={"cell": cells}))
        self.assertEqual(arrays.fields["cell"].tolist(), arrays.cells().tolist())
        self.assertEqual(len(arrays.cells()), len(cells))

    def test_cells_twice(self):
        self.assertEqual(numpy_support.from_cells([[1, 1], [1, 1]]).GetNumberOfCells(), 1)
        with self.assertRaisesRegex(ValueError, "only 1 different"):
            numpy_support.from_cells([[1, 1], [1, 1]], fields={"a": [1, 2]})

    def test_wrong_lists_raise(self):
        with self.assertRaisesRegex(ValueError, "cells has shape"):
            numpy_support.from_cells([1, 2, 3])
        with self.assertRaisesRegex(ValueError, "a value for each of 1 cells"):
            numpy_support.from_cells([[0, 0]], fields={"a": [1, 2]})
        with self.assertRaisesRegex(ValueError, "a value for each of 1 cells"):
            numpy_support.from_cells([[0, 0]], fields={"a": 1})


class Types(unittest.TestCase):
    """Every numpy type either works or raises ValueError with its name."""

    CELLS = [[0, 0], [1, 0], [5, 2]]

    def field(self, values):
        grid = numpy_support.from_cells(self.CELLS, fields={"a": values})
        return numpy_support.to_arrays(grid).fields["a"]

    def test_types_that_vtk_has(self):
        for code in "bhilqBHILQfd":
            values = numpy.array([1, 2, 3], dtype=code)
            field = self.field(values)
            self.assertEqual((field.dtype.kind, field.dtype.itemsize), (values.dtype.kind, values.dtype.itemsize))
            self.assertEqual(field.tolist(), [1, 2, 3])

    def test_types_that_become_others(self):
        for values, dtype in (
            (numpy.array([True, False, True]), numpy.uint8),
            (numpy.array([0.5, 2.0, -1.0], numpy.float16), numpy.float32),
            (numpy.array([0.5, 2.0, -1.0], ">f2"), numpy.float32),
            (numpy.array([0.5, 2.0, -1.0], ">f8"), numpy.float64),
            (numpy.array([1, 2, 3], ">i4"), numpy.int32),
            ([True, False, True], numpy.uint8),
        ):
            field = self.field(values)
            self.assertEqual(field.dtype, dtype)
            self.assertEqual(field.tolist(), numpy.asarray(values).tolist())
        cells = numpy.array(self.CELLS, dtype=">i8")
        self.assertEqual(numpy_support.to_arrays(numpy_support.from_cells(cells)).cells().tolist(), self.CELLS)

    def test_other_types_raise(self):
        for values in (
            numpy.zeros(3, numpy.complex128),
            numpy.zeros(3, numpy.complex64),
            numpy.zeros(3, numpy.longdouble),
            numpy.zeros(3, "datetime64[s]"),
            numpy.zeros(3, "timedelta64[s]"),
            numpy.zeros(3, [("x", "f8")]),
            numpy.array(["a", "b", "c"]),
            numpy.array([b"a", b"b", b"c"]),
            numpy.array([1, None, 2], dtype=object),
            [1 << 80, 2, 3],
        ):
            with self.assertRaisesRegex(ValueError, "the field a is of type"):
                self.field(values)
            with self.assertRaisesRegex(ValueError, "rows is of type|whole numbers"):
                numpy_support.from_arrays(values, [0, 1, 2, 3], [[0, 1]] * 3)
        for values in ([1j, 0, 0], [None, 0, 0], ["a", 0, 0]):
            with self.assertRaises(ValueError):
                numpy_support.from_cells(self.CELLS, origin=values)


class FromDataset(unittest.TestCase):
    def test_an_image(self):
        image = vtkImageData()
        image.SetDimensions(4, 3, 1)
        arrays = numpy_support.to_arrays(numpy_support.from_dataset(image))
        self.assertEqual(arrays.intervals.tolist(), [[0, 3], [0, 3]])

    def test_data_without_intervals(self):
        with self.assertRaisesRegex(ValueError, "the vtkImageData carries no intervals"):
            numpy_support.to_arrays(vtkImageData())

    def test_after_a_stock_filter(self):
        elevation = vtkElevationFilter()
        elevation.SetInputData(numpy_support.from_cells([[0, 0], [3, 1]]))
        elevation.Update()
        arrays = numpy_support.to_arrays(elevation.GetOutput())
        self.assertEqual(arrays.cells().tolist(), [[0, 0], [3, 1]])


if __name__ == "__main__":
    unittest.main()
