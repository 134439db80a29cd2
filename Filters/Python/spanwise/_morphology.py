"""Dilation, erosion, opening and closing of grids."""

from __future__ import annotations

from collections.abc import Sequence

import numpy
from vtkmodules.vtkCommonDataModel import vtkDataObject

from ._arguments import choice
from ._run import run
from .spanwiseGeometry import vtkSpanwiseMorphology

ELEMENTS = {
    "box": vtkSpanwiseMorphology.BOX,
    "diamond": vtkSpanwiseMorphology.DIAMOND,
    "ball": vtkSpanwiseMorphology.BALL,
    "faces": vtkSpanwiseMorphology.FACES,
    "edges": vtkSpanwiseMorphology.EDGES,
    "vertices": vtkSpanwiseMorphology.VERTICES,
}
UNITS = {"cells": vtkSpanwiseMorphology.IN_CELLS, "length": vtkSpanwiseMorphology.IN_LENGTH}
STEPS = ("faces", "edges", "vertices")


def morph(
    dataset: vtkDataObject, operation: int, radius: float | Sequence[float], element: str, unit: str
) -> vtkDataObject:
    """The set after an operation of vtkSpanwiseMorphology (see Grid.dilate() for the arguments)."""
    morphology = vtkSpanwiseMorphology()
    morphology.SetOperation(operation)
    morphology.SetElement(choice("element", element, ELEMENTS))
    morphology.SetRadiusUnit(choice("unit", unit, UNITS))
    radii = _radii(radius)
    if element == "box":
        morphology.SetRadii(*(radii if len(radii) > 1 else radii * 3), *([0.0] if len(radii) == 2 else []))
    elif len(radii) > 1:
        raise ValueError(f"radius is {radius!r}; only the element 'box' takes one number for each axis")
    elif element in STEPS:
        if unit != "cells" or radii[0] != int(radii[0]):
            raise ValueError(f"radius is {radius!r} in {unit}; the element {element!r} takes a whole number of cells")
        morphology.SetIterations(int(radii[0]))
    else:
        morphology.SetRadius(radii[0])
    return run(morphology, dataset)


def _radii(radius):
    try:
        array = numpy.asarray(radius, dtype=float)
    except (TypeError, ValueError) as error:
        raise TypeError(f"radius is {radius!r}; it must be a number, or one for each axis, x first") from error
    if array.shape not in {(), (2,), (3,)}:
        raise ValueError(f"radius has shape {array.shape}; it must be a number, or one for each axis")
    if not (numpy.isfinite(array).all() and (array >= 0).all()):
        raise ValueError(f"radius is {radius!r}; it must be finite and not negative")
    return array.reshape(-1).tolist()
