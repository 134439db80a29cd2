"""Files that h5py writes unless it is told otherwise: those of the page's code are read, so are other ways to store
them, and damaged ones give one message and an empty output."""

import os
import random
import re
import resource
import tempfile
import unittest

import h5py
import numpy
from TestFormat import PAGE, read
from vtkmodules.util.numpy_support import vtk_to_numpy

import spanwise
from spanwise import numpy_support

SEED = int(os.environ.get("SPANWISE_TEST_SEED", "20240511"))
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))  # a damaged file cannot ask for more


def blocks_of_page():
    """The code that reads and the code that writes."""
    with open(PAGE, encoding="utf-8") as page:
        reads, writes = re.findall(r"^```python\n(.*?)^```$", page.read(), re.MULTILINE | re.DOTALL)
    return reads, writes


READS, WRITES = blocks_of_page()
exec(WRITES)  # defines write_icsr()


def random_cells(dimension, count=300):
    """Different cells in any order, some of them side by side, and some with negative coordinates."""
    numbers = numpy.random.default_rng(SEED + dimension)
    cells = numpy.unique(numbers.integers(-5, 6, (count, dimension)), axis=0)
    return numbers.permutation(cells)


class Page(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "a.icsr")

    def test_the_code_is_short(self):
        self.assertLessEqual(len(READS.splitlines()), 10)
        self.assertLessEqual(len(WRITES.splitlines()), 30)

    def test_what_it_writes_is_read(self):
        for dimension in (2, 3):
            cells = random_cells(dimension)
            fields = {"x": cells[:, 0] * 0.5, "cell": cells.astype("f4"), "number": numpy.arange(len(cells))}
            write_icsr(self.path, cells, fields, origin=(1, 2, 3), spacing=(0.5, 0.25, 2.0))
            grid = spanwise.read(self.path)
            with self.subTest(seed=SEED, dimension=dimension):
                expected = numpy_support.from_cells(cells, (1, 2, 3), (0.5, 0.25, 2.0), fields)
                self.assertEqual(grid, spanwise.Grid(expected))
                self.assertEqual(sorted(grid.field_names), sorted(fields))
                for name in fields:
                    numpy.testing.assert_array_equal(grid[name], spanwise.Grid(expected)[name])
                scope = dict(name=self.path)
                exec(READS, scope)
                numpy.testing.assert_array_equal(scope["cells"], grid.cells())
                numpy.testing.assert_array_equal(scope["values"]["number"], grid["number"])
                spanwise.write(self.path, grid)  # and the other way round
                exec(READS, scope)
                numpy.testing.assert_array_equal(scope["cells"], grid.cells())
                write_icsr(self.path, scope["cells"], scope["values"], scope["origin"], scope["spacing"])
                self.assertEqual(spanwise.read(self.path), grid)


