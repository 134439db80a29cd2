"""Distances by scipy, beside the benchmarks "ball/Signed distance" of SignedDistance.cpp.

    ./dev exec python3 Benchmarks/SignedDistance.py [--sizes 128 256] [--out FILE]

Seconds of processor time, the median of three rounds of distance_transform_edt() on the cube of N^3 cells around a
ball, inside and outside. scipy has one thread, and measures to the centres of cells instead of their faces. --out
writes them for `python3 Benchmarks/report take`.
"""
import argparse
import json
import pathlib
import statistics
import time

import numpy as np
import scipy
import scipy.ndimage

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--sizes", type=int, nargs="+", default=[128, 256])
parser.add_argument("--out", type=pathlib.Path)
arguments = parser.parse_args()
version = ".".join(scipy.__version__.split(".")[:2])
results = {}
print(f"scipy {version}")
for n in arguments.sizes:
    x, y, z = np.ogrid[:n, :n, :n]
    inside = (x + 0.5 - n / 2) ** 2 + (y + 0.5 - n / 2) ** 2 + (z + 0.5 - n / 2) ** 2 <= (0.4 * n) ** 2
    rounds = []
    for _ in range(3):
        begin = time.process_time()
        for mask in (inside, ~inside):
            scipy.ndimage.distance_transform_edt(mask)
        rounds.append(time.process_time() - begin)
    print(f"{n:4}: {statistics.median(rounds):8.2f} s", flush=True)
    results[f"scipy {version}/{n}"] = {"processor ms": round(1000.0 * statistics.median(rounds))}
if arguments.out:
    arguments.out.write_text(json.dumps({"results": results}), encoding="utf-8")
