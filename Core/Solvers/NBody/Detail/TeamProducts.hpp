#pragma once

// Products of matrices by teams of threads, and what they are made of: for multipoles on a device.

#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace spanwise::nbody::detail {

/// Cuts a team's scratch memory into arrays.
class ScratchArrays {
public:
  template <class Team>
  KOKKOS_FUNCTION ScratchArrays(const Team& team, int level, std::size_t bytes)
    : next_(static_cast<char*>(team.team_scratch(level).get_shmem_aligned(bytes, 16))) {}
  template <class T>
  KOKKOS_FUNCTION T* array(std::size_t count) {
    T* const result = reinterpret_cast<T*>(next_);
    next_ += bytesOf<T>(count);
    return result;
  }
  template <class T>
  [[nodiscard]] static KOKKOS_FUNCTION constexpr std::size_t bytesOf(std::size_t count) {
    return (count * sizeof(T) + 15) / 16 * 16;
  }

private:
  char* next_;
};

/// A tile of a product of matrices, of 64 rows and columns. A thread has 16 of its numbers in registers; of both
/// factors 16 columns and rows are in scratch memory at once. (Kokkos gives a team 40 KiB of a processor's memory on
/// CUDA: with panels of all rows, there was room for 8 to 16 columns, and most threads had nothing to do.)
template <class ExecutionSpace, class Real>
struct ProductTile {
  static constexpr int size = 64;
  static constexpr int across = 16;          ///< threads side by side
  static constexpr int each = size / across; ///< rows, and columns, of a thread
  static constexpr int inner = 16;           ///< in scratch memory at once
  static constexpr int stride = size + 1;    ///< so that neither rows nor columns are in one bank
  static constexpr int numParts = across * across;
  static constexpr int teamSize = runsOnHost<ExecutionSpace> ? 1 : numParts; ///< on the host a team has one thread
  static constexpr std::size_t scratchBytes = 2 * ScratchArrays::bytesOf<Real>(inner * stride);

  [[nodiscard]] static KOKKOS_FUNCTION constexpr std::int32_t tiles(std::int64_t count) {
    return static_cast<std::int32_t>((count + size - 1) / size);
  }

  /// put(m, n, sum over k of a(m, k) b(k, n)) for all rows m and columns n of the tile that are below `numRows` and
  /// `numColumns`. Neighbouring threads ask for neighbouring m of a, k of b, and put neighbouring m.
  template <class Team, class A, class B, class Put>
  static KOKKOS_FUNCTION void multiply(const Team& team, ScratchArrays scratch, int numRows, int numColumns,
    int numInner, const A& a, const B& b, const Put& put) {
    Real* const left = scratch.template array<Real>(inner * stride);
    Real* const right = scratch.template array<Real>(inner * stride);
    Real sums[numParts / teamSize][each][each] = {};
    for (int begin = 0; begin < numInner; begin += inner) {
      const int count = Kokkos::min(int{inner}, numInner - begin);
      team.team_barrier(); // those before are done with
      for (int i = team.team_rank(); i < inner * size; i += team.team_size()) {
        const int m = i % size;
        const int k = i / size;
        left[k * stride + m] = m < numRows && k < count ? a(m, begin + k) : Real(0);
      }
      for (int i = team.team_rank(); i < inner * size; i += team.team_size()) {
        const int k = i % inner;
        const int n = i / inner;
        right[k * stride + n] = n < numColumns && k < count ? b(begin + k, n) : Real(0);
      }
      team.team_barrier();
      for (int part = team.team_rank(), of = 0; part < numParts; part += team.team_size(), ++of) {
        add(left + part % across, right + part / across, sums[of]);
      }
    }
    for (int part = team.team_rank(), of = 0; part < numParts; part += team.team_size(), ++of) {
      for (int n = 0; n < each; ++n) {
        for (int m = 0; m < each; ++m) {
          const int row = part % across + m * across;
          const int column = part / across + n * across;
          if (row < numRows && column < numColumns) {
            put(row, column, sums[of][m][n]);
          }
        }
      }
    }
  }

private:
  static KOKKOS_FORCEINLINE_FUNCTION void add(const Real* left, const Real* right, Real (&sums)[each][each]) {
    for (int k = 0; k < inner; ++k, left += stride, right += stride) {
      Real rows[each];
      Real columns[each];
      for (int m = 0; m < each; ++m) {
        rows[m] = left[m * across];
        columns[m] = right[m * across];
      }
      for (int m = 0; m < each; ++m) {
        for (int n = 0; n < each; ++n) {
          sums[m][n] += rows[m] * columns[n];
        }
      }
    }
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
