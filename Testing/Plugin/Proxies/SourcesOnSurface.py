"""Fronts start without more at whatever has cells: the suggested source is in a cell, also where the middle is not."""

import math

from paraview import simple

import spanwise_testing as testing

testing.connect()


def start(name, data, is_near):
    data.UpdatePipeline()
    times = simple.SpanwiseEikonalArrivalTime(Input=data)
    source = list(times.SourcePoints)
    assert is_near(source), (name, source)
    times.UpdatePipeline()
    array = times.PointData["Arrival Time"] or times.CellData["Arrival Time"]
    assert array is not None, name
    low, high = array.GetRange()
    assert 0 <= low < high < math.inf or "wall" in name, (name, low, high)
    paths = simple.SpanwiseEikonalPaths(Input=times)
    paths.UpdatePipeline()
    assert paths.GetDataInformation().GetNumberOfCells() == 1, name  # and the suggested seed finds its way
    print(name, source, (low, high))


def start_unseen(name, make):
    """In a script that has computed nothing yet there are no source points; the filter starts inside all the same."""
    times = simple.SpanwiseEikonalArrivalTime(Input=make())
    assert list(times.SourcePoints) == [], (name, list(times.SourcePoints))
    times.UpdatePipeline()
    array = times.PointData["Arrival Time"] or times.CellData["Arrival Time"]
    assert array is not None, name
    low, high = array.GetRange()
    assert 0 <= low < 0.2 and low < high < math.inf, (name, low, high)


def distance(point, other=(0, 0, 0)):
    return math.dist(point, other)


sphere = simple.Sphere(ThetaResolution=24, PhiResolution=24)
start("a surface", sphere, lambda p: abs(distance(p) - 0.5) < 1e-6)
hollow = simple.Threshold(Input=simple.Calculator(Input=simple.Wavelet(), ResultArrayName="r", Function="mag(coords)"),
                          Scalars=["POINTS", "r"], LowerThreshold=6.0, UpperThreshold=9.0)
start("a hollow solid", simple.Tetrahedralize(Input=hollow), lambda p: 6.0 <= distance(p) <= 9.0)
shell = simple.SpanwiseSetAlgebra(
    Input=[simple.SpanwiseIntervalShape(Shape="Ball", Radius=1.0, Spacing=[0.1] * 3),
           simple.SpanwiseIntervalShape(Shape="Ball", Radius=0.5, Spacing=[0.1] * 3)],
    Operation="Difference")
start("a shell of intervals", shell, lambda p: 0.4 < distance(p) < 0.7)
start("a ball of intervals", simple.SpanwiseIntervalShape(Shape="Ball", Radius=1.0), lambda p: distance(p) < 1e-9)
start("an image", simple.Wavelet(), lambda p: distance(p) < 1e-9)

start_unseen("a surface", lambda: simple.Sphere(ThetaResolution=24, PhiResolution=24))
start_unseen("a shell of intervals", lambda: simple.SpanwiseSetAlgebra(
    Input=[simple.SpanwiseIntervalShape(Shape="Ball", Radius=radius, Spacing=[0.1] * 3) for radius in (1.0, 0.5)],
    Operation="Difference"))
start_unseen("levels of a shell", lambda: simple.SpanwiseGridToLevels(Input=simple.SpanwiseSetAlgebra(
    Input=[simple.SpanwiseIntervalShape(Shape="Ball", Radius=radius, Spacing=[0.1] * 3) for radius in (1.0, 0.5)],
    Operation="Difference")))

# What is given is taken as it is, and where it is beside all cells that is an error.
given = simple.SpanwiseEikonalArrivalTime(Input=sphere, SourcePoints=[0.5, 0, 0])
assert list(given.SourcePoints) == [0.5, 0, 0], list(given.SourcePoints)
