#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/HaloLayout.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Parallel/HaloExchange.hpp"
#include "Core/Parallel/Migration.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Progress.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Core/Runtime/CountFences.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <map>

namespace spanwise::testing {
namespace {

/// A random set, a random cut of it, and what this rank has of it.
template <int Dim>
struct Case {
  CellList<Dim> whole;
  RowCut cut;
  Halo halo;
  CellList<Dim> mine;
  CellList<Dim> held;

  Case(std::mt19937& random, std::int64_t planes, bool periodic) {
    const Coordinate extent = Dim == 2 ? 10 : 5;
    whole = randomCells<Dim>(random, extent, random() % 2 == 0 ? 0.05 : 0.5);
    cut = randomCut(random, extent + 1);
    halo.planes = planes;
    if (periodic) {
      halo.period = {
        -extent - static_cast<std::int64_t>(random() % 3), extent + static_cast<std::int64_t>(random() % 3)};
    }
    mine = cellsIn<Dim>(whole, cut.part(world().rank()));
    held = cellsHeld<Dim>(whole, cut.part(world().rank()), halo);
  }
  [[nodiscard]] bool isMine(const Cell<Dim>& cell) const {
    return ownPlanes(cut.part(world().rank()), halo).contains(cell.at[Dim - 1]);
  }
};

template <int Dim, class Work>
void forCases(const Work& work) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed() + Dim);
  for (const std::int64_t planes : {0, 1, 2, 5, 50}) {
    for (const bool periodic : {false, true}) {
      for (int trial = 0; trial < 3; ++trial) {
        work(Case<Dim>(random, planes, periodic));
      }
    }
  }
}

template <class Space>
class HaloExchanges : public ::testing::Test {
public:
  template <int Dim>
  static void expectHalo() {
    const Space space;
    const Context context(space);
    CellMove<Space, Dim> move(world());
    IntervalSetOn<Dim, Space> out;
    forCases<Dim>([&](const Case<Dim>& is) {
      addHalo<Space, Dim>(context, is.cut, is.halo, toSet<Space, Dim>(is.mine), out, move);
      expectCells<Space, Dim>(out, is.held);
      const auto value = [&](const Cell<Dim>& cell, int c) { return numberOf<Dim>(wrapped<Dim>(cell, is.halo)) + c; };
      auto field = fieldOf<std::int64_t, Space, Dim>(is.mine, 2, value);
      move.moveField(space, field);
      expectField(field, is.held, value);
    });
  }

  template <int Dim, class T>
  static void expectExchange(int components) {
    const Space space;
    forCases<Dim>([&](const Case<Dim>& is) {
      const HaloPlan plan =
        makeHaloPlan<Space, Dim>(Context(space, world()), is.cut, is.halo, toSet<Space, Dim>(is.held));
      HaloExchange<Space> exchange(world(), plan);
      EXPECT_EQ(plan.numCells, static_cast<std::int64_t>(is.held.size()));
      EXPECT_EQ(plan.owned.count(), static_cast<std::int64_t>(is.mine.size()));
      for (int turn = 0; turn < 3; ++turn) { // owned cells have values, the halo has none yet
        const auto value = [&](const Cell<Dim>& cell, int c) {
          return static_cast<T>(numberOf<Dim>(wrapped<Dim>(cell, is.halo)) + 31 * c + turn);
        };
        const auto before = [&](const Cell<Dim>& cell, int c) { return is.isMine(cell) ? value(cell, c) : T{77}; };
        auto a = fieldOf<T, Space, Dim>(is.held, components, before);
        auto b = fieldOf<float, Space, Dim>(is.held, 1, before);
        exchange.exchange(space, a.view(), b.view());
        expectField(a, is.held, value);
        expectField(b, is.held, value);
      }
      const std::int64_t bytesPerCell = components * static_cast<std::int64_t>(sizeof(T)) + 4;
      std::map<int, std::int64_t> neighbours; // bytes for each
      for (const CellSlab& slab : plan.sends) {
        if (slab.rank != world().rank() && slab.numCells > 0) {
          neighbours[slab.rank] += slab.numCells * bytesPerCell;
        }
      }
      std::int64_t bytes = 0;
      for (const auto& [rank, sent] : neighbours) {
        bytes += sent;
      }
      EXPECT_EQ(exchange.report().exchanges, 3);
      EXPECT_EQ(exchange.report().bytes, 3 * bytes);
      EXPECT_EQ(exchange.report().messages, 3 * static_cast<std::int64_t>(neighbours.size())); // whatever was sent
    });
  }

