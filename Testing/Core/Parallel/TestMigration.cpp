#include "Core/Field/Arithmetic.hpp"
#include "Core/Parallel/Migration.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <map>

namespace spanwise::testing {
namespace {

template <class Space>
class Migration : public ::testing::Test {
public:
  template <int Dim>
  void expectAnyCellsToGoWhereTheyBelong() {
    SCOPED_TRACE("seed " + std::to_string(seed()));
    const Space space;
    std::mt19937 random(seed() + Dim);
    const Context context(space);
    CellMove<Space, Dim> move(world());
    const Coordinate extent = Dim == 2 ? 12 : 6;
    for (int trial = 0; trial < 12; ++trial) {
      // Each cell is on some of the ranks, or on none; with a value that tells on which.
      std::map<Cell<Dim>, int> firstRank;
      std::vector<CellList<Dim>> ofRank;
      for (int r = 0; r < world().size(); ++r) {
        ofRank.push_back(randomCells<Dim>(random, extent, trial % 3 == 2 ? 0.01 : 0.3));
        if (trial % 3 == 1 && r > 0) {
          ofRank.back().clear(); // all on the first
        }
        for (const Cell<Dim>& cell : ofRank.back()) {
          firstRank.insert({cell, r});
        }
      }
      const RowCut cut = randomCut(random, extent);
      const CellList<Dim>& mine = ofRank[static_cast<std::size_t>(world().rank())];
      const PlaneRange planes = cut.part(world().rank());
      CellList<Dim> expected;
      for (const auto& [cell, rank] : firstRank) {
        if (planes.contains(cell.at[Dim - 1])) {
          expected.insert(cell);
        }
      }
      IntervalSetOn<Dim, Space> set = toSet<Space, Dim>(mine);
      migrate<Space, Dim>(context, cut, set, set, move);
      expectCells<Space, Dim>(set, expected);
      expectValuesToFollow<Dim, double>(move, mine, expected, firstRank, 1);
      expectValuesToFollow<Dim, std::int32_t>(move, mine, expected, firstRank, 3);
      expectValuesToFollow<Dim, std::uint8_t>(move, mine, expected, firstRank, 2);
    }
  }

  /// Of so many cells, with labels that alternate.
  static FieldLayoutOn<Space> groupsOf(std::size_t numCells) {
    std::vector<LabelRun> labels;
    for (std::size_t k = 0; k < numCells; ++k) {
      labels.push_back({1, static_cast<std::int64_t>(k * k % 3)});
    }
    return FieldLayoutOn<Space>::groups(labels);
  }

  template <int Dim, class T>
  static void expectValuesToFollow(CellMove<Space, Dim>& move, const CellList<Dim>& before, const CellList<Dim>& after,
    const std::map<Cell<Dim>, int>& firstRank, int components) {
    const auto value = [](const Cell<Dim>& cell, int rank, int c) {
      return static_cast<T>(numberOf<Dim>(cell) * 5 + 97 * c + rank);
    };
    const int me = world().rank();
    const auto columns =
      fieldOf<T, Space, Dim>(before, components, [&](const Cell<Dim>& cell, int c) { return value(cell, me, c); });
    const auto expectMoved = [&](const FieldOn<T, Space>& field) {
      expectField(field, after, [&](const Cell<Dim>& cell, int c) { return value(cell, firstRank.at(cell), c); });
    };
    using Layout = FieldLayoutOn<Space>;
    const Layout layoutsBefore[] = {Layout(), Layout::tuples(), groupsOf(before.size())};
    const Layout layoutsAfter[] = {Layout(), Layout::tuples(), groupsOf(after.size())};
    for (const Layout& from : layoutsBefore) {
      FieldOn<T, Space> laid("values", static_cast<std::int64_t>(before.size()), components, from);
      copyValues<Space, T>(Context<Space>(), columns, laid);
      for (const Layout& to : layoutsAfter) {
        FieldOn<T, Space> field = laid;
        FieldOn<T, Space> spare;
        move.moveField(Space(), field, spare, to);
        expectMoved(field);
        EXPECT_EQ(field.layout().kind(), (move.moves() ? to : from).kind());
      }
      FieldOn<T, Space> field = laid;
      if (from.kind() == LayoutKind::Groups) {
        EXPECT_THROW(move.moveField(Space(), field), InvalidArgument);
      } else {
        move.moveField(Space(), field);
        expectMoved(field);
        EXPECT_EQ(field.layout().kind(), from.kind());
      }
    }
  }

