#pragma once

// Brute-force references: a set of cells as a std::set, and random sets from a printed seed.

#include "Core/Geometry/Builders/Cells.hpp"
#include "Core/Geometry/Copy.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/Validation.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Seed.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace spanwise::testing {

template <int Dim>
using CellList = std::set<Cell<Dim>>;

/// The set of a list of cells, made on the host one cell after the other.
template <int Dim>
HostIntervalSet<Dim> toHostSet(const CellList<Dim>& cells) {
  std::vector<RowKey<Dim>> keys;
  std::vector<std::int64_t> offsets;
  std::vector<Interval> intervals;
  for (const Cell<Dim>& cell : cells) {
    const bool newRow = keys.empty() || !(keys.back() == cell.row());
    if (newRow) {
      keys.push_back(cell.row());
      offsets.push_back(static_cast<std::int64_t>(intervals.size()));
    }
    if (!newRow && intervals.back().end == cell.x()) {
      ++intervals.back().end;
    } else {
      intervals.push_back({cell.x(), cell.x() + 1});
    }
  }
  offsets.push_back(static_cast<std::int64_t>(intervals.size()));
  return fromArrays<Dim>(keys, offsets, intervals);
}

/// The set of a list of cells in the memory of `Space`.
template <class Space, int Dim>
IntervalSetOn<Dim, Space> toSet(const CellList<Dim>& cells) {
  IntervalSetOn<Dim, Space> result;
  copy(toHostSet<Dim>(cells), result);
  return result;
}

/// The cells of a set, one by one.
template <int Dim, class MemorySpace>
CellList<Dim> toCells(const IntervalSet<Dim, MemorySpace>& set) {
  HostIntervalSet<Dim> host;
  copy(set, host);
  const IntervalSetView<Dim> view = host.view();
  CellList<Dim> cells;
  for (std::int64_t r = 0; r < view.numRows; ++r) {
    for (std::int64_t i = view.rowOffsets[r]; i < view.rowOffsets[r + 1]; ++i) {
      for (Coordinate x = view.intervals[i].begin; x < view.intervals[i].end; ++x) {
        if constexpr (Dim == 2) {
          cells.insert({{x, view.rowKeys[r].y}});
        } else {
          cells.insert({{x, view.rowKeys[r].y, view.rowKeys[r].z}});
        }
      }
    }
  }
  return cells;
}

/// All cells of a box.
template <int Dim>
CellList<Dim> allCells(const Box<Dim>& box) {
  CellList<Dim> cells;
  Cell<Dim> cell{};
  const auto along = [&](auto& self, int axis) -> void {
    for (Coordinate c = box.begin[axis]; c < box.end[axis]; ++c) {
      cell.at[axis] = c;
      axis == 0 ? static_cast<void>(cells.insert(cell)) : self(self, axis - 1);
    }
  };
  along(along, Dim - 1);
  return cells;
}

/// All cells of [begin, end)^Dim.
template <int Dim>
CellList<Dim> allCells(Coordinate begin, Coordinate end) {
  Box<Dim> box{};
  std::fill_n(box.begin, Dim, begin);
  std::fill_n(box.end, Dim, end);
  return allCells<Dim>(box);
}

/// Random cells in [-extent, extent)^Dim, each there with probability `density`.
template <int Dim>
CellList<Dim> randomCells(std::mt19937& random, Coordinate extent, double density) {
  std::bernoulli_distribution inside(density);
  CellList<Dim> cells = allCells<Dim>(-extent, extent);
  std::erase_if(cells, [&](const Cell<Dim>&) { return !inside(random); });
  return cells;
}

/// Rows of intervals like those of the published figures: gaps and lengths 1 to 16.
template <int Dim>
HostIntervalSet<Dim> noise(unsigned seedNumber, int numRows, int perRow) {
  std::mt19937 random(seedNumber);
  std::uniform_int_distribution<Coordinate> length(1, 16);
  std::vector<RowKey<Dim>> keys;
  std::vector<std::int64_t> offsets{0};
  std::vector<Interval> intervals;
  for (int r = 0; r < numRows; ++r) {
    Coordinate x = -perRow * 4;
    keys.push_back(RowKey<Dim>::fromYZ(Dim == 2 ? r : r % 32, r / 32));
    for (int k = 0; k < perRow; ++k) {
      x += length(random);
      const Coordinate end = x + length(random);
      intervals.push_back({x, end});
      x = end;
    }
    offsets.push_back(static_cast<std::int64_t>(intervals.size()));
  }
  return fromArrays<Dim>(keys, offsets, intervals);
}

/// 512 rows of 128 such intervals in the memory of `Space`.
template <class Space, int Dim>
IntervalSetOn<Dim, Space> noiseOn(unsigned seedNumber) {
  IntervalSetOn<Dim, Space> set;
  copy(noise<Dim>(seedNumber, 512, 128), set);
  return set;
}

/// Expects a valid set with just these cells.
template <class Space, int Dim>
void expectCells(const IntervalSetOn<Dim, Space>& set, const CellList<Dim>& expected) {
  EXPECT_EQ(validate(Context<Space>(), set), "");
  EXPECT_EQ(set.numCells(), static_cast<std::int64_t>(expected.size()));
  EXPECT_TRUE(toCells(set) == expected);
}

} // namespace spanwise::testing
