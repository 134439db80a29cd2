"""Runs an example as a user would, and looks at the picture that it makes.

usage: pvpython Example.py folder picture script.py [argument...]
       pvpython Example.py folder picture page.md

The code of a page runs in the folder, block by block. The picture, unless it is NONE, must then be in the folder and show
something; where Documentation/Pictures has one of that name, it must be that one.
"""

import os
import re
import runpy
import sys

from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader

PICTURES = os.path.join(os.path.dirname(__file__), "..", "..", "..", "Documentation", "Pictures")


def pixels(path):
    """A picture as an array [pixels, 3] of bytes, and its size."""
    assert os.path.exists(path), f"there is no {path}"
    reader = vtkPNGReader()
    reader.SetFileName(path)
    reader.Update()
    image = reader.GetOutput()
    return vtk_to_numpy(image.GetPointData().GetScalars())[:, :3].astype(int), image.GetDimensions()[:2]


def look(picture):
    """Checks a picture that an example has made."""
    made, size = pixels(picture)
    different = (abs(made - made[0]).max(axis=1) > 10).mean()
    print(f"{picture}: {size[0]} x {size[1]} pixels, {100 * different:.0f} % of them are not background")
    assert different > 0.02, f"{picture} shows nothing"
    kept = os.path.join(PICTURES, os.path.basename(picture))
    if not os.path.exists(kept):
        return
    shown, kept_size = pixels(kept)
    advice = f"look at {os.path.abspath(picture)}, and copy it to Documentation/Pictures if it is right"
    assert size == kept_size, f"Documentation shows a picture of {kept_size[0]} x {kept_size[1]} pixels: {advice}"
    # Palettes, fonts and drivers differ a little.
    other = (abs(made - shown).max(axis=1) > 40).mean()
    print(f"{100 * other:.2f} % of them are not as in the documentation")
    assert other < 0.003, f"it is not the picture in the documentation: {advice}"


def run_page(page):
    with open(page, encoding="utf-8") as file:
        blocks = re.findall(r"^```python\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
    assert blocks, f"{page} has no Python code"
    for number, code in enumerate(blocks):
        script = os.path.basename(page).replace(".md", f"-{number}.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write(code)
        runpy.run_path(script, run_name="__main__")


def run_script(script, arguments):
    sys.argv = [script, *arguments]
    runpy.run_path(script, run_name="__main__")


PICTURES = os.path.abspath(PICTURES)
folder, picture, example = os.path.abspath(sys.argv[1]), sys.argv[2], os.path.abspath(sys.argv[3])
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
if picture != "NONE" and os.path.exists(picture):
    os.remove(picture)  # of an earlier run
if example.endswith(".md"):
    run_page(example)
else:
    run_script(example, sys.argv[4:])
if picture != "NONE":
    look(picture)
