"""spanwise-lbm as people call it: its sub-commands, an interruption, going on with the same bits, and what is wrong.

usage: Lbm.py spanwise-lbm CavityTable.hpp folder
"""

import csv
import itertools
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import time

program, table, folder = sys.argv[1:4]
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)


def path(*names):
    return os.path.join(folder, *names)


def run(*arguments, output=None):
    where = [] if output is None else ["--output", path(output)]
    done = subprocess.run([program, *arguments, *where, "--quiet"], capture_output=True, text=True, timeout=300,
                          check=False)
    print(" ".join(arguments), "->", done.returncode, done.stdout.strip()[-400:], done.stderr.strip()[-400:])
    return done


def rows_of(*names):
    with open(path(*names), encoding="utf-8") as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def bytes_of(*names):
    """Without what tells one checkpoint from another of the same state: its number at random, and checksums."""
    with open(path(*names), "rb") as file:
        return file.read()[72 if names[-1] == "checkpoint" else 0:]


def number_after(text, told):
    return float(re.search(text + r" ([-+.e0-9]+)", told)[1])


def write(name, text):
    with open(path(name), "w", encoding="utf-8") as file:
        file.write(text)
    return path(name)


def write_image(name, counts, value):
    """An image whose cells have the value of a function of their numbers; flat along z where there is no third count."""
    extent = " ".join(f"0 {count}" for count in counts) + (" 0 0" if len(counts) == 2 else "")
    cells = itertools.product(*(range(count) for count in reversed(counts)))
    values = " ".join(str(value(*reversed(cell))) for cell in cells)
    return write(name, f"""<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian">
<ImageData WholeExtent="{extent}" Origin="0 0 0" Spacing="1 1 1"><Piece Extent="{extent}"><CellData Scalars="v">
<DataArray type="Int32" Name="v" format="ascii">{values}</DataArray></CellData></Piece></ImageData></VTKFile>""")


def write_box(name, triangles=12):
    """Some triangles of the surface of a box."""
    facets = []
    for axis, side in itertools.product(range(3), (0, 1)):
        corners = []
        for a, b in ((0, 0), (1, 0), (1, 1), (0, 1)):
            corner = [a, b]
            corner.insert(axis, side)
            corners.append(" ".join(str(x) for x in corner))
        facets += [(corners[0], corners[1], corners[2]), (corners[0], corners[2], corners[3])]
    text = "".join("facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {corner}\n" for corner in facet) +
                   "endloop\nendfacet\n" for facet in facets[:triangles])
    return write(name, f"solid box\n{text}endsolid box\n")


def write_ball(name, parts):
    """The surface of a ball of diameter 1, of so many parts from pole to pole."""
    def point(i, j):
        polar, around = math.pi * i / parts, math.pi * (j % (2 * parts)) / parts
        ring = 0.0 if i in (0, parts) else 0.5 * math.sin(polar)
        return f"{ring * math.cos(around):.15g} {ring * math.sin(around):.15g} {0.5 * math.cos(polar):.15g}"
    text = ""
    for i, j in itertools.product(range(parts), range(2 * parts)):
        a, b, c, d = point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)
        for facet in ((a, b, c), (a, c, d)):
            if len(set(facet)) == 3:
                text += "facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {p}\n" for p in facet) + "endloop\nendfacet\n"
    return write(name, f"solid ball\n{text}endsolid ball\n")


NUMBER = r"(-?[0-9.]+)"


def check_tables(lines):
    """The tables of Ghia, Ghia and Shin within 1.5 % of the lid's speed."""
    with open(table, encoding="utf-8") as text_file:
        tables = text_file.read().split("alongHorizontal")
    columns = ("Velocity X on the vertical line", "Velocity Y on the horizontal line")
    for text, column in zip(tables, columns, strict=True):
        values = re.findall(r"\{" + NUMBER + r", \{" + NUMBER, text)
        assert len(values) == 15
        for at, value in values:
            at, value = float(at), float(value)
            before, after = next(pair for pair in itertools.pairwise(lines) if pair[1]["Position"] >= at)
            part = (at - before["Position"]) / (after["Position"] - before["Position"])
            found = before[column] + part * (after[column] - before[column])
            assert abs(found - value) < 0.015, (column, at, value, found)


