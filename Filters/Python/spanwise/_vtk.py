"""The VTK that this package works with: checked once, before anything is loaded."""

from __future__ import annotations

import importlib
import importlib.util

from ._built_for import PACKAGE, REMEDY, VERSION

NEEDED = f"spanwise was built for VTK {VERSION} of the Python package {PACKAGE}"


def require() -> None:
    """Raises ImportError with one message unless the VTK is there that the package was built for: a minor version."""
    try:
        installed = importlib.import_module(PACKAGE).__version__
    except ModuleNotFoundError:
        has = "; the package vtk is another VTK" if importlib.util.find_spec("vtk") else ""
        raise ImportError(f"{NEEDED}, which is not installed{has}: {REMEDY}") from None
    if installed.split(".")[:2] != VERSION.split(".")[:2]:
        raise ImportError(f"{NEEDED}, but {installed} is installed: {REMEDY}")


def load(module: str, package: str):
    """A compiled module. Raises ImportError with one message where libraries are missing that VTK should have."""
    try:
        return importlib.import_module(f".{module}", package)
    except ImportError as error:
        raise ImportError(f"{NEEDED}; {module} does not load with the installed one ({error}): {REMEDY}") from None


def type_name(value: object) -> str:
    """What to call the type of a value in messages: with its package, where that is another VTK."""
    name = type(value).__name__
    for base in type(value).__mro__:
        if base.__name__.startswith("vtk"):
            package = base.__module__.split(".")[0]
            return name if package in (PACKAGE, __package__) else f"{name} of the package {package} ({NEEDED})"
    return name
