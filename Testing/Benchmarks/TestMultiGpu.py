"""Fails where Benchmarks/MultiGpu does not say what ranks send, or does not end a bad set-up with one message.

usage: TestMultiGpu.py source program launcher...
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

source, program, launcher = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), " ".join(sys.argv[3:])
sys.path[:0] = [str(source / "Benchmarks" / part) for part in ("MultiGpu", "report")]

import model  # noqa: E402

COMMAND = [sys.executable, "-B", str(source / "Benchmarks" / "MultiGpu"), "--program", str(program), "--launcher",
           launcher]


def run(*arguments, **others):
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False, timeout=240, **others)


def check_rows(folder):
    """A neighbour gets 9 of 27 populations of each cell at the cut, 4 bytes each, in one message."""
    out = folder / "scaling.json"
    done = run("--ranks", "1", "2", "--scale", "0.01", "--out", str(out), "messages", "lattice", "mesh")
    assert done.returncode == 0, done.stderr
    results = json.loads(out.read_text(encoding="utf-8"))["results"]
    row = results["lattice/D3Q27, 192^3"]
    edge = 16  # the least
    assert row["MB sent"] == round(1e-6 * 9 * 4 * edge**2, 6), row
    assert (row["exchanges"], row["pieces"], row["words"], row["collectives"]) == (1, 1, 1, 0), row
    assert row["1 units/s"] > 0 and row["2 efficiency"] > 0 and row["2 model"] > 0, row
    for name in ("messages/8", "messages/reduction", "arrival times/3.1 M tetrahedra"):
        assert name in results and f"| {name.removeprefix('messages/')} |" in done.stdout, (name, done.stdout)
    again = run("--read", str(out))
    assert again.returncode == 0 and again.stdout == done.stdout, (again.stdout, again.stderr)


def check_message(done, *words):
    lines = done.stderr.splitlines()
    assert done.returncode == 1 and len(lines) == 1 and lines[0].startswith("MultiGpu: "), done.stderr
    assert all(word in lines[0] for word in words), done.stderr


def pids_of_ranks(parent):
    """Processes of the program below a process, the oldest first."""
    children = {}
    names = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            before, after = path.read_text(encoding="utf-8").rsplit(")", 1)
        except OSError:
            continue
        pid, names[pid] = int(path.parent.name), before.split("(", 1)[1]
        children.setdefault(int(after.split()[1]), []).append(pid)
    below, found = [parent], []
    while below:
        pid = below.pop()
        below += children.get(pid, [])
        found += [pid] if program.name.startswith(names.get(pid, "?")) else []
    return sorted(found)


def check_lost_rank(folder):
    """Rows that were there are kept."""
    out = folder / "lost.json"
    process = subprocess.Popen([*COMMAND, "--ranks", "2", "--scale", "0.3", "--out", str(out), "messages", "lattice"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60.0
    while len(ranks := pids_of_ranks(process.pid)) < 2 and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(2.0)
    os.kill(ranks[-1], signal.SIGKILL)
    stdout, stderr = process.communicate(timeout=60)
    check_message(subprocess.CompletedProcess(COMMAND, process.returncode, stdout, stderr), "one of 2 ranks was lost")
    assert "messages/8" in json.loads(out.read_text(encoding="utf-8"))["results"]


def check_model():
    """Closed forms of the three kinds, for a message of 1 us and 1 GB/s and steps without work of 3 us."""
    def row(theme, name, ranks, seconds, **others):
        return {"theme": theme, "name": name, "ranks": ranks, "seconds": seconds, "units": 100.0, "launches": 10,
                "exchanges": 2, "bytes": 1000, "words": 0, "collectives": 0, "bytes gathered": 0} | others

    rows = model.Rows([
        row("messages", "8", 2, 1e-6), row("messages", "1000000008", 2, 1.000001),
        row("messages", "reduction", 2, 5e-7), row("lattice", "D3Q27, 32^3", 1, 0.5e-6),
        row("lattice", "D3Q27, 32^3", 2, 4e-6), row("lattice", "flow", 1, 8e-5), row("lattice", "flow", 2, 5e-5),
        row("times", "least", 1, 1e-5), row("times", "mesh", 1, 3e-5), row("times", "mesh", 2, 3e-5, collectives=4)])
    constants = model.Constants(rows)
    assert abs(constants.beta - 1e9) < 1 and abs(constants.step - 3e-6) < 1e-12, constants
    for kind, name, expected in (("overlapped", "lattice/flow", 4e-5 + 3e-6),  # the message is hidden
                                 ("in turn", "lattice/flow", 4e-5 + 2e-6 + 1e-6),
                                 # a launch is 1 us, so 20 us of 30 are work
                                 ("iterated", "times/mesh", 1e-5 + 1e-5 + 2e-6 + 1e-6 + 4 * 5e-7)):
        of = model.Modelled(kind, "times/least" if kind == "iterated" else "", planes=64)
        seconds = model.seconds_of(name, of, rows, constants, 2)
        assert abs(seconds - expected) < 1e-11, (kind, seconds, expected)
    # On 64 ranks there are two neighbours, a plane each, and log2(64) times the wait.
    of = model.Modelled("in turn", planes=64)
    assert abs(model.seconds_of("times/mesh", of, rows, constants, 64) - (
        3e-5 / 64 + 2e-6 + 2e-6 + 6 * 4 * 5e-7)) < 1e-11
    assert model.seconds_of("times/mesh", of, rows, constants, 65) is None


check_model()
with tempfile.TemporaryDirectory() as name:
    check_rows(pathlib.Path(name))
    check_lost_rank(pathlib.Path(name))
check_message(run("--ranks", "2", "--minutes", "0.03"), "2 ranks were not done", "--minutes")
check_message(run("--ranks", "1", "--program", "nowhere"), "nowhere", "--program")
check_message(run("--ranks", "1", "--launcher", "nobody"), "nobody cannot be started")
if "NCCL" in (said := run("--ranks", "2", "--messages", "nccl", "messages")).stderr:
    check_message(said, "built without NCCL", "--messages mpi")