  /// Values in each layout, all components of them or those that cross: what does not cross stays as it was.
  template <int Dim, class T>
  static void expectLayouts(int components, const HaloComponents& crossing) {
    const Space space;
    using Layout = FieldLayoutOn<Space>;
    std::mt19937 random(seed() + static_cast<unsigned>(world().rank()));
    forCases<Dim>([&](const Case<Dim>& is) {
      const HaloPlan plan =
        makeHaloPlan<Space, Dim>(Context(space, world()), is.cut, is.halo, toSet<Space, Dim>(is.held));
      const PlaneRange own = ownPlanes(is.cut.part(world().rank()), is.halo);
      const auto value = [&](const Cell<Dim>& cell, int c) {
        return static_cast<T>(numberOf<Dim>(wrapped<Dim>(cell, is.halo)) + 31 * c);
      };
      const auto before = [&](const Cell<Dim>& cell, int c) { return is.isMine(cell) ? value(cell, c) : T{77}; };
      const auto after = [&](const Cell<Dim>& cell, int c) {
        const std::uint32_t comes = cell.at[Dim - 1] < own.begin ? crossing.up : crossing.down;
        return is.isMine(cell) || (comes >> c & 1U) != 0 ? value(cell, c) : T{77};
      };
      std::vector<LabelRun> labels; // others on each rank
      for (std::size_t k = 0; k < is.held.size(); ++k) {
        labels.push_back({1, static_cast<std::int64_t>(random() % 3)});
      }
      const auto columns = fieldOf<T, Space, Dim>(is.held, components, before);
      for (const Layout& layout :
        {Layout(), Layout::tuples(), haloLayout<typename Space::memory_space>(plan), Layout::groups(labels)}) {
        FieldOn<T, Space> field("values", plan.numCells, components, layout);
        copyValues<Space, T>(Context(space), columns, field);
        HaloExchange<Space> exchange(world(), plan);
        exchange.exchange(space, PartOfField<T>{field.view(), crossing});
        expectField(field, is.held, after);
        expectModel(plan, layout.kind(), components, crossing, exchange.report(), static_cast<std::int64_t>(sizeof(T)));
      }
    });
  }

  /// Bytes are those of what crosses, and pieces one a slab and component in columns, one a slab in tuples and groups
  /// where components that cross follow each other.
  static void expectModel(const HaloPlan& plan, LayoutKind kind, int components, const HaloComponents& crossing,
    const MessageReport& report, std::int64_t bytesPerValue) {
    std::int64_t bytes = 0;
    std::int64_t pieces = 0;
    for (const HaloSlab& slab : plan.sends) {
      if (slab.rank == world().rank() || slab.numCells == 0) {
        continue;
      }
      const std::uint32_t mask = slab.direction == HaloDirection::Up ? crossing.up : crossing.down;
      const bool inColumns = kind == LayoutKind::Columns || (kind == LayoutKind::Tuples && components == 1);
      for (int c = 0; c < components; ++c) {
        const bool crosses = (mask >> c & 1U) != 0;
        const bool follows = c > 0 && (mask >> (c - 1) & 1U) != 0;
        bytes += crosses ? slab.numCells * bytesPerValue : 0;
        pieces += crosses && (inColumns || !follows) ? 1 : 0;
      }
    }
    EXPECT_EQ(report.bytes, bytes);
    EXPECT_EQ(report.pieces, pieces);
  }

