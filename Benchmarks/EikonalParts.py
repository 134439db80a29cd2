"""The benchmark "cube/Arrival times in parts": its runs as the table of Documentation/Performance.md, and that table as
a plot: times from one, two and eight sources, METIS and mesh by the step of the mesh and the number of parts.

    ./dev bench --benchmark_filter=parts --benchmark_out=parts.json --benchmark_out_format=json
    ./dev exec python3 Benchmarks/EikonalParts.py parts.json [more.json ...]
    ./dev exec python3 Benchmarks/EikonalParts.py Documentation/Performance.md Documentation/Pictures/EikonalParts.png

Milliseconds; of several runs of a case the median counts. The plot needs matplotlib (python3-matplotlib).
"""
import json
import re
import sys
from collections import defaultdict
from statistics import median

CASE = re.compile(r"Arrival times in parts/[^/]+/n:(\d+)/parts:(\d+)/")


SOURCES = (1, 2, 8)


def medians(paths):
    """{quantity: {(n, parts): milliseconds}} of the runs in Google Benchmark's JSON files. The quantities are the
    numbers of sources, "METIS" and "cut and mesh"."""
    found = defaultdict(lambda: defaultdict(list))
    for path in paths:
        with open(path, encoding="utf-8") as file:
            runs = json.load(file)["benchmarks"]
        for run in runs:
            case = CASE.search(run["name"])
            if case is None or run.get("run_type") == "aggregate":
                continue
            key = tuple(map(int, case.groups()))
            found[1][key].append(run["real_time"])
            found[2][key].append(run["two sources ms"])
            found[8][key].append(run["eight sources ms"])
            if key[1] > 1:
                found["METIS"][key].append(run["METIS ms"])
                found["cut and mesh"][key].append(run["split ms"] + run["mesh ms"])
    return {name: {key: median(values) for key, values in cases.items()} for name, cases in found.items()}


def table(cases):
    """Lines of Markdown."""
    steps = sorted({n for n, _ in cases[1]})
    numbers = sorted({parts for _, parts in cases[1]} - {1})

    def span(name, n):
        values = [value for key, value in cases[name].items() if key[0] == n]
        return f"{min(values):.0f} to {max(values):.0f}"

    labels = ["whole" if parts == 0 else "2 parts" if parts == 2 else str(parts) for parts in numbers]
    yield (f"| n | tetrahedra | METIS, 2 to {max(numbers)} parts | cut and mesh | sources | "
           + " | ".join(labels) + " |")
    yield "|---" * (5 + len(numbers)) + "|"
    for n in steps:
        for sources in SOURCES:
            once = [n, 6 * n**3, span("METIS", n), span("cut and mesh", n)] if sources == 1 else [n, "", "", ""]
            times = (cases[sources].get((n, parts)) for parts in numbers)
            cells = [*once, sources, *("" if time is None else f"{time:.0f}" for time in times)]
            yield "| " + " | ".join(map(str, cells)) + " |"


def read_table(page):
    """The table of a page: {(sources, column): {n: [milliseconds]}}, with one or two for each n; what does not depend
    on sources stands under 0 of them."""
    with open(page, encoding="utf-8") as file:
        lines = file.read().splitlines()
    first = next(k for k, line in enumerate(lines) if line.startswith("| n | tetrahedra | METIS"))
    cells = []
    for line in lines[first:]:
        if not line.startswith("|"):
            break
        cells.append([cell.strip() for cell in line[1:-1].split("|")])
    header, rows = cells[0], cells[2:]
    columns = defaultdict(dict)
    for row in rows:
        for k, name in enumerate(header):
            if row[k] and k not in (0, 1, 4):
                key = (int(row[4]) if k > 4 else 0, name)
                columns[key][int(row[0])] = [float(text) for text in row[k].split(" to ")]
    return columns


def plot(columns, path):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, len(SOURCES), figsize=(12, 4.8), dpi=100, layout="constrained", sharey=True)
    once = [name for sources, name in columns if sources == 0]
    colours = plt.get_cmap("viridis")
    steps = sorted({n for values in columns.values() for n in values})
    for axes, sources in zip(panels, SOURCES):
        times = [name for number, name in columns if number == sources]
        for k, name in enumerate(times):
            values = columns[sources, name]
            label = "times, " + (name if name == "whole" or name.endswith("parts") else f"{name} parts")
            axes.plot(list(values), [value for value, in values.values()], marker="o", markersize=4, label=label,
                      color="black" if name == "whole" else colours((k - 1) / max(1, len(times) - 2)))
        for name, colour in zip(once, ("tab:red", "tab:orange")):
            spans = list(columns[0, name].values())
            axes.fill_between(steps, [span[0] for span in spans], [span[-1] for span in spans], color=colour,
                              alpha=0.35)
            axes.plot(steps, [sum(span) / len(span) for span in spans], color=colour, linestyle="--", label=name)
        axes.set(title=f"{sources} source{'s' * (sources > 1)}", xlabel="n: the cube has n^3 cells of six tetrahedra",
                 xscale="log", yscale="log")
        axes.set_xticks(steps, [str(n) for n in steps])
        axes.minorticks_off()
        axes.grid(True, which="major", alpha=0.3)
    panels[0].set_ylabel("milliseconds")
    panels[0].legend(fontsize=8)
    figure.savefig(path)


def main():
    if sys.argv[1].endswith(".md"):
        plot(read_table(sys.argv[1]), sys.argv[2])
    else:
        print(*table(medians(sys.argv[1:])), sep="\n")


if __name__ == "__main__":
    main()
