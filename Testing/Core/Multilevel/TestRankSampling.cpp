// Points on hierarchies that are cut among ranks and repeat along axes: the values of one rank, bit by bit.

#include "Core/Multilevel/DomainSampling.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Field/Fields.hpp"
#include "Testing/Core/Multilevel/RankFields.hpp"
#include "Testing/Core/Spaces.hpp"

#include <cstring>
#include <limits>

namespace spanwise::testing {
namespace {

template <class T, class Memory>
std::vector<T> listOf(const Kokkos::View<T*, Memory>& view) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return {host.data(), host.data() + host.extent(0)};
}

template <class Space>
class RankSampling : public ::testing::Test {
protected:
  using Memory = typename Space::memory_space;
  Space space = oneThread<Space>(); // most cases are small
  Workspace<Memory> workspace;

  template <int Dim>
  static Kokkos::View<Position<Dim>*, Memory> onSpace(const std::vector<Position<Dim>>& list) {
    const Kokkos::View<Position<Dim>*, Memory> points("Testing::points", list.size());
    Kokkos::deep_copy(points,
      Kokkos::View<const Position<Dim>*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
        list.data(), list.size()));
    return points;
  }

  /// Points anywhere around the domain, other ones on each rank: in cells, on faces, at vertices, at no place at all.
  template <int Dim>
  static std::vector<Position<Dim>> randomPoints(std::mt19937& random, const Lattice<Dim>& root, Coordinate extent) {
    std::uniform_real_distribution<double> anywhere(-extent - 1.5, extent + 1.5);
    std::uniform_int_distribution<int> eighth(-8 * extent - 12, 8 * extent + 12);
    std::vector<Position<Dim>> list(random() % 50 == 0 ? 0 : 120);
    for (Position<Dim>& point : list) {
      for (int d = 0; d < Dim; ++d) {
        const double at = random() % 2 == 0 ? anywhere(random) : eighth(random) / 8.0;
        point.at[d] = root.origin[d] + at * root.spacing[d];
      }
      if (random() % 40 == 0) {
        point.at[random() % Dim] =
          random() % 2 == 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
      }
    }
    return list;
  }

  template <int Dim>
  void compareWithOneRank(int rounds, bool repeats) {
    std::mt19937 random(seed() + Dim);
    DomainSampling<Space, Dim> how(world()); // used again
    SampledField<Space, double> scratch;
    std::int64_t withLeaf = 0;
    for (int round = 0; round < rounds; ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
      const Coordinate extent = Dim == 2 ? 4 : 2;
      const RandomDomain<Dim> is(random, extent, repeats);
      const auto wanted = randomWanted<Dim>(random, is, extent, 1 + round % 3);
      auto whole = wholeLevels<Space, Dim>(space, is, wanted, Grading::Nested, is.copiesFor(4), workspace);
      Lattice<Dim> lattice{};
      for (int d = 0; d < Dim; ++d) { // powers of two: places on faces are exact
        lattice.origin[d] = 1.0 - 2.0 * d;
        lattice.spacing[d] = round % 2 == 0 ? 0.25 * (d + 1) : 0.3;
      }
      whole.setRootLattice(lattice);
      auto levels = partOf<Space, Dim>(is, whole);
      levels.setRootLattice(lattice);
      const auto value = [&](int l, const Cell<Dim>& cell) { return scatter(is, l, cell); };
      const auto wholeField = levelField<Space, Dim>(whole, 2, value);
      const auto field = levelField<Space, Dim>(levels, 2, value);
      std::mt19937 ofRank(seed() + static_cast<unsigned>(100 * round + world().rank()));
      const auto points = onSpace<Dim>(randomPoints<Dim>(ofRank, lattice, extent));
      auto domain = domainOf<Space, Dim>(is);
      for (const Sampling sampling : {Sampling::Constant, Sampling::Linear}) {
        FieldOn<double, Space> expected;
        FieldOn<double, Space> found;
        const Kokkos::View<std::int32_t*, Memory> expectedLevels("Testing::levels", points.extent(0));
        const Kokkos::View<std::int32_t*, Memory> foundLevels("Testing::levels", points.extent(0));
        samplePoints<Space, Dim, double>(space, whole, wholeField, sampling, points, -99.0, expected, expectedLevels);
        buildSampling<Space, Dim>(space, domain, levels, sampling, how, workspace);
        for (int turn = 0; turn < 2; ++turn) {
          samplePoints<Space, Dim, double>(space, how, levels, field, points, -99.0, found, foundLevels, scratch);
        }
        space.fence();
        EXPECT_EQ(listOf(foundLevels), listOf(expectedLevels));
        EXPECT_EQ(valuesOf<double>(found), valuesOf<double>(expected));
        for (const std::int32_t level : listOf(expectedLevels)) {
          withLeaf += level == noLevel ? 0 : 1;
        }
      }
      checkPlaces(is, whole, levels, points, how);
    }
    EXPECT_GT(withLeaf, 100);
  }

