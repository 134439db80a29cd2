// Sets as boxes.

#include "Core/Geometry/Boxes.hpp"
#include "Core/Geometry/Builders/Ball.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Geometry/SetOfBoxes.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {
namespace {

template <class Space>
class Boxes : public ::testing::Test {
protected:
  Space space;
  const Context<Space> context{space};

  template <int Dim>
  std::vector<Box<Dim>> boxes(const IntervalSetOn<Dim, Space>& set, const Space& on) {
    ListOn<Box<Dim>, Space> list;
    boxesOf<Space, Dim>(Context(on), set, list);
    on.fence();
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), list.view());
    return {host.data(), host.data() + host.extent(0)};
  }

  template <int Dim>
  IntervalSetOn<Dim, Space> setOf(const std::vector<Box<Dim>>& list) {
    return setOfBoxes<Space, Dim>(context, list);
  }

  /// Every cell is in one box, boxes are in order, and none goes on in the one above it.
  template <int Dim>
  void check(const IntervalSetOn<Dim, Space>& set) {
    const auto list = boxes<Dim>(set, space);
    EXPECT_TRUE((list == boxes<Dim>(set, oneThread<Space>())));
    EXPECT_TRUE((equal<Space, Dim>(context, setOf<Dim>(list), set))); // throws if two have a cell in common
    const auto first = [](const Box<Dim>& box) {
      Cell<Dim> cell{};
      std::copy_n(box.begin, Dim, cell.at);
      return cell;
    };
    std::map<Cell<Dim>, Box<Dim>> byCell;
    for (std::size_t b = 0; b < list.size(); ++b) {
      EXPECT_FALSE(list[b].empty());
      EXPECT_TRUE(b == 0 || first(list[b - 1]) < first(list[b]));
      byCell[first(list[b])] = list[b];
    }
    for (const Box<Dim>& box : list) {
      for (int axis = 1; axis < Dim; ++axis) {
        Box<Dim> above = box;
        above.begin[axis] = box.end[axis];
        const auto found = byCell.find(first(above));
        if (found == byCell.end()) {
          continue;
        }
        bool joins = true;
        for (int d = 0; d < Dim; ++d) {
          joins = joins && (d == axis || found->second.end[d] == box.end[d]);
        }
        EXPECT_FALSE(joins);
      }
    }
  }

  template <int Dim>
  void checkRandom() {
    SCOPED_TRACE("seed " + std::to_string(seed()));
    std::mt19937 random(seed());
    for (int round = 0; round < 200; ++round) {
      check<Dim>(toSet<Space, Dim>(randomCells<Dim>(random, 1 + round % 6, round % 3 == 0 ? 0.95 : 0.6)));
    }
  }

  /// Boxes with gaps between them are found again, wherever they lie.
  template <int Dim>
  void checkGrid(const Cell<Dim>& low) {
    std::mt19937 random(seed());
    std::vector<Box<Dim>> expected;
    for (int z = 0; z < (Dim == 3 ? 3 : 1); ++z) {
      for (int y = 0; y < 4; ++y) {
        for (int x = 0; x < 5; ++x) {
          const int place[3] = {x, y, z};
          Box<Dim> box{};
          for (int d = 0; d < Dim; ++d) {
            box.begin[d] = low.at[d] + 10 * place[d];
            box.end[d] = box.begin[d] + 1 + static_cast<Coordinate>(random() % 8);
          }
          expected.push_back(box);
        }
      }
    }
    EXPECT_TRUE(boxes<Dim>(setOf<Dim>(expected), space) == expected);
  }
};
TYPED_TEST_SUITE(Boxes, AllSpaces, SpaceNames);

TYPED_TEST(Boxes, CoverRandomSetsExactlyIn2D) { this->template checkRandom<2>(); }
TYPED_TEST(Boxes, CoverRandomSetsExactlyIn3D) { this->template checkRandom<3>(); }

TYPED_TEST(Boxes, CoverLargeSetsExactly) {
  this->template check<2>(noiseOn<TypeParam, 2>(seed()));
  this->template check<3>(noiseOn<TypeParam, 3>(seed()));
  IntervalSetOn<3, TypeParam> ball;
  makeBall<TypeParam, 3>(this->context, {{0.5, -3.0, 7.0}, 70.0}, ball);
  this->template check<3>(ball);
}

TYPED_TEST(Boxes, SeparateBoxesAreFoundAgain) {
  this->template checkGrid<2>({{-17, -5}});
  this->template checkGrid<3>({{-17, -5, -11}});
  this->template checkGrid<3>({{minCoordinate, minCoordinate, minCoordinate}});
  this->template checkGrid<3>({{maxIntervalEnd - 48, maxIntervalEnd - 38, maxIntervalEnd - 28}});
}

TYPED_TEST(Boxes, ABoxIsOneBoxHoweverTall) {
  IntervalSetOn<2, TypeParam> tall;
  const Box<2> box{{-3, -50000}, {4, 50000}};
  makeBox<TypeParam, 2>(this->context, box, tall);
  EXPECT_TRUE((this->template boxes<2>(tall, this->space) == std::vector<Box<2>>{box}));
  const Box<2> widest{{minCoordinate, -1}, {maxIntervalEnd, 2}};
  makeBox<TypeParam, 2>(this->context, widest, tall);
  EXPECT_TRUE((this->template boxes<2>(tall, this->space) == std::vector<Box<2>>{widest}));
  IntervalSetOn<3, TypeParam> cube;
  const Box<3> solid{{-9, -8, -7}, {30, 31, 32}};
  makeBox<TypeParam, 3>(this->context, solid, cube);
  EXPECT_TRUE((this->template boxes<3>(cube, this->space) == std::vector<Box<3>>{solid}));
}

TYPED_TEST(Boxes, NothingIsNoBoxes) { EXPECT_TRUE((this->template boxes<3>({}, this->space).empty())); }

} // namespace
} // namespace spanwise::testing
