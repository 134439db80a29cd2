"""Times of a filter, until the device has done all, its memory, and copies that the driver makes by itself."""

import ctypes
import statistics
import time

import numpy as np
import spanwise


class Driver:
    """CUDA's driver, in the context that Kokkos made; without one there is nothing to wait for."""

    def __init__(self):
        try:
            self.library = ctypes.CDLL("libcuda.so.1")
        except OSError:
            self.library = None

    def wait(self):
        if self.library:
            self.library.cuCtxSynchronize()

    def seconds_of_copies(self, values):
        """Seconds in which the driver copies an array of numpy to the device, and to new memory; None without one."""
        address = ctypes.c_uint64()
        size = ctypes.c_size_t(values.nbytes)
        if not self.library or self.library.cuMemAlloc_v2(ctypes.byref(address), size):
            return None
        begin = time.perf_counter()
        self.library.cuMemcpyHtoD_v2(address, ctypes.c_void_p(values.ctypes.data), size)
        self.wait()
        to_device = time.perf_counter() - begin
        new = np.empty_like(values)
        begin = time.perf_counter()
        self.library.cuMemcpyDtoH_v2(ctypes.c_void_p(new.ctypes.data), address, size)
        to_host = time.perf_counter() - begin
        self.library.cuMemFree_v2(address)
        return to_device, to_host


driver = Driver()


def median_ms(work, repeats, most_seconds):
    """The median of some calls after a first one, in milliseconds; fewer where they take more than so many seconds."""
    times = []
    while len(times) < 2 or (len(times) <= repeats and sum(times[1:]) < most_seconds):
        begin = time.perf_counter()
        work()
        driver.wait()
        times.append(time.perf_counter() - begin)
    return 1e3 * statistics.median(times[1:])


def memory_of(work):
    """What one more call takes of the device's memory at most, above what lies there before, and copies, in MB."""
    before = spanwise.device_memory(restart=True)
    work()
    after = spanwise.device_memory()
    return {"memory MB": 1e-6 * (after.most - before.held), "to device MB": 1e-6 * (after.to_device - before.to_device),
            "to host MB": 1e-6 * (after.to_host - before.to_host)}


def updating(last, first=None):
    """A call that runs filters from `first` to `last`, by default the last alone."""

    def work():
        (first or last).Modified()
        last.Update()

    return work
