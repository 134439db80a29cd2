"""Where the time of a build and of its tests went, as two tables.

usage: times.py build-folder junit.xml

Compiling is what Ninja's log has of the last time that each file was made; what the compiler's cache had is there with
the time that it took. Tests are those of one run of CTest (ctest --output-junit). Seconds are those of a clock, summed
over what ran side by side.
"""

import collections
import pathlib
import re
import sys
import xml.etree.ElementTree as tree

NUM_LONGEST = 12
DEPTH = 3  # of folders that are told apart


def print_table(title, groups):
    """Groups of (seconds, number) by name, the longest first; small ones together."""
    whole = sum(seconds for seconds, _ in groups.values())
    print(f"\n{title}: {whole:.0f} s of {sum(number for _, number in groups.values())}")
    rows = sorted(groups.items(), key=lambda row: -row[1][0])
    shown = [row for row in rows if row[1][0] >= 0.01 * whole]
    rest = [row[1] for row in rows[len(shown):]]
    if rest:
        shown.append(("others", [sum(column) for column in zip(*rest)]))
    for name, (seconds, number) in shown:
        print(f"{seconds:8.0f} s {100 * seconds / whole:5.1f} % {number:6d}  {name}")


def grouped(items):
    """Sums of (name, seconds) by name."""
    groups = collections.defaultdict(lambda: [0.0, 0])
    for name, seconds in items:
        groups[name][0] += seconds
        groups[name][1] += 1
    return groups


def steps(build):
    """The steps of a build as (folder, seconds): outputs that one command made are one step."""
    last = {}
    for line in (build / ".ninja_log").read_text().splitlines()[1:]:
        begin, end, _, output, command = line.split("\t")
        last[output] = (begin, end, command)
    one_each = {step: output for output, step in last.items()}
    for (begin, end, _), output in one_each.items():
        place = re.match(r"(.+?)/CMakeFiles/[^/]+[.]dir/(.*)", output)
        parts = [*place[1].split("/"), *place[2].split("/")[:-1]] if place else ["linking and wrapping"]
        yield "/".join(parts[:DEPTH]), (int(end) - int(begin)) / 1000


def tests(report):
    """The tests of a run as (name, group, seconds): two parts of the name, and tests on ranks by themselves."""
    for case in tree.parse(report).iter("testcase"):
        name = case.get("name")
        labels = case.find("properties/property[@name='cmake_labels']")
        ranks = " on ranks" if labels is not None and "mpi" in labels.get("value").split(";") else ""
        yield name, ".".join(name.split(".")[:2]) + ranks, float(case.get("time"))


if __name__ == "__main__":
    folder, junit = map(pathlib.Path, sys.argv[1:])
    print_table("compiling", grouped(steps(folder)))
    ran = list(tests(junit))
    print_table("tests", grouped((group, seconds) for _, group, seconds in ran))
    print(f"\nthe longest {NUM_LONGEST}:")
    for name, _, seconds in sorted(ran, key=lambda row: -row[2])[:NUM_LONGEST]:
        print(f"{seconds:8.1f} s  {name}")
