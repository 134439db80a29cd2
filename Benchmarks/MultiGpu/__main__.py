"""What 1, 2, 4 and 8 devices do together: Documentation/Performance/Ranks.md.

    python3 Benchmarks/MultiGpu --out scaling.json          # all devices that there are, one rank a device
    python3 Benchmarks/MultiGpu --ranks 1 2 --scale 0.1     # a small try; without a device, on the host
    python3 Benchmarks/MultiGpu --read scaling.json         # the tables and the model of a run

Runs SpanwiseMultiGpu on 1, 2, 4 ... ranks, prints tables and what a model of messages makes of them, and writes a file
of Documentation/Performance/Data. Messages go by NCCL where Spanwise was built with it, else by MPI, through the
device's memory if MPI takes that: --messages chooses, and the first line says which. What was measured is kept when a
run ends early.
"""

import argparse
import datetime
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "report")]

import scaling  # noqa: E402
from figures import Error, Run  # noqa: E402

PROGRAM = "SpanwiseMultiGpu"


def devices():
    """How many devices there are."""
    if not shutil.which("nvidia-smi"):
        return 0
    listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False).stdout
    return sum(line.startswith("GPU ") for line in listed.splitlines())


def powers_of_two(most):
    return [2**k for k in range(most.bit_length()) if 2**k <= most]


def rows_of(ranks, seconds):
    """The rows of a run on so many ranks, and what went wrong, or None."""
    command = [*arguments.launcher.split(), "-n", str(ranks), str(arguments.program), "--scale",
               str(arguments.scale), "--messages", arguments.messages, *arguments.themes]
    rows = []
    with tempfile.TemporaryFile("w+") as said:
        try:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True, start_new_session=True)
        except OSError as error:
            return rows, f"{command[0]} cannot be started: {error.strerror}"

        def read():
            for line in process.stdout:
                try:
                    rows.append(json.loads(line))
                except ValueError:  # what the launcher says, or half a line
                    pass

        reader = threading.Thread(target=read)
        reader.start()
        problem = None
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            problem = f"{ranks} ranks were not done after {seconds:.0f} seconds; --minutes allows more"
        except KeyboardInterrupt:
            problem = f"interrupted on {ranks} ranks"
        if problem:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        reader.join()
        said.seek(0)
        lines = [line for line in said.read().splitlines() if line.strip()]
    if problem or process.returncode == 0:
        return rows, problem
    own = [line.removeprefix(f"{PROGRAM}: ") for line in lines if line.startswith((f"{PROGRAM}: ", "Spanwise: "))]
    if own:
        return rows, own[0]
    return rows, " ".join([f"one of {ranks} ranks was lost (status {process.returncode})", *lines[-3:]])


def given():
    """What of a run is not as ever."""
    return [f"--{name} {getattr(arguments, name)}" for name in ("messages", "scale")
            if getattr(arguments, name) != parser.get_default(name)]


def measured():
    """All rows, and the messages of what went wrong."""
    rows, problems = [], []
    end = time.monotonic() + 60.0 * arguments.minutes
    for number, ranks in enumerate(arguments.ranks):
        left = (end - time.monotonic()) / (len(arguments.ranks) - number)
        some, problem = rows_of(ranks, left)
        rows += some
        if problem:
            problems.append(problem)
            print(f"MultiGpu: {problem}", file=sys.stderr, flush=True)
            if problem.startswith("interrupted"):
                break
    return rows, problems


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("themes", nargs="*", help="messages, lattice, gas, multipoles, grid, mesh, sets; all by default")
parser.add_argument("--program", type=pathlib.Path, default=pathlib.Path("build/release/bin") / PROGRAM)
parser.add_argument("--launcher", default="mpiexec", help="what starts ranks, with its options")
parser.add_argument("--ranks", type=int, nargs="+", help="1, 2, 4 ... up to the number of devices by default")
parser.add_argument("--messages", default="best", choices=["best", "nccl", "mpi", "staged"])
parser.add_argument("--scale", type=float, default=1.0, help="edges of what is measured are so many times as long")
parser.add_argument("--minutes", type=float, default=9.0, help="that all runs may take together")
parser.add_argument("--machine", default="this machine", help="in general terms, e.g. 'two NVIDIA H200'")
parser.add_argument("--out", type=pathlib.Path)
parser.add_argument("--read", type=pathlib.Path, help="a file of --out, instead of a run")
arguments = parser.parse_args()
try:
    if arguments.read:
        run, problems = Run.read(arguments.read), []
    else:
        if not arguments.program.is_file():
            raise Error(f"there is no program {arguments.program}: build {PROGRAM}, or name it with --program")
        arguments.ranks = arguments.ranks or powers_of_two(devices() or os.cpu_count())
        rows, problems = measured()
        header = {"machine": arguments.machine, "month": f"{datetime.date.today():%Y-%m}",
                  "statistic": "median of seven rounds, slowest rank",
                  "command": " ".join(["python3 Benchmarks/MultiGpu", *arguments.themes, "--ranks",
                                       *map(str, arguments.ranks), *given()])}
        if ways := {row["messages by"]: None for row in rows if row["theme"] == "machine" and row["ranks"] > 1}:
            header["note"] = f"Messages by {' and '.join(ways)}."
        run = Run(arguments.out.stem if arguments.out else "scaling", header, scaling.results_of(rows))
        if arguments.out and rows:
            arguments.out.write_text(run.text(), encoding="utf-8")
    if "note" in run.header:
        print(run.header["note"] + "\n")
    print(scaling.report(run.results))
except Error as error:
    sys.exit(f"MultiGpu: {error}")
sys.exit(1 if problems else 0)
