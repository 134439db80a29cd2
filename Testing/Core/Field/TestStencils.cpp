#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Reductions.hpp"
#include "Core/Field/Stencil.hpp"
#include "Core/Field/Stencils.hpp"
#include "Core/Geometry/Builders/Ball.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Field/Fields.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <functional>
#include <limits>

namespace spanwise::testing {
namespace {

template <class Space>
class Stencils : public ::testing::Test {};
TYPED_TEST_SUITE(Stencils, AllSpaces, SpaceNames);

template <int Dim>
using Function = std::function<double(double, double, double)>;

constexpr double spacings[3] = {0.5, 2.0, 0.25}; // powers of two: products with them are exact

template <int Dim>
GridGeometry<Dim> grid() {
  GridGeometry<Dim> result{};
  std::copy_n(spacings, Dim, result.spacing);
  return result;
}

template <int Dim>
GridGeometry<Dim> unitGrid() {
  GridGeometry<Dim> result{};
  std::fill_n(result.spacing, Dim, 1.0);
  return result;
}

/// The values of a function at cells, x_a = spacing_a cell_a.
template <int Dim>
std::vector<double> sampled(const CellList<Dim>& cells, const Function<Dim>& f) {
  std::vector<double> values;
  for (const Cell<Dim>& cell : cells) {
    values.push_back(
      f(spacings[0] * cell.at[0], spacings[1] * cell.at[1], Dim == 3 ? spacings[2] * cell.at[Dim - 1] : 0.0));
  }
  return values;
}

template <class Space, class Pattern>
StencilMapOn<Pattern, Space> mapOf(const IntervalSetOn<Pattern::dimension, Space>& set, BoundaryPolicy policy) {
  const Context<Space> context;
  StencilMapOn<Pattern, Space> map;
  buildStencilMap<Pattern, Space>(context, set, {policy}, map);
  return map;
}

/// A set with holes, and which of its cells have all face neighbours.
template <int Dim>
struct Holed {
  CellList<Dim> cells;
  std::vector<bool> complete;

  explicit Holed(std::mt19937& random) : cells(randomCells<Dim>(random, Dim == 2 ? 20 : 7, 0.9)) {
    for (const Cell<Dim>& cell : cells) {
      bool all = true;
      for (int axis = 0; axis < Dim; ++axis) {
        for (const int side : {-1, 1}) {
          Cell<Dim> next = cell;
          next.at[axis] += side;
          all = all && cells.contains(next);
        }
      }
      complete.push_back(all);
    }
  }
};

template <int Dim>
void expectWhereComplete(const Holed<Dim>& set, const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    ASSERT_EQ(found[k], set.complete[k] ? expected[k] : -99.0) << "cell " << k;
  }
}

template <class Space, int Dim>
void expectDerivatives(std::mt19937& random) {
  const Holed<Dim> holed(random);
  const Space space;
  const auto set = toSet<Space, Dim>(holed.cells);
  const auto map = mapOf<Space, FacePattern<Dim>>(set, BoundaryPolicy::Skip);
  const auto untouched = [&](int numComponents) {
    return fieldOn<Space>("out",
      ValueLists<double>(static_cast<std::size_t>(numComponents), std::vector<double>(holed.cells.size(), -99.0)));
  };
  const auto f = [](double x, double y, double z) {
    return 3.0 * x * x - 2.0 * y * y + 5.0 * z * z + x * y - 4.0 * y * z + 7.0 * x - y + z + 11.0;
  };
  const auto field = fieldOn<Space, double>("f", {sampled<Dim>(holed.cells, f)});

  auto out = untouched(1);
  laplacian(Context(space), map, field, grid<Dim>(), 0.0, out);
  const double expected = Dim == 2 ? 2.0 : 12.0; // 6 - 4 (+ 10)
  expectWhereComplete(holed, valuesOf(out).front(), std::vector<double>(holed.cells.size(), expected));

  auto slopes = untouched(Dim);
  gradient(Context(space), map, field, grid<Dim>(), 0.0, slopes);
  const auto found = valuesOf(slopes);
  expectWhereComplete(
    holed, found[0], sampled<Dim>(holed.cells, [](double x, double y, double /*z*/) { return 6.0 * x + y + 7.0; }));
  expectWhereComplete(holed, found[1],
    sampled<Dim>(holed.cells, [](double x, double y, double z) { return -4.0 * y + x - 4.0 * z - 1.0; }));
  if constexpr (Dim == 3) {
    expectWhereComplete(holed, found[2],
      sampled<Dim>(holed.cells, [](double /*x*/, double y, double z) { return 10.0 * z - 4.0 * y + 1.0; }));
  }

  ValueLists<double> vectors{sampled<Dim>(holed.cells, [](double x, double y, double z) { return x * x + y * z; }),
    sampled<Dim>(holed.cells, [](double x, double y, double /*z*/) { return 3.0 * x * y; }),
    sampled<Dim>(holed.cells, [](double x, double /*y*/, double z) { return x - 8.0 * z; })};
  vectors.resize(Dim);
  out = untouched(1);
  divergence(Context(space), map, fieldOn<Space>("u", vectors), grid<Dim>(), 0.0, out);
  expectWhereComplete(holed, valuesOf(out).front(),
    sampled<Dim>(holed.cells, [](double x, double /*y*/, double /*z*/) { return 5.0 * x - (Dim == 3 ? 8.0 : 0.0); }));
}

TYPED_TEST(Stencils, DerivativesOfQuadraticsAreExact) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  expectDerivatives<TypeParam, 2>(random);
  expectDerivatives<TypeParam, 3>(random);
}

