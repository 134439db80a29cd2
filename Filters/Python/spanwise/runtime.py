"""What Spanwise computes with in this process: execution spaces, threads, device, memory."""

from .spanwiseRuntime import vtkSpanwiseRuntime


def runtime_report() -> str:
    """The runtime's report as lines of text: execution spaces, threads, device, memory in use, bytes moved, and which
    filters ran where and why."""
    return vtkSpanwiseRuntime.GetReport()


def choose_runtime(threads: int = 0, device: int = -1) -> None:
    """Chooses host threads (0: automatic) and the device by index (-1: automatic), before anything was computed."""
    if not (vtkSpanwiseRuntime.SetNumberOfThreads(threads) and vtkSpanwiseRuntime.SetDevice(device)):
        raise RuntimeError("the runtime keeps its settings: see the message above")


def compute_on(side: str) -> None:
    """Chooses where filters compute from now on: "automatic", "host" or "device" (without one the host stands in)."""
    sides = {"automatic": 0, "host": 1, "device": 2}
    if side not in sides:
        raise ValueError(f"filters are to compute on {side!r}; it must be one of {', '.join(sides)}")
    vtkSpanwiseRuntime.SetComputeOn(sides[side])
