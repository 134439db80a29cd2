#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::field {

/// A block of 64 cells: 4 x 4 x 4 in 3D, 8 x 8 in 2D. So one word says which of them exist, two warps of a device take
/// them, and doubles of a block are eight cache lines in both; with 4 x 4 cells in 2D a row of doubles would be half a
/// line, and the 9 numbers of the blocks around as much memory as a third of a value. Cells of a block are numbered by
/// z, y, x, and so are the 3^Dim blocks around it, of which the one in the middle is the block itself.
template <int Dim>
struct BlockShape {
  static_assert(Dim == 2 || Dim == 3, "blocks are 2D or 3D");

  static constexpr int log2Side = Dim == 2 ? 3 : 2;
  static constexpr int side = 1 << log2Side;
  static constexpr int numCells = 64;
  static constexpr int numRows = numCells / side;
  static constexpr int numAround = Dim == 2 ? 9 : 27;
  static constexpr std::uint64_t allCells = ~std::uint64_t{0};
  static constexpr std::uint64_t firstRow = (std::uint64_t{1} << side) - 1;

  /// Where cell k of a block is along an axis: 0 ... side - 1; 0 along an axis that blocks do not have.
  static constexpr KOKKOS_FUNCTION int coordinate(int k, int axis) {
    return axis < Dim ? k >> (log2Side * axis) & (side - 1) : 0;
  }
  /// Steps of -1, 0 or 1 along an axis of the block number `a` of those around.
  static constexpr KOKKOS_FUNCTION int stepOf(int a, int axis) {
    return (axis == 0 ? a % 3 : (axis == 1 ? a / 3 % 3 : (Dim == 3 ? a / 9 : 1))) - 1;
  }
  /// The block so many steps away along each axis.
  static constexpr KOKKOS_FUNCTION int around(int x, int y, int z) {
    return (x + 1) + 3 * (y + 1) + (Dim == 3 ? 9 * (z + 1) : 0);
  }

  /// Where a cell is, as seen from a block: in which of the blocks around, as which cell.
  struct Place {
    int around;
    int cell;
  };
  /// The cell at an offset from cell k of a block; it is at most `side` away along each axis.
  static constexpr KOKKOS_FUNCTION Place placeOf(int k, int x, int y, int z) {
    const int at[3] = {coordinate(k, 0) + x, coordinate(k, 1) + y, coordinate(k, 2) + z};
    return {around(at[0] >> log2Side, at[1] >> log2Side, Dim == 3 ? at[2] >> log2Side : 0),
      (at[0] & (side - 1)) | (at[1] & (side - 1)) << log2Side | (at[2] & (side - 1)) << (2 * log2Side)};
  }

  /// Of the cells k of a block, which are there at k + distance along an axis: `here` are those of the block, `beyond`
  /// those of the next one in that direction. The distance is at most `side`.
  static constexpr KOKKOS_FUNCTION std::uint64_t shifted(
    std::uint64_t here, std::uint64_t beyond, int axis, int distance) {
    const int steps = distance < 0 ? -distance : distance;
    if (steps == 0 || steps == side) {
      return steps == 0 ? here : beyond;
    }
    const int stride = 1 << (log2Side * axis);
    const int rest = side - steps;
    return distance > 0
      ? (here >> (steps * stride) & below(rest, axis)) | (beyond << (rest * stride) & ~below(rest, axis))
      : (here << (steps * stride) & ~below(steps, axis)) | (beyond >> (rest * stride) & below(steps, axis));
  }

  /// The cells whose coordinate along an axis is less than `bound`, which is 1 ... side - 1.
  static constexpr KOKKOS_FUNCTION std::uint64_t below(int bound, int axis) {
    const int stride = 1 << (log2Side * axis);
    std::uint64_t cells = (std::uint64_t{1} << (bound * stride)) - 1;
    for (int length = side * stride; length < numCells; length *= 2) {
      cells |= cells << length;
    }
    return cells;
  }
};

} // namespace spanwise::field
