"""The object Grid: sets against numpy's masks, fields in the order of cells, and VTK's pipelines."""

import gc
import unittest

import numpy as np
from random_masks import SEED, masks
from vtkmodules.vtkCommonDataModel import vtkImageData, vtkPolyData
from vtkmodules.vtkFiltersCore import vtkElevationFilter

import spanwise
from spanwise import Grid, from_mask, to_mask, vtkSpanwiseFillHoles, vtkSpanwiseMorphology, vtkSpanwiseSetAlgebra


def pairs():
    """Two masks of one shape, and what they are."""
    random = np.random.default_rng(SEED)
    for what, mask in masks(0.0, 0.3, 0.8, 1.0):
        yield what, mask, random.random(mask.shape) < 0.5


class Sets(unittest.TestCase):
    def test_operators(self):
        for what, a, b in pairs():
            with self.subTest(**what):
                for name, operation in (
                    ("|", lambda p, q: p | q),
                    ("&", lambda p, q: p & q),
                    ("-", lambda p, q: p - q if isinstance(p, Grid) else p & ~q),
                    ("^", lambda p, q: p ^ q),
                ):
                    found = to_mask(operation(from_mask(a), from_mask(b)), a.shape)
                    np.testing.assert_array_equal(found, operation(a, b), name)

    def test_complement(self):
        """In the box of an array it is numpy's; ~ is that in the bounding box of the set."""
        for what, mask in masks():
            with self.subTest(**what):
                grid = from_mask(mask, 0.1, -7.3)
                self.assertEqual(grid.complement(mask.shape), from_mask(~mask, 0.1, -7.3))
                inside = ~grid
                self.assertEqual(len(grid & inside), 0)
                self.assertEqual(len(grid | inside), np.prod([end - begin for begin, end in grid.box]))
                box = [(-2, 3)] * mask.ndim
                outside = grid.complement(box=box)
                np.testing.assert_array_equal(to_mask(outside, box=box), ~to_mask(grid, box=box))

    def test_equality(self):
        a = from_mask(np.array([[True, False, True]]))
        self.assertEqual(a, from_mask(np.array([[True, False, True]])))
        self.assertNotEqual(a, from_mask(np.array([[True, True, True]])))
        self.assertNotEqual(a, from_mask(np.array([[True, False, True]]), spacing=2.0))
        self.assertNotEqual(a, from_mask(np.array([[[True, False, True]]])))
        self.assertNotEqual(a, "a")
        with_field = from_mask(np.array([[True, False, True]]))
        with_field["x"] = [1, 2]
        self.assertEqual(a, with_field)

    def test_origins_may_be_whole_cells_apart(self):
        mask = np.ones((2, 3), bool)
        both = from_mask(mask, 0.5) | from_mask(mask, 0.5, origin=(2.0, 0.5))
        self.assertEqual(both.origin, (0.0, 0.0, 0.0))
        self.assertEqual(both.box, ((0, 7), (0, 3)))
        self.assertEqual(len(both), 12)

    def test_empty_grids_are_false(self):
        self.assertFalse(from_mask(np.zeros((3, 3), bool)))
        self.assertTrue(from_mask(np.ones((3, 3), bool)))

    def test_inputs_stay_as_they_are(self):
        a, b = from_mask(np.ones((2, 2), bool)), from_mask(np.zeros((2, 2), bool))
        a["x"] = [1, 2, 3, 4]
        (a | b).dilate()["x"][:] = 0
        self.assertEqual((len(a), len(b), a["x"].tolist()), (4, 0, [1, 2, 3, 4]))

    def test_what_does_not_fit_raises(self):
        mask = np.ones((3, 4), bool)
        a = from_mask(mask)
        for error, words, call in (
            (ValueError, "spacings along x are 1 and 2; they must be equal", lambda: a | from_mask(mask, 2.0)),
            (ValueError, "origins along y are 0 and 0.3", lambda: a - from_mask(mask, 1.0, (0.0, 0.3))),
            (ValueError, "they are 2D and 3D; they must have the same dimension", lambda: a & from_mask(mask[None])),
            (TypeError, "combined with a ndarray; it must be a Grid", lambda: a | mask),
            (TypeError, "unsupported operand", lambda: mask | a),
            (TypeError, "combined with a int", lambda: a - 1),
            (ValueError, r"shape is \(3,\)", lambda: a.complement((3,))),
            (TypeError, "unhashable", lambda: {a}),
            (TypeError, "a Grid is no dense array", lambda: np.asarray(a)),
            (TypeError, "not iterable", lambda: list(a)),
            (TypeError, "dataset is of type ndarray; it must be a vtkDataSet", lambda: Grid(mask)),
        ):
            with self.subTest(words=words), self.assertRaisesRegex(error, words):
                call()