  /// Every located cell is the original of the one that one rank locates: its value is its coordinates.
  template <int Dim>
  void checkPlaces(const RandomDomain<Dim>& is, const MultilevelSetOn<Dim, Space>& whole,
    const MultilevelSetOn<Dim, Space>& levels, const Kokkos::View<Position<Dim>*, Memory>& points,
    DomainSampling<Space, Dim>& how) {
    const std::size_t count = points.extent(0);
    const Kokkos::View<std::int64_t*, Memory> wholeCells("Testing::cells", count);
    const Kokkos::View<std::int64_t*, Memory> cells("Testing::cells", count);
    const Kokkos::View<std::int32_t*, Memory> wholeLevelsFound("Testing::levels", count);
    const Kokkos::View<std::int32_t*, Memory> found("Testing::levels", count);
    const Kokkos::View<std::int32_t*, Memory> ranks("Testing::ranks", count);
    locatePoints<Space, Dim>(space, whole, points, wholeCells, wholeLevelsFound);
    locatePoints<Space, Dim>(space, how, levels, points, ranks, cells, found);
    space.fence();
    EXPECT_EQ(listOf(found), listOf(wholeLevelsFound));
    // all ranks' cells of each level, rank by rank
    std::vector<std::vector<std::vector<Cell<Dim>>>> all;
    for (int l = 0; l < whole.numLevels(); ++l) {
      all.emplace_back(static_cast<std::size_t>(world().size()));
      for (const Cell<Dim>& cell : toCells(whole.level(l))) {
        if (is.has(cell, l, 0, true)) {
          const int owner = is.cut.owner(cell.at[Dim - 1] >> l);
          all.back()[static_cast<std::size_t>(owner)].push_back(cell);
        }
      }
    }
    const auto rankList = listOf(ranks);
    const auto cellList = listOf(cells);
    const auto wholeList = listOf(wholeCells);
    const auto levelList = listOf(found);
    for (std::size_t p = 0; p < count; ++p) {
      if (levelList[p] == noLevel) {
        EXPECT_EQ(rankList[p], -1);
        EXPECT_EQ(cellList[p], -1);
        continue;
      }
      const auto l = static_cast<std::size_t>(levelList[p]);
      const CellList<Dim> ofLevel = toCells(whole.level(levelList[p]));
      auto cell = ofLevel.begin();
      std::advance(cell, wholeList[p]);
      ASSERT_GE(rankList[p], 0);
      const auto& ofRank = all[l][static_cast<std::size_t>(rankList[p])];
      ASSERT_LT(static_cast<std::size_t>(cellList[p]), ofRank.size());
      EXPECT_TRUE(ofRank[static_cast<std::size_t>(cellList[p])] == is.original(*cell, levelList[p])) << "point " << p;
    }
  }
};
TYPED_TEST_SUITE(RankSampling, AllSpaces, SpaceNames);

TYPED_TEST(RankSampling, IsThatOfOneRankIn2D) { this->template compareWithOneRank<2>(15, false); }
TYPED_TEST(RankSampling, IsThatOfOneRankIn3D) { this->template compareWithOneRank<3>(8, false); }
TYPED_TEST(RankSampling, ThatRepeatsIsThatUnwrappedIn2D) { this->template compareWithOneRank<2>(12, true); }
TYPED_TEST(RankSampling, ThatRepeatsIsThatUnwrappedIn3D) { this->template compareWithOneRank<3>(5, true); }

