#pragma once

#include "Testing/Core/Exhaustive.hpp"
#include "Testing/Filters/Geometry/Pipelines.hpp"
#include "Testing/Filters/Sides.hpp"

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace spanwise::testing {

/// Lets one allocation of the device's memory fail, or all from one on, as Kokkos tells of it. Where the host stands in
/// all of Kokkos's memory is the device's. What Kokkos had taken for it is lost.
class FailedAllocation {
public:
  enum class Then { Succeed, Fail };

  /// The k-th one from now on, counted from 0, and what those after it do.
  explicit FailedAllocation(int k, Then others = Then::Succeed) {
    left = k;
    then = others;
    before = Kokkos::Tools::Experimental::get_callbacks();
    Kokkos::Tools::Experimental::set_allocate_data_callback(
      [](Kokkos_Profiling_SpaceHandle space, const char* label, const void* pointer, std::uint64_t bytes) {
        if (bytes > 0 && std::string(space.name) == Kokkos::DefaultExecutionSpace::memory_space::name() &&
          std::string(label).find("Parallel::Messenger") == std::string::npos && // the host's, whatever the device
          left-- <= 0 && (left == -1 || then == Then::Fail)) {
          throw std::runtime_error("Kokkos failed to allocate '" + std::string(label) + "', which a test denies it");
        }
        before.allocate_data(space, label, pointer, bytes);
      });
  }
  ~FailedAllocation() { Kokkos::Tools::Experimental::set_callbacks(before); }
  FailedAllocation(const FailedAllocation&) = delete;
  FailedAllocation& operator=(const FailedAllocation&) = delete;

  [[nodiscard]] bool hasFailed() const { return left < 0; }

private:
  static inline int left = 0;
  static inline Then then = Then::Succeed;
  static inline Kokkos::Tools::Experimental::EventSet before;
};

/// Numbers that say what an array holds: how many values, and the sum of those that are numbers.
inline void appendDigest(vtkDataArray* array, std::vector<double>& digest) {
  double sum = 0.0;
  for (vtkIdType t = 0; array != nullptr && t < array->GetNumberOfTuples(); ++t) {
    for (int c = 0; c < array->GetNumberOfComponents(); ++c) {
      const double value = array->GetComponent(t, c);
      sum += std::isfinite(value) ? value : 0.0;
    }
  }
  digest.push_back(array == nullptr ? -1.0 : static_cast<double>(array->GetNumberOfTuples()));
  digest.push_back(sum);
}

/// Calls goOn(begin()) on the device's side, whose memory ends at each allocation of goOn() in turn, at every
/// `stride`-th where not all is tested. begin() makes filters anew, goOn() returns what came out; digest(that) is
/// numbers about it. Expects the numbers that there always are, to `bound` of the largest, and no message of an error.
template <class Begin, class GoOn, class Digest>
void expectSameWithoutMemory(int stride, double bound, const Begin& begin, const GoOn& goOn, const Digest& digest) {
  const Forced forced(SideChoice::Device);
  const std::vector<double> expected = digest(goOn(begin()));
  double largest = 0.0;
  for (const double number : expected) {
    largest = std::max(largest, std::abs(number));
  }
  int numFailed = 0;
  bool hasFailed = true;
  for (int k = 0; hasFailed; k += isExhaustive() ? 1 : stride) {
    SCOPED_TRACE("allocation " + std::to_string(k));
    const Messages messages;
    const auto runWithout = [&] {
      auto begun = begin();
      const FailedAllocation denied(k);
      auto result = goOn(std::move(begun));
      hasFailed = denied.hasFailed();
      return result;
    };
    const std::vector<double> found = digest(runWithout());
    numFailed += hasFailed ? 1 : 0;
    EXPECT_TRUE(messages.all().empty()) << messages.all()[0];
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t n = 0; n < found.size(); ++n) {
      EXPECT_NEAR(found[n], expected[n], bound * largest) << "number " << n;
    }
  }
  EXPECT_GT(numFailed, 0) << "nothing was allocated";
}

/// The same of run() from the first allocation on.
template <class Run, class Digest>
void expectSameWithoutMemory(int stride, double bound, const Run& run, const Digest& digest) {
  expectSameWithoutMemory(stride, bound, [] { return 0; }, [&](int /*begun*/) { return run(); }, digest);
}

/// The same of run() that returns arrays, of those of these names.
template <class Run>
void expectSameArraysWithoutMemory(const std::vector<std::string>& names, int stride, double bound, const Run& run) {
  expectSameWithoutMemory(stride, bound, run, [&](const vtkSmartPointer<vtkFieldData>& arrays) {
    std::vector<double> digest;
    for (const std::string& name : names) {
      appendDigest(arrays->GetArray(name.c_str()), digest);
    }
    return digest;
  });
}

} // namespace spanwise::testing