  /// Sums over the column of cells around each cell, again and again: the same bits as on one rank.
  template <int Dim>
  static void expectSums() {
    const Space space;
    forCases<Dim>([&](const Case<Dim>& is) {
      const int steps = 3;
      const auto first = [](const Cell<Dim>& cell) { return 1.0 / (3.0 + static_cast<double>(numberOf<Dim>(cell))); };
      const auto sums = [&](const std::map<Cell<Dim>, double>& values, const Cell<Dim>& cell) {
        double sum = 0.0;
        for (std::int64_t k = -is.halo.planes; k <= is.halo.planes; ++k) {
          const auto found = values.find(moved<Dim>(cell, k));
          sum += found == values.end() ? 0.125 : 0.3 * found->second;
        }
        return sum;
      };
      // One rank: the set repeated as far as the sums reach.
      std::map<Cell<Dim>, double> alone;
      const PlaneRange everything = is.halo.periodic() ? is.halo.period : PlaneRange{-100, 100};
      const CellList<Dim> around = cellsHeld<Dim>(is.whole, everything, is.halo);
      for (const Cell<Dim>& cell : is.whole) {
        alone[cell] = first(cell);
      }
      for (int step = 0; step < steps; ++step) {
        std::map<Cell<Dim>, double> before;
        for (const Cell<Dim>& cell : around) {
          before[cell] = alone.at(wrapped<Dim>(cell, is.halo));
        }
        for (auto& [cell, value] : alone) {
          value = sums(before, cell);
        }
      }
      // All ranks: owned cells alone are computed; the inner ones while the halo is under way.
      const HaloPlan plan =
        makeHaloPlan<Space, Dim>(Context(space, world()), is.cut, is.halo, toSet<Space, Dim>(is.held));
      HaloExchange<Space> exchange(world(), plan);
      std::map<Cell<Dim>, double> mine;
      for (const Cell<Dim>& cell : is.mine) {
        mine[cell] = first(cell);
      }
      for (int step = 0; step < steps; ++step) {
        auto field = fieldOf<double, Space, Dim>(
          is.held, 1, [&](const Cell<Dim>& cell, int /*c*/) { return is.isMine(cell) ? mine.at(cell) : 1e300; });
        const auto stored = [&] {
          HostField<double> numbers;
          copy(field, numbers);
          std::map<Cell<Dim>, double> values;
          std::int64_t k = 0;
          for (const Cell<Dim>& cell : is.held) {
            values[cell] = numbers.view()(k++);
          }
          return values;
        };
        exchange.start(space, field.view());
        const std::map<Cell<Dim>, double> ownOnly = mine;
        std::int64_t k = 0;
        for (const Cell<Dim>& cell : is.held) {
          if (k >= plan.inner.begin && k < plan.inner.end) {
            mine.at(cell) = sums(ownOnly, cell);
          }
          ++k;
        }
        exchange.finish(space);
        const std::map<Cell<Dim>, double> all = stored();
        k = 0;
        for (const Cell<Dim>& cell : is.held) {
          if (is.isMine(cell) && (k < plan.inner.begin || k >= plan.inner.end)) {
            mine.at(cell) = sums(all, cell);
          }
          ++k;
        }
      }
      for (const auto& [cell, value] : mine) {
        EXPECT_EQ(value, alone.at(cell));
      }
    });
  }
};

TYPED_TEST_SUITE(HaloExchanges, AllSpaces, SpaceNames);

TYPED_TEST(HaloExchanges, GiveEachRankItsHalo) {
  this->template expectHalo<2>();
  this->template expectHalo<3>();
}

TYPED_TEST(HaloExchanges, BringValues) {
  this->template expectExchange<2, double>(1);
  this->template expectExchange<3, std::int32_t>(3);
  this->template expectExchange<3, std::uint8_t>(9);
}

TYPED_TEST(HaloExchanges, BringValuesInEveryLayout) {
  this->template expectLayouts<2, double>(1, {});
  this->template expectLayouts<3, std::uint8_t>(19, {});
}

TYPED_TEST(HaloExchanges, BringWhatCrosses) {
  this->template expectLayouts<2, float>(9, {0x0A4, 0x152});
  this->template expectLayouts<3, double>(5, {0x3, 0x10});
  this->template expectLayouts<2, std::int32_t>(3, {0, 0x7});
}

