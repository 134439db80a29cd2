#include "Core/Parallel/Stepping.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/Checkpoint.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

namespace spanwise::parallel {

namespace {

/// A checkpoint is a frame of its own: how many bytes the frame has, these, and the history up to a frame.
void write(const Communicator& communicator, const Stepper& stepper, const CheckpointFiles& files,
  const KeptFrame& frame, std::int64_t upTo) {
  KeptFrame whole;
  agree(communicator, [&] {
    whole.number = frame.number;
    whole.time = frame.time;
    FrameWriter writer(whole, frame.bytes.size() + sizeof(std::int64_t));
    writer.number(static_cast<std::int64_t>(frame.bytes.size()));
    const auto bytes = writer.array<std::byte>(static_cast<std::int64_t>(frame.bytes.size()));
    std::copy(frame.bytes.begin(), frame.bytes.end(), bytes.begin());
    stepper.storeHistory(upTo, writer);
  });
  writeCheckpoint(communicator, files.path, files.run, whole);
}

} // namespace

void checkpoint(const Communicator& communicator, Stepper& stepper, const CheckpointFiles& files, std::int64_t number) {
  KeptFrame frame;
  frame.number = number;
  stepper.store(frame);
  write(communicator, stepper, files, frame, std::numeric_limits<std::int64_t>::max());
}

KeptFrame restart(
  const Communicator& communicator, Stepper& stepper, const CheckpointFiles& files, const Progress& progress) {
  const KeptFrame whole = readCheckpoint(communicator, files.path, files.run);
  KeptFrame frame;
  agree(communicator, [&] {
    frame.number = whole.number;
    frame.time = whole.time;
    FrameReader reader(whole);
    const auto bytes = reader.array<std::byte>(reader.number<std::int64_t>());
    frame.bytes = FrameBytes(bytes);
    stepper.restoreHistory(whole.number, reader);
  });
  stepper.restore(frame, progress);
  return frame;
}

void Stepping::setStorage(const Communicator& communicator, const FrameStorage& storage) {
  agree(communicator, [&] { frames_.setStorage(storage); });
}

void Stepping::start(const Communicator& communicator, Stepper& stepper) {
  frames_.clear();
  at_ = nowhere;
  KeptFrame frame;
  stepper.store(frame);
  keep(communicator, std::move(frame));
}

void Stepping::restart(const Communicator& communicator, Stepper& stepper, KeptFrame frame, const Progress& progress) {
  frames_.clear();
  at_ = nowhere;
  stepper.restore(frame, progress);
  keep(communicator, std::move(frame));
}

void Stepping::checkpoint(
  const Communicator& communicator, const Stepper& stepper, const CheckpointFiles& files, std::int64_t number) const {
  write(communicator, stepper, files, *frame(communicator, number), number);
}

void Stepping::restart(
  const Communicator& communicator, Stepper& stepper, const CheckpointFiles& files, const Progress& progress) {
  frames_.clear();
  at_ = nowhere;
  keep(communicator, parallel::restart(communicator, stepper, files, progress));
}

/// Keeps the frame that the stepper is at, on all ranks or on none.
void Stepping::keep(const Communicator& communicator, KeptFrame frame) {
  const std::int64_t number = frame.number;
  try {
    agree(communicator, [&] { frames_.append(std::move(frame)); });
  } catch (...) {
    frames_.truncate(number);
    throw;
  }
  at_ = number;
}

void Stepping::goTo(const Communicator& communicator, Stepper& stepper, std::int64_t number, const Progress& progress) {
  if (at_ != number) {
    const std::shared_ptr<const KeptFrame> there = frame(communicator, number);
    at_ = nowhere;
    stepper.restore(*there, progress);
    at_ = number;
  }
}

void Stepping::handOver(const Stepper& from, Stepper& to) {
  at_ = nowhere;
  if (frames_.empty()) {
    return;
  }
  KeptFrame history;
  history.number = frames_.end() - 1;
  FrameWriter writer(history);
  from.storeHistory(history.number, writer);
  FrameReader reader(history);
  to.restoreHistory(history.number, reader);
}

void Stepping::moveTo(
  const Communicator& communicator, Stepper& stepper, std::int64_t number, const Progress& progress, double seconds) {
  if (frames_.empty()) {
    throw InvalidArgument("there is no frame to go on from: start the run first");
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto isLate = [&] { // of the slowest rank
    const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - begin;
    return communicator.reduced(ReduceBy::Maximum, gone.count()) > seconds;
  };
  const std::int64_t first = frames_.end();
  if (first <= number) { // it may have been stopped on its way, or be read
    goTo(communicator, stepper, first - 1, progress.part(0.0, 0.0));
  }
  for (std::int64_t next = first; next <= number; ++next) {
    if (next > first && isLate()) {
      return;
    }
    const auto share = [&](std::int64_t k) {
      return static_cast<double>(k - first) / static_cast<double>(number + 1 - first);
    };
    const Progress ofFrame = progress.part(share(next), share(next + 1));
    agree(communicator, [&] { ofFrame.report(0.0); });
    at_ = nowhere;
    stepper.advance(ofFrame);
    KeptFrame frame;
    frame.number = next;
    stepper.store(frame);
    keep(communicator, std::move(frame));
  }
}

void Stepping::truncate(std::int64_t end) {
  if (end < frames_.end()) {
    frames_.truncate(end);
    at_ = at_ < end ? at_ : nowhere;
  }
}

std::shared_ptr<const KeptFrame> Stepping::frame(const Communicator& communicator, std::int64_t number) const {
  std::shared_ptr<const KeptFrame> frame;
  agree(communicator, [&] { frame = frames_.frame(number); });
  return frame;
}

} // namespace spanwise::parallel