/// Two cells on each side of a cut, and nothing above one of them: points on the cut belong to the upper side if there
/// is one, and slopes look across.
TYPED_TEST(RankSampling, LooksAcrossACut) {
  std::mt19937 random(seed());
  RandomDomain<2> is(random, 4, false);
  for (int r = 1; r < world().size(); ++r) {
    is.cut.bounds[static_cast<std::size_t>(r)] = r == 1 ? 1 : 2;
  }
  auto domain = domainOf<TypeParam, 2>(is);
  MultilevelSetOn<2, TypeParam> levels;
  const CellList<2> root{{{0, 0}}, {{1, 0}}, {{0, 1}}};
  levels.level(0) = toSet<TypeParam, 2>(is.mine(root, 0));
  const auto field = levelField<TypeParam, 2>(
    levels, 1, [](int, const Cell<2>& cell) { return 10.0 + 4.0 * cell.at[0] + 2.0 * cell.at[1]; });
  const auto points =
    this->template onSpace<2>({{{0.5, 1.0}}, {{1.5, 1.0}}, {{0.5, 0.75}}, {{0.5, 1.25}}, {{1.5, 1.5}}});
  DomainSampling<TypeParam, 2> how(world());
  buildSampling<TypeParam, 2>(this->space, domain, levels, Sampling::Linear, how, this->workspace);
  FieldOn<double, TypeParam> out;
  SampledField<TypeParam, double> scratch;
  const Kokkos::View<std::int32_t*, typename TypeParam::memory_space> found("Testing::levels", points.extent(0));
  samplePoints<TypeParam, 2, double>(this->space, how, levels, field, points, -1.0, out, found, scratch);
  this->space.fence();
  // a one-sided difference at an end has the whole slope along y; the cell (1, 0) has no neighbour there
  EXPECT_EQ(valuesOf<double>(out)[0], (std::vector<double>{11.0, 14.0, 10.5, 11.5, -1.0}));
  EXPECT_EQ(listOf(found), (std::vector<std::int32_t>{0, 0, 0, 0, noLevel}));
}

/// A field of a wrong length, and too few places, on one rank: all throw.
TYPED_TEST(RankSampling, RefusesOnAllRanks) {
  std::mt19937 random(seed());
  const RandomDomain<2> is(random, 4, true);
  const auto whole =
    wholeLevels<TypeParam, 2>(this->space, is, randomWanted<2>(random, is, 4, 1), Grading::Face, 1, this->workspace);
  const auto levels = partOf<TypeParam, 2>(is, whole);
  const auto good = levelField<TypeParam, 2>(levels, 1, [](int, const Cell<2>&) { return 1.0; });
  const auto points = this->template onSpace<2>({{{0.5, 1.0}}, {{1.5, 1.0}}});
  auto domain = domainOf<TypeParam, 2>(is);
  using Places = Kokkos::View<std::int32_t*, typename TypeParam::memory_space>;
  const Places two("Testing::levels", 2);
  const Places one("Testing::levels", 1);
  DomainSampling<TypeParam, 2> how(world());
  SampledField<TypeParam, double> scratch;
  FieldOn<double, TypeParam> out;
  for (const Sampling sampling : {Sampling::Constant, Sampling::Linear}) {
    buildSampling<TypeParam, 2>(this->space, domain, levels, sampling, how, this->workspace);
    for (int bad = 0; bad < world().size(); ++bad) {
      auto field = good;
      if (world().rank() == bad) {
        field.level(0).resize(levels.level(0).numCells() + 1, 1);
      }
      const bool counts = // of a level without cells it does not
        world().reduced(ReduceBy::Maximum, std::int64_t{world().rank() == bad && !levels.level(0).empty()}) > 0;
      if (counts) {
        EXPECT_THROW(
          (samplePoints<TypeParam, 2, double>(this->space, how, levels, field, points, -1.0, out, two, scratch)),
          InvalidArgument);
      }
      EXPECT_THROW((samplePoints<TypeParam, 2, double>(
                     this->space, how, levels, good, points, -1.0, out, world().rank() == bad ? one : two, scratch)),
        InvalidArgument);
    }
  }
}

} // namespace
} // namespace spanwise::testing
