#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/NBody/DirectSums.hpp"
#include "Core/Solvers/NBody/Interactions.hpp"
#include "Core/Solvers/NBody/PeriodicBox.hpp"
#include "Core/Solvers/NBody/Points.hpp"
#include "Core/Solvers/NBody/SampleErrors.hpp"

#include <cstdint>

namespace spanwise::nbody {

struct EwaldOptions {
  Store store = Store::Overwrite;
  int numRightHandSides = 1;    ///< columns of charges, of each its own sums
  double potentialFactor = 1.0; ///< what potentials are multiplied with
  double gradientFactor = 1.0;  ///< what gradients are multiplied with
  /// What is summed in space and what as waves are cut at distances of about (volume)^(1 / Dim) / splitting. Sums do
  /// not depend on it. 0: chosen, so that both take as long.
  double splitting = 0.0;
};

/// Collective. The sums of sumBetween() (DirectSums.hpp) over the sources and all their images in a periodic box
/// (PeriodicBox.hpp), to about 2e-14 of sum |q k| over the nearest images, or where that is more, in long and flat
/// boxes, 4e-15 times the longest edge over the shortest: P. P. Ewald's sums, pair by pair near by and wave by wave far
/// away. Source and target in the same place as in Interactions.hpp; their images do act.
///
/// In double precision; on the host results have the same bits for any number of threads. Throws InvalidArgument as
/// sumBetween() and where the box is not one or charges of all ranks are not neutral that must be, and Cancelled. With
/// as many sources as targets n, O(n^(3/2)) near pairs and waves, and O(n^2) distances. Edges may differ
/// (PeriodicBox.hpp). On several ranks each has the sources of all.
template <class ExecutionSpace, class Interaction, int Dim, class Real>
void ewaldBetween(const Context<ExecutionSpace>& context, const Interaction& interaction, const PeriodicBox& box,
  const PointsView<Dim, Real>& targets, const SourcesView<Dim, Real>& sources, const SumsView<Real>& sums,
  const EwaldOptions& options);

/// Collective. The same of the particles of all ranks on themselves: sum over j != i and all images, also those of i.
template <class ExecutionSpace, class Interaction, int Dim, class Real>
void ewaldWithin(const Context<ExecutionSpace>& context, const Interaction& interaction, const PeriodicBox& box,
  const SourcesView<Dim, Real>& particles, const SumsView<Real>& sums, const EwaldOptions& options);

/// Collective. sampleErrors() (SampleErrors.hpp) of sums in a periodic box, against Ewald's. The largest errors are
/// relative to what the sources and those images do, without signs, that are in the 3^Dim nearest boxes.
template <class ExecutionSpace, class Interaction, int Dim, class Real, class Given>
SumErrors sampleErrors(const Context<ExecutionSpace>& context, const Interaction& interaction, const PeriodicBox& box,
  const SumsToSample<Dim, Real, Given>& of, std::int64_t maxTargets);

} // namespace spanwise::nbody

#include "Core/Solvers/NBody/Detail/EwaldSums.hpp"