class Storage(unittest.TestCase):
    """One set, stored in all the ways that h5py has for arrays and texts."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "a.icsr")
        self.cells = random_cells(3)
        write_icsr(self.path, self.cells, {})
        self.grid = spanwise.read(self.path)
        self.vectors = numpy.random.default_rng(SEED).random((len(self.grid), 3))

    def expect_refused(self, *words):
        output, errors = read(self.path)
        self.assertEqual(len(errors), 1, errors)
        self.assertEqual(output.GetNumberOfCells(), 0)
        for word in (self.path, *words):
            self.assertIn(word, errors[0])

    def test_arrays(self):
        rows = len(self.grid)
        for options in (
            dict(),
            dict(compression="gzip"),  # in chunks that h5py chooses, which do not have whole rows
            dict(compression="gzip", compression_opts=9, shuffle=True),
            dict(chunks=True),
            dict(chunks=(7, 2)),
            dict(chunks=(7, 2), fletcher32=True),
            dict(chunks=(rows, 3), shuffle=True),
            dict(chunks=(1, 1)),
            dict(maxshape=(None, None)),
            dict(maxshape=(None, 3), fletcher32=True, compression="gzip", shuffle=True),
            dict(chunks=(5, 3), track_times=True),
        ):
            with h5py.File(self.path, "a") as file:
                data = file["Step0/Level0"].require_group("CellData")
                data.pop("v", None)
                data.create_dataset("v", data=self.vectors, **options)
                for name, values in list(file["Step0/Level0"].items()):
                    if name in ("Intervals", "RowKeys") and "chunks" not in options:
                        stored = values[:]
                        del file["Step0/Level0"][name]
                        file["Step0/Level0"].create_dataset(name, data=stored, **(options | dict(maxshape=None)))
            with self.subTest(**options):
                grid = spanwise.read(self.path)
                self.assertEqual(grid, self.grid)
                numpy.testing.assert_array_equal(grid["v"], self.vectors)

    def test_large_arrays(self):
        """More than one chunk of h5py's, more than one node of a tree."""
        for dimension, rows in ((2, 100_000), (3, 20_000)):
            cells = numpy.zeros((rows, dimension), int)
            cells[:, 1] = numpy.arange(rows) * 2
            values = numpy.random.default_rng(SEED).random((rows, 3))
            write_icsr(self.path, cells, {})
            for options in (dict(), dict(compression="gzip"), dict(chunks=(16, 2))):
                with h5py.File(self.path, "a") as file:
                    data = file["Step0/Level0"].require_group("CellData")
                    data.pop("v", None)
                    data.create_dataset("v", data=values, **options)
                grid = spanwise.read(self.path)
                self.assertEqual(len(grid), rows)
                numpy.testing.assert_array_equal(grid["v"], values)

    def test_many_arrays(self):
        """Names in many nodes of a group's tree, in the order of names."""
        with h5py.File(self.path, "a") as file:
            for number in range(3000):
                file[f"Step0/Level0/CellData/a{number:04d}"] = numpy.full(len(self.grid), number, "i2")
        grid = spanwise.read(self.path)
        self.assertEqual(grid.field_names, tuple(f"a{number:04d}" for number in range(3000)))
        self.assertEqual([grid[f"a{number:04d}"][0] for number in (0, 1, 1500, 2999)], [0, 1, 1500, 2999])

    def test_texts(self):
        for units in ("m/s", numpy.bytes_("m/s"), numpy.str_("m/s").encode()):
            with h5py.File(self.path, "a") as file:
                data = file["Step0/Level0"].require_group("CellData")
                data.pop("v", None)
                data["v"] = self.vectors
                data["v"].attrs["Units"] = units
                data["v"].attrs["ComponentNames"] = ["along", "", "ä" * 300]
                file.attrs["TimeUnits"] = "µs"
                file["Step0"].attrs["Time"] = 2
            output, errors = read(self.path)
            self.assertEqual(errors, [])
            array = output.GetCellData().GetArray("v")
            names = [array.GetComponentName(k) for k in range(3)]
            self.assertEqual(names, ["along", None, "ä" * 300] if names[1] is None else ["along", "", "ä" * 300])
            self.assertEqual(vtk_to_numpy(array).shape, self.vectors.shape)

    def test_what_others_leave_is_ignored(self):
        with h5py.File(self.path, "a") as file:
            level = file["Step0/Level0"]
            level.attrs["ragged"] = numpy.array([numpy.arange(3), numpy.arange(2)], dtype=h5py.vlen_dtype("i4"))
            level.attrs["none"] = h5py.Empty("f8")
            level.attrs["reference"] = file.ref
            level.attrs["flags"] = numpy.array([True, False])
            level.attrs["long"] = "x" * 20_000
            level["link"] = h5py.SoftLink("/nowhere")
            level["elsewhere/deep"] = numpy.zeros((2, 2, 2))
            for number in range(50):
                level.attrs[f"attribute {number}"] = number
        self.assertEqual(spanwise.read(self.path), self.grid)

    def test_steps_and_levels(self):
        with h5py.File(self.path, "a") as file:
            file["Step0"].attrs["Time"] = 0.5
            file.copy("Step0", "Step1")
            file["Step1"].attrs["Time"] = 1.5
        self.assertEqual(spanwise.read(self.path, time=1.5), self.grid)

    def test_what_is_refused(self):
        def change(name, data, **options):
            with h5py.File(self.path, "a") as file:
                level = file["Step0/Level0"]
                level.pop(name, None)
                level.create_dataset(name, data=data, **options)

        rows = len(self.grid)
        keys = numpy.zeros((3, 2), "i8")
        for words, name, data, options in (
            (("RowKeys", "int64", "int32"), "RowKeys", keys, {}),
            (("CellData/'v'", "class 8"), "CellData/v", numpy.ones(rows, bool), {}),
            (("CellData/'v'", "big-endian"), "CellData/v", numpy.ones(rows, ">i4"), {}),
            (("CellData/'v'", "class 9"), "CellData/v", numpy.array(["a"] * rows, object), {}),
            (("CellData/'v'", "filter"), "CellData/v", numpy.ones(rows), dict(compression="lzf")),
            (("CellData/'v'", str(rows - 1)), "CellData/v", numpy.ones(rows - 1), {}),
        ):
            write_icsr(self.path, self.cells, {})
            change(name, data, **options)
            with self.subTest(words=words):
                self.expect_refused(*words)
        write_icsr(self.path, self.cells, {})
        with h5py.File(self.path, "a") as file:
            file["Step0/Level0/CellData/a"] = numpy.ones(rows)
            file["Step0/Level0/CellData/b"] = file["Step0/Level0/CellData/a"]
        self.expect_refused("one object")
        with h5py.File(self.path, "w", userblock_size=512):
            pass
        self.expect_refused("signature")

    def test_huge_claims(self):
        """Arrays of terabytes of which nothing was written."""
        for options in (dict(), dict(chunks=(2**20, 2)), dict(chunks=(1, 1)), dict(chunks=(2**20, 2), fletcher32=True)):
            write_icsr(self.path, self.cells, {})
            with h5py.File(self.path, "a") as file:
                del file["Step0/Level0/Intervals"]
                file["Step0/Level0"].create_dataset("Intervals", (2**40, 2), "i4", **options)
            with self.subTest(**options):
                self.expect_refused("Intervals")


