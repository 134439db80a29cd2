"""Stock filters on levels: every place counts once, values are found where they are, files bring levels back, and each
level is drawn. In one process and on ranks.

usage: pvpython or pvbatch Stock.py folder
"""

import os
import sys

import spanwise_testing as testing
from paraview import simple
from paraview.vtk.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader

# A box of 2 x 2 x 2: cells of 1/4 at x < 0, of 1/8 at 0 < x < 0.5, of 1/16 beyond.
PARTS = ((-1.0, 1.0, 0.25, 0), (0.0, 0.5, 0.125, 1), (0.5, 0.5, 0.0625, 2))
CELLS = sum(int(width / size) * int(2 / size) ** 2 for _, width, size, _ in PARTS)


def make_levels():
    grids = []
    for begin, width, size, level in PARTS:
        cells = simple.SpanwiseIntervalShape(
            Shape="Box", Corner=[begin, -1, -1], Lengths=[width, 2, 2], Spacing=3 * [size * 2**level], Level=level)
        place = simple.PointDatatoCellData(
            Input=simple.Calculator(Input=cells, ResultArrayName="x", Function="coordsX"))
        grids.append(simple.Calculator(
            Input=place, AttributeType="Cell Data", ResultArrayName="level", Function=str(level), ResultArrayType="Int"))
    return simple.SpanwiseGridToLevels(Input=simple.GroupDatasets(Input=grids))


def integral(source, name):
    """An array of Integrate Variables."""
    sums = simple.IntegrateVariables(Input=source)
    sums.UpdatePipeline()
    return sums.CellData[name].GetRange()[0] if sums.CellData.GetArray(name) else sums.PointData[name].GetRange()[0]


def number_of_cells(source):
    source.UpdatePipeline()
    return source.GetDataInformation().GetNumberOfCells()


def near(value, expected, tolerance=1e-9):
    assert abs(value - expected) <= tolerance * max(1.0, abs(expected)), (value, expected)


def check_structure(levels):
    levels.UpdatePipeline()
    information = levels.GetDataInformation()
    assert information.GetCompositeDataSetType() >= 0
    assert information.GetNumberOfCells() == CELLS, (information.GetNumberOfCells(), CELLS)
    for level in range(3):
        one = simple.ExtractBlock(Input=levels, Selectors=[f"/Root/Level{level}"], Assembly="Hierarchy")
        two = simple.ExtractBlock(Input=levels, Selectors=[f"//Level{level}"], Assembly="Assembly")
        counts = [number_of_cells(source) for source in (one, two)]
        _, width, size, _ = PARTS[level]
        expected = int(width / size) * int(2 / size) ** 2
        assert counts == [expected, expected], (counts, expected)
    # What ParaView offers without a word about an assembly: the one of the levels.
    assert number_of_cells(simple.ExtractBlock(Input=levels, Selectors=["/Levels"])) == CELLS


def check_sums(levels):
    near(integral(levels, "Volume"), 8.0)
    near(integral(levels, "x"), 0.0)  # the box's centre, whatever the cells
    near(integral(levels, "level"), 4.0 * (0.5 * 1 + 0.5 * 2))


def check_parts(levels):
    fine = simple.Threshold(Input=levels, Scalars=["CELLS", "level"], LowerThreshold=1, UpperThreshold=2)
    near(integral(fine, "Volume"), 4.0)
    again = simple.SpanwiseGridToLevels(Input=fine)
    assert number_of_cells(again) == number_of_cells(fine)
    clip = simple.Clip(Input=levels, ClipType="Plane")
    clip.ClipType.Origin, clip.ClipType.Normal = [0.3, 0, 0], [1, 0, 0]
    clip.Invert = 0
    near(integral(clip, "Volume"), 4.0 * 0.7)
    cut = simple.Slice(Input=levels, SliceType="Plane")
    cut.SliceType.Origin, cut.SliceType.Normal = [0, 0.01, 0], [0, 1, 0]
    near(integral(cut, "Area"), 4.0)
    near(integral(cut, "level"), 2.0 * (0.5 * 1 + 0.5 * 2))


