// A cylinder in a channel: Schaefer and Turek, Benchmark Computations of Laminar Flow Around a Cylinder (1996), 2D-1
// and 2D-2. The finer values of 2D-1 are those of featflow.de.

#include "Core/Geometry/Builders/Ball.hpp"
#include "Testing/Core/Exhaustive.hpp"
#include "Testing/Core/Solvers/Lattice/LatticeCases.hpp"
#include "Testing/Core/Spaces.hpp"

#include <cmath>
#include <iostream>
#include <vector>

namespace spanwise::lattice::testing {
namespace {

using Space = Kokkos::DefaultExecutionSpace;

struct CircleSurface {
  double centre[2];
  double radius;

  KOKKOS_FUNCTION double operator()(const double (&position)[2]) const {
    const double x = position[0] - centre[0];
    const double y = position[1] - centre[1];
    return Kokkos::sqrt(x * x + y * y) - radius;
  }
};

/// The channel of 2.2 by 0.41 m around a cylinder of 0.1 m, with so many cells to its diameter and a mean speed.
class Channel {
public:
  Channel(int cells, double reynolds, double speed) : diameter_(cells), speed_(speed) {
    LatticeOptions<2> options;
    options.box.end[0] = 22 * cells;
    options.box.end[1] = static_cast<Coordinate>(std::lround(4.1 * cells));
    options.sides[0].side = Side::Inflow;
    options.sides[0].velocity[0] = speed;
    options.sides[0].profile = Profile::Parabolic;
    options.sides[1].side = Side::Outflow;
    options.viscosity = speed * cells / reynolds;
    options.rampSteps = static_cast<int>(8.0 * std::sqrt(3.0) * options.box.extent(0));
    options.storage = Storage::Double;
    const CircleSurface circle{{2.0 * cells, 2.0 * cells}, 0.5 * cells};
    const Context<Space> context;
    IntervalSetOn<2, Space> solid;
    makeBall<Space, 2>(context, Ball<2>{{circle.centre[0], circle.centre[1]}, circle.radius}, solid);
    flow_ = std::make_unique<LatticeFlow<Space, 2>>(context, options, solid);
    flow_->setSurface(circle);
  }

  /// Goes on by so many diameters that the mean flow passes.
  void pass(double diameters) {
    for (int k = 0; k < static_cast<int>(diameters * diameter_ / speed_); ++k) {
      flow_->step();
    }
  }
  /// Drag and lift coefficients.
  [[nodiscard]] std::array<double, 2> coefficients() {
    const WallForce<2> force = flow_->force();
    const double scale = 2.0 / (speed_ * speed_ * diameter_);
    return {scale * force.force[0], scale * force.force[1]};
  }

private:
  int diameter_;
  double speed_;
  std::unique_ptr<LatticeFlow<Space, 2>> flow_;
};

// The fluid of the method can be compressed: errors go with the square of the speed on the lattice.
TEST(Cylinder, HasTheDragAndLiftOfASteadyFlow) {
  double errorBefore = 0.0;
  for (const double speed : {0.04, 0.02}) {
    if (speed == 0.02 && !spanwise::testing::isExhaustive()) {
      continue;
    }
    Channel channel(20, 20.0, speed);
    std::array<double, 2> last{};
    std::array<double, 2> now{1.0, 1.0};
    while (std::abs(now[0] - last[0]) > 1e-4 || std::abs(now[1] - last[1]) > 1e-5) {
      channel.pass(5.0);
      last = now;
      now = channel.coefficients();
    }
    std::cout << "speed " << speed << ": drag " << now[0] << ", lift " << now[1] << std::endl;
    const double error = std::abs(now[0] / 5.5795 - 1.0);
    EXPECT_NEAR(now[1], 0.0106, 0.001);
    EXPECT_LT(error, 0.02);
    if (speed == 0.02) {
      EXPECT_LT(error, 0.01);
      EXPECT_LT(error, 0.6 * errorBefore);
    }
    errorBefore = error;
  }
}

TEST(Cylinder, ShedsVorticesAtThePublishedRate) {
  const int cells = 20;
  Channel channel(cells, 100.0, 0.03);
  channel.pass(150.0);
  std::vector<double> risings; // times at which the lift becomes positive, in diameters
  double greatestDrag = 0.0;
  double greatestLift = 0.0;
  double before = channel.coefficients()[1];
  for (double time = 0.0; risings.size() < 11; time += 0.05) {
    channel.pass(0.05);
    const auto [drag, lift] = channel.coefficients();
    if (before < 0.0 && lift >= 0.0) {
      risings.push_back(time - 0.05 * lift / (lift - before));
    }
    before = lift;
    greatestDrag = std::max(greatestDrag, drag);
    greatestLift = std::max(greatestLift, lift);
  }
  const double strouhal = 10.0 / (risings.back() - risings.front());
  std::cout << "Strouhal number " << strouhal << ", drag " << greatestDrag << ", lift " << greatestLift << '\n';
  EXPECT_GT(strouhal, 0.295);
  EXPECT_LT(strouhal, 0.305);
  EXPECT_NEAR(greatestDrag, 3.23, 0.1);
  EXPECT_NEAR(greatestLift, 1.0, 0.1);
}

} // namespace
} // namespace spanwise::lattice::testing
