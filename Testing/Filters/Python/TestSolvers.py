"""Components, signed distances and arrival times of grids: facts, and brute force over all pairs of cells."""

import math
import unittest

import numpy as np
from random_masks import SEED, masks

from spanwise import from_mask, from_points, to_dense, to_mask

SPACING = (0.5, 0.25, 2.0)


def spacing_of(mask):
    return SPACING[: mask.ndim]


class Components(unittest.TestCase):
    def test_two_boxes(self):
        mask = np.zeros((6, 8), bool)
        mask[0:2, 0:3] = mask[2:5, 3:4] = True
        grid = from_mask(mask, (0.5, 2.0), (10.0, 0.0))
        parts = grid.components()
        self.assertEqual(parts.count, 2)
        self.assertEqual(parts.sizes.tolist(), [6, 3])
        self.assertEqual(parts.bounds[:, :4].tolist(), [[10.0, 11.5, 0.0, 4.0], [11.5, 12.0, 4.0, 10.0]])
        self.assertEqual(parts.centroids[:, :2].tolist(), [[10.75, 2.0], [11.75, 7.0]])
        self.assertEqual(parts.grid["ComponentId"].tolist(), [0] * 6 + [1] * 3)
        self.assertEqual(grid.components("vertices").count, 1)

    def test_sizes_count_cells(self):
        for what, mask in masks():
            with self.subTest(**what):
                parts = from_mask(mask).components("edges")
                self.assertEqual(parts.sizes.sum(), mask.sum())
                self.assertEqual(parts.centroids.shape, (parts.count, 3))
                if mask.any():
                    ids = parts.grid["ComponentId"]
                    np.testing.assert_array_equal(np.bincount(ids), parts.sizes)
                    np.testing.assert_array_equal(parts.grid["ComponentSize"], parts.sizes[ids])

    def test_wrong_connectivity_raises(self):
        with self.assertRaisesRegex(ValueError, "connectivity is 'face'; it must be one of 'faces', 'edges'"):
            from_mask(np.ones((2, 2), bool)).components("face")


class SignedDistance(unittest.TestCase):
    def brute_force(self, grid, at):
        """From the centres `at`, (n, 3), to the faces between the set and all else."""
        cells = grid.cells()
        members = set(map(tuple, cells.tolist()))
        size = np.array(grid.spacing)[: grid.dimension]
        origin = np.array(grid.origin)[: grid.dimension]
        best = np.full(len(at), np.inf)
        for cell in members:
            for axis in range(grid.dimension):
                for side in (-1, 1):
                    beside = tuple(c + side * (a == axis) for a, c in enumerate(cell))
                    if beside in members:
                        continue
                    low = origin + np.array(cell) * size
                    high = low + size
                    low[axis] = high[axis] = high[axis] if side > 0 else low[axis]
                    points = at[:, : grid.dimension]
                    best = np.minimum(best, np.linalg.norm(points - np.clip(points, low, high), axis=1))
        return best

    def test_brute_force(self):
        for what, mask in masks(0.3, 0.9):
            if mask.size > 600 or not mask.any():
                continue
            with self.subTest(**what):
                grid = from_mask(mask, spacing_of(mask), -1.0)
                field = grid.signed_distance(margin=2.0)
                inside = to_mask(grid, box=field.box)[to_mask(field)]
                expected = self.brute_force(grid, field.centers()) * np.where(inside, -1, 1)
                np.testing.assert_allclose(field["Signed Distance"], expected, atol=1e-12)
                cells = grid.signed_distance("cells")
                self.assertEqual(cells, grid)
                np.testing.assert_allclose(cells["Signed Distance"], expected[inside], atol=1e-12)
                band = grid.signed_distance("band", width=0.4)
                np.testing.assert_allclose(
                    band["Signed Distance"], self.brute_force(grid, band.centers()) *
                    np.sign(band["Signed Distance"]), atol=1e-12)
                self.assertEqual(len(band & field), (np.abs(expected) <= 0.4).sum())
                self.assertEqual(grid.signed_distance(field), field)

    def test_an_empty_set_is_infinitely_far(self):
        empty, cells = from_mask(np.zeros((2, 3), bool)), from_mask(np.ones((2, 3), bool))
        self.assertEqual(empty.signed_distance(cells)["Signed Distance"].tolist(), [math.inf] * 6)
        for where in ("box", "band", "cells"):
            self.assertEqual(len(empty.signed_distance(where)), 0)

    def test_wrong_arguments_raise(self):
        grid = from_mask(np.ones((2, 2), bool))
        for words, arguments in (
            ("where is 'near'; it must be one of 'cells', 'band', 'box'", dict(where="near")),
            ("the margin of the box is -1; it must be finite and not negative", dict(margin=-1)),
            ("the width of the band is -1", dict(where="band", width=-1)),
            ("the limit is 0", dict(memory_limit=0)),
        ):
            with self.subTest(words=words), self.assertRaisesRegex(ValueError, words):
                grid.signed_distance(**arguments)


