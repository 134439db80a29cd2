"""A grid of 100 million cells is opened and drawn within 3 s and 1.2 GB beyond ParaView at rest and the grid's own
array, coloured by an array or not; one of 10 million cells within 0.5 s, and exactly. It turns as soon.

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


def camera():
    return simple.GetActiveCamera()


def timed(change, render):
    """The seconds that the view takes after a change of its camera."""
    change()
    begin = time.perf_counter()
    render()
    return time.perf_counter() - begin


def aside(part):
    """Moves the camera along x by a part of its distance, so that it sees other cells."""
    step = part * camera().GetDistance()
    for get, put in ((camera().GetPosition, camera().SetPosition), (camera().GetFocalPoint, camera().SetFocalPoint)):
        x, y, z = get()
        put(x + step, y, z)


def views(render_view, factor):
    """The seconds that three views take which are so many times nearer."""
    changes = [lambda: camera().Dolly(factor), lambda: aside(0.2), lambda: aside(-0.4)]
    return [timed(change, lambda: simple.Render(render_view)) for change in changes]


def report(what, seconds, limit):
    print(f"{what}:", " ".join(f"{t:.2f}" for t in seconds), "s")
    assert sorted(seconds)[1] < limit, f"more than {limit} s"


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

    turned = [timed(lambda: camera().Azimuth(2), lambda: render_view.InteractiveRender()) for _ in range(3)]
    report("turned", turned, limit)
    simple.Render(render_view)
    while scenes.mapper(display).GetLastShift() > 0:
        seconds = views(render_view, 2)
        report(f"nearer, blocks of 2^{scenes.mapper(display).GetLastShift()}", seconds, limit)
    # Cells that are drawn themselves were half a pixel at least; now they are a pixel, and can be seen.
    report("exact", views(render_view, 2), limit)
    assert scenes.mapper(display).GetLastShift() <= 0
    scenes.picture(render_view, os.path.basename(file))


measure(sys.argv[1], float(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else None)
