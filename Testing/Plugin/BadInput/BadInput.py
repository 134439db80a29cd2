"""Every bad property, array or file gives one message that names the value and the rule, and an empty output; mended, the same
pipeline gives cells. In one process and on ranks.

usage: pvpython or pvbatch BadInput.py folder [file of samurai]
"""

import math
import os
import struct
import sys

import spanwise_testing as testing
from paraview import simple
from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow

BALL = {"Shape": "Ball", "Spacing": [0.1, 0.1, 0.1]}


def shape(**properties):
    return simple.SpanwiseIntervalShape(**{**BALL, **properties})


def set_properties(source, properties):
    for name, value in properties.items():
        setattr(source, name, value)


def messages_of(source):
    """What is said while the source is brought up to date."""
    window = vtkStringOutputWindow()
    before = vtkOutputWindow.GetInstance()
    vtkOutputWindow.SetInstance(window)
    try:
        source.UpdatePipeline()
    finally:
        vtkOutputWindow.SetInstance(before)
    return [text for text in window.GetOutput().split("ERROR: ") if text.strip()]


def expect(source, bad, good, *words):
    """With the bad properties one message with these words; with the good ones cells."""
    set_properties(source, bad)
    messages = messages_of(source)
    print(source.GetXMLLabel(), bad, messages)
    assert len(messages) == 1, messages
    for word in words:
        assert word in messages[0], (word, messages)
    assert source.GetDataInformation().GetNumberOfCells() == 0
    set_properties(source, good)
    assert not messages_of(source)
    assert source.GetDataInformation().GetNumberOfCells() > 0


def shapes():
    source = shape()
    expect(source, {"Radius": -1.0}, {"Radius": 0.5}, "radius", "-1")
    expect(source, {"Spacing": [0.1, 0.0, 0.1]}, BALL, "spacing", "0", "positive")
    expect(source, {"Spacing": [0.1, float("nan"), 0.1]}, BALL, "spacing", "nan")
    expect(source, {"Spacing": [1e-12, 1e-12, 1e-12]}, BALL, "1e-12", "-2^31")
    expect(source, {"Center": [float("inf"), 0.0, 0.0]}, {"Center": [0.0, 0.0, 0.0]}, "inf", "finite")