class Fields(unittest.TestCase):
    def test_values_are_in_the_order_of_cells(self):
        for what, mask in masks(0.4, 1.0):
            with self.subTest(**what):
                image = np.arange(mask.size, dtype=float).reshape(mask.shape)
                grid = from_mask(mask)
                grid["image"] = image[mask]
                dense = spanwise.to_dense(grid, "image", mask.shape, fill=-1)
                np.testing.assert_array_equal(dense, np.where(mask, image, -1))

    def test_arrays_share_the_memory_of_fields(self):
        grid = from_mask(np.ones((100, 100), bool))
        values = np.arange(10000.0)
        grid["x"] = values
        values[:] = -1
        view = grid["x"]
        self.assertTrue(np.shares_memory(view, grid["x"]))
        view[0] = 7.0
        self.assertEqual(grid["x"][0], 7.0)
        del grid, values
        gc.collect()
        np.testing.assert_array_equal(view[1:], np.arange(1.0, 10000.0))

    def test_the_rows_are_read_only_views(self):
        grid = from_mask(np.ones((10, 10), bool))
        self.assertTrue(np.shares_memory(grid.arrays.intervals, grid.arrays.intervals))
        with self.assertRaises(ValueError):
            grid.arrays.intervals[0, 0] = 5

    def test_operators_carry_fields(self):
        """A cell has the value of the first grid with the cell and the field; else NaN, or 0 of whole numbers."""
        a, b = from_mask(np.array([[True, True, False]])), from_mask(np.array([[False, True, True]]))
        a["x"], b["x"], b["n"] = [1.0, 2.0], [20.0, 30.0], [5, 6]
        both = a | b
        self.assertEqual(both["x"].tolist(), [1.0, 2.0, 30.0])
        self.assertEqual(both["n"].tolist(), [0, 5, 6])
        self.assertEqual((a - b)["x"].tolist(), [1.0])
        wide = a.dilate((1, 0))["x"]
        self.assertTrue(np.isnan(wide[[0, 3]]).all())
        self.assertEqual(wide[1:3].tolist(), [1.0, 2.0])

    def test_where(self):
        for what, mask in masks(0.0, 0.4, 1.0):
            with self.subTest(**what):
                grid = from_mask(mask)
                grid["x"] = np.random.default_rng(SEED).random(len(grid))
                some = grid.where(grid["x"] > 0.5)
                expected = mask.copy()
                expected[mask] = grid["x"] > 0.5
                np.testing.assert_array_equal(to_mask(some, mask.shape), expected)
                np.testing.assert_array_equal(some["x"], grid["x"][grid["x"] > 0.5])
                self.assertEqual((some.field_names, grid.field_names), (("x",), ("x",)))

    def test_names(self):
        grid = from_mask(np.ones((1, 2), bool))
        grid["a"] = [1, 2]
        grid["b"] = [[1, 2], [3, 4]]
        grid["a"] = [5.0, 6.0]
        self.assertEqual(sorted(grid.field_names), ["a", "b"])
        self.assertEqual((grid["a"].tolist(), grid["b"].shape), ([5.0, 6.0], (2, 2)))
        del grid["a"]
        self.assertEqual(grid.field_names, ("b",))

    def test_wrong_fields_raise(self):
        grid = from_mask(np.ones((1, 2), bool))
        grid["a"] = [1, 2]

        def give(name, values):
            grid[name] = values

        for error, words, call in (
            (KeyError, "no field 'b'; the grid has a", lambda: grid["b"]),
            (KeyError, "no field 'b'", lambda: grid.__delitem__("b")),
            (ValueError, r"the field b has shape \(3,\); it must be \(2,\)", lambda: give("b", [1, 2, 3])),
            (ValueError, "the field b is of type complex128", lambda: give("b", [1j, 2])),
            (TypeError, "the name of a field is 3", lambda: give(3, [1, 2])),
            (TypeError, "the condition is of type int64; it must be bool", lambda: grid.where([1, 0])),
            (ValueError, r"the condition has shape \(1,\); it must be \(2,\)", lambda: grid.where([True])),
        ):
            with self.subTest(words=words), self.assertRaisesRegex(error, words):
                call()


class Pipelines(unittest.TestCase):
    """VTK's >> with Spanwise's filters and its own."""

    def setUp(self):
        self.mask = np.ones((5, 6), bool)
        self.mask[2, 2] = False
        self.grid = from_mask(self.mask)

    def test_a_grid_is_a_data_set_on_the_left(self):
        erode = vtkSpanwiseMorphology()
        erode.SetOperation(vtkSpanwiseMorphology.ERODE)
        pipeline = self.grid >> vtkSpanwiseFillHoles() >> erode
        result = Grid(pipeline.update().output)
        expected = np.zeros_like(self.mask)
        expected[1:-1, 1:-1] = True
        np.testing.assert_array_equal(to_mask(result, self.mask.shape), expected)

    def test_a_pipeline_is_a_function_of_data_sets(self):
        fill = vtkSpanwiseFillHoles() >> vtkElevationFilter()
        filled = Grid(fill(self.grid.dataset))
        self.assertEqual(len(filled), 30)
        self.assertTrue(spanwise.vtkSpanwiseGrid.HasIntervals(filled.dataset))

    def test_many_inputs(self):
        algebra = vtkSpanwiseSetAlgebra()
        algebra.SetOperation(vtkSpanwiseSetAlgebra.DIFFERENCE)
        pipeline = (from_mask(np.ones((5, 6), bool)).dataset, self.grid.dataset) >> algebra
        self.assertEqual(Grid(pipeline.update().output).cells().tolist(), [[2, 2]])

    def test_other_data_sets_are_rebuilt(self):
        image = vtkImageData()
        image.SetSpacing(0.5, 0.5, 0.5)
        image.SetDimensions(4, 3, 1)
        grid = Grid(image)
        self.assertEqual((len(grid), grid.spacing[:2]), (6, (0.5, 0.5)))
        self.assertIs(Grid(self.grid.dataset).dataset, self.grid.dataset)
        self.assertEqual(len(Grid(vtkPolyData())), 0)

    def test_what_it_says_of_itself(self):
        self.grid["x"] = np.zeros(29)
        self.assertEqual(
            repr(self.grid),
            "<Grid: 29 cells in 2D, box ((0, 6), (0, 5)), spacing (1.0, 1.0, 1.0), fields x>",
        )


if __name__ == "__main__":
    unittest.main()
