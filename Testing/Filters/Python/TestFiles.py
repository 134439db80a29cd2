"""Files of grids: what is written is read, and other suffixes are refused with one message."""

import os
import tempfile
import unittest
from pathlib import Path

import numpy as np
from random_masks import masks
from vtkmodules.vtkCommonDataModel import vtkPartitionedDataSetCollection

import spanwise


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name) / "cells.icsr"

    def test_there_and_back(self):
        for what, mask in masks(0.0, 0.4, 1.0):
            with self.subTest(**what):
                grid = spanwise.from_mask(mask, 0.1, -3.0)
                grid["number"] = np.arange(len(grid))
                grid["centre"] = grid.centers()
                for compression in (0, 9):
                    spanwise.write(self.path, grid, compression)
                    again = spanwise.read(self.path)
                    self.assertEqual(again, grid)
                    for name in grid.field_names:
                        np.testing.assert_array_equal(again[name], grid[name])

    def test_a_file_of_levels(self):
        """It has a grid for each level."""
        coarse = spanwise.from_mask(np.ones((4, 4), bool))
        fine = spanwise.from_mask(np.ones((2, 2), bool), 0.5, (4.0, 0.0))
        spanwise.vtkSpanwiseGrid.SetLevel(fine.dataset, 1)
        both = vtkPartitionedDataSetCollection()
        both.SetPartition(0, 0, coarse.dataset)
        both.SetPartition(1, 0, fine.dataset)
        spanwise.write(self.path, (both >> spanwise.vtkSpanwiseGridToLevels()).update().output)
        levels = spanwise.read(self.path)
        self.assertIsInstance(levels, vtkPartitionedDataSetCollection)
        grids = [spanwise.Grid(levels.GetPartition(level, 0)) for level in range(2)]
        self.assertEqual([(len(grid), grid.spacing[0]) for grid in grids], [(16, 1.0), (4, 0.5)])

    def test_files_of_openvdb(self):
        """A field is a grid of the file; several are a collection."""
        path = Path(self.folder.name) / "cells.vdb"
        grid = spanwise.from_mask(np.random.default_rng(3).random((9, 10, 11)) < 0.4, 0.5, -3.0)
        spanwise.write(path, grid)
        self.assertEqual(spanwise.read(path), grid)
        grid["T"] = np.arange(len(grid), dtype=np.float32)
        spanwise.write(path, grid)
        again = spanwise.read(path)
        self.assertEqual(again, grid)
        np.testing.assert_array_equal(again["T"], grid["T"])
        grid["v"] = grid.centers()
        spanwise.write(path, grid)
        both = spanwise.read(path)
        self.assertIsInstance(both, vtkPartitionedDataSetCollection)
        grids = [spanwise.Grid(both.GetPartition(k, 0)) for k in range(2)]
        np.testing.assert_array_equal(grids[1]["v"], grid["v"])
        with self.assertRaisesRegex(ValueError, "compression is 1; a '.vdb' file"):
            spanwise.write(path, grid, 1)
        with self.assertRaisesRegex(ValueError, "a '.vdb' file has one step"):
            spanwise.read(path, 0.5)

    def test_the_suffix_in_any_case(self):
        path = os.path.join(self.folder.name, "CELLS.ICSR")
        spanwise.write(path, spanwise.from_mask(np.ones((2, 2), bool)))
        self.assertEqual(len(spanwise.read(path)), 4)

    def test_what_does_not_work_raises(self):
        grid = spanwise.from_mask(np.ones((2, 2), bool))
        damaged = Path(self.folder.name) / "damaged.icsr"
        damaged.write_bytes(b"not what it says")
        for error, words, call in (
            (ValueError, "'cells.vtu' has the suffix '.vtu'; it must be '.icsr', '.vdb' or '.h5'", lambda: spanwise.read("cells.vtu")),
            (ValueError, "'cells' has the suffix ''", lambda: spanwise.write("cells", grid)),
            (ValueError, "suffix '.h5'; it must be '.icsr' or '.vdb'", lambda: spanwise.write("cells.h5", grid)),
            (ValueError, "a '.h5' file has one step", lambda: spanwise.read("cells.h5", 0.5)),
            (FileNotFoundError, "there is no file", lambda: spanwise.read(self.path)),
            (OSError, "damaged.icsr", lambda: spanwise.read(damaged)),
            (OSError, "cannot write", lambda: spanwise.write(Path(self.folder.name) / "no" / "cells.icsr", grid)),
            (ValueError, "compression is 10; it must be from 0 to 9", lambda: spanwise.write(self.path, grid, 10)),
            (TypeError, "grid is of type ndarray", lambda: spanwise.write(self.path, np.ones((2, 2), bool))),
        ):
            with self.subTest(words=words), self.assertRaisesRegex(error, words):
                call()
        self.assertFalse(self.path.exists())


if __name__ == "__main__":
    unittest.main()
