"""Pages whose tables are made: everything between `<!-- made: NAME -->` and `<!-- end -->` is replaced by the table of
that name. What stands around is written by hand, and has no figures: these would go stale.
"""

import re
import tomllib

from charts import draw
from figures import Error
from tables import fill

BLOCK = re.compile(r"(<!-- made: ([\w-]+) -->\n)(.*?)(<!-- end -->\n)", re.DOTALL)
UNITS = r"(?:ms|s|us|µs|(?:micro|milli)?seconds?|minutes?|[kMGT]B(?:/s)?|%|times|GFLOPS|million \w+ a second)"
MEASURED = re.compile(rf"(?<![\w.^-])\d[\d.,]*\s*{UNITS}(?![\w^])")


def definitions(folder):
    """{name: definition} of all pages."""
    found = {}
    for path in sorted(folder.glob("*.toml")):
        try:
            found[path.stem] = tomllib.loads(path.read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError as error:
            raise Error(f"{path}: {error}") from error
    return found


def make(figures, definition, text):
    """The page and its charts, {file name: content}, made anew from the text of the page."""
    tables = {name: fill(figures, name, of) for name, of in definition.get("tables", {}).items()}
    shown = [name for _, name, _, _ in BLOCK.findall(text)]
    if sorted(shown) != sorted(tables):
        raise Error(f"{definition['page']}: its tables are {sorted(tables)}, and it shows {sorted(shown)}")

    def made(block):
        begin, name, _, end = block.groups()
        of = definition["tables"][name]
        return f"{begin}{tables[name].markdown()}\n{sources(tables[name]) if of.get('sources', True) else ''}{end}"

    charts = {f"{name}.svg": draw(tables[of["table"]], of) for name, of in definition.get("charts", {}).items()}
    for chart in charts:
        if f"{chart})" not in text:
            raise Error(f"{definition['page']} does not show {chart}")
    return BLOCK.sub(made, text), charts


def sources(table):
    """Where, when and how the figures of a table were measured."""
    lines = []
    for run in table.runs:
        header = run.header
        how = f"`{header['command']}`" if "command" in header else header["peer"]
        note = f" {header['note']}" if "note" in header else ""
        lines.append(f"*{header['machine']}; {header['statistic']}; {header['month']}:* {how}.{note}\n")
    return "\n".join(lines) + "\n"


def figures_by_hand(name, text):
    """Measured figures in what is written by hand, as texts."""
    text = BLOCK.sub(lambda block: "\n" * block.group(0).count("\n"), text)
    text = re.sub(r"^```.*?^```$", lambda code: "\n" * code.group(0).count("\n"), text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"`[^`\n]*`", "", text)
    return [f"{name}:{number}: a figure that no data file has: {found.group(0)}"
            for number, line in enumerate(text.splitlines(), 1) if (found := MEASURED.search(line))]