class ArrivalTimes(unittest.TestCase):
    def test_a_point_in_a_box(self):
        """Without walls the time is the distance, and factored times are exact."""
        for shape, point in (((20, 30), (4.1, 2.2)), ((6, 7, 8), (1.3, 1.1, 7.0))):
            grid = from_mask(np.ones(shape, bool), SPACING[: len(shape)])
            times = grid.arrival_times([point], speed=2.0)
            self.assertEqual(times, grid)
            distance = np.linalg.norm(times.centers()[:, : len(shape)] - point, axis=1)
            np.testing.assert_allclose(times["Arrival Time"], distance / 2.0, rtol=1e-9)
            same = grid.arrival_times(point, speed=np.full(len(grid), 2.0))
            np.testing.assert_allclose(same["Arrival Time"], distance / 2.0, rtol=1e-9)

    def test_speed_that_is_given_in_three_ways(self):
        grid = from_mask(np.random.default_rng(SEED).random((15, 12)) < 0.9)
        source = grid.centers()[:1]
        grid["v"] = np.full(len(grid), 3.0)
        expected = grid.arrival_times(source, speed=3)["Arrival Time"]
        tensor = np.tile([9.0, 9.0, 0.0], (len(grid), 1))
        for speed in ("v", grid["v"], tensor):
            times = grid.arrival_times(source, speed)
            np.testing.assert_allclose(times["Arrival Time"], expected, rtol=1e-6)
            self.assertEqual(set(times.field_names), {"v", "Arrival Time"})
        self.assertEqual(grid.field_names, ("v",))

    def test_walls(self):
        """Times follow a corridor, and what no front reaches is infinite. A cell of speed 0 is a wall."""
        mask = np.ones((3, 9), bool)
        mask[1, :-1] = mask[:, 4] = False
        mask[1, 8] = True
        grid = from_mask(mask)
        times = to_dense(grid.arrival_times([(5.5, 0.5)]), "Arrival Time", mask.shape, fill=-1)
        self.assertEqual(np.isinf(times).sum(), 8)
        self.assertGreaterEqual(times[2, 5], 3 + 2 + 3 - 2)
        whole = from_mask(np.ones(mask.shape, bool))
        same = whole.arrival_times([(5.5, 0.5)], mask[np.ones(mask.shape, bool)].astype(float))
        np.testing.assert_allclose(same["Arrival Time"][mask.ravel()], times[mask])

    def test_cells_as_sources(self):
        mask = np.ones((5, 9), bool)
        grid = from_mask(mask)
        left = from_points([[0.5, y + 0.5] for y in range(5)])
        times = grid.arrival_times(left)
        np.testing.assert_allclose(times["Arrival Time"], times.cells()[:, 0])
        late = grid.arrival_times(left, start_times=np.full(5, 10.0))
        np.testing.assert_allclose(late["Arrival Time"], times["Arrival Time"] + 10)
        stopped = grid.arrival_times(left, stop_time=4.5)["Arrival Time"]
        np.testing.assert_array_equal(np.isinf(stopped), times["Arrival Time"] > 4.5)
        self.assertEqual(left.field_names, ("Point Count",))

    def test_orders(self):
        """In a speed 1 + g y fronts from a point arrive at acosh(1 + g^2 d^2 / (2 v0 v)) / g: circles."""
        gradient, source = 3.0, np.array([0.3, 0.2, 0.0])
        errors = []
        for n in (20, 40):
            grid = from_mask(np.ones((n, n), bool), 1 / n)
            speed = 1 + gradient * grid.centers()[:, 1]
            squares = ((grid.centers() - source) ** 2).sum(axis=1)
            slowest = 2 * (1 + gradient * source[1]) * speed
            exact = np.arccosh(1 + gradient**2 * squares / slowest) / gradient
            times = [grid.arrival_times(source, speed, order=order)["Arrival Time"] for order in (1, 2)]
            errors.append([np.abs(t - exact).mean() for t in times])
        first, second = np.log2(np.divide(*errors))
        self.assertGreater(first, 0.6)
        self.assertGreater(second, 1.6)

    def test_wrong_arguments_raise(self):
        grid = from_mask(np.ones((2, 3), bool))
        for error, words, call in (
            (ValueError, "source point 0 at .* is outside of the grid", lambda: grid.arrival_times([(9, 9)])),
            (ValueError, r"sources has shape \(1, 4\)", lambda: grid.arrival_times([1, 2, 3, 4])),
            (TypeError, "sources is 'here'; it must be a Grid or points", lambda: grid.arrival_times("here")),
            (ValueError, "there is no source", lambda: grid.arrival_times(~grid)),
            (ValueError, "the speed is 0; it must be positive", lambda: grid.arrival_times(grid, 0)),
            (ValueError, "speed is 'v'; the grid has no field", lambda: grid.arrival_times(grid, "v")),
            (ValueError, r"speed has shape \(1,\); it must be \(6,\)", lambda: grid.arrival_times(grid, [1])),
            (ValueError, "the speed of cell 0 is not valid", lambda: grid.arrival_times(grid, np.full(6, -1.0))),
            (ValueError, "start_times has shape", lambda: grid.arrival_times(grid, start_times=[1])),
            (ValueError, "order is 3; it must be 1 or 2", lambda: grid.arrival_times(grid, order=3)),
            (ValueError, "stop_time is nan", lambda: grid.arrival_times(grid, stop_time=math.nan)),
        ):
            with self.subTest(words=words), self.assertRaisesRegex(error, words):
                call()


if __name__ == "__main__":
    unittest.main()
