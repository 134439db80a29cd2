#include "Core/Multilevel/Sampling.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Multilevel/LevelFields.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <limits>

namespace spanwise::testing {
namespace {

template <class Space>
class Samples : public ::testing::Test {
protected:
  using Memory = typename Space::memory_space;
  Space space = oneThread<Space>(); // most cases are small
  const Context<Space> context{space};

  template <int Dim>
  Kokkos::View<Position<Dim>*, Memory> pointsOf(const std::vector<Position<Dim>>& list) {
    Kokkos::View<Position<Dim>*, Memory> points("Testing::points", list.size());
    const Kokkos::View<const Position<Dim>*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
      list.data(), list.size());
    Kokkos::deep_copy(points, host);
    return points;
  }

  template <int Dim>
  void sample(const MultilevelSetOn<Dim, Space>& levels, const MultilevelFieldOn<double, Space>& field,
    Sampling sampling, const Kokkos::View<Position<Dim>*, Memory>& points) {
    SamplesOn<Space, double> out{{}, Kokkos::View<std::int32_t*, Memory>("Testing::levels", points.extent(0))};
    samplePoints<Space, Dim, double>(context, {levels, field}, points, {sampling, -99.0}, out);
    space.fence();
    values = valuesOf<double>(out.values)[0];
    foundLevels.resize(points.extent(0));
    const Kokkos::View<std::int32_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
      foundLevels.data(), foundLevels.size());
    Kokkos::deep_copy(host, out.levels);
  }

  template <int Dim>
  void compareWithDefinition() {
    std::mt19937 random(seed());
    for (int round = 0; round < 30; ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
      auto levels = randomLevels<Space, Dim>(random, space, Grading::Vertex, 3, context.workspace());
      GridGeometry<Dim> lattice{};
      for (int d = 0; d < Dim; ++d) {
        lattice.origin[d] = 1.0 - d;
        lattice.spacing[d] = 0.5 * (d + 1);
      }
      levels.setRootLattice(lattice);
      MultilevelFieldOn<double, Space> field = randomField<Space, Dim>(random, space, levels, context.workspace());
      // points inside of cells: no coordinate is a multiple of the finest spacing
      std::uniform_int_distribution<int> place(-64, 63);
      std::vector<Position<Dim>> list(200);
      std::vector<Cell<Dim>> finest(list.size()); // cells of level 4, between the finest level and the next
      for (std::size_t p = 0; p < list.size(); ++p) {
        for (int d = 0; d < Dim; ++d) {
          finest[p].at[d] = place(random);
          list[p].at[d] = lattice.origin[d] + (finest[p].at[d] + 0.5) / 16.0 * lattice.spacing[d];
        }
      }
      sample<Dim>(levels, field, Sampling::Constant, pointsOf<Dim>(list));
      std::vector<ValueMap<Dim>> maps;
      for (int l = 0; l < levels.numLevels(); ++l) {
        maps.push_back(mapOf<double, Dim>(levels.level(l), field.level(l)));
      }
      for (std::size_t p = 0; p < list.size(); ++p) {
        int level = noLevel;
        double expected = -99.0;
        Cell<Dim> cell = finest[p];
        for (int l = 3; l >= 0 && level == noLevel; --l) {
          cell = parentOf(cell);
          if (l < levels.numLevels() && maps[static_cast<std::size_t>(l)].count(cell) > 0) {
            level = l;
            expected = maps[static_cast<std::size_t>(l)].at(cell);
          }
        }
        EXPECT_EQ(foundLevels[p], level);
        EXPECT_EQ(values[p], expected);
      }
    }
  }

  std::vector<double> values;
  std::vector<std::int32_t> foundLevels;
};
TYPED_TEST_SUITE(Samples, AllSpaces, SpaceNames);

TYPED_TEST(Samples, AreTheValuesOfLeavesIn2D) { this->template compareWithDefinition<2>(); }
TYPED_TEST(Samples, AreTheValuesOfLeavesIn3D) { this->template compareWithDefinition<3>(); }

TYPED_TEST(Samples, LineThroughALinearFunctionIsTheFunction) {
  std::mt19937 random(seed());
  const CellList<3> root = allCells<3>(-2, 2);
  for (int round = 0; round < 10; ++round) {
    SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
    auto levels = randomLevels<TypeParam, 3>(random, this->space, Grading::Vertex, 3, this->context.workspace(), &root);
    levels.setRootLattice({{0.5, 0.0, -1.0}, {0.25, 1.0, 2.0}});
    MultilevelFieldOn<double, TypeParam> field;
    const auto function = [](const double (&at)[3]) { return 3.0 + at[0] - 2.0 * at[1] + 0.5 * at[2]; };
    for (int l = 0; l < levels.numLevels(); ++l) {
      const GridGeometry<3> lattice = levels.lattice(l);
      field.level(l) = fieldOf<TypeParam, double, 3>(levels.level(l), [&](const Cell<3>& cell) {
        const double centre[3] = {
          lattice.centre(0, cell.at[0]), lattice.centre(1, cell.at[1]), lattice.centre(2, cell.at[2])};
        return function(centre);
      });
    }
    // from corner to corner, boundaries included
    constexpr std::size_t count = 101;
    const Kokkos::View<Position<3>*, typename TypeParam::memory_space> points("Testing::points", count);
    const auto places = Kokkos::create_mirror_view(points);
    const Position<3> from{{0.0, -2.0, -5.0}};
    const Position<3> to{{1.0, 2.0, 3.0}};
    for (std::size_t p = 0; p < count; ++p) {
      const double t = static_cast<double>(p) / (count - 1);
      for (int d = 0; d < 3; ++d) {
        places(p).at[d] = (1.0 - t) * from.at[d] + t * to.at[d]; // exact at both ends
      }
    }
    Kokkos::deep_copy(points, places);
    this->template sample<3>(levels, field, Sampling::Linear, points);
    for (std::size_t p = 0; p < count; ++p) {
      EXPECT_NE(this->foundLevels[p], noLevel);
      EXPECT_NEAR(this->values[p], function(places(p).at), 1e-12);
    }
  }
}

