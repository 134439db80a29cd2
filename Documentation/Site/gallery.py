"""The gallery: a tile for each example that is tested and has a picture."""

import ast
import re

import pages

INTRODUCTION = """# Gallery

Each picture is made by the script below it, and CTest runs all of them. Click a picture for its page.
"""


def tile(picture, page, name, line, source):
    """A picture that leads to its page, a line, and a link to the script."""
    words = f"[{name}]({page}): {line}. [Script]({source})"
    return f":::{{container}} tile\n[![{name}]({picture})]({page})\n\n{words}\n:::"


def tiles(heading, items):
    return f"\n## {heading}\n\n::::{{container}} tiles\n" + "\n".join(items) + "\n::::\n"


def script_line(path):
    """What a script does, from the first line of its doc string."""
    return pages.first_sentence(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))).split("\n\n")[0])


def demos(site):
    """Scripts of Examples/Python: the page of demos has the section of each, and its picture."""
    text = (site.root / "Documentation" / "Demos.md").read_text(encoding="utf-8")
    found = []
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        heading, _, body = section.partition("\n")
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")
        for name, picture in pictures_of_scripts(body):
            script = f"Examples/Python/{name}.py"
            line = script_line(site.root / script)
            source = site.target("Gallery.md", script)
            found.append(tile(f"Documentation/Pictures/{picture}.png", f"Documentation/Demos.md#{anchor}",
                              heading, line, source))
    return found


def pictures_of_scripts(section):
    """The scripts that a section names, each with the picture called as it is."""
    pictures = set(re.findall(r"Pictures/(\w+)\.png", section))
    for name in dict.fromkeys(re.findall(r"Python/(\w+)\.py\)", section)):
        for picture in (f"demo_{name}", name):
            if picture in pictures:
                yield name, picture


def filters(site):
    """The example at the end of each filter's page."""
    found = []
    for page in sorted(name for name in site.pages if name.startswith("Documentation/Filters/")):
        name = page.rpartition("/")[2].removesuffix(".md")
        if (site.root / "Documentation" / "Pictures" / f"{name}.png").exists():
            text = (site.root / page).read_text(encoding="utf-8")
            found.append(tile(f"Documentation/Pictures/{name}.png", page, pages.title(text),
                              pages.lead_sentence(text), page))
    return found


def tutorials(site):
    found = []
    for page in sorted(name for name in site.pages if name.startswith("Documentation/Tutorials/")):
        name = page.rpartition("/")[2].removesuffix(".md")
        if name != "README":
            text = (site.root / page).read_text(encoding="utf-8")
            found.append(tile(f"Documentation/Pictures/Tutorial{name}.png", page, pages.title(text),
                              pages.lead_sentence(text), f"{page}#all-of-it-as-a-script"))
    return found


def write_gallery(site):
    site.write("Gallery.md", INTRODUCTION + tiles("Tutorials", tutorials(site)) + tiles("Demos", demos(site)) +
               tiles("Filters", filters(site)))
