"""Makes the site: pages, gallery and reference in one place, with search.

usage: build.py FOLDER    the site is FOLDER/site; other folders in it are what it is made of

Needs doxygen, Sphinx, MyST, furo and sphinx-copybutton; myst-nb where there are notebooks. Warnings are errors.
"""

import importlib.util
import pathlib
import shutil
import subprocess
import sys

import cpp_reference
import gallery
import pages
import python_reference

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def check_programs():
    """Says in one message what is missing."""
    modules = {"sphinx": "Sphinx", "myst_parser": "myst-parser", "furo": "furo",
               "sphinx_copybutton": "sphinx-copybutton"}
    if any(ROOT.glob("Examples/Notebooks/*.ipynb")):
        modules["myst_nb"] = "myst-nb"
    missing = [name for module, name in modules.items() if importlib.util.find_spec(module) is None]
    missing += ["doxygen"] if shutil.which("doxygen") is None else []
    if missing:
        sys.exit(f"the site needs {', '.join(missing)}: please install what is missing, or take the isolated tree by "
                 "SPANWISE_ENVIRONMENT=tree ./dev docs")


def run_doxygen(folder):
    """Reads the headers; gives the folder of the XML."""
    inputs = " ".join(f'"{ROOT / name}"' for name in ("Core", "Filters", "Readers"))
    settings = (HERE / "Doxyfile").read_text(encoding="utf-8")
    settings += f'INPUT = {inputs}\nOUTPUT_DIRECTORY = "{folder}"\nSTRIP_FROM_PATH = "{ROOT}"\n'
    subprocess.run(["doxygen", "-"], input=settings, text=True, check=True)
    return folder / "xml"


def main(folder):
    check_programs()
    folder.mkdir(parents=True, exist_ok=True)
    sources, site = folder / "source", folder / "site"
    for old in (sources, site, folder / "xml"):
        shutil.rmtree(old, ignore_errors=True)
    sources.mkdir()
    doxygen = cpp_reference.Doxygen(run_doxygen(folder))
    headers = cpp_reference.core_pages(doxygen, ROOT, sources) | cpp_reference.vtk_pages(doxygen, ROOT, sources)
    cpp_reference.link_references(doxygen, headers, sources)
    python_reference.python_page(ROOT, sources)
    all_pages = pages.Site(ROOT, sources, headers)
    all_pages.copy_pages()
    gallery.write_gallery(all_pages)
    all_pages.add_sources()
    all_pages.add_sidebar()
    return subprocess.run([sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going", "-E",
                           "-c", HERE, "-d", folder / "doctrees", sources, site]).returncode


sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