template <class Space, int Dim>
void expectIntegrationByParts(std::mt19937& random) {
  const CellList<Dim> cells = randomCells<Dim>(random, Dim == 2 ? 20 : 7, 0.7);
  const Space space;
  const auto set = toSet<Space, Dim>(cells);
  const auto f = fieldOn<Space>("f", randomValues<double>(random, cells.size(), 1));
  const auto g = fieldOn<Space>("g", randomValues<double>(random, cells.size(), 1));
  const auto u = fieldOn<Space>("u", randomValues<double>(random, cells.size(), Dim));
  FieldOn<double, Space> slopes("grad", f.numCells(), Dim);
  FieldOn<double, Space> out("out", f.numCells());

  const auto zero = mapOf<Space, FacePattern<Dim>>(set, BoundaryPolicy::Value);
  gradient(Context(space), zero, f, grid<Dim>(), 0.0, slopes);
  divergence(Context(space), zero, u, grid<Dim>(), 0.0, out);
  EXPECT_EQ(dot(Context(space), slopes, u) + dot(Context(space), f, out), 0.0); // <grad f, u> = -<f, div u>

  for (const BoundaryPolicy policy : {BoundaryPolicy::Value, BoundaryPolicy::Mirror}) {
    const auto map = mapOf<Space, FacePattern<Dim>>(set, policy);
    laplacian(Context(space), map, f, grid<Dim>(), 0.0, out);
    const double left = dot(Context(space), out, g);
    if (policy == BoundaryPolicy::Mirror) {
      EXPECT_EQ(sum(Context(space), out), 0.0); // nothing flows through the boundary
    }
    EXPECT_LE(dot(Context(space), out, f), 0.0);
    laplacian(Context(space), map, g, grid<Dim>(), 0.0, out);
    EXPECT_EQ(left, dot(Context(space), f, out)); // <L f, g> = <f, L g>
  }
}

TYPED_TEST(Stencils, ObeyIntegrationByParts) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  expectIntegrationByParts<TypeParam, 2>(random);
  expectIntegrationByParts<TypeParam, 3>(random);
}

/// So many steps of Jacobi iteration.
template <class Space, class Map, int Dim>
void smooth(const Space& space, const Map& map, FieldOn<double, Space>& x, const GridGeometry<Dim>& along,
  double relaxation, int steps) {
  FieldOn<double, Space> next;
  copy(x, next); // cells that are not in the map are neighbours all the same
  for (int step = 0; step < steps; ++step) {
    jacobiStep(Context(space), map, x, {along, relaxation}, 0.0, next);
    std::swap(x, next);
  }
}

