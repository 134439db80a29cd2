"""Slow flow through a packed bed of spheres: a picture, and its permeability beside that of Kozeny and Carman.

    pvbatch packed_bed.py FOLDER [CELLS]

What is shown is Examples/States/packed_bed.py, which ParaView loads as a state.
"""
import os
import runpy
import sys

from paraview.simple import *

folder = sys.argv[1] if len(sys.argv) > 1 else "."
cells = int(sys.argv[2]) if len(sys.argv) > 2 else 48
os.makedirs(folder, exist_ok=True)

state = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "States", "packed_bed.py")
state = runpy.run_path(state, init_globals={"cells": cells})
SaveScreenshot(f"{folder}/packed_bed.png", state["layout"], ImageResolution=[1000, 500],
               OverrideColorPalette="WhiteBackground")

flow = state["flow"]
flow.UpdatePipelineInformation()
permeability, time, steady = (flow.FieldData[name].GetRange()[0] for name in ("Permeability", "Flow Time", "Steady"))
porosity = flow.GetDataInformation().GetNumberOfCells() / cells**3
expected = porosity**3 / (180.0 * (1.0 - porosity)**2)  # of spheres of 1 mm
print(f"porosity {porosity:.3f}; permeability {permeability:.4f} mm^2 after {time:.2f} s, "
      f"{expected:.4f} by Kozeny and Carman")
assert steady == 1
assert 0.7 < permeability / expected < 1.3
