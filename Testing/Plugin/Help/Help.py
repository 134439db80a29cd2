"""What the plugin adds to ParaView's Help: a page of each source and filter, which leads to our guide, and all guides. No
link leads nowhere, and what people search for is in the text.

usage: python3 Help.py Spanwise.qch folder-of-XML
"""

import os
import re
import sqlite3
import sys
import xml.etree.ElementTree as ElementTree
import zlib


def pages(path):
    """The files of a Qt help file, which is an SQLite database, by their names: text."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    rows = database.execute("SELECT n.Name, d.Data FROM FileNameTable n JOIN FileDataTable d ON n.FileId = d.Id")
    # Qt's compression: the length in 4 bytes, then a stream of zlib
    return {name: zlib.decompress(data[4:]).decode() for name, data in rows if name.endswith(".html")}


def anchors(text):
    return set(re.findall(r'id="([^"]+)"', text))


found = pages(sys.argv[1])
problems = []
for name, text in found.items():
    for link in re.findall(r'href="([^"]+)"', text):
        target, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link):
            continue
        if (target or name) not in found or (anchor and anchor not in anchors(found[target or name])):
            problems.append(f"{name}: {link} leads nowhere")

proxies = 0
for file in sorted(os.listdir(sys.argv[2])):
    for group in ElementTree.parse(os.path.join(sys.argv[2], file)).iter("ProxyGroup"):
        for proxy in group.iter("SourceProxy"):
            if proxy.find("Hints/ShowInMenu") is None:
                continue
            proxies += 1
            page = f"{group.get('name')}.{proxy.get('name')}.html"
            guide = f"{proxy.get('class').removeprefix('vtkSpanwise')}.html"
            if f'href="{guide}"' not in found.get(page, ""):
                problems.append(f"{page} has no link to {guide}")
            if not all(part in found.get(guide, "") for part in ("Use it when", "<b>Errors</b>", "<pre>", "</html>")):
                problems.append(f"{guide} is not the whole guide")

for name, text in found.items():
    if left := re.search(r"\]\([^)]*\.md|\*\*|^#+ |```", re.sub(r"<(pre|code)>.*?</\1>", "", text, flags=re.DOTALL), re.MULTILINE):
        problems.append(f"{name} has Markdown in it: {left.group(0)!r}")
interval = [name for name, text in found.items() if re.search(r"\binterval", text, re.IGNORECASE)]
print(f"{len(found)} pages, {proxies} of sources and filters, {len(interval)} with the word interval")
print(*problems, sep="\n")
assert proxies > 30 and len(interval) > 30 and not problems
