#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/NBody/Interactions.hpp"
#include "Core/Solvers/NBody/Points.hpp"

#include <cstdint>

namespace spanwise::nbody {

/// How far sums are from direct ones, at some of their targets and over all right-hand sides.
struct SumErrors {
  std::int64_t numTargets = 0; ///< that were looked at
  double potentialL2 = 0.0;    ///< sqrt(sum error^2 / sum potential^2)
  double potentialMax = 0.0;   ///< largest error, relative to the sum of what each source does, without signs
  double gradientL2 = 0.0;     ///< the same of gradients, as lengths of vectors
  double gradientMax = 0.0;
};

/// Sums to be looked at. Places and charges are what was given: in double, where sums are of numbers that were rounded
/// to float, so that what rounding does is among the errors.
template <int Dim, class Real, class Given = Real>
struct SumsToSample {
  PointsView<Dim, Given> targets;
  SourcesView<Dim, Given> sources;
  SumsView<Real> sums;
  bool within = false; ///< targets are the first of the sources: a particle does not act on itself
  double potentialFactor = 1.0;
  double gradientFactor = 1.0;
  int numRightHandSides = 1;
};

/// Collective. Compares sums with direct ones in double precision at `maxTargets` targets of each rank, evenly spaced
/// in their order, or at all if there are not so many, over the sources of all ranks; with one result on all of them.
/// With `within` a rank's targets are its sources. Ranks tell each other the places of samples; each sums its own
/// sources there, in its execution space. Waits for the result. O(sources of a rank * ranks * maxTargets).
template <class ExecutionSpace, class Interaction, int Dim, class Real, class Given>
SumErrors sampleErrors(const Context<ExecutionSpace>& context, const Interaction& interaction,
  const SumsToSample<Dim, Real, Given>& of, std::int64_t maxTargets);

} // namespace spanwise::nbody

#include "Core/Solvers/NBody/Detail/SampleErrors.hpp"
