"""Grids in PyVista: meshes stay intervals, files are read and written, and pictures are those of explicit cells."""

import importlib.metadata
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import pyvista
from random_masks import SEED, masks
from vtkmodules.vtkCommonDataModel import vtkPartitionedDataSetCollection

import spanwise
from spanwise import Grid, from_mask, vtkSpanwiseGrid, vtkSpanwiseGridToLevels, vtkSpanwiseIntervalsToUnstructuredGrid


def ball(radius):
    z, y, x = np.ogrid[-radius : radius + 1, -radius : radius + 1, -radius : radius + 1]
    return from_mask(x**2 + y**2 + z**2 < radius**2)


def two_levels():
    """Four by four cells, and a block of half their size beside them."""
    fine = from_mask(np.ones((2, 3), bool), 0.5, (4.0, 0.0))
    vtkSpanwiseGrid.SetLevel(fine.dataset, 1)
    both = vtkPartitionedDataSetCollection()
    for level, grid in enumerate((from_mask(np.ones((4, 4), bool)), fine)):
        both.SetPartition(level, 0, grid.dataset)
    return (both >> vtkSpanwiseGridToLevels()).update().output


class Package(unittest.TestCase):
    def test_metadata(self):
        """pip lists the package, and PyVista finds what it has to give."""
        package = importlib.metadata.distribution("spanwise")
        self.assertRegex(package.version, r"^\d+\.\d+\.\d+")
        self.assertEqual(
            {(entry.group, entry.name, entry.value) for entry in package.entry_points},
            {
                ("pyvista.accessors", "spanwise", "spanwise._pyvista"),
                ("pyvista.readers", ".icsr", "spanwise._pyvista:read"),
                ("pyvista.writers", ".icsr", "spanwise._pyvista:write"),
            },
        )

    def test_each_package_is_imported_where_it_is_used(self):
        for code in (
            "import spanwise; assert not {'pyvista', 'xarray'} & set(sys.modules)",
            "import pyvista; image = pyvista.ImageData(dimensions=(3, 3, 1)); assert 'spanwise' not in sys.modules; "
            "assert len(image.spanwise.grid) == 4",
        ):
            subprocess.run([sys.executable, "-c", f"import sys; {code}"], check=True)


