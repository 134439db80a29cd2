"""The user's saved settings reach every process before it computes."""

import sys

import spanwise_testing as testing

testing.connect()
expected = int(sys.argv[1])
testing.start_runtime()
reports = testing.runtime_reports()
assert reports
for report in reports:
    assert f"host threads: {expected}\n" in report, report
