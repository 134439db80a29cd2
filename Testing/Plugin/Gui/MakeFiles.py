"""Makes the files that the recorded sessions open. `sheet.icsr`: 16 x 16 cells with their numbers as a cell array.
`disk.icsr`: a disk on the same cells. `islands.icsr`: a disk of 21 cells and boxes of 12 and 2 cells. `distance.icsr`:
64 x 64 cells with their x and their distance from the middle, the mean of that of their corners. `charge.vtp`: a point
with a charge of 3. The disk, the middle and the point are shifted by so many cells along x.

usage: MakeFiles.py folder shift"""

import os
import sys

from paraview import simple

folder, shift = sys.argv[1], int(sys.argv[2])
os.makedirs(folder, exist_ok=True)

lattice = {"Dimension": "2D", "Spacing": [1, 1, 1], "Origin": [0, 0, 0]}
sheet = simple.SpanwiseIntervalShape(Shape="Box", Corner=[0, 0, 0], Lengths=[16, 16, 1], **lattice)
numbered = simple.PointAndCellIds(Input=sheet, GeneratePointIds=0)
simple.SaveData(os.path.join(folder, "sheet.icsr"), proxy=numbered)

disk = simple.SpanwiseIntervalShape(Shape="Ball", Center=[7 + shift, 8, 0], Radius=5.2, **lattice)
simple.SaveData(os.path.join(folder, "disk.icsr"), proxy=disk)

islands = simple.SpanwiseSetAlgebra(Operation="Union", Input=[
    simple.SpanwiseIntervalShape(Shape="Ball", Center=[4.5, 4.5, 0], Radius=2.5, **lattice),
    simple.SpanwiseIntervalShape(Shape="Box", Corner=[9, 9, 0], Lengths=[4, 3, 1], **lattice),
    simple.SpanwiseIntervalShape(Shape="Box", Corner=[1, 13, 0], Lengths=[2, 1, 1], **lattice),
])
simple.SaveData(os.path.join(folder, "islands.icsr"), proxy=islands)

square = simple.SpanwiseIntervalShape(Shape="Box", Corner=[0, 0, 0], Lengths=[64, 64, 1], **lattice)
column = simple.Calculator(Input=square, ResultArrayName="x", Function="coordsX")
at_points = simple.Calculator(
    Input=column, ResultArrayName="distance", Function=f"sqrt((coordsX-{32 + shift})^2+(coordsY-32)^2)")
distance = simple.PointDatatoCellData(Input=at_points)
simple.SaveData(os.path.join(folder, "distance.icsr"), proxy=distance)

point = simple.PointSource(Center=[8 + shift, 8, 0], Radius=0, NumberOfPoints=1)
charge = simple.Calculator(Input=point, ResultArrayName="charge", Function="3")
simple.SaveData(os.path.join(folder, "charge.vtp"), proxy=charge)
