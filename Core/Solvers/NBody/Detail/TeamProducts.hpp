#pragma once

// Products of matrices by teams of threads, and what they are made of: for multipoles on a device.

#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::nbody::detail {

/// On the host a team has one thread.
template <class ExecutionSpace>
inline constexpr int threadsOfProducts = runsOnHost<ExecutionSpace> ? 1 : 256;

/// Rows of a panel that are in scratch memory at once.
inline constexpr int rowsOfPanel = 32;

/// From one row of a panel to the next: one more than its columns, so that neither rows nor columns are in one bank.
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION int panelStride(int numColumns) { return numColumns + 1; }

/// put(row, column, sum over k of a[k * aStride + row] panel[k * stride + column]) for all rows, which are a multiple
/// of 4, and `numColumns` columns. The panel has columns up to a multiple of 4, of which those too many may hold
/// anything. Neighbouring threads have neighbouring rows. Does not wait for the team.
template <class Team, class Real, class Put>
KOKKOS_FUNCTION void multiplyInTeam(const Team& team, const Real* a, std::int64_t aStride, int numRows, int numInner,
  const Real* panel, int stride, int numColumns, const Put& put) {
  constexpr int rows = 4;
  constexpr int columns = 4;
  const int rowTiles = numRows / rows;
  const int columnTiles = (numColumns + columns - 1) / columns;
  for (int tile = team.team_rank(); tile < rowTiles * columnTiles; tile += team.team_size()) {
    const int firstRow = tile % rowTiles;
    const int firstColumn = tile / rowTiles * columns;
    Real sums[rows][columns] = {};
    const Real* left = a + firstRow;
    const Real* right = panel + firstColumn;
    for (int k = 0; k < numInner; ++k, left += aStride, right += stride) {
      Real factors[columns];
      for (int n = 0; n < columns; ++n) {
        factors[n] = right[n];
      }
      for (int m = 0; m < rows; ++m) {
        const Real value = left[m * rowTiles];
        for (int n = 0; n < columns; ++n) {
          sums[m][n] += value * factors[n];
        }
      }
    }
    for (int m = 0; m < rows; ++m) {
      for (int n = 0; n < columns && firstColumn + n < numColumns; ++n) {
        put(firstRow + m * rowTiles, firstColumn + n, sums[m][n]);
      }
    }
  }
}

/// Where results go that stay in scratch memory.
template <class Real>
struct ToPanel {
  Real* panel;
  int stride;
  bool adds;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int row, int column, Real value) const {
    Real& to = panel[row * stride + column];
    to = adds ? to + value : value;
  }
};

/// Applies a matrix [order x order] along one axis of an array of `count` numbers, of which those along the axis are
/// `inner` apart: to[r] = sum_c matrix[r * rowStride + c * columnStride] from[c]. Does not wait for the team.
template <class Team, class Real>
KOKKOS_FUNCTION void applyAlongInTeam(const Team& team, const Real* matrix, int rowStride, int columnStride, int order,
  int count, int inner, const Real* from, Real* to) {
  for (int i = team.team_rank(); i < count; i += team.team_size()) {
    const int r = i / inner % order;
    const Real* const line = from + (i - r * inner);
    const Real* const row = matrix + r * rowStride;
    Real sum = 0;
    for (int c = 0; c < order; ++c) {
      sum += row[c * columnStride] * line[c * inner];
    }
    to[i] = sum;
  }
}

/// The same along all axes, with a matrix for each. The team has written `values` and waited; both arrays are
/// overwritten. Returns where the result is, for which the team has waited.
template <int Dim, class Team, class Real>
KOKKOS_FUNCTION Real* applyOnAxesInTeam(const Team& team, const Real* const (&matrices)[Dim], bool isTransposed,
  int order, int count, Real* values, Real* other) {
  for (int axis = 0, inner = 1; axis < Dim; ++axis, inner *= order) {
    applyAlongInTeam(
      team, matrices[axis], isTransposed ? 1 : order, isTransposed ? order : 1, order, count, inner, values, other);
    team.team_barrier();
    Kokkos::kokkos_swap(values, other);
  }
  return values;
}

} // namespace spanwise::nbody::detail
