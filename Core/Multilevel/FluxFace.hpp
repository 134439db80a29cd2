#pragma once

#include <cstdint>

namespace spanwise::multilevel {

/// A face between two cells of a level, and the next cells along its axis on both sides: numbers in the extended set of
/// the level. Where ghost cells are one cell wide the next cells may be missing, and are -1.
struct FluxFace {
  int axis;
  std::int64_t below;
  std::int64_t lower;
  std::int64_t upper;
  std::int64_t above;
};

} // namespace spanwise::multilevel
