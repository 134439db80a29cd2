#include "Core/Solvers/NBody/MultipoleSums.hpp"

namespace spanwise::nbody::detail {

#define SPANWISE_MULTIPOLES(Space)                                                                                     \
  SPANWISE_MULTIPOLE_CALLS(Space, Logarithm, 2)                                                                        \
  SPANWISE_MULTIPOLE_CALLS(Space, Logarithm, 3)
SPANWISE_IF_SERIAL(SPANWISE_MULTIPOLES(Kokkos::Serial))
SPANWISE_IF_OPENMP(SPANWISE_MULTIPOLES(Kokkos::OpenMP))
SPANWISE_IF_THREADS(SPANWISE_MULTIPOLES(Kokkos::Threads))

} // namespace spanwise::nbody::detail
