#include "Testing/Core/Solvers/NBody/FarSums.hpp"

namespace spanwise::nbody::testing {
namespace {

/// In small leaves, so that most is summed by multipoles, down to the finest accuracy that there is.
TEST(MultipoleDipoles, AreAccurateWhereverTheyLie) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const Distribution distribution : allDistributions) {
    for (const double accuracy : {1e-6, 1e-9}) {
      expectAccurate<Kokkos::DefaultHostExecutionSpace, Dipole<3>, 3, double>(
        {}, distribution, 1500, Parts::Both, accuracy, 20);
    }
  }
}

} // namespace
} // namespace spanwise::nbody::testing
