"""The plugin is loaded when ParaView starts, and every one of its proxies can be made, on every rank."""

import sys

import spanwise_testing as testing

testing.connect()
ranks = int(sys.argv[1])
assert testing.number_of_ranks() == ranks, f"{testing.number_of_ranks()} ranks instead of {ranks}"

definitions = testing.definitions()
assert definitions
for group, name, _ in definitions:
    proxy = testing.new_proxy(group, name)
    proxy.UpdateVTKObjects()
    made = proxy.GetClientSideObject()
    assert made is not None or ranks > 1 or proxy.GetSession().IsA("vtkSMSessionClient"), (group, name)

reports = testing.runtime_reports()
assert len(reports) == ranks, reports
for rank, report in enumerate(reports):
    assert report.startswith(f"rank {rank} on "), report
    assert "execution spaces:" in report, report
print(f"{len(definitions)} proxies on {ranks} ranks")
