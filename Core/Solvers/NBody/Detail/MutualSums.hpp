#pragma once

#include "Core/Solvers/NBody/Detail/TileSums.hpp"

#include <cstdint>
#include <type_traits>

namespace spanwise::nbody::detail {

// What particles of two blocks do to each other, each distance once. As TileSums.hpp compiled for processors by name.

inline constexpr int particlesInBlock = 256; ///< two blocks and their sums stay in the first cache

template <int Dim, class Real>
struct MutualTask {
  const Real* points[Dim];
  const Real* charges;
  std::int64_t firstBegin, firstEnd;   ///< at most particlesInBlock
  std::int64_t secondBegin, secondEnd; ///< likewise, and others
  Real* sums;                          ///< of all particles: particle i, column c at i * columns + c
};

/// The second block with its sums, component by component; behind its end the last particle without a charge.
template <class Columns, int Dim, class Real>
struct MutualBlock {
  alignas(64) Real points[Dim][particlesInBlock];
  alignas(64) Real charges[particlesInBlock];
  alignas(64) Real sums[Columns::all][particlesInBlock];
};

/// Particles of the first block side by side with their charges and sums.
template <class P, int Dim, int numTargets, int columns>
struct MutualPacks {
  P points[numTargets][Dim];
  P charges[numTargets];
  P sums[numTargets][columns];
};

/// Adds what some of the first block and the particles j ... j + width - 1 of the second do to each other.
template <class Instructions, class Interaction, Parts parts, int Dim, class Real, class Firsts, class Columns>
KOKKOS_FORCEINLINE_FUNCTION void addMutualPack(
  const Interaction& interaction, MutualBlock<Columns, Dim, Real>& block, int j, Firsts& firsts) {
  using P = Pack<Real, Instructions>;
  constexpr int numTargets = sizeof(firsts.charges) / sizeof(firsts.charges[0]);
  P y[Dim];
  P sumsOfSecond[Columns::all];
  for (int axis = 0; axis < Dim; ++axis) {
    y[axis] = P::load(block.points[axis] + j);
  }
  const P charges = P::load(block.charges + j);
  for (int c = 0; c < Columns::all; ++c) {
    sumsOfSecond[c] = P::load(block.sums[c] + j);
  }
#pragma GCC unroll 8
  for (int k = 0; k < numTargets; ++k) {
    P d[Dim];
    for (int axis = 0; axis < Dim; ++axis) {
      d[axis] = P(firsts.points[k][axis]) - y[axis];
    }
    P sums[Columns::all];
    for (int c = 0; c < Columns::all; ++c) {
      sums[c] = P(firsts.sums[k][c]);
    }
    addMutualPair<Interaction, parts, Dim>(interaction, d, P(firsts.charges[k]), charges, sums, sumsOfSecond);
    for (int c = 0; c < Columns::all; ++c) {
      firsts.sums[k][c].vector = sums[c].vector;
    }
  }
  for (int c = 0; c < Columns::all; ++c) {
    Instructions::template store<Real>(block.sums[c] + j, sumsOfSecond[c].vector);
  }
}

/// Puts the sums of the second block into `block`, and those of the first into `sumsOfFirst`. Whether all sums are
/// finite.
template <class Instructions, class Interaction, Parts parts, int Dim, class Real, int numTargets, class Columns>
KOKKOS_FORCEINLINE_FUNCTION bool sumMutually(const Interaction& interaction, const MutualTask<Dim, Real>& task,
  MutualBlock<Columns, Dim, Real>& block, Real* sumsOfFirst) {
  using P = Pack<Real, Instructions>;
  using Alternate = AlternateOf<Instructions, Real>;
  const int count = static_cast<int>(task.secondEnd - task.secondBegin);
  Real check = 0;
  for (int c = 0; c < Columns::all; ++c) {
    for (Real& sum : block.sums[c]) {
      sum = 0;
    }
  }
  for (std::int64_t first = task.firstBegin; first < task.firstEnd; first += numTargets) {
    MutualPacks<P, Dim, numTargets, Columns::all> firsts;
    for (int k = 0; k < numTargets; ++k) {
      const bool isThere = first + k < task.firstEnd;
      const std::int64_t i = isThere ? first + k : task.firstEnd - 1;
      for (int axis = 0; axis < Dim; ++axis) {
        firsts.points[k][axis] = P(task.points[axis][i]);
      }
      firsts.charges[k] = P(isThere ? task.charges[i] : Real(0));
      for (int c = 0; c < Columns::all; ++c) {
        firsts.sums[k][c] = P(Real(0));
      }
    }
    for (int j = 0; j < count; j += P::width) {
      addMutualPack<Instructions, Interaction, parts>(interaction, block, j, firsts);
      if constexpr (!std::is_same_v<Alternate, Instructions>) {
        j += P::width;
        if (j < count) {
          addMutualPack<Alternate, Interaction, parts>(interaction, block, j, firsts);
        }
      }
    }
    for (int k = 0; k < numTargets && first + k < task.firstEnd; ++k) {
      for (int c = 0; c < Columns::all; ++c) {
        const Real sum = Instructions::template sum<Real>(firsts.sums[k][c].vector);
        sumsOfFirst[(first - task.firstBegin + k) * Columns::all + c] = sum;
        check += sum - sum; // 0, if it is finite
      }
    }
  }
  return check == Real(0);
}

/// Adds to the sums of both blocks what the other does.
template <class Instructions, class Safe, class Interaction, Parts parts, int Dim, class Real>
void addMutual(const Interaction& interaction, const MutualTask<Dim, Real>& task) {
  using Columns = SumColumns<Interaction, parts, Dim>;
  constexpr int numTargets = targetsAtOnce<Instructions, Interaction, parts, Dim, 1>;
  MutualBlock<Columns, Dim, Real> block;
  Real sumsOfFirst[particlesInBlock * Columns::all];
  const std::int64_t count = task.secondEnd - task.secondBegin;
  for (std::int64_t j = 0; j < particlesInBlock; ++j) {
    const std::int64_t i = task.secondBegin + (j < count ? j : count - 1);
    for (int axis = 0; axis < Dim; ++axis) {
      block.points[axis][j] = task.points[axis][i];
    }
    block.charges[j] = j < count ? task.charges[i] : Real(0);
  }
  if (!sumMutually<Instructions, Interaction, parts, Dim, Real, numTargets>(interaction, task, block, sumsOfFirst)) {
    if constexpr (Instructions::failsAtZero) {
      sumMutually<Safe, Interaction, parts, Dim, Real, numTargets>(interaction, task, block, sumsOfFirst);
    }
  }
  for (std::int64_t c = 0; c < (task.firstEnd - task.firstBegin) * Columns::all; ++c) {
    task.sums[task.firstBegin * Columns::all + c] += sumsOfFirst[c];
  }
  for (std::int64_t j = 0; j < count; ++j) {
    for (int c = 0; c < Columns::all; ++c) {
      task.sums[(task.secondBegin + j) * Columns::all + c] += block.sums[c][j];
    }
  }
}

} // namespace spanwise::nbody::detail
