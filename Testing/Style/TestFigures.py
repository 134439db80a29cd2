"""Fails where a page of Documentation/Performance is not what Benchmarks/report makes of the files of figures, or has
figures that no file has. Before, what makes the pages is tested on small input.

usage: TestFigures.py source
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

source = pathlib.Path(sys.argv[1])
report = source / "Benchmarks" / "report"
sys.path.insert(0, str(report))

import charts  # noqa: E402
import figures  # noqa: E402
import pages  # noqa: E402
import tables  # noqa: E402


def entry(name, real, **others):
    return {"run_name": name, "run_type": "iteration", "real_time": real, "cpu_time": real / 2, "time_unit": "us",
            "threads": 1, "family_index": 3} | others


def raised(work):
    try:
        work()
    except figures.Error as error:
        return str(error)
    raise AssertionError("no error")


def check_benchmarks():
    """Medians of Google Benchmark: those that it gives, or of its repetitions; names without how time was taken."""
    taken = figures.of_google_benchmark([{"benchmarks": [
        entry("A/1 thread/real_time", 3000.0), entry("A/1 thread/real_time", 1000.0),
        entry("A/1 thread/real_time", 2000.0, **{"share of copy": 0.123456}),
        entry("B/n:3/iterations:5/manual_time", 1500.0),
        entry("C", 1.0, run_type="aggregate", aggregate_name="mean"),
        entry("C", 2.0, run_type="aggregate", aggregate_name="median"),
        entry("D", 1.0, error_occurred=True)]}])
    assert taken == {"A/1 thread": {"ms": 2.0, "processor ms": 1.0},
                     "B/n:3": {"ms": 1.5, "processor ms": 0.75}, "C": {"ms": 0.002, "processor ms": 0.001}}
    taken = figures.of_google_benchmark([{"benchmarks": [entry("A", 1.0, **{"cells/s": 123456789.0})]}])
    assert taken["A"]["cells/s"] == 123500000.0
    # its own count of iterations is no figure; a counter of that name is
    for text, left in (('{"iterations": 7}', {}), ('{"iterations": 7, "iterations": 2.5}', {"iterations": 2.5})):
        assert json.loads(text, object_pairs_hook=figures.without_count) == left, text


HEADER = {"machine": "a machine", "month": "2026-11", "statistic": "median of 5", "command": "./dev bench"}
DEFINITION = {"run": "r", "first": "What", "columns": [
    {"head": "ours", "name": "ours/{1}", "field": "ms"},
    {"head": "theirs", "name": "theirs/{1}", "field": "ms", "gaps": True},
    {"head": "faster", "faster": ["ours", "theirs"], "gaps": True},
    {"head": "share", "name": "ours/{1}", "field": "share", "as": "percent", "gaps": True}],
    "rows": [["union of x", "x"], ["of y", "y"]]}
RESULTS = {"ours/x": {"ms": 2.0}, "theirs/x": {"ms": 5.0}, "ours/y": {"ms": [3, 5]}}


def figures_of(results):
    return figures.Figures([figures.Run("r", dict(HEADER), results)])


def check_filter():
    """Google Benchmark is asked for these names as they stand, however it takes the time."""
    wanted = re.compile(figures.filter_of(["A (x+1)/n:3", "B/1.5"]))
    for name in ("A (x+1)/n:3", "A (x+1)/n:3/iterations:5/manual_time", "B/1.5/real_time"):
        assert wanted.search(name), name
    for name in ("A (xx1)/n:3", "A (x+1)/n:30", "C/A (x+1)/n:3", "B/125", "B/1.5/n:3"):
        assert not wanted.search(name), name


def check_tables():
    of = figures_of(RESULTS)
    table = tables.fill(of, "t", DEFINITION)
    assert table.markdown() == ("| What | ours | theirs | faster |\n|---|---|---|---|\n"
                                "| union of x | 2.0 | 5.0 | 2.5 |\n| of y | 3 to 5 |  |  |\n"), table.markdown()
    assert table.column("ours") == [("union of x", 2.0), ("of y", 4.0)]
    assert not of.unused() and of.asked["r", "ours/x"] == ["ms", "share"]
    assert figures_of(RESULTS | {"other": {"ms": 1.0}}).unused()
    assert "nothing stands in column 'ours'" in raised(lambda: tables.fill(figures_of({}), "t", DEFINITION))
    assert "there is no file of figures s.json" in raised(lambda: tables.fill(of, "t", {**DEFINITION, "run": "s"}))
    rates = {"run": "r", "first": "", "rows": [{"label": "a", "name": "n"}], "columns": [
        {"head": "1", "name": "{name}", "field": "a/s"}, {"head": "2", "name": "n", "field": "b/s"},
        {"head": "ratio", "faster": ["1", "2"]}, {"head": "no", "name": "{none}", "field": "a/s", "gaps": True}]}
    assert tables.fill(figures_of({"n": {"a/s": 6.0, "b/s": 3.0}}), "t", rates).column("ratio") == [("a", 2.0)]
    turns = {"run": "r", "first": "", "rows": [["a", "a"], ["b", "b"], ["c", "c"]], "columns": [
        {"head": "share", "name": "{1}", "field": "of peer", "as": "ratio", "gaps": True},
        {"head": "times", "name": "{1}", "field": "times peer", "as": "ratio", "gaps": True}]}
    turns = tables.fill(figures_of({"a": {"of peer": 0.25}, "b": {"times peer": [2, 4]}}), "t", turns)
    assert turns.column("share") == [("a", 4.0), ("b", None), ("c", None)]
    assert turns.column("times") == [("a", None), ("b", 3.0), ("c", None)]
    assert "cannot be compared" in raised(lambda: tables.faster(
        {"a": tables.Cell(1.0, "", "ms"), "b": tables.Cell(1.0, "", "cells/s")}, {"faster": ["a", "b"]}))


def check_numbers():
    numbers = {0: "0", 5: "5", 12345: "12,345", 4.0: "4.0", 4.56: "4.56", 45.678: "45.7", 456.78: "457",
               4567.8: "4,568", 2e-9: "2e-9", 1.5e8: "1.5e8", 0.05: "0.05"}
    assert [tables.number_text(value) for value in numbers] == list(numbers.values())
    assert [tables.percent_text(share) for share in (0.0, 0.0026, 0.056, 0.5, 0.9974, 1.0, 1.11, [0.84, 0.87])] == [
        "0 %", "0.26 %", "5.6 %", "50 %", "99.74 %", "100 %", "111 %", "84 to 87 %"]
    assert [tables.ratio_text(ratio) for ratio in (0.136, 0.98, 1.0, 2.04, 9.94, 19.7)] == [
        "0.14", "0.98", "1.0", "2.0", "9.9", "20"]


def check_taking():
    """A new run has what tables ask for, also what was not measured before, and nothing else; gaps are errors."""
    of = figures_of(RESULTS)
    tables.fill(of, "t", DEFINITION)
    measured = {"ours/x": {"ms": 1.0, "share": 0.5, "cells": 9.0}, "theirs/x": {"ms": 4.0}, "ours/y": {"ms": 6.0},
                "theirs/y": {"ms": 7.0}, "z": {"ms": 8.0}}
    run = figures.taken(of.runs["r"], of.asked, measured, {"machine": "another", "month": "2027-01", "statistic": "m"})
    assert run.results == {"ours/x": {"ms": 1.0, "share": 0.5}, "theirs/x": {"ms": 4.0}, "ours/y": {"ms": 6.0},
                           "theirs/y": {"ms": 7.0}}, run.results
    assert run.header["command"] == HEADER["command"] and run.header["machine"] == "another"
    del measured["theirs/x"], measured["ours/y"]["ms"]
    problem = raised(lambda: figures.taken(of.runs["r"], of.asked, measured, {}))
    assert "'theirs/x'" in problem and "no 'ms' of 'ours/y'" in problem


def check_files():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "r.json"
        path.write_text(figures.Run("r", HEADER, RESULTS).text(), encoding="utf-8")
        again = figures.Run.read(path)
        assert (again.name, again.header, again.results) == ("r", HEADER, RESULTS)
        path.write_text('{"machine": "m", "colour": "red", "results": {}}', encoding="utf-8")
        assert "colour" in raised(lambda: figures.Run.read(path)) and "month" in raised(lambda: figures.Run.read(path))
        path.write_text('{"results": ', encoding="utf-8")
        assert "not a file of figures" in raised(lambda: figures.Run.read(path))


def check_charts():
    table = tables.fill(figures_of(RESULTS | {"theirs/y": {"ms": 2.0}}), "t", DEFINITION)
    of = {"title": "A & B", "series": [{"column": "ours", "label": "ours"}, {"column": "theirs", "label": "theirs"}]}
    drawn = charts.draw(table, of)
    assert drawn == charts.draw(table, of) and drawn.count("<rect") == 1 + 2 + 4 and "A &amp; B" in drawn
    place, ticks, _ = charts.bar_scale([2.0, 3.0])
    assert ticks[0] == 0.0 and ticks[-1] >= 3.0 and abs(2 * place(1.5) - place(0.0) - place(3.0)) < 1e-9
    place, ticks, _ = charts.ratio_scale([0.4, 3.0])
    assert ticks == [0.2, 0.5, 1, 2, 5] and abs(place(2.0) + place(0.5) - 2 * place(1.0)) < 1e-9
    long = tables.fill(figures_of(RESULTS), "t", {**DEFINITION, "rows": [["x" * 60, "x"]]})
    assert "more than 44 characters" in raised(lambda: charts.draw(long, of))


def check_pages():
    definition = {"page": "P.md", "tables": {"t": DEFINITION},
                  "charts": {"C": {"table": "t", "title": "T", "series": [{"column": "ours", "label": "o"}]}}}
    text = "# P\n\n<!-- made: t -->\nold\n<!-- end -->\n\n![c](C.svg)\n"
    page, drawn = pages.make(figures_of(RESULTS), definition, text)
    assert "old" not in page and "| of y | 3 to 5 |" in page and list(drawn) == ["C.svg"]
    assert "\n*a machine; median of 5; 2026-11:* `./dev bench`.\n" in page, page
    assert pages.make(figures_of(RESULTS), definition, page)[0] == page
    assert "does not show C.svg" in raised(
        lambda: pages.make(figures_of(RESULTS), definition, text.replace("C.svg", "D.svg")))
    assert "it shows []" in raised(lambda: pages.make(figures_of(RESULTS), definition, "![c](C.svg)"))
    assert not pages.figures_by_hand("P", page + "It has 10 million cells, radius 4 and level 3; `--max 5 s`.\n")
    for figure in ("it takes 5 ms.", "1.5 times as fast", "12 GB/s", "at 84 %,", "in 3 seconds"):
        assert len(pages.figures_by_hand("P", f"{page}\n{figure}\n")) == 1, figure
        assert not pages.figures_by_hand("P", f"{page}\n```\n{figure}\n```\n"), figure


def check_program():
    """A figure that somebody edits by hand is found; a new run replaces figures and pages."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "Documentation"
        shutil.copytree(source / "Documentation" / "Performance", copy / "Performance")
        shutil.copy(source / "Documentation" / "Performance.md", copy)

        def run(*arguments):
            return subprocess.run([sys.executable, "-B", report, *arguments, "--documentation", copy], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)

        asked = run("asked").stdout
        assert re.search(asked.strip(), "Spanwise/balls/Union/1 thread/real_time"), asked
        page = copy / "Performance" / "Levels.md"
        page.write_text(page.read_text(encoding="utf-8").replace("| p4est |", "| p4est  |"), encoding="utf-8")
        checked = run("--check")
        assert checked.returncode == 1 and "Levels.md is not what" in checked.stdout, checked.stdout
        before = figures.Run.read(copy / "Performance" / "Data" / "levels.json")
        output = pathlib.Path(folder) / "bench.json"
        measured = [entry(name, 1234.0, repetitions=3, **fields) for name, fields in before.results.items()]
        output.write_text(json.dumps({"context": {"date": "2031-02-03T04:05:06"}, "benchmarks": measured}))
        took = run("take", output, "--machine", "a toaster")
        assert took.returncode == 0 and took.stdout.endswith("took levels.json\n"), took.stdout
        assert "levels-threads.json stays: no measurement 'Spanwise/Disk/Restrict/1 thread', and " in took.stdout
        assert took.stdout.count("\n") == 2, took.stdout
        text = page.read_text(encoding="utf-8")
        assert "| 1.23 |" in text and "*a toaster; median of 3; 2031-02:*" in text, text
        assert run("--check").returncode == 0
        output.write_text(json.dumps({"context": {"date": "2031-02-03T04:05:06"}, "benchmarks": measured[1:]}))
        beside = pathlib.Path(folder) / "beside.json"
        beside.write_text(json.dumps({"results": dict(list(before.results.items())[:1])}))
        empty = pathlib.Path(folder) / "empty.json"
        empty.touch()
        took = run("take", output, beside, empty, "--machine", "a toaster")
        assert took.returncode == 0 and took.stdout.endswith("took levels.json\n"), took.stdout
        took = run("take", output, "--machine", "a toaster", "--into", "levels")
        assert took.returncode == 1 and "levels: the output has no measurement" in took.stdout, took.stdout
        assert run("--check").returncode == 0


for test in (check_benchmarks, check_filter, check_tables, check_numbers, check_taking, check_files, check_charts,
             check_pages, check_program):
    test()
sys.exit(subprocess.run([sys.executable, "-B", report, "--check"], check=False).returncode)
