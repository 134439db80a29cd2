#include "Core/Solvers/Eikonal/GridPaths.hpp"

#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Geometry/Detail/Scan.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/GridLocator.hpp"
#include "Core/Solvers/Eikonal/GridUpdate.hpp"

#include <algorithm>
#include <string>

namespace spanwise::eikonal {

namespace {

using detail::Range;

/// Goes back from a start.
template <int Dim>
struct Tracer {
  Locator<Dim> locator;
  const double* times;
  const double* gradient;
  const std::int32_t* origins;
  double step;

  /// Calls visit(place) for the points of a path.
  template <class Visit>
  KOKKOS_FUNCTION void trace(const double (&start)[Dim], const Visit& visit) const {
    double place[Dim];
    for (int axis = 0; axis < Dim; ++axis) {
      place[axis] = start[axis];
    }
    visit(place);
    std::int64_t coordinates[Dim];
    std::int64_t cell = locator.find(place, coordinates);
    if (cell < 0 || !(times[cell] < notReached)) {
      return;
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
      visit(place);
    }
    double centre[Dim];
    toCentre(cell, place, centre);
    visit(centre);
  }

private:
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

template <int Dim, class Place>
struct CountPoints {
  Tracer<Dim> tracer;
  const Place* starts;
  std::int64_t* counts;

  KOKKOS_FUNCTION void operator()(std::int64_t path) const {
    std::int64_t count = 0;
    tracer.trace(starts[path].at, [&](const double (&)[Dim]) { ++count; });
    counts[path] = count;
  }
};

template <int Dim, class Place>
struct WritePoints {
  Tracer<Dim> tracer;
  const Place* starts;
  const std::int64_t* offsets;
  Place* points;

  KOKKOS_FUNCTION void operator()(std::int64_t path) const {
    Place* to = points + offsets[path];
    tracer.trace(starts[path].at, [&](const double (&place)[Dim]) {
      for (int axis = 0; axis < Dim; ++axis) {
        to->at[axis] = place[axis];
      }
      ++to;
    });
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void tracePaths(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const GridOn<Dim, ExecutionSpace>& grid,
  const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& times,
  const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& gradient,
  const Kokkos::View<const std::int32_t*, typename ExecutionSpace::memory_space>& origins,
  const Kokkos::View<const typename GridPaths<Dim, typename ExecutionSpace::memory_space>::Place*,
    typename ExecutionSpace::memory_space>& starts,
  double step, GridPaths<Dim, typename ExecutionSpace::memory_space>& paths) {
  SPANWISE_REGION("Eikonal::tracePaths");
  using Place = typename GridPaths<Dim, typename ExecutionSpace::memory_space>::Place;
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
  const auto numPaths = static_cast<std::int64_t>(starts.extent(0));
  const double* const spacing = grid.view().lattice.spacing;
  const Tracer<Dim> tracer{{grid.view(), set.view()}, times.data(), gradient.data(), origins.data(),
    step * *std::min_element(spacing, spacing + Dim)};
  const Range<ExecutionSpace> range(space, 0, numPaths);
  std::int64_t* const offsets = paths.offsets.prepare(numPaths + 1);
  Kokkos::parallel_for(SPANWISE_KERNEL("count points"), range, CountPoints<Dim, Place>{tracer, starts.data(), offsets});
  const std::int64_t total = detail::exclusiveScan(space, SPANWISE_KERNEL("scan points"), offsets, numPaths);
  Kokkos::parallel_for(SPANWISE_KERNEL("write points"), range,
    WritePoints<Dim, Place>{tracer, starts.data(), offsets, paths.points.prepare(total)});
}

#define SPANWISE_TRACE_PATHS(Space, Dim)                                                                               \
  template void tracePaths<Space, Dim>(const Space&, const IntervalSetOn<Dim, Space>&, const GridOn<Dim, Space>&,      \
    const Kokkos::View<const double*, Space::memory_space>&, const Kokkos::View<const double*, Space::memory_space>&,  \
    const Kokkos::View<const std::int32_t*, Space::memory_space>&,                                                     \
    const Kokkos::View<const GridPaths<Dim, Space::memory_space>::Place*, Space::memory_space>&, double,               \
    GridPaths<Dim, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_TRACE_PATHS)

} // namespace spanwise::eikonal
