#include "Core/Mesh/BallReport.hpp"
#include "Core/Mesh/MeshUpload.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Runtime.hpp"
#include "Testing/Core/Mesh/Meshes.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <map>

namespace spanwise::testing {
namespace {

template <class Space>
class BallReport : public ::testing::Test {};
TYPED_TEST_SUITE(BallReport, AllSpaces, SpaceNames);

template <class Space>
std::vector<BallReportLine> reportOf(
  const ElementView<std::int64_t>& elements, std::int64_t numVertices, int width = 0) {
  const Context<Space> context;
  return reportBalls<Space, std::int64_t>(context, elements, numVertices, width);
}

/// What a line says, by counting. `type` none: all elements.
BallReportLine expectedLine(const HostMesh& mesh, std::optional<ElementType> type, int width) {
  std::map<std::int64_t, std::int32_t> degrees;
  BallReportLine line;
  line.type = type;
  line.width = width;
  for (std::size_t e = 0; e < mesh.types.size(); ++e) {
    if (!type || mesh.types[e] == *type) {
      ++line.numElements;
      for (int k = 0; k < numVerticesOf(mesh.types[e]); ++k) {
        ++degrees[mesh.vertices[static_cast<std::size_t>(mesh.offsets[e] + k)]];
      }
    }
  }
  for (const auto& [vertex, degree] : degrees) {
    ++line.numVertices;
    line.largestDegree = std::max(line.largestDegree, degree);
    line.occupancy.numEntries += degree;
    line.occupancy.numInBase += std::min(degree, width);
    line.occupancy.numEmptySlots += std::max(width - degree, 0);
  }
  // the base table and degrees, where each vertex's entries in the overflow table begin, and these
  const std::int64_t numVertices = mesh.numVertices();
  const std::int64_t numOver = line.occupancy.numEntries - line.occupancy.numInBase;
  line.bytes = static_cast<std::size_t>(4 * numVertices * (width + 1) + 8 * (numVertices + 1) + 4 * numOver);
  return line;
}

void expectSame(const BallReportLine& found, const BallReportLine& expected) {
  EXPECT_EQ(found.type, expected.type);
  EXPECT_EQ(found.width, expected.width);
  EXPECT_EQ(found.numElements, expected.numElements);
  EXPECT_EQ(found.numVertices, expected.numVertices);
  EXPECT_EQ(found.largestDegree, expected.largestDegree);
  EXPECT_EQ(found.occupancy.numEntries, expected.occupancy.numEntries);
  EXPECT_EQ(found.occupancy.numInBase, expected.occupancy.numInBase);
  EXPECT_EQ(found.occupancy.numEmptySlots, expected.occupancy.numEmptySlots);
  EXPECT_EQ(found.bytes, expected.bytes);
}

TYPED_TEST(BallReport, CountsEachTypeOfAMixture) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const HostMesh mesh = tangledMesh(random, 400, 900);
  const MeshOn<TypeParam, double, std::int64_t> device(mesh);
  for (const int width : {0, 1, 7}) {
    const auto lines = reportOf<TypeParam>(device.mixed().elements, mesh.numVertices(), width);
    ASSERT_EQ(lines.size(), allElementTypes.size() + 1);
    for (std::size_t k = 0; k < allElementTypes.size(); ++k) {
      const ElementType type = allElementTypes[k];
      expectSame(lines[k], expectedLine(mesh, type, width == 0 ? ballWidth(type) : width));
      EXPECT_EQ(lines[k].name(), elementTypeName(type));
    }
    expectSame(lines.back(), expectedLine(mesh, {}, width == 0 ? ballWidth(ElementType::Tetrahedron) : width));
    EXPECT_EQ(lines.back().name(), "all");
  }
}

TYPED_TEST(BallReport, HasOneLineForOneType) {
  for (const ElementType type : allElementTypes) {
    const HostMesh mesh = gridMesh(type, 4);
    const MeshOn<TypeParam, double, std::int64_t> device(mesh);
    const ElementView<std::int64_t> views[] = {device.ofOneType().elements, device.mixed().elements};
    for (const auto& elements : views) {
      const auto lines = reportOf<TypeParam>(elements, mesh.numVertices());
      ASSERT_EQ(lines.size(), 1U);
      expectSame(lines[0], expectedLine(mesh, type, ballWidth(type)));
    }
  }
}

TYPED_TEST(BallReport, LeavesOutWhatIsNoElement) {
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 2);
  mesh.types[3] = ElementType{}; // VTK's empty cell
  mesh.types[7] = ElementType{1};
  const MeshOn<TypeParam, double, std::int64_t> device(mesh);
  const auto lines = reportOf<TypeParam>(device.mixed().elements, mesh.numVertices());
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].numElements, mesh.numElements() - 2);
  expectSame(lines[0], expectedLine(mesh, ElementType::Tetrahedron, 32));
}