// Of four siblings two are there. Their parent is no leaf, though it is what there is between them.
TYPED_TEST(Samples, LeavesNeedNotBeCompleteGroups) {
  MultilevelSetOn<2, TypeParam> leaves;
  leaves.setNumLevels(2);
  leaves.level(0) = toSet<TypeParam, 2>({{{1, 0}}});
  leaves.level(1) = toSet<TypeParam, 2>({{{0, 0}}, {{1, 1}}});
  MultilevelSetOn<2, TypeParam> levels = leaves;
  levels.level(0) = toSet<TypeParam, 2>({{{0, 0}}, {{1, 0}}});
  MultilevelFieldOn<double, TypeParam> field;
  field.level(0) = fieldOn<TypeParam, double>("f", {{15.0, 30.0}});
  field.level(1) = fieldOn<TypeParam, double>("f", {{10.0, 20.0}});
  const auto points = this->template pointsOf<2>(
    {{{0.2, 0.2}}, {{0.7, 0.2}}, {{0.7, 0.7}}, {{0.5, 0.25}}, {{1.25, 0.5}}, {{1.0, 0.5}}, {{-0.1, 0.2}}});
  const std::size_t count = points.extent(0);
  const Kokkos::View<std::int32_t*, typename TypeParam::memory_space> onLevels("Testing::levels", count);
  const Kokkos::View<std::int64_t*, typename TypeParam::memory_space> cells("Testing::cells", count);
  SamplesOn<TypeParam, double> out{{}, onLevels};
  for (const Sampling sampling : {Sampling::Constant, Sampling::Linear}) {
    samplePoints<TypeParam, 2, double>(this->context, {levels, field, &leaves}, points, {sampling, -99.0}, out);
    this->space.fence();
    const double slope = sampling == Sampling::Linear ? 15.0 : 0.0; // of level 0 along x
    EXPECT_EQ(valuesOf<double>(out.values)[0],
      (std::vector<double>{10.0, -99.0, 20.0, 10.0, 30.0 - 0.25 * slope, 30.0 - 0.5 * slope, -99.0}));
  }
  locatePoints<TypeParam, 2>(this->context, leaves, points, cells, onLevels);
  this->space.fence();
  const auto hostLevels = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), onLevels);
  const auto hostCells = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), cells);
  const std::vector<std::int32_t> expectedLevels{1, noLevel, 1, 1, 0, 0, noLevel};
  const std::vector<std::int64_t> expectedCells{0, -1, 1, 0, 0, 0, -1};
  for (std::size_t p = 0; p < count; ++p) {
    EXPECT_EQ(hostLevels(p), expectedLevels[p]) << "point " << p;
    EXPECT_EQ(hostCells(p), expectedCells[p]) << "point " << p;
  }
  const Kokkos::View<std::int64_t*, typename TypeParam::memory_space> tooFew("Testing::cells", count - 1);
  EXPECT_THROW((locatePoints<TypeParam, 2>(this->context, leaves, points, tooFew, onLevels)), InvalidArgument);
}

TYPED_TEST(Samples, PointsOnFacesBelongToTheUpperSideIfThereIsOne) {
  MultilevelSetOn<2, TypeParam> levels;
  levels.level(0) = toSet<TypeParam, 2>({{{0, 0}}, {{1, 0}}});
  MultilevelFieldOn<double, TypeParam> field;
  field.level(0) = fieldOn<TypeParam, double>("f", {{10.0, 20.0}});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  this->template sample<2>(levels, field, Sampling::Constant,
    this->template pointsOf<2>({{{0.0, 0.0}}, {{1.0, 0.5}}, {{2.0, 1.0}}, {{2.0, 0.0}}, {{2.1, 0.5}}, {{1.0, -0.1}},
      {{nan, 0.5}}, {{1e300, 0.5}}}));
  EXPECT_EQ(this->values, (std::vector<double>{10.0, 20.0, 20.0, 20.0, -99.0, -99.0, -99.0, -99.0}));
}

} // namespace
} // namespace spanwise::testing
