"""pvpython has the plugin that lies under a folder, or loads it by its name, and makes a picture with it.

pvpython UsePlugin.py FOLDER [--by-name]
"""

import sys

import loaded_libraries
from paraview.simple import *

if "--by-name" in sys.argv:
    LoadDistributedPlugin("Spanwise", ns=globals())
ball = SpanwiseIntervalShape(Shape="Ball", Radius=1.0, Spacing=[0.02] * 3)
box = SpanwiseIntervalShape(Shape="Box", Corner=[0, 0, 0], Lengths=[1, 1, 1], Spacing=[0.02] * 3)
result = SpanwiseSetAlgebra(Input=[ball, box], Operation="Difference")
result.UpdatePipeline()
assert 0 < result.GetDataInformation().GetNumberOfCells() < ball.GetDataInformation().GetNumberOfCells()
Show(result)
Render()

loaded_libraries.check(sys.argv[1])
