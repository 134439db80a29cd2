"""The pages of Documentation/Performance, made from files of figures.

    python3 Benchmarks/report                       # make tables and charts anew
    python3 Benchmarks/report --check               # fail where they are not what would be made
    python3 Benchmarks/report asked                 # what tables and charts show, for --benchmark_filter
    ./dev bench                                     # runs that, into build/bench.json*
    python3 Benchmarks/report take build/bench.json* --machine "2 cores, AMD Zen 5"

`take` replaces each file of figures of which the outputs have all measurements, or those of --into NAME,NAME, and then
makes the pages. It says which files stay, since the outputs have a part of them only. Take a whole run on a quiet
machine: figures of one file are compared. An output may also be a file
{"results": {"xsimd, AVX2/potential/float/65536/1 thread": {"interactions/s": 4.7e9}}} of a program without Google
Benchmark that ran beside.
"""

import argparse
import json
import pathlib
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import pages  # noqa: E402
from figures import ENDING, Error, Figures, filter_of, missing, of_google_benchmark, taken, without_count  # noqa: E402


def made(documentation, figures):
    """{path: content} of all pages and charts, in the order of the pages."""
    contents = {}
    for definition in pages.definitions(SOURCE / "Benchmarks" / "report" / "definitions").values():
        path = documentation / definition["page"]
        text, charts = pages.make(figures, definition, path.read_text(encoding="utf-8"))
        contents[path] = text
        contents |= {documentation / "Performance" / name: content for name, content in charts.items()}
    return contents


def check(documentation):
    figures = Figures.read(documentation / "Performance" / "Data")
    contents = made(documentation, figures)
    problems = [f"{path} is not what `python3 Benchmarks/report` makes" for path, content in contents.items()
                if not path.exists() or path.read_text(encoding="utf-8") != content]
    there = {*(documentation / "Performance").glob("*.svg"), *(documentation / "Performance").glob("*.md")}
    problems += [f"{path} is made by nothing" for path in sorted(there - set(contents))]
    problems += figures.unused()
    for path in contents:
        if path.suffix == ".md":
            problems += pages.figures_by_hand(path.name, path.read_text(encoding="utf-8"))
    return contents, problems


def make(documentation):
    for path, content in made(documentation, Figures.read(documentation / "Performance" / "Data")).items():
        path.write_text(content, encoding="utf-8")


def read_json(path):
    try:
        return json.loads(pathlib.Path(path).read_text(encoding="utf-8"), object_pairs_hook=without_count)
    except ValueError as error:
        raise Error(f"{path} is no JSON, or not whole: {error}") from error


def asked(documentation):
    """All figures, and what tables ask of them."""
    figures = Figures.read(documentation / "Performance" / "Data")
    made(documentation, figures)
    return figures


def measured_as_a_whole(figures, measured):
    """The names of the files of which everything was measured."""
    chosen = []
    for run in figures.runs.values():
        problems = missing(run, measured)
        if not problems:
            chosen.append(run.name)
        elif any(name in measured for name in run.results):
            print(f"{run.name}.json stays: {problems[0]}" + (f", and {len(problems) - 1} more" if problems[1:] else ""))
    if not chosen:
        raise Error("the outputs have all measurements of no file of figures; --into NAME says what is missing of one")
    return chosen


def statistic(run, repetitions):
    """What stands for so many repetitions of the measurements of a run."""
    counts = sorted({repetitions[name] for name in run.results if name in repetitions})
    return "one run" if counts == [1] else "median of " + " or ".join(map(str, counts))


def take(documentation, outputs, machine, into, note):
    figures = asked(documentation)
    # A program that has nothing of what a filter asks for leaves an empty file.
    documents = [read_json(output) for output in outputs if pathlib.Path(output).stat().st_size > 0]
    measured = {name: fields for document in documents for name, fields in document.get("results", {}).items()}
    documents = [document for document in documents if "benchmarks" in document]
    if not documents:
        raise Error("no output is one of Google Benchmark, with --benchmark_out")
    measured |= of_google_benchmark(documents)
    repetitions = {ENDING.sub("", entry["run_name"]): entry.get("repetitions", 1)
                   for document in documents for entry in document["benchmarks"]}
    header = {"machine": machine, "month": documents[0]["context"]["date"][:7]}
    header |= {"note": note} if note else {}
    for name in into.split(",") if into else measured_as_a_whole(figures, measured):
        run = taken(figures.run(name), figures.asked, measured, header)
        run.header["statistic"] = statistic(run, repetitions)
        (documentation / "Performance" / "Data" / f"{name}.json").write_text(run.text(), encoding="utf-8")
        print(f"took {name}.json")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", nargs="?", choices=["make", "asked", "take"], default="make")
    parser.add_argument("outputs", nargs="*", help="files of --benchmark_out")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--machine", help="in general terms, e.g. '2 cores, AMD Zen 5'")
    parser.add_argument("--into", help="names of files of figures, with commas")
    parser.add_argument("--note", help="a sentence on the conditions")
    parser.add_argument("--documentation", type=pathlib.Path, default=SOURCE / "Documentation")
    arguments = parser.parse_args()
    if arguments.check:
        contents, problems = check(arguments.documentation)
        print(len(contents), "pages and charts", *problems, sep="\n")
        sys.exit(bool(problems))
    if arguments.command == "asked":
        print(filter_of(name for _, name in asked(arguments.documentation).asked))
        return
    if arguments.command == "take":
        if not arguments.outputs or not arguments.machine:
            parser.error("take needs files of --benchmark_out, and --machine")
        take(arguments.documentation, arguments.outputs, arguments.machine, arguments.into, arguments.note)
    make(arguments.documentation)


if __name__ == "__main__":
    try:
        main()
    except (Error, OSError, ValueError) as error:
        sys.exit(f"report: {error}")