class Damage(unittest.TestCase):
    """Nothing but one message, or what a file of the same shape holds: never the end of the process."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "a.icsr")
        cells = random_cells(2)
        write_icsr(self.path, cells, {"a": numpy.arange(len(cells))})
        with h5py.File(self.path, "a") as file:
            file["Step0/Level0/CellData/a"].attrs["Units"] = "kilograms"
            file["Step0/Level0/CellData"].create_dataset("b", data=numpy.ones((len(cells), 3)), compression="gzip")
        with open(self.path, "rb") as file:
            self.whole = file.read()

    def read_damaged(self, data, **what):
        with open(self.path, "wb") as file:
            file.write(data)
        output, errors = read(self.path)
        with self.subTest(seed=SEED, **what):
            self.assertLessEqual(len(errors), 1)
            if errors:
                self.assertEqual(output.GetNumberOfCells(), 0)
                self.assertIn(self.path, errors[0])
        return errors

    def test_cut_off(self):
        for bytes_ in range(0, len(self.whole), 97):
            self.assertEqual(len(self.read_damaged(self.whole[:bytes_], bytes=bytes_)), 1)
        self.assertEqual(len(self.read_damaged(self.whole + b"more")), 1)

    def test_changed_bytes(self):
        chance = random.Random(SEED)
        meant = [k for k, byte in enumerate(self.whole) if byte]  # most others are unused
        refused = 0
        for _ in range(1500):
            data = bytearray(self.whole)
            for _ in range(chance.choice((1, 1, 1, 2, 8))):
                data[chance.choice(meant)] = chance.choice((0, 1, 2, 8, 127, 128, 255, chance.randrange(256)))
            refused += len(self.read_damaged(bytes(data)))
        self.assertGreater(refused, 100)

    def test_numbers_of_eight_bytes(self):
        """Addresses and sizes that lead elsewhere: into themselves, over the end, or round."""
        chance = random.Random(SEED)
        size = len(self.whole)
        for _ in range(1500):
            data = bytearray(self.whole)
            at = chance.randrange(0, size // 8) * 8
            other = chance.randrange(0, size // 8) * 8
            value = chance.choice((other, at, size, size - 1, 2**32, 2**63, 2**64 - 2, 2**40 + other))
            data[at : at + 8] = value.to_bytes(8, "little")
            self.read_damaged(bytes(data), at=at, value=value)


if __name__ == "__main__":
    unittest.main()
