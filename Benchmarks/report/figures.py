"""What was measured: the files of Documentation/Performance/Data, and how the output of benchmarks becomes one of them.

A file is a run: what one command measured on one machine, so that all of its figures may be compared. It says where,
when and how, and has a line for each measurement: its name, which is that of the benchmark, and its figures by field.

    "Spanwise/balls/Union/1 thread": {"ms": 0.59, "intervals/s": 192000000.0}

A figure is a number; or the least and the most of several rounds, [0.55, 0.61]; or a text. Fields are named by their
unit: "ms" by the clock, "processor ms", and the counters of the benchmark.
"""

import json
import re
import statistics

MILLISECONDS = {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "s": 1e3}
# What a file says of its run. Programs that are not ours have no command but are named as `peer`.
HEADER = ("machine", "month", "statistic", "command", "peer", "note")
NEEDED = ("machine", "month", "statistic")
# What Google Benchmark says of a measurement; all other numbers are its counters.
NO_COUNTERS = {"family_index", "per_family_instance_index", "repetitions", "repetition_index", "threads", "real_time",
               "cpu_time"}
# How Google Benchmark says in names how often and by which clock it measures.
ENDING = re.compile(r"(/iterations:[0-9]+|/repeats:[0-9]+|/real_time|/manual_time|/process_time)*$")


class Error(Exception):
    """What is wrong with a file, in words for who gave it."""


class Run:
    """A file of figures."""

    def __init__(self, name, header, results):
        self.name = name
        self.header = header
        self.results = results

    @classmethod
    def read(cls, path):
        try:
            with open(path, encoding="utf-8") as file:
                content = json.load(file)
            results = content.pop("results")
        except (ValueError, KeyError) as error:
            raise Error(f"{path}: not a file of figures: {error}") from error
        problems = [key for key in NEEDED if not content.get(key)] + [key for key in content if key not in HEADER]
        if ("command" in content) == ("peer" in content):
            problems.append("command or peer")
        if problems:
            raise Error(f"{path}: missing or unknown in the header, or too many: {', '.join(problems)}")
        return cls(path.stem, content, results)

    def text(self):
        """The file, with a line for each measurement."""
        header = [f" {json.dumps(key)}: {json.dumps(self.header[key])}" for key in HEADER if key in self.header]
        results = [f"  {json.dumps(name)}: {json.dumps(fields)}" for name, fields in self.results.items()]
        return "{\n" + ",\n".join(header) + ',\n "results": {\n' + ",\n".join(results) + "\n }\n}\n"


class Figures:
    """All runs, and what was asked of them."""

    def __init__(self, runs):
        self.runs = {run.name: run for run in runs}
        self.asked = {}  # {(run, measurement): [field]}, whether they are there or not
        self.found = set()  # (run, measurement, field)

    @classmethod
    def read(cls, folder):
        return cls(Run.read(path) for path in sorted(folder.glob("*.json")))

    def run(self, name):
        if name not in self.runs:
            raise Error(f"there is no file of figures {name}.json; there are {', '.join(self.runs)}")
        return self.runs[name]

    def look_up(self, run, name, field):
        """A figure; None: there is none."""
        fields = self.asked.setdefault((run, name), [])
        if field not in fields:
            fields.append(field)
        figure = self.run(run).results.get(name, {}).get(field)
        if figure is not None:
            self.found.add((run, name, field))
        return figure

    def unused(self):
        """What no table shows, as texts."""
        return [f"{run.name}.json: no table shows {field!r} of {name!r}" for run in self.runs.values()
                for name, fields in run.results.items() for field in fields
                if (run.name, name, field) not in self.found]


def rounded(value):
    """Four digits of a number: more than a benchmark can know."""
    return float(f"{value:.4g}")


def filter_of(names):
    """An expression for --benchmark_filter that takes benchmarks of these names, however they are timed."""
    plain = (re.sub(r"[.^$*+?(){}|\[\]\\]", r"\\\g<0>", name) for name in sorted(set(names)))
    return f"^({'|'.join(plain)}){ENDING.pattern}"


def without_count(pairs):
    """An object of JSON without Google Benchmark's count of iterations, but with a counter of that name behind it."""
    names = [name for name, _ in pairs]
    return {name: value for name, value in pairs if name != "iterations" or names.count(name) > 1}


def of_google_benchmark(documents):
    """{name: {field: number}} of outputs of Google Benchmark: its medians, or those of its repetitions."""
    medians = {}
    repetitions = {}
    for document in documents:
        for entry in document["benchmarks"]:
            if entry.get("error_occurred"):
                continue
            name = ENDING.sub("", entry["run_name"])
            fields = {key: value for key, value in entry.items()
                      if isinstance(value, (int, float)) and key not in NO_COUNTERS}
            scale = MILLISECONDS[entry["time_unit"]]
            fields |= {"ms": scale * entry["real_time"], "processor ms": scale * entry["cpu_time"]}
            if entry["run_type"] == "iteration":
                repetitions.setdefault(name, []).append(fields)
            elif entry["aggregate_name"] == "median":
                medians[name] = fields
    for name, rounds in repetitions.items():
        medians.setdefault(name, {field: statistics.median(of[field] for of in rounds) for field in rounds[0]})
    return {name: {field: rounded(value) for field, value in fields.items()} for name, fields in medians.items()}


def missing(run, measured):
    """What a run has and the outputs do not have, as texts."""
    problems = []
    for name, before in run.results.items():
        if name not in measured:
            problems.append(f"no measurement {name!r}")
        else:
            problems += [f"no {field!r} of {name!r}" for field in before if field not in measured[name]]
    return problems


def taken(run, asked, measured, header):
    """A run made anew: what tables ask of it, out of what was measured. Nothing that it had may be missing."""
    if problems := missing(run, measured):
        raise Error(f"{run.name}: the output has " + ", ".join(problems))
    # Last comes what a table has room for, although it was not measured before.
    names = dict.fromkeys([*run.results, *(name for of, name in asked if of == run.name and name in measured)])
    results = {name: {field: measured[name][field] for field in asked.get((run.name, name), ())
                      if field in measured[name]} for name in names}
    return Run(run.name, {**{key: value for key, value in run.header.items() if key == "command"}, **header}, results)
