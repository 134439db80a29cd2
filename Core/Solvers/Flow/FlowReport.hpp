#pragma once

#include <cstdint>

namespace spanwise::flow {

/// What a run did.
struct FlowReport {
  std::int64_t steps = 0;       ///< of the finest level
  std::int64_t cellUpdates = 0; ///< leaves times steps that they took, of all ranks
  std::int64_t remeshes = 0;
  /// Cells whose density or pressure had to be raised to the least allowed; mass and energy are not conserved there.
  std::int64_t raisedCells = 0;
};

} // namespace spanwise::flow