def inputs():
    ball = shape()
    coarse = shape(Spacing=[0.2, 0.2, 0.2])
    shifted = shape(Origin=[0.03, 0.0, 0.0])
    flat = shape(Dimension="2D")
    tetrahedra = simple.Tetrahedralize(Input=ball)
    algebra = simple.SpanwiseSetAlgebra(Input=[ball, ball])
    for other, words in ((coarse, ("0.1", "0.2")), (shifted, ("0.03",)), (flat, ("2D", "3D")), (tetrahedra, ("input 1", "vtkTetra"))):
        expect(algebra, {"Input": [ball, other]}, {"Input": [ball, ball]}, *words)

    expression = simple.SpanwiseSetExpression(Input=[ball, ball])
    good = {"Expression": "A & ~erode(B, 1)"}
    expect(expression, {"Expression": "A | (B & D)"}, good, "column 10", "'D'", "A and B", "\n             ^")
    expect(expression, {"Expression": "A |\n~B"}, good, "line 2, column 1", "no end")
    expect(expression, {"Expression": "(" * 100000}, good, "100000 bytes")
    expect(expression, {"InputNames": ["B"]}, {"InputNames": []}, "two inputs", "'B'")
    region = simple.SpanwiseExtractRegion(Input=ball, Region="Sphere", Radius=0.3)
    expect(region, {"Radius": -1.0}, {"Radius": 0.3}, "radius", "-1")
    expect(region, {"Region": "Set"}, {"Region": "Set", "RegionSet": ball}, "no set")
    expect(region, {"RegionSet": coarse}, {"RegionSet": ball}, "0.1", "0.2")

    expect(simple.SpanwiseGridToIntervals(Input=ball), {"Input": tetrahedra}, {"Input": ball}, "cell")

    image = simple.Wavelet(WholeExtent=[0, 9, 0, 9, 0, 9])
    thresholded = simple.SpanwiseImageToIntervals(Input=image, Scalars=["POINTS", "RTData"], LowerThreshold=0, UpperThreshold=1000)
    expect(thresholded, {"Scalars": ["POINTS", "missing"]}, {"Scalars": ["POINTS", "RTData"]}, "missing", "array")

    selected = simple.SpanwiseThresholdToIntervals(
        Input=thresholded, Scalars=["CELLS", "RTData"], LowerThreshold=0, UpperThreshold=1000)
    expect(selected, {"Scalars": ["CELLS", "missing"]}, {"Scalars": ["CELLS", "RTData"]}, "missing", "array")
    expect(selected, {"LowerThreshold": 2000}, {"LowerThreshold": 0}, "2000", "1000", "must not exceed")
    stencil = simple.SpanwiseFieldStencil(Input=thresholded, Array=["CELLS", "RTData"])
    expect(stencil, {"Stencil": "Divergence"}, {"Stencil": "Laplacian"}, "RTData", "has 1 component;")
    expect(stencil, {"Stencil": "Jacobi Smoothing", "Relaxation": 1.5}, {"Relaxation": 1.0}, "relaxation", "1.5")
    remapped = simple.SpanwiseRemapField(Input=ball, Source=ball)
    expect(remapped, {"Source": coarse}, {"Source": ball}, "0.1", "0.2")

    disk = simple.Disk()
    tilted = simple.Transform(Input=disk)
    tilted.Transform.Rotate = [30.0, 0.0, 0.0]
    polygons = simple.SpanwisePolygonsToIntervals(Input=disk)
    expect(polygons, {"Input": tilted}, {"Input": disk}, "plane")
    expect(polygons, {"Resolution": 0}, {"Resolution": 100}, "0")

    sphere = simple.Sphere()
    half = simple.Sphere(EndTheta=180.0)
    surface = simple.SpanwiseSurfaceToIntervals(Input=sphere, Resolution=20)
    expect(surface, {"Input": half}, {"Input": sphere}, "open")
    near = simple.SpanwiseSignedDistanceToSurface(Input=sphere, Resolution=20)
    expect(near, {"Input": half}, {"Sign": "Unsigned"}, "open", "choose Unsigned")
    expect(near, {"Where": "Cells Of Second Input"}, {"Where": "Box"}, "second input", "none")
    expect(near, {"Where": "Cells Of Second Input", "CellsInput": flat}, {"CellsInput": ball}, "2D", "3D")
    expect(near, {"Where": "Band", "Width": -2}, {"Width": 0.3}, "width", "-2")
    expect(near, {"Where": "Box", "MemoryLimit": 0}, {"MemoryLimit": 100}, "MiB", "limit is 0")

    morphology = simple.SpanwiseMorphology(Input=ball)
    expect(morphology, {"Radii": [1, -2, 1]}, {"Radii": [1, 2, 1]}, "radius", "-2")
    ball_of_1001 = {"Element": "Ball", "Radius": 1001}
    expect(morphology, ball_of_1001, {"Element": "Box", "Radius": 1}, "is 1001 cells", "from 0 to 1000\n")
    expect(morphology, {"Element": "Cells"}, {"Element": "Box"}, "second input")
    expect(morphology, {"Element": "Cells", "ElementCells": flat}, {"ElementCells": ball}, "2D", "3D")
    expect(morphology, {"ElementCells": tetrahedra}, {"ElementCells": ball}, "second input (Element Cells)", "vtkTetra")
    expect(morphology, {"ElementCells": coarse}, {"ElementCells": ball}, "0.1", "0.2")
    period = {"PeriodicX": 1, "PeriodBox": "Given Bounds", "PeriodBounds": [0, 0.2, 0, 1, 0, 1]}
    boundary = simple.SpanwiseBoundary(Input=ball)
    expect(boundary, period, {"PeriodBox": "Bounds of Input"}, "period", "axis 0")
    components = simple.SpanwiseComponents(Input=ball)
    expect(components, {"Keep": "Containing Point", "SeedPoint": [3, 4, 5]}, {"SeedPoint": [0.1, 0, 0]}, "(3, 4, 5)", "cell")
    expect(components, {"Input": tetrahedra}, {"Input": ball}, "cell")
    holes = simple.SpanwiseFillHoles(Input=ball)
    expect(holes, {"LargestHole": -1}, {"LargestHole": 0}, "-1")

    distance = simple.SpanwiseSignedDistanceToSet(Input=ball)
    expect(distance, {"Where": "Cells Of Second Input"}, {"Where": "Box"}, "second input", "none")
    expect(distance, {"Where": "Cells Of Second Input", "CellsInput": coarse}, {"CellsInput": ball}, "second input (Cells Input)", "0.1", "0.2")
    expect(distance, {"CellsInput": flat}, {"CellsInput": ball}, "2D", "3D")
    expect(distance, {"Where": "Band", "Width": -2}, {"Width": 0.3}, "width", "-2")
    expect(distance, {"Where": "Box", "MemoryLimit": 0}, {"MemoryLimit": 100}, "MiB", "limit is 0")
    expect(distance, period, {"PeriodBox": "Bounds of Input"}, "period", "axis 0")

    dense = simple.SpanwiseIntervalsToImage(Input=ball)
    expect(dense, {"MemoryLimit": 0}, {"MemoryLimit": 100}, "0 MiB")

    expect(simple.SpanwiseCoarsenIntervals(Input=ball), {"Input": tetrahedra}, {"Input": ball}, "cell")
    expect(simple.SpanwiseRefineIntervals(Input=ball), {"Levels": 31}, {"Levels": 1}, "31", "[1, 30]")
    levels = simple.SpanwiseAdaptiveRefinement(Input=image, Scalars=["POINTS", "RTData"])
    expect(levels, {"Scalars": ["POINTS", "missing"]}, {"Scalars": ["POINTS", "RTData"]}, "missing", "array")
    expect(levels, {"NumberOfLevels": 17}, {"NumberOfLevels": 4}, "17", "[1, 16]")
    resampled = simple.SpanwiseResampleLevels(Input=levels, LevelMode="Given Level")
    expect(resampled, {"Level": 31}, {"Level": 0}, "31", "[0, 30]")


