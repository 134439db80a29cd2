"""What `./dev new-filter` lays out compiles, warnings being errors: as the files next to which it is put.

usage: NewFilter.py source build scratch          lays a filter out in a copy of what it needs of the sources
       NewFilter.py source build scratch FILE     compiles one of its files"""

import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

# The files with code, and a file of the sources that is compiled as each is.
LIKE = {
    "Core/Geometry/LaidOut.cpp": "Core/Geometry/Algebra.cpp",
    "Testing/Core/Geometry/TestLaidOut.cpp": "Testing/Core/Geometry/TestAlgebra.cpp",
    "Filters/Geometry/vtkSpanwiseLaidOut.cxx": "Filters/Geometry/vtkSpanwiseFillHoles.cxx",
    "Testing/Filters/Geometry/TestLaidOut.cpp": "Testing/Filters/Geometry/TestSetAlgebra.cpp",
}
# Where the command adds a line.
LISTS = [
    "Core/CMakeLists.txt",
    "Testing/Core/CMakeLists.txt",
    "Filters/Geometry/CMakeLists.txt",
    "Testing/Filters/Geometry/CMakeLists.txt",
]


def lay_out(source, scratch):
    shutil.rmtree(scratch, ignore_errors=True)
    for name in LISTS + ["CMake/new_filter.py"] + list(LIKE):
        (scratch / name).parent.mkdir(parents=True, exist_ok=True)
        if name not in LIKE:
            shutil.copy(source / name, scratch / name)
    subprocess.run(
        [sys.executable, scratch / "CMake/new_filter.py", "Geometry", "LaidOut", "Laid Out"], check=True)
    for name in LISTS:
        before = (source / name).read_text().splitlines()
        after = (scratch / name).read_text().splitlines()
        added = [line for line in after if "LaidOut" in line]
        assert len(added) == 1 and [line for line in after if line not in added] == before, (name, added)
    made = {str(path.relative_to(scratch)) for path in scratch.rglob("*LaidOut*")}
    assert set(LIKE) <= made, set(LIKE) - made


def compile_file(source, build, scratch, name):
    commands = json.loads((build / "compile_commands.json").read_text())
    like = source / LIKE[name]
    entry = next(entry for entry in commands if pathlib.Path(entry["file"]) == like)
    arguments = shlex.split(entry["command"])
    arguments[arguments.index("-o") + 1] = os.devnull
    arguments[arguments.index(str(like))] = str(scratch / name)
    if "-include" in arguments:  # precompiled headers: it includes what it uses
        at = arguments.index("-include")
        del arguments[at:at + 2]
    # Its headers, which are not in the sources.
    arguments[1:1] = [f"-I{scratch}", f"-I{scratch / 'Filters/Geometry'}"]
    subprocess.run(arguments + ["-O0"], cwd=entry["directory"], check=True)


if __name__ == "__main__":
    source, build, scratch = (pathlib.Path(name) for name in sys.argv[1:4])
    if len(sys.argv) > 4:
        compile_file(source, build, scratch, sys.argv[4])
    else:
        lay_out(source, scratch)
