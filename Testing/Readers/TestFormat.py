"""The file format seen from h5py: the page's examples run, files that h5py made are read, and files that it made to do
harm are refused with one message and an empty output."""

import os
import re
import resource
import subprocess
import sys
import tempfile
import unittest

import h5py
import numpy
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import VTK_STRING, vtkStringArray
from vtkmodules.vtkCommonDataModel import vtkDataObject, vtkImageData

from spanwise import vtkSpanwiseReader, vtkSpanwiseWriter

PAGE = os.environ["SPANWISE_FILE_FORMAT_PAGE"]
STORED = dict(fletcher32=True)


def read(path):
    """The reader's output, a grid or levels, and its errors."""
    errors = []

    def note(_caller, _event, text):
        errors.append(text)

    note.CallDataType = VTK_STRING
    reader = vtkSpanwiseReader()
    reader.AddObserver("ErrorEvent", note)
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutputDataObject(0), errors


def make(path, keys=((0,), (2,)), offsets=(0, 2, 3), row_cells=(0, 5, 9), intervals=((0, 3), (5, 7), (-4, 0)), cells=9,
         dimension=2, **file_options):
    """A file that is right unless an argument says otherwise; open, so that more can be done to it."""
    options = dict(libver=("v110", "v110")) | file_options
    file = h5py.File(path, "w", **options)
    file.attrs["Format"] = numpy.bytes_("Spanwise interval set")
    file.attrs["Version"] = numpy.array([1, 0])
    file.attrs["Dimension"] = dimension
    level = file.create_group("Step0/Level0")
    level.attrs["Origin"] = [0.0, 0.0, 0.0]
    level.attrs["Spacing"] = [1.0, 1.0, 1.0]
    level.attrs["Level"] = 0
    level.attrs["NumberOfCells"] = cells
    for name, data, kind in (("RowKeys", keys, "i4"), ("RowOffsets", offsets, "i8"), ("RowCells", row_cells, "i8"),
                             ("Intervals", intervals, "i4")):
        data = numpy.array(data, dtype=kind)
        level.create_dataset(name, data=data, chunks=data.shape, **STORED)
    return file, level


def replace(level, name, data, **options):
    """Another dataset in the place of one."""
    del level[name]
    if data is not None:
        options = dict(chunks=data.shape) | STORED | options
    return level.create_dataset(name, data=data, **options)


