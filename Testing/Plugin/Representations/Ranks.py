"""Ranks that draw their own slabs make the picture of the exploded slabs. Run by pvbatch under mpiexec."""

import scenes
from paraview import simple


def same_pictures(dimension, n, holes, camera, exact):
    scenes.settings(exact=exact)
    render_view = scenes.view()
    scenes.look(render_view, **camera)
    ours = scenes.grid(dimension, n, holes, part="rank")
    twin = scenes.grid(dimension, n, holes, explode=True, part="rank")
    assert ours.GetDataInformation().GetNumberOfCells() == twin.GetDataInformation().GetNumberOfCells()
    for representation, color, opacity in (("Surface", None, 1.0), ("Surface", ("CELLS", "wave"), 1.0),
                                           ("Surface With Edges", ("CELLS", "kind"), 1.0),
                                           ("Surface", ("CELLS", "wave"), 0.6)):
        pictures = []
        for source in (ours, twin):
            display = scenes.show(source, render_view, representation, color, Opacity=opacity)
            pictures.append(scenes.picture(render_view, f"ranks-{dimension}-{exact}-{len(pictures)}-{opacity}"))
            display.Opacity = 1.0
        if pictures[0] is not None:
            a, b = pictures
            seen = scenes.differing(b, b[:1, :1] + 0 * b)
            count = scenes.differing(a, b, 4)
            print(dimension, exact, representation, color, opacity, f"{count} of {seen} pixels differ")
            assert seen > 1000 and count <= seen / (1000 if opacity == 1.0 else 500)


def main():
    for exact in (1000000, 100):
        same_pictures(2, 50, 16, dict(position=(10, 5, 500), focus=(10, 5, 0), scale=30), exact)
        same_pictures(3, 16, 8, dict(position=(60, -30, 40), focus=(0, 0, 0), up=(0, 0, 1)), exact)


main()
