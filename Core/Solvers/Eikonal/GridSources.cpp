#include "Core/Solvers/Eikonal/GridSources.hpp"

#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Solvers/Eikonal/GridLocator.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace spanwise::eikonal {

namespace {

using detail::Range;

/// Sets what the medium is at each source; finds the first that is nowhere.
template <int Dim>
struct LookAtSources {
  Locator<Dim> locator;
  FactoredSource<Dim>* sources;

  KOKKOS_FUNCTION void operator()(std::int64_t s, std::int64_t& firstWrong) const {
    std::int64_t cell[Dim];
    const std::int64_t number = locator.find(sources[s].at, cell);
    if (number < 0 || locator.grid.isWall(number)) {
      firstWrong = Kokkos::min(firstWrong, s);
      return;
    }
    sources[s].inverse = locator.grid.tensor(number).inverse();
    if constexpr (Dim == 2) {
      sources[s].inverse.zz = 0.0;
    }
  }
};

/// The cells around sources, each with the time of the straight line: it is taken, or it tells whose the cell is.
template <int Dim>
struct StartAround {
  static constexpr int reach = 2;
  static constexpr int width = 2 * reach + 1;
  static constexpr std::int64_t numAround = Dim == 2 ? width * width : width * width * width;

  Locator<Dim> locator;
  const FactoredSource<Dim>* sources;
  double* times;
  std::int32_t* labels; ///< nullptr: times are set

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    const FactoredSource<Dim>& source = sources[item / numAround];
    std::int64_t cell[Dim];
    locator.find(source.at, cell);
    std::int64_t rest = item % numAround;
    double vector[Dim];
    for (int axis = 0; axis < Dim; ++axis) {
      cell[axis] += rest % width - reach;
      rest /= width;
      vector[axis] = locator.grid.lattice.centre(axis, cell[axis]) - source.at[axis];
    }
    const std::int64_t number = locator.number(cell);
    if (number < 0 || locator.grid.isWall(number)) {
      return;
    }
    constexpr int numParts = 12 * reach; // fine enough to meet every cell that the line is in for a while
    double time = 0.0;
    for (int part = 0; part < numParts; ++part) {
      double place[Dim];
      for (int axis = 0; axis < Dim; ++axis) {
        place[axis] = source.at[axis] + vector[axis] * (part + 0.5) / numParts;
      }
      std::int64_t on[Dim];
      const std::int64_t between = locator.find(place, on);
      if (between < 0 || locator.grid.isWall(between)) {
        return;
      }
      const SymmetricTensor inverse = locator.grid.tensor(between).inverse();
      time += Kokkos::sqrt(inverse.product(FactoredSource<Dim>::pointOf(vector))) / numParts;
    }
    if (labels == nullptr) {
      Kokkos::atomic_fetch_min(&times[number], source.time + time);
    } else if (times[number] == source.time + time) {
      Kokkos::atomic_fetch_min(&labels[number], static_cast<std::int32_t>(item / numAround));
    }
  }
};

struct NoLabel {
  std::int32_t* labels;
  std::int32_t none;

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const { labels[cell] = labels[cell] == none ? -1 : labels[cell]; }
};

/// The source that each cell takes out of its differences.
template <int Dim>
struct ChooseSource {
  GridView<Dim> grid;
  const FactoredSource<Dim>* sources;
  std::int64_t numSources;
  double radius;
  std::int32_t* sourceOfCell;

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const {
    const Cell<Dim> at = grid.coordinates(cell);
    double least = notReached;
    std::int32_t best = -1;
    for (std::int64_t s = 0; s < numSources; ++s) {
      double vector[Dim];
      grid.vectorFrom(sources[s].at, at, vector);
      const Point p = FactoredSource<Dim>::pointOf(vector);
      const double time = sources[s].time + sources[s].travelTime(vector);
      if (dot(p, p) <= radius * radius && time < least) {
        least = time;
        best = static_cast<std::int32_t>(s);
      }
    }
    sourceOfCell[cell] = best;
  }
};