def meshes():
    mesh = simple.Tetrahedralize(Input=simple.Wavelet(WholeExtent=[0, 4, 0, 4, 0, 4]))
    quadratic = simple.UnstructuredCellTypes(CellType="Quadratic Tet", BlocksDimensions=[2, 2, 2])
    expect(simple.SpanwiseElementQuality(Input=mesh), {"Input": quadratic}, {"Input": mesh}, "cell 0",
           "vtkQuadraticTetra")
    arrival = simple.SpanwiseEikonalArrivalTime(Input=mesh)  # on ranks it is in pieces
    if testing.number_of_ranks() == 1:
        expect(arrival, {"Input": quadratic}, {"Input": mesh}, "cell 0", "vtkQuadraticTetra")
        expect(simple.SpanwisePartitionMesh(Input=mesh), {"Input": quadratic}, {"Input": mesh}, "cell 0",
               "vtkQuadraticTetra")
    dealt = simple.SpanwisePartitionMesh(Input=mesh)
    expect(dealt, {"NumberOfParts": 0}, {"NumberOfParts": 4}, "number of parts is 0", "at least 1")
    expect(arrival, {"StopRegion": "none"}, {"StopRegion": ""}, "none", "points", "region")
    expect(arrival, {"SourcePoints": [9, 9, 9]}, {"SourcePoints": [2, 2, 2]}, "(9, 9, 9)", "outside")
    expect(arrival, {"Speed": 0}, {"Speed": 1}, "speed", "0", "positive")
    expect(arrival, {"SpeedKind": "Constant Tensor", "Tensor": [1, 1, -1, 0, 0, 0]}, {"SpeedKind": "Constant"}, "zz -1")
    expect(arrival, {"SpeedKind": "Array", "SpeedArray": ["CELLS", "none"]}, {"SpeedKind": "Constant"}, "none", "array")
    ways = simple.SpanwiseEikonalPaths(Input=arrival)
    expect(ways, {"Input": mesh}, {"Input": arrival}, "no arrival times")
    smooth = simple.SpanwiseSmoothMesh(Input=mesh)
    expect(smooth, {"Relaxation": 0}, {"Relaxation": 1}, "0")
    expect(smooth, {"MinimumQuality": 2}, {"MinimumQuality": 0}, "2")
    expect(arrival, {"Sources": "Points Of Second Input"}, {"Sources": "Placed Points"}, "no second input")
    potential = simple.SpanwiseNBodyPotential(Input=mesh)
    expect(potential, {"Softening": -1}, {"Softening": 0}, "softening", "-1")
    expect(potential, {"Charges": "Array", "ChargeArray": ["POINTS", "none"]}, {"Charges": "One Each"}, "none", "array")
    expect(potential, {"PeriodicBox": 1, "PeriodBounds": [0, 9, 0, 9, 0, 9]}, {"PeriodicBox": 0}, "total charge", "is 0")
    expect(potential, {"PeriodicBox": 1, "PeriodBounds": [0, 9, 2, 1, 0, 9]}, {"PeriodicBox": 0}, "edges", "positive")
    motion = simple.SpanwiseNBodyMotion(Input=mesh)
    expect(motion, {"TimeStep": -1}, {"TimeStep": 0}, "time step", "-1")
    expect(motion, {"Velocities": "Array", "VelocityArray": ["POINTS", "none"]}, {"Velocities": "At Rest"}, "none", "array")


