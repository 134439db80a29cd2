#pragma once

#include "Core/Parallel/Messenger.hpp"
#include "Core/Solvers/NBody/DirectSums.hpp"
#include "Core/Solvers/NBody/PeriodicBox.hpp"

#include <cstdint>
#include <optional>

namespace spanwise::nbody {

struct MultipoleOptions {
  double accuracy = 1e-6;     ///< requested error relative to sum |q k|, of a gradient to sum |q grad k|
  int order = 0;              ///< polynomials along an axis; 0: chosen from the accuracy
  std::int64_t maxInLeaf = 0; ///< sources or targets; 0: chosen from the order
  Store store = Store::Overwrite;
  int numRightHandSides = 1;    ///< columns of charges, of each its own sums
  double potentialFactor = 1.0; ///< what potentials are multiplied with
  double gradientFactor = 1.0;  ///< what gradients are multiplied with; -1 for the force on a unit charge
  InstructionSet maxInstructions = InstructionSet::Avx512; ///< more are not used, though the processor has them
  std::optional<PeriodicBox> box; ///< a cube that sources are repeated with; of this library's own interactions
};

/// How this rank made its sums.
struct MultipoleReport {
  int order = 0;
  int numLevels = 0; ///< of the tree, on several ranks of the first one
  std::int64_t numBoxes = 0;
  std::int64_t maxInLeaf = 0;
  double numNear = 0.0; ///< pairs of particles that were taken one by one, times right-hand sides
  double numFar = 0.0;  ///< pairs of boxes whose expansions were translated, times right-hand sides
  InstructionSet instructions = InstructionSet::Compiled;

  std::int64_t numTargets = 0;         ///< of this rank's part
  std::int64_t numSources = 0;         ///< likewise
  std::int64_t numMoved = 0;           ///< targets and sources that it sent to the ranks of their parts
  std::int64_t numEssentialPoints = 0; ///< sources of others that it was sent
  std::int64_t numEssentialNodes = 0;  ///< nodes that stand for sources of others
  double imbalance = 1.0;              ///< of work, as trees have it: the largest of a rank over the mean
  parallel::MessageReport messages;    ///< sent in this call, but for what all ranks gather and reduce
};

} // namespace spanwise::nbody
