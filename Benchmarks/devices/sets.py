"""Filters of sets and of fields, on a ball."""

import time

import numpy as np
import spanwise
from scene import make, with_cell_array
from timing import driver, updating

Algebra, Morphology = spanwise.vtkSpanwiseSetAlgebra, spanwise.vtkSpanwiseMorphology
Stencil, Refine = spanwise.vtkSpanwiseFieldStencil, spanwise.vtkSpanwiseRefineIntervals
Adapt, Region = spanwise.vtkSpanwiseAdaptiveRefinement, spanwise.vtkSpanwiseExtractRegion


def radius_of(cells):
    return (0.75 * cells / np.pi) ** (1 / 3)


def ball(radius, centre=0.0):
    return make("IntervalShape", Shape=spanwise.vtkSpanwiseIntervalShape.BALL, Spacing=(1.0, 1.0, 1.0),
                Origin=(0.0, 0.0, 0.0), Center=(centre, 0.0, 0.0), Radius=radius)


def rows_of_sets(cells):
    """Two balls that overlap, without arrays: (name, filter) of each row."""
    one = ball(radius_of(cells))
    other = ball(radius_of(cells), round(radius_of(cells) / 2))
    difference = make("SetAlgebra", one, other, Operation=Algebra.SYMMETRIC_DIFFERENCE)
    yield "union of sets", make("SetAlgebra", one, other, Operation=Algebra.UNION)
    yield "symmetric difference of sets", difference
    yield "dilation by a box of radius 2", make("Morphology", one, Element=Morphology.BOX, Radii=(2.0, 2.0, 2.0))
    yield "dilation by a ball of radius 3", make("Morphology", one, Element=Morphology.BALL, Radius=3.0)
    yield "components", make("Components", difference)
    yield "filled holes", make("FillHoles", one)


def rows_of_fields(cells):
    """A wave along the numbers of cells, by which a threshold makes many intervals. It lies where the filters run, but
    in the row that says otherwise."""
    radius = radius_of(cells)
    one, other = ball(radius), ball(radius, round(radius / 2))
    on_host = with_cell_array(one, "v", lambda number: np.sin(0.05 * number))
    there = make("Morphology", on_host, Operation=Morphology.ERODE, Element=Morphology.FACES, Iterations=1)
    half = make("ExtractRegion", there, Region=Region.SPHERE, Radius=radius / 2)
    grown = make("Morphology", there, Element=Morphology.FACES, Iterations=1)
    remapped = make("RemapField", grown)
    remapped.SetSourceConnection(there.GetOutputPort())
    yield "union with a field", make("SetAlgebra", there, other, Operation=Algebra.UNION)
    yield "dilation with a field", grown
    yield "remapped field", remapped
    yield "threshold", make("ThresholdToIntervals", there, cells="v", LowerThreshold=0.0)
    yield "Laplacian", make("FieldStencil", there, cells="v", Stencil=Stencil.LAPLACIAN)
    yield "gradient", make("FieldStencil", there, cells="v", Stencil=Stencil.GRADIENT)
    yield "ten Jacobi steps", make("FieldStencil", there, cells="v", Stencil=Stencil.JACOBI_SMOOTHING, Iterations=10)
    yield "coarser cells with means", make("CoarsenIntervals", there, Levels=1)
    yield "finer cells, linear", make("RefineIntervals", half, Levels=1, Prolongation=Refine.LINEAR)
    sensor = {"cells": "v", "Sensor": Adapt.THRESHOLD, "UpperThreshold": 2.0}
    yield "adaptive refinement", make("AdaptiveRefinement", half, Direction=Adapt.REFINE, LowerThreshold=0.9,
                                      NumberOfLevels=2, BufferCells=1, **sensor)
    yield "adaptive coarsening, three levels", make("AdaptiveRefinement", there, Direction=Adapt.COARSEN,
                                                    LowerThreshold=0.99, NumberOfLevels=3, **sensor)
    yield "threshold of a field on the host", make("ThresholdToIntervals", on_host, cells="v", LowerThreshold=0.0)
    yield "eight filters in a row", chain(there, other, radius)


def chain(there, other, radius):
    """(first, last) of eight filters, each of the output of the one before."""
    dilated = make("Morphology", there, Element=Morphology.FACES, Iterations=1)
    united = make("SetAlgebra", dilated, other, Operation=Algebra.UNION)
    filled = make("FillHoles", united)
    smoothed = make("FieldStencil", filled, cells="v", Stencil=Stencil.JACOBI_SMOOTHING, Iterations=3,
                    ResultArrayName="w")
    chosen = make("ThresholdToIntervals", smoothed, cells="w", LowerThreshold=-0.5)
    largest = make("Components", chosen, Keep=spanwise.vtkSpanwiseComponents.LARGEST)
    region = make("ExtractRegion", largest, Region=Region.SPHERE, Radius=radius / 2)
    return dilated, make("RefineIntervals", region, Levels=1)


def works(rows):
    """(name, call) of each row; what a filter reads is made before the call."""
    for name, row in rows:
        first, last = row if isinstance(row, tuple) else (row, row)
        for port in range(first.GetNumberOfInputPorts()):
            for k in range(first.GetNumberOfInputConnections(port)):
                first.GetInputConnection(port, k).GetProducer().Update()
        yield name, updating(last, first)


def seconds_of_copies(values):
    """Seconds in which an array of cells comes to the device, and in which a result comes to memory that is new."""
    radius = radius_of(1.002 * len(values))
    on_host = with_cell_array(ball(radius), "v", lambda number: np.resize(values, len(number)))
    there = make("Morphology", on_host, Operation=Morphology.ERODE, Element=Morphology.FACES, Iterations=1)
    there.Update()
    seconds = []
    for source in (on_host, there):
        few = make("ExtractRegion", source, Region=Region.SPHERE, Radius=2.0)
        few.Update()
        few.Modified()
        begin = time.perf_counter()
        few.Update()
        driver.wait()
        seconds.append(time.perf_counter() - begin)
    array = there.GetOutputDataObject(0).GetCellData().GetArray("v")
    begin = time.perf_counter()
    array.GetTuple1(0)
    to_host = time.perf_counter() - begin
    return seconds[0] - seconds[1], to_host
