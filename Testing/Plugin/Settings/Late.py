"""A change after the first use gives one message, breaks nothing, and can be taken back."""

from paraview import simple
from spanwise.spanwiseServer import vtkSpanwiseSettings

import spanwise_testing as testing

settings = simple.GetSettingsProxy("SpanwiseSettings") if hasattr(simple, "GetSettingsProxy") else None
if settings is None:
    from paraview import servermanager

    settings = servermanager._getPyProxy(servermanager.ProxyManager().GetProxy("settings", "SpanwiseSettings"))

singleton = vtkSpanwiseSettings.GetInstance()
messages = []


def collect(_object, _event, text):
    messages.append(text)


collect.CallDataType = "string0"
singleton.AddObserver("WarningEvent", collect)
singleton.AddObserver("ErrorEvent", collect)

# Before the first use, everything goes.
settings.Threads = 2
settings.Threads = 1
assert not messages, messages

testing.start_runtime()
assert "host threads: 1\n" in testing.runtime_reports()[0]

settings.Threads = 2
settings.Device = 3
assert len(messages) == 1, messages
assert "restart" in messages[0], messages
assert "restart" in singleton.GetProblem()
assert "restart" in testing.runtime_reports()[0]
testing.start_runtime()
assert "host threads: 1\n" in testing.runtime_reports()[0]

settings.Device = -1
settings.Threads = 1
assert singleton.GetProblem() == ""
assert len(messages) == 1, messages
