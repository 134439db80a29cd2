// What is told of a flow beside its state: gradients in closed form across jumps between levels, and forces.

#include "Core/Geometry/Builders/Box.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Solvers/Flow/FlowCases.hpp"
#include "Testing/Core/Spaces.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace spanwise::flow::testing {
namespace {

using spanwise::testing::AllSpaces;
using spanwise::testing::SpaceNames;

/// A gas whose density or velocity is linear.
template <int Dim>
struct LinearState {
  double density[Dim]{};
  double velocity[Dim][Dim]{}; ///< [component][axis]

  KOKKOS_FUNCTION Primitive<double, Dim> operator()(const double (&position)[Dim]) const {
    Primitive<double, Dim> state{1.4, {}, 1.0};
    for (int d = 0; d < Dim; ++d) {
      state.density += density[d] * position[d];
      for (int e = 0; e < Dim; ++e) {
        state.velocity[d] += velocity[d][e] * position[e];
      }
    }
    return state;
  }
};

template <class Space>
class FlowValues : public ::testing::Test {
public:
  const Context<Space> context;

  /// Calls visit(values, state) for leaves that are not beside the obstacle, a ball in the middle, or a side. They
  /// lie on three levels.
  template <int Dim, class Visit>
  void forFreeLeaves(const LinearState<Dim>& initial, const Visit& visit) {
    FlowOptions<Dim> options = boxOf<Dim>(16, 16);
    options.numLevels = 3;
    options.sensor.limit = 10.0; // refined at the obstacle alone
    geometry::Ball<Dim> ball{{}, 9.0};
    std::fill(ball.centre, ball.centre + Dim, 32.0);
    IntervalSetOn<Dim, Space> obstacle;
    makeBall<Space, Dim>(context, ball, obstacle);
    CompressibleFlow<Space, Dim> flow(context, options, obstacle);
    flow.start(initial);
    const auto& values = flow.values();
    const auto& state = flow.state();
    std::array<int, 3> visited{};
    for (int l = 0; l < flow.levels().numLevels(); ++l) {
      HostIntervalSet<Dim> level;
      HostIntervalSet<Dim> leaves;
      HostField<double> told;
      HostField<double> conserved;
      copy(flow.levels().level(l), level);
      copy(flow.leaves(l), leaves);
      copy(values.level(l), told);
      copy(state.level(l), conserved);
      const double size = 4.0 / (1 << l); // in cells of the finest level
      EXPECT_EQ(told.numCells(), leaves.numCells());
      for (const Cell<Dim>& cell : spanwise::testing::toCells(leaves)) {
        double squares = 0.0;
        bool isFree = true;
        for (const Coordinate at : cell.at) {
          const double centre = (at + 0.5) * size;
          squares += (centre - 32.0) * (centre - 32.0);
          isFree = isFree && centre > size && centre < 64.0 - size;
        }
        if (isFree && squares > (9.0 + 3.0 * size) * (9.0 + 3.0 * size)) {
          const std::int64_t leaf = leaves.view().findCell(cell);
          const std::int64_t number = level.view().findCell(cell);
          std::array<double, FlowValue<Dim>::count> of{};
          for (int c = 0; c < FlowValue<Dim>::count; ++c) {
            of[static_cast<std::size_t>(c)] = told.view()(leaf, c);
          }
          Conserved<double, Dim> here;
          for (int c = 0; c < Component<Dim>::count; ++c) {
            here[static_cast<std::size_t>(c)] = conserved.view()(number, c);
          }
          visit(of, here);
          ++visited[static_cast<std::size_t>(l)];
        }
      }
    }
    EXPECT_GT(*std::min_element(visited.begin(), visited.end()), 0);
  }
};
TYPED_TEST_SUITE(FlowValues, AllSpaces, SpaceNames);

TYPED_TEST(FlowValues, SchlierenIsTheSlopeOfTheDensity) {
  this->template forFreeLeaves<2>({{0.3, -0.4}, {}}, [](const auto& of, const auto& /*state*/) {
    EXPECT_NEAR(of[FlowValue<2>::schlieren], 0.5, 1e-12);
    EXPECT_EQ(of[FlowValue<2>::mach], 0.0);
  });
  this->template forFreeLeaves<3>({{0.2, -0.6, 0.9}, {}},
    [](const auto& of, const auto& /*state*/) { EXPECT_NEAR(of[FlowValue<3>::schlieren], 1.1, 1e-12); });
}

TYPED_TEST(FlowValues, VorticesAreThoseOfTheVelocity) {
  this->template forFreeLeaves<2>({{}, {{0.1, 0.3}, {-0.2, 0.05}}}, [](const auto& of, const auto& state) {
    EXPECT_NEAR(of[FlowValue<2>::vorticity], -0.5, 1e-12);
    EXPECT_NEAR(of[FlowValue<2>::qCriterion], -0.5 * (0.1 * 0.1 - 2.0 * 0.3 * 0.2 + 0.05 * 0.05), 1e-12);
    const IdealGas<double> gas;
    const auto here = gas.primitive<2>(state);
    EXPECT_DOUBLE_EQ(of[FlowValue<2>::density], here.density);
    EXPECT_DOUBLE_EQ(of[FlowValue<2>::velocity], here.velocity[0]);
    EXPECT_DOUBLE_EQ(of[FlowValue<2>::velocity + 1], here.velocity[1]);
    EXPECT_DOUBLE_EQ(of[FlowValue<2>::pressure], here.pressure);
    EXPECT_NEAR(of[FlowValue<2>::mach], std::hypot(here.velocity[0], here.velocity[1]) / gas.soundSpeed(here), 1e-14);
  });
  const LinearState<3> turning{{}, {{0.1, 0.3, -0.2}, {-0.2, 0.05, 0.4}, {0.7, -0.1, -0.3}}};
  double q = 0.0;
  for (int d = 0; d < 3; ++d) {
    for (int e = 0; e < 3; ++e) {
      q -= 0.5 * turning.velocity[d][e] * turning.velocity[e][d];
    }
  }
  this->template forFreeLeaves<3>(turning, [&](const auto& of, const auto& /*state*/) {
    EXPECT_NEAR(of[FlowValue<3>::vorticity], -0.1 - 0.4, 1e-12);
    EXPECT_NEAR(of[FlowValue<3>::vorticity + 1], -0.2 - 0.7, 1e-12);
    EXPECT_NEAR(of[FlowValue<3>::vorticity + 2], -0.2 - 0.3, 1e-12);
    EXPECT_NEAR(of[FlowValue<3>::qCriterion], q, 1e-12);
  });
}

// A gas at rest presses on a plate that covers the bottom, and on all sides of a ball.
TYPED_TEST(FlowValues, PressureAtRest) {
  for (const Reconstruction reconstruction : {Reconstruction::Constant, Reconstruction::VanLeer}) {
    FlowOptions<3> options = boxOf<3>(8, 8);
    options.numLevels = 2;
    options.reconstruction = reconstruction;
    options.inflow.pressure = 0.7;
    IntervalSetOn<3, TypeParam> plate;
    makeBox<TypeParam, 3>(this->context, {{0, 0, 0}, {16, 16, 3}}, plate);
    const auto onPlate = CompressibleFlow<TypeParam, 3>(this->context, options, plate).force();
    EXPECT_NEAR(onPlate[0], 0.0, 1e-14);
    EXPECT_NEAR(onPlate[1], 0.0, 1e-14);
    EXPECT_NEAR(onPlate[2], -0.7, 1e-13);
    IntervalSetOn<3, TypeParam> ball;
    makeBall<TypeParam, 3>(this->context, {{7.0, 8.5, 9.0}, 3.2}, ball);
    for (const double along : CompressibleFlow<TypeParam, 3>(this->context, options, ball).force()) {
      EXPECT_NEAR(along, 0.0, 1e-14);
    }
  }
}

// In a periodic box the gas has nothing else to give momentum to.
TYPED_TEST(FlowValues, ForceIsTheMomentumThatTheGasLoses) {
  const auto expectMomentum = [&]<int Dim>(int n, const IntervalSetOn<Dim, TypeParam>& obstacle) {
    for (const Riemann riemann : {Riemann::Rusanov, Riemann::Hllc}) {
      FlowOptions<Dim> options = boxOf<Dim>(n, n);
      options.riemann = riemann;
      options.reconstruction = Reconstruction::Constant; // one stage: the force is that of the whole step
      options.numLevels = 2;
      options.stepsPerRemesh = 1000;
      std::fill(options.repeats, options.repeats + Dim, true);
      CompressibleFlow<TypeParam, Dim> flow(this->context, options, obstacle);
      flow.start(Blast<Dim>());
      for (int k = 0; k < 20; ++k) { // the wave reaches the obstacle
        flow.step();
      }
      const auto force = flow.force();
      double greatest = 0.0;
      std::array<double, Dim> before{};
      for (int d = 0; d < Dim; ++d) {
        before[static_cast<std::size_t>(d)] = flow.total(Component<Dim>::momentum + d);
        greatest = std::fmax(greatest, std::fabs(force[static_cast<std::size_t>(d)]));
      }
      EXPECT_GT(greatest, 1e-3);
      const double start = flow.time();
      flow.step();
      for (int d = 0; d < Dim; ++d) {
        const auto axis = static_cast<std::size_t>(d);
        const double lost = before[axis] - flow.total(Component<Dim>::momentum + d);
        EXPECT_NEAR(lost, (flow.time() - start) * force[axis], 1e-14) << "axis " << d;
      }
    }
  };
  IntervalSetOn<2, TypeParam> disc;
  makeBall<TypeParam, 2>(this->context, {{40.0, 33.0}, 7.0}, disc);
  expectMomentum.template operator()<2>(32, disc);
  IntervalSetOn<3, TypeParam> ball;
  makeBall<TypeParam, 3>(this->context, {{19.0, 14.0, 13.0}, 3.5}, ball);
  expectMomentum.template operator()<3>(12, ball);
}

} // namespace
} // namespace spanwise::flow::testing
