#pragma once

#include "Core/Runtime/Error.hpp"

#include <functional>
#include <utility>

namespace spanwise {

/// Thrown by Progress::report when the caller asked to stop. The function that is cancelled leaves its output empty.
class Cancelled : public Error {
public:
  Cancelled() : Error("cancelled by the caller") {}
};

/// How a long loop tells its caller how far it is, and learns that it should stop.
///
/// The callback gets a fraction in [0, 1] on the calling thread and returns false to cancel. A default-made Progress
/// reports to nobody and never cancels.
class Progress {
public:
  using Callback = std::function<bool(double fraction)>;

  Progress() = default;
  explicit Progress(Callback callback) : callback_(std::move(callback)) {}

  /// Reports `fraction` of the work as done. Throws Cancelled when the callback says so.
  void report(double fraction) const {
    if (callback_ && !callback_(begin_ + fraction * (end_ - begin_))) {
      throw Cancelled();
    }
  }

  /// The part [begin, end] of this progress, for a step of a longer job.
  [[nodiscard]] Progress part(double begin, double end) const {
    Progress result(callback_);
    result.begin_ = begin_ + begin * (end_ - begin_);
    result.end_ = begin_ + end * (end_ - begin_);
    return result;
  }

private:
  Callback callback_;
  double begin_ = 0.0;
  double end_ = 1.0;
};

} // namespace spanwise