def check_values(levels):
    doubled = simple.Calculator(
        Input=levels, AttributeType="Cell Data", ResultArrayName="doubled", Function="2 * level")
    near(integral(doubled, "doubled"), 2.0 * 6.0)
    points = simple.CellDatatoPointData(Input=levels)
    points.UpdatePipeline()
    assert points.PointData["level"].GetRange() == (0.0, 2.0)
    contour = simple.Contour(Input=points, ContourBy=["POINTS", "x"], Isosurfaces=[0.3])
    near(integral(contour, "Area"), 4.0, 1e-6)
    for x, level in ((-0.7, 0), (0.2, 1), (0.9, 2)):
        probe = simple.ProbeLocation(Input=levels, ProbeType="Fixed Radius Point Source")
        probe.ProbeType.Center, probe.ProbeType.Radius = [x, 0.03, 0.04], 0.0
        probe.UpdatePipeline()
        assert probe.PointData["level"].GetRange() == (level, level), (x, probe.PointData["level"].GetRange())
    line = simple.PlotOverLine(Input=levels, Point1=[-0.99, 0.03, 0.04], Point2=[0.99, 0.03, 0.04], Resolution=100)
    line.UpdatePipeline()
    assert line.PointData["level"].GetRange() == (0.0, 2.0)
    assert line.PointData["vtkValidPointMask"].GetRange() == (1.0, 1.0)  # no gap between levels


def check_files(levels, folder):
    for name in ("levels.icsr", "levels.vtpc", "levels.vtkhdf"):
        path = os.path.join(folder, name)
        simple.SaveData(path, levels)
        back = simple.OpenDataFile(path)
        again = simple.SpanwiseGridToLevels(Input=back)
        check_structure(again)
        check_sums(back)
    check_structure(simple.OpenDataFile(os.path.join(folder, "levels.icsr")))
    # Files of a series, one after the other in time.
    fine = simple.SpanwiseGridToLevels(
        Input=simple.Threshold(Input=levels, Scalars=["CELLS", "level"], LowerThreshold=1, UpperThreshold=2))
    names = [os.path.join(folder, f"series{step}.icsr") for step in range(2)]
    simple.SaveData(names[0], levels)
    simple.SaveData(names[1], fine)
    series = simple.SpanwiseIntervalReader(FileName=names)
    for step, expected in ((0, levels), (1, fine), (0, levels)):
        series.UpdatePipeline(step)
        assert series.GetDataInformation().GetNumberOfCells() == number_of_cells(expected), step


def check_empty_levels(folder):
    """Levels without cells come back from files. VTK's reader of .vtkhdf makes -1 cells of each, as Levels.md says."""
    fine = simple.SpanwiseGridToLevels(Input=simple.SpanwiseIntervalShape(
        Shape="Box", Corner=[-1, -1, -1], Lengths=[2, 2, 2], Spacing=3 * [0.25], Level=2))
    cells = number_of_cells(fine)
    for name in ("empty.icsr", "empty.vtpc", "empty.vtkhdf"):
        path = os.path.join(folder, name)
        simple.SaveData(path, fine)
        back = simple.OpenDataFile(path)
        if testing.number_of_ranks() == 1:  # ranks write pieces, of which each may be without cells
            expected = cells - 2 if name.endswith("vtkhdf") else cells
            assert number_of_cells(back) == expected, (name, number_of_cells(back), cells)
        assert number_of_cells(simple.SpanwiseGridToLevels(Input=back)) == cells, name


def check_cgns(folder):
    """Cells are quadrilaterals and hexahedra: CGNS has no place for VTK's pixels."""
    for dimension, cells in (("2D", 52), ("3D", 280)):
        ball = simple.SpanwiseIntervalShape(Shape="Ball", Dimension=dimension, Spacing=3 * [1 / 8])
        assert number_of_cells(ball) == cells, number_of_cells(ball)
        path = os.path.join(folder, f"ball{dimension}.cgns")
        simple.SaveData(path, ball)
        back = simple.MergeBlocks(Input=simple.OpenDataFile(path))
        assert number_of_cells(back) == cells, number_of_cells(back)
        assert number_of_cells(simple.SpanwiseGridToIntervals(Input=back)) == cells


