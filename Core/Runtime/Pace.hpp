#pragma once

#include "Core/Runtime/Reduce.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace spanwise {

/// Whether work that comes in many small pieces, one after the other, is worth sharing among threads: found out by the
/// time that pieces take, shared and done by the calling thread alone. Where threads wake slowly, wait for each other's
/// memory, or have to wait for a processor that other programs use, one is faster. What is worse is tried again now and
/// then. For pieces that would be shared if nothing were known; results must not depend on it.
class Pace {
public:
  /// `canShare`: whether there is more than one thread.
  explicit Pace(bool canShare) : canShare_(canShare) {}

  /// Whether the next piece is to be shared. Tests that share little work share all.
  [[nodiscard]] bool shares() const {
    return canShare_ && (detail::littleWork().smallItems == 0 || (left_ > 0 ? sharesNow_ : !sharesNow_));
  }

  /// The piece, of so many items, has taken so long.
  void note(std::int64_t items, double seconds) {
    if (!canShare_ || items <= 0) {
      return;
    }
    constexpr double weight = 0.25;
    double& mean = secondsOfItem_[shares() ? 1 : 0];
    const double now = seconds / static_cast<double>(items);
    mean = mean > 0.0 ? mean + weight * (now - mean) : now;
    if (--left_ > -numTrials) {
      return;
    }
    const double other = secondsOfItem_[sharesNow_ ? 0 : 1];
    if (other < secondsOfItem_[sharesNow_ ? 1 : 0]) {
      sharesNow_ = !sharesNow_;
      stay_ = leastStay;
    } else {
      stay_ = std::min(2 * stay_, mostStay);
    }
    left_ = stay_;
  }

private:
  // So many pieces in one way, then some in the other: a hundredth of them, in the end.
  static constexpr std::int64_t numTrials = 2;
  static constexpr std::int64_t leastStay = 8;
  static constexpr std::int64_t mostStay = 256;

  bool canShare_;
  bool sharesNow_ = true;
  std::int64_t stay_ = leastStay;
  std::int64_t left_ = 2;                ///< pieces in the way that is better, then down to -numTrials in the other
  double secondsOfItem_[2] = {0.0, 0.0}; ///< alone, shared; 0: not known
};

/// Times pieces of work.
class Stopwatch {
public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

} // namespace spanwise
