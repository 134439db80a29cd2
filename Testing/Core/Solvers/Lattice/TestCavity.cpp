// The cavity under a moving lid against published tables, small: the table's own size is in TestCavityTables.cpp.

#include "Testing/Core/Solvers/Lattice/CavityError.hpp"
#include "Testing/Core/Spaces.hpp"

namespace spanwise::lattice::testing {
namespace {

using Space = Kokkos::DefaultExecutionSpace;

TEST(Cavity, ComesNearerToTheTablesWithMoreCells) {
  const Context<Space> context;
  for (const Collision collision :
    {Collision::SingleRelaxation, Collision::TwoRelaxation, Collision::Regularised, Collision::Entropic}) {
    LatticeOptions<2> options;
    options.collision = collision;
    const double coarse = errorOfCavity(context, options, 32, 100, 0.1);
    const double fine = errorOfCavity(context, options, 64, 100, 0.1);
    EXPECT_LT(fine, 0.8 * coarse) << static_cast<int>(collision);
    EXPECT_LT(fine, 0.015);
  }
}

} // namespace
} // namespace spanwise::lattice::testing
