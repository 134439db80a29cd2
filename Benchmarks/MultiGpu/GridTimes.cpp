// Arrival times on the cells of a cube from its middle, second order and factored, as strong scaling: planes are dealt
// out evenly.

#include "Core/Solvers/Eikonal/GridTimes.hpp"
#include "Benchmarks/MultiGpu/Run.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/Cut.hpp"
#include "Core/Solvers/Eikonal/GridSources.hpp"

#include <algorithm>
#include <format>

namespace spanwise::benchmarks {

namespace {

void measureCube(const Run& run, int full) {
  const int edge = run.edge(full);
  const Context<Space>& context = run.context();
  const RowCut cut = equalCut({0, edge}, run.ranks().size());
  IntervalSetOn<3, Space> cells;
  makeBox<Space, 3>(context, inPlanes(Box<3>{{0, 0, 0}, {edge, edge, edge}}, cut.part(run.ranks().rank())), cells);
  GridGeometry<3> lattice{};
  std::fill_n(lattice.spacing, 3, 1.0 / edge);
  eikonal::Grid<3, Space> grid;
  constexpr int order = 2;
  eikonal::buildGrid<Space, 3>(
    context, cells, lattice, SetDomain<3>(run.ranks(), cut), eikonal::Speed::constant(1.0), grid, {.order = order});
  const Kokkos::View<double*, Space::memory_space> times("Benchmarks::times", grid.numCells());
  eikonal::GridFactoring<3, Space::memory_space> factoring;
  eikonal::GridOptions options;
  options.order = order;
  const auto solve = [&] {
    Kokkos::deep_copy(context.space(), times, eikonal::notReached);
    eikonal::startAtPoints<Space, 3>(context, grid, {{{0.5, 0.5, 0.5}, 0.0}}, 2.0, times, factoring);
    eikonal::computeGridTimes<Space, 3>(context, grid, options, factoring.view(), times);
  };
  const StepCost cost = run.costOf(solve);
  run.write("arrival times", std::format("grid, {}^3", full), static_cast<double>(edge) * edge * edge, cost);
}

} // namespace

void measureGridTimes(const Run& run) {
  for (const int full : {32, 256, 512}) {
    measureCube(run, full);
  }
}

} // namespace spanwise::benchmarks