template <class Space, int Dim>
void expectMaximumPrinciple(std::mt19937& random, BoundaryPolicy policy) {
  const CellList<Dim> cells = randomCells<Dim>(random, Dim == 2 ? 20 : 7, 0.7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  ValueLists<double> values(2, std::vector<double>(cells.size()));
  for (std::vector<double>& list : values) {
    for (double& value : list) {
      value = uniform(random);
    }
  }
  const Space space;
  const auto map = mapOf<Space, FacePattern<Dim>>(toSet<Space, Dim>(cells), policy);
  auto x = fieldOn<Space>("x", values);
  Extrema<double> before = extrema(Context(space), x, 1);
  const double roughness = norm(Context(space), Norm::L2, x);
  for (const int steps : {0, 1, 2, 7}) {
    smooth(space, map, x, grid<Dim>(), 0.8, steps);
    const Extrema<double> after = extrema(Context(space), x, 1);
    EXPECT_GE(after.min, before.min - 1e-15);
    EXPECT_LE(after.max, before.max + 1e-15);
    before = after;
  }
  if (policy != BoundaryPolicy::Skip) {
    EXPECT_LT(norm(Context(space), Norm::L2, x), 0.7 * roughness); // values of mean 0
  }
  EXPECT_EQ(x.name(), "x");
}

TYPED_TEST(Stencils, JacobiSmoothingObeysTheMaximumPrinciple) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const BoundaryPolicy policy : {BoundaryPolicy::Value, BoundaryPolicy::Mirror, BoundaryPolicy::Skip}) {
    expectMaximumPrinciple<TypeParam, 2>(random, policy);
    expectMaximumPrinciple<TypeParam, 3>(random, policy);
  }
}

TYPED_TEST(Stencils, JacobiSmoothingSolvesLaplacesEquation) {
  // On a strip whose ends are kept the solution is linear.
  const TypeParam space;
  const Context context(space);
  IntervalSetOn<2, TypeParam> strip;
  makeBox<TypeParam, 2>(context, {{0, 0}, {11, 4}}, strip);
  IntervalSetOn<2, TypeParam> inner;
  makeBox<TypeParam, 2>(context, {{1, 0}, {10, 4}}, inner);
  RegionOn<2, TypeParam> region(inner);
  StencilMapOn<FacePattern<2>, TypeParam> map;
  buildStencilMap<FacePattern<2>, TypeParam>(context, strip, {BoundaryPolicy::Mirror}, map, region.in(context, strip));
  ValueLists<double> values(1);
  for (int k = 0; k < 44; ++k) {
    values[0].push_back(k % 11 == 10 ? 5.0 : 0.0);
  }
  auto x = fieldOn<TypeParam>("x", values);
  smooth(space, map, x, unitGrid<2>(), 1.0, 2001);
  const auto found = valuesOf(x).front();
  for (std::size_t k = 0; k < 44; ++k) {
    EXPECT_NEAR(found[k], 0.5 * static_cast<double>(k % 11), 1e-12);
  }
}

template <class Space, int Dim>
void expectBoxFilter(std::mt19937& random) {
  const Space space;
  const CellList<Dim> cells = randomCells<Dim>(random, Dim == 2 ? 15 : 5, 0.9);
  const auto set = toSet<Space, Dim>(cells);
  FieldOn<double, Space> out("out", set.numCells());
  auto ones = fieldOn<Space>("one", ValueLists<double>(1, std::vector<double>(cells.size(), 1.0)));
  boxFilter(Context(space), mapOf<Space, BoxPattern<Dim>>(set, BoundaryPolicy::Mirror), ones, 0.0, out);
  EXPECT_EQ(valuesOf(out), valuesOf(ones));
  // With zeros outside, the sum over all cells counts each cell once for each of its neighbours that is in the set.
  boxFilter(Context(space), mapOf<Space, BoxPattern<Dim>>(set, BoundaryPolicy::Value), ones, 0.0, out);
  std::int64_t pairs = 0;
  for (const Cell<Dim>& cell : cells) {
    for (int n = 0; n < BoxPattern<Dim>::count; ++n) {
      Cell<Dim> next = cell;
      for (int axis = 0; axis < Dim; ++axis) {
        next.at[axis] += BoxPattern<Dim>::offset(n, axis);
      }
      pairs += static_cast<std::int64_t>(cells.contains(next));
    }
  }
  const double perCell = BoxPattern<Dim>::count + 1;
  EXPECT_NEAR(sum(Context(space), out) * perCell, static_cast<double>(pairs + set.numCells()), 1e-8);
}

