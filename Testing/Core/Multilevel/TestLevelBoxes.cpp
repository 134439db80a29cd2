// The boxes of block-structured AMR.

#include "Core/Multilevel/LevelBoxes.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/SetOfBoxes.hpp"
#include "Testing/Core/Multilevel/LeavesOnSpace.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {
namespace {

template <class Space>
class LevelBoxes : public ::testing::Test {
protected:
  Space space = oneThread<Space>(); // most cases are small
  const Context<Space> context{space};

  template <int Dim>
  static Cell<Dim> cellOf(const Box<Dim>& box, std::int64_t number) {
    const RowKey<Dim> key = box.row(number / box.extent(0));
    Cell<Dim> cell{};
    cell.at[0] = static_cast<Coordinate>(box.begin[0] + number % box.extent(0));
    cell.at[1] = key.y;
    if constexpr (Dim == 3) {
      cell.at[2] = key.z;
    }
    return cell;
  }

  template <int Dim>
  void check(const Leaves<Dim>& cells) {
    const LeavesAndCover<Space, Dim> on(context, cells);
    CellList<Dim> below;
    for (std::size_t l = 0; l < cells.size(); ++l) {
      const CellList<Dim> covered = ancestorsOn(cells, l);
      CellList<Dim> refined;
      for (const Cell<Dim>& cell : covered) {
        if (cells[l].count(cell) == 0) {
          refined.insert(cell);
        }
      }
      expectCells<Space, Dim>(on.cover.covered[l], covered);
      expectCells<Space, Dim>(on.cover.refined[l], refined);
      ListOn<Box<Dim>, Space> list;
      levelBoxes<Space, Dim>(context, on.cover, static_cast<int>(l), list);
      const auto set = setOfBoxes<Space, Dim>(context, toVector(list)); // throws unless they are disjoint
      expectCells<Space, Dim>(set, l == 0 ? covered : childrenOf(below));
      checkCoverings<Dim>(on, l, list, cells[l], refined);
      for (const Box<Dim>& box : toVector(list)) {
        for (int d = 0; d < Dim && l > 0; ++d) { // whole cells of the level below
          EXPECT_EQ(box.begin[d] & 1, 0);
          EXPECT_EQ(box.end[d] & 1, 0);
        }
      }
      below = refined;
    }
    ListOn<Box<Dim>, Space> list;
    EXPECT_THROW((levelBoxes<Space, Dim>(context, on.cover, static_cast<int>(cells.size()), list)), InvalidArgument);
    EXPECT_THROW((levelBoxes<Space, Dim>(context, on.cover, -1, list)), InvalidArgument);
  }

  template <int Dim>
  void checkCoverings(const LeavesAndCover<Space, Dim>& on, std::size_t l, const ListOn<Box<Dim>, Space>& list,
    const CellList<Dim>& leaves, const CellList<Dim>& refined) {
    BoxCoveringsOn<Space> coverings;
    coveringsOfBoxes<Space, Dim>(context, list, on.leaves[l], on.cover.refined[l], coverings);
    space.fence();
    const auto boxes = toVector(list);
    const auto offsets = toVector(coverings.offsets);
    const auto found = toVector(coverings.cells);
    ASSERT_EQ(offsets.size(), boxes.size() + 1);
    ASSERT_EQ(offsets.back(), static_cast<std::int64_t>(found.size()));
    const std::vector<Cell<Dim>> leafCells(leaves.begin(), leaves.end());
    const std::vector<Cell<Dim>> refinedCells(refined.begin(), refined.end());
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      for (std::int64_t k = offsets[b]; k < offsets[b + 1]; ++k) {
        const Cell<Dim> cell = cellOf(boxes[b], k - offsets[b]);
        const Covering covering = found[static_cast<std::size_t>(k)];
        ASSERT_EQ(covering.isLeaf(), leaves.count(cell) > 0);
        ASSERT_EQ(covering.isRefined(), refined.count(cell) > 0);
        ASSERT_EQ(covering.isNothing(), leaves.count(cell) + refined.count(cell) == 0);
        if (!covering.isNothing()) {
          const auto& numbered = covering.isLeaf() ? leafCells : refinedCells;
          ASSERT_TRUE(numbered[static_cast<std::size_t>(covering.number())] == cell);
        }
      }
    }
  }

  template <int Dim>
  void checkRandom() {
    forRandomLeaves<Dim>(4, [this](const Leaves<Dim>& leaves) { this->template check<Dim>(leaves); });
  }
};
TYPED_TEST_SUITE(LevelBoxes, AllSpaces, SpaceNames);

TYPED_TEST(LevelBoxes, AreExactDisjointAndAlignedIn2D) { this->template checkRandom<2>(); }
TYPED_TEST(LevelBoxes, AreExactDisjointAndAlignedIn3D) { this->template checkRandom<3>(); }

TYPED_TEST(LevelBoxes, NothingHasNone) {
  this->template check<2>(Leaves<2>(3));
  this->template check<3>({});
}

TYPED_TEST(LevelBoxes, LeavesInLeavesAreAnError) {
  Leaves<2> cells(3);
  cells[0] = {{{-1, -1}}, {{0, -1}}, {{1, -1}}};
  cells[2] = {{{3, -5}}, {{4, -5}}};
  const auto check = [&] {
    const LeavesAndCover<TypeParam, 2> on(this->context, cells);
    checkLeaves<TypeParam, 2>(this->context, on.leaves, on.cover);
  };
  check(); // they are in the row below
  cells[2] = {{{4, -4}}};
  try {
    check();
    ADD_FAILURE() << "the leaf (1, -1) of level 0 has one of level 2 in it";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("level 0 has the cell x = 1, y = -1"), std::string::npos) << error.what();
  }
}

// The last child of a cell at the end of the lattice would lie beyond it.
TYPED_TEST(LevelBoxes, ABoxBeyondTheLimitsIsAnError) {
  Leaves<2> cells(2);
  cells[1].insert({{maxRowKey, 0}});
  const LeavesAndCover<TypeParam, 2> on(this->context, cells);
  ListOn<Box<2>, TypeParam> list;
  EXPECT_THROW((levelBoxes<TypeParam, 2>(this->context, on.cover, 1, list)), CoordinateOverflow);
  EXPECT_TRUE(list.empty());
  cells[1] = {{{maxRowKey - 2, 0}}};
  const LeavesAndCover<TypeParam, 2> within(this->context, cells);
  levelBoxes<TypeParam, 2>(this->context, within.cover, 1, list);
  EXPECT_EQ(list.count(), 1);
}

} // namespace
} // namespace spanwise::testing
