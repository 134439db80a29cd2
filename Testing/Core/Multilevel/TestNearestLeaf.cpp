#include "Core/Multilevel/NearestLeaf.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Multilevel/LeavesOnSpace.hpp"
#include "Testing/Core/Multilevel/RandomLevels.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace spanwise::testing {
namespace {

using Found = std::array<double, 4>; ///< the squared distance, and the place

constexpr Found nowhere{std::numeric_limits<double>::infinity(), 0.0, 0.0, 0.0};
constexpr GridGeometry<3> root{{0.5, -1.0, 2.0}, {0.75, 1.0, 0.5}};

/// Whether an answer is the same, by its distance and, where there is a place, by this.
void expectSame(const Found& found, const Found& expected) {
  EXPECT_EQ(found[0], expected[0]);
  for (std::size_t k = 1; k < 4 && std::isfinite(expected[0]); ++k) {
    EXPECT_EQ(found[k], expected[k]);
  }
}

/// The least answer of all leaves, one by one.
template <int Dim>
Found nearestOfAll(const Leaves<Dim>& leaves, const std::array<double, 3>& point, double reach) {
  Found best = nowhere;
  for (std::size_t l = 0; l < leaves.size(); ++l) {
    for (const Cell<Dim>& cell : leaves[l]) {
      Found found{};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double size = root.spacing[axis] / static_cast<double>(1 << l);
        const double low = root.origin[axis] + (axis < Dim ? cell.at[axis] * size : 0.0);
        const double high = axis < Dim ? root.origin[axis] + (cell.at[axis] + 1) * size : low;
        found[axis + 1] = std::clamp(point[axis], low, high);
        found[0] += (point[axis] - found[axis + 1]) * (point[axis] - found[axis + 1]);
      }
      best = found[0] <= reach * reach ? std::min(best, found) : best;
    }
  }
  return best;
}

template <class Space>
class NearestLeaf : public ::testing::Test {
protected:
  template <int Dim>
  std::vector<Found> find(const Leaves<Dim>& cells, const std::vector<double>& points, double reach) {
    using Memory = typename Space::memory_space;
    const Context<Space> context;
    const LeavesAndCover<Space, Dim> levels(context, cells);
    const auto count = static_cast<std::int64_t>(points.size() / 3);
    const Kokkos::View<double*, Memory> there("Testing::points", points.size());
    Kokkos::deep_copy(there,
      Kokkos::View<const double*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
        points.data(), points.size()));
    const Kokkos::View<NearestPlace*, Memory> out("Testing::nearest", static_cast<std::size_t>(count));
    nearestInLeaves<Space, Dim>(context, levels.leaves, root, there.data(), count, reach, out.data());
    context.space().fence("Testing::nearest");
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
    std::vector<Found> found;
    for (std::size_t k = 0; k < host.extent(0); ++k) {
      const NearestPlace& nearest = host(k);
      found.push_back({nearest.squaredDistance, nearest.place[0], nearest.place[1], nearest.place[2]});
    }
    return found;
  }

  /// Points everywhere, some of them on faces of cells, and each with several reaches.
  template <int Dim>
  void compareWithAll() {
    std::mt19937 random(seed() + Dim);
    std::uniform_real_distribution<double> place(-6.0, 6.0);
    forRandomLeaves<Dim>(4, [&](const Leaves<Dim>& leaves) {
      std::vector<double> points;
      for (int k = 0; k < 60; ++k) {
        for (int axis = 0; axis < 3; ++axis) {
          const double at = place(random);
          const bool onFace = k % 3 == 0;
          const bool inPlane = Dim == 2 && axis == 2 && k % 2 == 0;
          points.push_back(inPlane ? root.origin[2] : onFace ? std::round(8.0 * at) / 8.0 : at);
        }
      }
      for (const double reach : {0.0, 0.3, 2.0, 1e6}) {
        const auto found = this->template find<Dim>(leaves, points, reach);
        for (std::size_t k = 0; k < found.size(); ++k) {
          SCOPED_TRACE(k);
          expectSame(found[k], nearestOfAll<Dim>(leaves, {points[3 * k], points[3 * k + 1], points[3 * k + 2]}, reach));
        }
      }
    });
  }
};

TYPED_TEST_SUITE(NearestLeaf, AllSpaces, SpaceNames);

TYPED_TEST(NearestLeaf, IsTheLeastOfAllLeaves) {
  this->template compareWithAll<2>();
  this->template compareWithAll<3>();
}

// What is no place, and what is farther than any coordinate, has no leaf and stops nothing.
TYPED_TEST(NearestLeaf, OfPointsFarAwayIsNone) {
  const Leaves<3> leaves{{Cell<3>{{0, 0, 0}}}};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  for (const Found& found :
    this->template find<3>(leaves, {nan, 0.0, 0.0, 0.0, infinite, 0.0, 1e300, -1e300, 0.0, 1e12, 0.0, 0.0}, 1e9)) {
    expectSame(found, nowhere);
  }
  EXPECT_THROW(this->template find<2>(Leaves<2>(40), {0.0, 0.0, 0.0}, 1.0), InvalidArgument);
}

} // namespace
} // namespace spanwise::testing