def lattices():
    """Arrival times on grids of intervals and on images."""
    ball = shape(Dimension="2D")
    image = simple.Wavelet(WholeExtent=[0, 20, 0, 20, 0, 0])
    for source, inside, spacing in ((ball, [0, 0, 0], 0.1), (image, [10, 10, 0], 1)):
        arrival = simple.SpanwiseEikonalArrivalTime(Input=source, SourcePoints=inside)
        expect(arrival, {"SourcePoints": [99, 9, 0]}, {"SourcePoints": inside}, "(99, 9, 0)", "outside")
        expect(arrival, {"Speed": 0}, {"Speed": 1}, "speed", "0", "positive")
        expect(arrival, {"SpeedKind": "Array", "SpeedArray": ["CELLS", "none"]}, {"SpeedKind": "Constant"}, "none", "array")
        good = {"Sources": "Placed Points"}
        expect(arrival, {"Sources": "Surface Of Second Input"}, good, "no second input")
        expect(arrival, {"Sources": "Cells Of Second Input"}, good, "no second input")
        other = shape(Dimension="2D", Spacing=[0.2 * spacing] * 3)
        expect(arrival, {"Sources": "Cells Of Second Input", "SourceInput": other}, good, "second input (Source Input)", "spacing")
        period = {"PeriodicX": 1, "PeriodBox": "Given Bounds", "PeriodBounds": [0, 0.2, 0, 1, 0, 1]}
        expect(arrival, period, {"PeriodicX": 0}, "axis 0")
        ways = simple.SpanwiseEikonalPaths(Input=arrival)
        expect(ways, {"Input": source}, {"Input": arrival}, "no arrival times")


