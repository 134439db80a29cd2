"""Spanwise in Python: the VTK classes of the suite, in pvpython and in a plain python3 with VTK."""

import importlib
import pkgutil

for _module in pkgutil.iter_modules(__path__):
    if not _module.name.startswith("_") and not _module.name.startswith("tests"):
        _loaded = importlib.import_module("." + _module.name, __name__)
        globals().update(
            {name: value for name, value in vars(_loaded).items() if name.startswith("vtkSpanwise")}
        )

from .runtime import choose_runtime, runtime_report  # noqa: E402
