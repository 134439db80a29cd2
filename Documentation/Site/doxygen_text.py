"""Doxygen's XML of a doc comment as Markdown."""

import re

FENCE = "```"
INLINE = {"emphasis": "*", "bold": "**"}
SYMBOLS = {"ndash": "–", "mdash": "—", "nonbreakablespace": " ", "sp": " ", "linebreak": " ", "lsquo": "‘",
           "rsquo": "’", "ldquo": "“", "rdquo": "”"}
BLOCKS = {"itemizedlist", "orderedlist", "programlisting", "verbatim", "preformatted", "table", "simplesect",
          "parameterlist", "blockquote"}


def escape(text):
    """Text as Markdown that shows it as it is."""
    return re.sub(r"([\\`*_\[\]<>|#{}])", r"\\\1", re.sub(r"\s+", " ", text))


def code(text):
    """A span of code, whatever it has in it."""
    text = re.sub(r"\s+", " ", text).strip()
    marks = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    return f"{marks} {text} {marks}" if len(marks) > 1 else f"`{text}`"


def inline(element):
    """What stands in a paragraph, without lists and listings."""
    parts = [escape(element.text or "")]
    for child in element:
        if child.tag in SYMBOLS:
            parts.append(SYMBOLS[child.tag])
        elif child.tag == "computeroutput":
            parts.append(code("".join(child.itertext())))
        elif child.tag in INLINE:
            parts.append(INLINE[child.tag] + inline(child).strip() + INLINE[child.tag])
        elif child.tag == "ref":
            parts.append(f"[{inline(child)}](ref:{child.get('refid')})")  # cpp_reference.link_references()
        elif child.tag not in BLOCKS:
            parts.append(inline(child))
        parts.append(escape(child.tail or ""))
    return "".join(parts)


def indented(text, mark):
    """Text behind a mark, with its other lines below the first."""
    return mark + text.replace("\n", "\n" + " " * len(mark)).replace("\n" + " " * len(mark) + "\n", "\n\n")


def listing(element):
    lines = ["".join(SYMBOLS.get(part.tag, "") + (part.text or "") + (part.tail or "") for part in line.iter())
             for line in element.iter("codeline")]
    text = "\n".join(lines) if lines else "".join(element.itertext()).strip("\n")
    return f"{FENCE}cpp\n{text}\n{FENCE}"


def table(element):
    rows = [[inline_of_cell(cell) for cell in row.findall("entry")] for row in element.findall("row")]
    rows.insert(1, ["---"] * len(rows[0]))
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def inline_of_cell(cell):
    return " ".join(inline(paragraph).strip() for paragraph in cell.findall("para"))


def block(element):
    if element.tag in ("itemizedlist", "orderedlist"):
        mark = "- " if element.tag == "itemizedlist" else "1. "
        return "\n".join(indented(markdown(item), mark) for item in element.findall("listitem"))
    if element.tag in ("programlisting", "verbatim", "preformatted"):
        return listing(element)
    if element.tag == "table":
        return table(element)
    if element.tag == "parameterlist":
        items = []
        for item in element.findall("parameteritem"):
            names = ", ".join(code(name.text or "") for name in item.iter("parametername"))
            items.append(indented(f"{names}: {markdown(item.find('parameterdescription'))}", "- "))
        return "\n".join(items)
    if element.tag == "simplesect":
        title = {"return": "Returns", "see": "See", "note": "Note", "warning": "Warning"}.get(element.get("kind"), "")
        text = markdown(element)
        return f"*{title}:* {text}" if title else text
    return markdown(element)


def paragraph(element):
    """A paragraph, in which doxygen may have put lists and listings."""
    parts, words = [], [escape(element.text or "")]

    def close():
        text = "".join(words).strip()
        words.clear()
        if text:
            parts.append(re.sub(r"^([-+]|\d+[.)])(?= )", r"\\\1", text))

    for child in element:
        if child.tag in BLOCKS:
            close()
            parts.append(block(child))
        else:
            holder = type(child)("holder")
            holder.append(child)
            words.append(inline(holder))
            continue
        words.append(escape(child.tail or ""))
    close()
    return "\n\n".join(parts)


def markdown(element):
    """A description: paragraphs, lists, listings and tables."""
    if element is None:
        return ""
    parts = []
    for child in element:
        if child.tag == "para":
            parts.append(paragraph(child))
        elif child.tag in BLOCKS:
            parts.append(block(child))
        elif child.tag in ("sect1", "sect2", "sect3"):
            parts.append(f"**{inline(child.find('title')).strip()}**\n\n{markdown(child)}")
    return "\n\n".join(part for part in parts if part)


def documentation(element):
    """The doc comment of anything that doxygen documents."""
    parts = (markdown(element.find("briefdescription")), markdown(element.find("detaileddescription")))
    return "\n\n".join(part for part in parts if part)


def first_sentence(text):
    """The first sentence of a doc comment, on one line."""
    line = re.sub(r"\s+", " ", text.split("\n\n")[0]).strip()
    found = re.match(r".*?[^.][.:](?= [A-Z]|$)", line)
    return (found.group(0) if found else line).rstrip(".:")
