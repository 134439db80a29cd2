"""A grid of intervals looks as the exploded grid does, however it is shown.

Where cells are drawn, pictures are equal. Merged runs have longer edges, on which a pixel in a thousand may fall to the other
side. Lines that two cells share have the colour of either, so wireframes are compared without colours.
"""

import scenes

VIEWS = {
    2: [dict(position=(0, 0, 300), focus=(0, 0, 0), scale=40), dict(position=(90, -60, 70), focus=(5, 0, 0), up=(0, 0, 1))],
    3: [dict(position=(70, 50, 60), focus=(0, 0, 0)), dict(position=(9, -30, 14), focus=(0, 0, 0), up=(0, 0, 1))],
}
LOOKS = [
    ("Surface", None, {}),
    ("Surface", ("CELLS", "wave"), {}),
    ("Surface", ("CELLS", "kind"), {}),
    ("Surface", ("POINTS", "height"), {}),
    ("Surface", None, {"Opacity": 0.5}),
    ("Surface", None, {"BackfaceRepresentation": "Cull Frontface"}),
    ("Surface", None, {"BackfaceRepresentation": "Surface", "BackfaceDiffuseColor": [1.0, 0.0, 0.0]}),
    ("Surface With Edges", None, {}),
    ("Surface With Edges", ("CELLS", "wave"), {}),
    ("Wireframe", None, {}),
    ("Points", ("POINTS", "height"), {}),
    ("Feature Edges", None, {}),
    ("Outline", None, {}),
]

BACK = {"Opacity": 1.0, "BackfaceRepresentation": "Follow Frontface", "BackfaceDiffuseColor": [1.0, 1.0, 1.0]}


def photograph(source, render_view, representation, color, properties, name):
    display = scenes.show(source, render_view, representation, color, **properties)
    image = scenes.picture(render_view, name)
    for key in properties:
        setattr(display, key, BACK[key])
    return image


def compare():
    problems = []
    for dimension, n, holes in [(2, 30, 12), (3, 12, 8)]:
        render_view = scenes.view()
        place = {"origin": (0.25, -0.5, 0.125), "spacing": (1.0, 0.75, 1.25)}
        ours = scenes.grid(dimension, n, holes, **place)
        twin = scenes.grid(dimension, n, holes, explode=True, **place)
        for k, camera in enumerate(VIEWS[dimension]):
            scenes.look(render_view, **camera)
            for representation, color, properties in LOOKS:
                what = [f"{dimension}d{k}", representation.replace(" ", ""), color[1] if color else "plain", *properties]
                name = "-".join(what)
                a = photograph(ours, render_view, representation, color, properties, name + "-ours")
                b = photograph(twin, render_view, representation, color, properties, name + "-twin")
                seen = scenes.differing(b, b[:1, :1] + 0 * b)
                # Feature edges are ParaView's own in both pictures; one thread draws them in one order.
                cells = (representation != "Surface" or color) and representation != "Feature Edges"
                count = scenes.differing(a, b, 0 if cells else 4)
                print(f"{name}: {count} of {seen} pixels differ")
                if count > (0 if cells else seen / 1000):
                    problems.append((name, count, seen))
                if not seen and "BackfaceRepresentation" not in properties:
                    problems.append((name, "nothing was drawn"))
    return problems


problems = compare()
assert not problems, problems
