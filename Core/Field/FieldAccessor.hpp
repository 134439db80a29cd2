#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Geometry/IntervalSet.hpp"

namespace spanwise {

/// A field seen through its set, for kernels: values by interval and by coordinates.
template <int Dim, class T>
struct FieldAccessor {
  IntervalSetView<Dim> set;
  FieldView<T> values;

  /// The value of cell x of interval i. x must be in the interval. O(1).
  [[nodiscard]] KOKKOS_FUNCTION T& at(std::int64_t i, Coordinate x, int component = 0) const {
    return values(set.cellOffsets[i] + (static_cast<std::int64_t>(x) - set.intervals[i].begin), component);
  }

  /// Where the value of a cell is; nullptr if the cell is not in the set. O(log rows + log intervals of the row).
  [[nodiscard]] KOKKOS_FUNCTION T* find(const Cell<Dim>& cell, int component = 0) const {
    const std::int64_t number = set.findCell(cell);
    return number < 0 ? nullptr : values.address(number, component);
  }
};

} // namespace spanwise
