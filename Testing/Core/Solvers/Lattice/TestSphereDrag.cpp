// The drag of a sphere in a stream at a Reynolds number of 100: 1.087 (R. Clift, J. R. Grace and M. E. Weber, Bubbles,
// Drops, and Particles, 1978, table 5.2), on two levels, with walls where the sphere's surface is.

#include "Core/Geometry/Builders/Ball.hpp"
#include "Testing/Core/Exhaustive.hpp"
#include "Testing/Core/Solvers/Lattice/LatticeCases.hpp"
#include "Testing/Core/Spaces.hpp"

#include <cmath>
#include <numbers>

namespace spanwise::lattice::testing {
namespace {

using Space = Kokkos::DefaultExecutionSpace;

struct SphereSurface {
  double centre[3];
  double radius;

  KOKKOS_FUNCTION double operator()(const double (&position)[3]) const {
    double square = 0.0;
    for (int d = 0; d < 3; ++d) {
      square += (position[d] - centre[d]) * (position[d] - centre[d]);
    }
    return Kokkos::sqrt(square) - radius;
  }
};

struct Stream {
  double speed;

  KOKKOS_FUNCTION FluidState<3> operator()(const double (& /*position*/)[3]) const { return {1.0, {speed, 0.0, 0.0}}; }
};

/// After the stream has passed the sphere so often. `across` are cells of the root.
double dragAfter(double diameters, int across, Collision collision) {
  const Context<Space> context;
  constexpr double speed = 0.06;
  constexpr double reynolds = 100.0;
  LatticeOptions<3> options;
  options.box.end[0] = 20 * across;
  options.box.end[1] = options.box.end[2] = 6 * across;
  for (std::size_t side = 2; side < 6; ++side) { // a quarter, between planes of symmetry
    options.sides[side].side = Side::Slip;
  }
  options.sides[0] = {Side::Inflow, {speed, 0.0, 0.0}};
  options.sides[1].side = Side::Outflow;
  options.viscosity = speed * across / reynolds;
  options.collision = collision;
  options.update = Update::TwoPopulations;
  options.refinement.numLevels = 2;
  const double radius = across / 2.0;
  const double centre = 6.0 * across;
  IntervalSetOn<3, Space> sphere; // of the finer level
  makeBall<Space, 3>(context, Ball<3>{{2.0 * centre, 0.0, 0.0}, 2.0 * radius}, sphere);
  LatticeFlow<Space, 3> flow(context, options, sphere);
  flow.setSurface(SphereSurface{{centre, 0.0, 0.0}, radius});
  flow.start(Stream{speed});
  while (flow.steps() < diameters * across / speed) {
    flow.step();
  }
  return flow.force().force[0] / (0.5 * speed * speed * std::numbers::pi / 4.0 * radius * radius);
}

// The drag comes near with smaller cells, and does not swing: the sound of the sudden start has left.
TEST(SphereDrag, IsThatOfExperiments) {
  constexpr double expected = 1.087;
  const double drag = dragAfter(14.0, 6, Collision::Regularised);
  EXPECT_NEAR(drag, expected, 0.07 * expected);
  if (spanwise::testing::isExhaustive()) {
    EXPECT_NEAR(dragAfter(20.0, 6, Collision::Regularised), drag, 3e-3);
    EXPECT_NEAR(dragAfter(14.0, 6, Collision::Entropic), expected, 0.07 * expected);
    EXPECT_NEAR(dragAfter(14.0, 8, Collision::Regularised), expected, 0.045 * expected);
  }
}

} // namespace
} // namespace spanwise::lattice::testing
