"""Grids as DataArrays of xarray and back: the same cells on the same lattice, or one message."""

import unittest

import numpy as np
import xarray as xr
from random_masks import SEED, masks

import spanwise
from spanwise import from_mask, from_xarray

SPACING = (0.1, 0.3, 2.0)
ORIGIN = (1.0, -3.0, 0.7)


def lattice(*shape, name=None, **steps):
    """An array of the numbers 1, 2 ... with its coordinates: `steps` are the first one and the step of each axis."""
    dims = ("z", "y", "x")[-len(shape) :]
    coords = {axis: first + step * np.arange(shape[dims.index(axis)]) for axis, (first, step) in steps.items()}
    return xr.DataArray(np.arange(1.0, np.prod(shape) + 1).reshape(shape), coords, dims, name)


class Conversion(unittest.TestCase):
    def test_masks_there_and_back(self):
        for what, mask in masks(0.0, 0.4, 1.0):
            with self.subTest(**what):
                grid = from_mask(mask, SPACING, ORIGIN)
                for options in (dict(shape=mask.shape), dict(), dict(box=[(-3, 17)] * mask.ndim)):
                    array = grid.to_xarray(**options)
                    self.assertEqual(array.dims, ("z", "y", "x")[-mask.ndim :])
                    self.assertEqual(array.dtype, bool)
                    inside = grid & from_mask(np.ones([20] * mask.ndim, bool), SPACING, ORIGIN)
                    expected = grid if "box" not in options else inside.where((inside.cells() < 17).all(axis=1))
                    self.assertEqual(from_xarray(array), expected)
                np.testing.assert_array_equal(grid.to_xarray(shape=mask.shape), mask)

    def test_fields_there_and_back(self):
        random = np.random.default_rng(SEED)
        for what, mask in masks(0.4):
            for field in (random.random(mask.sum()), random.integers(1, 9, mask.sum()), random.random((mask.sum(), 3))):
                with self.subTest(**what, field=(field.dtype, field.shape)):
                    grid = from_mask(mask, SPACING, ORIGIN)
                    grid["T"] = field
                    array = grid.to_xarray("T")
                    self.assertEqual(array.name, "T")
                    again = from_xarray(array)
                    self.assertEqual(again, grid)
                    self.assertEqual(again["T"].dtype, grid["T"].dtype)
                    np.testing.assert_array_equal(again["T"], grid["T"])

    def test_coordinates_are_centres_of_cells(self):
        for mask in (np.ones((4, 5), bool), np.ones((3, 4, 5), bool)):
            grid = from_mask(mask, SPACING, ORIGIN)
            grid["centre"] = grid.centers()
            array = grid.to_xarray("centre")
            for k, axis in enumerate("xyz"[: mask.ndim]):
                along = array.isel(component=k).transpose(axis, ...).to_numpy()
                np.testing.assert_allclose(along.reshape(len(along), -1)[:, 0], array[axis], rtol=0, atol=1e-14)
        self.assertEqual(float(from_mask(np.ones((2, 2), bool), 1.0, (0, 0, 5.0)).to_xarray()["z"]), 5.0)

    def test_what_xarray_makes_of_an_array(self):
        """Slices keep the lattice, coarser ones have larger cells, and a layer of 3D lies at its centre."""
        grid = from_mask(np.ones((4, 6, 8), bool), SPACING, ORIGIN)
        array = grid.to_xarray()
        part = from_xarray(array.isel(x=slice(3, 6), y=slice(1, None)))
        self.assertEqual(part.box, ((3, 6), (1, 6), (0, 4)))
        self.assertEqual(part & grid, part)
        coarse = from_xarray(array.isel(x=slice(None, None, 2)))
        np.testing.assert_allclose(coarse.spacing, (0.2, 0.3, 2.0))
        np.testing.assert_allclose(coarse.centers()[:4, 0], array["x"][::2])
        layer = from_xarray(array.isel(z=2))
        self.assertEqual((layer.dimension, len(layer), layer.origin[2]), (2, 48, 0.7 + 2.5 * 2.0))
        one = from_xarray(array.isel(z=slice(2, 3)))
        self.assertEqual((one.dimension, one.box[2]), (3, (2, 3)))

    def test_arrays_of_others(self):
        array = lattice(4, 3, name="height", y=(10.0, 0.5), x=(-1.0, 0.25))
        grid = from_xarray(array.astype("f4").assign_coords(x=array["x"].astype("f4")))
        self.assertEqual((len(grid), grid.spacing[:2], grid.origin), (12, (0.25, 0.5), (-1.125, 9.75, 0.0)))
        self.assertEqual(grid["height"].tolist(), list(range(1, 13)))
        self.assertEqual(len(from_xarray(array.where(array > 4))), 8)  # NaN elsewhere
        self.assertEqual(len(from_xarray(array.astype(int) - 1)), 11)  # not 0
        chosen = from_xarray(array, where=array > 10)
        self.assertEqual(chosen["height"].tolist(), [11, 12])
        bare = from_xarray(lattice(2, 3, 4))
        self.assertEqual((bare.box, bare.spacing, bare.origin), (((0, 4), (0, 3), (0, 2)), (1, 1, 1), (0, 0, 0)))
        self.assertEqual(bare.field_names, ("Value",))
        thirds = lattice(1, 100, x=(np.float32(1 / 3), np.float32(1 / 3)))
        thirds = thirds.assign_coords(x=thirds["x"].astype("f4"))  # even within the rounding of 32 bits
        self.assertAlmostEqual(from_xarray(thirds).spacing[0], 1 / 3, places=6)

    def test_what_is_no_lattice_raises(self):
        array = lattice(3, 4, y=(0.0, 1.0), x=(0.0, 1.0))
        cube = lattice(2, 3, 4)
        for error, words, call in (
            (TypeError, "type ndarray; it must be a DataArray", lambda: from_xarray(array.to_numpy())),
            (TypeError, "type Dataset; it must be a DataArray", lambda: from_xarray(xr.Dataset(dict(a=array)))),
            (ValueError, r"dims are \('x', 'y'\); they must be \('y', 'x'\)", lambda: from_xarray(array.T)),
            (ValueError, r"dims are \('z', 'x', 'y'\)", lambda: from_xarray(cube.transpose("z", "x", "y"))),
            (ValueError, r"dims are \('lat', 'lon'\)", lambda: from_xarray(array.rename(y="lat", x="lon"))),
            (ValueError, r"dims are \('x',\)", lambda: from_xarray(array.isel(y=0))),
            (ValueError, "coordinates x are not even: number 2 is 2.5 instead of",
             lambda: from_xarray(array.assign_coords(x=[0.0, 1.0, 2.5, 3.0]))),
            (ValueError, "coordinates y go from 2 to 0; they must ascend: see array.sortby",
             lambda: from_xarray(array.isel(y=slice(None, None, -1)))),
            (ValueError, "coordinates x go from 1 to 1", lambda: from_xarray(array.assign_coords(x=[1.0] * 4))),
            (ValueError, "finite", lambda: from_xarray(array.assign_coords(x=[0, 1, np.nan, 3]))),
            (ValueError, "coordinates x are of type datetime64",
             lambda: from_xarray(array.assign_coords(x=np.arange(4).astype("datetime64[ns]")))),
            (ValueError, "there are 1 coordinates x, which do not tell the size", lambda: from_xarray(array.isel(x=[0]))),
            (TypeError, "type complex128; it must be of real numbers", lambda: from_xarray(array * 1j)),
            (TypeError, "where is of type float64; it must be bool", lambda: from_xarray(array, where=array)),
            (ValueError, r"where has the dims \('x', 'y'\)", lambda: from_xarray(array, where=(array > 1).T)),
            (ValueError, r"shape \(2, 4\)", lambda: from_xarray(array, where=np.ones((2, 4), bool))),
            (ValueError, "the memory limit is 1 MiB",
             lambda: from_xarray(array).to_xarray(box=((0, 10**5), (0, 10**5)), memory_limit=1)),
            (KeyError, "no field 'T'", lambda: from_xarray(array).to_xarray("T")),
        ):
            with self.subTest(words=words), self.assertRaisesRegex(error, words):
                call()

    def test_attributes_that_say_nothing_are_left(self):
        array = lattice(3, 4, y=(0.5, 1.0), x=(0.5, 1.0))
        for attributes in (dict(spacing="wide", origin=None), dict(spacing=[-3.0] * 3, origin=[np.nan] * 3), dict(origin=3)):
            array.attrs = attributes
            grid = from_xarray(array)
            self.assertEqual((grid.spacing[:2], grid.origin[:2], grid.box), ((1, 1), (0, 0), ((0, 4), (0, 3))))
        self.assertEqual(spanwise.from_xarray.__module__, "spanwise._xarray")


if __name__ == "__main__":
    unittest.main()
