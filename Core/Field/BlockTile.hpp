#pragma once

#include "Core/Field/BlockShape.hpp"
#include "Core/Runtime/Unrolled.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::field {

/// On the host: the values of a block and of the cells around it that a pattern reaches, side by side, so that each
/// neighbour of each cell is at a constant distance. Values of cells that do not exist are any.
template <class Pattern, class T>
class BlockTile {
public:
  static constexpr int Dim = Pattern::dimension;
  using Shape = BlockShape<Dim>;

  /// How far the pattern reaches along an axis.
  static constexpr int reach = [] {
    int most = 0;
    for (int n = 0; n < Pattern::count; ++n) {
      for (int axis = 0; axis < Dim; ++axis) {
        const int offset = Pattern::offset(n, axis);
        most = Kokkos::max(most, offset < 0 ? -offset : offset);
      }
    }
    return most;
  }();
  static_assert(reach <= Shape::side, "neighbours must be in the blocks around");

  /// The index of the cell at (x, y, z) in the block.
  static constexpr int index(int x, int y, int z) {
    return (x + reach) + width * ((y + reach) + (Dim == 3 ? width * (z + reach) : 0));
  }
  /// The index of the first cell of row r of the block.
  static constexpr int indexOfRow(int r) { return index(0, r % Shape::side, Dim == 3 ? r / Shape::side : 0); }
  /// The distance from a cell's index to that of its neighbour n.
  static constexpr KOKKOS_FUNCTION int distance(int n) {
    return Pattern::offset(n, 0) + width * (Pattern::offset(n, 1) + (Dim == 3 ? width * Pattern::offset(n, 2) : 0));
  }

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION const T& operator[](int index) const { return values_[index]; }

  /// Takes the values of a component around a block, of which values[64 b + k] is that of cell k of block b.
  KOKKOS_FORCEINLINE_FUNCTION void fill(const T* values, std::int64_t block, const std::int32_t* around) {
    unrolled<Shape::numAround>([&](auto a) {
      constexpr int number = decltype(a)::value;
      if constexpr (isRead<number>) {
        const std::int64_t other = around[number] < 0 ? block : around[number];
        take<number>(values + other * Shape::numCells);
      }
    });
  }

private:
  static constexpr int width = Shape::side + 2 * reach;

  /// Whether a cell of the block has a neighbour in that one of those around.
  template <int a>
  static constexpr bool isRead = [] {
    bool found = a == Shape::numAround / 2;
    for (int n = 0; n < Pattern::count; ++n) {
      bool leads = true;
      for (int axis = 0; axis < Dim; ++axis) {
        const int step = Shape::stepOf(a, axis);
        leads = leads && (step == 0 || step * Pattern::offset(n, axis) > 0);
      }
      found = found || leads;
    }
    return found;
  }();

  /// The cells [first, last) along an axis of a block so many steps away are within reach.
  static constexpr int first(int step) { return step < 0 ? Shape::side - reach : 0; }
  static constexpr int last(int step) { return step > 0 ? reach : Shape::side; }

  template <int a>
  KOKKOS_FORCEINLINE_FUNCTION void take(const T* from) {
    constexpr int stepX = Shape::stepOf(a, 0);
    constexpr int stepY = Shape::stepOf(a, 1);
    constexpr int stepZ = Dim == 3 ? Shape::stepOf(a, 2) : 0;
    constexpr int lastZ = Dim == 3 ? last(stepZ) : 1;
    for (int z = Dim == 3 ? first(stepZ) : 0; z < lastZ; ++z) {
      for (int y = first(stepY); y < last(stepY); ++y) {
        const T* const row = from + Shape::side * (y + Shape::side * z);
        T* const to = values_ + index(Shape::side * stepX, y + Shape::side * stepY, z + Shape::side * stepZ);
        for (int x = first(stepX); x < last(stepX); ++x) {
          to[x] = row[x];
        }
      }
    }
  }

  T values_[Dim == 2 ? width * width : width * width * width];
};

} // namespace spanwise::field
