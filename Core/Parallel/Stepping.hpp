#pragma once

#include "Core/Runtime/Communicator.hpp"
#include "Core/Runtime/FrameArrays.hpp"
#include "Core/Runtime/KeptFrames.hpp"
#include "Core/Runtime/Progress.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <string>

namespace spanwise::parallel {

/// A time-dependent solver as Stepping moves it on: a state that goes from frame to frame. On ranks all functions are
/// collective, and throw on all ranks alike.
class Stepper {
public:
  virtual ~Stepper() = default;

  /// Goes on by one frame. Where it throws, also Cancelled, the state may be anything.
  virtual void advance(const Progress& progress) = 0;
  /// Fills in the time and the bytes (FrameWriter) of the frame that the state is at. Its number is there already.
  virtual void store(KeptFrame& frame) = 0;
  /// Goes to a frame that was stored: what comes then has the same bits as if the state had never left it.
  virtual void restore(const KeptFrame& frame, const Progress& progress) = 0;

  /// What a checkpoint of a frame is to hold beside it: what the solver tells of the frames up to this one and does not
  /// find in it, such as totals for a report. Not collective; ranks may write different amounts.
  virtual void storeHistory(std::int64_t /*number*/, FrameWriter& /*to*/) const {}
  /// Reads that again, before restore() of the frame.
  virtual void restoreHistory(std::int64_t /*number*/, FrameReader& /*from*/) {}
};

/// Files of a checkpoint, and the run that they are of (writeCheckpoint()).
struct CheckpointFiles {
  std::string path;
  std::string run;
};

/// Collective. Writes the state that a stepper is at, and all of its history, into files as frame `number`; for
/// programs that keep no frames. Throws what writeCheckpoint() throws.
void checkpoint(const Communicator& communicator, Stepper& stepper, const CheckpointFiles& files, std::int64_t number);
/// Collective. Brings a stepper to the frame in the files, with its history, and returns that. Throws what
/// readCheckpoint() throws, before anything has changed.
KeptFrame restart(
  const Communicator& communicator, Stepper& stepper, const CheckpointFiles& files, const Progress& progress = {});

/// Moves a solver from frame to frame and keeps them, so that each is computed once. Every rank keeps its own part of
/// each frame, and all have the same numbers of them.
///
/// Between calls nothing runs. Live use is to ask for one more frame, moveTo(..., frames().end(), ...), again and
/// again, and a pause is not to ask.
class Stepping {
public:
  /// Collective. KeptFrames::setStorage() on each rank; throws on all ranks alike.
  void setStorage(const Communicator& communicator, const FrameStorage& storage);

  /// Collective. Forgets all frames, and keeps the stepper's state as frame 0. Throws what store() and
  /// KeptFrames::append() throw; then there are no frames.
  void start(const Communicator& communicator, Stepper& stepper);
  /// Collective. The same from a frame of an earlier run, which keeps its number.
  void restart(const Communicator& communicator, Stepper& stepper, KeptFrame frame, const Progress& progress = {});
  /// Collective. The same from files of checkpoint(): the frames that follow have the bits that they would have had.
  /// Throws what readCheckpoint() throws too, and then there are no frames.
  void restart(
    const Communicator& communicator, Stepper& stepper, const CheckpointFiles& files, const Progress& progress = {});
  /// Collective. Writes a frame that is there, and what the stepper knows of those before (storeHistory()), into files,
  /// in the place of those that are there. Throws what writeCheckpoint() and frame() throw.
  void checkpoint(
    const Communicator& communicator, const Stepper& stepper, const CheckpointFiles& files, std::int64_t number) const;

  /// Collective. Goes on from the last frame up to a number, but after one frame begins none later than `seconds` after
  /// the call. Frames that are there are not computed again. Frames that are done before something is thrown, also on
  /// cancel, are kept, and the next call goes on from the last of them, with the bits of a run that was not
  /// interrupted. Progress is asked at least once a frame. Throws InvalidArgument before start(), and what the stepper
  /// and KeptFrames::append() throw.
  void moveTo(const Communicator& communicator, Stepper& stepper, std::int64_t number, const Progress& progress = {},
    double seconds = std::numeric_limits<double>::infinity());

  /// Collective. Brings the stepper's state to a frame that is there, for whoever reads it from there. Throws what
  /// frame() and restore() throw.
  void goTo(const Communicator& communicator, Stepper& stepper, std::int64_t number, const Progress& progress = {});

  /// What follows is asked of another stepper of the same run, which gets the history up to the last frame, and the
  /// state of a frame when that is next needed. Not collective, but to be called on all ranks.
  void handOver(const Stepper& from, Stepper& to);

  /// The numbers and times of frames.
  [[nodiscard]] const KeptFrames& frames() const { return frames_; }
  /// Collective. This rank's part of a frame, KeptFrames::frame(); throws on all ranks alike.
  [[nodiscard]] std::shared_ptr<const KeptFrame> frame(const Communicator& communicator, std::int64_t number) const;

  /// Forgets the frames from a number on, the same on all ranks. O(frames that are forgotten).
  void truncate(std::int64_t end);

private:
  static constexpr std::int64_t nowhere = -1;

  void keep(const Communicator& communicator, KeptFrame frame);

  KeptFrames frames_;
  std::int64_t at_ = nowhere; ///< the frame that the stepper's state is
};

} // namespace spanwise::parallel
