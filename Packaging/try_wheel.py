"""Uses a wheel as people do who have nothing else.    try_wheel.py WHEEL FOLDER    FOLDER: for virtual environments

The wheel is installed from its file, and what it needs from PyPI. The tests of the Python package run there, and the
code of its page. Beside another VTK there must be one message that says what to do.
"""

import os
import pathlib
import subprocess
import sys
import venv

SOURCE = pathlib.Path(__file__).resolve().parent.parent
TESTS = SOURCE / "Testing" / "Filters" / "Python"
REMEDY = "pip install 'cvista[all]~="

FOREIGN_GRID = """
import spanwise
import numpy
from vtkmodules.vtkCommonDataModel import vtkImageData
assert len(spanwise.from_mask(numpy.ones((2, 3), bool))) == 6
try:
    spanwise.Grid(vtkImageData())
except TypeError as error:
    print(error)
"""


class Environment:
    """A virtual environment with these packages alone."""

    def __init__(self, folder, *packages):
        venv.create(folder, with_pip=True, clear=True)
        self.folder = folder
        self.python = folder / "bin" / "python"
        self.install(*packages)

    def install(self, *packages):
        subprocess.run([self.python, "-m", "pip", "install", "--quiet", *packages], check=True)

    def run(self, *arguments, **variables):
        """Fails if the program does."""
        print("try_wheel:", *(str(a).splitlines()[-1] for a in arguments), flush=True)
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        subprocess.run([self.python, "-P", *arguments], check=True, cwd=self.folder, env={**kept, **variables})

    def message(self, code, **variables):
        """The last line that a program of this code writes, of output and errors."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        done = subprocess.run([self.python, "-c", code], cwd=self.folder, env={**kept, **variables}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode < 0:
            sys.exit(f"{code!r} ended by signal {-done.returncode}:\n{done.stdout}")
        line = done.stdout.strip().splitlines()[-1]
        print("try_wheel: says:", line, flush=True)
        return line


def expect(line, *parts):
    for part in parts:
        if part not in line:
            sys.exit(f"{line!r} does not say {part!r}")


def translated(file, folder):
    """A copy in which VTK's package is that of the wheel."""
    copy = folder / file.name
    copy.write_text(file.read_text(encoding="utf-8").replace("vtkmodules", "cvista"), encoding="utf-8")
    return copy


def use(environment):
    scripts = environment.folder / "scripts"
    scripts.mkdir()
    for page in (SOURCE / "Documentation").glob("*.md"):
        translated(page, scripts)
    for file in TESTS.glob("*.py"):
        translated(file, scripts)
    translated(SOURCE / "Testing" / "Install" / "UsePython.py", scripts)
    translated(SOURCE / "Testing" / "Install" / "loaded_libraries.py", scripts)
    variables = {"PYTHONPATH": str(scripts), "OMP_NUM_THREADS": "2", "VTK_DEFAULT_OPENGL_WINDOW": "vtkEGLRenderWindow"}
    for test in sorted(scripts.glob("Test*.py")):
        if test.name != "TestNotebook.py":
            environment.run(test, SPANWISE_PAGES=str(scripts), **variables)
    for notebook in (SOURCE / "Examples" / "Notebooks").glob("*.ipynb"):
        if "/usr/share" not in notebook.read_text(encoding="utf-8"):  # files of a package of Debian
            environment.run(scripts / "TestNotebook.py", translated(notebook, scripts), "1", **variables)
    environment.run(scripts / "UsePython.py", environment.folder, PYTHONPATH=str(scripts))


def main(wheel, folder):
    folder.mkdir(parents=True, exist_ok=True)
    alone = Environment(folder / "alone", f"{wheel}[pyvista,xarray]", "scipy", "nbclient", "ipykernel")
    use(alone)

    # another minor version of VTK: a package that says that it is
    other = folder / "other" / "cvista"
    other.mkdir(parents=True, exist_ok=True)
    (other / "__init__.py").write_text('__version__ = "9.8.0"\n')
    said = alone.message("import spanwise", PYTHONPATH=str(other.parent))
    expect(said, "ImportError: spanwise was built for VTK 9.7", "but 9.8.0 is installed", REMEDY)

    # without the part of VTK that reads files
    alone.run("-m", "pip", "uninstall", "--quiet", "--yes", "cvista-io")
    expect(alone.message("import spanwise"), "ImportError: spanwise was built for VTK 9.7", "does not load", REMEDY)
    alone.install(wheel)

    # the stock VTK instead, and beside
    stock = Environment(folder / "stock", "--no-deps", wheel)
    stock.install("vtk", "numpy")
    expect(stock.message("import spanwise"), "ImportError: spanwise was built for VTK 9.7", "which is not installed",
           "the package vtk is another VTK", REMEDY)
    stock.install(wheel)
    expect(stock.message(FOREIGN_GRID), "ImageData of the package vtkmodules", "VTK 9.7.0 of the Python package cvista")
    print("try_wheel: all is as it should be")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
