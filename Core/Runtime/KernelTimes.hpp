#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace spanwise {

/// What the launches of a kernel took together.
struct KernelTime {
  std::string region; ///< the public function around the kernel, "" for none
  std::string kernel; ///< its label
  std::int64_t numLaunches = 0;
  double seconds = 0.0;
};

/// Measures the kernels that Kokkos launches while it lives, of Spanwise and of anybody else, by Kokkos's tool
/// callbacks. All of Kokkos's work is waited for before and after each kernel, so that its time is its own: a program
/// runs slower meanwhile. Work on so few items that it is done without a launch is not seen. A tool that the user has
/// loaded goes on getting its callbacks.
class KernelTimes {
public:
  /// Throws RuntimeError where another one lives, or Kokkos does not run.
  KernelTimes();
  ~KernelTimes();
  KernelTimes(const KernelTimes&) = delete;
  KernelTimes& operator=(const KernelTimes&) = delete;

  /// What there was so far; what took longest comes first.
  [[nodiscard]] std::vector<KernelTime> times() const;
};

/// What the KernelTimes that lives has measured so far, as its times(); nothing where none does.
std::vector<KernelTime> kernelTimesNow();

/// The times as a table for people.
std::string toString(const std::vector<KernelTime>& times);

} // namespace spanwise
