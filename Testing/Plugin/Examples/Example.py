"""Runs examples as a user would, and looks at the pictures that they make.

usage: pvpython Example.py folder picture script.py [argument...]
       pvpython Example.py folder --pages picture=page.md...

The code of a page runs in the folder, block by block. The picture, unless it is NONE, must then be in the folder and show
something; where Documentation/Pictures has one of that name, it must be that one.

Pages run in processes of their own, two at a time, which are forked from one that has started ParaView: that takes most
of the time of an example. SPANWISE_EXAMPLE=NAME in the environment runs those whose file has NAME in its name.
"""

import os
import re
import runpy
import sys
import tempfile
import traceback

from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader

PICTURES = os.path.join(os.path.dirname(__file__), "..", "..", "..", "Documentation", "Pictures")
AT_ONCE = 2  # as many processors as the test asks for


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


def run_example(picture, example, arguments=()):
    """Runs a script or the code of a page, and looks at the picture."""
    if picture != "NONE" and os.path.exists(picture):
        os.remove(picture)  # of an earlier run
    if example.endswith(".md"):
        run_page(example)
    else:
        run_script(example, arguments)
    if picture != "NONE":
        look(picture)


def start(picture, page, log):
    """A process that runs a page's code and writes to the log."""
    process = os.fork()
    if process == 0:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
        status = 1
        try:
            run_example(picture, page)
            status = 0
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return process


def run_pages(pages):
    """Runs the code of pages, (picture, page) each; prints what they print, one after the other. Which failed."""
    import paraview.simple  # what all of them begin with

    todo, running, failed = list(pages), {}, []
    while todo or running:
        while todo and len(running) < AT_ONCE:
            picture, page = todo.pop(0)
            log = tempfile.TemporaryFile()
            running[start(picture, page, log)] = page, log
        process, status = os.wait()
        page, log = running.pop(process)
        log.seek(0)
        print(f"== {page}: {'ran' if status == 0 else 'FAILED'}", log.read().decode(), sep="\n", flush=True)
        if status != 0:
            failed.append(page)
    return failed


def main(folder, what, *rest):
    os.makedirs(folder, exist_ok=True)
    if what != "--pages":
        example = os.path.abspath(rest[0])
        os.chdir(folder)
        run_example(what, example, rest[1:])
        return
    wanted = os.environ.get("SPANWISE_EXAMPLE", "")
    pages = [(picture, os.path.abspath(page)) for picture, page in (pair.split("=", 1) for pair in rest)]
    pages = [(picture, page) for picture, page in pages if wanted in os.path.basename(page)]
    os.chdir(folder)
    failed = run_pages(pages)
    print(f"{len(pages)} pages, {len(failed)} failed", *failed, sep="\n")
    assert pages and not failed


PICTURES = os.path.abspath(PICTURES)
main(os.path.abspath(sys.argv[1]), *sys.argv[2:])
