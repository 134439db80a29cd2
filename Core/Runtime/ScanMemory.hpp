#pragma once

#include <cstddef>

namespace spanwise::detail {

/// Sums of teams, for scans: of so many teams at most, and of so many bytes each.
inline constexpr int maxTeamsOfScan = 1024;
inline constexpr std::size_t maxBytesOfSum = 64;

/// What scans of one execution-space instance share, one after the other.
struct ScanMemory {
  int* numDone; ///< teams; 0 between scans
  void* sums;   ///< [maxTeamsOfScan] of maxBytesOfSum each
};

/// The memory of an instance. Allocated for its first scan, until Kokkos ends.
template <class ExecutionSpace>
ScanMemory scanMemory(const ExecutionSpace& space);

} // namespace spanwise::detail
