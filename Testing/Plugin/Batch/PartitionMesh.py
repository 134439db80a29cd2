"""A server of several ranks deals a mesh out to them: as many cells as before, each rank about as many, arrays with them.

usage: pvpython PartitionMesh.py ranks, connected to a server
"""

import sys

import spanwise_testing as testing
from paraview import simple

testing.connect()
ranks = int(sys.argv[1])
assert testing.number_of_ranks() == ranks
image = simple.Wavelet(WholeExtent=[0, 8, 0, 8, 0, 8])
mesh = simple.Tetrahedralize(Input=simple.Calculator(Input=image, Function="coordsX", ResultArrayName="x"))
parts = simple.SpanwisePartitionMesh(Input=mesh)
parts.UpdatePipeline()


def value(name):
    low, high = parts.FieldData[name].GetRange()
    assert low == high, (name, low, high)  # all ranks say the same
    return low


cells = mesh.GetDataInformation().GetNumberOfCells()
assert parts.GetDataInformation().GetNumberOfCells() == cells
assert value("Parts") == ranks
assert abs(value("Largest Part") * ranks - value("Imbalance") * cells) < 1e-6
assert value("Imbalance") < 1.1, value("Imbalance")
assert value("Cut Faces") > 0
assert parts.CellData["Part"].GetRange() == (0, ranks - 1)
for name in ("RTData", "x"):
    assert parts.PointData[name].GetRange() == mesh.PointData[name].GetRange(), name