class Meshes(unittest.TestCase):
    def test_there_and_back(self):
        for what, mask in masks(0.0, 0.4, 1.0):
            with self.subTest(**what):
                grid = from_mask(mask, 0.5, -3.0)
                grid["number"] = np.arange(len(grid))
                mesh = grid.to_pyvista()
                self.assertIsInstance(mesh, pyvista.UnstructuredGrid)
                self.assertEqual(mesh.n_cells, mask.sum())
                self.assertTrue(mesh.spanwise.has_intervals)
                for same in (mesh.spanwise.grid, Grid(mesh)):
                    self.assertEqual(same, grid)
                    np.testing.assert_array_equal(same["number"], grid["number"])

    def test_a_mesh_stays_intervals(self):
        """What wrapping, fields, shallow copies and surfaces leave is as large as the grid; deep copies are not."""
        grid = ball(40)
        grid["radius"] = np.linalg.norm(grid.centers() - 40.5, axis=1)
        grid.dataset.GetCell(0)  # from now on it has the tables that surfaces ask for
        size = grid.dataset.GetActualMemorySize()  # in KiB
        self.assertLess(size * 1024 / len(grid), 11)  # 8 of them the field's
        for mesh in (grid.to_pyvista(), pyvista.wrap(grid.dataset)):
            self.assertEqual(mesh.GetActualMemorySize(), size)
            np.testing.assert_allclose(mesh.bounds, [1, 80] * 3)
            self.assertIn("radius", repr(mesh) + " ".join(mesh.array_names))
            np.testing.assert_array_equal(mesh.cell_data["radius"], grid["radius"])
            mesh.cell_data["one"] = np.ones(mesh.n_cells, np.uint8)
            shallow = mesh.copy(deep=False)
            surface = mesh.extract_surface(algorithm=None)
            self.assertLess(surface.n_cells, 8 * 6 * 40**2)
            for kept in (mesh, shallow):
                self.assertTrue(kept.spanwise.has_intervals)
                self.assertLess(kept.GetActualMemorySize() * 1024, size * 1024 + len(grid) + 4096)
        self.assertNotIn("one", grid.field_names)
        explicit = mesh.copy()
        self.assertFalse(explicit.spanwise.has_intervals)
        self.assertGreater(explicit.GetActualMemorySize() * 1024, 100 * len(grid))
        self.assertEqual(explicit.spanwise.grid, grid)

    def test_fields_are_shared(self):
        grid = from_mask(np.ones((3, 4), bool))
        grid["a"] = np.zeros(12)
        grid.to_pyvista().cell_data["a"][5] = 7.0
        self.assertEqual(grid["a"][5], 7.0)

    def test_meshes_of_equal_cells_become_grids(self):
        image = pyvista.ImageData(dimensions=(4, 3, 1), spacing=(0.5, 0.5, 0.5))
        image.cell_data["a"] = np.arange(6.0)
        self.assertFalse(image.spanwise.has_intervals)
        grid = image.spanwise.grid
        self.assertEqual((len(grid), grid.spacing[:2], grid["a"].tolist()), (6, (0.5, 0.5), list(range(6))))
        with self.assertRaisesRegex(ValueError, "triangle|Triangle"):
            pyvista.Sphere().spanwise.grid

    def test_pictures_are_those_of_explicit_cells(self):
        random = np.random.default_rng(SEED)
        grid = from_mask(random.random((5, 6, 7)) < 0.3)
        grid["a"] = random.random(len(grid))
        explicit = pyvista.wrap((grid.dataset >> vtkSpanwiseIntervalsToUnstructuredGrid()).update().output)
        pictures = []
        for mesh in (explicit, grid.to_pyvista(), grid.to_pyvista().extract_surface(algorithm=None)):
            plotter = pyvista.Plotter(off_screen=True, window_size=(200, 200))
            plotter.add_mesh(mesh, scalars="a", show_scalar_bar=False)
            pictures.append(plotter.screenshot(return_img=True).astype(int))
            plotter.close()
        self.assertGreater(np.ptp(pictures[0], axis=(0, 1)).min(), 100)  # not empty
        for picture in pictures[1:]:
            self.assertLess(np.abs(picture - pictures[0]).mean(), 0.5)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "cells.icsr"

    def test_there_and_back(self):
        grid = ball(12)
        grid["a"] = np.arange(len(grid))
        sizes = []
        for level in (0, 9):
            grid.to_pyvista().save(self.path, compression_level=level)
            sizes.append(self.path.stat().st_size)
            mesh = pyvista.read(self.path)
            self.assertTrue(mesh.spanwise.has_intervals)
            self.assertEqual(mesh.spanwise.grid, grid)
            np.testing.assert_array_equal(mesh.cell_data["a"], grid["a"])
        self.assertLess(sizes[1], sizes[0])
        self.assertEqual(spanwise.read(self.path), grid)

    def test_levels_are_blocks(self):
        spanwise.write(self.path, two_levels())
        for _ in range(2):
            blocks = pyvista.read(self.path)
            self.assertIsInstance(blocks, pyvista.MultiBlock)
            self.assertEqual(blocks.keys(), ["Level0", "Level1"])
            self.assertEqual([block.n_cells for block in blocks], [16, 6])
            self.assertEqual(blocks[1].spanwise.grid.spacing[0], 0.5)
            blocks.save(self.path)

    def test_what_does_not_work_raises(self):
        self.path.write_bytes(b"not what it says")
        no_levels = pyvista.MultiBlock([from_mask(np.ones((2, 2), bool), s).to_pyvista() for s in (1.0, 0.3)])
        grid = from_mask(np.ones((2, 2), bool)).to_pyvista()
        other = self.path.with_name("other.icsr")
        for error, words, call in (
            (OSError, "cells.icsr", lambda: pyvista.read(self.path)),
            (FileNotFoundError, "not found", lambda: pyvista.read(other)),
            (OSError, "cell 0 is of type vtkTriangle", lambda: pyvista.Sphere().save(other)),
            (ValueError, "spacings along x are 1 and 0.3", lambda: no_levels.save(other)),
            (ValueError, "compression is 10", lambda: grid.save(other, compression_level=10)),
            (TypeError, "colour", lambda: grid.save(other, colour=1)),
        ):
            with self.subTest(words=words), self.assertRaisesRegex(error, words):
                call()
        self.assertFalse(other.exists())


if __name__ == "__main__":
    unittest.main()
