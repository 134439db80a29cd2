"""Makes the files that the recorded sessions open: `sheet.icsr`, 16 x 16 cells with their numbers as a cell array, and
`disk.icsr`, a disk on the same cells, shifted by so many cells along x.

usage: MakeFiles.py folder shift"""

import os
import sys

from paraview import simple

folder, shift = sys.argv[1], int(sys.argv[2])
os.makedirs(folder, exist_ok=True)

lattice = {"Dimension": "2D", "Spacing": [1, 1, 1], "Origin": [0, 0, 0]}
sheet = simple.IntervalShape(Shape="Box", Corner=[0, 0, 0], Lengths=[16, 16, 1], **lattice)
numbered = simple.PointAndCellIds(Input=sheet, GeneratePointIds=0)
simple.SaveData(os.path.join(folder, "sheet.icsr"), proxy=numbered)

disk = simple.IntervalShape(Shape="Ball", Center=[7 + shift, 8, 0], Radius=5.2, **lattice)
simple.SaveData(os.path.join(folder, "disk.icsr"), proxy=disk)
