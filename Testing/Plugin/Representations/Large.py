"""A grid of 100 million cells is opened and drawn within 3 s and 1.2 GB beyond ParaView at rest and the grid's own array,
coloured by an array or not; one of 10 million cells within 0.5 s, drawn again exactly. It turns as soon.

usage: pvpython Large.py file seconds [array]
"""

import os
import resource
import sys
import time

import scenes
from paraview import simple
from spanwise import spanwiseRendering  # noqa: F401  the mapper speaks Python once this is there

MAXIMUM_MB = 1200


def resident():
    """MB of memory that this process holds, and the most that it has held."""
    with open("/proc/self/statm") as file:
        now = int(file.read().split()[1]) * resource.getpagesize() / 1e6
    return now, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def opened(file, array, render_view):
    """The source and its display, opened and drawn, and the seconds that it took."""
    begin = time.perf_counter()
    source = simple.OpenDataFile(file)
    display = simple.Show(source, render_view)
    if array:
        simple.ColorBy(display, ("CELLS", array))
    render_view.ResetCamera()
    simple.Render(render_view)  # simple.ResetCamera() would draw a second time
    return source, display, time.perf_counter() - begin


def measure(file, limit, array):
    render_view = scenes.view((1000, 800))
    simple.Show(simple.Cone(), render_view)
    simple.Render(render_view)
    simple.Hide(simple.GetActiveSource(), render_view)
    rest, highest = resident()

    seconds = []
    for _ in range(3):
        source, display, time_taken = opened(file, array, render_view)
        seconds.append(time_taken)
        if len(seconds) < 3:
            simple.Delete(source)
    cells = source.GetDataInformation().GetNumberOfCells()
    values = 4e-6 * cells if array else 0.0
    beyond = max(resident()[1], highest) - rest - values
    print(f"{os.path.basename(file)}: {cells} cells opened and drawn in", " ".join(f"{t:.2f}" for t in seconds),
          f"s; at most {beyond:.0f} MB beyond ParaView at rest ({rest:.0f} MB) and the array ({values:.0f} MB); "
          f"blocks of 2^{scenes.mapper(display).GetLastShift()}")
    assert sorted(seconds)[1] < limit, f"more than {limit} s"
    assert beyond < MAXIMUM_MB, f"more than {MAXIMUM_MB} MB"

    for _ in range(3):
        simple.GetActiveCamera().Azimuth(2)
        begin = time.perf_counter()
        render_view.InteractiveRender()
        time_taken = time.perf_counter() - begin
        print(f"turned: {time_taken:.2f} s")
        assert time_taken < limit, f"more than {limit} s"

    simple.Render(render_view)
    while scenes.mapper(display).GetLastShift() > 0:  # exact once cells are larger than pixels
        simple.GetActiveCamera().Dolly(2)
        begin = time.perf_counter()
        simple.Render(render_view)
        time_taken = time.perf_counter() - begin
        print(f"nearer: {time_taken:.2f} s, blocks of 2^{scenes.mapper(display).GetLastShift()}")
        assert time_taken < limit, f"more than {limit} s"
    scenes.picture(render_view, os.path.basename(file))


measure(sys.argv[1], float(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else None)
