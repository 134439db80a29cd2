"""The electrostatic potential of alanine dipeptide on an image around it, and its field lines.

    pvbatch molecule_potential.py FOLDER [CELLS]    with FOLDER/alanine_dipeptide.vtp, which Data/alanine_dipeptide.py
                                                    writes; CELLS (100) along the image's edges

Lengths are in angstrom, charges in elementary charges e, and potentials in volts: e / (4 pi epsilon_0 1 angstrom) =
14.3996 V. Nothing is around the molecule but vacuum.
"""
import sys

import numpy as np
from paraview.simple import *
from paraview.vtk.util.numpy_support import vtk_to_numpy

COULOMB = 14.399645  # V angstrom / e, CODATA 2018
RADII = {1: 0.25, 6: 0.4, 7: 0.38, 8: 0.36}  # of the balls in the picture
COLOURS = {1: [0.92] * 3, 6: [0.3] * 3, 7: [0.2, 0.35, 0.9], 8: [0.85, 0.15, 0.1]}

folder = sys.argv[1] if len(sys.argv) > 1 else "."
resolution = int(sys.argv[2]) if len(sys.argv) > 2 else 100

atoms = XMLPolyDataReader(FileName=[f"{folder}/alanine_dipeptide.vtp"])
molecule = servermanager.Fetch(atoms)
places = vtk_to_numpy(molecule.GetPoints().GetData())
charges = vtk_to_numpy(molecule.GetPointData().GetArray("charge"))
numbers = vtk_to_numpy(molecule.GetPointData().GetArray("number"))

# An image around the atoms.
low, high = places.min(axis=0) - 4.5, places.max(axis=0) + 4.5
cell = float((high - low).max() / resolution)
extent = np.ceil((high - low) / cell).astype(int)
IMAGE = f"""
output.SetOrigin({low.tolist()})
output.SetSpacing([{cell}] * 3)
output.SetDimensions({(extent + 1).tolist()})
"""
INFORMATION = f"""
from paraview.util import SetOutputWholeExtent
SetOutputWholeExtent(self, [0, {extent[0]}, 0, {extent[1]}, 0, {extent[2]}])
"""
image = ProgrammableSource(OutputDataSetType="vtkImageData", Script=IMAGE, ScriptRequestInformation=INFORMATION)


def potential_at(target):
    """The potential and the field of the atoms at the points of a data set."""
    return SpanwiseNBodyPotential(Input=atoms, Charges="Array", ChargeArray=["POINTS", "charge"], TargetInput=target,
                                  Factor=COULOMB)


potential = potential_at(image)
potential.UpdatePipeline()
volts = vtk_to_numpy(servermanager.Fetch(potential).GetPointData().GetArray("Potential"))
pairs = potential.FieldData["N-Body Interactions"].GetRange()[0]
print(f"{len(charges)} atoms, {len(volts)} points: {pairs:.3g} pairs, {volts.min():.1f} to {volts.max():.1f} V")

# Written down once more, at some points.
chosen = np.arange(0, len(volts), 1 + len(volts) // 500)
at = low + cell * np.stack(np.unravel_index(chosen, extent + 1, order="F"), axis=1)
expected = COULOMB * (charges / np.linalg.norm(at[:, None] - places, axis=2)).sum(axis=1)
assert np.allclose(volts[chosen], expected, rtol=1e-9, atol=1e-9), "the potential is not that of the atoms"

# Far away a neutral molecule is a dipole.
dipole = charges @ places
far = potential_at(Sphere(Radius=100.0, ThetaResolution=16, PhiResolution=16))
sphere = servermanager.Fetch(far)
points = vtk_to_numpy(sphere.GetPoints().GetData()).astype(float)
of_dipole = COULOMB * points @ dipole / np.linalg.norm(points, axis=1)**3
error = np.abs(vtk_to_numpy(sphere.GetPointData().GetArray("Potential")) - of_dipole).max() / np.abs(of_dipole).max()
print(f"dipole moment {4.80320 * np.linalg.norm(dipole):.2f} debye; 100 angstrom away the potential is that of the "
      f"dipole within {100 * error:.1f} %")
assert error < 0.1, "far away the molecule is not its dipole"

# Atoms, surfaces of equal potential, and field lines from a sphere around each atom with a positive charge.
view = CreateRenderView(ViewSize=[1000, 760], OrientationAxesVisibility=0, UseColorPaletteForBackground=0,
                        CameraParallelProjection=1)
view.Background = [1.0, 1.0, 1.0]
bonds = Show(Tube(Input=atoms, Radius=0.12, NumberofSides=16), view)
bonds.ColorArrayName = ["POINTS", ""]
bonds.DiffuseColor = bonds.AmbientColor = [0.6] * 3
for number, radius in RADII.items():
    for x in places[numbers == number]:
        ball = Show(Sphere(Center=x.tolist(), Radius=radius, ThetaResolution=32, PhiResolution=32), view)
        ball.DiffuseColor = ball.AmbientColor = COLOURS[number]
for volt, colour in ((-0.75, [0.85, 0.2, 0.15]), (0.75, [0.15, 0.35, 0.85])):
    surface = Show(Contour(Input=potential, ContourBy=["POINTS", "Potential"], Isosurfaces=[volt]), view)
    surface.ColorArrayName = ["POINTS", ""]
    surface.DiffuseColor = surface.AmbientColor = colour
    surface.Opacity = 0.25
seeds = AppendGeometry(Input=[
    Sphere(Center=x.tolist(), Radius=0.6, ThetaResolution=8, PhiResolution=6)
    for x, charge in zip(places, charges) if charge > 0.2])
lines = StreamTracerWithCustomSource(Input=potential, SeedSource=seeds, Vectors=["POINTS", "Field"],
                                     MaximumStreamlineLength=60.0, TerminalSpeed=1e-6)
lines.UpdatePipeline()
drawn = Show(lines, view, Representation="Wireframe", LineWidth=1.5)
ColorBy(drawn, ("POINTS", "Potential"))
colours = GetColorTransferFunction("Potential")
colours.ApplyPreset("Cool to Warm", True)
colours.InvertTransferFunction()
colours.RescaleTransferFunction(-2.0, 2.0)
drawn.SetScalarBarVisibility(view, True)
bar = GetScalarBar(colours, view)
bar.Title, bar.ComponentTitle = "Potential (V)", ""
bar.TitleColor = bar.LabelColor = [0.1, 0.1, 0.1]
view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [4.0, -9.0, 40.0], [0.0, 0.0, 0.0], [0, 1, 0]
view.CameraParallelScale = 0.5 * float((high - low)[1]) * 0.9
SaveScreenshot(f"{folder}/molecule_potential.png", view)
