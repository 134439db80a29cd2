"""A pipeline saved as a state file, XML or Python, comes back the same."""

import os
import sys

from paraview import simple, smstate

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import Pipeline

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)

expected = Pipeline.cells_of(Pipeline.build())
assert expected[0] > 0
simple.SaveState(os.path.join(folder, "state.pvsm"))
script = smstate.get_state()

Pipeline.forget()
simple.LoadState(os.path.join(folder, "state.pvsm"))
assert Pipeline.cells_of(Pipeline.find()) == expected

Pipeline.forget()
exec(compile(script, "state.py", "exec"), {"__name__": "__main__"})
assert Pipeline.cells_of(Pipeline.find()) == expected
