#pragma once

#include "Core/Geometry/Copy.hpp"
#include "Core/Multilevel/MultilevelField.hpp"
#include "Core/Runtime/FrameArrays.hpp"
#include "Core/Runtime/HostCopy.hpp"

#include <algorithm>
#include <cstdint>

namespace spanwise::multilevel {

/// Puts the sets of a hierarchy into a frame: what a solver on levels is to find again. Copies them to the host. O(rows
/// + intervals).
template <int Dim, class MemorySpace>
void storeLevels(const MultilevelSet<Dim, MemorySpace>& levels, FrameWriter& to) {
  to.number(std::int64_t{levels.numLevels()});
  for (int l = 0; l < levels.numLevels(); ++l) {
    geometry::HostIntervalSet<Dim> host;
    geometry::copy(levels.level(l), host);
    const geometry::IntervalSetView<Dim> set = host.view();
    to.number(set.numRows);
    to.number(set.numIntervals);
    to.number(set.numCells);
    if (set.numCells > 0) {
      std::copy_n(set.rowKeys, set.numRows, to.array<geometry::RowKey<Dim>>(set.numRows).begin());
      std::copy_n(set.rowOffsets, set.numRows + 1, to.array<std::int64_t>(set.numRows + 1).begin());
      std::copy_n(set.intervals, set.numIntervals, to.array<geometry::Interval>(set.numIntervals).begin());
      std::copy_n(set.cellOffsets, set.numIntervals + 1, to.array<std::int64_t>(set.numIntervals + 1).begin());
    }
  }
}

/// levels = what storeLevels() has put there. Throws Error where the frame does not hold as much.
template <int Dim, class MemorySpace>
void restoreLevels(FrameReader& from, MultilevelSet<Dim, MemorySpace>& levels) {
  levels.setNumLevels(static_cast<int>(from.number<std::int64_t>()));
  for (int l = 0; l < levels.numLevels(); ++l) {
    const auto numRows = from.number<std::int64_t>();
    const auto numIntervals = from.number<std::int64_t>();
    const auto numCells = from.number<std::int64_t>();
    geometry::HostIntervalSet<Dim> host;
    if (numCells > 0) {
      const geometry::WritableIntervalSet<Dim> set = host.prepare(numRows, numIntervals);
      std::ranges::copy(from.array<geometry::RowKey<Dim>>(numRows), set.rowKeys);
      std::ranges::copy(from.array<std::int64_t>(numRows + 1), set.rowOffsets);
      std::ranges::copy(from.array<geometry::Interval>(numIntervals), set.intervals);
      std::ranges::copy(from.array<std::int64_t>(numIntervals + 1), set.cellOffsets);
      host.finish({numRows, numIntervals, numCells});
    }
    geometry::copy(host, levels.level(l));
  }
}

/// Puts the values of a hierarchy's cells into a frame, all components. Copies them to the host. O(values).
template <int Dim, class T, class MemorySpace>
void storeField(
  const MultilevelSet<Dim, MemorySpace>& levels, const MultilevelField<T, MemorySpace>& field, FrameWriter& to) {
  to.number(std::int64_t{field.numComponents()});
  for (int l = 0; l < levels.numLevels(); ++l) {
    const std::int64_t numCells = levels.level(l).numCells();
    const auto values = field.level(l).view(); // in columns, as all fields on levels
    for (int c = 0; c < field.numComponents() && numCells > 0; ++c) {
      copyBetween<MemorySpace, Kokkos::HostSpace>(values.address(0, c), numCells, to.array<T>(numCells).data());
    }
  }
}

/// field = what storeField() has put there, of these levels. Throws Error where the frame does not hold as much.
template <int Dim, class T, class MemorySpace>
void restoreField(
  FrameReader& from, const MultilevelSet<Dim, MemorySpace>& levels, MultilevelField<T, MemorySpace>& field) {
  const auto numComponents = static_cast<int>(from.number<std::int64_t>());
  field.setNumComponents(numComponents);
  for (int l = 0; l < levels.numLevels(); ++l) {
    const std::int64_t numCells = levels.level(l).numCells();
    field.level(l).resize(numCells, numComponents);
    const auto values = field.level(l).view();
    for (int c = 0; c < numComponents && numCells > 0; ++c) {
      copyBetween<Kokkos::HostSpace, MemorySpace>(from.array<T>(numCells).data(), numCells, values.address(0, c));
    }
  }
}

} // namespace spanwise::multilevel
