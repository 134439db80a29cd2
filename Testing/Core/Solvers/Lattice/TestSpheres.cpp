// Slow flow through a simple cubic array of spheres: the drag of Zick and Homsy, J. Fluid Mech. 115 (1982) 13-26, and
// with it the permeability.

#include "Core/Geometry/Builders/Ball.hpp"
#include "Testing/Core/Solvers/Lattice/LatticeCases.hpp"
#include "Testing/Core/Spaces.hpp"

#include <cmath>
#include <numbers>

namespace spanwise::lattice::testing {
namespace {

using Space = Kokkos::DefaultExecutionSpace;

struct SphereSurface {
  double centre;
  double radius;

  KOKKOS_FUNCTION double operator()(const double (&position)[3]) const {
    double square = 0.0;
    for (const double x : position) {
      square += (x - centre) * (x - centre);
    }
    return Kokkos::sqrt(square) - radius;
  }
};

/// The force of a stream along x on a sphere in the middle of a box, or on a quarter of it between planes of symmetry.
WallForce<3> forceOfStream(Velocities velocities, bool isQuarter, bool isCut) {
  constexpr int size = 16;
  constexpr double radius = 3.3;
  const Context<Space> context;
  LatticeOptions<3> options;
  for (int d = 0; d < 3; ++d) {
    options.box.end[d] = size;
    options.box.begin[d] = isQuarter && d > 0 ? size / 2 : 0;
  }
  for (auto& side : options.sides) {
    side.side = Side::Slip;
  }
  options.sides[0] = {Side::Inflow, {0.05, 0.0, 0.0}};
  options.sides[1].side = Side::Outflow;
  options.viscosity = 0.05;
  options.velocities = velocities;
  options.storage = Storage::Double;
  IntervalSetOn<3, Space> sphere;
  makeBall<Space, 3>(context, Ball<3>{{size / 2.0, size / 2.0, size / 2.0}, radius}, sphere);
  LatticeFlow<Space, 3> flow(context, options, sphere);
  if (isCut) {
    flow.setSurface(SphereSurface{size / 2.0, radius});
  }
  for (int k = 0; k < 50; ++k) {
    flow.step();
  }
  return flow.force();
}

// The links through a plane of symmetry are those of the mirror image.
TEST(Spheres, QuartersHaveAQuarterOfTheForce) {
  for (const Velocities velocities : {Velocities::Fewest, Velocities::All}) {
    for (const bool isCut : {false, true}) {
      const double whole = forceOfStream(velocities, false, isCut).force[0];
      EXPECT_NEAR(forceOfStream(velocities, true, isCut).force[0], whole / 4.0, 1e-12 * whole) << isCut;
    }
  }
}

/// The drag of a sphere in units of Stokes', of which `fraction` of the volume are spheres.
double dragOfArray(int size, double fraction, bool isCut) {
  const Context<Space> context;
  LatticeOptions<3> options;
  for (int d = 0; d < 3; ++d) {
    options.box.end[d] = size;
    options.repeats[d] = true;
  }
  options.force[0] = 1e-6;
  options.storage = Storage::Double;
  const double radius = size * std::cbrt(3.0 * fraction / (4.0 * std::numbers::pi));
  IntervalSetOn<3, Space> sphere;
  makeBall<Space, 3>(context, Ball<3>{{size / 2.0, size / 2.0, size / 2.0}, radius}, sphere);
  LatticeFlow<Space, 3> flow(context, options, sphere);
  if (isCut) {
    flow.setSurface(SphereSurface{size / 2.0, radius});
  }
  double speed = 0.0; // the mean over all of the volume
  for (double change = 1.0; change > 1e-5;) {
    for (int k = 0; k < size * size / 4; ++k) {
      flow.step();
    }
    double sum = 0.0;
    for (const auto& [at, state] : statesOf<Space, 3>(flow)) {
      sum += state[1];
    }
    const double now = sum / std::pow(size, 3);
    change = std::abs(now - speed) / now;
    speed = now;
  }
  return options.force[0] * std::pow(size, 3) / (6.0 * std::numbers::pi * options.viscosity * radius * speed);
}

TEST(Spheres, InAnArrayHaveThePublishedDrag) {
  const double coarse = std::abs(dragOfArray(16, 0.216, true) / 7.442 - 1.0);
  const double fine = std::abs(dragOfArray(32, 0.216, true) / 7.442 - 1.0);
  EXPECT_LT(fine, 0.0125);
  EXPECT_LT(fine, 0.4 * coarse);
}

// Walls where they are, not halfway: the error is several times smaller.
TEST(Spheres, AreRoundWhereLinksAreCut) {
  const double cut = std::abs(dragOfArray(32, 0.064, true) / 2.810 - 1.0);
  const double stairs = std::abs(dragOfArray(32, 0.064, false) / 2.810 - 1.0);
  EXPECT_LT(cut, 0.01);
  EXPECT_LT(cut, 0.3 * stairs) << stairs;
}

} // namespace
} // namespace spanwise::lattice::testing
