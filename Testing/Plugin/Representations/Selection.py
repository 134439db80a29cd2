"""Selections find cells and points, never merged runs or blocks."""

import scenes
from paraview import simple


def ids_within(source, render_view, rectangle, points=False):
    simple.ClearSelection(source)
    pick = simple.SelectSurfacePoints if points else simple.SelectSurfaceCells
    pick(Rectangle=rectangle, View=render_view)
    ids = scenes.selected(source)
    simple.ClearSelection(source)
    return ids


def same_as_twin(dimension, n, holes, camera, rectangle, exact):
    scenes.settings(exact=exact)
    render_view = scenes.view()
    ours = scenes.grid(dimension, n, holes)
    twin = scenes.grid(dimension, n, holes, explode=True)
    scenes.look(render_view, **camera)
    for representation, color in (("Surface", None), ("Surface", ("CELLS", "wave")), ("Surface With Edges", None)):
        for points in (False, True):
            found = []
            for source in (ours, twin):
                scenes.show(source, render_view, representation, color)
                simple.Render(render_view)
                found.append(ids_within(source, render_view, rectangle, points))
            what = f"{dimension}d {representation} {color} {'points' if points else 'cells'} of {len(found[1])}"
            print(what, "exact up to", exact, "polygons:", len(found[0]))
            assert len(found[1]) > 20, what
            assert found[0] == found[1], what


def cells_smaller_than_a_pixel():
    """Each pixel finds one cell, and one that it shows."""
    scenes.settings(exact=1000)
    render_view = scenes.view()
    source = scenes.grid(2, 300)
    scenes.look(render_view, (0, 0, 1000), (0, 0, 0), scale=1200)  # eight cells in a pixel, along each axis
    scenes.show(source, render_view)
    simple.Render(render_view)
    ids = ids_within(source, render_view, [190, 140, 199, 149])
    print("of 100 pixels:", len(ids))
    assert 20 < len(ids) <= 100 and len(set(ids)) == len(ids)
    grid = simple.servermanager.Fetch(source)
    for cell in ids:
        x0, x1, y0, y1, _, _ = grid.GetCell(cell).GetBounds()
        assert -85 < x0 and x1 < 5 and -85 < y0 and y1 < 5, (x0, y0)


for limit in (1000000, 100):
    same_as_twin(2, 60, 24, dict(position=(10, 5, 500), focus=(10, 5, 0), scale=15), [120, 100, 200, 160], limit)
    same_as_twin(3, 20, 8, dict(position=(60, -30, 40), focus=(8, -4, 5), up=(0, 0, 1)), [120, 100, 200, 160], limit)
cells_smaller_than_a_pixel()
