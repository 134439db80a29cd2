"""A source that changes with time changes every filter's output behind it, at the same steps; written, it is read back.

usage: pvpython Steps.py folder
"""

import os
import sys

from paraview import servermanager, simple
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline

STEPS = [0.0, 0.5, 2.0]

INFORMATION = """
executive = self.GetExecutive()
info = executive.GetOutputInformation(0)
info.Set(executive.TIME_STEPS(), {steps}, len({steps}))
info.Set(executive.TIME_RANGE(), [{steps}[0], {steps}[-1]], 2)
"""

DATA = """
from vtkmodules.vtkFiltersSources import {kind}

executive = self.GetExecutive()
info = executive.GetOutputInformation(0)
time = info.Get(executive.UPDATE_TIME_STEP()) if info.Has(executive.UPDATE_TIME_STEP()) else 0.0
made = {kind}()
made.Set{size}(1.0 + time)
{more}
made.Update()
output.ShallowCopy(made.GetOutput())
output.GetInformation().Set(output.DATA_TIME_STEP(), time)
"""


def growing(kind, size, more=""):
    """A polygonal source that grows with time."""
    return simple.ProgrammableSource(
        OutputDataSetType="vtkPolyData",
        Script=DATA.format(kind=kind, size=size, more=more),
        ScriptRequestInformation=INFORMATION.format(steps=STEPS),
    )


def size_at(source, time):
    """Cells, or rows of a table, at a time."""
    source.UpdatePipeline(time)
    information = source.GetDataInformation()
    return information.GetNumberOfCells() or information.GetNumberOfRows()


def steps_of(source):
    source.UpdatePipelineInformation()
    information = source.GetClientSideObject().GetOutputInformation(0)
    return list(information.Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS()) or [])


def check(source):
    assert steps_of(source) == STEPS, (source.GetXMLLabel(), steps_of(source))
    sizes = [size_at(source, time) for time in STEPS]
    print(source.GetXMLLabel(), sizes)
    assert 0 < sizes[0] < sizes[1] < sizes[2], (source.GetXMLLabel(), sizes)
    assert size_at(source, STEPS[0]) == sizes[0], "back in time"
    return sizes


disk = growing("vtkDiskSource", "OuterRadius", "made.SetInnerRadius(0.5)")
sphere = growing("vtkSphereSource", "Radius")
flat = simple.SpanwisePolygonsToIntervals(Input=disk, Spacing=[0.05, 0.05, 0.05])
solid = simple.SpanwiseSurfaceToIntervals(Input=sphere, Spacing=[0.2, 0.2, 0.2])
box = simple.SpanwiseIntervalShape(Shape="Box", Corner=[0, -9, -9], Lengths=[9, 18, 18], Spacing=[0.2, 0.2, 0.2])
check(flat)
in_time = check(solid)
check(simple.SpanwiseSetAlgebra(Input=[solid, box], Operation="Intersection"))
check(simple.SpanwiseSetExpression(Input=[box, solid], Expression="dilate(B, 1) - A"))
check(simple.SpanwiseExtractRegion(Input=solid, Corner=[0, -9, -9], Lengths=[9, 18, 18]))
explicit = simple.SpanwiseIntervalsToUnstructuredGrid(Input=solid)
check(explicit)
check(simple.SpanwiseGridToIntervals(Input=explicit))
check(simple.SpanwiseIntervalTable(Input=solid))
check(simple.SpanwiseRefineIntervals(Input=solid))
check(simple.SpanwiseEikonalArrivalTime(Input=explicit))
check(simple.SpanwiseEikonalArrivalTime(Input=solid))
check(simple.SpanwiseElementQuality(Input=explicit))
check(simple.SpanwisePartitionMesh(Input=explicit))
check(simple.SpanwiseSmoothMesh(Input=explicit))
check(simple.SpanwiseNBodyPotential(Input=solid, Particles="Cell Centres"))
check(simple.SpanwiseCoarsenIntervals(Input=solid))
check(simple.SpanwiseMorphology(Input=solid, Element="Ball", Radius=2))
check(simple.SpanwiseBoundary(Input=solid))
check(simple.SpanwiseComponents(Input=solid))
check(simple.SpanwiseFillHoles(Input=flat))
image = simple.SpanwiseIntervalsToImage(Input=solid)
check(image)
check(simple.SpanwiseEikonalArrivalTime(Input=image))
check(simple.SpanwiseImageToIntervals(Input=image, Scalars=["CELLS", "Mask"], LowerThreshold=1, UpperThreshold=1))

# N-Body Motion has steps of its own, which start at the input's first.
motion = simple.SpanwiseNBodyMotion(Input=solid, Bodies="Cell Centres", TimeStep=0.5, StepsPerFrame=2, NumberOfFrames=3)
assert steps_of(motion) == [0.0, 1.0, 2.0], steps_of(motion)


def frame(time):
    motion.UpdatePipeline(time)
    return motion.GetDataInformation().GetBounds(), motion[1].GetDataInformation().GetNumberOfRows()


frames = [frame(time) for time in (0.0, 1.0, 2.0)]
assert [rows for _, rows in frames] == [1, 2, 3], frames
assert frames[0] != frames[1] != frames[2] and size_at(motion, 0.0) == size_at(solid, STEPS[0]), frames
assert frame(1.0)[0] == frames[1][0] and frame(0.0)[0] == frames[0][0], "back in time"

# Its report opens no view, which would take the place of the one that bodies are looked at in.
controller = servermanager.vtkSMParaViewPipelineControllerWithRendering()
assert [controller.GetPreferredViewType(motion.SMProxy, port) for port in (0, 1)] == ["RenderView", "None"]

levels = simple.SpanwiseAdaptiveRefinement(Input=image, Scalars=["CELLS", "Mask"], NumberOfLevels=2)
check(levels)
check(simple.SpanwiseEikonalArrivalTime(Input=levels))
check(simple.SpanwiseResampleLevels(Input=levels))

os.makedirs(sys.argv[1], exist_ok=True)
path = os.path.join(sys.argv[1], "steps.icsr")
simple.SaveData(path, solid, WriteAllTimeSteps=1)
assert check(simple.OpenDataFile(path)) == in_time