# A cavity, and a steady end.
done = run("cavity", "--size", "64", "--reynolds", "100", "--probe", "0.5,0.1", "--vtk", output="cavity")
assert done.returncode == 0 and "steady: the velocity changes by" in done.stdout
assert "relaxation time 0.692" in done.stdout and "Mach number on the lattice 0.173" in done.stdout
lines = rows_of("cavity", "centre_lines.csv")
assert len(lines) == 66
check_tables(lines)
last = rows_of("cavity", "report.csv")[-1]
near = min(lines, key=lambda row: abs(row["Position"] - 0.1))
assert abs(last["Probe 0 Velocity X"] - near["Velocity X on the vertical line"]) < 0.01
names = os.listdir(path("cavity"))
for name in ("flow.icsr.series", "flow.vtpc.series", "step_00000.icsr", "step_00000.vtpc", "step_06400.icsr", "checkpoint"):
    assert name in names, (name, names)

# Cells of half the size at the walls and where velocities change, and larger ones elsewhere.
done = run("cavity", "--size", "32", "--reynolds", "100", "--amr-levels", "2", "--amr-walls", "--vtk", output="levels")
assert done.returncode == 0 and "steady: the velocity changes by" in done.stdout
assert "on 2 levels, the finest of 0.01562; 2440 with fluid" in done.stdout
check_tables(rows_of("levels", "centre_lines.csv"))
assert "step_00000_1" in "".join(os.listdir(path("levels", "step_00000")))  # a grid of each level

# The same in metres and seconds has the same bits.
done = run("cavity", "--size", "16", "--viscosity", "1e-6", "--speed", "0.02", "--cell-size", "1e-3", "--dimension",
           "3", "--max-steps", "64", output="in_si")
assert done.returncode == 0 and "Reynolds number 320 " in done.stdout
assert run("cavity", "--size", "16", "--reynolds", "320", "--dimension", "3", "--max-steps", "64",
           output="in_sides").returncode == 0
for si, sides in zip(rows_of("in_si", "centre_lines.csv"), rows_of("in_sides", "centre_lines.csv"), strict=True):
    assert abs(si["Position"] - 0.016 * sides["Position"]) < 1e-12
    column = "Velocity X on the vertical line"
    assert abs(si[column] - 0.02 * sides[column]) < 1e-12
assert abs(rows_of("in_si", "report.csv")[-1]["Time"] - 64 * 0.1 * 1e-3 / 0.02) < 1e-12

# Streams around a cylinder and a sphere: coarse, and only until the drag is what it is about.
done = run("cylinder", "--channel", "--size", "10", "--reynolds", "20", "--max-steps", "8000", output="channel")
assert done.returncode == 0
rows = rows_of("channel", "report.csv")
assert abs(rows[-1]["Drag Coefficient"] / 5.58 - 1.0) < 0.05, rows[-1]
assert abs(rows[-1]["Drag Coefficient"] - 2.0 * rows[-1]["Drag"]) < 1e-12
assert "Strouhal number: none" in done.stdout
done = run("cylinder", "--size", "6", "--reynolds", "10", "--max-steps", "1500", output="cylinder")
assert done.returncode == 0 and rows_of("cylinder", "report.csv")[-1]["Drag Coefficient"] > 2.0
done = run("sphere", "--size", "6", "--reynolds", "10", "--max-steps", "1200", output="sphere")
assert done.returncode == 0
drag = rows_of("sphere", "report.csv")[-1]["Drag Coefficient"]
assert 4.0 < drag < 6.0, drag  # in an endless stream 4.3

