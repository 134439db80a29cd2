"""Whatever the Markdown pages link to is there, and so is every heading that they link to: in the repository, and where
they are installed.

usage: python3 Links.py folder
"""

import os
import re
import sys


def anchors(page):
    """The anchors that a reader's browser has for the headings of a page."""
    with open(page, encoding="utf-8") as file:
        headings = re.findall(r"^#+ (.*)$", file.read(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def broken(page):
    """The links of a page that lead nowhere."""
    with open(page, encoding="utf-8") as file:
        text = re.sub(r"^```.*?^```$", "", file.read(), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'<img src="([^"]+)"', text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = os.path.join(os.path.dirname(page), path) if path else page
        if not os.path.exists(target) or (anchor and anchor not in anchors(target)):
            yield link


root = sys.argv[1]
pages = [os.path.join(root, name) for name in os.listdir(root) if name.endswith(".md")]
for folder in ("Data", "Documentation", "Examples"):
    for path, _, names in os.walk(os.path.join(root, folder)):
        pages += [os.path.join(path, name) for name in names if name.endswith(".md")]
problems = [f"{os.path.relpath(page, root)}: {link}" for page in sorted(pages) for link in broken(page)]
print(len(pages), "pages", *problems, sep="\n")
assert len(pages) > 10 and not problems
