// Meshes without hanging nodes: volumes, faces, the Euler number, points and the means at them, for hierarchies of
// every kind.

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/EulerNumber.hpp"
#include "Core/Multilevel/ConformingMesh.hpp"
#include "Core/Multilevel/LevelPlanes.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/Arrays.hpp"
#include "Testing/Core/Multilevel/LeavesOnSpace.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <array>
#include <set>

namespace spanwise::testing {
namespace {

/// A mesh on the host.
struct HostMesh {
  int finest = 0;
  std::vector<FinePoint> points;
  std::vector<ElementType> types;
  std::vector<std::int64_t> offsets;
  std::vector<std::int64_t> connectivity;
  std::vector<std::int64_t> sources;
  std::vector<std::int64_t> shareOffsets;
  std::vector<LeafShare> shares;

  [[nodiscard]] std::vector<std::int64_t> cell(std::size_t c) const {
    return {connectivity.begin() + offsets[c], connectivity.begin() + offsets[c + 1]};
  }
  friend bool operator==(const HostMesh& a, const HostMesh& b) {
    return a.points == b.points && a.types == b.types && a.offsets == b.offsets && a.connectivity == b.connectivity &&
      a.sources == b.sources && a.shareOffsets == b.shareOffsets && a.shares == b.shares;
  }
};

using Face = std::vector<std::int64_t>;

/// The edges (2D) or faces (3D) of a cell, points in order around them.
std::vector<Face> facesOf(ElementType type, const std::vector<std::int64_t>& p) {
  switch (type) {
  case ElementType::Triangle:
    return {{p[0], p[1]}, {p[1], p[2]}, {p[2], p[0]}};
  case ElementType::Quadrilateral:
    return {{p[0], p[1]}, {p[1], p[2]}, {p[2], p[3]}, {p[3], p[0]}};
  case ElementType::Tetrahedron:
    return {{p[0], p[1], p[3]}, {p[1], p[2], p[3]}, {p[2], p[0], p[3]}, {p[0], p[2], p[1]}};
  case ElementType::Pyramid:
    return {{p[0], p[3], p[2], p[1]}, {p[0], p[1], p[4]}, {p[1], p[2], p[4]}, {p[2], p[3], p[4]}, {p[3], p[0], p[4]}};
  case ElementType::Hexahedron:
    return {{p[0], p[4], p[7], p[3]}, {p[1], p[2], p[6], p[5]}, {p[0], p[1], p[5], p[4]}, {p[3], p[7], p[6], p[2]},
      {p[0], p[3], p[2], p[1]}, {p[4], p[5], p[6], p[7]}};
  default: // no leaf is split into it
    return {};
  }
}

Face sorted(Face face) {
  std::sort(face.begin(), face.end());
  return face;
}

template <class Space>
class ConformingMeshes : public ::testing::Test {
public:
  using Memory = typename Space::memory_space;
  Space space = oneThread<Space>(); // most cases are small
  const Context<Space> context{space};
  ConformingMeshOn<Space> mesh;

  template <int Dim>
  HostMesh make(const Leaves<Dim>& cells, const PlaneRange& planes = {}, const Space& on = oneThread<Space>()) {
    const Context there(on);
    const LeavesAndCover<Space, Dim> levels(there, cells);
    ConformingScratchOn<Dim, Space> scratch;
    makeConformingMesh<Space, Dim>(there, levels.leaves, levels.cover, {finestOf(cells), planes}, mesh, scratch);
    on.fence();
    return {mesh.finest, toVector(mesh.points), toVector(mesh.types), toVector(mesh.offsets),
      toVector(mesh.connectivity), toVector(mesh.sources), toVector(mesh.shareOffsets), toVector(mesh.shares)};
  }

  template <int Dim>
  static int finestOf(const Leaves<Dim>& cells) {
    int finest = 0;
    for (std::size_t l = 0; l < cells.size(); ++l) {
      finest = cells[l].empty() ? finest : static_cast<int>(l);
    }
    return finest;
  }

