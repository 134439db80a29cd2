"""What the mass of a scanned surface's inside does around it: the potential of gravity, and the acceleration.

    pvbatch surface_gravity.py FOLDER [CELLS]    with FOLDER/surface.vtp, which Data/scanned_surface.py writes; CELLS
                                                 (96) along the longest axis

The surface, a brain, becomes cells; each acts with its mass at its centre. Lengths are in mm, the density is that of
water, and accelerations come out in nm/s^2; gravimeters are read in microgals, which are 10 of them.
"""
import math
import sys

import numpy as np
from paraview.simple import *
from paraview.vtk.util.numpy_support import vtk_to_numpy

DENSITY = 1e-6  # kg / mm^3
GRAVITY = 6.6743e-11 * 1e15  # G in nm mm^2 / (kg s^2): 1 m^3 / (kg s^2) is 1e9 nm 1e6 mm^2

folder = sys.argv[1] if len(sys.argv) > 1 else "."
resolution = int(sys.argv[2]) if len(sys.argv) > 2 else 96

surface = XMLPolyDataReader(FileName=[f"{folder}/surface.vtp"])
surface.UpdatePipeline()
bounds = np.array(surface.GetDataInformation().GetBounds()).reshape(3, 2)
cell = float((bounds[:, 1] - bounds[:, 0]).max() / resolution)
solid = SpanwiseSurfaceToIntervals(Input=surface, Origin=bounds[:, 0].tolist(), Spacing=[cell] * 3)
massive = Calculator(Input=solid, AttributeType="Cell Data", ResultArrayName="density", Function=str(DENSITY))


def gravity_at(target, accuracy=1e-5):
    """Potential and acceleration by all cells at the points of a data set."""
    return SpanwiseNBodyPotential(Input=massive, Particles="Cell Centres", Charges="Density Array",
                                  ChargeArray=["CELLS", "density"], TargetInput=target, Factor=-GRAVITY,
                                  Accuracy=accuracy)


def arrays_of(source, *names):
    data = servermanager.Fetch(source)
    return [vtk_to_numpy(data.GetPoints().GetData()).astype(float)] + [
        vtk_to_numpy(data.GetPointData().GetArray(name)) for name in names]


massive.UpdatePipeline()
num_cells = massive.GetDataInformation().GetNumberOfCells()
mass = num_cells * cell**3 * DENSITY

# Gauss: the flux into any closed surface around the mass is 4 pi G times it. On a sphere, in rings of equal areas.
centre = bounds.mean(axis=1)
radius = 0.55 * float(np.linalg.norm(bounds[:, 1] - bounds[:, 0]))
ROWS = 60
SPHERE = f"""
import numpy
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
z, angle = numpy.meshgrid((numpy.arange({ROWS}) + 0.5) / {ROWS} * 2 - 1, (numpy.arange(2 * {ROWS})) * numpy.pi / {ROWS})
across = numpy.sqrt(1 - z**2)
places = numpy.stack([across * numpy.cos(angle), across * numpy.sin(angle), z], axis=-1).reshape(-1, 3)
points = vtkPoints()
points.SetData(numpy_to_vtk({radius} * places + {centre.tolist()}, deep=True))
output.SetPoints(points)
"""
ball = gravity_at(ProgrammableSource(OutputDataSetType="vtkPolyData", Script=SPHERE))
places, field, potential = arrays_of(ball, "Field", "Potential")
normals = (places - centre) / radius
flux = 4.0 * math.pi * radius**2 * (field * normals).sum(axis=1).mean()
print(f"{num_cells} cells of {cell:.2f} mm, {mass:.3f} kg; the flux through a sphere around it is that of "
      f"{-flux / (4.0 * math.pi * GRAVITY):.3f} kg")
assert abs(-flux / (4.0 * math.pi * GRAVITY) / mass - 1.0) < 2e-3, "the flux is not that of the mass"
# The mean of the potential over the sphere is that of all mass in its middle.
assert abs(potential.mean() * radius / (-GRAVITY * mass) - 1.0) < 2e-3, "the potential is not that of the mass"

# Accelerations on the body's own surface, a few cells above it, and the potential in a plane through its middle.
coarse = SpanwiseMorphology(Input=solid, Operation="Dilate", Element="Ball", Radius=2.0)
skin = ExtractSurface(Input=coarse)
on_skin = gravity_at(skin, 1e-4)
_, pull = arrays_of(on_skin, "Field")
pull = np.linalg.norm(pull, axis=1)
print(f"at its surface {pull.min():.1f} to {pull.max():.1f} nm/s^2; a ball of water as heavy has "
      f"{GRAVITY * mass / (3.0 * mass / (4.0 * math.pi * DENSITY))**(2.0 / 3.0):.1f}")
size = 1.3 * float((bounds[:, 1] - bounds[:, 0]).max())
plane = Plane(Origin=(centre + [0, -size / 2, -size / 2]).tolist(), Point1=(centre + [0, size / 2, -size / 2]).tolist(),
              Point2=(centre + [0, -size / 2, size / 2]).tolist(), XResolution=240, YResolution=240)
in_plane = gravity_at(plane, 1e-4)

view = CreateRenderView(ViewSize=[1000, 760], OrientationAxesVisibility=0, UseColorPaletteForBackground=0)
view.Background = [1.0, 1.0, 1.0]
# The half of the surface that lies behind the plane.
half = Clip(Input=on_skin, ClipType="Plane", Invert=1)
half.ClipType.Origin, half.ClipType.Normal = centre.tolist(), [1, 0, 0]
shown = Show(half, view)
ColorBy(shown, ("POINTS", "Field", "Magnitude"))
colours = GetColorTransferFunction("Field")
colours.ApplyPreset("Viridis", True)
colours.RescaleTransferFunction(float(pull.min()), float(pull.max()))
shown.SetScalarBarVisibility(view, True)
bar = GetScalarBar(colours, view)
bar.Title, bar.ComponentTitle = "Acceleration (nm/s^2)", ""
bar.TitleColor = bar.LabelColor = [0.1, 0.1, 0.1]
in_plane.UpdatePipeline()
deepest, highest = in_plane.PointData["Potential"].GetRange()
levels = np.linspace(deepest, highest, 16)[1:-1].tolist()
isolines = Show(Contour(Input=in_plane, ContourBy=["POINTS", "Potential"], Isosurfaces=levels), view)
isolines.ColorArrayName = ["POINTS", ""]
isolines.AmbientColor = isolines.DiffuseColor = [0.1, 0.1, 0.1]
isolines.LineWidth = 1.5
view.CameraPosition = (centre + [2.1 * size, -0.8 * size, 0.5 * size]).tolist()
view.CameraFocalPoint, view.CameraViewUp = centre.tolist(), [0, 0, 1]
ResetCamera(view)
GetActiveCamera().Zoom(1.4)
SaveScreenshot(f"{folder}/surface_gravity.png", view)
