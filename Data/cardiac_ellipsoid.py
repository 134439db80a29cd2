#!/usr/bin/env python3
"""A left ventricle as a truncated ellipsoid of tetrahedra with the directions of its muscle fibres.

    python3 cardiac_ellipsoid.py OUT.vtu [--size MM]

The shape is that of the benchmark problems of S. Land et al. (2015), Verification of cardiac mechanics software:
benchmark problems and solutions for testing active and passive material behaviour, Proc. R. Soc. A 471: 20150641, at
three times its size, which is that of a human heart. The endocardium (inside) is an ellipsoid with semi-axes 21 and 51
mm, the epicardium (outside) one with 30 and 60 mm, and both are cut at z = 15 mm, the base. The axis is z, and the apex
is at the bottom. gmsh makes the tetrahedra.

Fibres are by rule, in the manner of that paper: through the wall lie ellipsoids whose semi-axes grow linearly with the
depth, 0 at the endocardium and 1 at the epicardium, and the angle of the fibre in the ellipsoid's surface, from the
circumference towards the base, falls linearly from 60 to -60 degrees: a right-handed helix inside and a left-handed one
outside, the angles of D. D. Streeter et al. (1969), Fiber orientation in the canine left ventricle during diastole and
systole, Circ. Res. 24, 339-347, rounded.

Coordinates are in mm. Cell arrays: fibre (a unit vector) and depth.
"""
import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkIOLegacy import vtkUnstructuredGridReader
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridWriter

# Semi-axes in mm, across and along the axis: of the endocardium, and how much those of the epicardium are longer.
SHORT, LONG, WALL = 21.0, 51.0, 9.0
BASE = 15.0

# Degrees at the endocardium and at the epicardium.
HELIX_INSIDE, HELIX_OUTSIDE = 60.0, -60.0

GEOMETRY = f"""
SetFactory("OpenCASCADE");
Sphere(1) = {{0, 0, 0, 1}};
Sphere(2) = {{0, 0, 0, 1}};
Dilate {{{{0, 0, 0}}, {{{SHORT + WALL}, {SHORT + WALL}, {LONG + WALL}}}}} {{ Volume{{1}}; }}
Dilate {{{{0, 0, 0}}, {{{SHORT}, {SHORT}, {LONG}}}}} {{ Volume{{2}}; }}
Box(3) = {{-100, -100, -100, 200, 200, 100 + {BASE}}};
BooleanDifference(4) = {{ Volume{{1}}; Delete; }}{{ Volume{{2}}; Delete; }};
BooleanIntersection(5) = {{ Volume{{4}}; Delete; }}{{ Volume{{3}}; Delete; }};
Physical Volume(1) = {{5}};
Mesh.Algorithm3D = 10; // HXT: ten times as fast as the default
Mesh.MeshSizeMin = %(size)g;
Mesh.MeshSizeMax = %(size)g;
"""


class EllipsoidError(RuntimeError):
    """The mesh cannot be made, or is not what it should be."""


def tetrahedra(size):
    """The wall as tetrahedra with edges of about `size` mm, by gmsh: a vtkUnstructuredGrid."""
    gmsh = shutil.which("gmsh")
    if gmsh is None:
        raise EllipsoidError("the program gmsh is missing; please install the Debian package gmsh")
    with tempfile.TemporaryDirectory() as folder:
        geometry, mesh = Path(folder, "ellipsoid.geo"), Path(folder, "ellipsoid.vtk")
        geometry.write_text(GEOMETRY % {"size": size}, encoding="utf-8")
        # One thread: the same mesh each time.
        command = [gmsh, "-3", "-nt", "1", "-v", "1", "-bin", "-format", "vtk", "-o", str(mesh), str(geometry)]
        if subprocess.run(command, check=False).returncode != 0 or not mesh.exists():
            raise EllipsoidError(f"gmsh made no mesh with edges of {size} mm")
        reader = vtkUnstructuredGridReader()
        reader.SetFileName(str(mesh))
        reader.Update()
    grid = reader.GetOutput()
    grid.GetCellData().Initialize()
    return grid


def barycentres(grid):
    """Of tetrahedra: an array [cells, 3]."""
    corners = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 4)
    return vtk_to_numpy(grid.GetPoints().GetData())[corners].mean(axis=1)


def depth_of(points):
    """How far through the wall points [N, 3] are: 0 at the endocardium, 1 at the epicardium.

    The depth t is where (r / (SHORT + WALL t))^2 + (z / (LONG + WALL t))^2 = 1. The left side falls with t and is
    convex, so Newton's method from the left never passes the root.
    """
    r2, z2 = points[:, 0]**2 + points[:, 1]**2, points[:, 2]**2
    t = np.full(len(points), -0.2)
    for _ in range(20):
        a, b = SHORT + WALL * t, LONG + WALL * t
        excess = r2 / a**2 + z2 / b**2 - 1.0
        t += excess / (2.0 * WALL * (r2 / a**3 + z2 / b**3))
    if np.abs(excess).max() > 1e-12:
        raise EllipsoidError(f"there are points far outside of the wall: {points[np.abs(excess).argmax()]}")
    return t


def fibres(points):
    """The fibres at points [N, 3] of the wall: (unit vectors [N, 3], depths [N])."""
    depth = depth_of(points)
    a, b = SHORT + WALL * depth, LONG + WALL * depth
    radius = np.hypot(points[:, 0], points[:, 1])
    longitude = np.arctan2(points[:, 1], points[:, 0])
    around = np.stack([-np.sin(longitude), np.cos(longitude), np.zeros_like(depth)], axis=1)
    # The meridian's tangent (dr, dz), towards the base, at the ellipse (r, z) = (a sin u, -b cos u).
    dr, dz = -a * points[:, 2] / b, b * radius / a
    norm = np.hypot(dr, dz)
    upwards = np.stack([np.cos(longitude) * dr / norm, np.sin(longitude) * dr / norm, dz / norm], axis=1)
    angle = np.radians(HELIX_INSIDE + (HELIX_OUTSIDE - HELIX_INSIDE) * depth)[:, None]
    return np.cos(angle) * around + np.sin(angle) * upwards, depth


def main():
    parser = argparse.ArgumentParser(description="Writes a left ventricle of tetrahedra with its muscle fibres.")
    parser.add_argument("output", help="the file to write, .vtu")
    parser.add_argument("--size", type=float, default=0.8, help="the length of edges in mm (default: 0.8)")
    arguments = parser.parse_args()
    try:
        grid = tetrahedra(arguments.size)
        for name, values in zip(("fibre", "depth"), fibres(barycentres(grid))):
            array = numpy_to_vtk(values, deep=True)
            array.SetName(name)
            grid.GetCellData().AddArray(array)
        writer = vtkXMLUnstructuredGridWriter()
        writer.SetFileName(arguments.output)
        writer.EncodeAppendedDataOff()
        writer.SetInputData(grid)
        # Write() reports success on a path that cannot be opened.
        if not writer.Write() or writer.GetErrorCode():
            raise EllipsoidError(f"{arguments.output} could not be written")
    except EllipsoidError as error:
        sys.exit(f"cardiac_ellipsoid: {error}")
    print(f"{arguments.output}: {grid.GetNumberOfCells()} tetrahedra, {grid.GetNumberOfPoints()} points")


if __name__ == "__main__":
    main()