  template <int Dim>
  std::vector<double> means(const std::vector<double>& leafValues) {
    const Kokkos::View<double*, Memory> out("Testing::means", static_cast<std::size_t>(mesh.points.count()));
    meansAtPoints<Space>(context, mesh, arrayOn<Space>(leafValues), out);
    space.fence();
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
    return {host.data(), host.data() + host.extent(0)};
  }
};
/// The level and the number (over all levels) of the leaf over a place, in sixteenths of the finest level's cells; or
/// -1.
template <int Dim>
std::pair<int, std::int64_t> leafAt(const Leaves<Dim>& cells, int finest, const std::array<std::int64_t, 3>& place) {
  std::int64_t before = 0;
  for (int l = 0; l <= finest; ++l) {
    const CellList<Dim>& level = cells[static_cast<std::size_t>(l)];
    Cell<Dim> cell{};
    for (int d = 0; d < Dim; ++d) {
      cell.at[d] = static_cast<Coordinate>(place[static_cast<std::size_t>(d)] >> (finest - l + 4));
    }
    if (const auto found = level.find(cell); found != level.end()) {
      return {l, before + std::distance(level.begin(), found)};
    }
    before += static_cast<std::int64_t>(level.size());
  }
  return {-1, -1};
}

/// The leaves in the orthants around a place.
template <int Dim>
std::vector<std::pair<int, std::int64_t>> leavesAround(
  const Leaves<Dim>& cells, int finest, std::array<std::int64_t, 3> place) {
  std::vector<std::pair<int, std::int64_t>> around;
  for (int side = 0; side < 1 << Dim; ++side) {
    auto moved = place;
    for (std::size_t d = 0; d < Dim; ++d) {
      moved[d] += (side >> d & 1) != 0 ? 1 : -1;
    }
    around.push_back(leafAt<Dim>(cells, finest, moved));
  }
  return around;
}

bool allThere(const std::vector<std::pair<int, std::int64_t>>& around) {
  return std::all_of(around.begin(), around.end(), [](const auto& leaf) { return leaf.first >= 0; });
}

std::int64_t sixTimes(const FinePoint& a, const FinePoint& b, const FinePoint& c, const FinePoint& d) {
  std::int64_t m[3][3];
  for (int k = 0; k < 3; ++k) {
    m[0][k] = b.at[k] - a.at[k];
    m[1][k] = c.at[k] - a.at[k];
    m[2][k] = d.at[k] - a.at[k];
  }
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
    m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/// Six times the volume (2D: of the prism of height 1) of a cell, in whole numbers.
std::int64_t sixTimesVolume(const HostMesh& mesh, std::size_t c) {
  std::vector<FinePoint> p;
  for (const std::int64_t point : mesh.cell(c)) {
    p.push_back(mesh.points[static_cast<std::size_t>(point)]);
  }
  FinePoint above = p[0];
  above.at[2] += 1;
  switch (mesh.types[c]) {
  case ElementType::Triangle:
    return 3 * sixTimes(p[0], p[1], p[2], above);
  case ElementType::Quadrilateral:
    return 3 * (sixTimes(p[0], p[1], p[2], above) + sixTimes(p[0], p[2], p[3], above));
  case ElementType::Tetrahedron:
    return sixTimes(p[0], p[1], p[2], p[3]);
  case ElementType::Pyramid:
    return sixTimes(p[0], p[1], p[2], p[4]) + sixTimes(p[0], p[2], p[3], p[4]);
  case ElementType::Hexahedron:
    return 6 * (p[1].at[0] - p[0].at[0]) * (p[3].at[1] - p[0].at[1]) * (p[4].at[2] - p[0].at[2]);
  default: // no leaf is split into it
    return 0;
  }
}

/// The cells of each leaf fill it: whole numbers, so exactly.
template <int Dim>
void checkVolumes(const HostMesh& mesh, const Leaves<Dim>& cells) {
  std::vector<std::int64_t> sums;
  std::vector<std::int64_t> expected;
  for (int l = 0; l <= mesh.finest; ++l) {
    const std::int64_t volume = 6 * (std::int64_t{1} << Dim * (mesh.finest - l));
    expected.resize(expected.size() + cells[static_cast<std::size_t>(l)].size(), volume);
  }
  sums.resize(expected.size(), 0);
  for (std::size_t c = 0; c < mesh.types.size(); ++c) {
    const std::int64_t volume = sixTimesVolume(mesh, c);
    ASSERT_GT(volume, 0);
    ASSERT_LT(mesh.sources[c], std::ssize(sums));
    sums[static_cast<std::size_t>(mesh.sources[c])] += volume;
  }
  EXPECT_EQ(sums, expected);
  EXPECT_TRUE(std::is_sorted(mesh.sources.begin(), mesh.sources.end()));
}

/// A face belongs to two cells, or to one and lies on the boundary. Points are there once, and in use. Returns the
/// Euler number of the mesh: points minus edges plus faces minus cells.
template <int Dim>
std::int64_t checkFaces(const HostMesh& mesh, const Leaves<Dim>& cells) {
  std::map<Face, std::pair<int, Face>> faces;
  std::set<Face> edges;
  std::set<std::int64_t> used;
  for (std::size_t c = 0; c < mesh.types.size(); ++c) {
    const auto points = mesh.cell(c);
    used.insert(points.begin(), points.end());
    for (const Face& face : facesOf(mesh.types[c], points)) {
      auto& [count, around] = faces[sorted(face)];
      ++count;
      around = face;
      for (std::size_t k = 0; k < face.size(); ++k) {
        edges.insert(sorted({face[k], face[(k + 1) % face.size()]}));
      }
    }
  }
  EXPECT_EQ(used.size(), mesh.points.size());
  EXPECT_EQ(std::set<FinePoint>(mesh.points.begin(), mesh.points.end()).size(), mesh.points.size());
  EXPECT_TRUE(used.empty() || (*used.begin() == 0 && *used.rbegin() + 1 == static_cast<std::int64_t>(used.size())));
  for (const auto& [key, face] : faces) {
    std::array<std::int64_t, 3> middle{};
    for (const std::int64_t point : key) {
      for (std::size_t d = 0; d < 3; ++d) {
        middle[d] += 16 / static_cast<std::int64_t>(key.size() == 3 ? 4 : key.size()) *
          mesh.points[static_cast<std::size_t>(point)].at[d];
      }
    }
    if (key.size() == 3) { // a point of the triangle, if not its middle
      for (std::size_t d = 0; d < 3; ++d) {
        middle[d] += 4 * mesh.points[static_cast<std::size_t>(key[0])].at[d];
      }
    }
    EXPECT_LE(face.first, 2);
    EXPECT_EQ(face.first == 2, allThere(leavesAround<Dim>(cells, mesh.finest, middle)));
  }
  const auto numFaces = static_cast<std::int64_t>(Dim == 3 ? faces.size() : mesh.types.size());
  return static_cast<std::int64_t>(mesh.points.size()) - static_cast<std::int64_t>(edges.size()) + numFaces -
    (Dim == 3 ? static_cast<std::int64_t>(mesh.types.size()) : 0);
}

/// The Euler number of the leaves as closed cells.
template <int Dim>
std::int64_t eulerNumberOf(const Leaves<Dim>& cells, int finest) {
  const HostExecutionSpace space;
  const Context context(space);
  HostIntervalSet<Dim> all;
  for (int l = 0; l <= finest; ++l) {
    HostIntervalSet<Dim> both;
    if (l > 0) {
      refine<HostExecutionSpace, Dim>(context, all, all);
    }
    combine<HostExecutionSpace, Dim>(
      context, SetOperation::Union, all, toHostSet<Dim>(cells[static_cast<std::size_t>(l)]), both);
    all = both;
  }
  return eulerNumber<HostExecutionSpace, Dim>(context, Connectivity::Vertex, all);
}

/// The means by the definition: over the orthants around each point, each weighted by 1 / size of its leaf.
template <int Dim>
void checkMeans(
  const HostMesh& mesh, const Leaves<Dim>& cells, const std::vector<double>& values, const std::vector<double>& found) {
  ASSERT_EQ(found.size(), mesh.points.size());
  for (std::size_t p = 0; p < found.size(); ++p) {
    double sum = 0.0;
    double weights = 0.0;
    std::array<std::int64_t, 3> place{};
    for (std::size_t d = 0; d < 3; ++d) {
      place[d] = 16 * mesh.points[p].at[d];
    }
    for (const auto& [level, leaf] : leavesAround<Dim>(cells, mesh.finest, place)) {
      if (level >= 0) {
        sum += std::ldexp(values[static_cast<std::size_t>(leaf)], level);
        weights += std::ldexp(1.0, level);
      }
    }
    ASSERT_GT(weights, 0.0);
    ASSERT_NEAR(found[p], sum / weights, 1e-13);
  }
}

template <int Dim>
std::vector<double> randomValues(std::mt19937& random, const Leaves<Dim>& cells) {
  std::vector<double> values;
  for (const CellList<Dim>& level : cells) {
    for (std::size_t c = 0; c < level.size(); ++c) {
      values.push_back(std::uniform_real_distribution<double>(-1.0, 1.0)(random));
    }
  }
  return values;
}

/// Balanced hierarchies; ones whose neighbours differ by any number of levels; with holes.
template <int Dim, class Visit>
void forManyHierarchies(const Visit& visit) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  RandomLevels how;
  how.extent = Dim == 2 ? 3 : 2;
  for (int round = 0; round < (Dim == 2 ? 15 : 4); ++round) {
    how.levels = 3;
    how.refine = 0.4;
    visit(random, balancedLeaves<Dim>(random, how));
    how.levels = Dim == 2 ? 6 : 4;
    how.hole = 0.0;
    how.refine = 0.3;
    visit(random, randomLeaves<Dim>(random, how));
    how.hole = 0.2;
    how.refine = 0.5;
    visit(random, randomLeaves<Dim>(random, how));
  }
}

template <class Test, int Dim>
void checkMany(Test& test) {
  forManyHierarchies<Dim>([&](std::mt19937& random, const Leaves<Dim>& cells) {
    const HostMesh mesh = test.template make<Dim>(cells);
    checkVolumes<Dim>(mesh, cells);
    EXPECT_EQ(checkFaces<Dim>(mesh, cells), eulerNumberOf<Dim>(cells, mesh.finest));
    const auto values = randomValues<Dim>(random, cells);
    checkMeans<Dim>(mesh, cells, values, test.template means<Dim>(values));
  });
}

TYPED_TEST_SUITE(ConformingMeshes, AllSpaces, SpaceNames);

TYPED_TEST(ConformingMeshes, HaveWholeFacesAndTheMeansOfLeavesIn2D) { checkMany<TestFixture, 2>(*this); }
TYPED_TEST(ConformingMeshes, HaveWholeFacesAndTheMeansOfLeavesIn3D) { checkMany<TestFixture, 3>(*this); }

/// The leaves in planes of level 0.
template <int Dim>
Leaves<Dim> leavesIn(Leaves<Dim> cells, const PlaneRange& planes) {
  for (std::size_t l = 0; l < cells.size(); ++l) {
    const PlaneRange ofLevel = planesOfLevel(planes, static_cast<int>(l));
    std::erase_if(cells[l], [&](const Cell<Dim>& cell) { return !ofLevel.contains(cell.at[Dim - 1]); });
  }
  return cells;
}

/// The cells of pieces together are those of the whole, and so are the values at their points, to the bit.
template <class Test, int Dim>
void checkPieces(Test& test) {
  forManyHierarchies<Dim>([&](std::mt19937& random, const Leaves<Dim>& cells) {
    const auto values = randomValues<Dim>(random, cells);
    const HostMesh whole = test.template make<Dim>(cells);
    const auto wholeMeans = test.template means<Dim>(values);
    std::map<FinePoint, double> expected;
    for (std::size_t p = 0; p < whole.points.size(); ++p) {
      expected[whole.points[p]] = wholeMeans[p];
    }
    const PlaneRange all;
    std::int64_t numCells = 0;
    std::set<FinePoint> points;
    for (const PlaneRange& planes : {PlaneRange{all.begin, -1}, PlaneRange{-1, 1}, PlaneRange{1, all.end}}) {
      const HostMesh piece = test.template make<Dim>(cells, planes);
      const auto pieceMeans = test.template means<Dim>(values);
      numCells += static_cast<std::int64_t>(piece.types.size());
      for (std::size_t p = 0; p < piece.points.size(); ++p) {
        points.insert(piece.points[p]);
        ASSERT_EQ(pieceMeans[p], expected.at(piece.points[p]));
      }
      checkVolumes<Dim>(piece, leavesIn<Dim>(cells, planes)); // whose numbers cells have
      std::set<std::int64_t> used(piece.connectivity.begin(), piece.connectivity.end());
      EXPECT_EQ(used.size(), piece.points.size());
    }
    EXPECT_EQ(numCells, static_cast<std::int64_t>(whole.types.size()));
    EXPECT_EQ(points.size(), whole.points.size());
  });
}
TYPED_TEST(ConformingMeshes, PiecesAreTheWholeTogetherIn2D) { checkPieces<TestFixture, 2>(*this); }
TYPED_TEST(ConformingMeshes, PiecesAreTheWholeTogetherIn3D) { checkPieces<TestFixture, 3>(*this); }

// A row of three: whole, whole, split, and finer ones at its end.
TYPED_TEST(ConformingMeshes, OnlyLeavesBesideFinerOnesAreSplit) {
  const auto typesOf = [&](auto dimension) {
    constexpr int Dim = decltype(dimension)::value;
    Leaves<Dim> cells(2);
    for (const Coordinate x : {-3, -2, -1}) {
      Cell<Dim> cell{};
      cell.at[0] = x;
      cells[0].insert(cell);
    }
    cells[1] = childrenOf<Dim>({Cell<Dim>{}});
    std::map<ElementType, int> types;
    for (const ElementType type : this->template make<Dim>(cells).types) {
      ++types[type];
    }
    return types;
  };
  EXPECT_EQ(typesOf(std::integral_constant<int, 2>()),
    (std::map<ElementType, int>{{ElementType::Quadrilateral, 6}, {ElementType::Triangle, 5}}));
  EXPECT_EQ(typesOf(std::integral_constant<int, 3>()),
    (std::map<ElementType, int>{
      {ElementType::Hexahedron, 10}, {ElementType::Pyramid, 5}, {ElementType::Tetrahedron, 20}}));
}

// The root beside a leaf of level 30: its edge is cut 30 times, and it is far from where cells of level 30 can be.
TYPED_TEST(ConformingMeshes, LevelsMayDifferByThirty) {
  Leaves<2> cells(31);
  cells[0] = {{{1, 0}}, {{1 << 26, -(1 << 26)}}};
  cells[30] = {{{(1 << 30) - 1, 0}}};
  const HostMesh mesh = this->template make<2>(cells);
  EXPECT_EQ(std::count(mesh.types.begin(), mesh.types.end(), ElementType::Triangle), 34);
  EXPECT_EQ(mesh.types.size(), 36U);
  EXPECT_EQ(checkFaces<2>(mesh, cells), 2); // two parts
  EXPECT_EQ(mesh.points.size(), 4U + 4U + 30U + 1U + 2U);
  cells[0] = {{{1, 0}}, {{maxRowKey, minCoordinate}}};
  EXPECT_EQ(this->template make<2>(cells).connectivity, mesh.connectivity);
}

TYPED_TEST(ConformingMeshes, NothingHasNone) {
  EXPECT_TRUE(this->template make<2>({}).points.empty());
  EXPECT_TRUE(this->template make<3>(Leaves<3>(4)).types.empty());
}

TYPED_TEST(ConformingMeshes, AreTheSameForAnyNumberOfThreads) {
  shareLittleWork();
  std::mt19937 random(seed());
  RandomLevels how;
  how.extent = 6;
  const auto cells = randomLeaves<3>(random, how);
  const HostMesh mesh = this->template make<3>(cells);
  EXPECT_GT(mesh.points.size(), 20000U);
  EXPECT_TRUE(mesh == (this->template make<3>(cells, {}, TypeParam())));
}

TYPED_TEST(ConformingMeshes, WrongLevelsAreErrors) {
  const TypeParam space;
  Leaves<2> cells(3);
  cells[2] = {{{0, 0}}};
  const LeavesAndCover<TypeParam, 2> on(this->context, cells);
  ConformingScratchOn<2, TypeParam> scratch;
  for (const int finest : {-1, 1, 31}) {
    EXPECT_THROW((makeConformingMesh<TypeParam, 2>(this->context, on.leaves, on.cover, {finest}, this->mesh, scratch)),
      InvalidArgument);
  }
}

TYPED_TEST(ConformingMeshes, StopWhenTheyAreAskedTo) {
  const TypeParam space;
  const LeavesAndCover<TypeParam, 2> on(this->context, Leaves<2>{{{{0, 0}}}});
  ConformingScratchOn<2, TypeParam> scratch;
  for (const double limit : {0.1, 0.5, 0.9}) {
    const auto context = this->context.with(Progress([&](double fraction) { return fraction < limit; }));
    EXPECT_THROW((makeConformingMesh<TypeParam, 2>(context, on.leaves, on.cover, {0}, this->mesh, scratch)), Cancelled);
    EXPECT_TRUE(this->mesh.points.empty());
    EXPECT_TRUE(this->mesh.types.empty());
  }
}

} // namespace
} // namespace spanwise::testing
