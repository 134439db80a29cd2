#pragma once

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::geometry::detail {

/// What is looked up for one row is near what was looked up for the row before: kernels go through so many rows of
/// cells one after the other on the host.
inline constexpr std::int64_t leastRowsAtOnce = 16;
inline constexpr std::int64_t mostRowsAtOnce = 256;

/// Pieces of rows, for kernels that take a piece's number.
struct RowPieces {
  std::int64_t numRows;
  std::int64_t perPiece;

  template <class ExecutionSpace>
  static RowPieces of(const ExecutionSpace& space, std::int64_t numRows) {
    if constexpr (runsOnHost<ExecutionSpace>) {
      return {numRows, itemsPerPiece(space, numRows, leastRowsAtOnce, mostRowsAtOnce)};
    } else {
      return {numRows, 1};
    }
  }
  [[nodiscard]] std::int64_t count() const { return (numRows + perPiece - 1) / perPiece; }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t begin(std::int64_t piece) const { return piece * perPiece; }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t end(std::int64_t piece) const {
    return Kokkos::min((piece + 1) * perPiece, numRows);
  }
};

} // namespace spanwise::geometry::detail
