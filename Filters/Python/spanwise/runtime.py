"""What Spanwise computes with in this process: execution spaces, threads, device, memory."""

from .spanwiseRuntime import vtkSpanwiseRuntime


def runtime_report() -> str:
    """The runtime's report as lines of text: execution spaces, threads, device, memory in use and bytes moved."""
    return vtkSpanwiseRuntime.GetReport()


def choose_runtime(threads: int = 0, device: int = -1) -> None:
    """Chooses host threads (0: automatic) and the device by index (-1: automatic), before anything was computed."""
    if not (vtkSpanwiseRuntime.SetNumberOfThreads(threads) and vtkSpanwiseRuntime.SetDevice(device)):
        raise RuntimeError("the runtime keeps its settings: see the message above")
