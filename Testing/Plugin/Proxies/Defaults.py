"""Every source gives something with its defaults, and every filter with its defaults and an input of its kind."""

from paraview import make_name_valid, servermanager, simple

import spanwise_testing as testing


def kinds_of_input():
    """What people have, by the least that a filter may ask for."""
    image = simple.Wavelet()
    sphere = simple.Sphere(ThetaResolution=24, PhiResolution=24)
    polygon = simple.Disk(InnerRadius=0.5, OuterRadius=1.0, CircumferentialResolution=24)
    intervals = simple.IntervalShape()
    for source in (image, sphere, polygon, intervals):
        source.UpdatePipeline()
    return {"image": image, "surface": sphere, "polygons": polygon, "intervals": intervals}


# Filters that do not take intervals.
INPUT_OF = {
    "AdaptiveRefinement": "image",
    "ImageToIntervals": "image",
    "PolygonsToIntervals": "polygons",
    "SurfaceToIntervals": "surface",
}

inputs = kinds_of_input()
checked = 0
for group, name, element in testing.definitions():
    label = make_name_valid(element.get("label"))
    if group == "filters":
        made = getattr(simple, label)(Input=inputs[INPUT_OF.get(label, "intervals")])
    elif group == "sources" and not element.findall("Hints/ReaderFactory"):
        made = getattr(simple, label)()
    else:
        continue
    made.UpdatePipeline()
    for port in range(made.SMProxy.GetNumberOfOutputPorts()):
        information = made[port].GetDataInformation()
        size = max(information.GetNumberOfCells(), information.GetNumberOfRows())
        assert size > 0, f"{label} gives nothing from {INPUT_OF.get(label, 'intervals')}"
        print(label, information.GetDataClassName() if hasattr(information, "GetDataClassName") else "", size)
    checked += 1
assert checked > 0
