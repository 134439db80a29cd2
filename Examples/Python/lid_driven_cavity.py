"""Fluid under a moving lid until it is steady: a picture, and how far it is from published velocities.

    pvbatch lid_driven_cavity.py FOLDER [CELLS]

What is shown is Examples/States/lid_driven_cavity.py, which ParaView loads as a state.
"""
import os
import runpy
import sys

import numpy
from paraview.simple import *
from vtkmodules.util.numpy_support import vtk_to_numpy

folder = sys.argv[1] if len(sys.argv) > 1 else "."
cells = int(sys.argv[2]) if len(sys.argv) > 2 else 128
os.makedirs(folder, exist_ok=True)

state = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "States", "lid_driven_cavity.py")
state = runpy.run_path(state, init_globals={"cells": cells})

SaveScreenshot(f"{folder}/lid_driven_cavity.png", state["layout"], ImageResolution=[1000, 500],
               OverrideColorPalette="WhiteBackground")

differences = []
for name, axis, component in (("u over y", 1, 0), ("v over x", 0, 1)):
    line = servermanager.Fetch(state["lines_through_centre"][name])
    places = vtk_to_numpy(line.GetPoints().GetData())[:, axis]
    velocities = vtk_to_numpy(line.GetPointData().GetArray("Velocity"))[:, component]
    table = numpy.array(state["TABLES"][name])
    differences += list(numpy.abs(numpy.interp(table[:, 0], places, velocities) - table[:, 1]))
worst = numpy.max(differences)
flow = state["flow"]
flow.UpdatePipelineInformation()
time, steady = (flow.FieldData[name].GetRange()[0] for name in ("Flow Time", "Steady"))
print(f"steady at time {time:.0f}; velocities differ from the tables by at most {100 * worst:.1f} % of the lid's speed")
assert steady == 1
assert worst < 0.02
