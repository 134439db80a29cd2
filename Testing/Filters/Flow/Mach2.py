"""spanwise-mach2 as people call it: its files, an interruption, going on with the same figures, and what is wrong.

usage: Mach2.py spanwise-mach2 folder
"""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time

program, folder = sys.argv[1:3]
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
SMALL = ["--nx", "50", "--ny", "24", "--radius", "3", "--amr", "--amr-levels", "3", "--record-stride", "4"]


def run(*arguments, base=SMALL):
    done = subprocess.run([program, *base, *arguments], capture_output=True, text=True, timeout=300, check=False)
    print(" ".join(arguments), "->", done.returncode, done.stdout.strip(), done.stderr.strip()[-300:])
    return done


def report_of(name):
    with open(os.path.join(folder, name, "report.csv"), encoding="utf-8") as file:
        return list(csv.DictReader(file))


# The files.
whole = os.path.join(folder, "whole")
done = run("--max-steps", "40", "--output-stride", "20", "--output", whole, "--masks", "--vtk", "--probe", "9", "12.1")
assert done.returncode == 0
names = os.listdir(whole)
for name in ("obstacle_geometry.icsr", "fluid_geometry.icsr", "step_00000.icsr", "step_00040.icsr", "step_00040.vtpc",
             "step_00040_fine_geometry_lvl1.icsr", "step_00040_fine_geometry_lvl2.icsr",
             "step_00040_refine_mask_lvl1.icsr", "step_00040_refine_mask_lvl2.icsr", "checkpoint"):
    assert name in names, (name, names)
with open(os.path.join(whole, "flow.icsr.series"), encoding="utf-8") as file:
    series = json.load(file)["files"]
assert [entry["name"] for entry in series] == ["step_00000.icsr", "step_00020.icsr", "step_00040.icsr"]
rows = report_of("whole")
assert [int(float(row["Steps"])) for row in rows] == list(range(0, 41, 4))
assert abs(float(rows[0]["Probe 0 Pressure"]) - 1.0) < 1e-12 and float(rows[-1]["Drag"]) > 0.0
assert abs(float(rows[-1]["Lift"])) < 1e-12
assert abs(series[2]["time"] - float(rows[-1]["Time"])) < 1e-12

# Interrupted, it leaves a checkpoint, and goes on from there to the same figures.
parts = os.path.join(folder, "parts")
arguments = ["--output-stride", "0", "--output", parts, "--probe", "9", "12.1"]
process = subprocess.Popen([program, *SMALL, *arguments, "--max-steps", "1000000000", "--quiet"],
                           stdout=subprocess.PIPE, text=True)
deadline = time.monotonic() + 60.0
while not os.path.exists(os.path.join(parts, "obstacle_geometry.icsr")) and time.monotonic() < deadline:
    time.sleep(0.05)
time.sleep(0.5)
process.send_signal(signal.SIGINT)
told = process.communicate(timeout=60)[0]
print(told)
assert process.returncode == 0 and "interrupted after" in told
steps = int(told.split("interrupted after ")[1].split()[0])
assert steps > 0
there = os.path.join(parts, "checkpoint")
end = str(steps + 40)
assert run(*arguments, "--max-steps", end, "--restart", there).returncode == 0
straight = os.path.join(folder, "straight")
assert run(*arguments[:3], straight, *arguments[4:], "--max-steps", end).returncode == 0
assert report_of("parts") == report_of("straight")

# What is wrong is one line.
for wrong, text in ((["--nx", "0"], "--nx"), (["--cfl", "1.5"], "the CFL number is 1.5; it must be above 0"),
                    (["--radius", "100", "--nx", "20", "--ny", "10"], "the obstacle fills the box"),
                    (["--probe", "60", "1"], "probe 0 lies at 60 along axis 0"),
                    (["--restart", there, "--mach-inlet", "3"], "of another run"),
                    (["--output", "/proc/none"], "cannot be made")):
    output = [] if "--output" in wrong else ["--output", os.path.join(folder, "wrong")]
    done = run("--max-steps", "5", *output, *wrong, base=[] if "--nx" in wrong else SMALL)
    assert done.returncode != 0 and text in done.stderr, (wrong, done.stderr)
assert "--amr-levels" in run("--help").stdout
