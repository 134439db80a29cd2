"""The Python names of proxies and properties are those of Names.txt: scripts of users depend on them.

A new proxy or property is added to Names.txt by running this test with SPANWISE_ACCEPT_NAMES=1. A name that has been
released neither changes nor goes."""

import difflib
import os
import sys

from paraview import make_name_valid, servermanager

import spanwise_testing as testing

lines = []
for group, name, _ in testing.definitions():
    proxy = testing.new_proxy(group, name)
    names = sorted(servermanager._getPyProxy(proxy).ListProperties())
    lines.append(f"{group}.{make_name_valid(proxy.GetXMLLabel())}\n")
    lines.extend(f"  {property_name}\n" for property_name in names)
    # A property of that name hides the function: a Python state or trace, which calls it, would not run.
    hides = [property_name for property_name in names if hasattr(servermanager.Proxy, property_name)]
    assert not hides, f"{proxy.GetXMLLabel()}: {hides} are functions of ParaView's proxies in Python"

path = sys.argv[1]
if os.environ.get("SPANWISE_ACCEPT_NAMES"):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)
with open(path, encoding="utf-8") as file:
    known = file.readlines()
difference = list(difflib.unified_diff(known, lines, "Names.txt", "the plugin"))
print("".join(difference))
assert not difference, __doc__
