#pragma once

#include "Core/Solvers/NBody/Detail/MutualSums.hpp"
#include "Core/Solvers/NBody/Detail/NoLanes.hpp"

#include <cstdint>

namespace spanwise::nbody::detail {

// What particles of two blocks do to each other by 1 / r, each distance once, for sums in double precision of which
// about six digits are wanted. As TileSums.hpp compiled for processors by name.
//
// A coordinate x is the sum of two floats, high and low. Where points are close to each other the difference of what is
// high is exact, so that (high - high) + (low - low) has all digits of a float, and so have the terms made of it. Few
// terms are summed up as floats: sums of these are doubles.

template <int Dim>
struct SplitTask {
  const float* high[Dim]; ///< within splitSide / 2 of 0
  const float* low[Dim];
  const float* charges;                ///< at most 1 in magnitude
  std::int64_t firstBegin, firstEnd;   ///< at most particlesInBlock
  std::int64_t secondBegin, secondEnd; ///< likewise, and others
  double* sums;                        ///< of all particles: particle i, column c at i * columns + c
  double ofPotential, ofGradient;      ///< what sums are multiplied with
};

/// The side of a box that all coordinates are in. Points so close that too few digits of their distance are left,
/// 2^-43, have then 1 / r^3 beyond the largest float, so that they are found without being looked for: the largest
/// coordinates are off by 2^-66.
inline constexpr int splitExponent = -16;

/// Adds to the sums of both blocks what the other does; returns false and adds nothing where points are so close that
/// floats do not do.
template <int Dim>
using SplitFunction = bool (*)(const SplitTask<Dim>&);

/// Defined in the files of their instructions; nullptr where the compiler does not have them, and for potentials alone.
template <int Dim>
SplitFunction<Dim> avx2Split(Parts parts);
template <int Dim>
SplitFunction<Dim> avx512Split(Parts parts);

template <class Instructions, Parts parts, int Dim>
struct SplitSums {
  using P = Pack<float, Instructions>;
  using Columns = SumColumns<InverseDistance, parts, Dim>;
  static constexpr int width = P::width;
  static constexpr int numTargets = 2;
  /// Particles of the first block whose terms are summed up as floats.
  static constexpr std::int64_t firstAtOnce = 32;

  alignas(64) float points[2 * Dim][particlesInBlock]; ///< of the second block: high, then low
  alignas(64) float charges[particlesInBlock];
  alignas(64) float some[Columns::all][particlesInBlock]; ///< what `firstAtOnce` do to the second block
  alignas(64) double ofSecond[Columns::all][particlesInBlock];
  float ofFirst[particlesInBlock * Columns::all];
  int padded; ///< number of particles of the second block, and those behind its end, without a charge

  static bool add(const SplitTask<Dim>& task) {
    SplitSums block;
    block.load(task);
    float check = 0.0F;
    for (std::int64_t first = task.firstBegin; first < task.firstEnd; first += firstAtOnce) {
      for (int c = 0; c < Columns::all; ++c) {
        for (int j = 0; j < block.padded; ++j) {
          block.some[c][j] = 0.0F;
        }
      }
      const std::int64_t end = first + firstAtOnce < task.firstEnd ? first + firstAtOnce : task.firstEnd;
      for (std::int64_t i = first; i < end; i += numTargets) {
        check += block.sum(task, i);
      }
      for (int c = 0; c < Columns::all; ++c) {
        for (int j = 0; j < block.padded; ++j) {
          block.ofSecond[c][j] += static_cast<double>(block.some[c][j]);
        }
      }
    }
    if (check != 0.0F) {
      return false;
    }
    for (int c = 0; c < Columns::all; ++c) {
      const double factor = c < Columns::ofPotential ? task.ofPotential : task.ofGradient;
      for (std::int64_t i = task.firstBegin; i < task.firstEnd; ++i) {
        task.sums[i * Columns::all + c] += factor * block.ofFirst[(i - task.firstBegin) * Columns::all + c];
      }
      for (std::int64_t j = task.secondBegin; j < task.secondEnd; ++j) {
        task.sums[j * Columns::all + c] += factor * block.ofSecond[c][j - task.secondBegin];
      }
    }
    return true;
  }

private:
  void load(const SplitTask<Dim>& task) {
    const int count = static_cast<int>(task.secondEnd - task.secondBegin);
    padded = (count + width - 1) / width * width;
    for (int j = 0; j < padded; ++j) {
      const std::int64_t i = task.secondBegin + (j < count ? j : count - 1);
      for (int axis = 0; axis < Dim; ++axis) {
        points[axis][j] = task.high[axis][i];
        points[Dim + axis][j] = task.low[axis][i];
      }
      charges[j] = j < count ? task.charges[i] : 0.0F;
    }
    for (int c = 0; c < Columns::all; ++c) {
      for (int j = 0; j < padded; ++j) {
        ofSecond[c][j] = 0.0;
      }
    }
  }

