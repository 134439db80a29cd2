"""Writes a file of samurai's layout: waves around two points on a mesh that is fine where they are steep.

usage: make_samurai.py file.h5
"""

import sys

import numpy
from samurai_files import dump

LOW, HIGH = 4, 8


def waves(points):
    """Rings around two points, in [-1, 1] x [-1, 1]."""
    values = 0.0
    for center, radius in (((-0.35, -0.2), 0.45), ((0.45, 0.4), 0.3)):
        distance = numpy.hypot(*(points - center).T) - radius
        values = values + numpy.exp(-((distance / 0.04) ** 2))
    return values


def points_of(level, cells):
    return (cells + 0.5) / 2**level


def main(path):
    cells = numpy.stack(numpy.meshgrid(*[numpy.arange(-(2**LOW), 2**LOW)] * 2), -1).reshape(-1, 2)
    corners = numpy.array([[0, 0], [1, 0], [0, 1], [1, 1]])
    leaves = {}
    for level in range(LOW, HIGH + 1):
        points = points_of(level, cells)
        around = [waves(points + step) for step in numpy.array(corners * 2 - 1) * 0.75 / 2**level]
        split = numpy.ptp(around, axis=0) > 0.05 if level < HIGH else numpy.zeros(len(cells), bool)
        leaves[level] = cells[~split]
        cells = (2 * cells[split][:, None, :] + corners).reshape(-1, 2)
    dump(path, [leaves], {"u": lambda level, cells: waves(points_of(level, cells))}, time=0.5)


main(sys.argv[1])
