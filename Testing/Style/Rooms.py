"""Fails if a source includes what stands in another room's Detail/, which that room alone may use.

usage: Rooms.py source

Tests and benchmarks of a room are in it.
"""

import pathlib
import re
import sys

ROOM = re.compile(r"(?:Testing/|Benchmarks/)?((?:Core/(?:Solvers/)?|Filters/)\w+|\w+)/")
INCLUDE = re.compile(r'^#include "((?:Core/(?:Solvers/)?|Filters/)\w+|\w+)/(?:\w+/)*Detail/\w+\.\w+"', re.MULTILINE)
FOLDERS = ("Benchmarks", "Core", "Examples", "Filters", "Plugin", "Readers", "Testing")

source = pathlib.Path(sys.argv[1])
files = [path for folder in FOLDERS for path in (source / folder).rglob("*") if path.suffix in (".hpp", ".cpp", ".h", ".cxx")]
wrong = []
includes = 0
for path in files:
    name = str(path.relative_to(source))
    room = ROOM.match(name)[1]
    for other in INCLUDE.findall(path.read_text()):
        includes += 1
        if other != room:
            wrong.append(f"{name} includes from {other}/Detail")
print(f"{len(files)} sources include from Detail {includes} times")
if not includes or wrong:
    sys.exit("\n".join(wrong) or "no source includes from Detail: this test finds nothing")
