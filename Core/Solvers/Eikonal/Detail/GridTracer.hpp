#pragma once

#include "Core/Parallel/HaloExchange.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/GridLocator.hpp"
#include "Core/Solvers/Eikonal/GridUpdate.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace spanwise::eikonal {

/// Goes back from a start, as long as the way is through the cells [firstCell, endCell).
template <int Dim>
struct Tracer {
  Locator<Dim> locator;
  const double* times;
  const double* gradient;
  const std::int32_t* origins;
  std::int64_t firstCell;
  std::int64_t endCell;
  double step;

  /// Calls visit(place) for the points of a path from `place` on. Returns whether it has come to its end; otherwise the
  /// place is the next point, in another cell.
  template <class Visit>
  KOKKOS_FUNCTION bool trace(double (&place)[Dim], const Visit& visit) const {
    visit(place);
    std::int64_t coordinates[Dim];
    std::int64_t cell = locator.find(place, coordinates);
    if (!isHere(cell) || !(times[cell] < notReached)) {
      return true;
    }
    // The way through a cell is at most its diagonal; who takes longer turns.
    const int mostSteps = 2 + static_cast<int>(longest() / step);
    int numSteps = 0;
    while (origins[cell] != cell) {
      double to[Dim];
      std::int64_t next = ahead(place, to) ? locator.find(to, coordinates) : -1;
      numSteps = next == cell ? numSteps + 1 : 0;
      if (next < 0 || numSteps > mostSteps || (next != cell && !(times[next] < times[cell]))) {
        next = origins[cell];
        toCentre(next, place, to);
        numSteps = 0;
      }
      cell = next;
      for (int axis = 0; axis < Dim; ++axis) {
        place[axis] = to[axis];
      }
      if (!isHere(cell)) {
        return false;
      }
      visit(place);
    }
    double centre[Dim];
    toCentre(cell, place, centre);
    visit(centre);
    return true;
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION bool isHere(std::int64_t cell) const { return cell >= firstCell && cell < endCell; }

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

/// A tracer of so large steps, as a share of the least spacing. Throws InvalidArgument where an array has another
/// length than the grid asks for, or the step is not within 0.01 and 1.
template <class ExecutionSpace, int Dim, class Times, class Origins>
Tracer<Dim> makeTracer(const IntervalSetOn<Dim, ExecutionSpace>& set, const GridOn<Dim, ExecutionSpace>& grid,
  const Times& times, const Times& gradient, const Origins& origins, CellRange cells, double step) {
  const auto numCells = static_cast<std::size_t>(grid.numCells());
  if (set.numCells() != grid.numCells() || times.extent(0) != numCells || gradient.extent(0) != Dim * numCells ||
    origins.extent(0) != numCells) {
    throw InvalidArgument("there are " + std::to_string(times.extent(0)) + " times, " +
      std::to_string(gradient.extent(0)) + " components of a gradient and " + std::to_string(origins.extent(0)) +
      " origins: a grid of " + std::to_string(numCells) + " cells has as many, " + std::to_string(Dim) +
      " times as many, and as many");
  }
  if (!(step >= 0.01 && step <= 1.0)) {
    throw InvalidArgument("a step is " + std::to_string(step) + " cells: it must be within 0.01 and 1");
  }
  const double* const spacing = grid.view().lattice.spacing;
  return {{grid.view(), set.view()}, times.data(), gradient.data(), origins.data(), cells.begin, cells.end,
    step * *std::min_element(spacing, spacing + Dim)};
}

template <int Dim, class Place>
struct CountPoints {
  Tracer<Dim> tracer;
  const Place* starts;
  std::int64_t* counts;

  KOKKOS_FUNCTION void operator()(std::int64_t path) const {
    std::int64_t count = 0;
    Place place = starts[path];
    tracer.trace(place.at, [&](const double (&)[Dim]) { ++count; });
    counts[path] = count;
  }
};

/// Writes points, and in the place of a start where the path goes on if it does so in other cells.
template <int Dim, class Place>
struct WritePoints {
  Tracer<Dim> tracer;
  const Place* starts;
  const std::int64_t* offsets;
  Place* points;
  Place* ends;        ///< nullptr: not asked for
  std::uint8_t* goOn; ///< 1: the path goes on at its end

  KOKKOS_FUNCTION void operator()(std::int64_t path) const {
    Place* to = points + offsets[path];
    Place place = starts[path];
    const bool ended = tracer.trace(place.at, [&](const double (&at)[Dim]) {
      for (int axis = 0; axis < Dim; ++axis) {
        to->at[axis] = at[axis];
      }
      ++to;
    });
    if (ends != nullptr) {
      ends[path] = place;
      goOn[path] = ended ? 0 : 1;
    }
  }
};

} // namespace spanwise::eikonal
