#pragma once

#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Core/Runtime/Workspace.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace spanwise::eikonal {

/// Numbers that kernels add to, and the caller's copy of them.
template <class ExecutionSpace, int count>
class Counts {
public:
  using Frame = typename Workspace<typename ExecutionSpace::memory_space>::Frame;

  Counts(const ExecutionSpace& space, Frame& frame)
    : space_(space), there_(frame.template array<std::int64_t>(count)) {}

  /// Where kernels find them.
  [[nodiscard]] std::int64_t* data() const { return there_.data(); }

  [[nodiscard]] std::int64_t& operator[](int k) { return here_[k]; }
  [[nodiscard]] std::int64_t operator[](int k) const { return here_[k]; }

  /// Gives kernels the caller's numbers.
  void send() {
    if constexpr (runsOnHost<ExecutionSpace>) { // what copies in Kokkos may allocate
      space_.fence(SPANWISE_LABEL("Eikonal::counts"));
      std::copy_n(here_, count, there_.data());
    } else {
      Kokkos::deep_copy(space_, there_, Here(here_, count));
    }
  }
  /// Waits for the kernels, and gets their numbers.
  void fetch() {
    if constexpr (runsOnHost<ExecutionSpace>) {
      space_.fence(SPANWISE_LABEL("Eikonal::counts"));
      std::copy_n(there_.data(), count, here_);
    } else {
      Kokkos::deep_copy(space_, Here(here_, count), there_);
      space_.fence(SPANWISE_LABEL("Eikonal::counts"));
    }
  }

private:
  using Here = Kokkos::View<std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  const ExecutionSpace& space_;
  typename Workspace<typename ExecutionSpace::memory_space>::template Array<std::int64_t> there_;
  std::int64_t here_[count] = {};
};

} // namespace spanwise::eikonal