  template <int Dim>
  void expectSlabsBetweenCuts() {
    SCOPED_TRACE("seed " + std::to_string(seed()));
    const Space space;
    std::mt19937 random(seed() + Dim);
    const Context context(space);
    CellMove<Space, Dim> move(world());
    IntervalSetOn<Dim, Space> out;
    for (int trial = 0; trial < 12; ++trial) {
      const CellList<Dim> whole = randomCells<Dim>(random, Dim == 2 ? 12 : 6, 0.5);
      const RowCut before = randomCut(random, 8);
      const RowCut after = trial == 0 ? before : randomCut(random, 8);
      const CellList<Dim> mine = cellsIn<Dim>(whole, before.part(world().rank()));
      const CellList<Dim> expected = cellsIn<Dim>(whole, after.part(world().rank()));
      const std::int64_t bytesBefore = move.report().bytes;
      migrate<Space, Dim>(context, after, toSet<Space, Dim>(mine), out, move);
      expectCells<Space, Dim>(out, expected);
      EXPECT_FALSE(move.merges());
      std::map<Cell<Dim>, int> anyRank;
      bool moves = false;
      for (const Cell<Dim>& cell : whole) {
        anyRank[cell] = 0;
        moves = moves || before.owner(cell.at[Dim - 1]) != after.owner(cell.at[Dim - 1]);
      }
      EXPECT_EQ(move.moves(), moves);
      const auto value = [](const Cell<Dim>& cell, int c) { return static_cast<double>(numberOf<Dim>(cell)) + c; };
      const auto from = fieldOf<double, Space, Dim>(mine, 2, value);
      auto to = emptyField<double, Space>(out.numCells(), 2);
      const std::int64_t bytesOfSet = move.report().bytes;
      move.moveValues(space, from.view(), to.view());
      expectField(to, expected, value);
      // Only what leaves the rank is sent, and every cell of it once.
      std::int64_t leaving = 0;
      for (const Cell<Dim>& cell : mine) {
        leaving += after.owner(cell.at[Dim - 1]) != world().rank() ? 1 : 0;
      }
      EXPECT_EQ(move.report().bytes - bytesOfSet, 16 * leaving);
      EXPECT_EQ(bytesOfSet > bytesBefore, leaving > 0);
    }
  }

  template <int Dim>
  void expectBalance() {
    SCOPED_TRACE("seed " + std::to_string(seed()));
    const Space space;
    std::mt19937 random(seed() + Dim);
    const Context context(space);
    CellMove<Space, Dim> move(world());
    const CellList<Dim> whole = randomCells<Dim>(random, Dim == 2 ? 40 : 20, 0.5);
    CellList<Dim> mine; // all on the last rank
    if (world().rank() == world().size() - 1) {
      mine = whole;
    }
    IntervalSetOn<Dim, Space> out;
    const RowCut cut = balance<Space, Dim>(context, toSet<Space, Dim>(mine), out, move);
    expectCells<Space, Dim>(out, cellsIn<Dim>(whole, cut.part(world().rank())));
    const double mean = static_cast<double>(whole.size()) / world().size();
    EXPECT_LE(static_cast<double>(out.numCells()), 1.2 * mean);
    EXPECT_GE(static_cast<double>(out.numCells()), 0.8 * mean);
    EXPECT_EQ(world().reduced(ReduceBy::Sum, out.numCells()), static_cast<std::int64_t>(whole.size()));
    // What is even stays.
    balance<Space, Dim>(context, out, out, move);
    EXPECT_FALSE(move.moves());
    expectCells<Space, Dim>(out, cellsIn<Dim>(whole, cut.part(world().rank())));
  }
};

TYPED_TEST_SUITE(Migration, AllSpaces, SpaceNames);

TYPED_TEST(Migration, BringsAnyCellsWhereTheyBelong) {
  this->template expectAnyCellsToGoWhereTheyBelong<2>();
  this->template expectAnyCellsToGoWhereTheyBelong<3>();
}

TYPED_TEST(Migration, SendsSlabsBetweenCuts) {
  this->template expectSlabsBetweenCuts<2>();
  this->template expectSlabsBetweenCuts<3>();
}

TYPED_TEST(Migration, Balances) {
  this->template expectBalance<2>();
  this->template expectBalance<3>();
}

TYPED_TEST(Migration, AcceptsNoCells) {
  const TypeParam space;
  const Context context(space);
  CellMove<TypeParam, 3> move(world());
  IntervalSetOn<3, TypeParam> set;
  const RowCut cut = balance<TypeParam, 3>(context, set, set, move);
  EXPECT_EQ(cut.numParts(), world().size());
  EXPECT_TRUE(set.empty());
  EXPECT_FALSE(move.moves());
  auto nothing = emptyField<double, TypeParam>(0);
  move.moveValues(space, nothing.view(), nothing.view());
  RowCut wrong = cut;
  wrong.bounds.push_back(0);
  EXPECT_THROW((migrate<TypeParam, 3>(context, wrong, set, set, move)), InvalidArgument);
  auto one = emptyField<double, TypeParam>(1);
  EXPECT_THROW(move.moveValues(space, one.view(), nothing.view()), InvalidArgument);
}

/// What does not fit on one rank is an error on all of them: none waits for it.
TYPED_TEST(Migration, OneFieldThatDoesNotFitIsAnErrorOnAllRanks) {
  const TypeParam space;
  const Context context(space);
  CellMove<TypeParam, 2> move(world());
  CellList<2> row; // all cells are on the first rank, and go to the last one
  for (Coordinate x = 0; x < 5 && world().rank() == 0; ++x) {
    row.insert({{x, 0}});
  }
  RowCut cut;
  cut.bounds.assign(static_cast<std::size_t>(world().size()), PlaneRange().begin);
  cut.bounds.push_back(PlaneRange().end);
  IntervalSetOn<2, TypeParam> out;
  migrate<TypeParam, 2>(context, cut, toSet<TypeParam, 2>(row), out, move);
  const auto from = emptyField<double, TypeParam>(static_cast<std::int64_t>(row.size()));
  const bool isLast = world().rank() == world().size() - 1;
  auto to = emptyField<double, TypeParam>(isLast ? 4 : 0);
  EXPECT_THROW(move.moveValues(space, from.view(), to.view()), InvalidArgument);
}

} // namespace
} // namespace spanwise::testing
