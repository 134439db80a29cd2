"""Extractors of ParaView save grids of intervals and levels at the steps that they are asked for: the same as is shown.

usage: pvpython or pvbatch Extracts.py folder
"""

import os
import shutil
import sys

import spanwise_testing as testing
from paraview import simple

STEPS = 5


def ball(radius, dimension="3D"):
    return simple.SpanwiseIntervalShape(Shape="Ball", Dimension=dimension, Radius=radius, Spacing=3 * [0.125])


def series(folder):
    """A ball that grows, read from a file for each step."""
    names = [os.path.join(folder, f"input{step}.icsr") for step in range(STEPS)]
    for step, name in enumerate(names):
        simple.SaveData(name, ball(1.0 + 0.25 * step))
    return simple.SpanwiseIntervalReader(FileName=names)


def levels():
    coarse = simple.SpanwiseIntervalShape(Shape="Box", Corner=[-1, -1, -1], Lengths=[1, 2, 2], Spacing=3 * [0.25])
    fine = simple.SpanwiseIntervalShape(Shape="Box", Corner=[0, -1, -1], Lengths=[1, 2, 2], Spacing=3 * [0.25], Level=1)
    return simple.SpanwiseGridToLevels(Input=simple.GroupDatasets(Input=[coarse, fine]))


def number_of_cells(source, time=None):
    source.UpdatePipeline(time) if time is not None else source.UpdatePipeline()
    return source.GetDataInformation().GetNumberOfCells()


def extract(folder, name, source, **settings):
    """The files that an extractor of this name makes in a folder of its own."""
    extractor = simple.CreateExtractor(name, source, registrationName=f"{name} of {folder}")
    for key, value in settings.items():
        setattr(extractor.Trigger if key == "Frequency" else extractor.Writer, key, value)
    assert simple.SaveExtracts(ExtractsOutputDirectory=folder)
    simple.Delete(extractor)
    return [os.path.join(folder, file) for file in sorted(os.listdir(folder))]


def check_steps(folder):
    source = series(folder)
    sizes = [number_of_cells(source, step) for step in range(STEPS)]
    assert sizes == sorted(set(sizes)) and sizes[0] > 0, sizes
    files = extract(os.path.join(folder, "all"), "ICSR", source)
    assert [os.path.basename(file) for file in files] == [f"dataset_{k:06d}.icsr" for k in range(STEPS)], files
    for step, file in enumerate(files):
        back = simple.SpanwiseIntervalReader(FileName=file)
        assert number_of_cells(back) == sizes[step], (file, number_of_cells(back), sizes)
        assert list(back.TimestepValues) == [step], back.TimestepValues
    options = dict(Frequency=2, FileName="ball_{timestep:02d}.icsr", CompressionLevel=9)
    packed = extract(os.path.join(folder, "some"), "ICSR", source, **options)
    assert [os.path.basename(file) for file in packed] == ["ball_00.icsr", "ball_02.icsr", "ball_04.icsr"], packed
    assert os.path.getsize(packed[-1]) < os.path.getsize(files[-1])
    again = simple.SpanwiseIntervalReader(FileName=packed)
    assert [number_of_cells(again, step) for step in (0, 2, 4)] == sizes[::2]
    simple.Delete(source)


def check_openvdb(folder):
    """The same steps as .vdb files: as many voxels, in the same place, and what is set goes to the writer."""
    source = series(folder)
    sizes, bounds = [], []
    for step in range(STEPS):
        sizes.append(number_of_cells(source, step))
        bounds.append(source.GetDataInformation().GetBounds())
    files = extract(os.path.join(folder, "openvdb"), "VDB", source)
    assert [os.path.basename(file) for file in files] == [f"dataset_{k:06d}.vdb" for k in range(STEPS)], files
    for step, file in enumerate(files):
        back = simple.SpanwiseOpenVDBReader(FileName=[file])
        assert number_of_cells(back) == sizes[step], (file, number_of_cells(back), sizes)
        found = back.GetDataInformation().GetBounds()
        assert max(abs(a - b) for a, b in zip(found, bounds[step])) < 1e-9, (file, found, bounds[step])
    again = simple.SpanwiseOpenVDBReader(FileName=files)
    assert [number_of_cells(again, step) for step in range(STEPS)] == sizes
    # Distances are a level set, unless that is not asked for.
    band = simple.SpanwiseSignedDistanceToSet(Input=source, Where="Band", Width=0.3)
    options = dict(Frequency=4, FileName="band_{timestep:02d}.vdb")
    for name in ("Signed Distance", ""):
        files = extract(os.path.join(folder, f"levelset{len(name)}"), "VDB", band, LevelSetArray=name, **options)
        assert [os.path.basename(file) for file in files] == ["band_00.vdb", "band_04.vdb"], files
        back = simple.SpanwiseOpenVDBReader(FileName=[files[-1]])
        assert number_of_cells(back) == number_of_cells(band, STEPS - 1) > 0
        with open(files[-1], "rb") as file:
            assert (b"level set" in file.read()) == (name != "")
        simple.Delete(back)
    simple.Delete(band)
    simple.Delete(source)


def check_levels(folder):
    """Levels, and blocks of AMR made of them, are saved as leaves; as VTKHDF levels have explicit cells."""
    tree = levels()
    cells = 4 * 8 * 8 + 8 * 16 * 16
    assert number_of_cells(tree) == cells
    blocks = simple.SpanwiseLevelsToOverlappingAMR(Input=tree)
    assert number_of_cells(blocks) == cells + 4 * 8 * 8  # coarse cells lie under the fine ones
    for source in (tree, blocks):
        (file,) = extract(os.path.join(folder, source.GetXMLName()), "ICSR", source)
        back = simple.OpenDataFile(file)
        back.UpdatePipeline()
        information = back.GetDataInformation()
        assert information.GetCompositeDataClassName() == "vtkPartitionedDataSetCollection"
        assert information.GetNumberOfCells() == cells, information.GetNumberOfCells()
    file, *_ = extract(os.path.join(folder, "vtkhdf"), "VTKHDF", tree)  # ranks write a piece each beside it
    again = simple.SpanwiseGridToLevels(Input=simple.OpenDataFile(file))
    assert number_of_cells(again) == cells
    # AMR itself: ParaView 6.1 has no VTKHDF writer for it, and VTK's own format takes it.
    path = os.path.join(folder, "blocks.vthb")
    simple.SaveData(path, blocks)
    back = simple.OpenDataFile(path)
    assert number_of_cells(back) == cells + 4 * 8 * 8
    assert number_of_cells(simple.SpanwiseGridToLevels(Input=back)) == cells


testing.connect()
output = sys.argv[1]
shutil.rmtree(output, ignore_errors=True)
os.makedirs(output)
check_levels(output)  # before there are time steps, which all extractors take
check_steps(output)
check_openvdb(output)