TYPED_TEST(Stencils, BoxFilterIsTheMeanOfTheNeighbourhood) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  expectBoxFilter<TypeParam, 2>(random);
  expectBoxFilter<TypeParam, 3>(random);
}

TYPED_TEST(Stencils, OfFloatsAreThoseOfDoubles) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const TypeParam space;
  const CellList<3> cells = randomCells<3>(random, 6, 0.8);
  const auto set = toSet<TypeParam, 3>(cells);
  const ValueLists<double> values = randomValues<double>(random, cells.size(), 1);
  const std::vector<float> narrow(values[0].begin(), values[0].end());
  const auto map = mapOf<TypeParam, FacePattern<3>>(set, BoundaryPolicy::Value);
  FieldOn<double, TypeParam> out("out", set.numCells());
  FieldOn<float, TypeParam> narrowOut("out", set.numCells());
  laplacian(Context(space), map, fieldOn<TypeParam>("x", values), grid<3>(), 2.0, out);
  laplacian(Context(space), map, fieldOn<TypeParam, float>("x", {narrow}), grid<3>(), 2.0F, narrowOut);
  const auto found = valuesOf(narrowOut).front();
  EXPECT_EQ(ValueLists<double>(1, std::vector<double>(found.begin(), found.end())), valuesOf(out));
}

// A user's stencil, by a lambda: the fourth-order second derivative along x.
template <class Space>
void expectUsersStencil() {
  const Space space;
  using Pattern = StarPattern<2, 2>;
  IntervalSetOn<2, Space> set;
  makeBox<Space, 2>(Context(space), {{-10, -3}, {10, 3}}, set);
  const Context context(space);
  StencilMapOn<Pattern, Space> map;
  buildStencilMap<Pattern, Space>(context, set, {BoundaryPolicy::Skip}, map);
  std::vector<double> fifth;
  std::vector<double> expected;
  for (int y = -3; y < 3; ++y) {
    for (int x = -10; x < 10; ++x) {
      fifth.push_back(std::pow(x, 5));
      expected.push_back(x < -8 || x > 7 || y < -1 || y > 0 ? 0.0 : 240.0 * std::pow(x, 3)); // 12 times the derivative
    }
  }
  const auto in = fieldOn<Space, double>("in", {fifth});
  FieldOn<double, Space> out("out", set.numCells());
  fill(context, out, 0.0);
  applyStencil<Space, Pattern, double>(
    space, map, in, 0.0,
    KOKKOS_LAMBDA(const StencilPoint<Pattern, double>& p) {
      return 16.0 * (p.west() + p.east()) - (p.template at<-2, 0>() + p.template at<2, 0>()) - 30.0 * p.centre();
    },
    out);
  EXPECT_EQ(valuesOf(out).front(), expected);
}

TYPED_TEST(Stencils, TakeAUsersLambda) { expectUsersStencil<TypeParam>(); }

struct East {
  KOKKOS_FUNCTION std::uint8_t operator()(const StencilPoint<FacePattern<2>, std::uint8_t>& p) const {
    return p.east();
  }
};

