"""A client that does not have the plugin, of a server that has its half for such clients: ParaView shows what it showed
before, every source, filter and writer can be made, and what they make is shown."""

import spanwise_testing as testing
from paraview import servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy


def shown_share(view):
    """Of the picture of the view: how much of it differs from its corner."""
    simple.Render(view)
    image = view.CaptureWindow(1)
    colors = vtk_to_numpy(image.GetPointData().GetScalars()).astype(int)
    return (abs(colors - colors[0]).sum(axis=1) > 12).mean()


testing.connect()
assert servermanager.ActiveConnection.IsRemote()
view = simple.CreateRenderView(ViewSize=[300, 300], OrientationAxesVisibility=0)

stock = simple.Wavelet()
simple.Show(stock, view).Representation = "Surface"
simple.ResetCamera(view)
assert 0.2 < shown_share(view) < 0.9
simple.Hide(stock, view)

made = [definition for definition in testing.definitions() if definition[0] != "settings"]
assert len(made) > 30
for group, name, _ in made:
    testing.new_proxy(group, name).UpdateVTKObjects()

ball = servermanager.sources.SpanwiseIntervalShape()
ball.Shape = "Ball"
ball.UpdatePipeline()
cells = ball.GetDataInformation().GetNumberOfCells()
assert cells > 1000
simple.Show(ball, view)
simple.ResetCamera(view)
assert 0.2 < shown_share(view) < 0.8
print(f"{len(made)} proxies, {cells} cells")
