"""clang-tidy over Core's sources, without those that it has found good as they are.

usage: tidy.py source build cache jobs [--sample | file...]

--sample takes what the last commits have changed, and a part of the rest that differs from commit to commit.

A source is as it was if its own text, that of all headers that it includes, its compiler options, the checks and
clang-tidy are. One without findings leaves an empty file in the folder `cache`, whose name says all that.
"""

import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

# What only GCC understands. Without its precompiled headers a source that does not include what it uses is found here.
OF_GCC = re.compile(r" (?:(?:-Winvalid-pch -include|--param)[ =]\S+|-fsched\S+)")

# Takes half of the time that version 21 takes; where it is not there, the one that is will do.
TIDY = shutil.which("clang-tidy-22") or "clang-tidy"

# Of a sample: the commits whose files are all in it, and of how many others one is.
NUM_COMMITS, ONE_OF = 20, 4


def output_of(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def object_of(entry):
    return re.search(r" -o (\S+)", entry["command"])[1]


def inputs_of(objects, build):
    """The files that each object was compiled from, as Ninja names them: {object: [name, ...]}."""
    inputs = {}
    for block in output_of("ninja", "-C", build, "-t", "deps", *objects).split("\n\n"):
        first, *names = block.strip("\n").splitlines() or [""]
        inputs[first.split(":")[0]] = sorted(name.strip() for name in names)
    return inputs


@functools.cache
def digest_of(path, source, build):
    """Says what a file has in it: ours by its text, another package's by its size and date; nothing of the build's."""
    path = pathlib.Path(os.path.normpath(build / path))
    if path.is_relative_to(build):
        return ""
    if path.is_relative_to(source):
        return f"{path.relative_to(source)} {hashlib.sha256(path.read_bytes()).hexdigest()}"
    return f"{path} {path.stat().st_size} {path.stat().st_mtime}"


def sampled(names, source):
    """Those of the files that the last commits changed, and some others."""
    git = ["git", "-c", f"safe.directory={source}", "-C", str(source)]
    head = output_of(*git, "rev-parse", "HEAD")
    changed = set(output_of(*git, "log", f"-{NUM_COMMITS}", "--format=", "--name-only").split())
    chance = {name: int(hashlib.sha256((head + name).encode()).hexdigest(), 16) % ONE_OF for name in names}
    return {name for name, at in chance.items() if name in changed or at == 0}


def main(source, build, cache, jobs, wanted):
    commands = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if pathlib.Path(entry["file"]).is_relative_to(source / "Core"):
            commands.append({**entry, "command": OF_GCC.sub("", entry["command"])})
    database = build.parent / "tidy"
    database.mkdir(exist_ok=True)
    (database / "compile_commands.json").write_text(json.dumps(commands))
    # Clang has no omp.h of its own here; g++'s does, as the last place to look.
    tidy = [TIDY, "-quiet", "-p", str(database),
            "-extra-arg=-idirafter" + output_of("g++", "-print-file-name=include").strip()]
    always = [output_of(TIDY, "--version"), digest_of(source / ".clang-tidy", source, build), *tidy]
    inputs = inputs_of(map(object_of, commands), build)

    def seal_of(entry):
        parts = always + [entry["command"]] + [digest_of(name, source, build) for name in inputs[object_of(entry)]]
        return cache / hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def check(entry):
        begin = time.monotonic()
        run = subprocess.run([*tidy, entry["file"]], capture_output=True, text=True)
        return entry, run, time.monotonic() - begin

    cache.mkdir(parents=True, exist_ok=True)
    def name_of(entry):
        return str(pathlib.Path(entry["file"]).relative_to(source))

    if wanted == ["--sample"]:
        wanted = sampled(map(name_of, commands), source)
        print(f"a sample of {len(commands)} sources", flush=True)
    if wanted:
        commands = [entry for entry in commands if name_of(entry) in wanted]
    seals = {entry["file"]: seal_of(entry) for entry in commands}
    todo = [entry for entry in commands if not seals[entry["file"]].exists()]
    print(f"{len(commands)} sources, {len(commands) - len(todo)} of them as they were", flush=True)
    found = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for entry, run, seconds in pool.map(check, todo):
            print(f"{name_of(entry)}: {seconds:.1f} s", flush=True)
            if run.returncode == 0:
                seals[entry["file"]].touch()
            else:
                found += 1
                print(run.stdout, run.stderr, flush=True)
    if found:
        sys.exit(f"clang-tidy found something in {found} sources")


if __name__ == "__main__":
    main(*(pathlib.Path(argument) for argument in sys.argv[1:4]), int(sys.argv[4]), sys.argv[5:])
