"""Signed distances and arrival times on grids. A module of its own, since a build may leave the solvers out."""

from __future__ import annotations

import math
from numbers import Real

import numpy
from numpy.typing import ArrayLike
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkDataObject, vtkPolyData, vtkUnstructuredGrid

from ._arguments import choice
from ._arrays import add_field, shared, to_vtk
from ._run import run
from .spanwiseEikonal import vtkSpanwiseEikonalArrivalTime, vtkSpanwiseSignedDistanceToSet

PLACES = {
    "cells": vtkSpanwiseSignedDistanceToSet.CELLS_OF_SET,
    "band": vtkSpanwiseSignedDistanceToSet.BAND,
    "box": vtkSpanwiseSignedDistanceToSet.BOX,
}
ORDERS = {1: vtkSpanwiseEikonalArrivalTime.FIRST, 2: vtkSpanwiseEikonalArrivalTime.SECOND}
# Names of arrays while times are computed.
SPEED = "speed of arrival_times()"
START = "start_times of arrival_times()"


def signed_distance(
    dataset: vtkUnstructuredGrid, where: str | vtkUnstructuredGrid, margin: float, width: float, memory_limit: int
) -> vtkDataObject:
    """See Grid.signed_distance()."""
    distance = vtkSpanwiseSignedDistanceToSet()
    distance.SetMargin(margin)
    distance.SetWidth(width)
    distance.SetMemoryLimit(memory_limit)
    if isinstance(where, vtkUnstructuredGrid):
        distance.SetWhere(vtkSpanwiseSignedDistanceToSet.CELLS_OF_SECOND_INPUT)
        return run(distance, dataset, second=where)
    distance.SetWhere(choice("where", where, PLACES))
    return run(distance, dataset)


def arrival_times(
    dataset: vtkUnstructuredGrid,
    sources: vtkUnstructuredGrid | ArrayLike,
    speed: float | str | ArrayLike,
    start_times: ArrayLike | None,
    order: int,
    stop_time: float,
) -> vtkDataObject:
    """See Grid.arrival_times()."""
    if order not in ORDERS:
        raise ValueError(f"order is {order!r}; it must be 1 or 2")
    if math.isnan(stop_time):
        raise ValueError("stop_time is nan; it must be a time, or infinity")
    arrival = vtkSpanwiseEikonalArrivalTime()
    arrival.SetOrder(ORDERS[order])
    arrival.SetStopTime(stop_time)
    if isinstance(sources, vtkUnstructuredGrid):
        arrival.SetSources(vtkSpanwiseEikonalArrivalTime.CELLS)
        starts, attributes = shared(sources), vtkDataObject.CELL
    else:
        arrival.SetSources(vtkSpanwiseEikonalArrivalTime.POINTS)
        starts, attributes = _points(sources, dataset.GetBounds()[4]), vtkDataObject.POINT
    if start_times is not None:
        count = starts.GetNumberOfElements(attributes)
        add_field(starts.GetAttributes(attributes), START, start_times, count, "start_times")
        arrival.SetSourceTimes(START)
    output = run(arrival, _with_speed(arrival, dataset, speed), second=starts)
    output.GetCellData().RemoveArray(SPEED)
    return output


def _with_speed(arrival, dataset, speed):
    """Says how fast fronts travel, and returns the grid with what arrays that takes."""
    if isinstance(speed, Real):
        arrival.SetSpeed(float(speed))
        return dataset
    name = SPEED
    if isinstance(speed, str):
        name = speed
        if not dataset.GetCellData().HasArray(name):
            raise ValueError(f"speed is {speed!r}; the grid has no field of that name")
    else:
        dataset = shared(dataset)
        add_field(dataset.GetCellData(), name, speed, dataset.GetNumberOfCells(), "speed")
    arrival.ZeroSpeedIsWallOn()
    arrival.SetSpeedKind(vtkSpanwiseEikonalArrivalTime.SPEED_ARRAY)
    arrival.SetInputArrayToProcess(1, 0, 0, vtkDataObject.FIELD_ASSOCIATION_CELLS, name)
    return dataset


def _points(sources, plane):
    """Points in space; those of 2D lie in the plane."""
    try:
        array = numpy.atleast_2d(numpy.asarray(sources, dtype=float))
    except (TypeError, ValueError) as error:
        raise TypeError(f"sources is {sources!r}; it must be a Grid or points") from error
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        raise ValueError(f"sources has shape {array.shape}; points must be (n, 2) or (n, 3), x first")
    if array.shape[1] == 2:
        array = numpy.column_stack([array, numpy.full(len(array), plane)])
    points = vtkPoints()
    points.SetData(to_vtk(array, copy=True))  # which the times remember
    data = vtkPolyData()
    data.SetPoints(points)
    return data
