"""Sphinx's settings for the site; build.py makes what it reads, and runs it."""

import importlib.util
import os
import pathlib

project = "Spanwise"
copyright = "The Spanwise authors"
html_title = "Spanwise"
root_doc = "index"

here = pathlib.Path(__file__).parent
has_notebooks = any(here.glob("../../Examples/Notebooks/*.ipynb"))
extensions = ["myst_nb" if has_notebooks else "myst_parser", "sphinx_copybutton"]
# Notebooks are kept without outputs. Where the package is built they run here, and show what they draw.
nb_execution_mode = "force" if has_notebooks and importlib.util.find_spec("spanwise") else "off"
nb_execution_timeout = 300
os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkEGLRenderWindow")
myst_enable_extensions = ["colon_fence", "html_image"]
myst_heading_anchors = 4
highlight_language = "text"
nitpicky = True

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
copybutton_exclude = ".linenos, .gp"


def short_sidebar(app, page, template, context, doctree):
    """Shows what is below the page's own section only: the whole tree in each page would be most of the site."""
    whole = context.get("toctree")
    if whole is not None:
        context["toctree"] = lambda **options: whole(**{**options, "collapse": True})


def setup(app):
    app.connect("html-page-context", short_sidebar, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
