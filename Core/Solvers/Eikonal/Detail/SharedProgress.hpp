#pragma once

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Progress.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <span>

namespace spanwise::eikonal {

/// What ranks agree on between iterations, in one reduction: the least of some numbers, and whether one of them was
/// asked to stop.
class SharedProgress {
public:
  explicit SharedProgress(const Communicator& communicator) : communicator_(&communicator) {}

  [[nodiscard]] const Communicator& communicator() const { return *communicator_; }

  /// Tells how far this rank is. Who is asked to stop tells the others when they agree next.
  void report(const Progress& progress, double share) {
    try {
      progress.report(share);
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  /// Collective. The least that any rank has of each number. Throws on all ranks what report() has kept on any.
  template <std::size_t count>
  [[nodiscard]] std::array<double, count> least(const std::array<double, count>& mine) {
    std::array<double, count + 1> values{};
    std::copy(mine.begin(), mine.end(), values.begin());
    values[count] = failure_ ? -1.0 : 0.0;
    communicator_->reduce(ReduceBy::Minimum, std::span<double>(values));
    if (values[count] < 0.0) {
      const std::exception_ptr failure = failure_;
      failure_ = nullptr;
      parallel::agreeOn(*communicator_, failure);
    }
    std::array<double, count> all{};
    std::copy_n(values.begin(), count, all.begin());
    return all;
  }

private:
  const Communicator* communicator_;
  std::exception_ptr failure_;
};

} // namespace spanwise::eikonal