# Pores: a cubic array of spheres with the drag of Zick and Homsy (1982), and a bed of several.
done = run("porous", "--size", "24", "--spheres", "1", "--porosity", "0.784", output="array")
assert done.returncode == 0
radius = 24 * (3.0 * 0.216 / (4.0 * 3.141592653589793)) ** (1.0 / 3.0)
exact = 24**3 / (6.0 * 3.141592653589793 * radius * 7.442)
assert abs(number_after("permeability", done.stdout) / exact - 1.0) < 0.02, exact
beds = [run("porous", "--size", "24", "--spheres", "8", "--porosity", "0.5", "--seed", seed, "--axis", "z",
            "--cell-size", "1e-5", output="bed_" + seed).stdout for seed in ("1", "2")]
permeabilities = [number_after("permeability", told) for told in beds]
assert 0.0 < min(permeabilities) < max(permeabilities) < 1e-9
for told in beds:
    assert abs(number_after("porosity", told) - 0.5) < 0.02
# Between plates it is a twelfth of the square of their distance; summed up over cells a 24th of a cell more.
slit = write_image("slit.vti", (10, 8), lambda x, y: 3)
done = run("porous", "--pores", slit, "--threshold", "2,4", output="slit")
assert abs(number_after("permeability", done.stdout) / (64.0 / 12.0 + 1.0 / 24.0) - 1.0) < 1e-3
# What was written can be read as pores, of the same porosity.
done = run("porous", "--pores", path("bed_1", "step_" + re.search("after ([0-9]+) steps", beds[0])[1].zfill(5) + ".icsr"),
           "--max-steps", "10", output="again")
assert number_after("porosity", done.stdout) == number_after("porosity", beds[0])

# The cells of files.
box = write_box("box.stl")
done = run("file", box, "--size", "8", "--reynolds", "20", "--max-steps", "300", output="file")
assert done.returncode == 0 and "72 x 40 x 40 cells of 0.125" in done.stdout
assert rows_of("file", "report.csv")[-1]["Drag Coefficient"] > 0.0
# With larger cells elsewhere it has much the same drag.
done = run("file", box, "--size", "4", "--reynolds", "20", "--max-steps", "150", "--amr-levels", "2",
           output="file_levels")
assert done.returncode == 0 and "36 x 20 x 20 cells of 0.25, on 2 levels, the finest of 0.125" in done.stdout
drags = [rows_of(of, "report.csv")[-1]["Drag Coefficient"] for of in ("file", "file_levels")]
assert abs(drags[1] / drags[0] - 1.0) < 0.1, drags
# Walls of a surface are where it is: the drag of a ball of triangles is that of the ball.
ball = write_ball("ball.stl", 60)
arguments = ["--size", "6", "--reynolds", "20", "--max-steps", "300"]
done = run("file", ball, *arguments, "--room", "2.5,6.5,2.5", output="ball")
exact = run("sphere", *arguments, output="sphere_6")
drags = [rows_of(name, "report.csv")[-1]["Drag"] for name in ("ball", "sphere_6")]
assert abs(drags[0] / drags[1] - 1.0) < 0.005, drags
# A hollow one: the fluid is in two pieces, and that inside stays at rest.
hollow = write_image("hollow.vti", (8, 8), lambda x, y: int(not (1 < x < 6 and 1 < y < 6)))
done = run("file", hollow, "--size", "8", "--max-steps", "1000", "--probe", "4,4", "--probe", "-4,4", output="hollow")
last = rows_of("hollow", "report.csv")[-1]
assert last["Probe 0 Velocity X"] == 0.0 and last["Probe 1 Velocity X"] > 0.1

# Interrupted, it leaves a checkpoint, and goes on from there to the same bits.
arguments = ["cavity", "--size", "20", "--dimension", "3", "--until-steady", "0", "--probe", "0.5,0.5,0.5"]
process = subprocess.Popen([program, *arguments, "--output", path("parts"), "--max-steps", "1000000000", "--quiet"],
                           stdout=subprocess.PIPE, text=True)
deadline = time.monotonic() + 60.0
while not os.path.isdir(path("parts")) and time.monotonic() < deadline:
    time.sleep(0.05)
