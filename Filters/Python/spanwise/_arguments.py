"""Checks of arguments that several functions take."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeVar

import numpy
from numpy.typing import ArrayLike

Value = TypeVar("Value")


def choice(name: str, word: object, choices: Mapping[str, Value]) -> Value:
    """What a word stands for. Raises ValueError for one that is not among the choices."""
    if not isinstance(word, str) or word not in choices:
        raise ValueError(f"{name} is {word!r}; it must be one of {', '.join(map(repr, choices))}")
    return choices[word]


def spacing_of(spacing: ArrayLike, dimension: int) -> tuple[float, float, float]:
    """The spacing along x, y and z from one number for all axes, or one for each of them."""
    x, y, z = _triple("spacing", spacing, dimension, missing=1.0)
    for axis, value in zip("xyz", (x, y, z)):
        if not 0 < value < math.inf:
            raise ValueError(f"the spacing along {axis} is {value:g}; it must be positive and finite")
    return x, y, z


def origin_of(origin: ArrayLike, dimension: int) -> tuple[float, float, float]:
    """The origin along x, y and z from one number for all axes, or one for each of them."""
    x, y, z = _triple("origin", origin, dimension, missing=0.0)
    for axis, value in zip("xyz", (x, y, z)):
        if not math.isfinite(value):
            raise ValueError(f"the origin along {axis} is {value:g}; it must be finite")
    return x, y, z


def _triple(name, values, dimension, missing):
    try:
        array = numpy.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} is {values!r}; it must be numbers, in the order x, y, z") from error
    if array.ndim == 0:
        array = numpy.full(dimension, array)
    if array.shape not in {(dimension,), (3,)}:
        raise ValueError(f"{name} has shape {array.shape}; it must be one number or ({dimension},), x first")
    return (*array.tolist(), missing)[:3]
