// Stencils on ranks, with the inner cells computed while the halo is on its way: the values of one rank, bit by bit.

#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/HaloLayout.hpp"
#include "Core/Field/RankStencil.hpp"
#include "Core/Field/Stencils.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Core/Runtime/CountAllocations.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>
#include <map>

namespace spanwise::testing {
namespace {

template <class Space>
class RankStencils : public ::testing::Test {
protected:
  Space space;
  const Context<Space> context{space};

  template <int Dim>
  FieldOn<double, Space> fieldOn(const CellList<Dim>& cells, const std::map<Cell<Dim>, double>& values) {
    return fieldOf<double, Space, Dim>(cells, 1, [&](const Cell<Dim>& cell, int /*c*/) {
      const auto found = values.find(cell);
      return found == values.end() ? 1e300 : found->second; // nothing is known of the halo before it has come
    });
  }

  template <int Dim>
  void compareWithOneRank(BoundaryPolicy policy) {
    std::mt19937 random(seed() + Dim);
    const Coordinate extent = Dim == 2 ? 10 : 5;
    const GridGeometry<Dim> grid = [] {
      GridGeometry<Dim> result{};
      for (int d = 0; d < Dim; ++d) {
        result.spacing[d] = 1.0 / (d + 1);
      }
      return result;
    }();
    std::int64_t numInner = 0;
    std::int64_t numRim = 0;
    for (int round = 0; round < 8; ++round) {
      SCOPED_TRACE("seed " + std::to_string(seed()) + ", round " + std::to_string(round));
      const CellList<Dim> whole = randomCells<Dim>(random, extent, 0.8);
      const RowCut cut = randomCut(random, extent + 1);
      Box<Dim> period{};
      Halo halo(1);
      if (policy == BoundaryPolicy::Periodic) {
        for (int d = 0; d < Dim; ++d) {
          period.begin[d] = -extent - static_cast<Coordinate>(random() % 2);
          period.end[d] = extent + static_cast<Coordinate>(random() % 2);
        }
        halo.period = {period.begin[Dim - 1], period.end[Dim - 1]};
      }
      std::map<Cell<Dim>, double> values;
      for (const Cell<Dim>& cell : whole) {
        values[cell] = std::sin(static_cast<double>(numberOf<Dim>(cell)));
      }
      const auto step = [&](const auto& map, const auto& from, auto& to) {
        jacobiStep<Space, double, Dim>(context, map, from, {grid, 0.7}, 0.25, to);
      };

      auto expected = fieldOn<Dim>(whole, values);
      FieldOn<double, Space> next = fieldOn<Dim>(whole, values);
      StencilMapOn<FacePattern<Dim>, Space> all;
      buildStencilMap<FacePattern<Dim>, Space>(context, toSet<Space, Dim>(whole), {policy, period}, all);
      for (int k = 0; k < 4; ++k) {
        step(all, expected, next);
        std::swap(expected, next);
      }

      const CellList<Dim> held = cellsHeld<Dim>(whole, cut.part(world().rank()), halo);
      const CellList<Dim> mine = cellsIn<Dim>(whole, cut.part(world().rank()));
      const auto set = toSet<Space, Dim>(held);
      HaloExchange<Space> exchange(world(), makeHaloPlan<Space, Dim>(context.with(world()), cut, halo, set));
      period.end[Dim - 1] = period.begin[Dim - 1]; // that axis is closed by the halo
      RankStencilMapOn<FacePattern<Dim>, Space> map;
      buildRankStencilMap<FacePattern<Dim>, Space>(context, set, {policy, period}, exchange.plan(), map);
      std::map<Cell<Dim>, double> ofMine;
      for (const Cell<Dim>& cell : mine) {
        ofMine[cell] = values.at(cell);
      }
      const auto columns = fieldOn<Dim>(held, ofMine);
      const FieldLayoutOn<Space> layouts[] = {{}, haloLayout<typename Space::memory_space>(exchange.plan())};
      FieldOn<double, Space> from("from", columns.numCells(), 1, layouts[round % 2]);
      FieldOn<double, Space> to("to", columns.numCells(), 1, layouts[round % 2]);
      copyValues<Space, double>(context, columns, from);
      copyValues<Space, double>(context, columns, to);
      const auto iterate = [&] {
        const auto compute = [&](const Context<Space>& on, const auto& cells) {
          jacobiStep<Space, double, Dim>(on, cells, from, {grid, 0.7}, 0.25, to);
        };
        stepWithHalo(context, map, exchange, compute, to.view());
        std::swap(from, to);
      };
      exchange.exchange(space, from.view());
      for (int k = 0; k < 4; ++k) {
        iterate();
      }
      space.fence();
      HostField<double> found;
      HostField<double> reference;
      copy(from, found);
      copy(expected, reference);
      std::map<Cell<Dim>, double> alone;
      std::int64_t k = 0;
      for (const Cell<Dim>& cell : whole) {
        alone[cell] = reference.view()(k++);
      }
      k = 0;
      for (const Cell<Dim>& cell : held) {
        if (mine.count(cell) > 0) {
          EXPECT_EQ(found.view()(k), alone.at(cell));
        }
        ++k;
      }
      if (policy != BoundaryPolicy::Skip) {
        EXPECT_EQ(map.inner.numCells() + map.rim.numCells(), static_cast<std::int64_t>(mine.size()));
      }
      numInner += map.inner.numCells();
      numRim += map.rim.numCells();
      if (world().alone()) {
        expectNoAllocations<Space>(iterate); // MPI allocates as it likes
      }
    }
    EXPECT_GT(world().reduced(ReduceBy::Sum, numInner), 0);
    EXPECT_EQ(world().reduced(ReduceBy::Sum, numRim) > 0, !world().alone() || policy == BoundaryPolicy::Periodic);
  }
};
TYPED_TEST_SUITE(RankStencils, AllSpaces, SpaceNames);

TYPED_TEST(RankStencils, AreThoseOfOneRank) {
  for (const auto policy :
    {BoundaryPolicy::Value, BoundaryPolicy::Mirror, BoundaryPolicy::Skip, BoundaryPolicy::Periodic}) {
    this->template compareWithOneRank<2>(policy);
    this->template compareWithOneRank<3>(policy);
  }
}

} // namespace
} // namespace spanwise::testing
