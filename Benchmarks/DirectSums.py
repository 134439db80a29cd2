"""Direct sums: runs SpanwiseDirectSums, Kokkos SIMD and, if there is one, a peer; their figures as the tables of
Documentation/Performance.md; and those tables as a plot.

    ./dev exec python3 Benchmarks/DirectSums.py run FOLDER [sizes] [threads] [vectors] [device] [--peer PROGRAM]
    ./dev exec python3 Benchmarks/DirectSums.py run FOLDER backend --programs OTHER
    ./dev exec python3 Benchmarks/DirectSums.py table FOLDER
    ./dev exec python3 Benchmarks/DirectSums.py plot Documentation/Performance.md Documentation/Pictures/DirectSums.png

FOLDER keeps what the programs print. PROGRAM N RUNS prints lines "float pot xsimd ... 5.6 Ginter/cpu-s". OTHER has a
SpanwiseDirectSums whose Kokkos has Threads in the place of OpenMP.
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent.parent / "build" / "release" / "bin"
SIZES = (1024, 4096, 16384, 65536)
PLAIN = ("flat-for", "flat-reduce", "nested-teams", "scratch-tiles", "kokkos-simd")  # too slow for the largest
FAST = ("register-tiles", "mutual")
DEVICE_SIZES = (*SIZES, 262144)
DEVICE_TABLE = "variant on a GPU"
ON_DEVICE = ("flat-for", "flat-reduce", "nested-teams", "scratch-tiles", "register-tiles")
PRECISIONS = ("float", "double")
PEER_LINE = re.compile(r"(float|double)\s+(.*?)\s+N=(\d+).* ([\d.]+) Ginter/cpu-s")
PEER_ROWS = {"xsimd": "pot xsimd TI=4", "xsimd, estimates": "pot xsimd TI=4 rsqrtNR"}


def run(folder, stages, peer, programs):
    folder.mkdir(parents=True, exist_ok=True)
    one_thread = dict(os.environ, OMP_NUM_THREADS="1")

    def to_file(name, command, **options):
        with open(folder / name, "a", encoding="utf-8") as file:
            subprocess.run([str(part) for part in command], stdout=file, check=True, **options)

    def sums(name, variants, sizes, threads, **options):
        to_file(name, [programs / "SpanwiseDirectSums", "--number-runs", 3, "--check", "--where", "host", "--threads",
                       threads, "--variant", ",".join(variants), "--number-of-particles", ",".join(map(str, sizes))],
                **options)

    for stage in stages:
        if stage == "sizes":
            sums("sizes.txt", PLAIN, SIZES[:-1], 1)
            sums("sizes.txt", FAST, SIZES, 1)
        elif stage == "threads":
            sums("threads.txt", PLAIN, SIZES[-2:-1], "1,2")
            sums("threads.txt", FAST, SIZES[-1:], "1,2")
        elif stage == "backend":
            for threads in ("1", "2"):  # that space has as many as it was started with
                environment = dict(os.environ, KOKKOS_NUM_THREADS=threads)
                sums("backend.txt", PLAIN, SIZES[-2:-1], 0, env=environment)
                sums("backend.txt", FAST, SIZES[-1:], 0, env=environment)
        elif stage == "device":
            for variant in ON_DEVICE:  # a reduction after the other takes too long for the largest
                sizes = SIZES if variant == "flat-reduce" else DEVICE_SIZES
                to_file("device.txt", [programs / "SpanwiseDirectSums", "--check", "--where", "device", "--variant",
                                       variant, "--number-of-particles", ",".join(map(str, sizes))])
        elif stage == "vectors":
            to_file("vectors.log", [programs / "SpanwiseSimdBenchmarks", "--benchmark_filter=Kokkos SIMD/potential",
                                    f"--benchmark_out={folder}/vectors.json", "--benchmark_out_format=json"],
                    env=one_thread)
            for size in SIZES if peer else ():
                to_file("peer.txt", [peer, size, 2 if size == SIZES[-1] else 5], env=one_thread)
        else:
            raise SystemExit(f"there is no stage '{stage}': sizes, threads, backend, vectors, device")


def lines_of(path):
    """The lines of a table of SpanwiseDirectSums, by its header."""
    with open(path, encoding="utf-8") as file:
        rows = [line.split() for line in file]
    return [dict(zip(rows[0], row)) for row in rows if row != rows[0]]


def vectors_of(folder):
    """{(program, precision, size): G interactions a second of the processor}"""
    rates = {}
    with open(folder / "vectors.json", encoding="utf-8") as file:
        for of in json.load(file)["benchmarks"]:
            *_, precision, size, _, _ = of["name"].split("/")
            of_processor = of["real_time"] / of["cpu_time"]
            rates["Kokkos SIMD", precision, int(size)] = of_processor * of["interactions/s"] / 1e9
    if (folder / "peer.txt").exists():
        with open(folder / "peer.txt", encoding="utf-8") as file:
            for precision, row, size, rate in (found.groups() for found in map(PEER_LINE.match, file) if found):
                for name, peer_row in PEER_ROWS.items():
                    if row == peer_row:
                        rates[name, precision, int(size)] = float(rate)
    return rates


def text_of(rate):
    return "" if rate is None else f"{rate:.1f}" if rate >= 10 else f"{rate:.2f}"


def words(name):
    return name.replace("kokkos-simd", "Kokkos SIMD").replace("-", " ")


def print_table(header, rows):
    print("| " + " | ".join(header) + " |")
    print("|---" * len(header) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def table_of_sizes(first, lines, sizes, variants, rate):
    rates = {(of["variant"], of["precision"], int(of["particles"])): float(of[rate]) for of in lines}
    worst = {(of["variant"], of["precision"]): of["error_max"] for of in lines}
    cases = [(precision, size) for precision in PRECISIONS for size in sizes]
    print_table(
        [first] + [f"{precision}, {size:,}" for precision, size in cases]
        + [f"error, {precision}" for precision in PRECISIONS],
        [[words(variant)] + [text_of(rates.get((variant, *case))) for case in cases]
         + [worst[variant, precision] for precision in PRECISIONS] for variant in variants])


def tables(folder):
    if (folder / "device.txt").exists():
        table_of_sizes(DEVICE_TABLE, lines_of(folder / "device.txt"), DEVICE_SIZES, ON_DEVICE, "G/s")
    if not (folder / "sizes.txt").exists():
        return
    table_of_sizes("variant", lines_of(folder / "sizes.txt"), SIZES, PLAIN + FAST, "G/CPU_s")

    for name, space in (("threads.txt", "OpenMP"), ("backend.txt", "Threads")):
        if (folder / name).exists():
            table_of_threads(lines_of(folder / name), space)

    rates = vectors_of(folder)
    print_table(
        ["vectors of AVX-512"] + [f"{size:,}" for size in SIZES],
        [[f"{name}, {precision}"] + [text_of(rates.get((name, precision, size))) for size in SIZES]
         for precision in PRECISIONS for name in ("Kokkos SIMD", *PEER_ROWS)])


def table_of_threads(lines, space):
    rates = {(of["variant"], of["precision"], int(of["threads"])): float(of["G/s"]) for of in lines}
    sizes = {of["variant"]: int(of["particles"]) for of in lines}

    def scaling(variant):
        for precision in PRECISIONS:
            one, two = (rates[variant, precision, threads] for threads in (1, 2))
            yield from (text_of(one), text_of(two), f"{two / one:.2f}")

    print_table(
        [f"variant, {space}", "particles"] + [f"{precision}, {what}" for precision in PRECISIONS
                                    for what in ("1 thread", "2 threads", "times")],
        [[words(variant), f"{sizes[variant]:,}", *scaling(variant)] for variant in PLAIN + FAST])


def read_table(page, first):
    """{row: {column: number}} of the table whose first column is called so; {}: there is none."""
    with open(page, encoding="utf-8") as file:
        lines = file.read().splitlines()
    begin = next((k for k, line in enumerate(lines) if line.startswith(f"| {first} | ")), len(lines))
    cells = []
    for line in lines[begin:]:
        if not line.startswith("|"):
            break
        cells.append([cell.strip().strip("*") for cell in line.strip("|").split("|")])
    if not cells:
        return {}
    return {row[0]: {name: float(text.replace(",", "")) for name, text in zip(cells[0][1:], row[1:]) if text}
            for row in cells[2:]}


def plot(page, path):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 3, figsize=(14.4, 7.2), dpi=100, layout="constrained")

    def times(panel, rates, **style):
        """Seconds of all particles on themselves, by their number."""
        seconds = [size * (size - 1) / (1e9 * rate) for size, rate in rates.items()]
        panel.plot(list(rates), seconds, markersize=4, **style)

    def variants(panel, precision, first, sizes):
        for k, (name, row) in enumerate(read_table(page, first).items()):
            times(panel, {size: row[f"{precision}, {size:,}"] for size in sizes if f"{precision}, {size:,}" in row},
                  marker="osv^Dxd"[k], label=name)

    for k, precision in enumerate(PRECISIONS):
        variants(axes[0, k], precision, "variant", SIZES)
        axes[0, k].set_title(f"one thread, {precision}")
        variants(axes[k, 2], precision, DEVICE_TABLE, DEVICE_SIZES)
        axes[k, 2].set_title(f"NVIDIA H200, {precision}")
    vectors = read_table(page, "vectors of AVX-512")
    for k, (name, row) in enumerate(vectors.items()):
        times(axes[1, 0], {int(size.replace(",", "")): rate for size, rate in row.items()}, marker="osv^Dxd"[k],
              linestyle="-" if name.startswith("Kokkos") else ":", label=name)
    axes[1, 0].set_title("vectors of AVX-512, one thread")
    for panel in (*axes[0], axes[1, 0], axes[1, 2]):
        sizes = DEVICE_SIZES if panel in axes[:, 2] else SIZES
        panel.set(xlabel="particles", ylabel="seconds", xscale="log", yscale="log")
        panel.set_xticks(sizes, [f"{size:,}" for size in sizes])
        panel.minorticks_off()
        panel.grid(True, which="major", alpha=0.3)
        panel.legend(fontsize=8)
    plot_threads(axes[1, 1], page)
    figure.savefig(path)


def plot_threads(panel, page):
    bars = [(f"{space}, {precision}", precision, read_table(page, f"variant, {space}"))
            for space in ("OpenMP", "Threads") for precision in PRECISIONS]
    bars = [bar for bar in bars if bar[2]]
    if not bars:
        panel.remove()
        return
    width = 0.8 / len(bars)
    for k, (label, precision, rows) in enumerate(bars):
        places = [row + (k + 0.5) * width - 0.4 for row in range(len(rows))]
        panel.bar(places, [row[f"{precision}, times"] for row in rows.values()], width=width, label=label)
    panel.axhline(2, color="black", linewidth=0.8, linestyle=":")
    panel.set_xticks(range(len(bars[0][2])), list(bars[0][2]), rotation=30, ha="right", fontsize=8)
    panel.set(title="two threads over one", ylabel="times as fast", ylim=(0, 2.8))
    panel.legend(fontsize=8, loc="upper left", ncols=2)


def main():
    command, *arguments = sys.argv[1:] or ("help",)
    if command == "run":
        paths = {"--peer": None, "--programs": PROGRAMS}
        for option in paths:
            if option in arguments:
                at = arguments.index(option)
                paths[option] = Path(arguments[at + 1]).resolve()
                del arguments[at:at + 2]
        run(Path(arguments[0]), arguments[1:] or ["sizes", "threads", "vectors"], *paths.values())
    elif command == "table":
        tables(Path(arguments[0]))
    elif command == "plot":
        plot(*arguments)
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
