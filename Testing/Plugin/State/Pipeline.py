"""A pipeline of the plugin's proxies for the tests of state files and traces."""

from paraview import simple


def build():
    """The quarter of a ball that lies in a box, coloured by its cells' numbers."""
    ball = simple.IntervalShape(registrationName="ball", Shape="Ball", Dimension="3D", Radius=0.4)
    numbered = simple.PointAndCellIds(registrationName="numbered", Input=ball)
    box = simple.IntervalShape(registrationName="box", Shape="Box", Dimension="3D", Corner=[0, 0, -0.5])
    common = simple.IntervalSetAlgebra(registrationName="common", Input=[numbered, box], Operation="Intersection")
    left = simple.IntervalSetExpression(
        registrationName="left", Input=[common, box], InputNames=["it's", "box"], Expression='"it\'s" - erode(box, 9)'
    )
    result = simple.ExtractRegion(registrationName="result", Input=left, Region="Set", RegionSet=ball)
    simple.Show(result)
    simple.Render()
    return result


def cells_of(source):
    """What identifies the result: number of cells, bounds, arrays with their ranges."""
    source.UpdatePipeline()
    information = source.GetDataInformation()
    arrays = source.CellData
    return (
        information.GetNumberOfCells(),
        tuple(information.GetBounds()),
        sorted((array.GetName(), array.GetRange()) for array in (arrays.GetArray(k) for k in range(len(arrays)))),
    )


def forget():
    """Removes the whole pipeline."""
    for source in list(simple.GetSources().values()):
        simple.Delete(source)
    simple.ResetSession()
    assert not simple.GetSources()


def find():
    return simple.FindSource("result")
