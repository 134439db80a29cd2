#pragma once

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace spanwise {

/// Copies of at least so many bytes go through stages. On an H200 and 16 cores of its host 8 MB take 0.8 of the
/// driver's time to the device and 0.7 back, 64 MB a fifth and a third; from 8 MB on to memory that nothing has written
/// yet, whose pages the driver's one thread takes from the system, less than a third.
inline constexpr std::size_t minStagedBytes = std::size_t{8} << 20U;

/// `bytes` from the memory of `space` to the host's, or back, through two pieces of pinned memory, which a device reads
/// and writes while the host's threads fill or empty the other one. A driver does the same with one thread. Nothing of
/// `space` may still be at work on this memory. Waits. False, and nothing is copied, where there is no pinned memory or
/// another thread copies this way. Allocates the pieces (32 MiB) at the first call.
template <class ExecutionSpace>
bool copyToHostInStages(const void* from, std::size_t bytes, void* to);
template <class ExecutionSpace>
bool copyFromHostInStages(const void* from, std::size_t bytes, void* to);

namespace detail {

/// A piece of pinned memory, and the kernels' queue that copies to or from it.
template <class ExecutionSpace, class PinnedSpace>
struct CopyStage {
  ExecutionSpace queue;
  Kokkos::View<char*, PinnedSpace> memory;
};

/// Copies by all threads of the host.
inline void copyByThreads(const char* from, std::size_t bytes, char* to) {
  constexpr std::size_t piece = std::size_t{256} << 10U;
  constexpr std::int64_t bytesOfSmallItem = 64;
  const auto numPieces = static_cast<std::int64_t>((bytes + piece - 1) / piece);
  const HostExecutionSpace host;
  const auto copyPiece = [=](std::int64_t k) {
    const std::size_t first = static_cast<std::size_t>(k) * piece;
    std::memcpy(to + first, from + first, std::min(piece, bytes - first));
  };
  forEach(SPANWISE_KERNEL("stage"), IndexRange<HostExecutionSpace>(host, 0, numPieces), copyPiece,
    {static_cast<std::int64_t>(bytes) / bytesOfSmallItem});
  host.fence(SPANWISE_LABEL("Runtime::stage"));
}

/// A copy that is cut into at least four parts, so that the stages, which they take in turn, are at work side by side.
template <class ExecutionSpace, class PinnedSpace>
class StagedCopy {
public:
  using Stages = std::array<CopyStage<ExecutionSpace, PinnedSpace>, 2>;

  StagedCopy(const Stages& stages, const char* from, std::size_t bytes, char* to)
    : stages_(stages), from_(from), bytes_(bytes), to_(to),
      bytesOfPart_(std::clamp((bytes + 3) / 4, std::size_t{1}, stages[0].memory.extent(0))),
      numParts_((bytes + bytesOfPart_ - 1) / bytesOfPart_) {}

  void toHost() const {
    for (std::size_t part = 0; part < std::min(stages_.size(), numParts_); ++part) {
      fetch(part);
    }
    for (std::size_t part = 0; part < numParts_; ++part) {
      wait(part);
      copyByThreads(memoryOf(part), bytesOf(part), to_ + part * bytesOfPart_);
      if (part + stages_.size() < numParts_) {
        fetch(part + stages_.size());
      }
    }
  }

  void fromHost() const {
    for (std::size_t part = 0; part < numParts_; ++part) {
      wait(part); // for what its memory had before
      copyByThreads(from_ + part * bytesOfPart_, bytesOf(part), memoryOf(part));
      Kokkos::deep_copy(queueOf(part), OnDevice<char>(to_ + part * bytesOfPart_, bytesOf(part)),
        Pinned<const char>(memoryOf(part), bytesOf(part)));
    }
    for (const auto& stage : stages_) {
      stage.queue.fence(SPANWISE_LABEL("Runtime::staged copy"));
    }
  }

private:
  template <class T>
  using OnDevice = Kokkos::View<T*, typename ExecutionSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  template <class T>
  using Pinned = Kokkos::View<T*, PinnedSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  [[nodiscard]] const ExecutionSpace& queueOf(std::size_t part) const { return stages_[part % stages_.size()].queue; }
  [[nodiscard]] char* memoryOf(std::size_t part) const { return stages_[part % stages_.size()].memory.data(); }
  [[nodiscard]] std::size_t bytesOf(std::size_t part) const {
    return std::min(bytesOfPart_, bytes_ - part * bytesOfPart_);
  }
  void wait(std::size_t part) const { queueOf(part).fence(SPANWISE_LABEL("Runtime::staged copy")); }
  void fetch(std::size_t part) const {
    Kokkos::deep_copy(queueOf(part), Pinned<char>(memoryOf(part), bytesOf(part)),
      OnDevice<const char>(from_ + part * bytesOfPart_, bytesOf(part)));
  }

  const Stages& stages_;
  const char* from_;
  std::size_t bytes_;
  char* to_;
  std::size_t bytesOfPart_;
  std::size_t numParts_;
};

} // namespace detail

} // namespace spanwise
