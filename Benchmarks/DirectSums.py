"""Direct sums: runs SpanwiseDirectSums, Kokkos SIMD and, if there is one, a peer; and takes their figures for the page
Documentation/Performance/NBody.md.

    ./dev exec python3 Benchmarks/DirectSums.py run FOLDER [sizes] [threads] [vectors] [device] [--peer PROGRAM]
    ./dev exec python3 Benchmarks/DirectSums.py run FOLDER backend --programs OTHER
    python3 Benchmarks/DirectSums.py take FOLDER "2 cores, AMD Zen 4"

FOLDER keeps what the programs print. PROGRAM N RUNS prints lines "float pot xsimd ... 5.6 Ginter/cpu-s". OTHER has a
SpanwiseDirectSums whose Kokkos has Threads in the place of OpenMP.
"""
import datetime
import json
import os
import re
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SOURCE / "Benchmarks" / "report"))
from figures import Run, rounded  # noqa: E402

DATA = SOURCE / "Documentation" / "Performance" / "Data"
PROGRAMS = SOURCE / "build" / "release" / "bin"
SIZES = (1024, 4096, 16384, 65536)
PLAIN = ("flat-for", "flat-reduce", "nested-teams", "scratch-tiles", "kokkos-simd")  # too slow for the largest
FAST = ("register-tiles", "mutual")
DEVICE_SIZES = (*SIZES, 262144)
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


def words(name):
    return name.replace("kokkos-simd", "Kokkos SIMD").replace("-", " ")


def of_sizes(lines, rate):
    """{measurement: {field: figure}} of variants by size."""
    results = {}
    for of in lines:
        fields = results.setdefault(f"{words(of['variant'])}/{of['precision']}", {})
        fields[f"G/s, {int(of['particles']):,}"] = float(of[rate])
        fields["error"] = float(of["error_max"])  # that of the largest size comes last
    return results


def of_threads(lines, space):
    """The same of one thread and two, and how many times as fast two are."""
    results = {}
    for of in lines:
        fields = results.setdefault(f"{space}/{words(of['variant'])}/{of['precision']}", {})
        if of["precision"] == "float":
            fields["particles"] = int(of["particles"])
        fields["G/s, " + {"1": "1 thread", "2": "2 threads"}[of["threads"]]] = float(of["G/s"])
    for fields in results.values():
        fields["times"] = round(fields["G/s, 2 threads"] / fields["G/s, 1 thread"], 2)
    return results


def of_vectors(folder):
    results = {}
    for (name, precision, size), rate in vectors_of(folder).items():
        results.setdefault(f"{name}, {precision}", {})[f"G/s, {size:,}"] = rounded(rate)
    return results


def take(folder, machine):
    """Replaces the files of figures of which the folder has what the programs printed."""
    taken = {}
    if (folder / "sizes.txt").exists():
        taken["direct-sums-sizes"] = of_sizes(lines_of(folder / "sizes.txt"), "G/CPU_s")
    if (folder / "device.txt").exists():
        taken["h200-direct-sums-sizes"] = of_sizes(lines_of(folder / "device.txt"), "G/s")
    if (folder / "threads.txt").exists():
        taken["direct-sums-threads"] = of_threads(lines_of(folder / "threads.txt"), "OpenMP")
        if (folder / "backend.txt").exists():
            taken["direct-sums-threads"] |= of_threads(lines_of(folder / "backend.txt"), "Threads")
    if (folder / "vectors.json").exists():
        taken["direct-sums-simd"] = of_vectors(folder)
    for name, results in taken.items():
        path = DATA / f"{name}.json"
        header = {**Run.read(path).header, "machine": machine, "month": f"{datetime.date.today():%Y-%m}"}
        path.write_text(Run(name, header, results).text(), encoding="utf-8")
        print(f"took {name}.json; now: python3 Benchmarks/report")


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
    elif command == "take" and len(arguments) == 2:
        take(Path(arguments[0]), arguments[1])
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
