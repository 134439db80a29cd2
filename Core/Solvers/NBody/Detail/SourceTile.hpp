#pragma once

// Tiles of sources in a team's scratch memory, and what they do at targets in a thread's registers.

#include "Core/Solvers/NBody/Detail/PairNumber.hpp"
#include "Core/Solvers/NBody/Detail/SumProblem.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace spanwise::nbody::detail {

/// The coordinates and charges of a source, so that a thread reads as many at once as it can.
template <class Real, int size>
struct alignas(size % 4 == 0 ? 16
    : size % 2 == 0          ? 2 * sizeof(Real)
                             : sizeof(Real)) TileSource {
  Real numbers[size];
};

template <class Problem>
using SourceOf = TileSource<typename Problem::Real, Problem::Dim + Problem::numCharges>;

/// Which source of a tile a target is itself, or -1.
template <int numTargets>
struct TileSelves {
  int of[numTargets];
};

/// Adds what sources do at x to `sums`, computed with Numbers. With mayBeSelf targets leave themselves out.
template <bool mayBeSelf, class Problem, class Number, int numTargets>
KOKKOS_FORCEINLINE_FUNCTION void addSources(const Problem& problem, const SourceOf<Problem>* sources, int count,
  const typename Problem::Real (&x)[numTargets][Problem::Dim], const TileSelves<numTargets>& selves,
  Sums<Number, Problem::Columns::all> (&sums)[numTargets]) {
  constexpr int Dim = Problem::Dim;
  for (int j = 0; j < count; ++j) {
    const SourceOf<Problem> source = sources[j];
    Number charges[Problem::numCharges];
    for (int c = 0; c < Problem::numCharges; ++c) {
      charges[c] = source.numbers[Dim + c];
    }
    for (int k = 0; k < numTargets; ++k) {
      if (mayBeSelf && j == selves.of[k]) {
        continue;
      }
      Number d[Dim];
      for (int axis = 0; axis < Dim; ++axis) {
        d[axis] = x[k][axis] - source.numbers[axis];
      }
      addPair<typename Problem::Interaction, Problem::parts, Dim, Problem::numSides>(
        problem.interaction, d, charges, sums[k].values);
    }
  }
}

/// Adds what a whole tile does to `sums`, and returns whether all of it is finite; otherwise adds nothing but guarded.
template <bool isGuarded, bool mayBeSelf, class Problem, int numTargets>
KOKKOS_FORCEINLINE_FUNCTION bool tryTileOfSources(const Problem& problem, const SourceOf<Problem>* sources, int count,
  const typename Problem::Real (&x)[numTargets][Problem::Dim], const TileSelves<numTargets>& selves,
  typename Problem::Values (&sums)[numTargets]) {
  using Real = typename Problem::Real;
  constexpr int columns = Problem::Columns::all;
  Sums<PairNumber<Real, isGuarded>, columns> ofTile[numTargets];
  addSources<mayBeSelf>(problem, sources, count, x, selves, ofTile);
  Real check = 0;
  for (int k = 0; k < numTargets && !isGuarded; ++k) {
    for (int c = 0; c < columns; ++c) {
      check += ofTile[k].values[c].value - ofTile[k].values[c].value; // 0, if it is finite
    }
  }
  if (check != Real(0)) {
    return false;
  }
  for (int k = 0; k < numTargets; ++k) {
    for (int c = 0; c < columns; ++c) {
      sums[k].values[c] += ofTile[k].values[c].value;
    }
  }
  return true;
}

/// The same without looking for r = 0 first, and again with it where a sum is not finite. Targets that no source lies
/// on have the same bits either way.
template <bool mayBeSelf, class Problem, int numTargets>
KOKKOS_FORCEINLINE_FUNCTION void addTileOfSources(const Problem& problem, const SourceOf<Problem>* sources, int count,
  const typename Problem::Real (&x)[numTargets][Problem::Dim], const TileSelves<numTargets>& selves,
  typename Problem::Values (&sums)[numTargets]) {
  if (!tryTileOfSources<false, mayBeSelf>(problem, sources, count, x, selves, sums)) {
    tryTileOfSources<true, mayBeSelf>(problem, sources, count, x, selves, sums);
  }
}

} // namespace spanwise::nbody::detail
