"""Large grids are drawn at the detail that the view needs: exactly where cells can be seen, in blocks where they cannot."""

import scenes


def compare(dimension, n, holes, **views):
    """The same views of a grid that follows the view and of its exploded twin; all but "far" show cells."""
    scenes.settings(exact=1000)
    render_view = scenes.view()
    ours = scenes.grid(dimension, n, holes)
    twin = scenes.grid(dimension, n, holes, explode=True)
    all_cells = ours.GetDataInformation().GetNumberOfCells()
    for name, camera in views.items():
        for color in (None, ("CELLS", "wave"), ("CELLS", "kind"), ("POINTS", "height")):
            scenes.look(render_view, **camera)
            display = scenes.show(ours, render_view, "Surface", color)
            what = f"{dimension}d-{name}-{color[1] if color else 'plain'}"
            a = scenes.picture(render_view, what + "-ours")
            shift = scenes.mapper(display).GetLastShift()
            piece = scenes.polygons(display)
            scenes.show(twin, render_view, "Surface", color)
            b = scenes.picture(render_view, what + "-twin")
            seen = scenes.differing(b, b[:1, :1] + 0 * b)
            cells = color is not None and color[0] == "CELLS"  # the others are interpolated, or have longer edges
            count = scenes.differing(a, b, 0 if cells else 4)
            mean = abs(a.mean(axis=(0, 1)) - b.mean(axis=(0, 1))).max()
            print(f"{what}: blocks of 2^{shift}, {piece} polygons given for {all_cells} cells; "
                  f"{count} of {seen} pixels differ, mean by {mean:.2f}")
            assert seen > 200, what
            assert piece < 300000 and shift >= 0, what
            if name != "far":
                assert shift == 0, what
                assert count <= (0 if cells else seen / 1000), what
            else:
                assert shift > 0, what
                assert mean < 3.0, what


def fine():
    """Cells that are smaller than pixels, most of which cover none, look as they do when all of them are drawn."""
    scenes.settings(exact=1000)
    render_view = scenes.view()
    ours = scenes.grid(2, 300, 24)
    twin = scenes.grid(2, 300, 24, explode=True)
    for name in ("wave", "kind"):
        scenes.look(render_view, position=(200, -300, 700), focus=(0, 0, 0), scale=220)
        for turn in range(3):
            display = scenes.show(ours, render_view, "Surface", ("CELLS", name))
            a = scenes.picture(render_view, f"fine-{name}-{turn}-ours")
            assert scenes.mapper(display).GetLastShift() == 0
            scenes.show(twin, render_view, "Surface", ("CELLS", name))
            b = scenes.picture(render_view, f"fine-{name}-{turn}-twin")
            seen = scenes.differing(b, b[:1, :1] + 0 * b)
            count = scenes.differing(a, b)
            print(f"fine-{name}-{turn}: {count} of {seen} pixels differ")
            assert seen > 2000 and count == 0
            scenes.simple.GetActiveCamera().Azimuth(3)


def limited():
    """No more polygons are drawn than may be."""
    scenes.settings(exact=1000, maximum=20000)
    render_view = scenes.view()
    source = scenes.grid(2, 300)
    scenes.look(render_view, (0, 0, 1000), (0, 0, 0), scale=300)
    display = scenes.show(source, render_view, "Surface", ("CELLS", "wave"))
    image = scenes.picture(render_view, "limited")
    assert scenes.mapper(display).GetLastShift() == 2, scenes.mapper(display).GetLastShift()
    assert scenes.differing(image, image[:1, :1] + 0 * image) > 1000


def small():
    """A grid below the limit is given to the view as it is."""
    scenes.settings(exact=1000000)
    render_view = scenes.view()
    source = scenes.grid(2, 100)
    display = scenes.show(source, render_view, "Surface", ("CELLS", "wave"))
    scenes.picture(render_view)
    assert scenes.mapper(display).GetLastShift() == -1
    assert scenes.polygons(display) == source.GetDataInformation().GetNumberOfCells()
    display = scenes.show(source, render_view, "Surface")
    scenes.picture(render_view)
    assert scenes.polygons(display) < 1000, "runs are merged where no array colours them"


compare(2, 300, 24, near=dict(position=(30, 20, 500), focus=(30, 20, 0), scale=30),
        far=dict(position=(0, 0, 1000), focus=(0, 0, 0), scale=600))
compare(3, 50, 16, near=dict(position=(60, -30, 40), focus=(40, -20, 25), up=(0, 0, 1)),
        inside=dict(position=(12, -9, 7), focus=(40, -20, 25), up=(0, 0, 1)),  # some cells are seen from within
        far=dict(position=(1500, 1250, 1750), focus=(0, 0, 0)))
fine()
limited()
small()
