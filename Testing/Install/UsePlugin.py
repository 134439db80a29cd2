"""pvpython has the plugin that lies under a folder, and makes a picture with it.    pvpython UsePlugin.py FOLDER"""

import sys

import loaded_libraries
from paraview.simple import *

ball = IntervalShape(Shape="Ball", Radius=1.0)
box = IntervalShape(Shape="Box", Corner=[0, 0, 0], Lengths=[1, 1, 1])
result = IntervalSetAlgebra(Input=[ball, box], Operation="Difference")
result.UpdatePipeline()
assert 0 < result.GetDataInformation().GetNumberOfCells() < ball.GetDataInformation().GetNumberOfCells()
Show(result)
Render()

loaded_libraries.check(sys.argv[1])
