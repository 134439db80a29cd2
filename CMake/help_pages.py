"""Makes the pages for ParaView's Help of Documentation's Markdown, and has the pages that ParaView generates of the
proxies link to them.

usage: python3 help_pages.py documentation generated output

`documentation` is the folder Documentation. `generated` has ParaView's page filters.SpanwiseX.html or
sources.SpanwiseX.html for each proxy. What is made goes to the folder `output`: X.html of each X.md, without pictures,
and ParaView's pages with a link to X.html under their heading.
"""

import html
import pathlib
import re
import sys

GUIDES = ("Dock", "Levels", "Python", "Rendering", "FileFormat", "OpenVDB", "Samurai", "MeshFiles")  # beside the pages of the filters


def inline(text, names):
    """The text of a paragraph, a cell or an item as HTML. `names` are the pages that links may go to."""
    codes = []

    def keep(match):
        codes.append(f"<code>{html.escape(match.group(1))}</code>")
        return f"\0{len(codes) - 1}\0"

    def link(match):
        target, _, anchor = match.group(2).partition("#")
        path = pathlib.PurePath(target)
        name = path.stem
        if re.match(r"https?:", target):
            return f'<a href="{match.group(2)}">{match.group(1)}</a>'
        if target == "" or (path.suffix == ".md" and name in names and path.parent.name in ("", "..", "Filters")):
            return f'<a href="{name + ".html" if target else ""}{"#" + anchor if anchor else ""}">{match.group(1)}</a>'
        return match.group(1)  # a file of the repository, which Help does not have

    text = html.escape(re.sub(r"`([^`]+)`", keep, text), quote=False)
    text = re.sub(r"!\[([^\]]*)\]\([^)]*\)", "", text)
    text = re.sub(r"\[([^\]]+)\]\(([^)\s]+)\)", link, text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text)
    text = re.sub(r"\*([^*\s][^*]*)\*", r"<i>\1</i>", text)
    return re.sub(r"\0(\d+)\0", lambda match: codes[int(match.group(1))], text)


def anchor_of(heading):
    """As the sites that show Markdown name headings."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def table(lines, names):
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in lines]
    head, *body = (row for k, row in enumerate(rows) if k != 1)  # the second is the rule below the head
    as_row = lambda row, tag: "<tr>" + "".join(f"<{tag}>{inline(cell, names)}</{tag}>" for cell in row) + "</tr>"
    return "\n".join(['<table border="1" cellpadding="3">', as_row(head, "th"), *(as_row(row, "td") for row in body),
                      "</table>"])


def items(lines, names):
    """A list of `- item` or `1. item`, whose items go on in lines that are indented."""
    tag = "ul" if lines[0].startswith("-") else "ol"
    texts = []
    for line in lines:
        if found := re.match(r"(?:-|\d+\.) +(.*)", line):
            texts.append(found.group(1))
        else:
            texts[-1] += " " + line.strip()
    return "\n".join([f"<{tag}>", *(f"<li>{inline(text, names)}</li>" for text in texts), f"</{tag}>"])


def block(lines, names):
    """A part of a page between empty lines."""
    first = lines[0]
    if found := re.match(r"(#+) +(.*)", first):
        size = len(found.group(1))
        return f'<h{size} id="{anchor_of(found.group(2))}">{inline(found.group(2), names)}</h{size}>'
    if first.startswith("|"):
        return table(lines, names)
    if re.match(r"(?:-|\d+\.) ", first):
        return items(lines, names)
    if first.startswith("    "):
        return "<pre>" + html.escape("\n".join(line[4:] for line in lines)) + "</pre>"
    if first.startswith("<img"):
        return ""
    return f"<p>{inline(' '.join(lines), names)}</p>"


def page(markdown, names):
    """A page of Help."""
    title = re.match(r"# (.*)", markdown).group(1)
    parts = []
    for k, text in enumerate(re.split(r"^```.*$\n?", markdown, flags=re.MULTILINE)):
        if k % 2:
            parts.append(f"<pre>{html.escape(text)}</pre>")
        else:
            parts += [block(lines.splitlines(), names) for lines in re.split(r"\n\s*\n", text.strip("\n")) if lines.strip()]
    body = "\n".join(part for part in parts if part)
    return (f'<html>\n<head>\n<meta charset="utf-8">\n<title>{html.escape(title)}: guide</title>\n</head>\n'
            f"<body>\n{body}\n</body>\n</html>\n")


def with_link(generated, name):
    """ParaView's page of a proxy with a link to ours, which it may have already."""
    line = f'<p><a href="{name}.html">Guide: when to use it, errors, cost and an example</a></p>'
    return generated if line in generated else generated.replace("</h2>\n", f"</h2>\n{line}\n", 1)


def main(documentation, generated, output):
    documentation, generated, output = map(pathlib.Path, (documentation, generated, output))
    output.mkdir(parents=True, exist_ok=True)
    pages = {path.stem: path for path in (documentation / "Filters").glob("*.md") if path.stem != "README"}
    proxies = set(pages)
    pages |= {name: documentation / f"{name}.md" for name in GUIDES}
    for name, path in pages.items():
        (output / f"{name}.html").write_text(page(path.read_text(encoding="utf-8"), set(pages)), encoding="utf-8")
    for name in proxies:
        for path in generated.glob(f"*.Spanwise{name}.html"):
            (output / path.name).write_text(with_link(path.read_text(encoding="utf-8"), name), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
