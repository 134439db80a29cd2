#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/NBody/InstructionSet.hpp"
#include "Core/Solvers/NBody/Interactions.hpp"
#include "Core/Solvers/NBody/Points.hpp"
#include "Core/Solvers/NBody/Variants.hpp"

#include <cstdint>

namespace spanwise::nbody {

/// What becomes of what stands in the outputs.
enum class Store { Overwrite, Add };

struct SumOptions {
  Variant variant = Variant::Automatic;
  Store store = Store::Overwrite;
  int numRightHandSides = 1;    ///< columns of charges, of each its own sums
  double potentialFactor = 1.0; ///< what potentials are multiplied with
  double gradientFactor = 1.0;  ///< what gradients are multiplied with; -1 for the force on a unit charge
  InstructionSet maxInstructions = InstructionSet::Avx512; ///< more are not used, though the processor has them
};

/// How sums were made.
struct SumReport {
  Variant variant = Variant::Automatic; ///< what was used, never Automatic
  InstructionSet instructions = InstructionSet::Compiled;
  double numInteractions = 0.0; ///< pairs times right-hand sides; of a mutual one both directions count
};

/// Collective. The sums of the sources of all ranks at all targets (interactions and their conventions:
/// Interactions.hpp),
///
///     potential_i = potentialFactor sum_j k(x_i, y_j) q_j,  gradient_i = gradientFactor grad_x sum_j k(x_i, y_j) q_j,
///
/// of those that `sums` has room for, and waits for them. Inputs and outputs are in the execution space's memory and do
/// not overlap. With Real = float everything is computed in float. Coordinates and charges must be finite.
///
/// Partial sums of a few hundred sources are added up, so errors of rounding relative to sum |k q| grow with less than
/// the square root of the number of sources; square roots are right to about two last bits. On the host results have
/// the same bits for any number of threads; they differ by rounding between variants and instruction sets. Any other
/// interaction than those of Interactions.hpp is compiled with the instructions of the user's own compiler flags.
///
/// On several ranks each has the sources of all; sums differ by rounding with how these are spread.
///
/// Throws, on all ranks alike, InvalidArgument where a count, stride, pointer or factor is not valid or the variant
/// does not go with the space (ScratchTiles: device, Mutual: host) or the sums (Mutual: sumWithin() of a radial
/// interaction), and Cancelled if the context's progress says so; outputs are undefined then. O(sources * targets); on
/// one rank allocates nothing but in the context's workspace, and that not again.
template <class ExecutionSpace, class Interaction, int Dim, class Real>
SumReport sumBetween(const Context<ExecutionSpace>& context, const Interaction& interaction,
  const PointsView<Dim, Real>& targets, const SourcesView<Dim, Real>& sources, const SumsView<Real>& sums,
  const SumOptions& options);

/// Collective. The same of the particles of all ranks on themselves: sum over j != i. Other particles in the place of
/// particle i do count (Interactions.hpp says how).
template <class ExecutionSpace, class Interaction, int Dim, class Real>
SumReport sumWithin(const Context<ExecutionSpace>& context, const Interaction& interaction,
  const SourcesView<Dim, Real>& particles, const SumsView<Real>& sums, const SumOptions& options);

} // namespace spanwise::nbody

#include "Core/Solvers/NBody/Detail/DirectSums.hpp"
