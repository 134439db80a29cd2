#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/ValueRange.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::field {

/// Which cells a threshold keeps, by a value of each.
struct ThresholdRule {
  /// Instead of a component: the Euclidean length of all components, computed in double; the absolute value of one.
  static constexpr int magnitude = -1;

  geometry::ValueRange range;
  int component = 0;
  bool invert = false; ///< the cells whose value is not in the range. NaN is in neither.

  /// |v| > epsilon.
  static ThresholdRule above(double epsilon) { return {{0.0, epsilon}, magnitude, true}; }
};

/// out = the cells of `set` whose value passes. Values are compared exactly, 64-bit integers too, except by magnitude.
/// Throws InvalidArgument if the field does not have the set's number of cells or has no such component, or the range's
/// lower bound exceeds its upper bound, or one is NaN. `out` may be `set`; otherwise a repeated call allocates nothing.
/// O(cells); O(cells log runs) where values lie in groups.
template <class ExecutionSpace, class T, int Dim>
void threshold(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const FieldOn<T, ExecutionSpace>& field, const ThresholdRule& rule,
  geometry::IntervalSetOn<Dim, ExecutionSpace>& out);

/// The same for plain values, one a cell, of any arithmetic type of VTK's arrays. They are compared exactly, 64-bit
/// integers too.
template <class T, class ExecutionSpace, int Dim>
void selectByValue(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const Kokkos::View<const T*, typename ExecutionSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>& values,
  const geometry::ValueRange& range, bool invert, geometry::IntervalSetOn<Dim, ExecutionSpace>& out);

} // namespace spanwise::field