/// Cells of one set in another.
template <int Dim>
struct StartInCells {
  IntervalSetView<Dim> set;
  IntervalSetView<Dim> sources;
  double time;
  double* times;

  KOKKOS_FUNCTION void operator()(std::int64_t interval, std::int64_t& count) const {
    const RowKey<Dim> key = sources.rowKeys[sources.rowOfInterval(interval)];
    const std::int64_t row = set.findRow(key);
    if (row < 0) {
      return;
    }
    const Interval from = sources.intervals[interval];
    const std::int64_t end = set.rowOffsets[row + 1];
    for (std::int64_t i = set.lowerInterval(row, from.begin); i < end && set.intervals[i].begin < from.end; ++i) {
      const Interval in = set.intervals[i];
      const Coordinate first = Kokkos::max(in.begin, from.begin);
      const Coordinate last = Kokkos::min(in.end, from.end);
      for (Coordinate x = first; x < last; ++x) {
        double& at = times[set.cellOffsets[i] + (static_cast<std::int64_t>(x) - in.begin)];
        at = Kokkos::min(at, time);
        ++count;
      }
    }
  }
};

template <int Dim>
std::string toString(const PointSource<Dim>& point) {
  std::string text = "(";
  for (int axis = 0; axis < Dim; ++axis) {
    text += (axis > 0 ? ", " : "") + std::to_string(point.at[axis]);
  }
  return text + ")";
}

} // namespace

template <class ExecutionSpace, int Dim>
void startAtPoints(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const Grid<Dim, typename ExecutionSpace::memory_space>& grid, const std::vector<PointSource<Dim>>& points,
  double radius, const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times,
  GridFactoring<Dim, typename ExecutionSpace::memory_space>& factoring) {
  SPANWISE_REGION("Eikonal::startAtPoints");
  if (!(radius >= 0.0)) {
    throw InvalidArgument("the radius of factoring is " + std::to_string(radius) + ": it must not be negative");
  }
  if (static_cast<std::int64_t>(times.extent(0)) != grid.numCells() || set.numCells() != grid.numCells()) {
    throw InvalidArgument("there are " + std::to_string(times.extent(0)) + " times, " + std::to_string(set.numCells()) +
      " cells in the set and " + std::to_string(grid.numCells()) + " in the grid: the numbers must be equal");
  }
  factoring.view_ = {};
  factoring.numSources_ = 0;
  const auto numPoints = static_cast<std::int64_t>(points.size());
  reserve(factoring.sources_, numPoints, SPANWISE_LABEL("Eikonal::sources"));
  std::vector<FactoredSource<Dim>> sources;
  for (const PointSource<Dim>& point : points) {
    if (!std::isfinite(point.time)) {
      throw InvalidArgument(
        "the time of the source at " + toString(point) + " is " + std::to_string(point.time) + ": it must be finite");
    }
    FactoredSource<Dim> source{};
    for (int axis = 0; axis < Dim; ++axis) {
      source.at[axis] = point.at[axis];
    }
    source.time = point.time;
    sources.push_back(source);
  }
  const Kokkos::View<const FactoredSource<Dim>*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
    sources.data(), sources.size());
  Kokkos::deep_copy(
    space, Kokkos::subview(factoring.sources_, Kokkos::pair<std::size_t, std::size_t>(0, points.size())), host);
  const Locator<Dim> locator{grid.view(), set.view()};
  FactoredSource<Dim>* const onDevice = factoring.sources_.data();
  std::int64_t firstWrong = numPoints;
  reduceMin(SPANWISE_KERNEL("look at sources"), Range<ExecutionSpace>(space, 0, numPoints),
    LookAtSources<Dim>{locator, onDevice}, firstWrong); // waits, so that the host's sources may go
  if (firstWrong < numPoints) {
    throw InvalidArgument("the source at " + toString(points[static_cast<std::size_t>(firstWrong)]) +
      " is not in a cell of the set, or in a wall: fronts cannot start there");
  }
  Kokkos::parallel_for(SPANWISE_KERNEL("start around"),
    Range<ExecutionSpace>(space, 0, numPoints * StartAround<Dim>::numAround),
    StartAround<Dim>{locator, onDevice, times.data(), nullptr});
  factoring.numSources_ = numPoints;
  if (radius > 0.0 && numPoints > 0) {
    reserve(factoring.sourceOfCell_, grid.numCells(), SPANWISE_LABEL("Eikonal::sourceOfCell"));
    Kokkos::parallel_for(SPANWISE_KERNEL("choose source"), Range<ExecutionSpace>(space, 0, grid.numCells()),
      ChooseSource<Dim>{grid.view(), onDevice, numPoints, radius, factoring.sourceOfCell_.data()});
    factoring.view_ = {factoring.sourceOfCell_.data(), onDevice};
  }
}

