#ifndef SpanwiseSteppedFrames_h
#define SpanwiseSteppedFrames_h

// The frames of a source or filter that steps in time, and requests for them. Not wrapped.

#include "SpanwiseFrameProperties.h"
#include "SpanwiseRankGroup.h"
#include "spanwiseParallelModule.h"

#include "Core/Parallel/Stepping.hpp"

#include <cstdint>
#include <memory>

class vtkAlgorithm;
class vtkInformation;
class vtkInformationVector;

namespace spanwise {

/// Frames are the time steps of the outputs, from time 0 on, at a distance that the owner says. A request is for the
/// frame at its time or before; it computes those that are not there yet, and gives the last one that is done where it
/// is stopped or has taken longer than was chosen. The next one goes on from there.
///
/// The owner calls list() in RequestInformation, ask() before and sayTime() after its work in RequestData, and in the
/// work setStorage(), start() where the frames are not those of its input and properties, and moveToAsked().
class SPANWISEPARALLEL_EXPORT SteppedFrames {
public:
  /// Gives all outputs as many time steps, at least 1 and at most `maxFrames`. O(count).
  static void list(vtkInformationVector* outputs, int count, double timePerFrame);

  /// Notes which of `count` frames an output is asked for: the first one if for no time.
  void ask(vtkInformation* output, int count, double timePerFrame);
  /// Tells whoever gets the outputs' data which time they are of.
  void sayTime(vtkInformationVector* outputs, double timePerFrame) const;

  /// Collective. Stepping::setStorage(). If that is a change, frames beyond those that were chosen are forgotten first.
  void setStorage(const RankGroup& group, const FrameChoice& choice);

  /// Forgets all frames, the same on all ranks.
  void clear() { stepping_.truncate(stepping_.frames().begin()); }
  [[nodiscard]] bool empty() const { return stepping_.frames().empty(); }
  /// Collective. Stepping::start().
  void start(const RankGroup& group, parallel::Stepper& stepper);

  /// Collective. Computes frames up to the one that was asked for, as Stepping::moveTo(). Where the user stops that
  /// (AbortExecute), what is downstream is not stopped: it gets the frame that is given. Where time is up, `algorithm`
  /// says so in a warning, once after each start(). Throws what moveTo() throws, also Cancelled where an input was
  /// stopped.
  void moveToAsked(vtkAlgorithm* algorithm, const RankGroup& group, parallel::Stepper& stepper,
    const FrameChoice& choice, const Progress& progress);

  /// The number of the frame that the request gets.
  [[nodiscard]] std::int64_t given() const { return given_; }
  /// Collective. This rank's part of it; Stepping::frame().
  [[nodiscard]] std::shared_ptr<const KeptFrame> frame(const RankGroup& group) const {
    return stepping_.frame(group.communicator(), given_);
  }

private:
  parallel::Stepping stepping_;
  std::int64_t asked_ = 0;
  std::int64_t given_ = 0;
  bool saidSo_ = false; ///< that the answer is another frame
};

} // namespace spanwise

#endif
