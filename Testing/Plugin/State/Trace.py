"""What a trace records of a session makes the same result when it is run."""

import os
import sys

from paraview import make_name_valid, simple, smtrace

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import Pipeline
import spanwise_testing as testing

configuration = smtrace.start_trace()
names = Pipeline.build()
expected = Pipeline.results(names)
script = smtrace.stop_trace()
print(script)

# No filter is forgotten.
for group, _, definition in testing.definitions():
    label = make_name_valid(definition.get("label"))
    assert group != "filters" or f"{label}(" in script, f"the pipeline of this test has no {label}"

Pipeline.forget()
exec(compile(script, "trace.py", "exec"), {"__name__": "__main__"})
for name in names:
    found = Pipeline.cells_of(name)
    assert found == expected[name], f"{name} is {found}, and was {expected[name]}"
