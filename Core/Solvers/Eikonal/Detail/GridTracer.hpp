#pragma once

#include "Core/Parallel/HaloExchange.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/NotInlined.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Solvers/Eikonal/Detail/CheckCellCount.hpp"
#include "Core/Solvers/Eikonal/Detail/PathPieces.hpp"
#include "Core/Solvers/Eikonal/Detail/StraightLine.hpp"
#include "Core/Solvers/Eikonal/Detail/SurfaceAround.hpp"
#include "Core/Solvers/Eikonal/GridLocator.hpp"
#include "Core/Solvers/Eikonal/GridPaths.hpp"
#include "Core/Solvers/Eikonal/GridUpdate.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace spanwise::eikonal {

/// Where a path goes on. Each step into another cell comes to an earlier one than all before it, or to a place that the
/// front was at before, by the gradient in its cell: so paths end.
template <int Dim>
struct GridHead {
  double at[Dim];
  double minTime = notReached;     ///< of the cells that the path has been in
  double minExpected = notReached; ///< of the times that were expected at its points
  bool followsOrigins = false;     ///< until it comes to an earlier cell than all before
};

/// Goes back from a start, as long as the way is through own cells.
template <int Dim>
struct GridTracer {
  using Head = GridHead<Dim>;
  using Place = GridPlace<Dim>;
  Locator<Dim> locator;
  const double* times;
  const double* gradient;
  const std::int32_t* origins;
  parallel::CellRange owned;
  double step;
  detail::SurfaceAround<Dim> surface; ///< where fronts started
  bool hasSurface;

