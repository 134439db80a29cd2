"""Distances by scipy, beside the benchmarks "ball/Signed distance" of SignedDistance.cpp.

    ./dev exec python3 Benchmarks/SignedDistance.py [N ...]

Seconds of processor time of the best of two rounds of distance_transform_edt() on the cube of N^3 cells around a ball,
inside and outside. scipy has one thread, and measures to the centres of cells instead of their faces.
"""
import sys
import time

import numpy as np
import scipy
import scipy.ndimage

print(f"scipy {scipy.__version__}")
for n in map(int, sys.argv[1:] or (128, 256)):
    x, y, z = np.ogrid[:n, :n, :n]
    inside = (x + 0.5 - n / 2) ** 2 + (y + 0.5 - n / 2) ** 2 + (z + 0.5 - n / 2) ** 2 <= (0.4 * n) ** 2
    rounds = []
    for _ in range(2):
        begin = time.process_time()
        for mask in (inside, ~inside):
            scipy.ndimage.distance_transform_edt(mask)
        rounds.append(time.process_time() - begin)
    print(f"{n:4}: {min(rounds):8.2f} s", flush=True)
