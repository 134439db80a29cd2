#include "Core/Solvers/NBody/MultipoleSums.hpp"

namespace spanwise::nbody::detail {

#define SPANWISE_MULTIPOLES(Space)                                                                                     \
  SPANWISE_MULTIPOLE_CALLS(Space, Yukawa, 2)                                                                           \
  SPANWISE_MULTIPOLE_CALLS(Space, Yukawa, 3)
SPANWISE_FOR_EACH_SPACE(SPANWISE_MULTIPOLES)

} // namespace spanwise::nbody::detail
