"""Boxes of cells, which arrays of an image's shape cover."""

from __future__ import annotations

import operator
from collections.abc import Sequence

Box = tuple[tuple[int, int], ...]  # (begin, end) along x, y and z


def box_of(dimension: int, shape: Sequence[int] | None, box: Sequence[Sequence[int]] | None, default: Box) -> Box:
    """The box that one of two arguments gives, or neither: the default.

    shape: of an array, x last; its first element is the cell (0, 0, 0).
    box: (begin, end) along x, y and z, in cells.
    """
    if shape is not None and box is not None:
        raise ValueError("shape and box are both given; give one of them")
    if shape is not None:
        return tuple((0, n) for n in reversed(_sizes(dimension, shape)))
    return default if box is None else _pairs(dimension, box)


def shape_of(box: Box) -> tuple[int, ...]:
    """The shape of an array of the cells of a box, x last."""
    return tuple(end - begin for begin, end in reversed(box))


def bounds_of(box: Box, origin: Sequence[float], spacing: Sequence[float]) -> list[float]:
    """The least and greatest x, y and z of a box of cells. In 2D a layer of cells around the plane."""
    sides = [(origin[a] + begin * spacing[a], origin[a] + end * spacing[a]) for a, (begin, end) in enumerate(box)]
    if len(box) == 2:
        sides.append((origin[2] - spacing[2], origin[2] + spacing[2]))
    return [value for side in sides for value in side]


def contains(outer: Box, inner: Box) -> bool:
    """Whether the inner box lies in the outer one."""
    return all(o[0] <= i[0] and i[1] <= o[1] for o, i in zip(outer, inner))


def _sizes(dimension, shape):
    try:
        sizes = tuple(operator.index(n) for n in shape)
    except TypeError as error:
        raise TypeError(f"shape is {shape!r}; it must be whole numbers, x last") from error
    if len(sizes) != dimension or min(sizes) < 0:
        axes = "(y, x)" if dimension == 2 else "(z, y, x)"
        raise ValueError(f"shape is {sizes}; a {dimension}D grid takes {dimension} sizes {axes} that are not negative")
    return sizes


def _pairs(dimension, box):
    try:
        pairs = tuple((operator.index(begin), operator.index(end)) for begin, end in box)
    except (TypeError, ValueError) as error:
        raise TypeError(f"box is {box!r}; it must be pairs of whole numbers (begin, end) along x, y and z") from error
    if len(pairs) != dimension or any(begin > end for begin, end in pairs):
        axes = "x and y" if dimension == 2 else "x, y and z"
        raise ValueError(f"box is {pairs}; a {dimension}D grid takes (begin, end) along {axes}, begin not above end")
    return pairs
