#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Progress.hpp"

#include <vector>

namespace spanwise::geometry {

/// A Boolean operation on two sets. The value is its truth table: bit (a + 2 b) tells whether a cell that is in A (a =
/// 1 or 0) and in B (b = 1 or 0) is in the result.
enum class SetOperation : unsigned {
  Intersection = 0b1000,
  Union = 0b1110,
  Difference = 0b0010,          ///< A without B
  SymmetricDifference = 0b0110, ///< in one of the two, not in both
};

/// out = A op B.
///
/// Cost: O(rows + intervals) of both inputs. On the host one merging pass, cut into as many parts as there are threads;
/// on a device count, scan and fill over equal parts of the merged endpoints. The result does not depend on the number
/// of threads. The memory of `out` is used again (IntervalSet) and a repeated call allocates nothing, unless `out` is
/// one of the inputs: then it gets arrays of its own. `out` may be up to as large as both inputs together; compacted()
/// gives back what is reserved.
template <class ExecutionSpace, int Dim>
void combine(const Context<ExecutionSpace>& context, SetOperation operation,
  const IntervalSetOn<Dim, ExecutionSpace>& a, const IntervalSetOn<Dim, ExecutionSpace>& b,
  IntervalSetOn<Dim, ExecutionSpace>& out);

/// out = the operation over a list of sets at once.
///
/// Union, Intersection and SymmetricDifference (cells in an odd number of the sets) take the sets in any order;
/// Difference is the first set without all others. An empty list gives the empty set, a list of one that set with
/// shared arrays. The sets are combined as a balanced tree: O(log(number of sets) times the intervals); what is between
/// lies in the context's workspace, at most twice the sets. `out` must not be an element of the list, but may share
/// arrays with one. A repeated call allocates nothing. Throws Cancelled, with `out` empty, when `progress` says so.
template <class ExecutionSpace, int Dim>
void combine(const Context<ExecutionSpace>& context, SetOperation operation,
  const std::vector<IntervalSetOn<Dim, ExecutionSpace>>& sets, IntervalSetOn<Dim, ExecutionSpace>& out);

/// out = the cells of `box` that are not in A. Throws InvalidArgument if the box has more than 2^63 - 1 cells or
/// maxMadeRows (2^30) rows. O(rows of the box + rows + intervals of A). `out` may be A; otherwise a repeated call
/// allocates nothing.
template <class ExecutionSpace, int Dim>
void complement(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& a,
  const Box<Dim>& box, IntervalSetOn<Dim, ExecutionSpace>& out);

} // namespace spanwise::geometry
