"""Tables of figures. A definition has columns and rows; what a column says of a row is looked up, or computed from the
figures of two other columns.

    [tables.algebra]
    run = "sets"                        # the file of figures; a column may name another
    first = "Set, operation"            # the head of the first column
    sources = true                      # name machine, month and command below
    columns = [
      {head = "Spanwise, ms", name = "Spanwise/{1}/1 thread", field = "ms"},
      {head = "OpenVDB, ms", name = "OpenVDB/{1}/1 thread, with copy", field = "ms", gaps = true},
      {head = "times as fast", faster = ["Spanwise, ms", "OpenVDB, ms"]},
    ]
    rows = [["union of balls", "balls/Union"]]

A row is a list: its label, {0}, and what the texts of columns may contain as {1}, {2}; or a table with a label. Columns
with `gaps` may have empty cells, and are left out where all are empty. `as` is "percent", or "text" for what is no figure
but the row's; `scale` multiplies; `unit` follows the figure. Where programs run in turn, the ratio is what is measured: a
column as "ratio" takes it, and so does a column `faster` that has a name, too. It is the inverse of fields that begin
with "of ", for these are shares of a peer's time.
"""

import collections

from figures import Error

KEYS = {"head", "run", "name", "field", "faster", "gaps", "as", "scale", "unit", "text"}


class Cell:
    def __init__(self, figure, text, field=""):
        self.figure = figure
        self.text = text
        self.field = field


class Table:
    """A table that is filled in: heads, and rows of a label and cells; the runs that it is made of, in order."""

    def __init__(self, first, heads, rows, runs):
        self.first = first
        self.heads = heads
        self.rows = rows
        self.runs = runs

    def column(self, head):
        """[(label, figure)] of a column."""
        if head not in self.heads:
            raise Error(f"the table has no column {head!r} but {self.heads}")
        place = self.heads.index(head)
        return [(label, middle(cells[place].figure)) for label, cells in self.rows]

    def markdown(self):
        lines = [[self.first, *self.heads], ["---"] * (1 + len(self.heads))]
        lines += [[label, *(cell.text for cell in cells)] for label, cells in self.rows]
        return "".join("| " + " | ".join(line) + " |\n" if line[0] != "---" else "|" + "|".join(line) + "|\n"
                       for line in lines)


def middle(figure):
    """A number for a figure; None for a text."""
    if isinstance(figure, list):
        return sum(figure) / len(figure)
    return figure if isinstance(figure, (int, float)) else None


def number_text(value):
    """Three digits of a number that is not an integer."""
    if isinstance(value, int):
        return f"{value:,}"
    if value == 0:
        return "0"
    if abs(value) < 1e-3 or abs(value) >= 1e7:
        mantissa, exponent = f"{value:.1e}".split("e")
        return f"{mantissa.removesuffix('.0')}e{int(exponent)}"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    text = f"{value:.3g}"
    return f"{text}.0" if len(text) == 1 else text


def figure_text(figure, scale):
    if isinstance(figure, list):
        return " to ".join(dict.fromkeys(figure_text(part, scale) for part in figure))
    return number_text(figure if scale == 1 else scale * figure)


def ratio_text(ratio):
    """Two digits of how many times something is."""
    return f"{ratio:.0f}" if ratio >= 9.95 else f"{ratio:.1f}" if ratio >= 0.995 else f"{ratio:.2f}"


def percent_text(share):
    if isinstance(share, list):
        return " to ".join(percent_text(part).removesuffix(" %") for part in share) + " %"
    percent = 100 * share
    if 99.5 <= percent < 100:
        return f"{percent:.2f} %"  # not all
    return f"{percent:.0f} %" if percent >= 9.95 or percent == 0 else f"{percent:.2g} %"


def is_rate(field):
    return "/s" in field


def fill(figures, name, definition):
    """The table of a definition."""
    try:
        heads = [column["head"] for column in definition["columns"]]
        for column in definition["columns"]:
            if unknown := set(column) - KEYS:
                raise Error(f"column {column['head']!r} has the unknown keys {unknown}")
        runs = []
        rows = [fill_row(figures, definition, row, runs) for row in definition["rows"]]
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise Error(f"table {name}: {error!r}") from error
    except Error as error:
        raise Error(f"table {name}: {error}") from error
    kept = [place for place, column in enumerate(definition["columns"])
            if not column.get("gaps") or any(cells[place].text for _, cells in rows)]
    return Table(definition["first"], [heads[place] for place in kept],
                 [(label, [cells[place] for place in kept]) for label, cells in rows], runs)


def formatter(row):
    """A function that puts what a row has into the texts of columns."""
    if isinstance(row, list):
        return lambda text: text.format(*row)
    return lambda text: text.format_map(collections.defaultdict(str, row))


def fill_row(figures, definition, row, runs):
    of_row = formatter(row)
    cells = {}
    for column in definition["columns"]:
        if column.get("as") == "text":
            cell = Cell(None, of_row(column["text"]))
        elif column.get("as") == "ratio" or "faster" in column:
            cell = ratio(figures, definition, column, cells, of_row, runs)
        else:
            cell = look_up(figures, definition, column, of_row, runs)
        if cell.text == "" and not column.get("gaps"):
            raise Error(f"nothing stands in column {column['head']!r} of row {row}")
        cells[column["head"]] = cell
    return row[0] if isinstance(row, list) else row["label"], list(cells.values())


def figure_of(figures, definition, column, of_row, runs):
    """The figure that a column names, and its field."""
    run, name, field = (of_row(column.get(key, definition.get(key, ""))) for key in ("run", "name", "field"))
    figure = figures.look_up(run, name, field) if name else None
    if figure is not None and figures.run(run) not in runs:
        runs.append(figures.run(run))
    return figure, field


def look_up(figures, definition, column, of_row, runs):
    figure, field = figure_of(figures, definition, column, of_row, runs)
    if figure is None or isinstance(figure, str):
        return Cell(None, figure or "", field)
    scale = float(of_row(str(column.get("scale", 1))) or 1)
    text = percent_text(figure) if column.get("as") == "percent" else figure_text(figure, scale)
    return Cell(scale * middle(figure), f"{text} {of_row(column.get('unit', ''))}".strip(), field)


def ratio(figures, definition, column, cells, of_row, runs):
    figure, field = figure_of(figures, definition, column, of_row, runs)
    if figure is None:
        return faster(cells, column) if "faster" in column else Cell(None, "")
    times = 1 / middle(figure) if field.startswith("of ") else middle(figure)
    return Cell(times, ratio_text(times))


def faster(cells, column):
    """How many times as fast the first of two columns is as the second: rates are better if high, times if low."""
    first, second = (cells[head] for head in column["faster"])
    one, other = middle(first.figure), middle(second.figure)
    if one is None or other is None:
        return Cell(None, "")
    if is_rate(first.field) != is_rate(second.field):
        raise Error(f"{first.field!r} and {second.field!r} cannot be compared")
    times = one / other if is_rate(first.field) else other / one
    return Cell(times, ratio_text(times))
