"""Fails if a header of Core with a KOKKOS_LAMBDA is users' (not in a folder Detail), or included by more than one
source, directly or through other headers.

usage: TestHeaderLambdas.py source

nvcc gives each source function pointers of its own to a lambda, but the linker merges the templates that take the
lambda, so that the merged code may read pointers which were never set and crash. Functors have no such pointers.
"""

import pathlib
import re
import sys

LAMBDA = re.compile(r"\bKOKKOS_(?:CLASS_)?LAMBDA\b")
INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"', re.MULTILINE)

root = pathlib.Path(sys.argv[1])
texts = {str(path.relative_to(root)): path.read_text()
         for folder in ("Core", "Filters", "Readers", "Plugin", "Testing", "Benchmarks", "Examples")
         for path in (root / folder).rglob("*") if path.suffix in (".hpp", ".cpp", ".h", ".cxx")}
included = {name: INCLUDE.findall(text) for name, text in texts.items()}


def reached(source):
    """The headers that a source includes, directly or through others."""
    found = set()
    left = [source]
    while left:
        for header in included.get(left.pop(), []):
            if header not in found:
                found.add(header)
                left.append(header)
    return found


sources = {}
for source in sorted(name for name in texts if name.endswith((".cpp", ".cxx"))):
    for header in reached(source):
        sources.setdefault(header, []).append(source)
headers = sorted(name for name, text in texts.items()
                 if name.startswith("Core/") and name.endswith(".hpp") and LAMBDA.search(text))
wrong = [f"{header} has a KOKKOS_LAMBDA and is for users, who may include it in several sources: make it a functor"
         for header in headers if "/Detail/" not in header]
wrong += [f"{header} has a KOKKOS_LAMBDA and is included by {len(sources[header])} sources, as {sources[header][0]} and "
         f"{sources[header][1]}: make it a functor" for header in headers if len(sources.get(header, [])) > 1]
print(f"{len(headers)} headers of Core have a KOKKOS_LAMBDA; sources include {len(sources)} headers")
if not sources or wrong:
    sys.exit("\n".join(wrong) or "no source includes a header of Core: this test finds nothing")
