"""What Help > Spanwise Examples opens runs without any file, within seconds, and shows something.

usage: pvpython Application.py folder script.py...
"""

import ast
import os
import re
import runpy
import sys
import time

from paraview import simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader

LONGEST = 100  # seconds: ten times of what one takes, for machines that do something else too


def titles_of(scripts):
    """What the menu calls the scripts: the first lines of their documentation, which has more for tool tips."""
    for script in scripts:
        with open(script, encoding="utf-8") as file:
            title, _, text = ast.get_docstring(ast.parse(file.read())).partition("\n\n")
        assert re.fullmatch(r"[^\n]{5,50}", title) and text, f"{script} has no title and text, as the menu shows them"
        yield title


def share_shown(picture):
    """The share of a picture that is not background."""
    reader = vtkPNGReader()
    reader.SetFileName(picture)
    reader.Update()
    pixels = vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars())[:, :3].astype(int)
    return (abs(pixels - pixels[0]).max(axis=1) > 10).mean()


def run(script):
    begin = time.monotonic()
    runpy.run_path(script, run_name="__main__")
    picture = f"{os.path.basename(script)[:-3]}.png"
    simple.SaveScreenshot(picture, simple.GetActiveView(), ImageResolution=[600, 400])
    seconds = time.monotonic() - begin
    sources = simple.GetSources()
    names = [name for name, _ in sources]
    assert len(names) == len(set(names)) and simple.GetActiveSource() is not None, names
    assert not any("FileName" in source.ListProperties() for source in sources.values()), f"{script} reads a file"
    shown = share_shown(picture)
    print(f"{picture}: {seconds:.1f} s, {100 * shown:.0f} % are not background, {', '.join(names)}")
    assert shown > 0.02, f"{picture} shows nothing"
    assert seconds < LONGEST, seconds


folder, scripts = os.path.abspath(sys.argv[1]), [os.path.abspath(script) for script in sys.argv[2:]]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
titles = list(titles_of(scripts))
assert len(set(titles)) == len(scripts) > 4, titles
failed = []
for script in scripts:
    process = os.fork()  # each in a session of its own
    if process == 0:
        run(script)
        sys.stdout.flush()
        os._exit(0)
    if os.waitpid(process, 0)[1] != 0:
        failed.append(script)
assert not failed, failed