class Format(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "a.icsr")

    def tearDown(self):
        self.folder.cleanup()

    def expect_refused(self, *words):
        output, errors = read(self.path)
        self.assertEqual(len(errors), 1, errors)
        self.assertEqual(output.GetNumberOfCells(), 0)
        self.assertEqual(output.GetNumberOfPoints(), 0)
        self.assertIn(self.path, errors[0])
        for word in words:
            self.assertIn(word, errors[0])

    # --- what is right -----------------------------------------------------------------------------------------------

    def test_page_reads_what_the_writer_writes(self):
        random = numpy.random.default_rng(1)
        for dimensions in ((7, 5, 1), (6, 5, 4)):
            image = vtkImageData()
            image.SetExtent(-2, dimensions[0] - 2, 3, dimensions[1] + 3, 0, dimensions[2] - (dimensions[2] == 1))
            image.SetSpacing(0.5, 2.0, 1.5)
            image.SetOrigin(1.0, -3.0, 0.25)
            count = image.GetNumberOfCells()
            values = numpy_to_vtk(random.random(count), deep=True)
            values.SetName("a")
            image.GetCellData().AddArray(values)
            ghosts = numpy_to_vtk((random.random(count) < 0.4).astype("uint8") * 32, deep=True)  # hidden cells
            ghosts.SetName("vtkGhostType")
            image.GetCellData().AddArray(ghosts)
            writer = vtkSpanwiseWriter()
            writer.SetInputData(image)
            writer.SetFileName(self.path)
            self.assertEqual(writer.Write(), 1)

            with open(PAGE, encoding="utf8") as page:
                code = re.search(r"```python\n(.*?)```", page.read(), re.S).group(1)
            self.assertLessEqual(len(code.splitlines()), 10)
            scope = {"name": self.path}
            exec(code, scope)
            output, errors = read(self.path)
            self.assertEqual(errors, [])
            dimension = 2 if dimensions[2] == 1 else 3
            self.assertEqual(scope["cells"].shape, (output.GetNumberOfCells(), dimension))
            self.assertEqual(output.GetNumberOfCells(), int((vtk_to_numpy(ghosts) == 0).sum()))
            read_values = vtk_to_numpy(output.GetCellData().GetArray("a"))
            numpy.testing.assert_array_equal(scope["values"]["a"], read_values)
            for c, cell in enumerate(scope["cells"]):
                bounds = output.GetCell(c).GetBounds()
                for d in range(dimension):
                    low = scope["origin"][d] + cell[d] * scope["spacing"][d]
                    self.assertAlmostEqual(bounds[2 * d], low)
                    self.assertAlmostEqual(bounds[2 * d + 1], low + scope["spacing"][d])

    def test_file_of_h5py_is_read(self):
        file, level = make(self.path)
        data = level.create_group("CellData")
        data.create_dataset("small", data=numpy.arange(9.0), chunks=(4,), **STORED)
        data.create_dataset("vectors", data=numpy.arange(27, dtype="f4").reshape(9, 3), chunks=(2, 3), shuffle=True,
                            compression="gzip", **STORED)
        data["small"].attrs["Units"] = numpy.bytes_("m/s")
        file.close()
        output, errors = read(self.path)
        self.assertEqual(errors, [])
        self.assertEqual(output.GetNumberOfCells(), 9)
        numpy.testing.assert_array_equal(vtk_to_numpy(output.GetCellData().GetArray("small")), numpy.arange(9.0))
        self.assertEqual(output.GetCellData().GetArray("vectors").GetComponent(8, 2), 26.0)
        self.assertEqual(vtkSpanwiseReader().CanReadFile(self.path), 1)

    def test_newer_minor_version_is_read(self):
        file, level = make(self.path)
        file.attrs["Version"] = numpy.array([1, 7])
        file.attrs["Unknown"] = "variable-length text"
        level.create_group("Unknown").attrs["More"] = numpy.array([1.5])
        level["Nowhere"] = h5py.SoftLink("/not/there")
        level["Elsewhere"] = h5py.ExternalLink("/etc/passwd", "/")
        file.close()
        output, errors = read(self.path)
        self.assertEqual(errors, [])
        self.assertEqual(output.GetNumberOfCells(), 9)

    def test_writers_file_keeps_to_the_part_of_hdf5(self):
        writer = vtkSpanwiseWriter()
        image = vtkImageData()
        image.SetDimensions(40, 30, 20)
        writer.SetInputData(image)
        writer.SetFileName(self.path)
        writer.SetCompressionLevel(5)
        self.assertEqual(writer.Write(), 1)
        with h5py.File(self.path) as file:
            self.assertEqual(file.userblock_size, 0)
            intervals = file["Step0/Level0/Intervals"]
            self.assertTrue(intervals.fletcher32 and intervals.shuffle and intervals.compression == "gzip")
            self.assertEqual(file["Step0/Level0"].id.get_create_plist().get_link_creation_order(), 1)

    # --- what is not a file of this kind -----------------------------------------------------------------------------

    def test_other_files(self):
        for bytes_ in (b"", b"\x89HDF\r\n\x1a\n", b"\x89HDF\r\n\x1a\n" + b"\x03" + 1000 * b"\0", b"hello\n" * 1000):
            with open(self.path, "wb") as file:
                file.write(bytes_)
            self.expect_refused()
            self.assertEqual(vtkSpanwiseReader().CanReadFile(self.path), 0)
        for path in ("/dev/zero", self.folder.name, os.path.join(self.folder.name, "none.icsr")):
            self.assertEqual(vtkSpanwiseReader().CanReadFile(path), 0)
            self.assertEqual(len(read(path)[1]), 1)
        pipe = os.path.join(self.folder.name, "pipe.icsr")
        os.mkfifo(pipe)
        self.assertEqual(len(read(pipe)[1]), 1)

    def test_other_hdf5_files(self):
        h5py.File(self.path, "w").close()
        self.expect_refused("Format")
        h5py.File(self.path, "w", libver=("v110", "v110")).close()
        self.expect_refused("Format")
        make(self.path, userblock_size=512)[0].close()
        self.expect_refused()

    # --- wrong values ------------------------------------------------------------------------------------------------

    def test_rules_of_the_set(self):
        for words, changes in (
            (("3", "overlaps or touches"), dict(intervals=((0, 3), (2, 7), (-4, 0)))),
            (("overlaps or touches",), dict(intervals=((0, 5), (5, 7), (-4, 0)))),
            (("is empty",), dict(intervals=((0, 3), (5, 5), (-4, 0)))),
            (("is empty",), dict(intervals=((0, 3), (7, 5), (-4, 0)))),
            (("ascend",), dict(keys=((2,), (2,)))),
            (("ascend",), dict(keys=((2,), (0,)))),
            (("largest row key",), dict(keys=((2,), (2**31 - 1,)))),
            (("RowOffsets",), dict(offsets=(1, 2, 3))),
            (("RowOffsets",), dict(offsets=(0, 2, 4))),
            (("RowOffsets",), dict(offsets=(0, 2, 2**62))),
            (("RowOffsets",), dict(offsets=(-1, 2, 3))),
            (("RowOffsets", "the value -3 at 1"), dict(offsets=(0, -3, 3))),
            (("RowOffsets", str(2**62)), dict(offsets=(0, 2**62, 3))),
            (("RowCells", "the value -3 at 1"), dict(row_cells=(0, -3, 9))),
            (("at least one interval",), dict(offsets=(0, 3, 3))),
            (("RowCells",), dict(row_cells=(0, 4, 9))),
            (("RowCells",), dict(row_cells=(0, 5, 8))),
            (("RowCells",), dict(row_cells=(1, 5, 9))),
            (("RowCells",), dict(cells=10, row_cells=(0, 5, 10))),
            (("NumberOfCells",), dict(cells="nine")),
            (("cells",), dict(cells=-9)),
            (("cells",), dict(cells=2)),
            (("RowCells",), dict(cells=2**63 - 1)),
            (("RowOffsets", "(2)", "(3)"), dict(offsets=(0, 3))),
            (("RowKeys",), dict(keys=((0, 1), (2, 3)))),
            (("RowKeys",), dict(dimension=3)),
            (("Dimension", "4"), dict(dimension=4)),
            (("Dimension",), dict(dimension=-2)),
        ):
            with self.subTest(changes=changes):
                arguments = dict(changes)
                if arguments.get("cells") == "nine":
                    arguments["cells"] = numpy.bytes_("nine")
                make(self.path, **arguments)[0].close()
                self.expect_refused(*words)

    def test_attributes(self):
        nan = float("nan")
        for where, name, value, words in (
            ("/", "Format", numpy.bytes_("Spanwise interval sets"), ("Format", "interval sets")),
            ("/", "Format", "Spanwise interval set", ("Format",)),  # of variable length
            ("/", "Version", numpy.array([2, 0]), ("2.0",)),
            ("/", "Version", numpy.array([1]), ("Version",)),
            ("/", "Version", numpy.array([1.0, 0.0]), ("Version",)),
            ("/", "Dimension", 2**63 - 1, ("Dimension",)),
            ("/", "Dimension", numpy.uint64(2**64 - 1), ("Dimension",)),
            ("/", "TimeUnits", numpy.bytes_(b"\xff\xfe"), ("UTF-8",)),
            ("Step0/Level0", "Origin", [0.0, nan, 0.0], ("Origin", "finite")),
            ("Step0/Level0", "Origin", [0.0, 1.0], ("Origin",)),
            ("Step0/Level0", "Origin", numpy.array([b"a", b"b", b"c"]), ("Origin", "text", "must be a number")),
            ("Step0/Level0", "Spacing", [-1e-9, 1.0, 1.0], ("the spacing -1e-09;", "positive")),
            ("Step0", "Time", numpy.bytes_("noon"), ("Time", "must be a number")),
            ("Step0/Level0", "Spacing", [0.0, 1.0, 1.0], ("positive",)),
            ("Step0/Level0", "Spacing", [1.0, -1.0, 1.0], ("positive",)),
            ("Step0/Level0", "Spacing", [1.0, float("inf"), 1.0], ("finite",)),
            ("Step0/Level0", "Level", 31, ("Level", "31")),
            ("Step0/Level0", "Level", -1, ("Level",)),
            ("Step0/Level0", "NumberOfPoints", -1, ("NumberOfPoints",)),
            ("Step0", "Time", nan, ("Time",)),
        ):
            with self.subTest(name=name, value=value):
                file, _ = make(self.path)
                file[where].attrs[name] = value
                file.close()
                self.expect_refused(*words)
        for where, name in (("/", "Format"), ("/", "Version"), ("/", "Dimension"), ("Step0/Level0", "Origin"),
                            ("Step0/Level0", "Spacing"), ("Step0/Level0", "Level"), ("Step0/Level0", "NumberOfCells")):
            with self.subTest(missing=name):
                file, _ = make(self.path)
                del file[where].attrs[name]
                file.close()
                self.expect_refused(name)

    def test_types_and_ranks(self):
        for name, data in (
            ("RowKeys", numpy.zeros((2, 1), "i8")),
            ("RowKeys", numpy.array([[0], [2]], ">i4")),
            ("RowKeys", numpy.array([0, 2], "i4")),
            ("RowKeys", numpy.array([[[0]], [[2]]], "i4")),
            ("RowOffsets", numpy.array([0, 2, 3], "i4")),
            ("RowOffsets", numpy.array([0, 2, 3], "f8")),
            ("Intervals", numpy.array([[0, 3, 0], [5, 7, 0], [-4, 0, 0]], "i4")),
            ("Intervals", numpy.array([b"ab", b"cd", b"ef"])),
            ("Intervals", numpy.array([[(0, 1)], [(2, 3)], [(4, 5)]], [("a", "i4"), ("b", "i4")])),
            ("Intervals", numpy.zeros((3, 2), "bool")),
            ("RowCells", numpy.zeros((0,), "i8")),
        ):
            with self.subTest(name=name, dtype=data.dtype, shape=data.shape):
                file, level = make(self.path)
                replace(level, name, data, chunks=data.shape if data.size else None, fletcher32=data.size > 0)
                file.close()
                self.expect_refused(name)

    def test_arrays(self):
        for name, data, words in (
            ("short", numpy.arange(8.0), ("short", "8", "9")),
            ("long", numpy.arange(10.0), ("long", "10")),
            ("none", numpy.zeros((9, 0)), ("none",)),
            ("rank", numpy.zeros((9, 2, 2)), ("rank",)),
            ("text", numpy.array(9 * [b"abc"]), ("text",)),
            ("complex", numpy.zeros(9, "c16"), ("complex",)),
            ("half", numpy.zeros(9, "f2"), ("half",)),
            ("bad%name", numpy.arange(9.0), ("percent",)),
        ):
            with self.subTest(name=name):
                file, level = make(self.path)
                level.create_dataset("CellData/" + name, data=data, chunks=data.shape if data.size else None,
                                     fletcher32=data.size > 0)
                file.close()
                self.expect_refused(*words)
        file, level = make(self.path)
        for name in ("A", "%41"):
            level.create_dataset("CellData/" + name, data=numpy.arange(9.0), chunks=(9,), **STORED)
        file.close()
        self.expect_refused("two arrays")
        file, level = make(self.path)
        level.create_group("CellData/group")
        file.close()
        self.expect_refused("not a dataset")
        file, level = make(self.path)
        array = level.create_dataset("CellData/a", data=numpy.zeros((9, 2)), chunks=(9, 2), **STORED)
        array.attrs["ComponentNames"] = numpy.array([b"one"])
        file.close()
        self.expect_refused("ComponentNames")
        for name, words in ((b"\xff\xfe", ("UTF-8", r"'\xff\xfe'")), (b"bad%\xff", ("percent", r"'bad%\xff'")),
                            (b"two\nlines%", ("percent", r"'two\x0alines%'")), (b"%FF", ("UTF-8", r"'\xff'"))):
            file, level = make(self.path)
            level.create_dataset(b"CellData/" + name, data=numpy.zeros(9), chunks=(9,), **STORED)
            file.close()
            with self.subTest(name=name):
                self.expect_refused(*words)

    def test_steps(self):
        file, level = make(self.path)
        file.copy("Step0", "Step2")
        file.close()
        self.expect_refused("Step1")
        file, level = make(self.path)
        file.copy("Step0", "Step1")
        file.close()
        self.expect_refused("Time")
        for times in ((1.0, 1.0), (1.0, 0.0)):
            file, level = make(self.path)
            file["Step0"].attrs["Time"] = times[0]
            file.copy("Step0", "Step1")
            file["Step1"].attrs["Time"] = times[1]
            file.close()
            self.expect_refused("after")
        file, level = make(self.path)
        del file["Step0/Level0"]
        file.close()
        self.expect_refused("Level0")
        file, level = make(self.path)
        del file["Step0"]
        file.close()
        self.expect_refused("Step0")

    # --- HDF5 that could do harm -------------------------------------------------------------------------------------

    def test_links(self):
        other = os.path.join(self.folder.name, "other.icsr")
        make(other)[0].close()
        for target in (h5py.SoftLink("/Step0/Level0/Intervals2"), h5py.ExternalLink(other, "/Step0/Level0/Intervals")):
            file, level = make(self.path)
            level.move("Intervals", "Intervals2")
            level["Intervals"] = target
            file.close()
            self.expect_refused("Intervals", "hard links")
        file, level = make(self.path)
        del file["Step0"]
        file["Step0"] = h5py.ExternalLink(other, "/Step0")
        file.close()
        self.expect_refused("Step0")

    def test_cycles(self):
        file, level = make(self.path)
        level["CellData"] = file["Step0"]
        file.close()
        self.expect_refused()
        file, level = make(self.path)
        level["CellData"] = level
        file.close()
        self.expect_refused()
        file, level = make(self.path)
        del file["Step0/Level0"]
        file["Step0/Level0"] = file["/"]
        file.close()
        self.expect_refused()
        file, level = make(self.path)
        level["Intervals"].parent["CellData"] = level["Intervals"]  # a dataset where a group belongs
        file.close()
        self.expect_refused("one object")
        file, level = make(self.path)
        del level["Intervals"]
        level["Intervals"] = file["Step0"]
        file.close()
        self.expect_refused("not a dataset")

    def test_storage(self):
        intervals = numpy.array([[0, 3], [5, 7], [-4, 0]], "i4")
        secret = os.path.join(self.folder.name, "secret")
        with open(secret, "wb") as file:
            file.write(intervals.tobytes())
        layout = h5py.VirtualLayout((3, 2), "i4")
        layout[:] = h5py.VirtualSource(secret, "x", shape=(3, 2))
        for words, make_intervals in (
            (("Fletcher32",), lambda level: level.create_dataset("Intervals", data=intervals)),
            (("Fletcher32",), lambda level: level.create_dataset("Intervals", data=intervals, chunks=(3, 2))),
            (("Fletcher32",), lambda level: level.create_dataset("Intervals", data=intervals, chunks=(3, 2),
                                                                 compression="gzip")),
            (("filter",), lambda level: level.create_dataset("Intervals", data=intervals, chunks=(3, 2),
                                                             compression="lzf", **STORED)),
            (("filter",), lambda level: level.create_dataset("Intervals", data=intervals, chunks=(3, 2), scaleoffset=8)),
            (("other files",), lambda level: level.create_dataset("Intervals", (3, 2), "i4",
                                                                  external=[(secret, 0, h5py.h5f.UNLIMITED)])),
            (("virtual",), lambda level: level.create_virtual_dataset("Intervals", layout)),
            (("fixed",), lambda level: level.create_dataset("Intervals", data=intervals, chunks=(1, 2),
                                                            maxshape=(None, 2), **STORED)),
            (("fixed",), lambda level: level.create_dataset("Intervals", data=intervals, chunks=(1, 2),
                                                            maxshape=(None, None), **STORED)),
            (("whole rows",), lambda level: level.create_dataset("Intervals", data=intervals, chunks=(3, 1), **STORED)),
            (("not written",), lambda level: level.create_dataset("Intervals", (3, 2), "i4", chunks=(1, 2), **STORED)),
            (("not written",), lambda level: level.create_dataset("Intervals", (3, 2), "i4", chunks=(3, 2), **STORED)),
            (("Intervals",), lambda level: level.create_dataset("Intervals", data=h5py.Empty("i4"))),
        ):
            file, level = make(self.path)
            del level["Intervals"]
            make_intervals(level)
            file.close()
            with self.subTest(words=words):
                self.expect_refused("Intervals", *words)

    def test_more_links_and_attributes_than_a_header_keeps(self):
        file, level = make(self.path)
        for a in range(40):
            level.create_dataset(f"CellData/{a}", data=numpy.zeros(9), chunks=(9,), **STORED)
        file.close()
        self.expect_refused("heap")
        file, level = make(self.path)
        for a in range(40):
            level.attrs[f"attribute {a}"] = a
        file.close()
        self.expect_refused("heap")

    def test_huge_claims(self):
        for shape, chunk in (((2**40, 2), (2**20, 2)), ((2**62, 2), (2**20, 2)), ((2**31, 2), (2**24, 2))):
            file, level = make(self.path)
            del level["Intervals"]
            level.create_dataset("Intervals", shape, "i4", chunks=chunk, **STORED)
            file.close()
            with self.subTest(shape=shape):
                self.expect_refused("Intervals")
        file, level = make(self.path)
        array = level.create_dataset("CellData/a", (9, 2**24), "f8", chunks=(1, 2**24), **STORED)
        file.close()
        self.expect_refused("CellData/'a'")

    def test_links_to_one_object(self):
        """A few bytes under many names would be read as often as there are names."""
        for target, name in (("Intervals", "CellData/a"), ("CellData/b", "CellData/a"), ("RowOffsets", "PointData/p"),
                             ("CellData/b", "/Step0/FieldData/f"), ("CellData", "PointData")):
            file, level = make(self.path)
            level.create_dataset("CellData/b", data=numpy.arange(9.0), chunks=(9,), **STORED)
            level[name] = level[target]
            file.close()
            with self.subTest(name=name, target=target):
                self.expect_refused("one object")
        file, level = make(self.path)
        file["Step0"].attrs["Time"] = 0.0
        file.create_group("Step1").attrs["Time"] = 1.0
        file["Step1/Level0"] = level
        file.close()
        self.expect_refused("one group")

    def test_huge_rows(self):
        """Rows of nothing, and rows of packed zeros, that would take gigabytes when they are handled."""
        file, level = make(self.path)
        level.create_dataset("CellData/a", shape=(9, 2**20), dtype="i1", chunks=(9, 2**20), compression=9, **STORED)
        level["CellData/a"][:] = 0
        file.close()
        self.assertEqual(read(self.path)[1], [])  # there are bytes for them
        for shape, dtype in (((0, 63_000_000), "i1"), ((1, 2**25), "i1"), ((0, 8_000_000), "f8"), ((0, 65_537), "i1")):
            file, level = make(self.path)
            options = dict(chunks=shape, compression=9, **STORED) if shape[0] else {}
            data = file.create_dataset("Step0/FieldData/a", shape, dtype, **options)
            if shape[0]:
                data[:] = 0
            file.close()
            with self.subTest(shape=shape):
                self.expect_refused("FieldData/'a'", str(shape[1]), "stored bytes")

    def test_many_texts(self):
        """One-byte texts in memory are 64 times what they are in a file, before deflate."""
        file, level = make(self.path)
        data = file.create_dataset("Step0/FieldData/a", (4_000_000,), "S1", chunks=(2**20,), compression=9, **STORED)
        data[:] = b"x"
        file.close()
        self.assertLess(os.path.getsize(self.path), 50_000)
        self.expect_refused("texts", "16")

    def test_texts_that_are_written_are_read(self):
        """However well short texts can be packed."""
        image = vtkImageData()
        image.SetDimensions(3, 3, 1)
        texts = vtkStringArray()
        texts.SetName("texts")
        for _ in range(100_000):
            texts.InsertNextValue("x")
        image.GetFieldData().AddArray(texts)
        writer = vtkSpanwiseWriter()
        writer.SetInputData(image)
        writer.SetFileName(self.path)
        writer.SetCompressionLevel(9)
        self.assertEqual(writer.Write(), 1)
        output, errors = read(self.path)
        self.assertEqual(errors, [])
        self.assertEqual(output.GetFieldData().GetAbstractArray("texts").GetNumberOfValues(), 100_000)

    def in_child(self, task):
        """Has another process read the file, with 1.2 GB of memory; what it finds is the task's to say."""
        script = f"import sys, TestFormat; sys.exit(TestFormat.{task}(sys.argv[1]))"
        result = subprocess.run([sys.executable, "-c", script, self.path], capture_output=True, text=True, timeout=60,
                                cwd=os.path.dirname(os.path.abspath(__file__)))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_cells_of_long_intervals_take_no_memory(self):
        """A grid takes memory by its intervals: 4e10 cells in some KB are 10 intervals, and 4e14 are 100,000."""
        for rows, most in ((10, 8_000), (100_000, 4_000_000)):
            file, level = make(self.path, keys=numpy.arange(rows).reshape(-1, 1), offsets=numpy.arange(rows + 1),
                               row_cells=numpy.arange(rows + 1) * (2**32 - 1), cells=rows * (2**32 - 1),
                               intervals=numpy.tile([[-2**31, 2**31 - 1]], (rows, 1)))
            file.close()
            self.assertLess(os.path.getsize(self.path), most)
            with self.subTest(rows=rows):
                self.in_child("reads_in_little_memory")

    def test_more_intervals_than_memory(self):
        """2^25 intervals in 300 KB, in one level or two, of which each would fit: refused before they are read."""
        for levels in (1, 2):
            count = 2**25 // levels
            file, level = make(self.path, keys=[[0]], offsets=[0, count], row_cells=[0, count], cells=count)
            for number in range(levels):
                if number > 0:
                    file.copy(level, file["Step0"], "Level1")
                    level = file["Step0/Level1"]
                    level.attrs["Spacing"] = [0.5] * 3
                    level.attrs["Level"] = 1
                del level["Intervals"]
                chunk = 2**23
                array = level.create_dataset("Intervals", (count, 2), "i4", chunks=(chunk, 2), compression=9, **STORED)
                array[:chunk] = 0
                mask, stored = array.id.read_direct_chunk((0, 0))
                for begin in range(chunk, count, chunk):
                    array.id.write_direct_chunk((begin, 0), stored, mask)
            file.close()
            self.assertLess(os.path.getsize(self.path), 300_000)
            with self.subTest(levels=levels):
                self.in_child("refuses_before_it_reads")

    def test_compression_bomb(self):
        """2^30 zeros in 8 GB / 1000 bytes: they are there, but this process may not take as much memory."""
        count = 2**28
        file, level = make(self.path, keys=[[0]], offsets=[0, 1], row_cells=[0, count], intervals=[[0, count]],
                           cells=count)
        chunk = 2**20
        array = level.create_dataset("CellData/zeros", (count,), "f8", chunks=(chunk,), compression=9, **STORED)
        array[:chunk] = 0
        mask, stored = array.id.read_direct_chunk((0,))
        for begin in range(chunk, count, chunk):
            array.id.write_direct_chunk((begin,), stored, mask)
        file.close()
        self.assertLess(os.path.getsize(self.path), 4e6)
        self.in_child("refuses_for_memory")

    def test_stream_that_unpacks_to_more(self):
        """A chunk whose stream holds far more than the chunk: nothing beyond the chunk is unpacked."""
        import zlib
        file, level = make(self.path)
        array = level.create_dataset("CellData/a", (9,), "f8", chunks=(9,), compression=9, **STORED)
        array[:] = 0
        stream = zlib.compress(bytes(100_000_000), 9)[:150]  # too large for such a chunk as a whole
        array.id.write_direct_chunk((0,), stream + fletcher32(stream), 0)
        file.close()
        self.expect_refused("does not unpack")