// A field in the groups of its halo goes out as it lies: one piece for a neighbour, nothing packed.
TYPED_TEST(HaloExchanges, SendGroupsAsTheyLie) {
  const TypeParam space;
  const int size = world().size();
  const int me = world().rank();
  RowCut cut;
  for (int r = 0; r <= size; ++r) {
    cut.bounds.push_back(4 * r);
  }
  CellList<3> whole;
  for (Coordinate k = 0; k < 4 * size * 9; ++k) {
    whole.insert({{k % 3, k / 3 % 3, k / 9}});
  }
  const Halo halo(1);
  const CellList<3> held = cellsHeld<3>(whole, cut.part(me), halo);
  const auto plan = makeHaloPlan<TypeParam, 3>(Context(space, world()), cut, halo, toSet<TypeParam, 3>(held));
  const auto layout = haloLayout<typename TypeParam::memory_space>(plan);
  const int neighbours = (me > 0 ? 1 : 0) + (me + 1 < size ? 1 : 0);
  EXPECT_EQ(layout.cellGroups().size(), 1U + 2U * static_cast<unsigned>(neighbours));
  EXPECT_EQ(layout.cellGroups().front().numCells, me + 1 < size ? 9 : me > 0 ? 27 : 36); // the upper halo comes first
  HaloExchange<TypeParam> exchange(world(), plan);
  FieldOn<double, TypeParam> field("f", plan.numCells, 27, layout);
  fill(Context(space), field, 1.0);
  for (int step = 0; step < 3; ++step) {
    exchange.exchange(space, field.view());
  }
  EXPECT_EQ(exchange.report().messages, 3 * neighbours);
  EXPECT_EQ(exchange.report().pieces, 3 * neighbours);
  EXPECT_EQ(exchange.report().bytes, 3 * neighbours * 9 * 27 * 8);
  EXPECT_EQ(exchange.report().bytesStaged, isStaged<TypeParam>() ? 2 * 3 * neighbours * 9 * 27 * 8 : 0);
}

TYPED_TEST(HaloExchanges, MakeSumsTheSameAsAlone) {
  this->template expectSums<2>();
  this->template expectSums<3>();
}

TYPED_TEST(HaloExchanges, MakeDilationTheSameAsAlone) {
  const TypeParam space;
  const Context context(space);
  CellMove<TypeParam, 3> move(world());
  IntervalSetOn<3, TypeParam> set;
  IntervalSetOn<3, TypeParam> grown;
  forCases<3>([&](const Case<3>& is) {
    if (is.halo.planes > 5 || is.halo.periodic()) {
      return;
    }
    const auto ball = StructuringElement<3>::ball(static_cast<double>(is.halo.planes));
    const PlaneRange mine = is.cut.part(world().rank());
    addHalo<TypeParam, 3>(context, is.cut, is.halo, toSet<TypeParam, 3>(is.mine), set, move);
    morph<TypeParam, 3>(context, MorphologyOperation::Dilate, set, ball, grown);
    restrictRows<TypeParam, 3>(context, grown, mine, grown);
    IntervalSetOn<3, TypeParam> alone;
    morph<TypeParam, 3>(context, MorphologyOperation::Dilate, toSet<TypeParam, 3>(is.whole), ball, alone);
    expectCells<TypeParam, 3>(grown, cellsIn<3>(toCells(alone), mine));
  });
}

TYPED_TEST(HaloExchanges, SendLargeSlabsAsTheyLie) {
  // 64 x 64 x 64 cells, and a slab of 64 x 64 of three components: more than what is packed.
  const TypeParam space;
  const int size = world().size();
  const int me = world().rank();
  RowCut cut;
  for (int r = 0; r <= size; ++r) {
    cut.bounds.push_back(r * 64 / size);
  }
  CellList<3> held;
  const Halo halo(1, {0, 64});
  for (Coordinate z = static_cast<Coordinate>(cut.part(me).begin) - 1; z <= cut.part(me).end; ++z) {
    for (Coordinate y = 0; y < 64; ++y) {
      for (Coordinate x = 0; x < 64; ++x) {
        held.insert({{x, y, z}});
      }
    }
  }
  const auto plan = makeHaloPlan<TypeParam, 3>(Context(space, world()), cut, halo, toSet<TypeParam, 3>(held));
  HaloExchange<TypeParam> exchange(world(), plan);
  const auto value = [&](const Cell<3>& cell, int c) {
    return static_cast<double>(numberOf<3>(wrapped<3>(cell, halo)) + c);
  };
  auto field = fieldOf<double, TypeParam, 3>(
    held, 3, [&](const Cell<3>& cell, int c) { return cut.part(me).contains(cell.at[2]) ? value(cell, c) : -1.0; });
  exchange.exchange(space, field.view());
  expectField(field, held, value);
  const std::int64_t slab = 64 * 64 * 8;
  EXPECT_EQ(exchange.report().bytes, size == 1 ? 0 : 2 * 3 * slab);
  EXPECT_EQ(exchange.report().messages, std::min(size - 1, 2)); // one to each neighbour: two ranks have one
  // copied: what a rank sends itself, and what goes out through staging memory and comes in through it
  EXPECT_EQ(exchange.report().bytesStaged, size == 1 ? 2 * 3 * slab : isStaged<TypeParam>() ? 4 * 3 * slab : 0);
}

