#pragma once

#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace spanwise {

namespace detail {

/// A cell of the host's memory that kernels on a device can write to, as large as a cache line. A thread that finds
/// none free waits for one.
void* takePinnedCell();
void givePinnedCell(void* cell);
inline constexpr std::size_t pinnedCellBytes = 64;

template <class T>
inline constexpr bool fitsKernelResult = std::is_trivially_copyable_v<T> && sizeof(T) <= pinnedCellBytes;

} // namespace detail

/// A small value that a kernel writes and the host reads after a fence. A device writes it straight into the host's
/// memory: nothing is copied, which would take longer than a small kernel. Allocates nothing but once.
template <class ExecutionSpace, class T>
class KernelResult {
  static_assert(detail::fitsKernelResult<T>);

public:
  KernelResult() {
    if constexpr (!runsOnHost<ExecutionSpace>) {
      cell_ = static_cast<T*>(detail::takePinnedCell());
      *cell_ = T{};
    }
  }
  ~KernelResult() {
    if constexpr (!runsOnHost<ExecutionSpace>) {
      detail::givePinnedCell(cell_);
    }
  }
  KernelResult(const KernelResult&) = delete;
  KernelResult& operator=(const KernelResult&) = delete;

  /// Where kernels write it.
  [[nodiscard]] T* data() { return runsOnHost<ExecutionSpace> ? &value_ : cell_; }
  /// What they have written, after a fence.
  [[nodiscard]] const T& value() const { return runsOnHost<ExecutionSpace> ? value_ : *cell_; }

private:
  T value_{};
  T* cell_ = nullptr;
};

} // namespace spanwise
