"""A pipeline saved as a state file, XML or Python, comes back the same."""

import os
import sys

from paraview import simple, smstate

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import Pipeline

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)

names = Pipeline.build()
expected = Pipeline.results(names)
simple.SaveState(os.path.join(folder, "state.pvsm"))
script = smstate.get_state()


def check(kind):
    for name in names:
        found = Pipeline.cells_of(name)
        assert found == expected[name], f"{kind}: {name} is {found}, and was {expected[name]}"


Pipeline.forget()
simple.LoadState(os.path.join(folder, "state.pvsm"))
check("state.pvsm")

Pipeline.forget()
exec(compile(script, "state.py", "exec"), {"__name__": "__main__"})
check("the Python state")
