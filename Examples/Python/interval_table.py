"""What a set is made of, line by line.    pvpython interval_table.py"""
from paraview import servermanager
from paraview.simple import *

disk = IntervalShape(Shape="Ball", Dimension="2D", Spacing=[0.1, 0.1, 0.1])
for content in ("Rows", "Intervals"):
    table = IntervalTable(Input=disk, Content=content)
    table.UpdatePipeline()
    lines = servermanager.Fetch(table)
    names = [lines.GetColumnName(c) for c in range(lines.GetNumberOfColumns())]
    print(content + ":", ", ".join(names))
    for r in range(lines.GetNumberOfRows()):
        print("  ", *(lines.GetValue(r, c).ToString() for c in range(lines.GetNumberOfColumns())))
