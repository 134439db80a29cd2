#pragma once

#include "Core/Solvers/NBody/Detail/TileSums.hpp"

#include <cstdint>

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

template <class Instructions, class Interaction, Parts parts, int Dim, class Real, int numTargets, class Columns>
KOKKOS_FORCEINLINE_FUNCTION bool sumMutually(const Interaction& interaction, const MutualTask<Dim, Real>& task,
  MutualBlock<Columns, Dim, Real>& block, Real* sumsOfFirst) {
  using P = Pack<Real, Instructions>;
  const int count = static_cast<int>(task.secondEnd - task.secondBegin);
  Real check = 0;
  for (int c = 0; c < Columns::all; ++c) {
    for (Real& sum : block.sums[c]) {
      sum = 0;
    }
  }
  for (std::int64_t first = task.firstBegin; first < task.firstEnd; first += numTargets) {
    P x[numTargets][Dim];
    P q[numTargets];
    P sums[numTargets][Columns::all];
    for (int k = 0; k < numTargets; ++k) {
      const bool isThere = first + k < task.firstEnd;
      const std::int64_t i = isThere ? first + k : task.firstEnd - 1;
      for (int axis = 0; axis < Dim; ++axis) {
        x[k][axis] = P(task.points[axis][i]);
      }
      q[k] = P(isThere ? task.charges[i] : Real(0));
      for (int c = 0; c < Columns::all; ++c) {
        sums[k][c] = P(Real(0));
      }
    }
    for (int j = 0; j < count; j += P::width) {
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
          d[axis] = x[k][axis] - y[axis];
        }
        addMutualPair<Interaction, parts, Dim>(interaction, d, q[k], charges, sums[k], sumsOfSecond);
      }
      for (int c = 0; c < Columns::all; ++c) {
        Instructions::template store<Real>(block.sums[c] + j, sumsOfSecond[c].vector);
      }
    }
    for (int k = 0; k < numTargets && first + k < task.firstEnd; ++k) {
      for (int c = 0; c < Columns::all; ++c) {
        const Real sum = Instructions::template sum<Real>(sums[k][c].vector);
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
