#pragma once

#include "Core/Runtime/FieldView.hpp"

#include <cstdint>
#include <type_traits>

namespace spanwise::parallel {

/// A field whose type of values does not matter, only how many bytes they have: 1, 2, 4 or 8. The strides of `values`
/// count values.
struct FieldBytes {
  FieldView<char> values;
  int bytesPerValue;

  /// Where a value is, unless values lie in groups.
  [[nodiscard]] char* address(std::int64_t cell, int c) const {
    return values.values + (c * values.componentStride + cell * values.cellStride) * bytesPerValue;
  }
};

template <class T>
FieldBytes bytesOf(const FieldView<T>& field) {
  using Value = std::remove_const_t<T>;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): whoever gives a field that is only read does not write it
  auto* const values = reinterpret_cast<char*>(const_cast<Value*>(field.values)); // NOLINT
  return {{values, field.componentStride, field.cellStride, field.runs, field.runsSeenByHost, field.numRuns,
            field.numCells, field.numComponents},
    static_cast<int>(sizeof(T))};
}

/// Cells and components of a field.
struct FieldBlock {
  std::int64_t firstCell;
  std::int64_t numCells;
  int firstComponent;
  int endComponent;

  [[nodiscard]] std::int64_t numValues() const { return numCells * (endComponent - firstComponent); }
};

/// Copies the values of a block of a field in any layout into a buffer, one component after the other, and returns how
/// many bytes they have. Does not wait.
template <class ExecutionSpace>
std::int64_t packValues(const ExecutionSpace& space, const FieldBytes& field, const FieldBlock& block, char* buffer);

/// The way back.
template <class ExecutionSpace>
std::int64_t unpackValues(
  const ExecutionSpace& space, const FieldBytes& field, const FieldBlock& block, const char* buffer);

} // namespace spanwise::parallel