time.sleep(0.5)
process.send_signal(signal.SIGINT)
told = process.communicate(timeout=60)[0]
print(told)
assert process.returncode == 0 and "interrupted after" in told
steps = int(told.split("interrupted after ")[1].split()[0])
assert steps > 0
end = str(steps + 50)
assert run(*arguments, "--max-steps", end, "--restart", path("parts", "checkpoint"), output="parts").returncode == 0
assert run(*arguments, "--max-steps", end, output="straight").returncode == 0
for name in ("checkpoint", "report.csv", "centre_lines.csv"):
    assert bytes_of("parts", name) == bytes_of("straight", name), name

# Also of other storage, in files that were written on the way, and with the end where nothing changes any more.
levels = ["--amr-levels", "3", "--amr-buffer", "1", "--amr-vorticity", "0.1", "--amr-remesh-stride", "10"]
for storage, more in (("half", []), ("double", ["--update", "two-populations"]), ("float", levels)):
    arguments = ["cylinder", "--size", "4", "--reynolds", "5", "--storage", storage, "--output-stride", "500",
                 "--until-steady", "2e-2", "--probe", "10,7.5", *more]
    whole = run(*arguments, output="whole_" + storage)
    first = run(*arguments, "--max-steps", "1409", output="two_" + storage)  # after the ramp, within two checks
    there = path("two_" + storage, "checkpoint")
    second = run(*arguments, "--restart", there, output="two_" + storage)
    assert "\nsteady" in whole.stdout and "\nsteady" not in first.stdout and "\nsteady" in second.stdout
    for name in ("checkpoint", "report.csv"):
        assert bytes_of("whole_" + storage, name) == bytes_of("two_" + storage, name), (storage, name)

# What is wrong is one message.
open_box = write_box("open.stl", 11)
other = write("other.txt", "no cells")
small = ["cavity", "--size", "16", "--reynolds", "100"]
for wrong, text in ((["cavity", "--size", "32", "--reynolds", "100000"], "Use the entropic collision"),
                    ([*small, "--lattice-speed", "0.5"], "--lattice-speed"),
                    ([*small, "--viscosity", "1e-6"], "give it, or all of --viscosity, --speed and --cell-size"),
                    ([*small, "--amr-levels", "9"], "--amr-levels"),
                    ([*small, "--collision", "bgk"], "must be one of entropic, regularised"),
                    ([*small, "--probe", "0.5,0.5,0.5"], "a probe has 3 coordinates; in 2D it must have 2"),
                    ([*small, "--probe", "0.5;0.5"], "must be x,y or x,y,z"),
                    ([*small, "--probe", "0.5,1.5"], "probe 0 at (0.5, 1.5) is in an obstacle or outside of the box"),
                    (["cylinder", "--size", "8", "--probe", "8,7.75"], "probe 0 at (8, 7.75) is in an obstacle"),
                    (["cavity", "--size", "1280", "--dimension", "3", "--storage", "double", "--velocities", "all",
                      "--update", "two-populations"], "GB. Use fewer cells"),
                    (["cavity", "--size", "100000"], "less than 2^31 in all"),
                    (["file", box, "--room", "0,6,0"], "the inflow lies in the obstacle"),
                    (["file", open_box], "cannot be used"), (["file", other], "is of no kind that can be read"),
                    (["porous", "--pores", slit, "--axis", "z"], "along x or y, not along z"),
                    (["porous", "--pores", slit, "--threshold", "9,10"], "the obstacle has no cells"),
                    (["porous", "--spheres", "1", "--porosity", "0.45"], "is larger than the bed"),
                    ([*small, "--restart", other], "other.txt"), ([*small, "--restart", path("none")], "none"),
                    ([*small, "--restart", path("cavity", "checkpoint")], "of another run"), ([], "subcommand")):
    done = run(*wrong, *(["--max-steps", "5"] if wrong else []), output="wrong" if wrong else None)
    message = done.stderr.strip()
    assert done.returncode != 0 and text in message, (wrong, message)
    assert len(message.splitlines()) <= 2, message
done = run(*small, "--max-steps", "5", "--output", "/proc/none")
assert done.returncode != 0 and "cannot be made" in done.stderr
assert "Examples:" in run("--help").stdout and "Fluid:" in run("cavity", "--help").stdout
