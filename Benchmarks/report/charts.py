"""Bar charts of columns of a table, as SVG without any library, so that the same figures give the same bytes.

    [charts.Sets]                       # Documentation/Performance/Sets.svg
    table = "algebra"
    title = "Set operations: how many times as fast as OpenVDB"
    kind = "ratio"                      # from 1, logarithmic; or "bars", from 0; or "shares", of 1 in percent
    series = [{column = "times as fast", label = "1 thread"}]
"""

import math
from xml.sax.saxutils import escape

from figures import Error
from tables import number_text, percent_text, ratio_text

WIDTH = 720
LABELS = 280  # where bars begin
LONGEST_LABEL = 44  # characters, in what fits before the bars
RIGHT = 70  # room for the figure behind the longest bar
BAR = 13
GAP = 7
COLOURS = ("#2f6fb7", "#d9822b", "#5b9e48", "#8f5fa8")
STYLE = ("<style>@media (prefers-color-scheme: dark) { .paper { fill: #161b22 } .ink { fill: #e6edf3 } "
         ".line { stroke: #4b5563 } }</style>")


def draw(table, definition):
    """The text of an SVG file."""
    series = definition["series"]
    columns = [table.column(of["column"]) for of in series]
    rows = [(group[0][0], [value for _, value in group]) for group in zip(*columns)]
    rows = [(label, values) for label, values in rows if any(value is not None for value in values)]
    if not rows:
        raise Error(f"the chart {definition['title']!r} has no figures")
    if long := [label for label, _ in rows if len(label) > LONGEST_LABEL]:
        raise Error(f"labels of the chart {definition['title']!r} have more than {LONGEST_LABEL} characters: {long}")
    of_kind = {"ratio": ratio_scale, "bars": bar_scale, "shares": share_scale}[definition.get("kind", "bars")]
    place, ticks, text = of_kind([value for _, values in rows for value in values if value is not None])
    tick_text = percent_text if of_kind is share_scale else plain_text
    begin_of_bars = 1.0 if of_kind is ratio_scale else 0.0

    legend = 20 if len(series) > 1 else 0
    top = 34 + legend
    height_of_row = len(series) * BAR + GAP
    bottom = top + len(rows) * height_of_row
    parts = [f'<rect class="paper" width="{WIDTH}" height="{bottom + 26}" rx="6" fill="#ffffff"/>',
             words(12, 21, definition["title"], size=14, weight="bold")]
    if legend:
        across = 12
        for colour, of in zip(COLOURS, series):
            parts.append(f'<rect x="{across}" y="33" width="11" height="11" fill="{colour}"/>')
            parts.append(words(across + 16, 43, of["label"]))
            across += 34 + 7 * len(of["label"])
    for value in ticks:
        x = place(value)
        parts.append(f'<path class="line" d="M{x:.1f} {top}V{bottom}" stroke="#c9ced6" stroke-width="1"/>')
        parts.append(words(x, bottom + 15, tick_text(value), anchor="middle"))
    for number, (label, values) in enumerate(rows):
        y = top + number * height_of_row + GAP / 2
        parts.append(words(LABELS - 8, y + len(series) * BAR / 2 + 4, label, anchor="end"))
        for colour, value in zip(COLOURS, values):
            if value is not None:
                begin, end = sorted((place(begin_of_bars), place(value)))
                parts.append(f'<rect x="{begin:.1f}" y="{y:.1f}" width="{max(end - begin, 1.0):.1f}" '
                             f'height="{BAR - 2}" fill="{colour}"/>')
                parts.append(words(end + 5, y + BAR - 3, text(value)))
            y += BAR
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 26}" width="{WIDTH}" '
            f'height="{bottom + 26}" font-family="sans-serif" font-size="11" role="img" '
            f'aria-label="{escape(definition["title"], {chr(34): "&quot;"})}">\n{STYLE}\n' + "\n".join(parts)
            + "\n</svg>\n")


def words(x, y, text, size=None, weight=None, anchor=None):
    extra = "".join(f' {key}="{value}"' for key, value in
                    (("font-size", size), ("font-weight", weight), ("text-anchor", anchor)) if value)
    return f'<text class="ink" x="{x:.1f}" y="{y:.1f}" fill="#1f2328"{extra}>{escape(text)}</text>'


def plain_text(tick):
    return f"{tick:,.10g}"


def ratio_scale(values):
    """Logarithmic, with ticks at 1, 2, 5 and so on around all values and 1."""
    if min(values) <= 0:
        raise Error(f"a ratio is greater than 0: {min(values)}")
    least, most = min(1.0, *values), max(1.0, *values)
    steps = [round(step * 10.0**power, 9) for power in range(-3, 5) for step in (1, 2, 5)]
    begin = max(step for step in steps if step <= least)
    end = min(step for step in steps if step >= most)
    end = max(end, 2.0)
    ticks = [step for step in steps if begin <= step <= end]
    unit = (WIDTH - RIGHT - LABELS) / math.log(end / begin)
    return lambda value: LABELS + unit * math.log(value / begin), ticks, ratio_text


def bar_scale(values):
    """From 0, with four to eight round ticks."""
    most = max(values)
    power = 10.0 ** math.floor(math.log10(most))
    step = next(part * power for part in (0.1, 0.2, 0.25, 0.5, 1, 2) if most / (part * power) <= 6)
    ticks = [number * step for number in range(math.ceil(most / step - 1e-9) + 1)]
    unit = (WIDTH - RIGHT - LABELS) / ticks[-1]
    return lambda value: LABELS + unit * value, ticks, number_text


def share_scale(values):
    """As bars, in percent."""
    place, ticks, _ = bar_scale(values)
    return place, ticks, percent_text
