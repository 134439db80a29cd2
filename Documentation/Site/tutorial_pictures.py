"""Makes the pictures of the tutorials: what ParaView's window shows after each step.

usage: ./dev exec python3 Documentation/Site/tutorial_pictures.py FOLDER [NAME...]

A tutorial's page ends with a script. Here the application runs it on a display of its own up to a line, and the
display is copied into FOLDER/NAME.png. Names are those of the table at the end; without any, all are made. Those in
Documentation/Pictures have 200 colours: convert NAME.png -dither None -colors 200 png8:NAME.png (ImageMagick).
"""

import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import time

import numpy
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkIOImage import vtkPNGWriter

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZE = (1280, 800)
PATIENCE = 300  # s for a start of the application
STATUS_BAR = 40  # rows of pixels at the bottom, where the memory of the machine is shown all the time

# Events of ParaView's own tests: a menu is opened and stays so while the picture is taken.
EVENT = '<pqevent object="pqClientMainWindow{}" command="activate" arguments="{}" />'


def page_blocks(page):
    """The Python code of a tutorial's page, block by block."""
    return re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def until(code, line):
    """The code before the line that begins so."""
    lines = code.splitlines(keepends=True)
    places = [k for k, text in enumerate(lines) if text.startswith(line)]
    assert places, f"no line begins with {line!r}"
    return "".join(lines[: places[0]])


def framebuffer(path):
    """The display's picture, [y, x, 3], of the file that Xvfb keeps it in (the format of xwd)."""
    data = path.read_bytes()
    header = struct.unpack(">25I", data[:100])
    length, width, height, bytes_a_line, colours = header[0], header[4], header[5], header[12], header[19]
    pixels = numpy.frombuffer(data, numpy.uint8, offset=length + 12 * colours, count=height * bytes_a_line)
    pixels = pixels.reshape(height, bytes_a_line // 4, 4)[:, :width, 2::-1]
    window = pixels.any(axis=2)  # the rest of the display is black
    height, width = (window.any(axis=k).nonzero()[0].max(initial=STATUS_BAR) + 1 for k in (1, 0))
    return pixels[:height, :width]


def write_png(path, pixels):
    image = vtkImageData(dimensions=(pixels.shape[1], pixels.shape[0], 1))
    flat = numpy.ascontiguousarray(pixels[::-1]).reshape(-1, 3)
    image.GetPointData().SetScalars(numpy_to_vtk(flat, deep=True))
    writer = vtkPNGWriter(file_name=str(path), input_data=image)
    writer.Write()


def session(menu):
    """A session that opens a menu, such as ("Filters", "Spanwise", "Shape"), and waits."""
    events = [EVENT.format("/menubar", f"menu{menu[0]}")] if menu else []
    path = f"/menubar/menu{menu[0]}" if menu else ""
    for entry in menu[1:]:
        events.append(EVENT.format(path, entry))
        path += "/" + entry.replace(" ", "")
    # Between pauses the application does what waits, such as filling the dock.
    events += ['<pqevent object="pqClientMainWindow" command="pause" arguments="1000" />'] * 600
    return "<pqevents>\n" + "\n".join(events) + "\n</pqevents>\n"


def start_display(folder):
    """A display that keeps its picture in a file of the folder: the process and its number."""
    read, write = os.pipe()
    process = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24", "-fbdir", folder,
         "-nolisten", "tcp"], pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as answer:
        return process, int(answer.readline())


def take(folder, name, code, menu=()):
    """Runs the code in the application, opens a menu, and copies the display once it rests."""
    with tempfile.TemporaryDirectory() as temporary:
        work = pathlib.Path(temporary)
        done = work / "done"
        script = work / "step.py"
        script.write_text(f"{code}\nopen({str(done)!r}, 'w').close()\n", encoding="utf-8")
        (work / "session.xml").write_text(session(menu), encoding="utf-8")
        display, number = start_display(temporary)
        application = None
        try:
            environment = dict(os.environ, DISPLAY=f":{number}", HOME=temporary, LIBGL_ALWAYS_SOFTWARE="1")
            application = subprocess.Popen(
                ["paraview", "--dr", f"--script={script}", f"--test-script={work / 'session.xml'}",
                 f"--test-directory={temporary}"],
                cwd=folder, env=environment)
            rest(done, work / "Xvfb_screen0")
            write_png(folder / f"{name}.png", framebuffer(work / "Xvfb_screen0"))
        finally:
            for process in (application, display):
                if process is not None:
                    process.kill()
                    process.wait()


def rest(done, screen):
    """Waits until the script is done and the window is there and has not changed for some seconds."""
    begin = time.time()
    before, since = None, begin
    while time.time() - since < 6:
        assert time.time() - begin < PATIENCE, "the application does not come to rest"
        time.sleep(1)
        now = framebuffer(screen)[:-STATUS_BAR]
        is_there = done.exists() and now.shape[1] > SIZE[0] * 0.8
        if not is_there or before is None or now.shape != before.shape or (now != before).any():
            before, since = now, time.time()


# Name: the page, the line of its last script before which the application stops, what comes then, the menu that opens.
PICTURES = {
    "TutorialSegmentation1": ("Segmentation", "# 2.", "", ()),
    "TutorialSegmentation2": ("Segmentation", "# 3.", "", ()),
    "TutorialSegmentation3": ("Segmentation", "# 3.", "", ("Filters", "Spanwise", "Shape")),
    "TutorialSegmentation4": ("Segmentation", "# 5.", "", ()),
    "TutorialSegmentation5": ("Segmentation", "# 6.", "", ()),
    "TutorialAmrContours1": ("AmrContours", "# 2.", "", ()),
    "TutorialAmrContours2": ("AmrContours", "# 3.", "", ()),
    "TutorialAmrContours3": ("AmrContours", "# 3.", "SetActiveSource(blocks)", ("Filters", "Spanwise", "Levels")),
    "TutorialAmrContours4": ("AmrContours", "# 5.", "", ()),
    "TutorialAmrContours5": ("AmrContours", "# 6.", "", ()),
    "TutorialTravelTimes1": ("TravelTimes", "# 2.", "", ()),
    "TutorialTravelTimes2": ("TravelTimes", "# 3.", "", ()),
    "TutorialTravelTimes3": ("TravelTimes", "# 3.", "", ("Filters", "Spanwise", "Arrival Times")),
    "TutorialTravelTimes4": ("TravelTimes", "# 5.", "", ()),
    "TutorialTravelTimes5": ("TravelTimes", "# 6.", "", ()),
}


def main(folder, names):
    folder = pathlib.Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or PICTURES:
        page, line, more, menu = PICTURES[name]
        *before, script = page_blocks(ROOT / "Documentation" / "Tutorials" / f"{page}.md")
        for number, code in enumerate(before):  # those that make the data
            file = folder / f"{page}-{number}.py"
            file.write_text(code, encoding="utf-8")
            subprocess.run([sys.executable, file], cwd=folder, check=True,
                           env=dict(os.environ, PYTHONPATH=f"{ROOT / 'Examples' / 'Python'}"))
        take(folder, name, f"{until(script, line)}{more}\nRender()\n", menu)


main(sys.argv[1], sys.argv[2:])
