"""The names of Spanwise's proxies in Python, and those that ParaView keeps them by, are names that ParaView without
Spanwise does not have: no script of a user changes its meaning when the plugin is loaded.

usage: pvpython NoCollision.py Names.txt        in a ParaView without the plugin
"""

import sys

from paraview import servermanager, simple

import spanwise_testing as testing

known = servermanager.ProxyManager()
definitions = testing.definitions()
stock = [name for group, name, _ in definitions if known.GetPrototypeProxy(group, name) is not None]
assert not stock, f"ParaView has the proxies {stock}, or the plugin is loaded"

with open(sys.argv[1], encoding="utf-8") as file:
    names = [line.strip().split(".")[1] for line in file if line.startswith(("filters.", "sources."))]
taken = [name for name in names if hasattr(simple, name)]
print(f"{len(names)} names in Python, {len(definitions)} proxies")
assert len(names) > 30 and not taken, f"paraview.simple has {taken} without the plugin"
