"""What Spanwise computes with in this process: execution spaces, threads, device, memory."""

from typing import NamedTuple

from .spanwiseRuntime import vtkSpanwiseRuntime


def runtime_report() -> str:
    """The runtime's report as lines of text: execution spaces, threads, device, memory in use, bytes moved, and which
    filters ran where and why."""
    return vtkSpanwiseRuntime.GetReport()


class DeviceMemory(NamedTuple):
    """Bytes on the device, and between it and the host."""

    held: int  #: that sets, arrays and scratch memory take there now
    most: int  #: the most of it since the start, or since a restart
    to_device: int  #: copied there since the start
    to_host: int  #: copied back


def device_memory(restart: bool = False) -> DeviceMemory:
    """What Spanwise's data takes on the device, and how much was copied; the host's own where it stands in for one.
    With `restart` the most is counted anew afterwards, from what is held then."""
    memory = DeviceMemory(vtkSpanwiseRuntime.GetBytesOnDevice(), vtkSpanwiseRuntime.GetMostBytesOnDevice(),
                          vtkSpanwiseRuntime.GetBytesCopiedToDevice(), vtkSpanwiseRuntime.GetBytesCopiedToHost())
    if restart:
        vtkSpanwiseRuntime.RestartMostBytesOnDevice()
    return memory


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
