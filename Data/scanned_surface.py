#!/usr/bin/env pvpython
"""The surface of a human brain, scanned by magnetic resonance, as a closed triangle mesh.

    pvpython scanned_surface.py OUT.vtp

The source is the volume ch2better of MRIcron, as Debian's package mricron-data carries it: 301 x 370 x 316 voxels of
0.5 mm, the brain alone, with everything around it set to 0. It shows one person, the mean of 27 scans (Holmes et al.,
1998, J. Comput. Assist. Tomogr. 22(2), 324-333). The surface has about two million triangles, in a stereotaxic frame in
millimetres: x to the right, y to the front, z up. About ten of them have no area, where the contour passes a voxel's
centre closer than a float tells apart; every edge still belongs to exactly two triangles.
"""
import argparse
import sys
from pathlib import Path

from vtkmodules.vtkCommonTransforms import vtkMatrixToLinearTransform
from vtkmodules.vtkFiltersCore import (
    vtkCleanPolyData,
    vtkFeatureEdges,
    vtkFlyingEdges3D,
    vtkPolyDataConnectivityFilter,
)
from vtkmodules.vtkFiltersGeneral import vtkTransformPolyDataFilter
from vtkmodules.vtkImagingCore import vtkImageCast, vtkImageConstantPad
from vtkmodules.vtkImagingGeneral import vtkImageGaussianSmooth
from vtkmodules.vtkIOImage import vtkNIFTIImageReader
from vtkmodules.vtkIOXML import vtkXMLPolyDataWriter

PACKAGE = "mricron-data"
VOLUME = Path("/usr/share/mricron/templates/ch2better.nii.gz")

# About half the intensity of the cortex, so that the contour lies where a voxel is half brain and half background.
CONTOUR = 45

# Standard deviation in voxels: just enough to take the steps of the mask off the surface.
SMOOTHING = 1

# Layers of background added on each side: the smoothing reaches three voxels, and the contour needs one beyond it.
PADDING = 4

SMALLEST = 100_000


class SurfaceError(RuntimeError):
    """The surface cannot be made, or is not what it should be."""


def read_volume(path):
    """Reads a NIfTI volume.

    Returns (vtkImageData in mm from the first voxel, 4 x 4 matrix from there to the stereotaxic frame).
    """
    if not Path(path).exists():
        raise SurfaceError(f"{path} is missing; please install the Debian package {PACKAGE}")
    reader = vtkNIFTIImageReader()
    reader.SetFileName(str(path))
    reader.Update()
    if reader.GetErrorCode() or reader.GetOutput().GetNumberOfPoints() == 0:
        raise SurfaceError(f"{path} is not a NIfTI volume that can be read")
    return reader.GetOutput(), reader.GetQFormMatrix() or reader.GetSFormMatrix()


def smooth_padded(image):
    """Surrounds an image by background, so that no contour can leave it, and smooths it."""
    pad = vtkImageConstantPad()
    pad.SetInputData(image)
    pad.SetConstant(0)
    pad.SetOutputWholeExtent([limit + (PADDING if i % 2 else -PADDING) for i, limit in enumerate(image.GetExtent())])
    # Smoothed integers would be rounded, and the surface would have steps again.
    cast = vtkImageCast()
    cast.SetInputConnection(pad.GetOutputPort())
    cast.SetOutputScalarTypeToFloat()
    smooth = vtkImageGaussianSmooth()
    smooth.SetInputConnection(cast.GetOutputPort())
    smooth.SetStandardDeviation(SMOOTHING)
    smooth.SetRadiusFactor(3)
    smooth.Update()
    return smooth.GetOutput()


def largest_contour(image, value):
    """The largest connected part of the contour of an image; what lies apart (cavities, specks) is left out."""
    contour = vtkFlyingEdges3D()
    contour.SetInputData(image)
    contour.SetValue(0, value)
    contour.ComputeScalarsOff()
    contour.ComputeNormalsOn()
    largest = vtkPolyDataConnectivityFilter()
    largest.SetInputConnection(contour.GetOutputPort())
    largest.SetExtractionModeToLargestRegion()
    # The points of what was left out are still there. Merging points would only risk edges of four triangles.
    clean = vtkCleanPolyData()
    clean.SetInputConnection(largest.GetOutputPort())
    clean.PointMergingOff()
    clean.Update()
    return clean.GetOutput()


def transformed(surface, matrix):
    """A surface with a 4 x 4 matrix applied to its points and normals."""
    transform = vtkMatrixToLinearTransform()
    transform.SetInput(matrix)
    mover = vtkTransformPolyDataFilter()
    mover.SetInputData(surface)
    mover.SetTransform(transform)
    mover.Update()
    return mover.GetOutput()


def count_edges(surface, boundary):
    """Number of boundary edges (of one triangle), or else of non-manifold edges (of more than two triangles)."""
    edges = vtkFeatureEdges()
    edges.SetInputData(surface)
    edges.FeatureEdgesOff()
    edges.ManifoldEdgesOff()
    edges.SetBoundaryEdges(boundary)
    edges.SetNonManifoldEdges(not boundary)
    edges.Update()
    return edges.GetOutput().GetNumberOfCells()


def check_closed(surface):
    """Raises SurfaceError unless every edge of a surface belongs to exactly two triangles."""
    boundary, non_manifold = count_edges(surface, True), count_edges(surface, False)
    if boundary or non_manifold:
        raise SurfaceError(f"the surface is not closed: {boundary} boundary edges, {non_manifold} non-manifold edges")


def scanned_surface(path=VOLUME):
    """Makes the closed surface of a scanned volume.

    Returns a vtkPolyData of triangles with point normals, in mm. Raises SurfaceError where the volume is missing, or
    the surface is open or has fewer than 100,000 triangles.
    """
    image, to_frame = read_volume(path)
    surface = transformed(largest_contour(smooth_padded(image), CONTOUR), to_frame)
    check_closed(surface)
    if surface.GetNumberOfPolys() < SMALLEST:
        raise SurfaceError(f"{path}: the surface has {surface.GetNumberOfPolys()} triangles, fewer than {SMALLEST}")
    return surface


def write_surface(surface, path):
    """Writes a surface as a VTK polydata file (.vtp)."""
    writer = vtkXMLPolyDataWriter()
    writer.SetFileName(str(path))
    writer.SetInputData(surface)
    writer.SetIdTypeToInt32()
    # Write() reports success on a path that cannot be opened.
    if not writer.Write() or writer.GetErrorCode():
        raise SurfaceError(f"{path} could not be written")


def main():
    parser = argparse.ArgumentParser(description="Writes the surface of a scanned human brain.")
    parser.add_argument("output", help="the polydata file to write, .vtp")
    arguments = parser.parse_args()
    try:
        surface = scanned_surface()
        write_surface(surface, arguments.output)
    except SurfaceError as error:
        sys.exit(f"scanned_surface: {error}")
    print(f"{arguments.output}: {surface.GetNumberOfPolys()} triangles, {surface.GetNumberOfPoints()} points, closed")


if __name__ == "__main__":
    main()
