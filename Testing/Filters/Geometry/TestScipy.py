"""Morphology, components and holes agree with scipy.ndimage on real images at full size.

usage: python3 TestScipy.py folder-of-masks.py ocean|brain
"""
import sys

import numpy as np
from scipy import ndimage
from spanwise import vtkSpanwiseComponents, vtkSpanwiseFillHoles, vtkSpanwiseMorphology
from vtkmodules.util.numpy_support import vtk_to_numpy

sys.path.insert(0, sys.argv[1])
import masks

OPERATIONS = [ndimage.binary_dilation, ndimage.binary_erosion, ndimage.binary_opening, ndimage.binary_closing]


def disk(radius, dimension):
    """The cells of a ball as a structure."""
    axes = np.meshgrid(*[np.arange(-radius, radius + 1)] * dimension, indexing="ij")
    return sum(axis**2 for axis in axes) <= radius**2


def morphed(grid, shape, operation, **properties):
    morphology = vtkSpanwiseMorphology()
    morphology.SetInputData(grid)
    morphology.SetOperation(operation)
    for name, value in properties.items():
        getattr(morphology, "Set" + name)(value)
    morphology.Update()
    return masks.mask_of(morphology.GetOutput(), shape)


def check_morphology(image, widest, radius):
    """Every operation by every kind of element; `widest` iterations of a neighbourhood."""
    image = masks.padded(image, 2 * max(widest, radius) + 1)  # what scipy has outside is what we have
    grid = masks.grid_of(image)
    assert grid.GetNumberOfCells() == image.sum()
    dimension = image.ndim
    for number, operation in enumerate(OPERATIONS):
        for connectivity in range(1, dimension + 1):
            # FACES, EDGES, VERTICES; in 2D the last two are the same
            element = 2 + connectivity if dimension == 3 or connectivity == 1 else 5
            iterations = widest if connectivity == 1 else 1 + number % 2
            structure = ndimage.generate_binary_structure(dimension, connectivity)
            expected = operation(image, structure, iterations=iterations)
            found = morphed(grid, image.shape, number, Element=element, Iterations=iterations)
            assert (found == expected).all(), (operation.__name__, connectivity, iterations)
            assert expected.any() and (expected != image).any()
        expected = operation(image, disk(radius, dimension))
        found = morphed(grid, image.shape, number, Element=2, Radius=radius)
        assert (found == expected).all(), (operation.__name__, radius)
        print(operation.__name__, expected.sum())


def columns(table):
    return {
        name: vtk_to_numpy(table.GetColumnByName(name)) for name in ("Component", "Cells", "Bounds", "Centroid")
    }


def check_components(image, connectivity, measures):
    """Components as scipy's labels, which are numbered from 1; `measures`: bounds and centroids, too."""
    labels, count = ndimage.label(image, ndimage.generate_binary_structure(image.ndim, connectivity))
    components = vtkSpanwiseComponents()
    components.SetInputData(masks.grid_of(image))
    components.SetConnectivity([0, 1, 2][connectivity - 1] if image.ndim == 3 else [0, 2][connectivity - 1])
    components.Update()
    ids = vtk_to_numpy(components.GetOutput().GetCellData().GetArray("ComponentId"))
    ours = labels[image]  # scipy's labels in the order of our cells
    first = np.full(count + 1, -1)
    first[ours[::-1]] = ids[::-1]
    assert (first[ours] == ids).all(), "one of scipy's labels has two of ours"
    table = columns(components.GetOutputDataObject(1))
    assert len(table["Cells"]) == count == ids.max() + 1
    assert (table["Cells"] == np.bincount(ids)).all()
    print(f"{count} components over {connectivity} axes, the largest of {table['Cells'].max()} cells")
    if measures:
        order = np.argsort(first[1:])  # of scipy's labels by our numbers
        boxes = ndimage.find_objects(labels)
        bounds = np.array([[[s.start, s.stop] for s in boxes[k][::-1]] for k in order]).reshape(count, -1)
        assert (table["Bounds"][:, : 2 * image.ndim] == bounds).all()
        centres = np.array(ndimage.center_of_mass(image, labels, order + 1))[:, ::-1] + 0.5
        assert np.abs(table["Centroid"][:, : image.ndim] - centres).max() < 1e-9
    return count


def check_holes(image):
    holes = vtkSpanwiseFillHoles()
    holes.SetInputData(masks.grid_of(image))
    for ours, connectivity in ((0, 1), (2, image.ndim)):
        holes.SetConnectivity(ours)
        holes.Update()
        expected = ndimage.binary_fill_holes(image, ndimage.generate_binary_structure(image.ndim, connectivity))
        assert (masks.mask_of(holes.GetOutput(), image.shape) == expected).all()
        print(f"{expected.sum() - image.sum()} cells filled")


if sys.argv[2] == "ocean":
    ocean = masks.ocean()
    assert ocean.shape == (2880, 5760)
    check_morphology(ocean, widest=1, radius=2)
    coarse = ocean[::2, ::2]  # scipy takes a second an iteration
    check_morphology(coarse, widest=3, radius=3)
    assert check_components(ocean, 1, measures=True) > check_components(ocean, 2, measures=False) > 10
    check_holes(~coarse)  # islands have lakes
else:
    brain = masks.brain()
    assert brain.shape == (181, 217, 181)
    check_morphology(brain, widest=1, radius=1)
    check_morphology(brain[20:100, 40:160, 30:150], widest=2, radius=2)
    assert check_components(brain, 1, measures=True) >= check_components(brain, 2, measures=False)
    check_components(~brain, 3, measures=True)
    check_holes(brain)
