"""Morphology and components of real images beside scipy.ndimage and vtkImage* filters, in one run.

    ./dev exec python3 Benchmarks/Morphology.py [ocean] [brain] [ball]

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

MOST_SECONDS = 1.5


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
    """A line of the table; VTK has no kernel for some."""
    times = [best(work), best(scipy), best(vtk) if vtk else np.nan]
    ratios = [time / times[0] for time in times[1:]]
    print(f"{name:44} {times[0]:10.2f} {times[1]:10.1f} {times[2]:10.1f} {ratios[0]:9.1f} {ratios[1]:8.1f}", flush=True)


def benchmark(name, mask, reach):
    """Components, and unless `reach` is None, morphology by elements that reach so far at most."""
    grid = masks.grid_of(mask)
    arrays = masks.numpy_support.to_arrays(grid)
    print(f"{name}: {' x '.join(map(str, mask.shape[::-1]))}, {grid.GetNumberOfCells()} cells in "
          f"{len(arrays.intervals)} intervals")
    structures = [ndimage.generate_binary_structure(mask.ndim, c) for c in range(1, mask.ndim + 1)]
    row(f"{name}, components by faces", ours(vtkSpanwiseComponents, grid, Connectivity=0),
        lambda: ndimage.label(mask, structures[0]), connectivity_of_vtk(mask))
    if reach is None:
        return
    # VTK's kernel in a box of side n is the ball of radius n / 2, without its border: with n = 3 two axes may change.
    radius = reach + 0.499
    ball = np.sum(np.square(np.indices((2 * reach + 1,) * mask.ndim) - reach), axis=0) <= radius**2
    elements = [
        ("faces", structures[0], None, {"Element": 3}),
        ("edges", structures[1], 3, {"Element": 4}),
        (f"a ball of radius {reach} 1/2", ball, 2 * reach + 1, {"Element": 2, "Radius": radius}),
    ]
    for number, operation in enumerate(("dilate", "erode")):
        call = (ndimage.binary_dilation, ndimage.binary_erosion)[number]
        for text, structure, size, properties in elements:
            row(f"{name}, {operation} by {text}", ours(vtkSpanwiseMorphology, grid, Operation=number, **properties),
                lambda: call(mask, structure), of_vtk(mask, operation, size) if size else None)


print(f"{'milliseconds':44} {'Spanwise':>10} {'scipy':>10} {'VTK':>10} {'of scipy':>9} {'of VTK':>8}")
images = {
    "ocean": lambda: ("ocean", masks.ocean(), 4),
    "brain": lambda: ("brain", masks.brain(), 2),
    "ball": lambda: ("ball with holes", masks.ball_with_holes(512), None),
}
for choice in sys.argv[1:] or images:
    benchmark(*images[choice]())
