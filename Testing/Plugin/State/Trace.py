"""What a trace records of a session makes the same result when it is run."""

import os
import sys

from paraview import simple, smtrace

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import Pipeline

configuration = smtrace.start_trace()
expected = Pipeline.cells_of(Pipeline.build())
script = smtrace.stop_trace()
print(script)
assert "IntervalShape(" in script and "IntervalSetAlgebra(" in script, script

Pipeline.forget()
exec(compile(script, "trace.py", "exec"), {"__name__": "__main__"})
assert Pipeline.cells_of(Pipeline.find()) == expected
