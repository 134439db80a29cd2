"""Writes AMReX plot files, for those who have no AMReX program at hand: values on boxes of cells, on levels.

    levels = [Level(boxes=[((0, 0), (31, 31))]), Level(boxes=[((16, 16), (47, 31))], ratio=2)]
    write_plotfile("plt00000", levels, {"density": lambda x, y: x + y}, time=0.5, low=(0, 0), size=(1, 1))

A plot file is a folder. Its text file `Header` names the fields and lists levels and boxes; `Level_k/Cell_H` says where
in `Level_k/Cell_D_00000` each box lies, as text of one line and the values in binary, x fastest, field by field.
"""

import itertools
import os
from dataclasses import dataclass

import numpy as np

# How values are stored: 64 bits, 11 of them exponent, 52 mantissa, the lowest byte first.
REAL = "((8, (64 11 52 0 1 12 0 1023)),(8, (8 7 6 5 4 3 2 1)))"


@dataclass
class Level:
    """Boxes of cells, by their first and last cells, and how many cells a cell of the level below is along an axis."""

    boxes: list
    ratio: int = 2


def text_of(box):
    """A box of cells as AMReX writes it."""
    low, high = (",".join(str(number) for number in corner) for corner in box)
    return f"(({low}) ({high}) ({','.join('0' for _ in box[0])}))"


def numbers(values):
    return " ".join(repr(float(value)) for value in values)


def centres(box, low, spacing):
    """The places of a box's cells along each axis, as arrays that broadcast to [z, y, x]."""
    axes = [low[d] + (np.arange(box[0][d], box[1][d] + 1) + 0.5) * spacing[d] for d in range(len(low))]
    return list(reversed(np.meshgrid(*reversed(axes), indexing="ij")))


def write_level(folder, boxes, fields, low, spacing):
    os.makedirs(folder, exist_ok=True)
    places, extremes = [], []
    with open(os.path.join(folder, "Cell_D_00000"), "wb") as data:
        for box in boxes:
            places.append(data.tell())
            data.write(f"FAB {REAL}{text_of(box)} {len(fields)}\n".encode())
            values = [np.broadcast_to(field(*centres(box, low, spacing)), [h - l + 1 for l, h in zip(*box)][::-1])
                      for field in fields.values()]
            extremes.append([(array.min(), array.max()) for array in values])
            for array in values:
                data.write(np.ascontiguousarray(array, dtype="<f8").tobytes())
    lines = ["1", "1", str(len(fields)), "0"]
    lines += [f"({len(boxes)} 0", *(text_of(box) for box in boxes), ")", str(len(boxes))]
    lines += [f"FabOnDisk: Cell_D_00000 {place}" for place in places]
    for k in range(2):
        lines += ["", f"{len(boxes)},{len(fields)}"]
        lines += ["".join(f"{float(pair[k])!r}," for pair in of_box) for of_box in extremes]
    with open(os.path.join(folder, "Cell_H"), "w", encoding="ascii") as header:
        header.write("\n".join(lines) + "\n")


def write_plotfile(path, levels, fields, time=0.0, low=(0.0, 0.0, 0.0), size=(1.0, 1.0, 1.0)):
    """Writes levels of boxes with the fields {name: function of the cells' centres} in the box of this size at `low`.
    The boxes of level 0 cover all cells from (0, 0, 0) on."""
    dimension = len(low)
    count = [max(box[1][d] for box in levels[0].boxes) + 1 for d in range(dimension)]
    ratios = list(itertools.accumulate((level.ratio for level in levels[1:]), lambda a, b: a * b, initial=1))
    spacings = [[size[d] / (count[d] * ratio) for d in range(dimension)] for ratio in ratios]
    domains = [text_of((dimension * [0], [ratio * n - 1 for n in count])) for ratio in ratios]
    lines = ["HyperCLaw-V1.1", str(len(fields)), *fields, str(dimension), repr(float(time)), str(len(levels) - 1)]
    lines += [numbers(low), numbers(low[d] + size[d] for d in range(dimension))]
    lines += [" ".join(str(level.ratio) for level in levels[1:]), " ".join(domains)]
    lines += [" ".join("0" for _ in levels), *(numbers(spacing) for spacing in spacings), "0", "0"]
    os.makedirs(path, exist_ok=True)
    for k, (level, spacing) in enumerate(zip(levels, spacings)):
        lines += [f"{k} {len(level.boxes)} {float(time)!r}", "0"]
        for box in level.boxes:
            lines += [
                numbers((low[d] + box[0][d] * spacing[d], low[d] + (box[1][d] + 1) * spacing[d]))
                for d in range(dimension)
            ]
        lines.append(f"Level_{k}/Cell")
        write_level(os.path.join(path, f"Level_{k}"), level.boxes, fields, low, spacing)
    with open(os.path.join(path, "Header"), "w", encoding="ascii") as header:
        header.write("\n".join(lines) + "\n")