def files(folder):
    os.makedirs(folder, exist_ok=True)
    whole = os.path.join(folder, "whole.icsr")
    simple.SaveData(whole, shape())
    with open(whole, "rb") as file:
        content = file.read()
    bad = {
        "truncated": content[: len(content) // 2],
        "flipped": content[:100] + bytes([content[100] ^ 255]) + content[101:],  # in the header of the root group
        "text": b"not a grid",
        "empty": b"",
    }
    reader = simple.SpanwiseIntervalReader(FileName=whole)
    for name, bytes_of in bad.items():
        path = os.path.join(folder, name + ".icsr")
        with open(path, "wb") as file:
            file.write(bytes_of)
        expect(reader, {"FileName": path}, {"FileName": whole}, name + ".icsr")
    expect(reader, {"FileName": os.path.join(folder, "none.icsr")}, {"FileName": whole}, "none.icsr")

    # Nothing that was written before is lost.
    writer = simple.CreateWriter(whole, simple.Tetrahedralize(Input=shape()))
    writer.UpdatePipeline()
    with open(whole, "rb") as file:
        assert file.read() == content


def map_of(content):
    """Where a .vdb file with one mask on equal cells has its map: from and to which byte. The tree follows."""
    name = b"UniformScaleTranslateMap"
    begin = content.index(name) - 4
    return begin, begin + 4 + len(name) + 6 * 3 * 8


def turned(content):
    """The file with the grid turned around z: its map is an AffineMap then."""
    begin, end = map_of(content)
    cosine, sine = 0.1 * math.cos(0.3), 0.1 * math.sin(0.3)
    matrix = struct.pack("<16d", cosine, sine, 0, 0, -sine, cosine, 0, 0, 0, 0, 0.1, 0, 0, 0, 0, 1)
    affine = struct.pack("<I", 9) + b"AffineMap" + matrix
    at = positions_at(content)
    grid, values, stop = struct.unpack_from("<3q", content, at)
    shift = len(affine) - (end - begin)
    moved = struct.pack("<3q", grid, values + shift, stop + shift)
    return content[:at] + moved + content[at + len(moved):begin] + affine + content[end:]


def positions_at(content):
    """Where the file says at which bytes the grid, the values of its leaves and its end are."""
    tree = b"Tree_mask_5_4_3"
    return content.index(tree) + len(tree) + 4  # an empty name follows


def with_byte(content, at, change):
    return content[:at] + bytes([content[at] ^ change]) + content[at + 1:]


def openvdb_files(folder):
    os.makedirs(folder, exist_ok=True)
    whole = os.path.join(folder, "whole.vdb")
    simple.SaveData(whole, shape())
    with open(whole, "rb") as file:
        content = file.read()
    _, tree = map_of(content)
    bad = {
        "turned": (turned(content), "'mask'", "rotates or shears"),
        "damaged": (with_byte(content, tree, 2), "'mask'", "damaged", "3 buffers"),
        "cut": (content[:-3], "cannot read"),
        "text": (b"this is a text and no file of voxels", "not an OpenVDB file"),
        "empty": (b"", "not an OpenVDB file"),
        "newer": (content[:8] + struct.pack("<I", 226) + content[12:], "version 226", "222 to 225"),
    }
    reader = simple.SpanwiseOpenVDBReader(FileName=[whole])
    for name, (bytes_of, *words) in bad.items():
        path = os.path.join(folder, name + ".vdb")
        with open(path, "wb") as file:
            file.write(bytes_of)
        expect(reader, {"FileName": [path]}, {"FileName": [whole]}, name + ".vdb", *words)
    expect(reader, {"FileName": [os.path.join(folder, "none.vdb")]}, {"FileName": [whole]}, "none.vdb")

    # Nothing that was written before is lost.
    writer = simple.CreateWriter(whole, simple.Tetrahedralize(Input=shape()))
    writer.UpdatePipeline()
    with open(whole, "rb") as file:
        assert file.read() == content


def mesh_files(folder):
    whole = os.path.join(folder, "whole.mesh")
    triangle = "MeshVersionFormatted 2\nDimension 2\nVertices 3\n0 0 0\n1 0 0\n0 1 0\nTriangles 1\n1 2 3 7\nEnd\n"
    bad = {
        "beyond": (triangle.replace("1 2 3 7", "1 2 4 7"), "4", "3"),
        "cut": (triangle[:-12], "cut.mesh"),
        "many": (triangle.replace("Triangles 1", "Triangles 4000000000"), "4000000000"),
        "text": ("this is a text and no mesh", "text.mesh"),
        "empty": ("", "empty.mesh"),
    }
    for name, text in {"whole": triangle, **{name: case[0] for name, case in bad.items()}}.items():
        with open(os.path.join(folder, name + ".mesh"), "w", encoding="utf-8") as file:
            file.write(text)
    reader = simple.SpanwiseMeshbReader(FileName=[whole])
    for name, (_, *words) in bad.items():
        expect(reader, {"FileName": [os.path.join(folder, name + ".mesh")]}, {"FileName": [whole]}, *words)


def samurai_files(folder, whole):
    with open(whole, "rb") as file:
        content = file.read()
    with open(os.path.join(folder, "whole.icsr"), "rb") as file:
        grid = file.read()
    bad = {
        "cut": (content[: len(content) // 2],),
        "flipped": (with_byte(content, 96, 255),),  # in the header of the root group
        "grid": (grid, "mesh"),
        "text": (b"this is a text and no mesh", "HDF5"),
        "empty": (b"", "HDF5"),
    }
    reader = simple.SpanwiseSamuraiReader(FileName=[whole])
    for name, (bytes_of, *words) in bad.items():
        path = os.path.join(folder, name + ".h5")
        with open(path, "wb") as file:
            file.write(bytes_of)
        expect(reader, {"FileName": [path]}, {"FileName": [whole]}, name + ".h5", *words)
    expect(reader, {"FileName": [os.path.join(folder, "none.h5")]}, {"FileName": [whole]}, "none.h5")


testing.connect()
shapes()
inputs()
meshes()
lattices()
files(sys.argv[1])
openvdb_files(sys.argv[1])
mesh_files(sys.argv[1])
if len(sys.argv) > 2:
    samurai_files(*sys.argv[1:])