TYPED_TEST(BallReport, OfNothingIsEmpty) {
  EXPECT_TRUE(reportOf<TypeParam>({}, 0).empty());
  EXPECT_TRUE(reportOf<TypeParam>({}, 7).empty());
}

template <class Space>
class MeshUploads : public ::testing::Test {};
TYPED_TEST_SUITE(MeshUploads, AllSpaces, SpaceNames);

/// In whole numbers, whose sum is the same in any order.
template <class Real>
struct SumCorners {
  using value_type = std::int64_t;
  MeshView<Real, std::int64_t> mesh;
  KOKKOS_FUNCTION void operator()(std::int64_t e, std::int64_t& sum) const {
    for (int k = 0; k < numVerticesOf(mesh.elements.typeOf(e)); ++k) {
      const Point p = mesh.vertices(mesh.elements.vertex(e, k));
      for (int axis = 0; axis < 3; ++axis) {
        sum += (axis + 1) * static_cast<std::int64_t>(0x1p30 * p[axis]);
      }
    }
  }
};

template <class Space, class Real>
std::int64_t sumOfCorners(const MeshView<Real, std::int64_t>& mesh) {
  std::int64_t sum = 0;
  Kokkos::parallel_reduce("sum corners",
    Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(0, mesh.elements.numElements), SumCorners<Real>{mesh},
    sum);
  return sum;
}

template <class Space, class Real>
void expectUpload(const MeshView<Real, std::int64_t>& host) {
  const MeshUpload<Space, Real, std::int64_t> upload(Space(), host);
  EXPECT_EQ((sumOfCorners<Space, Real>(upload.view())), (sumOfCorners<Kokkos::DefaultHostExecutionSpace, Real>(host)));
  if (runsOnHost<Space>) { // no copy
    EXPECT_EQ(upload.view().vertices.axis[0], host.vertices.axis[0]);
    EXPECT_EQ(upload.view().elements.vertices, host.elements.vertices);
  }
}

TYPED_TEST(MeshUploads, ShowTheSameMesh) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  using Host = Kokkos::DefaultHostExecutionSpace;
  const HostMesh mixed = tangledMesh(random, 100, 300);
  expectUpload<TypeParam, double>(MeshOn<Host, double, std::int64_t>(mixed).mixed());
  expectUpload<TypeParam, float>(MeshOn<Host, float, std::int64_t>(mixed).mixed());
  const HostMesh grid = gridMesh(ElementType::Prism, 3);
  const MeshOn<Host, double, std::int64_t> one(grid);
  expectUpload<TypeParam, double>(one.ofOneType());
  // an array an axis
  std::vector<double> axes[3];
  for (const Point& point : grid.points) {
    for (int d = 0; d < 3; ++d) {
      axes[d].push_back(point[d]);
    }
  }
  MeshView<double, std::int64_t> apart = one.ofOneType();
  apart.vertices = {{axes[0].data(), axes[1].data(), axes[2].data()}, 1, grid.numVertices()};
  expectUpload<TypeParam, double>(apart);
}

TYPED_TEST(MeshUploads, MoveEachByteOnce) {
  startRuntime();
  const HostMesh mesh = gridMesh(ElementType::Hexahedron, 4);
  const MeshOn<Kokkos::DefaultHostExecutionSpace, double, std::int64_t> host(mesh);
  const std::size_t before = runtimeReport().bytesToDevice;
  const MeshUpload<TypeParam, double, std::int64_t> upload(TypeParam(), host.mixed());
  const std::size_t moved = runtimeReport().bytesToDevice - before;
  const std::size_t bytes = 24 * mesh.points.size() + 8 * (mesh.vertices.size() + mesh.offsets.size()) +
    sizeof(ElementType) * mesh.types.size();
  EXPECT_EQ(moved, runsOnHost<TypeParam> ? 0U : bytes);
}

TYPED_TEST(MeshUploads, OfNothing) {
  const MeshUpload<TypeParam, double, std::int64_t> upload(TypeParam(), MeshView<double, std::int64_t>{});
  EXPECT_EQ(upload.view().elements.numElements, 0);
  EXPECT_EQ(upload.view().vertices.numVertices, 0);
}

} // namespace
} // namespace spanwise::testing
