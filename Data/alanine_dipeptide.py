"""Writes the atoms and partial charges of alanine dipeptide, CH3-CO-NH-CH(CH3)-CO-NH-CH3, as points.

    python3 alanine_dipeptide.py OUTPUT.vtp [--phi DEGREES] [--psi DEGREES]

Each atom is placed by a bond, an angle and a dihedral to three that stand before it. Bonds and angles are those at which
the force field of W. D. Cornell et al., J. Am. Chem. Soc. 117, 5179-5197 (1995) has no strain, and the charges are those
of its residues ACE, ALA and NME. Without other angles it is the conformation C7eq, in which the two ends come close to
each other: phi = -80 and psi = 80 degrees. Lengths are in angstrom, charges in elementary charges.
"""
import argparse
import math

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkIOXML import vtkXMLPolyDataWriter

# Name, charge; then the atom that it is bound to and the bond, the next with the angle, the next with the dihedral,
# which may be phi or psi. In the order of the chain; the first three have less to be placed by.
ATOMS = [
    ("CH3", -0.3662),
    ("C", 0.5972, "CH3", 1.522),
    ("O", -0.5679, "C", 1.229, "CH3", 120.4),
    ("HH31", 0.1123, "CH3", 1.090, "C", 109.5, "O", 0.0),
    ("HH32", 0.1123, "CH3", 1.090, "C", 109.5, "O", 120.0),
    ("HH33", 0.1123, "CH3", 1.090, "C", 109.5, "O", -120.0),
    ("N", -0.4157, "C", 1.335, "CH3", 116.6, "O", 180.0),
    ("H", 0.2719, "N", 1.010, "C", 120.0, "O", 180.0),
    ("CA", 0.0337, "N", 1.449, "C", 121.9, "CH3", 180.0),
    ("C'", 0.5973, "CA", 1.522, "N", 110.1, "C", "phi"),
    ("CB", -0.1825, "CA", 1.526, "N", 109.7, "C'", -120.0),
    ("HA", 0.0823, "CA", 1.090, "N", 109.5, "C'", 120.0),
    ("HB1", 0.0603, "CB", 1.090, "CA", 109.5, "N", 60.0),
    ("HB2", 0.0603, "CB", 1.090, "CA", 109.5, "N", 180.0),
    ("HB3", 0.0603, "CB", 1.090, "CA", 109.5, "N", -60.0),
    ("N'", -0.4157, "C'", 1.335, "CA", 116.6, "N", "psi"),
    ("O'", -0.5679, "C'", 1.229, "CA", 120.4, "N'", 180.0),
    ("H'", 0.2719, "N'", 1.010, "C'", 120.0, "O'", 180.0),
    ("CH3'", -0.1490, "N'", 1.449, "C'", 121.9, "CA", 180.0),
    ("HH31'", 0.0976, "CH3'", 1.090, "N'", 109.5, "C'", 180.0),
    ("HH32'", 0.0976, "CH3'", 1.090, "N'", 109.5, "C'", 60.0),
    ("HH33'", 0.0976, "CH3'", 1.090, "N'", 109.5, "C'", -60.0),
]
NUMBERS = {"H": 1, "C": 6, "N": 7, "O": 8}


def place(bound, angle_to, dihedral_to, length, angle, dihedral):
    """The place at a distance from `bound`, with an angle there and a dihedral around the bond before."""
    angle, dihedral = math.radians(angle), math.radians(dihedral)
    along = bound - angle_to
    along /= np.linalg.norm(along)
    normal = np.cross(angle_to - dihedral_to, along)
    normal /= np.linalg.norm(normal)
    across = np.cross(normal, along)
    return bound + length * (-math.cos(angle) * along + math.sin(angle) * (
        math.cos(dihedral) * across + math.sin(dihedral) * normal))


parser = argparse.ArgumentParser()
parser.add_argument("output")
parser.add_argument("--phi", type=float, default=-80.0)
parser.add_argument("--psi", type=float, default=80.0)
arguments = parser.parse_args()
turns = {"phi": arguments.phi, "psi": arguments.psi}
places, bonds = {}, {}
for atom in ATOMS:
    name = atom[0]
    if len(atom) == 2:
        places[name] = np.zeros(3)
    elif len(atom) == 4:
        places[name] = np.array([atom[3], 0.0, 0.0])
    elif len(atom) == 6:
        angle = math.radians(atom[5])
        places[name] = places[atom[2]] + atom[3] * np.array([-math.cos(angle), math.sin(angle), 0.0])
    else:
        places[name] = place(places[atom[2]], places[atom[4]], places[atom[6]], atom[3], atom[5],
                             turns.get(atom[7], atom[7]))
    if len(atom) > 2:
        bonds[name] = atom[2]

# What nature makes is the L form; the hydrogen bond of C7eq closes a ring of seven atoms.
nitrogen, carbon, side = (places[name] - places["CA"] for name in ("N", "C'", "CB"))
assert np.cross(nitrogen, carbon) @ side > 0.0, "the molecule is the D form"
charges = np.array([atom[1] for atom in ATOMS])
assert abs(charges.sum()) < 1e-12, "the molecule is not neutral"
at = np.array([places[atom[0]] for atom in ATOMS])
at -= at.mean(axis=0)
apart = np.linalg.norm(at[:, None] - at[None], axis=2) + 9.0 * np.eye(len(at))
assert apart.min() > 1.0, "two atoms lie in one place"
dipole = charges @ at
bridge = np.linalg.norm(places["O"] - places["H'"])
print(f"{len(ATOMS)} atoms; O to H' {bridge:.2f} angstrom; dipole moment "
      f"{4.80320 * np.linalg.norm(dipole):.2f} debye")

points = vtkPoints()
points.SetDataTypeToDouble()
lines = vtkCellArray()
index = {atom[0]: number for number, atom in enumerate(ATOMS)}
for atom, x in zip(ATOMS, at):
    points.InsertNextPoint(x)
    if atom[0] in bonds:
        lines.InsertNextCell(2, (index[bonds[atom[0]]], index[atom[0]]))
data = vtkPolyData()
data.SetPoints(points)
data.SetLines(lines)
for name, values in (("charge", charges), ("number", [NUMBERS[atom[0][0]] for atom in ATOMS])):
    array = numpy_to_vtk(np.array(values), deep=True)
    array.SetName(name)
    data.GetPointData().AddArray(array)
writer = vtkXMLPolyDataWriter()
writer.SetFileName(arguments.output)
writer.SetInputData(data)
assert writer.Write() == 1, f"cannot write {arguments.output}"
