#include "Core/Geometry/Components.hpp"
#include "Core/Geometry/LargestComponent.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <array>

namespace spanwise::testing {
namespace {

template <class Space>
class LargestComponent : public ::testing::Test {
protected:
  Space space;
  const Context<Space> context{space};

  template <int Dim>
  IntervalSetOn<Dim, Space> largest(Connectivity connectivity, const IntervalSetOn<Dim, Space>& set) {
    IntervalSetOn<Dim, Space> out;
    largestComponent<Space, Dim>(context, connectivity, set, out);
    return out;
  }
};
TYPED_TEST_SUITE(LargestComponent, AllSpaces, SpaceNames);

/// The cells that steps reach from a first one.
template <int Dim>
CellList<Dim> reached(CellList<Dim>& left, int maxAxes) {
  std::vector<Cell<Dim>> open{*left.begin()};
  CellList<Dim> found{open.front()};
  left.erase(left.begin());
  while (!open.empty()) {
    const Cell<Dim> cell = open.back();
    open.pop_back();
    for (auto other = left.begin(); other != left.end();) {
      int axes = 0;
      bool near = true;
      for (int d = 0; d < Dim; ++d) {
        axes += static_cast<int>(other->at[d] != cell.at[d]);
        near = near && other->at[d] - cell.at[d] <= 1 && cell.at[d] - other->at[d] <= 1;
      }
      if (near && axes <= maxAxes) {
        open.push_back(*other);
        found.insert(*other);
        other = left.erase(other);
      } else {
        ++other;
      }
    }
  }
  return found;
}

TYPED_TEST(LargestComponent, AgreesWithBruteForce) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const auto expectLargest = [&]<int Dim>(int numCases, Coordinate extent) {
    for (int k = 0; k < numCases; ++k) {
      const auto cells = randomCells<Dim>(random, extent, std::array{0.0, 0.15, 0.3, 0.5}[random() % 4]);
      const auto set = toSet<TypeParam, Dim>(cells);
      const std::array connectivities{Connectivity::Face, Connectivity::Edge, Connectivity::Vertex};
      for (int axes = 1; axes <= 3; ++axes) {
        CellList<Dim> expected;
        for (CellList<Dim> left = cells; !left.empty();) {
          const CellList<Dim> component = reached<Dim>(left, axes);
          expected = component.size() > expected.size() ? component : expected; // the first of equals
        }
        expectCells<TypeParam, Dim>(
          this->template largest<Dim>(connectivities[static_cast<std::size_t>(axes - 1)], set), expected);
      }
    }
  };
  expectLargest.template operator()<2>(200, 5);
  expectLargest.template operator()<3>(60, 3);
}

TYPED_TEST(LargestComponent, HasTheMostCellsOfALargeSet) {
  const auto set = noiseOn<TypeParam, 2>(seed());
  const auto out = this->template largest<2>(Connectivity::Face, set);
  EXPECT_EQ(validate(this->context, out), "");
  const ComponentNumbers<TypeParam> labels("labels", static_cast<std::size_t>(set.numIntervals()));
  const auto numbering = connectedComponents<TypeParam, 2>(this->context, Connectivity::Face, set, labels);
  const ComponentNumbers<TypeParam> sizes("sizes", static_cast<std::size_t>(numbering.count()));
  componentSizes<TypeParam, 2>(this->context, set, labels, numbering, sizes);
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sizes);
  EXPECT_EQ(out.numCells(), *std::max_element(host.data(), host.data() + host.extent(0)));
}

} // namespace
} // namespace spanwise::testing