// One rank after the other has a field of a wrong length, or has failed otherwise: all throw, none waits, and the next
// exchange is as good as ever.
TYPED_TEST(HaloExchanges, FailOnAllRanks) {
  const TypeParam space;
  std::mt19937 random(seed());
  const int me = world().rank();
  for (const bool periodic : {false, true}) {
    const Case<3> is(random, 1, periodic);
    const auto plan =
      makeHaloPlan<TypeParam, 3>(Context(space, world()), is.cut, is.halo, toSet<TypeParam, 3>(is.held));
    HaloExchange<TypeParam> exchange(world(), plan);
    const auto value = [&](const Cell<3>& cell, int c) {
      return static_cast<double>(numberOf<3>(wrapped<3>(cell, is.halo)) + c);
    };
    const auto before = [&](const Cell<3>& cell, int c) { return is.isMine(cell) ? value(cell, c) : -1.0; };
    auto good = fieldOf<double, TypeParam, 3>(is.held, 2, before);
    auto other = fieldOf<float, TypeParam, 3>(is.held, 1, before);
    for (int bad = 0; bad < world().size(); ++bad) {
      for (const std::int64_t more : {1, -1}) {
        const std::int64_t length = std::max<std::int64_t>(0, plan.numCells + more);
        if (world().reduced(ReduceBy::Maximum, std::int64_t{me == bad && length == plan.numCells}) > 0) {
          continue; // a rank without cells cannot have fewer
        }
        auto wrong = emptyField<double, TypeParam>(length, 2);
        auto wrongOther = emptyField<float, TypeParam>(length);
        EXPECT_THROW(exchange.exchange(space, me == bad ? wrong.view() : good.view(), other.view()), InvalidArgument);
        EXPECT_THROW(exchange.exchange(space, good.view(), (me == bad ? wrongOther : other).view()), InvalidArgument);
        EXPECT_THROW(
          exchange.exchange(space, (me == bad ? wrong : good).view(), (me == bad ? wrongOther : other).view()),
          InvalidArgument);
      }
      if (me == bad) {
        exchange.fail(std::make_exception_ptr(Cancelled()));
      }
      EXPECT_THROW(exchange.exchange(space, good.view(), other.view()), Cancelled);
      good = fieldOf<double, TypeParam, 3>(is.held, 2, before);
      other = fieldOf<float, TypeParam, 3>(is.held, 1, before);
      exchange.exchange(space, good.view(), other.view());
      expectField(good, is.held, value);
      expectField(other, is.held, value);
    }
  }
}

// Sets each value that is its own to a number of the step, however long a device takes.
template <class Space>
void setOwn(const Space& space, FieldOn<double, Space>& field, const CellRange& cells, double value) {
  const FieldView<double> values = field.view();
  forEach(
    SPANWISE_KERNEL("set own"), IndexRange<Space>(space, cells.begin, cells.end),
    KOKKOS_LAMBDA(std::int64_t cell) { values(cell) = value; });
}

