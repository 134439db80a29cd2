"""Morphology and components of real images beside scipy.ndimage and vtkImage* filters, in one run.

    ./dev bench          (after the programs in C++)

Times are the best of some repetitions, in milliseconds, of what a Python program calls: for us a whole filter with the
dataset that it makes, for scipy and VTK a function or filter on the dense image. Each has the threads that it takes.
"""
import sys
import time
from pathlib import Path

import numpy as np
from scipy import ndimage
from spanwise import vtkSpanwiseComponents, vtkSpanwiseMorphology
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkImagingMorphological import vtkImageConnectivityFilter, vtkImageDilateErode3D

sys.path.insert(0, str(Path(__file__).parent.parent / "Data"))
import masks

MOST_SECONDS = 4.0


def best(work):
    """The least time of some calls, in milliseconds; about MOST_SECONDS altogether."""
    times = []
    while len(times) < 5 and sum(times) < MOST_SECONDS:
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return 1000.0 * min(times)


def image_of(mask):
    image = vtkImageData()
    image.SetDimensions(*mask.shape[::-1], *[1] * (3 - mask.ndim))
    image.GetPointData().SetScalars(numpy_to_vtk(mask.ravel().view(np.uint8), deep=True))
    return image


def updating(algorithm):
    def work():
        algorithm.Modified()
        algorithm.Update()

    return work


def ours(filter_class, grid, **properties):
    algorithm = filter_class()
    algorithm.SetInputData(grid)
    for name, value in properties.items():
        getattr(algorithm, "Set" + name)(value)
    return updating(algorithm)


def of_vtk(mask, operation, size):
    algorithm = vtkImageDilateErode3D()
    algorithm.SetInputData(image_of(mask))
    algorithm.SetDilateValue(1 if operation == "dilate" else 0)
    algorithm.SetErodeValue(0 if operation == "dilate" else 1)
    algorithm.SetKernelSize(*[size] * mask.ndim, *[1] * (3 - mask.ndim))
    return updating(algorithm)


def connectivity_of_vtk(mask):
    algorithm = vtkImageConnectivityFilter()
    algorithm.SetInputData(image_of(mask))
    algorithm.SetScalarRange(1, 1)
    algorithm.SetLabelModeToSizeRank()
    algorithm.SetExtractionModeToAllRegions()
    return updating(algorithm)


def row(name, work, scipy, vtk):
    times = [best(work), best(scipy), best(vtk)]
    ratios = [time / times[0] for time in times[1:]]
    print(f"{name:44} {times[0]:10.2f} {times[1]:10.1f} {times[2]:10.1f} {ratios[0]:9.1f} {ratios[1]:8.1f}", flush=True)


def benchmark(name, mask):
    grid = masks.grid_of(mask)
    arrays = masks.numpy_support.to_arrays(grid)
    print(f"{name}: {' x '.join(map(str, mask.shape[::-1]))}, {grid.GetNumberOfCells()} cells in "
          f"{len(arrays.intervals)} intervals")
    ball = np.sum(np.square(np.indices((9,) * mask.ndim) - 4), axis=0) <= 16
    cross, full = (ndimage.generate_binary_structure(mask.ndim, c) for c in (1, mask.ndim))
    for number, operation in enumerate(("dilate", "erode")):
        call = (ndimage.binary_dilation, ndimage.binary_erosion)[number]
        # VTK's kernel is an ellipsoid in a box of this size: it grows where ours is a ball
        for text, structure, size, properties in (
            ("faces", cross, 3, {"Element": 3}),
            ("ball of radius 4", ball, 9, {"Element": 2, "Radius": 4.0}),
        ):
            row(f"{name}, {operation} by {text}", ours(vtkSpanwiseMorphology, grid, Operation=number, **properties),
                lambda: call(mask, structure), of_vtk(mask, operation, size))
        row(f"{name}, {operation} by a cube", ours(vtkSpanwiseMorphology, grid, Operation=number, Element=5),
            lambda: call(mask, full), of_vtk(mask, operation, 3))
    row(f"{name}, components by faces", ours(vtkSpanwiseComponents, grid, Connectivity=0),
        lambda: ndimage.label(mask, cross), connectivity_of_vtk(mask))


print(f"{'milliseconds':44} {'Spanwise':>10} {'scipy':>10} {'VTK':>10} {'of scipy':>9} {'of VTK':>8}")
benchmark("ocean", masks.ocean())
benchmark("ball with holes", masks.ball_with_holes(512))
