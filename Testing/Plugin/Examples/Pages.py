"""Every source and filter stands once in the menus, in a submenu of Spanwise. It has a page, which the list of the pages
has under the submenu's name. All pages have the same parts in the same order.

usage: pvpython Pages.py repository
"""

import os
import re
import sys
import xml.etree.ElementTree as tree

repository = sys.argv[1]
pages = os.path.join(repository, "Documentation", "Filters")

# What a page consists of, in this order. Between these parts it says what there is to say.
PARTS = (
    r"# {label}\n\n",
    r"[^\n]+(?:\n[^\n]+)*\n\n",
    r"- \*Use it when\* [^\n]+(?:\n  [^\n]+)*\n",
    r"- \*Instead of\* [^\n]+(?:\n  [^\n]+)*\n\n",
    r"Menu\s+\*{menu}\*;\s+Python\s+`{python}`;\s+C\+\+\s+`{cxx}`\.\n\n",
    r"!\[[^\]]+\]\(\.\./Pictures/{name}\.png\)\n\n",
    r"\*\*Errors\*\*[:,] ",
    r"\*\*Cost\*\*: ",
    r"\*\*In parallel\*\* ",
    r"```python\n(?:import [^\n]*\n\n?|from [^\n]*\n)*?from paraview\.simple import \*\n",
    r"SaveScreenshot\(\"{name}\.png\", ",
    r"```\n$",
)
FIRST_PARTS = 5  # of these follow the title without anything between


def proxies():
    """The sources and filters of the menus: name, label and class."""
    for name in sorted(os.listdir(os.path.join(repository, "XML"))):
        for group in tree.parse(os.path.join(repository, "XML", name)).iter("ProxyGroup"):
            for proxy in group.iter("SourceProxy"):
                if proxy.find("Hints/ShowInMenu") is not None:
                    yield proxy.get("name"), proxy.get("label"), proxy.get("class")


def menus():
    """Where sources and filters stand: Filters > Spanwise > Shape."""
    found = {}

    def walk(element, path):
        for category in element.findall("Category"):
            walk(category, path + [category.get("menu_label")])
        for proxy in element.findall("Proxy"):
            assert proxy.get("name") not in found, f"{proxy.get('name')} is in two menus"
            found[proxy.get("name")] = " > ".join(path)

    root = tree.parse(os.path.join(repository, "Plugin", "Qt", "Resources", "ParaViewResources", "Menus.xml")).getroot()
    for element in root:
        walk(element, [element.tag.removeprefix("ParaView")])
    return found


def missing_part(page, words):
    """The first part that a page does not have where it should stand."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    place = 0
    for number, part in enumerate(PARTS):
        escaped = {key: re.escape(word).replace(r"\ ", r"\s+") for key, word in words.items()}
        pattern = re.compile(part.format(**escaped))
        found = pattern.match(text) if number == 0 else pattern.search(text, place)
        if found is None or (number <= FIRST_PARTS and found.start() != place):
            return part
        place = found.end()
    return None


def listed_pages(overview):
    """Headings and pages in the list of the pages: **Shape**, and below it - [Spanwise Morphology](Morphology.md)."""
    heading = None
    for line in overview.splitlines():
        if found := re.match(r"\*\*([^*]+)\*\*", line):
            heading = found.group(1)
        elif found := re.match(r"- \[[^\]]+\]\((\w+\.md)\)", line):
            yield heading, found.group(1)


problems = []
names = set()
submenu_of_page = {}
menu_of = menus()
for proxy, label, cxx in proxies():
    name = cxx.removeprefix("vtkSpanwise")
    page = os.path.join(pages, f"{name}.md")
    names.add(f"{name}.md")
    if proxy not in menu_of:
        problems.append(f"Menus.xml does not list {label}")
    menu = menu_of.pop(proxy, "")
    if not re.fullmatch(r"(Sources|Filters) > Spanwise > [^>]+", menu):
        problems.append(f"{label} is in the menu {menu!r}, not in a submenu of Spanwise")
    submenu_of_page[f"{name}.md"] = menu.split(" > ")[-1]
    words = {"label": label, "menu": menu, "python": re.sub(r"\W", "", label), "cxx": cxx, "name": name}
    if not os.path.exists(page):
        problems.append(f"{label} has no page {name}.md")
    elif (part := missing_part(page, words)) is not None:
        problems.append(f"{name}.md has no part like {part!r} where it should stand")
problems += [f"Menus.xml lists {name}, which is not there" for name in menu_of]
problems += [f"{name} is of no source or filter" for name in set(os.listdir(pages)) - names - {"README.md"}]

with open(os.path.join(pages, "README.md"), encoding="utf-8") as file:
    listed = {page: heading for heading, page in listed_pages(file.read())}
for name, menu in submenu_of_page.items():
    if listed.get(name) != menu:
        problems.append(f"README.md lists {name} under {listed.get(name)}, not under {menu}")
with open(os.path.join(repository, "CHANGELOG.md"), encoding="utf-8") as file:
    changes = " ".join(file.read().split())
problems += [f"CHANGELOG.md does not name {label}" for _, label, _ in proxies() if label not in changes]

print(len(names), "pages", *problems, sep="\n")
assert len(names) > 20 and not problems
