#pragma once

#include "Core/Solvers/NBody/Detail/FarKernel.hpp"
#include "Core/Solvers/NBody/MultipoleAccuracy.hpp"

namespace spanwise::nbody {

/// Which method makes sums.
enum class SumMethod {
  Automatic,     ///< direct sums of few pairs, else multipoles where they are as accurate as is asked
  Direct,        ///< each pair; in a periodic box Ewald's sums
  FastMultipole, ///< MultipoleSums.hpp
};

/// How often sums with an accuracy are made in a process.
enum class SumsAre {
  Few,     ///< as in a pipeline: a thirtieth of what the first ones take to make operators counts
  Repeated ///< as in the steps of a motion: operators are there
};

/// What the choice between direct sums and multipoles depends on, beside their number.
struct BreakEvenCase {
  bool onHost = true;
  SumsAre sums = SumsAre::Few;
  bool isScaleFree = true; ///< the interaction: 1 / r, ln r, dipoles; others have operators for each size of boxes
  bool isPeriodic = false; ///< direct sums are Ewald's then
  double accuracy = 1e-6;
};

/// From so many pairs of targets and sources on multipoles are faster than direct sums. A stored table of measurements,
/// so that the choice depends on nothing else; it changes from row to row as accuracies get finer.
[[nodiscard]] constexpr double pairsForMultipoles(const BreakEvenCase& of) {
  if (of.isPeriodic) {
    return 1e7; // a pair of Ewald's sums takes some hundred times as long
  }
  if (!of.onHost) {
    return of.sums == SumsAre::Repeated ? 60000.0 * 60000.0 : 1e11; // NVIDIA H200, 3e-6
  }
  // Least times of several, in turn, on one thread of AMD EPYC (Zen 4, AVX-512): 1 / r and softened 1 / r in double and
  // in float, of uniform points in a cube; two threads and clusters of bodies in Documentation/Performance/NBody.md.
  // With operators at hand multipoles were as fast as direct potentials and gradients in double from 800 points on at
  // 1e-3 to 1e-5, from 5,000 at 1e-6, and from 8,500 at 1e-7 and finer; of potentials alone and in float from 2,500,
  // 6,000 and 8,500 on; in clusters from 10,000 on at 1e-3, and from 12,000 at 1e-4. Operators of 1 / r took 0.05,
  // 0.15, 0.4, 0.9, 1.6, 5 and 12 s from 1e-3 to 1e-9, and those of softened 1 / r as long for each size of boxes; at
  // 1e-9 they are more than is kept.
  struct Row {
    double accuracy; ///< or coarser
    double few, repeated;
    double fewOfLength, repeatedOfLength;
  };
  constexpr Row rows[] = {
    {1e-3, 1.2e7, 1e8, 4e7, 1e8},
    {1e-4, 2.2e7, 1.44e8, 1.1e8, 1.44e8},
    {1e-5, 5e7, 2e8, 2.2e8, 2.5e8},
    {1e-6, 1.1e8, 3e8, 3.6e8, 4e8},
    {1e-7, 2.3e8, 4e8, 1.1e9, 1.6e9},
    {1e-8, 5e8, 5e8, 1e10, 1e10},
    {0.0, 1.1e9, 6e8, 1e11, 1e11},
  };
  const Row* row = rows;
  while (of.accuracy < row->accuracy * (1.0 - 1e-9)) {
    ++row;
  }
  return of.sums == SumsAre::Few ? (of.isScaleFree ? row->few : row->fewOfLength)
                                 : (of.isScaleFree ? row->repeated : row->repeatedOfLength);
}

/// Whether an interaction scales with the length, but for a factor or a constant, so that one set of operators does for
/// boxes of all sizes.
template <class Interaction>
inline constexpr bool isScaleFree =
  detail::scalingOf<typename detail::FarKernelOf<Interaction>::Type> != detail::Scaling::None;

/// What Automatic depends on, beside the interaction.
struct MethodCase {
  SumMethod asked = SumMethod::Automatic;
  bool onHost = true;
  SumsAre sums = SumsAre::Few;
  bool inFloat = false;
  bool withGradients = true;
  bool isPeriodic = false;
  bool isCube = true; ///< the periodic box; multipoles are for no other
  double accuracy = 1e-6;
  double numPairs = 0.0; ///< of targets and sources, of all ranks
};

/// The method that is asked for, or what Automatic stands for.
template <class Interaction>
[[nodiscard]] constexpr SumMethod chooseMethod(const MethodCase& of) {
  if (of.asked != SumMethod::Automatic) {
    return of.asked;
  }
  const bool takesDerivatives = of.withGradients || detail::FarKernelOf<Interaction>::ofDipoles;
  const bool canBeFar = of.accuracy >= finestAccuracy(of.inFloat, takesDerivatives) && (!of.isPeriodic || of.isCube);
  const double least = pairsForMultipoles({of.onHost, of.sums, isScaleFree<Interaction>, of.isPeriodic, of.accuracy});
  return canBeFar && of.numPairs >= least ? SumMethod::FastMultipole : SumMethod::Direct;
}

} // namespace spanwise::nbody
