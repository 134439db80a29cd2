// The shear stress at walls, by flows that have a closed form.

#include "Core/Field/Copy.hpp"
#include "Core/Geometry/Builders/Predicate.hpp"
#include "Core/Geometry/Copy.hpp"
#include "Testing/Core/Solvers/Lattice/LatticeCases.hpp"
#include "Testing/Core/Spaces.hpp"

#include <cmath>

namespace spanwise::lattice::testing {
namespace {

using Space = Kokkos::DefaultExecutionSpace;

template <int Dim>
struct ShearAt {
  Cell<Dim> cell;
  std::array<double, Dim> shear;
  [[nodiscard]] double size() const {
    double square = 0.0;
    for (const double x : shear) {
      square += x * x;
    }
    return std::sqrt(square);
  }
};

/// Of the cells of a level where there is some.
template <int Dim>
std::vector<ShearAt<Dim>> shearsOf(LatticeFlow<Space, Dim>& flow, int level = 0) {
  HostIntervalSet<Dim> cells;
  geometry::copy(flow.cells(level), cells);
  field::HostField<double> shear;
  field::copy(flow.wallShear(level), shear);
  std::vector<ShearAt<Dim>> found;
  for (std::int64_t k = 0; k < cells.numCells(); ++k) {
    ShearAt<Dim> at{cellOf(cells.view(), k), {}};
    for (int d = 0; d < Dim; ++d) {
      at.shear[static_cast<std::size_t>(d)] = shear.view()(k, d);
    }
    if (at.size() > 0.0) {
      found.push_back(at);
    }
  }
  return found;
}

/// Two plates, `height` apart, with room for `length` cells along x, which repeats.
LatticeOptions<2> plates(int length, int height) {
  LatticeOptions<2> options;
  options.box.end[0] = length;
  options.box.end[1] = height;
  options.repeats[0] = true;
  options.viscosity = 1.0 / 6.0; // collisions leave nothing of the stress
  options.storage = Storage::Double;
  return options;
}

void settle(auto& flow, int steps) {
  for (int k = 0; k < steps; ++k) {
    flow.step();
  }
}

// Couette: the fluid drags the lower plate along and holds the moving one back, at all of its cells alike.
TEST(WallShear, OfAPlateThatMoves) {
  LatticeOptions<2> options = plates(4, 10);
  options.sides[3].velocity[0] = 0.05;
  LatticeFlow<Space, 2> flow(Context<Space>(), options);
  settle(flow, 6000);
  const auto shears = shearsOf<2>(flow);
  ASSERT_EQ(shears.size(), 8U);
  const double expected = options.viscosity * 0.05 / 10.0;
  for (const ShearAt<2>& at : shears) {
    EXPECT_NEAR(at.shear[0], at.cell.at[1] == 0 ? expected : -expected, 1e-6 * expected);
    EXPECT_NEAR(at.shear[1], 0.0, 1e-6 * expected);
  }
}

// Poiseuille: each plate holds half of the force. The velocity is a parabola, so the slope at the wall is exact.
TEST(WallShear, OfPlatesThatHoldTheForce) {
  for (const Storage storage : {Storage::Double, Storage::Float}) {
    LatticeOptions<2> options = plates(4, 12);
    options.storage = storage;
    options.force[0] = 1e-4;
    LatticeFlow<Space, 2> flow(Context<Space>(), options);
    settle(flow, 8000);
    const double expected = options.force[0] * 12.0 / 2.0;
    const auto shears = shearsOf<2>(flow);
    ASSERT_EQ(shears.size(), 8U);
    for (const ShearAt<2>& at : shears) {
      EXPECT_NEAR(at.shear[0] / expected, 1.0, storage == Storage::Double ? 1e-6 : 1e-3);
    }
  }
}

// With levels along one wall cells of both sizes tell the same.
TEST(WallShear, OfPlatesWithSmallCells) {
  LatticeOptions<2> options = plates(4, 12);
  options.refinement.numLevels = 2;
  options.refinement.atWalls = true;
  options.refinement.buffer = 1;
  options.force[0] = 1e-4;
  LatticeFlow<Space, 2> flow(Context<Space>(), options);
  settle(flow, 8000);
  const double expected = options.force[0] * 12.0 / 2.0;
  EXPECT_TRUE(shearsOf<2>(flow).empty());
  const auto shears = shearsOf<2>(flow, 1);
  ASSERT_EQ(shears.size(), 16U);
  for (const ShearAt<2>& at : shears) {
    EXPECT_NEAR(at.shear[0] / expected, 1.0, 1e-4);
  }
}

/// The distance from the wall of a pipe along x, above 0 within.
struct PipeWall {
  double middle[2];
  double radius;

  KOKKOS_FUNCTION double operator()(const double (&position)[3]) const {
    const double y = position[1] - middle[0];
    const double z = position[2] - middle[1];
    return radius - Kokkos::sqrt(y * y + z * z);
  }
};
struct InPipe {
  PipeWall wall;

  KOKKOS_FUNCTION bool operator()(const Cell<3>& cell) const {
    const double centre[3] = {cell.at[0] + 0.5, cell.at[1] + 0.5, cell.at[2] + 0.5};
    return wall(centre) > 0.0;
  }
};

/// Relative errors of the shear in a pipe.
struct PipeErrors {
  double square = 0.0; ///< root of its mean
  double mean = 0.0;
};

PipeErrors errorsInPipe(double radius) {
  const Context<Space> context;
  LatticeOptions<3> options;
  const int width = static_cast<int>(2.0 * radius) + 4;
  options.box.end[0] = 2;
  options.box.end[1] = options.box.end[2] = width;
  options.repeats[0] = true;
  options.viscosity = 0.1;
  options.storage = Storage::Double;
  options.force[0] = 1e-5;
  const PipeWall wall{{0.5 * width + 0.13, 0.5 * width + 0.21}, radius};
  IntervalSetOn<3, Space> cells;
  makeFromPredicate<Space, 3>(context, options.box, InPipe{wall}, cells);
  LatticeFlow<Space, 3> flow(context, options, cells, CellsHold::Fluid);
  flow.setSurface(wall);
  settle(flow, static_cast<int>(2.0 * radius * radius / options.viscosity));
  const double expected = options.force[0] * radius / 2.0;
  const auto shears = shearsOf<3>(flow);
  PipeErrors errors;
  for (const ShearAt<3>& at : shears) {
    const double error = at.shear[0] / expected - 1.0;
    errors.mean += error;
    errors.square += error * error;
  }
  const auto count = static_cast<double>(shears.size());
  return {std::sqrt(errors.square / count), std::abs(errors.mean) / count};
}

// The wall of a pipe holds the force of half its radius everywhere, wherever cells lie to it.
TEST(WallShear, OfAPipe) {
  const PipeErrors coarse = errorsInPipe(6.3);
  const PipeErrors fine = errorsInPipe(12.6);
  EXPECT_LT(fine.square, 0.025);
  EXPECT_LT(fine.square, 0.6 * coarse.square);
  EXPECT_LT(fine.mean, 0.01);
}

} // namespace
} // namespace spanwise::lattice::testing
