"""N-Body Motion at its last frame does not keep somebody waiting at a window, before and after a state file."""

import os
import sys
import time

from paraview import simple

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)

LIMIT = 0.1  # seconds
FRAMES = 20000
# Far more than the limit and a frame beyond it, far less than all frames take: some minutes.
PATIENCE = 20.0


def check(motion, kind):
    """As the window does: it says that somebody waits, and asks for the last frame."""
    motion.SMProxy.GetProperty("Interactive").SetElement(0, 1)
    motion.SMProxy.UpdateVTKObjects()
    motion.UpdatePipelineInformation()
    times = list(motion.TimestepValues)
    assert len(times) == FRAMES, (kind, len(times))
    began = time.monotonic()
    motion.UpdatePipeline(times[-1])
    took = time.monotonic() - began
    frames = simple.servermanager.Fetch(motion, idx=1).GetNumberOfRows()
    print(f"{kind}: {frames} frames in {took:.2f} s")
    assert 1 < frames < FRAMES, (kind, frames)
    assert took < PATIENCE, (kind, took)
    shown = motion.FieldData["N-Body Time"].GetRange()[0]
    step = motion.FieldData["N-Body Time Step"].GetRange()[0]
    assert abs(shown - (frames - 1) * motion.StepsPerFrame * step) < 1e-9 * shown, (kind, shown)
    return frames


def build():
    points = simple.PointSource(NumberOfPoints=2000, Radius=1.0)
    return simple.SpanwiseNBodyMotion(
        registrationName="motion", Input=points, TimeLimit=LIMIT, NumberOfFrames=FRAMES, Method="Direct", TimeStep=1e-4
    )


motion = build()
before = check(motion, "new")
motion.UpdatePipeline(list(motion.TimestepValues)[-1] * 0.5)  # asked again, it goes on where it was
assert simple.servermanager.Fetch(motion, idx=1).GetNumberOfRows() > before

simple.SaveState(os.path.join(folder, "motion.pvsm"))
simple.ResetSession()
simple.LoadState(os.path.join(folder, "motion.pvsm"))
motion = simple.FindSource("motion")
assert motion.TimeLimit == LIMIT and motion.NumberOfFrames == FRAMES
# In no state file: whoever runs it without a window gets the frame that was asked for.
assert motion.SMProxy.GetProperty("Interactive").GetElement(0) == 0
check(motion, "reloaded")

# A change of what is computed starts anew, and keeps the limit.
motion.Softening = 0.2
motion.AutomaticSoftening = 0
check(motion, "changed")
