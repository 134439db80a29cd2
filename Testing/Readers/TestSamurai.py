"""Files of samurai, made by h5py as samurai makes them: cells and values are those of an explosion by hand, and damaged
files give one message and an empty output."""

import os
import random
import resource
import tempfile
import unittest

import h5py
import numpy
from samurai_files import INTERVAL, dump, in_order
from vtkmodules.util.misc import calldata_type
from vtkmodules.vtkCommonCore import VTK_STRING
from vtkmodules.vtkCommonDataModel import vtkDataObject, vtkPartitionedDataSetCollection, vtkUnstructuredGrid
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline

import spanwise
from spanwise import vtkSpanwiseSamuraiReader

SEED = int(os.environ.get("SPANWISE_TEST_SEED", "20260612"))
FORMATS = (dict(), dict(libver=("v108", "v108")))  # what HDF5 writes by default before version 2.0, and from it on
ORIGIN = {2: (-3.0, 0.5), 3: (-3.0, 0.5, 7.0)}
SIZE = 0.75
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))  # a damaged file cannot ask for more


def random_leaves(numbers, dimension, low, high):
    """Leaf cells of random trees, some of them left out, from the level `low` on; negative coordinates too."""
    side = {2: 8, 3: 4}[dimension]
    cells = numpy.stack(numpy.meshgrid(*[numpy.arange(-side // 2, side // 2)] * dimension), -1).reshape(-1, dimension)
    corners = numpy.stack(numpy.meshgrid(*[[0, 1]] * dimension), -1).reshape(-1, dimension)
    leaves = {}
    for level in range(low, high + 1):
        split = numbers.random(len(cells)) < (0.3 if level < high else 0)
        leaf = cells[~split]
        leaves[level] = leaf[numbers.random(len(leaf)) < 0.9]
        cells = (2 * cells[split][:, None, :] + corners).reshape(-1, dimension)
    return leaves


def split_at_random(numbers, leaves, count):
    """The same cells dealt out to processes: some without any, and rows cut anywhere."""
    owners = {level: numbers.integers(0, count, len(cells)) for level, cells in leaves.items()}
    return [{level: cells[owners[level] == process] for level, cells in leaves.items()} for process in range(count)]


def number_of(level, cells):
    return 1000.0 * level + cells @ (10.0 ** numpy.arange(cells.shape[1]))


FIELDS = {"u": number_of, "velocity": lambda level, cells: numpy.stack([cells[:, 0], -cells[:, 1]], -1).astype("f4"),
          "level": lambda level, cells: numpy.full(len(cells), level, "i4")}


def read(path, setup=lambda reader: None, piece=None):
    """The reader's output and its errors."""
    errors = []

    @calldata_type(VTK_STRING)
    def note(_caller, _event, text):
        errors.append(text)

    reader = vtkSpanwiseSamuraiReader()
    reader.AddObserver("ErrorEvent", note)
    reader.GetExecutive().AddObserver("ErrorEvent", note)
    reader.SetFileName(path)
    reader.UpdateInformation()
    setup(reader)
    if piece is None:
        reader.Update()
    else:
        reader.UpdatePiece(*piece, 0)
    output = reader.GetOutputDataObject(0)
    return output, errors


def grids_of(output):
    """The grids by the level that they have in samurai."""
    if isinstance(output, vtkUnstructuredGrid):
        parts = [output]
    else:
        parts = [output.GetPartition(level, 0) for level in range(output.GetNumberOfPartitionedDataSets())]
    return {int(part.GetFieldData().GetArray("SamuraiLevel").GetValue(0)): spanwise.Grid(part) for part in parts}


class TemporaryFile(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "mesh.h5")
        self.numbers = numpy.random.default_rng(SEED)

    def expect_refused(self, *words):
        output, errors = read(self.path)
        self.assertEqual(len(errors), 1, errors)
        self.assertEqual(output.GetNumberOfElements(vtkDataObject.CELL), 0)
        for word in (self.path, *words):
            self.assertIn(word, errors[0])


class Cells(TemporaryFile):
    def expect_level(self, grid, level, cells, origin, size):
        """Corners of cells as samurai has them: origin_point + scaling_factor / 2^level (i, j, k)."""
        cells = in_order(cells)
        length = size / 2**level
        dimension = len(origin)
        numpy.testing.assert_array_equal(grid.cells(), cells)
        if len(cells) == 0:
            return
        centers = numpy.array(origin) + length * (cells + 0.5)
        numpy.testing.assert_allclose(grid.centers()[:, :dimension], centers, rtol=0, atol=1e-12)
        bounds = grid.dataset.GetCell(0).GetBounds()
        numpy.testing.assert_allclose(bounds[: 2 * dimension : 2], centers[0] - length / 2, rtol=0, atol=1e-12)
        numpy.testing.assert_allclose(bounds[1 : 2 * dimension : 2], centers[0] + length / 2, rtol=0, atol=1e-12)

    def test_levels(self):
        for dimension, count, options in ((d, p, o) for d in (2, 3) for p in (1, 2, 5) for o in FORMATS):
            leaves = random_leaves(self.numbers, dimension, 1, 4)
            processes = split_at_random(self.numbers, leaves, count) if count > 1 else [leaves]
            dump(self.path, processes, FIELDS, (1, 5), ORIGIN[dimension], SIZE, **options)
            with self.subTest(seed=SEED, dimension=dimension, processes=count, **options):
                output, errors = read(self.path)
                self.assertEqual(errors, [])
                self.assertIsInstance(output, vtkPartitionedDataSetCollection)
                grids = grids_of(output)
                self.assertEqual(list(grids), [1, 2, 3, 4, 5])
                none = numpy.zeros((0, dimension), int)
                for level, grid in grids.items():
                    cells = in_order(leaves.get(level, none))
                    self.expect_level(grid, level, cells, ORIGIN[dimension], SIZE)
                    for name, function in FIELDS.items():
                        expected = numpy.asarray(function(level, cells))
                        self.assertEqual(grid[name].dtype, expected.dtype)
                        numpy.testing.assert_array_equal(grid[name], expected)

    def test_one_level(self):
        """A mesh of one level is a grid."""
        for dimension, options in ((d, o) for d in (2, 3) for o in FORMATS):
            cells = random_leaves(self.numbers, dimension, 3, 3)[3]
            processes = split_at_random(self.numbers, {3: cells}, 3)
            dump(self.path, processes, FIELDS, None, ORIGIN[dimension], SIZE, **options)
            with self.subTest(seed=SEED, dimension=dimension, **options):
                output, errors = read(self.path)
                self.assertEqual(errors, [])
                self.assertEqual(list(grids_of(output)), [3])
                grid = spanwise.Grid(output)
                self.expect_level(grid, 3, cells, ORIGIN[dimension], SIZE)
                numpy.testing.assert_array_equal(grid["u"], number_of(3, in_order(cells)))

    def test_bytes(self):
        """A grid of intervals takes no memory for a cell."""
        cells = numpy.stack(numpy.meshgrid(numpy.arange(1000), numpy.arange(1000)), -1).reshape(-1, 2)
        dump(self.path, [{10: cells}])
        grid = spanwise.Grid(read(self.path)[0])
        self.assertEqual(len(grid), 10**6)
        self.assertLess(grid.dataset.GetActualMemorySize(), 1000)  # KiB; explicit cells take 60,000

    def test_pieces(self):
        for dimension, count in ((2, 1), (3, 1), (2, 3), (3, 3)):
            leaves = random_leaves(self.numbers, dimension, 0, 3)
            for low in (0, 3):  # levels, and one level
                part = {level: cells for level, cells in leaves.items() if level >= low}
                dump(self.path, split_at_random(self.numbers, part, count), FIELDS, None, ORIGIN[dimension], SIZE)
                for pieces in (1, 2, 3, 7, 40):
                    parts = [grids_of(read(self.path, piece=(p, pieces))[0]) for p in range(pieces)]
                    with self.subTest(seed=SEED, dimension=dimension, processes=count, pieces=pieces, low=low):
                        for level, cells in part.items():
                            cells = in_order(cells)
                            together = [piece[level] for piece in parts]
                            numpy.testing.assert_array_equal(
                                numpy.concatenate([grid.cells() for grid in together]), cells)
                            for name, function in FIELDS.items():
                                numpy.testing.assert_array_equal(
                                    numpy.concatenate([grid[name] for grid in together]), function(level, cells))
                        # No root plane is in two pieces.
                        planes = [{int(plane) >> (level - low) for level in part
                                   for plane in piece[level].cells()[:, -1]} for piece in parts]
                        self.assertEqual(sum(map(len, planes)), len(set().union(*planes)))

    def test_fields_are_chosen(self):
        leaves = random_leaves(self.numbers, 2, 1, 2)
        dump(self.path, [leaves], FIELDS)
        output, errors = read(self.path, lambda reader: reader.GetCellDataArraySelection().DisableArray("velocity"))
        self.assertEqual(errors, [])
        self.assertEqual(sorted(grids_of(output)[2].field_names), ["level", "u"])
        dump(self.path, [leaves])
        self.assertEqual(grids_of(read(self.path)[0])[2].field_names, ())

    def test_many_fields_and_levels(self):
        """More members than a group keeps in its header, and more than a node of its tree."""
        cells = numpy.array([[0, 0], [1, 0], [5, 7]])
        for options in FORMATS:
            for count in (9, 60, 3000):
                fields = {f"field {k}": lambda level, cells, k=k: numpy.full(len(cells), k, "i4") for k in range(count)}
                levels = range(12) if count == 9 else range(1)
                processes = [{level: cells + 20 * level * 2**level for level in levels}]  # no two over each other
                dump(self.path, processes, fields, **options)
                with self.subTest(count=count, **options):
                    output, errors = read(self.path)
                    self.assertEqual(errors, [])
                    grid = grids_of(output)[0]
                    self.assertEqual(sorted(grid.field_names), sorted(fields))
                    for k in range(count):
                        self.assertEqual(grid[f"field {k}"].tolist(), [k, k, k])

    def test_time(self):
        cells = numpy.array([[0, 0]])
        for time in (None, 0.25):
            dump(self.path, [{2: cells}], time=time)
            reader = vtkSpanwiseSamuraiReader()
            reader.SetFileName(self.path)
            reader.Update()
            steps = vtkStreamingDemandDrivenPipeline.TIME_STEPS()
            information = reader.GetOutputInformation(0)
            self.assertEqual(information.Has(steps), int(time is not None))
            data = reader.GetOutputDataObject(0).GetInformation()
            if time is not None:
                self.assertEqual(information.Get(steps, 0), time)
                self.assertEqual(data.Get(vtkDataObject.DATA_TIME_STEP()), time)

    def test_what_others_leave_is_ignored(self):
        leaves = random_leaves(self.numbers, 2, 1, 2)
        for options in FORMATS:
            dump(self.path, [leaves], FIELDS, **options)
            with h5py.File(self.path, "a", **options) as file:
                file["mesh/more"] = numpy.zeros((2, 2, 2))
                for number in range(20):
                    file.attrs[f"parameter {number}"] = number
                    file["mesh"].attrs[f"text {number}"] = "long " * number
            with self.subTest(**options):
                output, errors = read(self.path)
                self.assertEqual(errors, [])
                self.assertEqual(len(grids_of(output)[1]), len(leaves[1]))

    def test_repacked(self):
        """Chunks, as h5repack makes them."""
        leaves = random_leaves(self.numbers, 3, 1, 2)
        for options in FORMATS:
            dump(self.path, [leaves], FIELDS, **options)
            with h5py.File(self.path, "a", **options) as file:
                for name in ("mesh/level/2/dim/0/intervals/data", "fields/u/data/data", "fields/velocity/data/data"):
                    values = file[name][:]
                    del file[name]
                    file.create_dataset(name, data=values, compression="gzip", chunks=(7,), shuffle=True)
            with self.subTest(**options):
                output, errors = read(self.path)
                self.assertEqual(errors, [])
                for level, cells in leaves.items():
                    numpy.testing.assert_array_equal(grids_of(output)[level]["u"], number_of(level, in_order(cells)))

    def test_which_files_can_be_read(self):
        reader = vtkSpanwiseSamuraiReader()
        self.assertEqual(reader.CanReadFile(self.path), 0)
        for options in FORMATS:
            dump(self.path, [{2: numpy.array([[0, 0]])}], FIELDS, **options)
            self.assertEqual(reader.CanReadFile(self.path), 1)
            with h5py.File(self.path, "a", **options) as file:
                del file["mesh/scaling_factor"]
            self.assertEqual(reader.CanReadFile(self.path), 0)
            with h5py.File(self.path, "w", **options) as file:
                file["mesh/points"] = numpy.zeros((4, 3))
            self.assertEqual(reader.CanReadFile(self.path), 0)
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("a text")
        self.assertEqual(reader.CanReadFile(self.path), 0)


class Refusals(TemporaryFile):
    """One message for each rule."""

    def change(self, name, data, dimension=2, **options):
        """Two rows, [0, 3) and [5, 7), and [2, 4), of level 1, with something else in one place."""
        cells = numpy.array([[0, 0], [1, 0], [2, 0], [5, 0], [6, 0], [2, 1], [3, 1]])
        if dimension == 3:
            cells = numpy.concatenate([numpy.pad(cells, ((0, 0), (0, 1)), constant_values=z) for z in (0, 1)])
        dump(self.path, [{1: cells}], FIELDS, (1, 2), **options)
        with h5py.File(self.path, "a") as file:
            if callable(data):
                data = data(file[name][()])
            del file[name]
            if data is not None:
                file[name] = data

    def intervals(self, axis, number, **values):
        def change(data):
            for name, value in values.items():
                data[name][number] = value
            return data

        self.change(f"mesh/level/1/dim/{axis}/intervals/data", change)

    def test_the_mesh(self):
        for words, name, data in (
            (("/mesh/dim", "samurai::save"), "mesh/dim", None),
            (("/mesh/dim", "samurai::save"), "mesh", None),
            (("dimension 1", "2 and 3"), "mesh/dim", 1),
            (("dimension 4",), "mesh/dim", 4),
            (("/mesh/dim", "compound"), "mesh/dim", numpy.zeros((), INTERVAL)),
            (("/mesh/max_level", "31"), "mesh/max_level", 31),
            (("/mesh/max_level", "less than"), "mesh/max_level", 0),
            (("/mesh/min_level", "-1"), "mesh/min_level", -1),
            (("/mesh/min_level", "0.5"), "mesh/min_level", 0.5),
            (("/mesh/scaling_factor", "0"), "mesh/scaling_factor", 0.0),
            (("/mesh/scaling_factor", "nan"), "mesh/scaling_factor", numpy.nan),
            (("/mesh/scaling_factor", "2 values"), "mesh/scaling_factor", numpy.ones(2)),
            (("no array /mesh/scaling_factor",), "mesh/scaling_factor", None),
            (("/mesh/origin_point", "3 values", "2"), "mesh/origin_point", numpy.zeros(3)),
            (("/mesh/origin_point", "inf"), "mesh/origin_point", numpy.array([0.0, numpy.inf])),
            (("no /n_process", "0.24"), "n_process", None),
            (("/n_process", "0"), "n_process", 0),
            (("/n_process is 2", "2 values"), "n_process", 2),
            (("/n_process",), "n_process", 10**9),
        ):
            with self.subTest(name=name, data=data):
                self.change(name, data)
                self.expect_refused(*words)

    def test_intervals(self):
        for words, axis, number, values in (
            (("[3, 3)", "interval 0"), 0, 0, dict(start=3)),
            (("step 2",), 0, 1, dict(step=2)),
            (("[1, 7)", "follows [0, 3)"), 0, 1, dict(start=1)),
            (("[-5, 7)", "follows"), 0, 1, dict(start=-5)),
            (("offset number",), 1, 0, dict(index=-1)),
            (("offset number",), 1, 0, dict(index=2**40)),
            (("index 9223372036854775807",), 1, 0, dict(index=2**63 - 1)),
            (("offset number",), 1, 0, dict(end=2**31 - 1)),
            (("belong to no coordinate",), 1, 0, dict(end=1)),
        ):
            with self.subTest(axis=axis, number=number, values=values):
                self.intervals(axis, number, **values)
                self.expect_refused("level", *words)
        data = "mesh/level/1/dim/0/intervals/data"
        self.change(data, lambda data: numpy.arange(len(data)))
        self.expect_refused("it must be a compound", "'start'")
        wide = numpy.dtype([("start", "<i8"), ("end", "<i8"), ("step", "<i8"), ("index", "<i8")])
        self.change(data, lambda data: data.astype(wide))
        self.assertEqual(read(self.path)[1], [])  # another type of coordinates
        self.change(data, lambda data: (lambda new: (new["end"].__setitem__(2, 2**31), new)[1])(data.astype(wide)))
        self.expect_refused("[2, 2147483648)", "int32")

    def test_offsets(self):
        for axis, dimension in ((1, 2), (1, 3), (2, 3)):
            name = f"mesh/level/1/dim/{axis}/offsets/data"
            for change in (
                lambda data: data[::-1].copy(),
                lambda data: data * 0,
                lambda data: numpy.where(data == data.max(), 10**15, data),
                lambda data: numpy.where(data == data.max(), 2**63 + 5, data),
                lambda data: data + 1,
                lambda data: data.astype("f8"),
            ):
                with self.subTest(axis=axis, dimension=dimension):
                    self.change(name, change, dimension)
                    self.expect_refused("level")

    def test_partitions(self):
        for array in ("mesh/level/1/dim/0/intervals", "mesh/level/1/dim/1/offsets", "fields/u/data"):
            for words, name, data in (
                (("partition", "ascend"), "partition", lambda data: data + 1),
                (("partition", "ascend"), "partition", lambda data: data[::-1].copy()),
                (("partition", "ascend"), "partition", numpy.array([0, 2**62])),
                (("partition", "not be negative"), "partition", numpy.array([-1, 3])),
                (("partition", "one more"), "partition", numpy.array([0, 1, 3])),
                (("no partition",), "partition", None),
                (("partition",), "data", lambda data: data[:-1]),
            ):
                with self.subTest(array=array, name=name):
                    self.change(f"{array}/{name}", data)
                    self.expect_refused(*words)

    def test_fields(self):
        for words, name, data in (
            (("the field 'u'", "n_comp"), "fields/u/n_comp", None),
            (("/fields/u/n_comp", "0"), "fields/u/n_comp", 0),
            (("/fields/u/n_comp", "65536"), "fields/u/n_comp", 2**40),
            (("the field 'u'", "7 values", "7 cells of 2 components"), "fields/u/n_comp", 2),
            (("the field 'u'", "row of numbers"), "fields/u/data/data", numpy.zeros((7, 2))),
            (("class 8",), "fields/u/data/data", numpy.ones(7, bool)),
            (("the field 'u'", "0 values"), "fields/u/data", None),
        ):
            with self.subTest(name=name, words=words):
                self.change(name, data)
                self.expect_refused(*words)

    def test_cells_twice(self):
        cells = numpy.array([[0, 0], [1, 0], [2, 0]])
        dump(self.path, [{1: cells}, {1: cells[1:] + [0, 0]}], FIELDS)
        self.expect_refused("two processes have the cell 1", "y = 0")
        dump(self.path, [{1: cells, 2: 2 * cells}], FIELDS)
        self.expect_refused("level")

    def test_links_that_lead_round(self):
        for options in FORMATS:
            dump(self.path, [{1: numpy.array([[0, 0]])}], FIELDS, **options)
            with h5py.File(self.path, "a", **options) as file:
                file["fields/round"] = file["fields"]
            self.expect_refused("round")
            dump(self.path, [{1: numpy.array([[0, 0]])}], FIELDS, **options)
            with h5py.File(self.path, "a", **options) as file:
                file["fields/soft"] = h5py.SoftLink("/fields/u")
            self.expect_refused("soft")

    def test_huge_claims(self):
        """Arrays of terabytes of which nothing was written."""
        for options in FORMATS:
            for storage in (dict(), dict(chunks=(2**20,)), dict(chunks=(2**20,), compression="gzip")):
                dump(self.path, [{1: numpy.array([[0, 0]])}], FIELDS, **options)
                with h5py.File(self.path, "a", **options) as file:
                    group = file["mesh/level/1/dim/0/intervals"]
                    del group["data"]
                    group.create_dataset("data", (2**40,), INTERVAL, **storage)
                with self.subTest(**storage, **options):
                    self.expect_refused("intervals")


class Damage(TemporaryFile):
    """Nothing but one message, or what a file of the same shape holds: never the end of the process."""

    def read_damaged(self, data, **what):
        with open(self.path, "wb") as file:
            file.write(data)
        vtkSpanwiseSamuraiReader().CanReadFile(self.path)
        output, errors = read(self.path)
        with self.subTest(seed=SEED, **what):
            self.assertLessEqual(len(errors), 1)
            if errors:
                self.assertEqual(output.GetNumberOfElements(vtkDataObject.CELL), 0)
                self.assertIn(self.path, errors[0])
        return errors

    def wholes(self):
        for options in FORMATS:
            leaves = random_leaves(self.numbers, 3, 1, 2)
            more = {f"f{k}": number_of for k in range(10)}  # links in a heap
            dump(self.path, split_at_random(self.numbers, leaves, 2), FIELDS | more, (1, 2), time=1.0, **options)
            with open(self.path, "rb") as file:
                yield file.read()

    def test_cut_off(self):
        for whole in self.wholes():
            for bytes_ in range(0, len(whole), 977):
                self.assertEqual(len(self.read_damaged(whole[:bytes_], bytes=bytes_)), 1)
            self.assertEqual(len(self.read_damaged(whole + b"more")), 1)

    def test_changed_bytes(self):
        chance = random.Random(SEED)
        for whole in self.wholes():
            meant = [k for k, byte in enumerate(whole) if byte]  # most others are unused
            refused = 0
            for _ in range(400):
                data = bytearray(whole)
                for _ in range(chance.choice((1, 1, 1, 2, 8))):
                    data[chance.choice(meant)] = chance.choice((0, 1, 2, 8, 127, 128, 255, chance.randrange(256)))
                refused += len(self.read_damaged(bytes(data)))
            self.assertGreater(refused, 40)

    def test_numbers_of_eight_bytes(self):
        """Addresses and sizes that lead elsewhere: into themselves, over the end, or round."""
        chance = random.Random(SEED)
        for whole in self.wholes():
            size = len(whole)
            for _ in range(400):
                data = bytearray(whole)
                at = chance.randrange(0, size // 8) * 8
                other = chance.randrange(0, size // 8) * 8
                value = chance.choice((other, at, size, size - 1, 2**32, 2**63, 2**64 - 2, 2**40 + other))
                data[at : at + 8] = value.to_bytes(8, "little")
                self.read_damaged(bytes(data), at=at, value=value)


if __name__ == "__main__":
    unittest.main()
