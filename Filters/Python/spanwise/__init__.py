"""Spanwise in Python: sparse sets of cells from numpy arrays, and the VTK classes of the suite.

For pvpython, and for a plain python3 with VTK.

    import numpy as np
    import spanwise

    mask = np.random.default_rng(1).random((200, 300)) > 0.6    # [y, x]
    grid = spanwise.from_mask(mask, spacing=(0.5, 0.25))         # x, y
    solid = grid.closing(1) - grid
    spanwise.write("solid.icsr", solid)

NUMPY ARRAYS HAVE X LAST, [y, x] OR [z, y, x]. SPACINGS, ORIGINS, BOXES AND POINTS HAVE X FIRST, AS IN VTK.
"""

import pkgutil
from typing import TYPE_CHECKING

from . import _vtk

__all__ = [
    "Components",
    "Grid",
    "choose_runtime",
    "compute_on",
    "device_memory",
    "from_labels",
    "from_mask",
    "from_points",
    "from_xarray",
    "numpy_support",
    "read",
    "runtime_report",
    "to_dense",
    "to_mask",
    "write",
]

_vtk.require()
for _module in pkgutil.iter_modules(__path__):
    if _module.name.startswith("spanwise"):
        _loaded = _vtk.load(_module.name, __name__)
        _classes = {name: value for name, value in vars(_loaded).items() if name.startswith("vtkSpanwise")}
        for _name, _class in _classes.items():
            # VTK gives an object of a class that Python has not seen the class above it, and keeps to that.
            if getattr(_class, "__name__", _name) != _name:
                raise ImportError(
                    f"VTK has given Python an object of {_name} before this package was imported, and treats it as a "
                    f"{_class.__name__} until the process ends: start again and import spanwise first"
                )
        globals().update(_classes)
        __all__ += [name for name in _classes if name not in __all__]

from . import numpy_support  # noqa: E402
from ._components import Components  # noqa: E402
from ._xarray import from_xarray  # noqa: E402
from .files import read, write  # noqa: E402
from .grid import Grid  # noqa: E402
from .masks import from_labels, from_mask, to_dense, to_mask  # noqa: E402
from .points import from_points  # noqa: E402
from .runtime import choose_runtime, compute_on, device_memory, runtime_report  # noqa: E402

if TYPE_CHECKING:
    from typing import Any

    def __getattr__(name: str) -> Any:
        """The classes vtkSpanwise..., for type checkers, which do not see the loop."""
