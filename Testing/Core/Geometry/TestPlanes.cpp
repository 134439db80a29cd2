#include "Core/Geometry/Builders/Ball.hpp"
#include "Core/Geometry/Builders/Polygons.hpp"
#include "Core/Geometry/Builders/Surface.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>

// Builders that make only some planes make the same cells there as when they make all.

namespace spanwise::testing {
namespace {

template <class Space>
class Planes : public ::testing::Test {};
TYPED_TEST_SUITE(Planes, AllSpaces, SpaceNames);

/// `make(planes)` gives a set.
template <class Space, int Dim, class Make>
void expectPartsOfTheWhole(const Make& make) {
  const IntervalSetOn<Dim, Space> whole = make(PlaneRange());
  const PlaneRange all = planesOf<Space, Dim>(Context<Space>(), whole);
  ASSERT_GT(all.end - all.begin, 5);
  for (const PlaneRange planes :
    {PlaneRange{all.begin - 3, all.begin + 2}, PlaneRange{all.begin + 2, all.end - 2},
      PlaneRange{all.end - 1, all.end + 9}, PlaneRange{all.end + 5, all.end + 9}, PlaneRange{all.begin, all.begin}}) {
    IntervalSetOn<Dim, Space> expected;
    restrictRows<Space, Dim>(Context<Space>(), whole, planes, expected);
    expectCells<Space, Dim>(make(planes), toCells(expected));
  }
}

template <class Space, int Dim>
void expectBallInPlanes() {
  Ball<Dim> ball{};
  ball.centre[0] = 0.3;
  ball.centre[Dim - 1] = -7.6;
  ball.radius = 6.2;
  expectPartsOfTheWhole<Space, Dim>([&](const PlaneRange& planes) {
    IntervalSetOn<Dim, Space> set;
    const Context<Space> context;
    makeBall<Space, Dim>(context, ball, set, planes);
    return set;
  });
}

TYPED_TEST(Planes, OfABall) {
  expectBallInPlanes<TypeParam, 2>();
  expectBallInPlanes<TypeParam, 3>();
}

TYPED_TEST(Planes, OfPolygons) {
  using Memory = typename TypeParam::memory_space;
  Kokkos::View<double* [2], Kokkos::LayoutRight, Kokkos::HostSpace> points("points", 9);
  for (std::size_t k = 0; k < 9; ++k) { // a star with long edges
    const double angle = 2.0 * 3.14159265358979 * 4.0 * static_cast<double>(k) / 9.0;
    points(k, 0) = 10.0 * std::cos(angle);
    points(k, 1) = 10.0 * std::sin(angle) + 0.1;
  }
  Kokkos::View<std::int64_t*, Kokkos::HostSpace> offsets("offsets", 2);
  offsets(1) = 9;
  const Rings<Memory> rings{
    Kokkos::create_mirror_view_and_copy(Memory(), points), Kokkos::create_mirror_view_and_copy(Memory(), offsets)};
  expectPartsOfTheWhole<TypeParam, 2>([&](const PlaneRange& planes) {
    IntervalSetOn<2, TypeParam> set;
    const Context<TypeParam> context;
    makeFromPolygons<TypeParam>(context, rings, {{0.0, 0.0}, {0.5, 0.7}}, set, planes);
    return set;
  });
}

TYPED_TEST(Planes, OfASurface) {
  using Memory = typename TypeParam::memory_space;
  const double corners[6][3] = {{9, 0, 0}, {-8, 1, 0}, {0, 9, 1}, {1, -9, 0}, {0, 0, 8}, {1, 1, -9}}; // an octahedron
  const std::int64_t faces[8][3] = {
    {0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  Kokkos::View<double* [3], Kokkos::LayoutRight, Kokkos::HostSpace> points("points", 6);
  Kokkos::View<std::int64_t* [3], Kokkos::LayoutRight, Kokkos::HostSpace> triangles("triangles", 8);
  for (std::size_t d = 0; d < 3; ++d) {
    for (std::size_t k = 0; k < 8; ++k) {
      points(k % 6, d) = corners[k % 6][d];
      triangles(k, d) = faces[k][d];
    }
  }
  const TriangleSurface<Memory> surface{
    Kokkos::create_mirror_view_and_copy(Memory(), points), Kokkos::create_mirror_view_and_copy(Memory(), triangles)};
  expectPartsOfTheWhole<TypeParam, 3>([&](const PlaneRange& planes) {
    IntervalSetOn<3, TypeParam> set;
    const Context<TypeParam> context;
    makeFromSurface<TypeParam>(context, surface, {{0.1, 0.2, 0.3}, {0.9, 1.0, 1.1}}, set, planes);
    return set;
  });
}

} // namespace
} // namespace spanwise::testing
