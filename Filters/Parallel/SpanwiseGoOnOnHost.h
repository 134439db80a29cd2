#ifndef SpanwiseGoOnOnHost_h
#define SpanwiseGoOnOnHost_h

// How a run that steps on the device goes on where that has no memory for it any more. Not wrapped.

#include "SpanwiseRankGroup.h"
#include "SpanwiseSide.h"
#include "SpanwiseSteppedFrames.h"

#include "Core/Parallel/Agree.hpp"

#include <exception>
#include <memory>
#include <utility>

namespace spanwise {

/// Collective. Calls show(), which moves a run to a frame and makes outputs of it. Where the device has not enough
/// memory for that, goOn() puts the run onto the host, and show() is called again: it begins at the last frame that is
/// kept. goOn() returns false where the run is on the host already. `operation` is what the report calls it.
template <class GoOn, class Show>
void orGoOnOnHost(const char* operation, const GoOn& goOn, const Show& show) {
  try {
    show();
    return;
  } catch (...) { // the same on all ranks, as for all collective functions
    if (!parallel::isOutOfMemory(std::current_exception()) || !goOn()) {
      throw;
    }
  }
  noteSide(operation, {ComputeSide::Host, noMemoryOnDevice});
  show();
}

/// Collective. goOn() of a run with a stepper(), and with onHost(): the same run on the host at its start, or null if
/// it is there.
template <class Run>
bool putOnHost(const RankGroup& group, SteppedFrames& frames, std::unique_ptr<Run>& run) {
  std::unique_ptr<Run> there = run->onHost();
  if (there == nullptr) {
    return false;
  }
  frames.handOver(group, run->stepper(), there->stepper());
  run = std::move(there); // gives the device's memory back
  return true;
}

} // namespace spanwise

#endif
