"""A server draws, or its client does: both show and select what they should."""

import sys

import scenes
from paraview import simple

import spanwise_testing as testing


def compare(dimension, n, holes, camera, exact, threshold):
    """threshold: MB from which the server draws."""
    scenes.settings(exact=exact)
    render_view = scenes.view()
    render_view.RemoteRenderThreshold = threshold
    scenes.look(render_view, **camera)
    ours = scenes.grid(dimension, n, holes, part="rank")
    twin = scenes.grid(dimension, n, holes, explode=True, part="rank")
    for representation, color in (("Surface", None), ("Surface", ("CELLS", "wave")), ("Surface With Edges", None)):
        pictures, found = [], []
        for source in (ours, twin):
            scenes.show(source, render_view, representation, color)
            pictures.append(scenes.picture(render_view))
            simple.SelectSurfaceCells(Rectangle=[120, 100, 200, 160], View=render_view)
            found.append(scenes.selected(source))
            simple.ClearSelection(source)
        a, b = pictures
        seen = scenes.differing(b, b[:1, :1] + 0 * b)
        count = scenes.differing(a, b, 4)
        print(dimension, exact, threshold, representation, color, f"{count} of {seen} pixels differ;",
              f"{len(found[0])} of {len(found[1])} cells selected")
        assert seen > 1000 and count <= seen / 1000
        assert found[0] == found[1] and len(found[0]) > 20
    simple.Delete(render_view)


def main():
    testing.connect()
    testing.check_loaded(int(sys.argv[1]))
    for threshold in (100000.0, 0.0):
        for exact in (1000000, 100):
            compare(2, 50, 16, dict(position=(10, 5, 500), focus=(10, 5, 0), scale=20), exact, threshold)
            compare(3, 16, 8, dict(position=(60, -30, 40), focus=(8, -4, 5), up=(0, 0, 1)), exact, threshold)


main()
