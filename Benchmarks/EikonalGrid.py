"""Arrival times on grids by scikit-fmm, beside the benchmarks "cube/Grid times" of EikonalGrid.cpp.

    ./dev exec python3 Benchmarks/EikonalGrid.py [N ...]

Times are the best of some calls of travel_time() on (N + 1)^3 nodes with speed 1, in milliseconds, from one node in the
middle. scikit-fmm has one thread. It is not packaged in Debian: put it on PYTHONPATH.
"""
import sys
import time

import numpy as np
import skfmm

MOST_SECONDS = 3.0


def best(work):
    """The least time of some calls, in milliseconds."""
    times = []
    while len(times) < 10 and sum(times) < MOST_SECONDS:
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return 1000.0 * min(times)


print(f"scikit-fmm {skfmm.__version__}")
for n in map(int, sys.argv[1:] or (50, 75, 100, 150)):
    phi = np.ones((n + 1,) * 3)
    phi[n // 2, n // 2, n // 2] = -1.0
    speed = np.ones_like(phi)
    for order in (1, 2):
        milliseconds = best(lambda: skfmm.travel_time(phi, speed, dx=1.0 / n, order=order))
        print(f"{n:4} order {order}: {milliseconds:8.1f} ms", flush=True)
