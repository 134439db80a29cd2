"""Two disk galaxies collide: bodies under their own gravity, as an animation.

    pvbatch galaxy_collision.py FOLDER [BODIES]    writes FOLDER/galaxy_collision/*.png, the frames, and six of them as
                                                   FOLDER/galaxy_collision.png; BODIES are 200000 in all

Lengths are in scale lengths of a disk, masses in masses of a disk, and G = 1. Half of the bodies are in the disks, the
others in the dark halos around them, which are not shown. The galaxies are made as in L. Hernquist, N-body realizations
of compound galaxies, Astrophys. J. Suppl. 86, 1993; why tails grow is in A. Toomre and J. Toomre, Galactic bridges and
tails, Astrophys. J. 178, 1972.
"""
import os
import sys

import numpy as np
from paraview.simple import *
from paraview.vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkImageData, vtkPolyData
from vtkmodules.vtkIOImage import vtkPNGReader, vtkPNGWriter
from vtkmodules.vtkIOXML import vtkXMLPolyDataWriter

HEIGHT, EDGE = 0.2, 5.0  # of a disk whose density is exp(-R) sech^2(z / HEIGHT), up to R = EDGE
HALO_MASS, HALO_LENGTH, HALO_EDGE = 5.0, 2.5, 15.0  # of Plummer's sphere
TILTS = (-20.0, 65.0)  # of the disks to the plane of the orbit, in degrees, about the x and the y axis
PERICENTRE, DISTANCE = 2.5, 14.0  # of the parabola that two points as heavy take, and at the start
TIME_STEP, STEPS_PER_FRAME, NUM_FRAMES = 0.2, 4, 50
ACCURACY = 1e-3
IN_PICTURE = (0, 10, 18, 25, 35, 50)  # frames

folder = sys.argv[1] if len(sys.argv) > 1 else "."
num_bodies = int(sys.argv[2]) if len(sys.argv) > 2 else 200000
in_part = num_bodies // 4  # a disk or a halo
# Lengths below it are smoothed out; fewer bodies are less smooth.
softening = 0.1 * (200000 / num_bodies) ** 0.3
random = np.random.default_rng(1993)
os.makedirs(f"{folder}/galaxy_collision", exist_ok=True)


def bodies_of(file, places, **arrays):
    """A source of bodies with arrays, by way of a file."""
    data = vtkPolyData()
    points = vtkPoints()
    points.SetData(numpy_to_vtk(places, deep=True))
    data.SetPoints(points)
    for name, values in arrays.items():
        array = numpy_to_vtk(values, deep=True)
        array.SetName(name)
        data.GetPointData().AddArray(array)
    writer = vtkXMLPolyDataWriter()
    writer.SetFileName(f"{folder}/{file}")
    writer.SetInputData(data)
    assert writer.Write(), f"{folder}/{file} cannot be written"
    return XMLPolyDataReader(FileName=[f"{folder}/{file}"])


def stratified(count):
    """As many numbers within 0 and 1, evenly spread."""
    return (np.arange(count) + 0.5) / count


