#pragma once

// Arrival times on hierarchies of leaves, for tests.

#include "Core/Multilevel/ConformingMesh.hpp"
#include "Core/Multilevel/LeafCover.hpp"
#include "Core/Multilevel/Levels.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/Factoring.hpp"
#include "Core/Solvers/Eikonal/FastIterative.hpp"
#include "Core/Solvers/Eikonal/LeafSolution.hpp"
#include "Core/Solvers/Eikonal/Seam.hpp"
#include "Core/Solvers/Eikonal/Starts.hpp"
#include "Testing/Core/Multilevel/LeavesOnSpace.hpp"
#include "Testing/Core/Solvers/Eikonal/Grids.hpp"
#include "Testing/Rooms.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace spanwise::eikonal::testing {

using spanwise::testing::Leaves;
using spanwise::testing::toVector;

/// Arrival times on the leaves of a hierarchy, by its conforming mesh.
template <class Space, int Dim>
struct LevelProblem {
  using Memory = typename Space::memory_space;

  LevelProblem(const Leaves<Dim>& cells, const GridGeometry<Dim>& lattice, const Periods<Dim>& repeated = {})
    : root(lattice), periods(repeated) {
    for (std::size_t l = 0; l < cells.size(); ++l) {
      leaves.push_back(spanwise::testing::toSet<Space, Dim>(cells[l]));
      GridGeometry<Dim> here = root;
      for (double& spacing : here.spacing) {
        spacing /= static_cast<double>(1 << l);
      }
      for (const Cell<Dim>& cell : cells[l]) {
        centres.push_back(centreOf(here, cell));
      }
    }
  }

  /// Makes the mesh of the leaves, with one speed everywhere.
  void build(const Speed& constant) {
    makeMesh();
    speed = constant;
    makeSimplices();
  }

  /// The same with a speed for each leaf, or with the six components of a tensor.
  void buildWithSpeeds(const std::vector<double>& ofLeaves) {
    makeMesh();
    const auto there = onDevice<double, Space>(ofLeaves);
    giveCells(Speed::ofElements(there.data()));
    makeSimplices();
  }
  void buildWithTensors(const std::vector<double>& ofLeaves) {
    makeMesh();
    const auto there = onDevice<double, Space>(ofLeaves);
    giveCells(Speed::tensorOfElements(there.data()));
    makeSimplices();
  }

  [[nodiscard]] MeshView<double, std::int64_t> view() const { return mesh.view(); }

  /// The times of the leaves, factored within a radius. Points may be in any period.
  std::vector<double> solve(const std::vector<PointSource<Dim>>& points, double radius = 0.0) {
    std::vector<double> at;
    std::vector<double> startTimes;
    for (const PointSource<Dim>& point : points) {
      for (int axis = 0; axis < 3; ++axis) {
        at.push_back(axis < Dim ? withinPeriod(axis, point.at[axis]) : 0.0);
      }
      startTimes.push_back(point.time);
    }
    const auto places = onDevice<double, Space>(at);
    const auto timesThere = onDevice<double, Space>(startTimes);
    Sources sources;
    sources.points = {places.data(), timesThere.data(), std::ssize(points), 0.0};
    return solve(sources, radius);
  }

  /// The same from points of the mesh, all at one time.
  std::vector<double> solveFromVertices(const std::vector<std::int64_t>& vertices, double time) {
    const auto numbers = onDevice<std::int64_t, Space>(vertices);
    const auto timesThere = onDevice<double, Space>(std::vector<double>(vertices.size(), time));
    Sources sources;
    sources.vertices = {numbers.data(), timesThere.data(), std::ssize(vertices)};
    return solve(sources, 0.0);
  }

  GridGeometry<Dim> root;
  Periods<Dim> periods;
  LeavesOn<Dim, Space> leaves;
  std::vector<std::array<double, Dim>> centres;
  LeafMeshOn<Space> mesh;
  SeamPairs<Memory> seam;
  ElementFronts<Memory> fronts; ///< what the mesh's elements know of speeds
  Speed speed;
  SimplexMesh<Dim + 1, Space> simplices;
  Kokkos::View<double*, Memory> times; ///< at the mesh's points
  std::vector<double> starts;          ///< what fronts start from there, notReached: from none
  const Context<Space> context;
  IterationReport report;

private:
  void makeMesh() {
    const int finest = static_cast<int>(leaves.size()) - 1;
    LeafCoverOn<Dim, Space> cover;
    ConformingScratchOn<Dim, Space> scratch;
    coverOfLeaves<Space, Dim>(context, leaves, cover);
    checkLeaves<Space, Dim>(context, leaves, cover);
    wrapCover<Space, Dim>(context, leaves, periods, cover);
    makeConformingMesh<Space, Dim>(context, leaves, cover, {.finest = finest, .withShares = false}, mesh.mesh, scratch);
    joinSeam<Space, Dim>(context, mesh.mesh.points.data(), mesh.mesh.points.count(), periods, finest, root, seam);
    GridGeometry<3> lattice{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
    for (int axis = 0; axis < Dim; ++axis) {
      lattice.origin[axis] = root.origin[axis];
      lattice.spacing[axis] = root.spacing[axis] / static_cast<double>(1 << finest);
    }
    mesh.places.prepare(3 * mesh.mesh.points.count());
    placesOfPoints<Space>(context, mesh.mesh, lattice, mesh.places.view());
  }

  void giveCells(const Speed& ofLeaves) {
    frontsInMesh<Space>(context, mesh, {ofLeaves, {}, nullptr, 0}, fronts);
    speed = fronts.speed;
  }

  void makeSimplices() { buildSimplexMesh<Space, Dim + 1>(context, view(), speed, simplices, seam.view()); }

  [[nodiscard]] double withinPeriod(int axis, double at) const {
    if (!periods.along[axis]) {
      return at;
    }
    const double begin = root.origin[axis] + root.spacing[axis] * periods.box.begin[axis];
    const double length = root.spacing[axis] * static_cast<double>(periods.box.extent(axis));
    return at - length * std::floor((at - begin) / length);
  }

  std::vector<double> solve(const Sources& sources, double radius) {
    times = Kokkos::View<double*, Memory>("times", static_cast<std::size_t>(mesh.mesh.points.count()));
    const Kokkos::View<std::int32_t*, Memory> simplexOfPoint(
      "simplexOfPoint", static_cast<std::size_t>(sources.points.count));
    const StartArrays arrays{times.data(), nullptr, simplexOfPoint.data(), nullptr};
    setStarts(context, view(), speed, simplices, sources, arrays);
    Factoring<Memory> factoring;
    if (radius > 0.0) {
      setFactoring(context, view(), speed, simplices, sources, arrays,
        {FactorBy::Points, radius, {seam.periods[0], seam.periods[1], seam.periods[2]}}, factoring);
    }
    starts = onHost(times);
    report = iterateTimes<Space, Dim + 1>(context, simplices, {}, times, factoring.view());
    const Kokkos::View<double*, Memory> ofLeaves("ofLeaves", centres.size());
    timesAtCentres(context, mesh, speed, simplices.view(), factoring.view(), times.data(), ofLeaves);
    return onHost(ofLeaves);
  }
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
  const Context<Space> context;
  makeLevels<Space, Dim>(context, refined, Grading::Vertex, levels);
  Leaves<Dim> result;
  for (int l = 0; l < levels.numLevels(); ++l) {
    IntervalSetOn<Dim, Space> leavesHere;
    leaves<Space, Dim>(context, levels, l, leavesHere);
    result.push_back(spanwise::testing::toCells(leavesHere));
  }
  return result;
}

} // namespace spanwise::eikonal::testing
