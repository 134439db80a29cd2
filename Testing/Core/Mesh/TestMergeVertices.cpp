#include "Core/Mesh/MergeVertices.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Mesh/Meshes.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <tuple>

namespace spanwise::testing {
namespace {

template <class Space>
class MergedVertices : public ::testing::Test {};
TYPED_TEST_SUITE(MergedVertices, AllSpaces, SpaceNames);

/// Whether vertex a is before b by its place.
bool isBefore(const HostMesh& mesh, std::int32_t a, std::int32_t b) {
  const auto keyOf = [&](std::int32_t v) {
    const Point& at = mesh.points[static_cast<std::size_t>(v)];
    return std::tuple(at[0], at[1], at[2], v);
  };
  return keyOf(a) < keyOf(b);
}

/// Groups by going through all pairs until nothing changes.
std::vector<std::int32_t> reference(const HostMesh& mesh, double distance) {
  std::vector<std::int32_t> first(mesh.points.size());
  std::iota(first.begin(), first.end(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t a = 0; a < first.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const Point apart = mesh.points[a] - mesh.points[b];
        if (dot(apart, apart) <= distance * distance && first[a] != first[b]) {
          first[a] = first[b] = isBefore(mesh, first[a], first[b]) ? first[a] : first[b];
          changed = true;
        }
      }
    }
  }
  return first;
}

TYPED_TEST(MergedVertices, AreThoseWithinADistance) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  HostMesh mesh;
  for (int v = 0; v < 600; ++v) { // some in the same place, some with a coordinate -0
    const Point point{{unit(random), unit(random), v % 5 == 0 ? 0.0 : unit(random)}};
    mesh.points.push_back(v % 3 == 2 ? mesh.points[random() % mesh.points.size()] : point);
    if (mesh.points.back()[2] == 0.0 && v % 2 == 0) {
      mesh.points.back()[2] = -0.0;
    }
  }
  const MeshOn<TypeParam, double, std::int64_t> there(mesh);
  const Context<TypeParam> context;
  const Kokkos::View<std::int32_t*, typename TypeParam::memory_space> out("out", mesh.points.size());
  for (const double distance : {0.0, 1e-3, 0.05, 0.1, 0.3, 5.0}) {
    const std::vector<std::int32_t> expected = reference(mesh, distance);
    std::int64_t numMerged = 0;
    for (std::size_t v = 0; v < expected.size(); ++v) {
      numMerged += expected[v] != static_cast<std::int32_t>(v) ? 1 : 0;
    }
    EXPECT_EQ(mergeVertices(context, there.mixed().vertices, distance, out), numMerged);
    EXPECT_GT(numMerged, 100);
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
    for (std::size_t v = 0; v < expected.size(); ++v) {
      ASSERT_EQ(host(v), expected[v]) << "vertex " << v << ", distance " << distance;
    }
  }
}

TYPED_TEST(MergedVertices, RefuseWhatIsNoDistance) {
  const HostMesh mesh = gridMesh(ElementType::Triangle, 2);
  const MeshOn<TypeParam, float, std::int32_t> there(mesh);
  const Context<TypeParam> context;
  const Kokkos::View<std::int32_t*, typename TypeParam::memory_space> out("out", mesh.points.size());
  const Kokkos::View<std::int32_t*, typename TypeParam::memory_space> few("few", 3);
  for (const double distance : {-1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(mergeVertices(context, there.mixed().vertices, distance, out), InvalidArgument);
  }
  EXPECT_THROW(mergeVertices(context, there.mixed().vertices, 0.0, few), InvalidArgument);
}

} // namespace
} // namespace spanwise::testing
