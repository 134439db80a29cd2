"""Every source gives something with its defaults, and every filter with its defaults and an input of its kind."""

from paraview import make_name_valid, servermanager, simple

import spanwise_testing as testing


def kinds_of_input():
    """What people have, by the least that a filter may ask for."""
    image = simple.Wavelet()
    sphere = simple.Sphere(ThetaResolution=24, PhiResolution=24)
    polygon = simple.Disk(InnerRadius=0.5, OuterRadius=1.0, CircumferentialResolution=24)
    intervals = simple.SpanwiseIntervalShape()
    for source in (image, sphere, polygon, intervals):
        source.UpdatePipeline()
    times = simple.SpanwiseEikonalArrivalTime(Input=intervals)
    times.UpdatePipeline()
    simple.SetActiveSource(intervals)  # as below
    values = simple.SpanwiseImageToIntervals(Input=image)
    values.UpdatePipeline()
    return {"times": times, "image": image, "surface": sphere, "polygons": polygon, "intervals": intervals, "values": values}


# Filters that do not take intervals, or want values on them.
INPUT_OF = {
    "SpanwiseAdaptiveRefinement": "image",
    "SpanwiseContourLevels": "values",
    "SpanwiseEikonalPaths": "times",
    "SpanwiseFieldStencil": "values",
    "SpanwiseImageToIntervals": "image",
    "SpanwisePolygonsToIntervals": "polygons",
    "SpanwiseSignedDistanceToSurface": "surface",
    "SpanwiseSurfaceToIntervals": "surface",
    "SpanwiseThresholdToIntervals": "values",
}

inputs = kinds_of_input()
checked = 0
for group, name, element in testing.definitions():
    label = make_name_valid(element.get("label"))
    if group == "filters":
        given = {"Input": inputs[INPUT_OF.get(label, "intervals")]}
        if element.find("InputProperty[@name='Source']") is not None:
            given["Source"] = given["Input"]
        simple.SetActiveSource(given["Input"])  # filters look for the active source's arrays first
        made = getattr(simple, label)(**given)
    elif group == "sources" and not element.findall("Hints/ReaderFactory"):
        made = getattr(simple, label)()
    else:
        continue
    made.UpdatePipeline()
    for port in range(made.SMProxy.GetNumberOfOutputPorts()):
        information = made[port].GetDataInformation()
        size = max(information.GetNumberOfCells(), information.GetNumberOfRows(), information.GetNumberOfLeaves())
        assert size > 0, f"{label} gives nothing from {INPUT_OF.get(label, 'intervals')}"
        print(label, information.GetDataClassName() if hasattr(information, "GetDataClassName") else "", size)
    checked += 1
assert checked > 0

# What is given goes before what the input's bounds suggest, also if it is what people give most.
far = simple.SpanwiseIntervalShape(Shape="Box", Corner=[10, 10, 10], Lengths=[3, 4, 5], Resolution=5)
far.UpdatePipeline()
suggested = simple.SpanwiseExtractRegion(Input=far)
assert list(suggested.Corner) == [10, 10, 10] and list(suggested.Lengths) == [3, 4, 5], (suggested.Corner, suggested.Lengths)
assert list(suggested.Center) == [11.5, 12, 12.5] and suggested.Radius == 1.25, (suggested.Center, suggested.Radius)
for value in (-0.5, 0, 0.5, 1):
    given = simple.SpanwiseExtractRegion(Input=far, Corner=[value] * 3, Lengths=[value] * 3, Center=[value] * 3,
                                         Radius=value)
    for numbers in (given.Corner, given.Lengths, given.Center, [given.Radius]):
        assert set(numbers) == {value}, (value, numbers)

checked = 0
for group, name, element in testing.definitions():
    label = make_name_valid(element.get("label"))
    if group != "filters":
        continue
    for suggested in testing.elements_with_bases(element):
        if not suggested.findall("BoundsDomain") + suggested.findall("ArrayRangeDomain"):
            continue
        is_list = suggested.get("number_of_elements") != "1"
        count = max(int(suggested.get("number_of_elements")), 1)  # 0: of any length
        for numbers in ([0.0] * count, [1.0] * count, ([0.0, 1.0] * count)[:count], [-0.5] * count):
            given = {"Input": inputs[INPUT_OF.get(label, "intervals")]}
            key = make_name_valid(suggested.get("label") or suggested.get("name"))
            made = getattr(simple, label)(**given, **{key: numbers if is_list else numbers[0]})
            found = getattr(made, key)
            assert (list(found) if is_list else [found]) == numbers, f"{label}.{key} is {found}, given {numbers}"
            checked += 1
assert checked > 40, checked