  /// Of the particles from `first` on; returns 0, if all is finite.
  KOKKOS_FORCEINLINE_FUNCTION float sum(const SplitTask<Dim>& task, std::int64_t first) {
    P x[numTargets][2 * Dim];
    P q[numTargets];
    P sums[numTargets][Columns::all];
    for (int k = 0; k < numTargets; ++k) {
      const bool isThere = first + k < task.firstEnd;
      const std::int64_t i = isThere ? first + k : task.firstEnd - 1;
      for (int axis = 0; axis < Dim; ++axis) {
        x[k][axis] = P(task.high[axis][i]);
        x[k][Dim + axis] = P(task.low[axis][i]);
      }
      q[k] = P(isThere ? task.charges[i] : 0.0F);
      for (int c = 0; c < Columns::all; ++c) {
        sums[k][c] = P(0.0F);
      }
    }
    for (int j = 0; j < padded; j += width) {
      const P chargesOfSecond = P::load(charges + j);
      P sumsOfSecond[Columns::all];
      for (int c = 0; c < Columns::all; ++c) {
        sumsOfSecond[c] = P::load(some[c] + j);
      }
#pragma GCC unroll 4
      for (int k = 0; k < numTargets; ++k) {
        P d[Dim];
        for (int axis = 0; axis < Dim; ++axis) {
          d[axis] = (x[k][axis] - P::load(points[axis] + j)) + (x[k][Dim + axis] - P::load(points[Dim + axis] + j));
        }
        addMutualPair<InverseDistance, parts, Dim>(InverseDistance(), d, q[k], chargesOfSecond, sums[k], sumsOfSecond);
      }
      for (int c = 0; c < Columns::all; ++c) {
        Instructions::template store<float>(some[c] + j, sumsOfSecond[c].vector);
      }
    }
    float check = 0.0F;
    for (int k = 0; k < numTargets && first + k < task.firstEnd; ++k) {
      for (int c = 0; c < Columns::all; ++c) {
        const float sum = Instructions::template sum<float>(sums[k][c].vector);
        ofFirst[(first - task.firstBegin + k) * Columns::all + c] = sum;
        check += sum - sum;
      }
    }
    return check;
  }
};

template <class Lanes, int Dim>
SplitFunction<Dim> splitFunctionOf(Parts parts) {
  if constexpr (isThere<Lanes>) {
    static_assert(Lanes::failsAtZero, "or points that are too close are not found");
    switch (parts) {
    case Parts::Potential:
      return nullptr;
    case Parts::Gradient:
      return SplitSums<Lanes, Parts::Gradient, Dim>::add;
    case Parts::Both:
      return SplitSums<Lanes, Parts::Both, Dim>::add;
    }
  }
  return nullptr;
}

/// Defines avx2Split(), or those of another set of instructions.
#define SPANWISE_DEFINE_SPLIT(set, Set, Dim)                                                                           \
  template <>                                                                                                          \
  SplitFunction<Dim> set##Split<Dim>(Parts parts) {                                                                    \
    return splitFunctionOf<LanesFor<InstructionSet::Set>, Dim>(parts);                                                 \
  }

} // namespace spanwise::nbody::detail