template <class ExecutionSpace, int Dim>
void labelAroundPoints(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const Grid<Dim, typename ExecutionSpace::memory_space>& grid,
  const GridFactoring<Dim, typename ExecutionSpace::memory_space>& factoring,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& labels) {
  SPANWISE_REGION("Eikonal::labelAroundPoints");
  if (static_cast<std::int64_t>(times.extent(0)) != grid.numCells() || times.extent(0) != labels.extent(0)) {
    throw InvalidArgument("there are " + std::to_string(times.extent(0)) + " times, " +
      std::to_string(labels.extent(0)) + " labels and " + std::to_string(grid.numCells()) +
      " cells: the numbers must be equal");
  }
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  Kokkos::deep_copy(space, labels, most);
  Kokkos::parallel_for(SPANWISE_KERNEL("label around"),
    Range<ExecutionSpace>(space, 0, factoring.numSources_ * StartAround<Dim>::numAround),
    StartAround<Dim>{{grid.view(), set.view()}, factoring.sources_.data(), times.data(), labels.data()});
  Kokkos::parallel_for(
    SPANWISE_KERNEL("no label"), Range<ExecutionSpace>(space, 0, grid.numCells()), NoLabel{labels.data(), most});
}

template <class ExecutionSpace, int Dim>
std::int64_t startAtCells(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const IntervalSetOn<Dim, ExecutionSpace>& sources, double time,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times) {
  SPANWISE_REGION("Eikonal::startAtCells");
  if (!std::isfinite(time)) {
    throw InvalidArgument("the time of the sources is " + std::to_string(time) + ": it must be finite");
  }
  if (static_cast<std::int64_t>(times.extent(0)) != set.numCells()) {
    throw InvalidArgument("there are " + std::to_string(times.extent(0)) + " times and " +
      std::to_string(set.numCells()) + " cells: each cell has one time");
  }
  std::int64_t count = 0;
  reduce(SPANWISE_KERNEL("start in cells"), Range<ExecutionSpace>(space, 0, sources.numIntervals()),
    StartInCells<Dim>{set.view(), sources.view(), time, times.data()}, count);
  return count;
}

#define SPANWISE_GRID_SOURCES(Space, Dim)                                                                              \
  template void labelAroundPoints<Space, Dim>(const Space&, const IntervalSetOn<Dim, Space>&,                          \
    const Grid<Dim, Space::memory_space>&, const GridFactoring<Dim, Space::memory_space>&,                             \
    const Kokkos::View<double*, Space::memory_space>&, const Kokkos::View<std::int32_t*, Space::memory_space>&);       \
  template void startAtPoints<Space, Dim>(const Space&, const IntervalSetOn<Dim, Space>&,                              \
    const Grid<Dim, Space::memory_space>&, const std::vector<PointSource<Dim>>&, double,                               \
    const Kokkos::View<double*, Space::memory_space>&, GridFactoring<Dim, Space::memory_space>&);                      \
  template std::int64_t startAtCells<Space, Dim>(const Space&, const IntervalSetOn<Dim, Space>&,                       \
    const IntervalSetOn<Dim, Space>&, double, const Kokkos::View<double*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_GRID_SOURCES)

} // namespace spanwise::eikonal
