"""Grids from dense arrays and points, and back: what numpy says of the same cells."""

import gc
import unittest

import numpy as np
from random_masks import SEED, masks

import spanwise

SPACING = (0.5, 0.25, 2.0)
ORIGIN = (1.0, -3.0, 0.5)


class Masks(unittest.TestCase):
    def test_there_and_back(self):
        for what, mask in masks():
            with self.subTest(**what):
                grid = spanwise.from_mask(mask, SPACING, ORIGIN)
                self.assertEqual(len(grid), mask.sum())
                self.assertEqual(grid.dimension, mask.ndim)
                self.assertEqual(grid.spacing, SPACING)
                self.assertEqual(grid.origin, ORIGIN)
                again = spanwise.to_mask(grid, mask.shape)
                self.assertEqual(again.dtype, bool)
                np.testing.assert_array_equal(again, mask)

    def test_x_is_last_in_arrays_and_first_elsewhere(self):
        """The element [z, y, x] is the cell (x, y, z)."""
        mask = np.zeros((2, 3, 4), bool)
        mask[0, 2, 1] = mask[1, 0, 3] = True
        grid = spanwise.from_mask(mask, SPACING, ORIGIN)
        self.assertEqual(grid.cells().tolist(), [[1, 2, 0], [3, 0, 1]])
        self.assertEqual(grid.box, ((1, 4), (0, 3), (0, 2)))
        self.assertEqual(grid.centers()[0].tolist(), [1 + 1.5 * 0.5, -3 + 2.5 * 0.25, 0.5 + 0.5 * 2.0])

    def test_order_of_cells_is_the_order_of_the_mask(self):
        for what, mask in masks(0.4):
            with self.subTest(**what):
                cells = spanwise.from_mask(mask).cells()
                np.testing.assert_array_equal(cells[:, ::-1], np.argwhere(mask))

    def test_a_mask_of_no_elements(self):
        for shape in ((0, 5), (5, 0), (0, 0), (0, 2, 3), (2, 3, 0)):
            grid = spanwise.from_mask(np.zeros(shape, bool), SPACING[: len(shape)])
            self.assertEqual((len(grid), grid.dimension), (0, len(shape)))
            self.assertEqual(spanwise.to_mask(grid, shape).shape, shape)
            self.assertEqual(spanwise.to_mask(grid).shape, (0,) * len(shape))

    def test_boxes(self):
        """A box may leave cells out, reach beyond all of them, and have negative coordinates."""
        random = np.random.default_rng(SEED)
        for what, mask in masks(0.5):
            with self.subTest(**what):
                grid = spanwise.from_mask(mask, SPACING, ORIGIN)
                window = tuple(slice(n // 3, n) for n in mask.shape)
                box = [(s.start, s.stop) for s in window[::-1]]
                np.testing.assert_array_equal(spanwise.to_mask(grid, box=box), mask[window])
                margins = random.integers(0, 4, (mask.ndim, 2))
                wide = [(-low, n + high) for (low, high), n in zip(margins[::-1], mask.shape[::-1])]
                np.testing.assert_array_equal(spanwise.to_mask(grid, box=wide), np.pad(mask, margins))
                if mask.any():
                    tight = tuple(slice(begin, end) for begin, end in grid.box[::-1])
                    np.testing.assert_array_equal(spanwise.to_mask(grid), mask[tight])

    def test_any_layout_of_memory(self):
        mask = np.random.default_rng(SEED).random((6, 7, 8)) < 0.5
        grid = spanwise.from_mask(mask)
        locked = mask.copy()
        locked.flags.writeable = False
        for same in (np.asfortranarray(mask), np.repeat(mask, 2, axis=2)[:, :, ::2], locked, mask.tolist()):
            self.assertEqual(spanwise.from_mask(same), grid)

    def test_a_mask_outlives_its_grid(self):
        mask = spanwise.to_mask(spanwise.from_mask(np.ones((50, 60), bool)), (50, 60))
        gc.collect()
        self.assertTrue(mask.all())

    def test_wrong_arguments_raise(self):
        mask = np.ones((3, 4), bool)
        grid = spanwise.from_mask(mask)
        for error, words, call in (
            (TypeError, "the mask is of type uint8; it must be bool", lambda: spanwise.from_mask(mask.view(np.uint8))),
            (TypeError, "the mask is of type float64", lambda: spanwise.from_mask(mask * 1.0)),
            (ValueError, r"the mask has shape \(4,\); it must be \[y, x\]", lambda: spanwise.from_mask(mask[0])),
            (ValueError, "the mask has shape", lambda: spanwise.from_mask(mask.reshape(1, 1, 3, 4))),
            (ValueError, "the spacing along y is 0; it must be positive", lambda: spanwise.from_mask(mask, (1, 0))),
            (ValueError, "the spacing along x is nan", lambda: spanwise.from_mask(mask, np.nan)),
            (ValueError, r"spacing has shape \(4,\)", lambda: spanwise.from_mask(mask, (1, 1, 1, 1))),
            (ValueError, r"spacing has shape \(2,\)", lambda: spanwise.from_mask(mask[None], (1, 1))),
            (TypeError, "spacing is 'wide'; it must be numbers", lambda: spanwise.from_mask(mask, "wide")),
            (ValueError, "the origin along x is inf", lambda: spanwise.from_mask(mask, 1, np.inf)),
            (ValueError, r"outside of shape \(3, 3\)", lambda: spanwise.to_mask(grid, (3, 3))),
            (ValueError, r"shape is \(3,\); a 2D grid takes 2 sizes", lambda: spanwise.to_mask(grid, (3,))),
            (ValueError, r"shape is \(-1, 3\)", lambda: spanwise.to_mask(grid, (-1, 3))),
            (TypeError, "shape is .* whole numbers", lambda: spanwise.to_mask(grid, (1.5, 3))),
            (ValueError, "begin not above end", lambda: spanwise.to_mask(grid, box=((4, 3), (0, 1)))),
            (TypeError, "box is .* pairs of whole numbers", lambda: spanwise.to_mask(grid, box=(0, 3))),
            (ValueError, "both given", lambda: spanwise.to_mask(grid, (3, 4), ((0, 4), (0, 3)))),
            (TypeError, "grid is of type ndarray; it must be a Grid", lambda: spanwise.to_mask(mask)),
            (ValueError, "the memory limit is 1 MiB",
             lambda: spanwise.to_mask(grid, box=((0, 10**5), (0, 10**5)), memory_limit=1)),
        ):
            with self.subTest(words=words), self.assertRaisesRegex(error, words):
                call()


class Labels(unittest.TestCase):
    def test_there_and_back(self):
        random = np.random.default_rng(SEED)
        for what, mask in masks(0.0, 0.3, 1.0):
            for dtype in (np.int8, np.uint8, np.int32, np.uint64, ">i2"):
                with self.subTest(**what, dtype=dtype):
                    labels = (mask * random.integers(1, 120, mask.shape)).astype(dtype)
                    grid = spanwise.from_labels(labels, SPACING, ORIGIN)
                    self.assertEqual(grid["Label"].dtype, np.dtype(dtype).newbyteorder("="))
                    np.testing.assert_array_equal(grid["Label"], labels[mask])
                    np.testing.assert_array_equal(spanwise.to_mask(grid, mask.shape), mask)
                    np.testing.assert_array_equal(spanwise.to_dense(grid, "Label", mask.shape), labels)

    def test_background_and_name(self):
        labels = np.array([[-1, 0, 7], [2**40, -1, -5]])
        grid = spanwise.from_labels(labels, background=-1, name="Tissue")
        self.assertEqual(grid.field_names, ("Tissue",))
        self.assertEqual(grid["Tissue"].tolist(), [0, 7, 2**40, -5])
        dense = spanwise.to_dense(grid, "Tissue", labels.shape, fill=-1)
        np.testing.assert_array_equal(dense, labels)

    def test_a_field_of_vectors(self):
        mask = np.random.default_rng(SEED).random((4, 5, 6)) < 0.5
        grid = spanwise.from_mask(mask)
        grid["centre"] = grid.centers()
        dense = spanwise.to_dense(grid, "centre", mask.shape, fill=np.nan)
        self.assertEqual(dense.shape, mask.shape + (3,))
        np.testing.assert_array_equal(dense[mask], grid.centers())
        self.assertTrue(np.isnan(dense[~mask]).all())

    def test_wrong_arguments_raise(self):
        labels = np.ones((3, 4), int)
        grid = spanwise.from_labels(labels)
        for error, words, call in (
            (TypeError, "type float64; it must be of integers", lambda: spanwise.from_labels(labels * 1.0)),
            (TypeError, "labels is of type bool", lambda: spanwise.from_labels(labels > 0)),
            (ValueError, r"labels has shape \(4,\)", lambda: spanwise.from_labels(labels[0])),
            (TypeError, "background is 0.5", lambda: spanwise.from_labels(labels, background=0.5)),
            (ValueError, "background is .* from -2.53", lambda: spanwise.from_labels(labels, background=2**60)),
            (KeyError, "no field 'Tissue'; the grid has Label", lambda: spanwise.to_dense(grid, "Tissue")),
        ):
            with self.subTest(words=words), self.assertRaisesRegex(error, words):
                call()


class Points(unittest.TestCase):
    def test_cells_that_hold_points(self):
        for dimension in (2, 3):
            with self.subTest(seed=SEED, dimension=dimension):
                points = np.random.default_rng(SEED).normal(0, 3, (500, dimension))
                grid = spanwise.from_points(points, SPACING[:dimension], ORIGIN[:dimension])
                cells = np.floor((points - ORIGIN[:dimension]) / SPACING[:dimension]).astype(int)
                expected, counts = np.unique(cells[:, ::-1], axis=0, return_counts=True)  # z slowest
                np.testing.assert_array_equal(grid.cells()[:, ::-1], expected)
                np.testing.assert_array_equal(grid["Point Count"], counts)

    def test_a_point_between_cells_is_in_the_one_above(self):
        self.assertEqual(spanwise.from_points([[0, 1], [-1, 0]]).cells().tolist(), [[-1, 0], [0, 1]])

    def test_no_points(self):
        for dimension in (2, 3):
            grid = spanwise.from_points(np.empty((0, dimension)), 0.5)
            self.assertEqual((len(grid), grid.dimension), (0, dimension))
            self.assertEqual(len(grid["Point Count"]), 0)

    def test_wrong_points_raise(self):
        for error, words, points in (
            (ValueError, r"points has shape \(3,\); it must be \(n, 2\) or \(n, 3\)", [1, 2, 3]),
            (ValueError, r"point 1 is \[nan, 0.0\]; it must be finite", [[0, 0], [np.nan, 0]]),
            (ValueError, "less than 2.31 cells from the origin", [[1e10, 0]]),
            (TypeError, "points is of type", [["a", "b"]]),
        ):
            with self.subTest(words=words), self.assertRaisesRegex(error, words):
                spanwise.from_points(points)


if __name__ == "__main__":
    unittest.main()
