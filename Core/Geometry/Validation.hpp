#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"

#include <string>

namespace spanwise::geometry {

/// The one check of every rule of IntervalSet. Returns an empty string for a valid set; otherwise which rule is broken
/// where, such as "row 3 (y = 7): interval 12 [4, 4) is empty". The place is the first one of the first broken rule.
/// Cost: O(rows + intervals), in parallel.
template <class ExecutionSpace, int Dim>
std::string validate(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set);

/// Arrays that claim to be a set, and their lengths.
template <int Dim>
struct SetArrays {
  const RowKey<Dim>* rowKeys;
  std::int64_t numRows;
  const std::int64_t* rowOffsets;
  std::int64_t numRowOffsets;
  const Interval* intervals;
  std::int64_t numIntervals;
};

/// Checks arrays in the memory of `ExecutionSpace` before a set is made of them: what validate() checks except the cell
/// offsets, which are computed. Never reads past the given lengths.
template <class ExecutionSpace, int Dim>
std::string validateArrays(const Context<ExecutionSpace>& context, const SetArrays<Dim>& arrays);

} // namespace spanwise::geometry
