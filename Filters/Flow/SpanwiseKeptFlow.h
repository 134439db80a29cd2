#ifndef SpanwiseKeptFlow_h
#define SpanwiseKeptFlow_h

// What a source of a flow keeps from one request to the next. Not wrapped and not installed.

#include "SpanwiseBridge.h"
#include "SpanwiseGoOnOnHost.h"
#include "SpanwiseInputCells.h"
#include "SpanwiseRankGroup.h"
#include "SpanwiseSteppedFrames.h"

#include <vtkAlgorithm.h>
#include <vtkDataObject.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkTable.h>
#include <vtkType.h>

#include <memory>
#include <string>
#include <utility>

namespace spanwise {

/// What a flow goes around, as it was read, and the run that the frames are of.
template <class Run>
struct KeptFlow {
  InputCells obstacle;            ///< the first input's cells; of a surface one with its bounds
  vtkMTimeType obstacleTime = 0;  ///< of the data that they were read from
  std::unique_ptr<Run> run;       ///< that the frames are of
  std::string settings;           ///< of the run
  vtkMTimeType obstacleOfRun = 0; ///< the time of what it goes around

  /// Collective. Whether the run that there is has these settings, goes around what was read last, and begins as is
  /// chosen. If not it is given back with its frames.
  bool stays(const RankGroup& group, SteppedFrames& frames, const FrameChoice& choice, const std::string& asked) {
    // Where there are several ranks, they have all kept a flow or none of them: they made it together.
    const bool isSame = run != nullptr && settings == asked && obstacleOfRun == obstacleTime;
    const bool stay = group.maximum(isSame ? 0 : 1) == 0 && frames.beginAs(group, choice);
    if (!stay) {
      run = nullptr; // gives back memory first
      frames.clear();
    }
    frames.setStorage(group, choice);
    return stay;
  }

  /// Collective. Has a new run, and its first frame.
  void keep(const char* operation, const RankGroup& group, SteppedFrames& frames, const FrameChoice& choice,
    std::unique_ptr<Run> made, const std::string& asked) {
    orGoOnOnHost(
      operation, [&] { return putOnHost(group, frames, made); },
      [&] { frames.start(group, made->stepper(), choice, made->name()); });
    run = std::move(made);
    settings = asked;
    obstacleOfRun = obstacleTime;
  }

  /// Collective. Makes the levels and the report of the frame that `algorithm` was asked for.
  void show(vtkAlgorithm* algorithm, const char* operation, const RankGroup& group, SteppedFrames& frames,
    const FrameChoice& choice, vtkDataObject* levels) {
    const auto showLevels = [&] {
      frames.moveToAsked(algorithm, group, run->stepper(), choice, progressOf(algorithm).part(0.05, 0.95));
      frames.goToGiven(group, run->stepper());
      run->makeLevels(group, vtkPartitionedDataSetCollection::SafeDownCast(levels));
    };
    orGoOnOnHost(operation, [&] { return putOnHost(group, frames, run); }, showLevels);
    if (group.rank() == 0) {
      run->makeReport(vtkTable::SafeDownCast(algorithm->GetOutputDataObject(1)));
    }
  }
};

} // namespace spanwise

#endif