def check_blocks(levels, folder):
    """What makes points or one grid of the levels."""
    centres = simple.CellCenters(Input=levels, VertexCells=1)
    assert number_of_cells(centres) == CELLS
    assert centres.PointData["level"].GetRange() == (0.0, 2.0)
    merged = simple.MergeBlocks(Input=levels)
    assert number_of_cells(merged) == CELLS
    near(integral(merged, "Volume"), 8.0)
    check_structure(simple.SpanwiseGridToLevels(Input=merged))
    # One grid is what a .vtu file holds, or a .pvtu file with one of each rank.
    path = os.path.join(folder, "merged.vtu" if testing.number_of_ranks() == 1 else "merged.pvtu")
    simple.SaveData(path, merged)
    again = simple.SpanwiseGridToLevels(Input=simple.OpenDataFile(path))
    check_structure(again)
    check_sums(again)
    # The gradient of a cell array is right inside of each level; at its edges stock VTK halves it, as at any grid's.
    gradient = simple.Gradient(Input=levels, ScalarArray=["CELLS", "x"], ResultArrayName="gradient")
    gradient.UpdatePipeline()
    near(gradient.CellData["gradient"].GetRange(0)[1], 1.0, 1e-6)
    image = simple.ResampleToImage(Input=levels, SamplingDimensions=[9, 9, 9])
    image.UpdatePipeline()
    assert image.PointData["vtkValidPointMask"].GetRange() == (1.0, 1.0)
    surface = simple.ExtractSurface(Input=levels)
    assert number_of_cells(surface) > 0


def check_conversions(levels):
    trees = simple.SpanwiseLevelsToHyperTreeGrid(Input=levels)
    blocks = simple.SpanwiseLevelsToOverlappingAMR(Input=levels)
    mesh = simple.SpanwiseLevelsToUnstructuredGrid(Input=levels)
    near(integral(mesh, "Volume"), 8.0)
    for other in (trees, blocks):
        again = simple.SpanwiseGridToLevels(Input=other)
        check_structure(again)
        check_sums(again)


def check_drawing(levels, folder):
    """Each level has its share of the picture."""
    view = simple.CreateRenderView(ViewSize=[400, 400], OrientationAxesVisibility=0, CameraParallelProjection=1)
    shown = simple.Show(levels, view)
    simple.ColorBy(shown, ("CELLS", "level"))
    colors = simple.GetColorTransferFunction("level")
    colors.RGBPoints = [0, 1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1]
    shown.Ambient, shown.Diffuse = 1.0, 0.0
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [0, 0, 5], [0, 0, 0], [0, 1, 0]
    view.CameraParallelScale = 1.0
    for representation in ("Surface", "Surface With Edges"):
        shown.SetRepresentationType(representation)
        path = os.path.join(folder, f"{representation}.png".replace(" ", ""))
        simple.SaveScreenshot(path, view)
        if testing.servermanager.vtkProcessModule.GetProcessModule().GetPartitionId() > 0:
            continue
        reader = vtkPNGReader()
        reader.SetFileName(path)
        reader.Update()
        pixels = vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars())[:, :3].astype(int)
        shares = [float((pixels[:, channel] > 200).mean()) for channel in range(3)]
        print(representation, shares)
        for share, expected in zip(shares, (0.5, 0.25, 0.25)):
            most = 0.01 if representation == "Surface" else 0.15
            assert abs(share - expected) < most, (representation, shares)


testing.connect()
output = sys.argv[1]
os.makedirs(output, exist_ok=True)
hierarchy = make_levels()
check_structure(hierarchy)
check_sums(hierarchy)
check_parts(hierarchy)
check_values(hierarchy)
check_blocks(hierarchy, output)
check_files(hierarchy, output)
check_empty_levels(output)
if testing.number_of_ranks() == 1:
    check_cgns(output)
check_conversions(hierarchy)
check_drawing(hierarchy, output)
