#pragma once

#include "Core/Solvers/NBody/Detail/AlternateOf.hpp"
#include "Core/Solvers/NBody/Detail/SumColumns.hpp"

#include <cstdint>
#include <type_traits>

namespace spanwise::nbody::detail {

// Sums on the host by packs of sources, several targets at once. Compiled for processors by name too, so nothing of
// Kokkos but its macros and nothing of the standard library's functions is in it.

/// What a tile has to do: all sources of a range on all targets of another.
template <int Dim, class Real>
struct TileTask {
  const Real* targets[Dim];
  const Real* sources[Dim];
  const Real* charges; ///< column c at c * chargeStride
  std::int64_t chargeStride;
  std::int64_t targetBegin, targetEnd;
  std::int64_t sourceBegin, sourceEnd;
  bool within; ///< targets are the sources: i does not act on i
  Real* sums;  ///< target i, column c at (i - targetBegin) * columns + c: for each right-hand side first its potentials
};

inline constexpr std::int64_t targetsInTile = 64; ///< most targets of a task
inline constexpr int sourcesInTile = 1024;        ///< so many at once stay in the first cache

/// Targets side by side with their sums.
template <class P, int Dim, int numTargets, int columns>
struct TargetPacks {
  P points[numTargets][Dim];
  P places[numTargets]; ///< among the sources of the tile
  P sums[numTargets][columns];
};

/// Adds what the sources j ... j + width - 1, of those before `end`, do at the targets.
template <class Instructions, class Interaction, Parts parts, int Dim, class Real, int numSides, bool mayBeSelf,
  class Targets>
KOKKOS_FORCEINLINE_FUNCTION void addPack(const Interaction& interaction, const TileTask<Dim, Real>& task,
  std::int64_t begin, std::int64_t j, std::int64_t end, Targets& targets) {
  using P = Pack<Real, Instructions>;
  using Columns = SumColumns<Interaction, parts, Dim, numSides>;
  constexpr int width = P::width;
  constexpr int numCharges = numSides * Columns::numCharges;
  constexpr int numTargets = sizeof(targets.places) / sizeof(targets.places[0]);
  P sources[Dim];
  P charges[numCharges];
  P place;
  if (j + width <= end) {
    for (int axis = 0; axis < Dim; ++axis) {
      sources[axis] = P::load(task.sources[axis] + j);
    }
    for (int c = 0; c < numCharges; ++c) {
      charges[c] = P::load(task.charges + c * task.chargeStride + j);
    }
  } else { // lanes behind the end have the last source without a charge
    Real lanes[Dim + numCharges][width];
    for (int lane = 0; lane < width; ++lane) {
      const bool isThere = j + lane < end;
      for (int axis = 0; axis < Dim; ++axis) {
        lanes[axis][lane] = task.sources[axis][isThere ? j + lane : end - 1];
      }
      for (int c = 0; c < numCharges; ++c) {
        lanes[Dim + c][lane] = isThere ? task.charges[c * task.chargeStride + j + lane] : Real(0);
      }
    }
    for (int axis = 0; axis < Dim; ++axis) {
      sources[axis] = P::load(lanes[axis]);
    }
    for (int c = 0; c < numCharges; ++c) {
      charges[c] = P::load(lanes[Dim + c]);
    }
  }
  if constexpr (mayBeSelf) {
    Real lanes[width];
    for (int lane = 0; lane < width; ++lane) {
      lanes[lane] = Real(j + lane - begin); // exact: a tile has few sources
    }
    place = P::load(lanes);
  }
#pragma GCC unroll 8
  for (int k = 0; k < numTargets; ++k) {
    P d[Dim];
    for (int axis = 0; axis < Dim; ++axis) {
      d[axis] = P(targets.points[k][axis]) - sources[axis];
    }
    P sums[Columns::all];
    for (int c = 0; c < Columns::all; ++c) {
      sums[c] = P(targets.sums[k][c]);
    }
    if constexpr (mayBeSelf) {
      P others[numCharges];
      for (int c = 0; c < numCharges; ++c) {
        others[c] =
          P(Instructions::template whereOther<Real>(place.vector, targets.places[k].vector, charges[c].vector));
      }
      addPair<Interaction, parts, Dim, numSides>(interaction, d, others, sums);
    } else {
      addPair<Interaction, parts, Dim, numSides>(interaction, d, charges, sums);
    }
    for (int c = 0; c < Columns::all; ++c) {
      targets.sums[k][c].vector = sums[c].vector;
    }
  }
}

/// Sums up what the sources begin ... end - 1 do at `numTargets` targets from the first on: result [numTargets x
/// columns]. Behind the last target it is repeated. Whether all sums are finite. With mayBeSelf sources may be the
/// targets themselves, and have no charge there.
template <class Instructions, class Interaction, Parts parts, int Dim, class Real, int numSides, int numTargets,
  bool mayBeSelf>
KOKKOS_FORCEINLINE_FUNCTION bool sumTile(const Interaction& interaction, const TileTask<Dim, Real>& task,
  std::int64_t firstTarget, std::int64_t begin, std::int64_t end, Real* result) {
  using P = Pack<Real, Instructions>;
  constexpr int columns = SumColumns<Interaction, parts, Dim, numSides>::all;
  TargetPacks<P, Dim, numTargets, columns> targets;
  for (int k = 0; k < numTargets; ++k) {
    const std::int64_t target = firstTarget + k < task.targetEnd ? firstTarget + k : task.targetEnd - 1;
    for (int axis = 0; axis < Dim; ++axis) {
      targets.points[k][axis] = P(task.targets[axis][target]);
    }
    targets.places[k] = P(task.within ? Real(target - begin) : Real(-1));
    for (int c = 0; c < columns; ++c) {
      targets.sums[k][c] = P(Real(0));
    }
  }
  using Alternate = AlternateOf<Instructions, Real>;
  for (std::int64_t j = begin; j < end; j += P::width) {
    addPack<Instructions, Interaction, parts, Dim, Real, numSides, mayBeSelf>(
      interaction, task, begin, j, end, targets);
    if constexpr (!std::is_same_v<Alternate, Instructions>) {
      j += P::width;
      if (j < end) {
        addPack<Alternate, Interaction, parts, Dim, Real, numSides, mayBeSelf>(
          interaction, task, begin, j, end, targets);
      }
    }
  }
  Real check = 0;
  for (int k = 0; k < numTargets; ++k) {
    for (int c = 0; c < columns; ++c) {
      const Real sum = Instructions::template sum<Real>(targets.sums[k][c].vector);
      result[k * columns + c] = sum;
      check += sum - sum; // 0, if it is finite
    }
  }
  return check == Real(0);
}

/// Adds the sums of sumTile(): by `Instructions` where no source is a target and no distance is 0, else target by
/// target by `Safe`.
template <class Instructions, class Safe, class Interaction, Parts parts, int Dim, class Real, int numSides,
  int numTargets>
KOKKOS_FORCEINLINE_FUNCTION void addSources(const Interaction& interaction, const TileTask<Dim, Real>& task,
  std::int64_t first, std::int64_t begin, std::int64_t end, bool mayBeSelf) {
  constexpr int columns = SumColumns<Interaction, parts, Dim, numSides>::all;
  Real partial[numTargets * columns];
  if (mayBeSelf ||
    !sumTile<Instructions, Interaction, parts, Dim, Real, numSides, numTargets, false>(
      interaction, task, first, begin, end, partial)) {
    for (int k = 0; k < numTargets; ++k) {
      sumTile<Safe, Interaction, parts, Dim, Real, numSides, 1, true>(
        interaction, task, first + k, begin, end, partial + k * columns);
    }
  }
  Real* const sums = task.sums + (first - task.targetBegin) * columns;
  const std::int64_t numThere = task.targetEnd - first < numTargets ? task.targetEnd - first : numTargets;
  for (std::int64_t c = 0; c < numThere * columns; ++c) {
    sums[c] += partial[c];
  }
}

/// What the sources begin ... end - 1 do at `numTargets` targets from the first on. Only packs with these targets in
/// them are taken with care.
template <class Instructions, class Safe, class Interaction, Parts parts, int Dim, class Real, int numSides,
  int numTargets>
KOKKOS_FORCEINLINE_FUNCTION void addGroup(const Interaction& interaction, const TileTask<Dim, Real>& task,
  std::int64_t first, std::int64_t begin, std::int64_t end) {
  constexpr int width = Pack<Real, Instructions>::width;
  std::int64_t cuts[] = {begin, end, end, end}; // before, in and behind packs with targets
  if (task.within && first < end && begin < first + numTargets) {
    cuts[1] = begin + (first > begin ? (first - begin) / width * width : 0);
    const std::int64_t packsEnd = begin + (first + numTargets - begin + width - 1) / width * width;
    cuts[2] = packsEnd < end ? packsEnd : end;
  }
  for (int part = 0; part < 3; ++part) {
    if (cuts[part] < cuts[part + 1]) {
      addSources<Instructions, Safe, Interaction, parts, Dim, Real, numSides, numTargets>(
        interaction, task, first, cuts[part], cuts[part + 1], part == 1);
    }
  }
}

/// As many targets at once as have room in registers.
template <class Instructions, class Interaction, Parts parts, int Dim, int numSides>
inline constexpr int targetsAtOnce = [] {
  constexpr int room = (Instructions::numRegisters - 8) / (Dim + SumColumns<Interaction, parts, Dim, numSides>::all);
  return room >= 4 ? 4 : room >= 2 ? 2 : 1;
}();

/// Adds to the task's sums. `Safe` are instructions that do not fail at r = 0.
template <class Instructions, class Safe, class Interaction, Parts parts, int Dim, class Real, int numSides>
void addTile(const Interaction& interaction, const TileTask<Dim, Real>& task) {
  constexpr int numTargets = targetsAtOnce<Instructions, Interaction, parts, Dim, numSides>;
  for (std::int64_t begin = task.sourceBegin; begin < task.sourceEnd; begin += sourcesInTile) {
    const std::int64_t end = begin + sourcesInTile < task.sourceEnd ? begin + sourcesInTile : task.sourceEnd;
    for (std::int64_t target = task.targetBegin; target < task.targetEnd; target += numTargets) {
      addGroup<Instructions, Safe, Interaction, parts, Dim, Real, numSides, numTargets>(
        interaction, task, target, begin, end);
    }
  }
}

} // namespace spanwise::nbody::detail
