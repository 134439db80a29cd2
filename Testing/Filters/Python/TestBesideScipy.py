"""Morphology, components and distances of random masks are those of scipy.ndimage."""

import unittest

import numpy as np
from random_masks import masks
from scipy import ndimage

from spanwise import from_mask, to_mask

OPERATIONS = {
    "dilate": ndimage.binary_dilation,
    "erode": ndimage.binary_erosion,
    "opening": ndimage.binary_opening,
    "closing": ndimage.binary_closing,
}
STEPS = ("faces", "edges", "vertices")
MARGIN = 6  # all that an operation reaches: scipy does not go beyond an array


def structures(dimension):
    """Arguments of Grid.dilate(), and the structure that scipy takes for them."""
    x = np.meshgrid(*[np.arange(-2, 3)] * dimension, indexing="ij")
    yield dict(radius=2), np.ones((5,) * dimension)
    yield dict(radius=(2, 1, 0)[:dimension]), np.ones((1, 3, 5)[3 - dimension :])
    yield dict(radius=2, element="diamond"), sum(map(abs, x)) <= 2
    yield dict(radius=2, element="ball"), sum(axis**2 for axis in x) <= 4
    yield dict(radius=0, element="ball"), np.ones((1,) * dimension)
    for connectivity, name in enumerate(STEPS[: dimension - 1] + STEPS[2:], 1):
        once = ndimage.generate_binary_structure(dimension, connectivity)
        yield dict(radius=2, element=name), ndimage.iterate_structure(once, 2)


class BesideScipy(unittest.TestCase):
    def test_morphology(self):
        for what, mask in masks(0.0, 0.1, 0.7, 0.95):
            mask = np.pad(mask, MARGIN)
            grid = from_mask(mask, 0.1, -0.7)
            for arguments, structure in structures(mask.ndim):
                for name, operation in OPERATIONS.items():
                    with self.subTest(**what, **arguments, operation=name):
                        found = to_mask(getattr(grid, name)(**arguments), mask.shape)
                        np.testing.assert_array_equal(found, operation(mask, structure))

    def test_radius_as_a_length(self):
        """On cells that are not cubes it reaches as far along every axis."""
        spacing = (1.0, 0.5, 2.0)
        for what, mask in masks(0.1):
            mask = np.pad(mask, MARGIN)
            axes = np.meshgrid(*[np.arange(-5, 6)] * mask.ndim, indexing="ij")
            squares = sum((axis * size) ** 2 for axis, size in zip(axes[::-1], spacing))
            with self.subTest(**what):
                grid = from_mask(mask, spacing[: mask.ndim])
                found = to_mask(grid.dilate(2.5, "ball", "length"), mask.shape)
                np.testing.assert_array_equal(found, ndimage.binary_dilation(mask, squares <= 2.5**2))

    def test_components(self):
        for what, mask in masks():
            for connectivity, name in enumerate(STEPS[: mask.ndim - 1] + STEPS[2:], 1):
                with self.subTest(**what, connectivity=name):
                    structure = ndimage.generate_binary_structure(mask.ndim, connectivity)
                    labels, count = ndimage.label(mask, structure)
                    parts = from_mask(mask).components(name)
                    self.assertEqual(parts.count, count)
                    if count == 0:
                        continue
                    # Both number components in the order of their first cells, scipy from 1.
                    np.testing.assert_array_equal(parts.grid["ComponentId"], labels[mask] - 1)
                    centres = ndimage.center_of_mass(mask, labels, np.arange(1, count + 1))
                    expected = np.array(centres)[:, ::-1] + 0.5
                    np.testing.assert_allclose(parts.centroids[:, : mask.ndim], expected, atol=1e-9)

    def test_distances(self):
        """The distance transform goes from centre to centre, ours from centres to faces: a closed form apart along an
        axis, and never less than half a cell, nor more than half a diagonal, apart elsewhere."""
        for what, mask in masks(0.3, 0.9):
            if not mask.any():
                continue
            with self.subTest(**what):
                padded = np.pad(mask, 1)
                centre_to_centre = ndimage.distance_transform_edt(padded)[padded]
                ours = -from_mask(mask).signed_distance("cells")["Signed Distance"]
                difference = centre_to_centre - ours
                self.assertGreaterEqual(difference.min(), 0.5 - 1e-12)
                self.assertLessEqual(difference.max(), np.sqrt(mask.ndim) / 2 + 1e-12)


if __name__ == "__main__":
    unittest.main()