TYPED_TEST(Stencils, OfIntegersTakeAUsersFunctorToo) {
  const TypeParam space;
  IntervalSetOn<2, TypeParam> set;
  makeBox<TypeParam, 2>(Context(space), {{0, 0}, {5, 1}}, set);
  const auto map = mapOf<TypeParam, FacePattern<2>>(set, BoundaryPolicy::Value);
  const auto in = fieldOn<TypeParam, std::uint8_t>("in", {{1, 2, 3, 4, 5}, {9, 9, 9, 9, 0}});
  FieldOn<std::uint8_t, TypeParam> out("out", 5, 2);
  applyStencil<TypeParam, FacePattern<2>, std::uint8_t>(space, map, in, 77, East{}, out);
  EXPECT_EQ(valuesOf(out), (ValueLists<std::uint8_t>{{2, 3, 4, 5, 77}, {9, 9, 9, 0, 77}}));
}

TYPED_TEST(Stencils, RefuseWhatDoesNotFit) {
  const TypeParam space;
  const auto map = mapOf<TypeParam, FacePattern<2>>(toSet<TypeParam, 2>({{{0, 0}}, {{1, 0}}}), BoundaryPolicy::Mirror);
  FieldOn<double, TypeParam> x("x", 2);
  FieldOn<double, TypeParam> y("y", 2);
  FieldOn<double, TypeParam> longer("longer", 3);
  FieldOn<double, TypeParam> wide("wide", 2, 2);
  const GridGeometry<2> h{{}, {1.0, 1.0}};
  const auto refuses = [](const auto& call, const std::string& part) { return contains(messageOf(call), part); };
  EXPECT_TRUE(
    refuses([&] { laplacian(Context(space), map, longer, h, 0.0, y); }, "'longer' has 3 cells, the stencil's set 2"));
  EXPECT_TRUE(refuses([&] { laplacian(Context(space), map, x, h, 0.0, longer); }, "'longer' has 3 cells, field 'x' 2"));
  EXPECT_TRUE(refuses([&] { laplacian(Context(space), map, x, h, 0.0, x); }, "must not be applied in place"));
  EXPECT_TRUE(
    refuses([&] { laplacian(Context(space), map, x, {{}, {1.0, 0.0}}, 0.0, y); }, "spacing along axis 1 is 0"));
  EXPECT_TRUE(
    refuses([&] { laplacian(Context(space), map, x, {{}, {-1e-9, 1.0}}, 0.0, y); }, "spacing along axis 0 is -1e-09;"));
  EXPECT_TRUE(refuses([&] { gradient(Context(space), map, x, h, 0.0, y); }, "'y' has 1 component; it must have 2"));
  EXPECT_TRUE(refuses([&] { gradient(Context(space), map, wide, h, 0.0, wide); }, "in place"));
  EXPECT_TRUE(refuses([&] { divergence(Context(space), map, x, h, 0.0, y); }, "'x' has 1 component; it must have 2"));
  EXPECT_TRUE(refuses([&] { jacobiStep(Context(space), map, x, {h, 1.5}, 0.0, y); }, "relaxation is 1.5"));
}

#ifdef KOKKOS_ENABLE_OPENMP
TEST(Stencils, HaveTheSameBitsForAnyNumberOfThreads) {
  shareLittleWork();
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const Context<Kokkos::OpenMP> context;
  HostIntervalSet<3> ball;
  makeBall<Kokkos::OpenMP, 3>(context, {{0.0, 0.0, 0.0}, 25.0}, ball);
  std::normal_distribution<double> normal;
  HostField<double> in("in", ball.numCells());
  for (std::int64_t k = 0; k < ball.numCells(); ++k) {
    in.view()(k) = normal(random);
  }
  std::vector<ValueLists<double>> results;
  for (const int threads : {1, 2, 3}) {
    const Kokkos::OpenMP space(threads);
    StencilMap<FacePattern<3>, Kokkos::HostSpace> map;
    buildStencilMap<FacePattern<3>, Kokkos::OpenMP>(Context(space), ball, {}, map);
    HostField<double> x;
    copy(in, x);
    smooth(space, map, x, GridGeometry<3>{{}, {1.0, 0.9, 0.8}}, 0.7, 3);
    results.push_back(valuesOf(x));
    EXPECT_EQ(results.front(), results.back()) << threads << " threads";
  }
}
#endif

} // namespace
} // namespace spanwise::testing
