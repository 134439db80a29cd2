#ifndef SpanwiseSteppedFrames_h
#define SpanwiseSteppedFrames_h

// The frames of a source or filter that steps in time, and requests for them. Not wrapped.

#include "SpanwiseFrameProperties.h"
#include "SpanwiseRankGroup.h"
#include "spanwiseParallelModule.h"

#include "Core/Parallel/Stepping.hpp"

#include <cstdint>
#include <memory>
#include <string>

class vtkAlgorithm;
class vtkInformation;
class vtkInformationVector;

namespace spanwise {

/// Frames are the time steps of the outputs, from time 0 on, at a distance that the owner says. A request is for the
/// frame at its time or before; it computes those that are not there yet, and gives the last one that is done where it
/// is stopped or has taken longer than was chosen. The next one goes on from there.
///
/// Where somebody looks on (FrameChoice::isLive) a request is for the newest frame, or one more after goOn().
///
/// Where a checkpoint file is chosen, the frame that a request gives is written there with all that is needed to go on,
/// but for the first one of the run, and if none as late has been written. Where a checkpoint is chosen to start from,
/// its frame is the first: a request for an earlier one gets that.
///
/// The owner calls list() in RequestInformation, ask() before and sayTime() after its work in RequestData, and in the
/// work setStorage(), start() where the frames are not those of its input and properties or do not begin as is chosen
/// (beginAs()), and moveToAsked().
class SPANWISEPARALLEL_EXPORT SteppedFrames {
public:
  /// Gives all outputs as many time steps, at least 1 and at most `maxFrames`. O(count).
  static void list(vtkInformationVector* outputs, int count, double timePerFrame);

  /// In RequestUpdateExtent: all outputs are made at once, for the piece and the time that one of them is asked for.
  /// Inputs are asked for their first time, the start: times of the outputs are not theirs.
  static void passRequest(
    vtkInformation* request, vtkInformationVector** inputs, int numInputPorts, vtkInformationVector* outputs);

  /// Notes which of `count` frames an output is asked for: the first one if for no time.
  void ask(vtkInformation* output, int count, double timePerFrame);
  /// Tells whoever gets the outputs' data which time they are of.
  void sayTime(vtkInformationVector* outputs, double timePerFrame) const;

  /// On all ranks: the next live request computes one more frame.
  void goOn() { goesOn_ = true; }
  /// How many of `count` frames such requests have not computed yet. 0 as well while one was asked to and has not: it
  /// failed, was stopped, or nobody has made it, and to ask again would not help.
  [[nodiscard]] int numLeft(int count) const;

  /// Collective. Stepping::setStorage(). If that is a change, frames beyond those that were chosen are forgotten first.
  void setStorage(const RankGroup& group, const FrameChoice& choice);

  /// Forgets all frames, the same on all ranks.
  void clear() { stepping_.truncate(stepping_.frames().begin()); }
  [[nodiscard]] bool empty() const { return stepping_.frames().empty(); }
  /// Collective. Whether the frames that there are begin with what is chosen.
  [[nodiscard]] bool beginAs(const RankGroup& group, const FrameChoice& choice) const;
  /// Collective. Stepping::start(), or restart() if a checkpoint of `run` is chosen. `run` says which run it is, in
  /// words, the same on all ranks: input and settings, all that decides about the frames. Throws also where the
  /// checkpoint's frame is not among as many frames as are chosen.
  void start(const RankGroup& group, parallel::Stepper& stepper, const FrameChoice& choice, const std::string& run);

  /// Collective. Computes frames up to the one that was asked for, as Stepping::moveTo(), and writes the one that is
  /// given into the checkpoint file. Where the user stops that
  /// (AbortExecute), what is downstream is not stopped: it gets the frame that is given. Where time is up, `algorithm`
  /// says so in a warning, once after each start(). Throws what moveTo() and checkpoint() throw, also Cancelled where
  /// an input was stopped.
  void moveToAsked(vtkAlgorithm* algorithm, const RankGroup& group, parallel::Stepper& stepper,
    const FrameChoice& choice, const Progress& progress);

  /// The number of the frame that the request gets.
  [[nodiscard]] std::int64_t given() const { return given_; }
  /// Collective. This rank's part of it; Stepping::frame().
  [[nodiscard]] std::shared_ptr<const KeptFrame> frame(const RankGroup& group) const {
    return stepping_.frame(group.communicator(), given_);
  }

  /// Collective. Brings the stepper's state there, for whoever reads that rather than the frame; Stepping::goTo().
  void goToGiven(const RankGroup& group, parallel::Stepper& stepper) {
    stepping_.goTo(group.communicator(), stepper, given_);
  }

  /// Collective. Stepping::handOver().
  void handOver(const RankGroup& group, const parallel::Stepper& from, parallel::Stepper& to) {
    group.agree([&] { stepping_.handOver(from, to); });
  }

private:
  void writeCheckpoint(const RankGroup& group, const parallel::Stepper& stepper, const FrameChoice& choice);

  parallel::Stepping stepping_;
  std::int64_t asked_ = 0;
  std::int64_t given_ = 0;
  bool goesOn_ = false;
  bool saidSo_ = false; ///< that the answer is another frame
  std::string run_;
  std::string restart_;       ///< what the frames begin with
  std::string checkpoint_;    ///< the file that was written
  std::int64_t written_ = -1; ///< and the frame in it
};

} // namespace spanwise

#endif
