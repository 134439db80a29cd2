// Lattice Boltzmann flow in a cavity under a moving lid: the solver, as strong and as weak scaling, and the same step
// written with the stencils of Core/Field, by layouts, with the halo sent beside the inner cells or after them.

#include "Benchmarks/MultiGpu/Run.hpp"
#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Field.hpp"
#include "Core/Field/HaloLayout.hpp"
#include "Core/Field/RankStencil.hpp"
#include "Core/Field/Stencil.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/Cut.hpp"
#include "Core/Parallel/Migration.hpp"
#include "Core/Solvers/Lattice/Collision.hpp"
#include "Core/Solvers/Lattice/LatticeFlow.hpp"
#include "Core/Solvers/Lattice/VelocitySet.hpp"

#include <format>

namespace spanwise::benchmarks {
namespace {

using namespace lattice; // NOLINT(google-build-using-namespace)

constexpr float lidVelocity = 0.05F;
constexpr double viscosity = 0.05;

LatticeOptions<3> cavityOf(int across, int up, Velocities velocities, Update update) {
  LatticeOptions<3> options;
  options.box.end[0] = across;
  options.box.end[1] = across;
  options.box.end[2] = up;
  options.sides[5].velocity[0] = lidVelocity;
  options.viscosity = viscosity;
  options.velocities = velocities;
  options.collision = Collision::SingleRelaxation;
  options.update = update;
  return options;
}

void measureFlow(const Run& run, const std::string& name, const LatticeOptions<3>& options) {
  LatticeFlow<Space, 3> flow(run.context(), options);
  const double cells = static_cast<double>(run.ranks().reduced(ReduceBy::Sum, flow.cells().numCells()));
  const StepCost cost = run.costOf([&] { flow.step(); });
  run.write("lattice", name, cells, cost);
}

/// Populations come from the cells around, or back from walls, and collide. They are deviations from rest.
struct CavityCell {
  using Set = D3Q27;
  CollisionConstants<float> constants;

  template <class Point, class Out>
  KOKKOS_FUNCTION void operator()(const Point& point, const Out& out) const {
    constexpr int above = Set::Pattern::indexOf({0, 0, 1});
    const float lid = point.has(above) ? 0.0F : 6.0F * lidVelocity;
    float f[Set::count];
    f[0] = point.centre(0);
    unrolled<Set::count - 1>([&](auto n) {
      constexpr int q = decltype(n)::value + 1;
      constexpr int from = Set::Pattern::indexOf({-Set::velocity(q, 0), -Set::velocity(q, 1), -Set::velocity(q, 2)});
      constexpr float push =
        Set::velocity(q, 2) < 0 ? static_cast<float>(Set::weight(q)) * static_cast<float>(Set::velocity(q, 0)) : 0.0F;
      f[q] = point.has(from) ? point.neighbour(from, q) : point.centre(Set::opposite(q)) + push * lid;
    });
    collide<Set, Collision::SingleRelaxation, true>(f, constants);
    unrolled<Set::count>([&](auto q) { out(q) = f[q]; });
  }
};

enum class Layout {
  Columns, ///< one component after the other (SoA)
  Groups,  ///< by where cells are sent: all that goes to a neighbour is one piece (disaggregated SoA)
};

void measureStencil(const Run& run, int full, Layout layout, bool overlaps) {
  const int edge = run.edge(full);
  using Set = CavityCell::Set;
  const Context<Space>& context = run.context();
  const RowCut cut = equalCut({0, edge}, run.ranks().size());
  IntervalSetOn<3, Space> cells;
  makeBox<Space, 3>(context, inPlanes(Box<3>{{0, 0, 0}, {edge, edge, edge}}, cut.part(run.ranks().rank())), cells);
  const Halo halo(run.ranks().alone() ? 0 : 1);
  CellMove<Space, 3> move(run.ranks());
  addHalo<Space, 3>(context, cut, halo, cells, cells, move);
  HaloExchange<Space> exchange(run.ranks(), makeHaloPlan<Space, 3>(context, cut, halo, cells));
  RankStencilMapOn<Set::Pattern, Space> map;
  Boundary<3> walls;
  walls.policy = BoundaryPolicy::Value;
  buildRankStencilMap<Set::Pattern, Space>(context, cells, walls, exchange.plan(), map);
  using Memory = Space::memory_space;
  const auto places = layout == Layout::Groups ? haloLayout<Memory>(exchange.plan()) : FieldLayout<Memory>();
  FieldOn<float, Space> from("populations", cells.numCells(), Set::count, places);
  FieldOn<float, Space> to("populations, other", cells.numCells(), Set::count, places);
  fill<Space, float>(context, from, 0.0F);
  fill<Space, float>(context, to, 0.0F);
  CavityCell body;
  body.constants.relaxationTime = static_cast<float>(3.0 * viscosity + 0.5);
  const std::uint32_t up = ((std::uint32_t{1} << Set::numUp) - 1) << 1;
  const HaloComponents crossing{up, up << Set::half};
  const auto compute = [&](const Context<Space>& on, const auto& part) {
    forEachStencil<Set::count, Set::count>(on.space(), part, from, 0.0F, body, to);
  };
  const auto step = [&] {
    const PartOfField<float> made{to.view(), crossing};
    if (overlaps) {
      stepWithHalo(context, map, exchange, compute, made);
    } else {
      compute(context, map.rim);
      compute(context, map.inner);
      exchange.exchange(context.space(), made);
    }
    std::swap(from, to);
  };
  const StepCost cost = run.costOf(step);
  run.write("lattice",
    std::format("D3Q27, {}^3, stencils, {}, {}", full, layout == Layout::Groups ? "disaggregated" : "SoA",
      overlaps ? "overlapped" : "in turn"),
    static_cast<double>(edge) * edge * edge, cost);
}

} // namespace

void measureLattice(const Run& run) {
  const int least = run.edge(32); // what a step takes without work
  measureFlow(run, "D3Q27, 32^3", cavityOf(least, least, Velocities::All, Update::TwoPopulations));
  for (const int full : {192, 208}) {
    const int edge = run.edge(full);
    measureFlow(run, std::format("D3Q27, {}^3", full), cavityOf(edge, edge, Velocities::All, Update::TwoPopulations));
    for (const Layout layout : {Layout::Columns, Layout::Groups}) {
      for (const bool overlaps : {false, true}) {
        measureStencil(run, full, layout, overlaps);
      }
    }
  }
  const int edge = run.edge(400);
  measureFlow(
    run, "D3Q19, 400^3 a rank", cavityOf(edge, edge * run.ranks().size(), Velocities::Fewest, Update::InPlace));
}

} // namespace spanwise::benchmarks
