#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace spanwise {

/// Consecutive cells of a field in groups whose values lie side by side: the cells from `firstCell` to the next run's
/// are in the slots from `firstSlot`. A group has the slots from `groupSlot`, `groupSize` of them, and its values lie
/// in one piece of memory, one component after the other.
struct LayoutRun {
  std::int64_t firstCell;
  std::int64_t firstSlot;
  std::int64_t groupSlot;
  std::int64_t groupSize;
};

/// A pointer that goes on by `stride` values.
template <class T>
struct StridedPointer {
  T* values;
  std::int64_t stride;

  KOKKOS_FORCEINLINE_FUNCTION T& operator[](std::int64_t k) const { return values[k * stride]; }
};

/// Consecutive cells whose values are at equal distances: value (k, c) is values[c * componentStride + k * cellStride].
template <class T>
struct FieldPiece {
  T* values;
  std::int64_t componentStride;
  std::int64_t cellStride;
  std::int64_t end; ///< the first cell of the field beyond the piece

  /// Where a component is, for indices that count from the first cell of the piece. Where `unit` is true the cells must
  /// lie side by side: loops over a plain pointer are vectorised.
  template <bool unit>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION auto component(int c) const {
    if constexpr (unit) {
      return values + c * componentStride;
    } else {
      return StridedPointer<T>{values + c * componentStride, cellStride};
    }
  }
};

/// What kernels see of a field: a pointer and two strides, whatever the number of components, and for a field in groups
/// (FieldLayout) the runs of its cells. Value (cell, c) is values[c * componentStride + cell * cellStride] where there
/// are no runs. Cheap to copy into a functor: 64 bytes.
template <class T>
struct FieldView {
  T* values = nullptr;
  std::int64_t componentStride = 0;          ///< 0 in groups
  std::int64_t cellStride = 1;               ///< 1 in groups
  const LayoutRun* runs = nullptr;           ///< [numRuns] in the order of cells, where kernels see them
  const LayoutRun* runsSeenByHost = nullptr; ///< the same in the host's memory
  std::int64_t numRuns = 0;
  std::int64_t numCells = 0;
  int numComponents = 1;

  /// Whether the values of a component lie side by side in the order of the cells.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool isInColumns() const { return cellStride == 1 && runs == nullptr; }

  /// Where a value is. O(1); in groups O(log runs).
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T* address(std::int64_t cell, int c = 0) const {
    if (runs == nullptr) {
      return values + (c * componentStride + cell * cellStride);
    }
    const FieldPiece<T> piece = pieceInGroups(runs, cell);
    return piece.values + c * piece.componentStride;
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T& operator()(std::int64_t cell, int c = 0) const {
    return *address(cell, c);
  }

  /// The longest piece that begins with a cell. O(1); in groups O(log runs).
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION FieldPiece<T> piece(std::int64_t cell) const {
    if (runs == nullptr) {
      return {values + cell * cellStride, componentStride, cellStride, numCells};
    }
    return pieceInGroups(runs, cell);
  }

  /// On the host: where the components [firstComponent, endComponent) of so many cells lie in one piece, one component
  /// after the other, or all components of one cell after the other; nullptr where they do not.
  [[nodiscard]] T* inOnePiece(std::int64_t cell, std::int64_t count, int firstComponent, int endComponent) const {
    const int components = endComponent - firstComponent;
    if (runs == nullptr) {
      const bool isColumn = components == 1 && cellStride == 1;
      const bool areTuples = components == numComponents && cellStride == numComponents && componentStride == 1;
      return isColumn || areTuples ? values + (firstComponent * componentStride + cell * cellStride) : nullptr;
    }
    const FieldPiece<T> piece = pieceInGroups(runsSeenByHost, cell);
    const bool isColumn = components == 1 && cell + count <= piece.end;
    const bool isGroup = count == piece.componentStride && cell + count <= piece.end;
    return isColumn || isGroup ? piece.values + firstComponent * piece.componentStride : nullptr;
  }

  /// The same values, not to be written.
  template <class U>
    requires(!std::is_const_v<T> && std::is_same_v<U, const T>)
  KOKKOS_FUNCTION operator FieldView<U>() const { // NOLINT(google-explicit-constructor): as pointers convert
    return {values, componentStride, cellStride, runs, runsSeenByHost, numRuns, numCells, numComponents};
  }

  /// For piece(): by the runs in either memory.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION FieldPiece<T> pieceInGroups(const LayoutRun* all, std::int64_t cell) const {
    std::int64_t low = 0;
    for (std::int64_t high = numRuns; high - low > 1;) {
      const std::int64_t middle = (low + high) / 2;
      (all[middle].firstCell <= cell ? low : high) = middle;
    }
    const LayoutRun& run = all[low];
    const std::int64_t inGroup = run.firstSlot - run.groupSlot + (cell - run.firstCell);
    return {values + (run.groupSlot * numComponents + inGroup), run.groupSize, 1,
      low + 1 < numRuns ? all[low + 1].firstCell : numCells};
  }
};

} // namespace spanwise
