#pragma once

// Arrival times on hierarchies of leaves, for tests.

#include "Core/Multilevel/Levels.hpp"
#include "Core/Solvers/Eikonal/FastIterative.hpp"
#include "Core/Solvers/Eikonal/GridLevels.hpp"
#include "Testing/Core/Multilevel/LeavesOnSpace.hpp"
#include "Testing/Core/Solvers/Eikonal/Grids.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace spanwise::eikonal::testing {

using spanwise::testing::Leaves;
using spanwise::testing::toVector;

/// Arrival times on the leaves of a hierarchy.
template <class Space, int Dim>
struct LevelProblem {
  using Memory = typename Space::memory_space;

  LevelProblem(const Leaves<Dim>& cells, const Lattice<Dim>& lattice, const Periods<Dim>& repeated = {})
    : root(lattice), periods(repeated) {
    for (std::size_t l = 0; l < cells.size(); ++l) {
      leaves.push_back(spanwise::testing::toSet<Space, Dim>(cells[l]));
      Lattice<Dim> here = root;
      for (double& spacing : here.spacing) {
        spacing /= static_cast<double>(1 << l);
      }
      for (const Cell<Dim>& cell : cells[l]) {
        centres.push_back(centreOf(here, cell));
      }
    }
  }

  void build(const Speed& speed) {
    buildLevelGrid<Space, Dim>(
      Space(), leaves, static_cast<int>(leaves.size()) - 1, root, speed, grid, workspace, periods);
    times = Kokkos::View<double*, Memory>("times", static_cast<std::size_t>(grid.numPoints()));
    Kokkos::deep_copy(times, notReached);
  }

  /// The times of the leaves, factored within a radius; `region`: the leaves to stop at.
  std::vector<double> solve(
    const std::vector<PointSource<Dim>>& points, double radius = 0.0, const std::vector<std::int64_t>& region = {}) {
    startAtPointsOfLevels<Space, Dim>(Space(), leaves, grid, points, times);
    Factoring<Memory> factoring;
    if (radius > 0.0) {
      factorPointsOfLevels<Space, Dim>(Space(), grid, points, radius, factoring, workspace);
    }
    Kokkos::View<std::int64_t*, Memory> stop;
    IterationOptions options;
    options.numStopVertices =
      pointsOfLeaves<Space, Dim>(Space(), grid, onDevice<std::int64_t, Space>(region), stop, workspace);
    options.stopVertices = stop.data();
    report = iterateTimes<Space, Dim + 1>(Space(), grid.simplices(), options, times, workspace, {}, factoring.view());
    const Kokkos::View<double*, Memory> ofLeaves("ofLeaves", centres.size());
    timesOfLeaves<Space, Dim>(Space(), grid, factoring.view(), times, ofLeaves);
    return onHost(ofLeaves);
  }

  Lattice<Dim> root;
  Periods<Dim> periods;
  LeavesOn<Dim, Space> leaves;
  std::vector<std::array<double, Dim>> centres;
  LevelGrid<Dim, Memory> grid;
  Kokkos::View<double*, Memory> times;
  Workspace<Memory> workspace;
  IterationReport report;
};

/// Leaves of the unit square or cube, with n cells along an axis on level 0, refined `depth` times around a place and
/// balanced: what is within a radius that halves from level to level.
template <int Dim>
Leaves<Dim> refinedAround(int n, int depth, const std::array<double, Dim>& place) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  std::vector<IntervalSetOn<Dim, Space>> refined;
  for (int l = 0; l < depth; ++l) {
    CellList<Dim> cells = allCells<Dim>(0, n << l);
    std::erase_if(cells, [&](const Cell<Dim>& cell) {
      const auto at = centreOf(latticeOf<Dim>(1.0 / (n << l)), cell);
      double sum = 0.0;
      for (int axis = 0; axis < Dim; ++axis) {
        sum += (at[axis] - place[axis]) * (at[axis] - place[axis]);
      }
      return std::sqrt(sum) > 0.4 / (1 << l);
    });
    refined.push_back(spanwise::testing::toSet<Space, Dim>(cells));
  }
  MultilevelSetOn<Dim, Space> levels(latticeOf<Dim>(1.0 / n));
  levels.level(0) = spanwise::testing::toSet<Space, Dim>(allCells<Dim>(0, n));
  Workspace<typename Space::memory_space> workspace;
  makeLevels<Space, Dim>(Space(), refined, Grading::Vertex, levels, workspace);
  Leaves<Dim> result;
  for (int l = 0; l < levels.numLevels(); ++l) {
    IntervalSetOn<Dim, Space> leavesHere;
    leaves<Space, Dim>(Space(), levels, l, leavesHere, workspace);
    result.push_back(spanwise::testing::toCells(leavesHere));
  }
  return result;
}

} // namespace spanwise::eikonal::testing