def fletcher32(data):
    """The checksum of HDF5's filter, as it is stored."""
    first = second = 0
    for k in range(0, len(data) - len(data) % 2, 2):
        first = (first + (data[k] << 8 | data[k + 1])) % 65535
        second = (second + first) % 65535
    if len(data) % 2:
        first = (first + (data[-1] << 8)) % 65535
        second = (second + first) % 65535
    return (second << 16 | first).to_bytes(4, "little")


def read_in_limits(path):
    """Reads a file with 1.2 GB of memory: the number of cells, the errors, and by how many bytes memory grew."""
    resource.setrlimit(resource.RLIMIT_AS, (1_200_000_000, 1_200_000_000))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    output, errors = read(path)
    grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    cells = output.GetNumberOfElements(vtkDataObject.CELL)
    print(errors, cells, "cells,", grown, "bytes more")
    return cells, errors, grown


def refuses_for_memory(path):
    """0 if there is one message about memory, which names the file."""
    cells, errors, _ = read_in_limits(path)
    return 0 if len(errors) == 1 and path in errors[0] and "memory" in errors[0] and cells == 0 else 1


def refuses_before_it_reads(path):
    _, errors, grown = read_in_limits(path)
    return 0 if len(errors) == 1 and path in errors[0] and "intervals need" in errors[0] and grown < 50e6 else 1


def reads_in_little_memory(path):
    cells, errors, grown = read_in_limits(path)
    return 0 if not errors and cells > 4e10 and grown < 100e6 else 1


if __name__ == "__main__":
    unittest.main()
