#include "Core/Solvers/NBody/DirectSums.hpp"

namespace spanwise::nbody::detail {

#define SPANWISE_SUMS(Space)                                                                                           \
  SPANWISE_SUM_CALLS(Space, InverseDistance, 2)                                                                        \
  SPANWISE_SUM_CALLS(Space, InverseDistance, 3)
SPANWISE_FOR_EACH_SPACE(SPANWISE_SUMS)

} // namespace spanwise::nbody::detail
