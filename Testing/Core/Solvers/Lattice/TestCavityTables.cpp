// The cavity under a moving lid at 128^2 cells against the tables of Ghia, Ghia and Shin: within 1.5 % of the lid's
// speed, for each collision, storage and update. Sampled unless all are asked for.

#include "Testing/Core/Exhaustive.hpp"
#include "Testing/Core/Solvers/Lattice/CavityError.hpp"
#include "Testing/Core/Spaces.hpp"

#include <iostream>

namespace spanwise::lattice::testing {
namespace {

using Space = Kokkos::DefaultExecutionSpace;

class CavityTables : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Reynolds, CavityTables, ::testing::Values(100, 400, 1000));

TEST_P(CavityTables, AreMet) {
  const Context<Space> context;
  const double speed = 0.08; // errors go with its square, since the fluid of the method can be compressed
  for (const Collision collision :
    {Collision::SingleRelaxation, Collision::TwoRelaxation, Collision::Regularised, Collision::Entropic}) {
    if (collision != Collision::Regularised && !spanwise::testing::isExhaustive()) {
      continue;
    }
    LatticeOptions<2> options;
    options.collision = collision;
    const double error = errorOfCavity(context, options, 128, GetParam(), speed);
    std::cout << "Re " << GetParam() << ", collision " << static_cast<int>(collision) << ": " << error << '\n';
    EXPECT_LT(error, 0.015) << static_cast<int>(collision);
  }
  for (const Storage storage : {Storage::Half, Storage::Double}) {
    if ((storage == Storage::Double || GetParam() != 400) && !spanwise::testing::isExhaustive()) {
      continue;
    }
    LatticeOptions<2> options;
    options.storage = storage;
    options.update = storage == Storage::Half ? Update::TwoPopulations : Update::InPlace;
    const double error = errorOfCavity(context, options, 128, GetParam(), speed);
    std::cout << "Re " << GetParam() << ", storage " << static_cast<int>(storage) << ": " << error << '\n';
    EXPECT_LT(error, 0.015) << static_cast<int>(storage);
  }
}

} // namespace
} // namespace spanwise::lattice::testing