def disk_velocities(places, accelerations):
    """On circles but for a small dispersion, from Jeans's equations with the accelerations that there are."""
    radii = np.hypot(places[:, 0], places[:, 1])
    outwards = places * [1.0, 1.0, 0.0] / radii[:, None]
    inward_pull = -(accelerations * outwards).sum(axis=1)
    rings = np.array_split(np.argsort(radii), max(8, min(40, len(radii) // 100)))
    radius, circular2, vertical2 = np.array([
        [radii[ring].mean(), (radii * inward_pull)[ring].mean(), -(places * accelerations)[ring, 2].mean()]
        for ring in rings]).T
    rotation2 = circular2 / radius**2
    epicyclic2 = np.clip(np.gradient(radius**2 * circular2, radius) / radius**3, rotation2, 4.0 * rotation2)
    radial2 = 2.25 * vertical2
    azimuthal2 = radial2 * epicyclic2 / (4.0 * rotation2)
    mean = np.sqrt(np.maximum(0.0, circular2 + radial2 * (1.0 - 2.0 * radius) - azimuthal2))
    mean, *spreads = (np.interp(radii, radius, values)[:, None] for values in (
        mean, np.sqrt(radial2), np.sqrt(azimuthal2), np.sqrt(vertical2)))
    along = np.stack([-outwards[:, 1], outwards[:, 0], np.zeros(len(radii))], axis=1)
    radial, azimuthal, vertical = (spread * random.normal(size=(len(radii), 1)) for spread in spreads)
    return radial * outwards + (mean + azimuthal) * along + vertical * [0.0, 0.0, 1.0]


def halo_velocities(places, accelerations, potentials, mass, density):
    """The same in all directions: the pressure at a radius is the weight of all that is outside of it."""
    radii = np.linalg.norm(places, axis=1)
    weight = -(places * accelerations).sum(axis=1) / radii * mass / (4.0 * np.pi * radii**2)
    order = np.argsort(-radii)
    pressure = np.empty(len(radii))
    pressure[order] = np.cumsum(weight[order])
    velocities = np.sqrt(np.maximum(0.0, pressure / density(radii)))[:, None] * random.normal(size=places.shape)
    fastest = 0.95 * np.sqrt(-2.0 * potentials)  # nobody escapes
    return velocities * np.minimum(1.0, fastest / np.linalg.norm(velocities, axis=1))[:, None]


def galaxy():
    """Places, velocities and masses of a disk's bodies, and then of its halo's, at rest together in the origin."""
    grid = np.linspace(0.0, EDGE, 1000)
    within = 1.0 - (1.0 + grid) * np.exp(-grid)
    radii = np.interp(stratified(in_part), within / within[-1], grid)
    angles = random.uniform(0.0, 2.0 * np.pi, in_part)
    heights = HEIGHT * np.arctanh(random.uniform(-1.0, 1.0, in_part))
    disk = np.stack([radii * np.cos(angles), radii * np.sin(angles), heights], axis=1)
    part_within = (1.0 + (HALO_LENGTH / HALO_EDGE) ** 2) ** -1.5
    radii = HALO_LENGTH / np.sqrt((part_within * stratified(in_part)) ** (-2.0 / 3.0) - 1.0)
    directions = random.normal(size=(in_part, 3))
    halo = radii[:, None] * directions / np.linalg.norm(directions, axis=1)[:, None]

    def density(r):
        return (3.0 * HALO_MASS / part_within / (4.0 * np.pi * HALO_LENGTH**3) *
                (1.0 + (r / HALO_LENGTH) ** 2) ** -2.5)

    places = np.concatenate([disk, halo])
    masses = np.repeat([1.0 / in_part, HALO_MASS / in_part], in_part)
    places -= masses @ places / masses.sum()
    summed = SpanwiseNBodyPotential(Input=bodies_of("galaxy.vtp", places, mass=masses), Charges="Array",
                                    ChargeArray=["POINTS", "mass"], Softening=softening, Factor=-1.0, Accuracy=ACCURACY)
    arrays = servermanager.Fetch(summed).GetPointData()
    accelerations, potentials = (vtk_to_numpy(arrays.GetArray(name)) for name in ("Field", "Potential"))
    velocities = np.concatenate([
        disk_velocities(places[:in_part], accelerations[:in_part]),
        halo_velocities(places[in_part:], accelerations[in_part:], potentials[in_part:], HALO_MASS / in_part, density)])
    velocities -= masses @ velocities / masses.sum()
    virial = (masses @ velocities**2).sum() / -(masses @ (places * accelerations)).sum()
    print(f"a galaxy's kinetic energy, twice, is {virial:.3f} times its virial")
    assert abs(virial - 1.0) < 0.05, "the galaxy is not in equilibrium"
    return places, velocities, masses


def turned(vectors, degrees, axis):
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    matrix = [[[1, 0, 0], [0, c, -s], [0, s, c]], [[c, 0, s], [0, 1, 0], [-s, 0, c]]][axis]
    return vectors @ np.array(matrix).T


def collision():
    """Two such galaxies on a parabola around each other, with the array part: 0 and 1 in the disks, 2 and 3 in their
    halos."""
    places, velocities, masses = galaxy()
    cosine = 2.0 * PERICENTRE / DISTANCE - 1.0  # of the angle from the pericentre
    sine = -np.sqrt(1.0 - cosine**2)  # before it
    apart = DISTANCE * np.array([cosine, sine, 0.0])
    speed = np.sqrt(2.0 * masses.sum() / (2.0 * PERICENTRE)) * np.array([-sine, 1.0 + cosine, 0.0])
    return bodies_of(
        "galaxies.vtp",
        np.concatenate([turned(places, TILTS[k], k) + (k - 0.5) * apart for k in (0, 1)]),
        velocity=np.concatenate([turned(velocities, TILTS[k], k) + (k - 0.5) * speed for k in (0, 1)]),
        mass=np.tile(masses, 2), part=np.repeat([0, 2, 1, 3], in_part).astype(np.uint8))


def pixels(file):
    reader = vtkPNGReader()
    reader.SetFileName(file)
    reader.Update()
    image = reader.GetOutput()
    width, height, _ = image.GetDimensions()
    return vtk_to_numpy(image.GetPointData().GetScalars()).reshape(height, width, -1)[:, :, :3]


def save(colours, file):
    image = vtkImageData()
    image.SetDimensions(colours.shape[1], colours.shape[0], 1)
    image.GetPointData().SetScalars(numpy_to_vtk(colours.astype(np.uint8).reshape(-1, 3), deep=True))
    writer = vtkPNGWriter()
    writer.SetFileName(file)
    writer.SetInputData(image)
    writer.Write()


motion = SpanwiseNBodyMotion(Input=collision(), Masses="Array", MassArray=["POINTS", "mass"], Velocities="Array",
                             VelocityArray=["POINTS", "velocity"], AutomaticSoftening=0, Softening=softening,
                             TimeStep=TIME_STEP, StepsPerFrame=STEPS_PER_FRAME, NumberOfFrames=NUM_FRAMES + 1,
                             Method="Fast Multipole", Accuracy=ACCURACY)
disks = Threshold(Input=motion, Scalars=["POINTS", "part"], LowerThreshold=0, UpperThreshold=1)
view = CreateRenderView(ViewSize=[800, 600], OrientationAxesVisibility=0, UseColorPaletteForBackground=0)
view.Background = [0.0, 0.0, 0.0]
view.CameraParallelProjection, view.CameraParallelScale = 1, 18.0
view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [0, 0, 50], [0, 0, 0], [1, 0, 0]
# Light adds up, and fewer bodies are larger.
shown = Show(disks, view, Representation="Point Gaussian", ShaderPreset="Gaussian Blur", Emissive=1,
             GaussianRadius=0.05 * (200000 / num_bodies) ** 0.4)
ColorBy(shown, ("POINTS", "part"))
shown.SetScalarBarVisibility(view, False)
GetColorTransferFunction("part").RGBPoints = [0.0, 0.06, 0.1, 0.2, 1.0, 0.2, 0.1, 0.05]
for frame in range(NUM_FRAMES + 1):
    GetAnimationScene().AnimationTime = frame * TIME_STEP * STEPS_PER_FRAME
    SaveScreenshot(f"{folder}/galaxy_collision/{frame:04d}.png", view)

report = servermanager.Fetch(motion, idx=1)
energy, momentum = (vtk_to_numpy(report.GetColumnByName(f"{name} Drift")) for name in ("Energy", "Momentum"))
print(f"{4 * in_part} bodies, {NUM_FRAMES * STEPS_PER_FRAME} steps of {TIME_STEP}, softened by {softening:.2f}: the "
      f"energy drifts by {100 * abs(energy).max():.2f} %, the momentum by {momentum.max():.1e} of what moves")
assert len(energy) == NUM_FRAMES + 1 and abs(energy).max() <= 0.01, "the energy drifts"
assert momentum.max() <= ACCURACY, "the momentum is not kept as accurately as forces are summed"

half = {k: pixels(f"{folder}/galaxy_collision/{k:04d}.png").reshape(300, 2, 400, 2, 3).mean(axis=(1, 3))
        for k in IN_PICTURE}
rows = [np.concatenate([half[k] for k in IN_PICTURE[first:first + 3]], axis=1) for first in (3, 0)]  # from below
save(np.concatenate(rows), f"{folder}/galaxy_collision.png")