  /// Calls visit(place) for the points of a path from its head on. If it has not ended the head is at the next point,
  /// in another cell.
  template <class Visit>
  KOKKOS_FUNCTION detail::PathStop trace(Head& head, const Visit& visitPlace) const {
    const auto visit = [&](const double (&at)[Dim]) {
      Place visited;
      for (int axis = 0; axis < Dim; ++axis) {
        visited.at[axis] = at[axis];
      }
      visitPlace(visited);
    };
    double (&place)[Dim] = head.at;
    visit(place);
    std::int64_t coordinates[Dim];
    std::int64_t cell = locator.find(place, coordinates);
    if (!isHere(cell) || !(times[cell] < notReached)) {
      return {false, -1};
    }
    noteMin(head, cell);
    // The way through a cell is at most its diagonal; who takes longer turns.
    const int maxSteps = 2 + static_cast<int>(longest() / step);
    int numSteps = 0;
    bool atSurface = startsAtSurface(cell);
    double to[Dim];
    while (true) {
      if (atSurface) {
        const std::int32_t triangle = ontoSurface(cell, place, to);
        if (triangle >= 0) {
          visit(to);
          return {false, triangle};
        }
      }
      if (origins[cell] == cell) {
        break;
      }
      std::int64_t next = head.followsOrigins ? -1 : cellAhead(head, cell, to);
      numSteps = next == cell ? numSteps + 1 : 0;
      if (next < 0 || numSteps > maxSteps) {
        next = origins[cell];
        toCentre(next, place, to);
        if (!isOpen(place, to)) { // but from centre to centre it is
          double centre[Dim];
          toCentre(cell, place, centre);
          visit(centre);
          toCentre(next, centre, to);
        }
        numSteps = 0;
        head.followsOrigins = !(times[next] < head.minTime);
      }
      for (int axis = 0; axis < Dim; ++axis) {
        place[axis] = to[axis];
      }
      noteMin(head, next);
      if (!isHere(next)) {
        return {true, -1};
      }
      atSurface = next == cell ? atSurface : startsAtSurface(next);
      cell = next;
      visit(place);
    }
    double centre[Dim];
    toCentre(cell, place, centre);
    visit(centre);
    const std::int32_t triangle = atSurface ? ontoSurface(cell, centre, to) : -1;
    if (triangle >= 0) {
      visit(to);
    }
    return {false, triangle};
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION bool isHere(std::int64_t cell) const { return cell >= owned.begin && cell < owned.end; }

  [[nodiscard]] KOKKOS_FUNCTION double longest() const {
    double sum = 0.0;
    for (const double h : locator.grid.lattice.spacing) {
      sum += h;
    }
    return sum;
  }

  /// The centre of a cell, of its copies the nearest to a place.
  KOKKOS_FUNCTION void toCentre(std::int64_t cell, const double (&from)[Dim], double (&to)[Dim]) const {
    locator.grid.vectorFrom(from, locator.grid.coordinates(cell), to);
    for (int axis = 0; axis < Dim; ++axis) {
      to[axis] += from[axis];
    }
  }

  /// When the front was at a place in a cell, by the cell's gradient.
  [[nodiscard]] KOKKOS_FUNCTION double expectedAt(std::int64_t cell, const double (&place)[Dim]) const {
    double toHere[Dim];
    locator.grid.vectorFrom(place, locator.grid.coordinates(cell), toHere);
    double time = times[cell];
    for (int axis = 0; axis < Dim; ++axis) {
      time -= gradient[axis * locator.grid.numCells + cell] * toHere[axis];
    }
    return time;
  }

  KOKKOS_FUNCTION void noteMin(GridHead<Dim>& head, std::int64_t cell) const {
    head.minTime = Kokkos::min(head.minTime, times[cell]);
    head.minExpected = Kokkos::min(head.minExpected, expectedAt(cell, head.at));
  }

  [[nodiscard]] SPANWISE_NOT_INLINED KOKKOS_FUNCTION bool isOpen(
    const double (&from)[Dim], const double (&to)[Dim]) const {
    double vector[Dim];
    for (int axis = 0; axis < Dim; ++axis) {
      vector[axis] = to[axis] - from[axis];
    }
    return detail::isOpenLine<Dim>(locator, from, vector);
  }

  /// The cell that a step comes to; -1 if it must not be taken. The centre of the next cell may be later than that of
  /// this one: with tensors that couple axes fronts do not go along the gradient.
  KOKKOS_FUNCTION std::int64_t cellAhead(const GridHead<Dim>& head, std::int64_t cell, double (&to)[Dim]) const {
    std::int64_t coordinates[Dim];
    const std::int64_t next = ahead(head.at, to) ? locator.find(to, coordinates) : -1;
    if (next < 0 || next == cell) {
      return next;
    }
    if (!(times[next] < notReached) || !isOpen(head.at, to)) {
      return -1;
    }
    // Of what the step should bring. From 0.02 to 0.9 what ways in constant tensors cost beyond the shortest (speeds
    // that differ up to eightfold by direction, 2D and 3D, 6,000 ways) changes by a tenth of it at most.
    constexpr double minFall = 0.5;
    const double fall = expectedAt(cell, head.at) - expectedAt(cell, to);
    const bool falls = fall > 0.0 && expectedAt(next, to) < head.minExpected - minFall * fall;
    return times[next] < head.minTime || falls ? next : -1;
  }

  /// Whether a cell has its time from the surface.
  [[nodiscard]] SPANWISE_NOT_INLINED KOKKOS_FUNCTION bool startsAtSurface(std::int64_t cell) const {
    return hasSurface && surface.startOf(cell).time == times[cell];
  }

  /// The place of the surface from which a front comes first to a place in a cell, and its triangle; -1: none is near.
  SPANWISE_NOT_INLINED KOKKOS_FUNCTION std::int32_t ontoSurface(
    std::int64_t cell, const double (&place)[Dim], double (&to)[Dim]) const {
    double centre[Dim];
    toCentre(cell, place, centre);
    Point aside = {};
    for (int axis = 0; axis < Dim; ++axis) {
      aside[axis] = place[axis] - centre[axis];
    }
    const detail::Start start = surface.startOf(cell, aside);
    for (int axis = 0; axis < Dim; ++axis) {
      to[axis] = place[axis] + start.way[axis];
    }
    return start.time < notReached ? static_cast<std::int32_t>(start.triangle) : -1;
  }

  /// A step against M grad u, which is interpolated between the cells whose centres are around the place; false if it
  /// has no direction.
  KOKKOS_FUNCTION bool ahead(const double (&place)[Dim], double (&to)[Dim]) const {
    const GridView<Dim>& grid = locator.grid;
    std::int64_t first[Dim];
    double share[Dim]; // of the upper cell
    for (int axis = 0; axis < Dim; ++axis) {
      const double at = (place[axis] - grid.lattice.origin[axis]) / grid.lattice.spacing[axis] - 0.5;
      const double below = Kokkos::floor(at);
      first[axis] = static_cast<std::int64_t>(below);
      share[axis] = at - below;
    }
    Point flow;
    for (int corner = 0; corner < (1 << Dim); ++corner) {
      std::int64_t cell[Dim];
      double weight = 1.0;
      for (int axis = 0; axis < Dim; ++axis) {
        const int upper = corner >> axis & 1;
        cell[axis] = first[axis] + upper;
        weight *= upper == 1 ? share[axis] : 1.0 - share[axis];
      }
      const std::int64_t number = locator.number(cell);
      if (number < 0 || grid.isWall(number) || !(times[number] < notReached)) {
        continue;
      }
      Point slope;
      for (int axis = 0; axis < Dim; ++axis) {
        slope[axis] = gradient[axis * grid.numCells + number];
      }
      flow = flow + weight * (grid.tensor(number) * slope);
    }
    const double length = Kokkos::sqrt(dot(flow, flow));
    for (int axis = 0; axis < Dim; ++axis) {
      to[axis] = place[axis] - step / length * flow[axis];
    }
    return length > 0.0;
  }
};

/// A tracer of so large steps, as a share of the least spacing, through own cells. Throws InvalidArgument where an
/// array has another length than the grid asks for, the step is not within 0.01 and 1, or as startAtSurface() does.
/// Valid until `frame` closes.
template <class ExecutionSpace, int Dim>
GridTracer<Dim> makeTracer(const ExecutionSpace& space, const Grid<Dim, ExecutionSpace>& grid,
  const CellArray<const double, ExecutionSpace>& times, const CellArray<const double, ExecutionSpace>& gradient,
  const CellArray<const std::int32_t, ExecutionSpace>& origins, double step, const SurfaceSources& surface,
  typename Workspace<typename ExecutionSpace::memory_space>::Frame& frame) {
  checkCellCount("times", times.extent(0), grid.numCells());
  checkCellCount("components of a gradient", gradient.extent(0), grid.numCells(), Dim);
  checkCellCount("origins", origins.extent(0), grid.numCells());
  if (!(step >= 0.01 && step <= 1.0)) {
    throw InvalidArgument("a step is " + numberText(step) + " cells: it must be within 0.01 and 1");
  }
  const double* const spacing = grid.view().lattice.spacing;
  GridTracer<Dim> tracer{{grid.view(), grid.set().view()}, times.data(), gradient.data(), origins.data(), grid.owned(),
    step * *std::min_element(spacing, spacing + Dim), {}, surface.count > 0};
  if (tracer.hasSurface) {
    tracer.surface = detail::makeAround<ExecutionSpace, Dim>(space, grid, surface, frame);
  }
  return tracer;
}

} // namespace spanwise::eikonal