// Inner cells that were launched before are not waited for: fences are those of the boundary's instance. Where Kokkos
// does not tell instances apart in what it reports, there are as many as the boundary needs.
TYPED_TEST(HaloExchanges, WaitForTheBoundaryAlone) {
  const TypeParam space;
  std::mt19937 random(seed());
  const Case<3> is(random, 1, true);
  const auto plan = makeHaloPlan<TypeParam, 3>(Context(space, world()), is.cut, is.halo, toSet<TypeParam, 3>(is.held));
  HaloExchange<TypeParam> exchange(world(), plan);
  const CellRange inner = plan.inner.count() > 0 ? plan.inner : CellRange{plan.owned.end, plan.owned.end};
  FieldOn<double, TypeParam> field("field", plan.numCells);
  fill(Context(space), field, -1.0);
  for (int step = 0; step < 3; ++step) {
    const TypeParam boundary = exchange.boundarySpace(space);
    setOwn(boundary, field, {plan.owned.begin, inner.begin}, step);
    setOwn(boundary, field, {inner.end, plan.owned.end}, step);
    const FencesOf fences;
    setOwn(space, field, inner, step);
    exchange.start(boundary, field.view());
    exchange.finish(space);
    const std::vector<Fence> waited = fences.fences();
    if (instanceOf(boundary) != instanceOf(space)) {
      for (const Fence& fence : waited) {
        EXPECT_EQ(fence.instance, instanceOf(boundary)) << fence.label;
      }
    }
    EXPECT_LE(waited.size(), 3U); // the boundary, copies of it, and what has come
    const double found = step;
    expectField(field, is.held, [&](const Cell<3>& /*cell*/, int /*c*/) { return found; });
  }
}

TYPED_TEST(HaloExchanges, AllocateNothingInAStep) {
  const TypeParam space;
  std::mt19937 random(seed());
  const Case<3> is(random, 1, true);
  const auto plan = makeHaloPlan<TypeParam, 3>(Context(space, world()), is.cut, is.halo, toSet<TypeParam, 3>(is.held));
  HaloExchange<TypeParam> exchange(world(), plan);
  auto a = emptyField<double, TypeParam>(plan.numCells, 9);
  auto b = emptyField<std::uint8_t, TypeParam>(plan.numCells);
  expectNoAllocations<TypeParam>([&] { exchange.exchange(space, a.view(), b.view()); }, 4);
  FieldOn<float, TypeParam> tuples("tuples", plan.numCells, 5, FieldLayoutOn<TypeParam>::tuples());
  FieldOn<float, TypeParam> groups("groups", plan.numCells, 5, haloLayout<typename TypeParam::memory_space>(plan));
  expectNoAllocations<TypeParam>(
    [&] {
      exchange.exchange(space, PartOfField<float>{tuples.view(), {0x3, 0x6}}, PartOfField<float>{groups.view(), {}});
    },
    4);
}

TYPED_TEST(HaloExchanges, AgreeOnFailure) {
  const TypeParam space;
  const int size = world().size();
  const int me = world().rank();
  const Context context(space);
  CellMove<TypeParam, 2> move(world());
  RowCut cut;
  for (int r = 0; r <= size; ++r) {
    cut.bounds.push_back(2 * r);
  }
  const auto cells = [&](Coordinate y) { return toSet<TypeParam, 2>(CellList<2>{{{0, y}}}); };
  IntervalSetOn<2, TypeParam> out;
  // The last rank has a cell that it does not own.
  EXPECT_THROW((addHalo<TypeParam, 2>(context, cut, 1, cells(me == size - 1 ? -1 : 2 * me), out, move)), Error);
  EXPECT_THROW((addHalo<TypeParam, 2>(context, cut, -1, cells(2 * me), out, move)), InvalidArgument);
  addHalo<TypeParam, 2>(context, cut, 1, cells(2 * me), out, move); // and they go on
  EXPECT_EQ(out.numCells(), me == size - 1 ? 1 : 2);
  // A rank without the halo.
  if (size > 1) {
    EXPECT_THROW((makeHaloPlan<TypeParam, 2>(context.with(world()), cut, 1, me == 0 ? cells(0) : out)), Error);
  }
  HaloExchange<TypeParam> exchange(world(), makeHaloPlan<TypeParam, 2>(context.with(world()), cut, 1, out));
  auto wrong = emptyField<double, TypeParam>(out.numCells() + 1);
  EXPECT_THROW(exchange.exchange(space, wrong.view()), InvalidArgument);
}

} // namespace
} // namespace spanwise::testing
