#include "Core/Solvers/Eikonal/GridSources.hpp"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/SetAll.hpp"
#include "Core/Solvers/Eikonal/Detail/GridStarts.hpp"
#include "Core/Solvers/Eikonal/Detail/SourceTree.hpp"
#include "Core/Solvers/Eikonal/Detail/StraightLine.hpp"
#include "Core/Solvers/Eikonal/GridLocator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>

namespace spanwise::eikonal {

namespace {

/// Sets what the medium is at each source that is in one of some cells.
template <int Dim>
struct LookAtSources {
  Locator<Dim> locator;
  std::int64_t firstCell;
  std::int64_t endCell;
  FactoredSource<Dim>* sources;
  std::uint8_t* found;

  KOKKOS_FUNCTION void operator()(std::int64_t s) const {
    std::int64_t cell[Dim];
    const std::int64_t number = locator.find(sources[s].at, cell);
    found[s] = number >= firstCell && number < endCell && !locator.grid.isWall(number) ? 1 : 0;
    if (found[s] == 1) {
      sources[s].inverse = locator.grid.tensor(number).inverse();
      if constexpr (Dim == 2) {
        sources[s].inverse.zz = 0.0;
      }
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
    double time = 0.0;
    if (!detail::addTimeOfLine<Dim>(locator, source.at, vector, time)) {
      return;
    }
    if (labels == nullptr) {
      Kokkos::atomic_fetch_min(&times[number], source.time + time);
    } else if (times[number] == source.time + time) {
      Kokkos::atomic_fetch_min(&labels[number], static_cast<std::int32_t>(item / numAround));
    }
  }
};

/// Labels with the numbers of sources in the order of their places become those in the list of points.
template <int Dim>
struct NumberLabels {
  const FactoredSource<Dim>* sources;
  std::int32_t* labels;

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const {
    labels[cell] = labels[cell] < 0 ? -1 : sources[labels[cell]].number;
  }
};

constexpr std::int32_t noSource = std::numeric_limits<std::int32_t>::max();

/// What no source has labelled is -1.
struct DropNoSource {
  std::int32_t* labels;

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const {
    labels[cell] = labels[cell] == noSource ? -1 : labels[cell];
  }
};

/// The sources for the tree, brought into one period.
template <int Dim>
struct PlacesOfSources {
  GridView<Dim> grid;
  const FactoredSource<Dim>* sources;

  KOKKOS_FUNCTION detail::TreeSource operator()(std::int64_t i) const {
    const FactoredSource<Dim>& source = sources[i];
    detail::TreeSource result;
    for (int axis = 0; axis < Dim; ++axis) {
      result.place[axis] = source.at[axis];
      if (grid.periods.along[axis]) {
        const double first = grid.lattice.origin[axis] + grid.periods.box.begin[axis] * grid.lattice.spacing[axis];
        const double length = grid.period(axis);
        result.place[axis] -= length * Kokkos::floor((source.at[axis] - first) / length);
      }
    }
    SymmetricTensor inverse = source.inverse;
    if constexpr (Dim == 2) {
      inverse.zz = inverse.xx + inverse.yy; // slower than both axes
    }
    result.time = source.time;
    result.slowness = detail::minSlowness(inverse);
    return result;
  }
};

/// How a cell sees the sources.
template <int Dim>
struct SourcesFromCell {
  const GridView<Dim>& grid;
  const FactoredSource<Dim>* sources;
  double radius2;
  geometry::Cell<Dim> cell;

  [[nodiscard]] KOKKOS_FUNCTION double distance2(const detail::Bounds& box) const {
    double sum = 0.0;
    for (int axis = 0; axis < Dim; ++axis) {
      const double x = grid.lattice.centre(axis, cell.at[axis]);
      const auto gapFrom = [&](double from) {
        return Kokkos::max(0.0, Kokkos::max(box.low[axis] - from, from - box.high[axis]));
      };
      double gap = gapFrom(x);
      if (grid.periods.along[axis]) {
        gap = Kokkos::min(gap, Kokkos::min(gapFrom(x - grid.period(axis)), gapFrom(x + grid.period(axis))));
      }
      sum += gap * gap;
    }
    return sum > radius2 * (1.0 + 1e-6) ? notReached : sum;
  }
  [[nodiscard]] KOKKOS_FUNCTION double time(std::int32_t s) const {
    double vector[Dim];
    grid.vectorFrom(sources[s].at, cell, vector);
    const Point p = FactoredSource<Dim>::pointOf(vector);
    return dot(p, p) <= radius2 ? sources[s].time + sources[s].travelTime(vector) : notReached;
  }
  [[nodiscard]] KOKKOS_FUNCTION bool isBefore(std::int32_t a, std::int32_t b) const { return a < b; }
};

/// The source that each cell takes out of its differences.
template <int Dim>
struct ChooseSource {
  GridView<Dim> grid;
  const FactoredSource<Dim>* sources;
  detail::SourceTree tree;
  double radius;
  std::int32_t* sourceOfCell;

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const {
    sourceOfCell[cell] = tree.first(SourcesFromCell<Dim>{grid, sources, radius * radius, grid.coordinates(cell)});
  }
};

/// Cells of one set in another.
template <int Dim>
struct StartInCells {
  geometry::IntervalSetView<Dim> set;
  geometry::IntervalSetView<Dim> sources;
  double time;
  double* times;

  KOKKOS_FUNCTION void operator()(std::int64_t interval, std::int64_t& count) const {
    const geometry::RowKey<Dim> key = sources.rowKeys[sources.rowOfInterval(interval)];
    const std::int64_t row = set.findRow(key);
    if (row < 0) {
      return;
    }
    const geometry::Interval from = sources.intervals[interval];
    const std::int64_t end = set.rowOffsets[row + 1];
    for (std::int64_t i = set.lowerInterval(row, from.begin); i < end && set.intervals[i].begin < from.end; ++i) {
      const geometry::Interval in = set.intervals[i];
      const geometry::Coordinate first = Kokkos::max(in.begin, from.begin);
      const geometry::Coordinate last = Kokkos::min(in.end, from.end);
      for (geometry::Coordinate x = first; x < last; ++x) {
        double& at = times[set.cellOffsets[i] + (static_cast<std::int64_t>(x) - in.begin)];
        at = Kokkos::min(at, time);
        ++count;
      }
    }
  }
};

/// By place, then by time: the order in which ties are broken.
template <int Dim>
bool comesBefore(const FactoredSource<Dim>& a, const FactoredSource<Dim>& b) {
  for (int axis = 0; axis < Dim; ++axis) {
    if (a.at[axis] != b.at[axis]) {
      return a.at[axis] < b.at[axis];
    }
  }
  return std::tie(a.time, a.number) < std::tie(b.time, b.number);
}

} // namespace

namespace gridstarts {

template <int Dim>
std::vector<FactoredSource<Dim>> sourcesAt(const std::vector<PointSource<Dim>>& points, double radius) {
  if (!(radius >= 0.0)) {
    throw InvalidArgument("the radius of factoring is " + numberText(radius) + ": it must not be negative");
  }
  std::vector<FactoredSource<Dim>> sources;
  for (const PointSource<Dim>& point : points) {
    FactoredSource<Dim> source{};
    std::copy_n(point.at, Dim, source.at);
    source.time = point.time;
    if (!std::isfinite(point.time)) {
      throw InvalidArgument("the time of the source at " + pointText(source.at, Dim) + " is " + numberText(point.time) +
        ": it must be finite");
    }
    sources.push_back(source);
  }
  return sources;
}

void checkTimes(std::size_t numTimes, std::int64_t cellsOfSet, std::int64_t cellsOfGrid) {
  if (static_cast<std::int64_t>(numTimes) != cellsOfGrid || cellsOfSet != cellsOfGrid) {
    throw InvalidArgument("there are " + std::to_string(numTimes) + " times, " + std::to_string(cellsOfSet) +
      " cells in the set and " + std::to_string(cellsOfGrid) + " in the grid: the numbers must be equal");
  }
}

template <class ExecutionSpace, int Dim>
std::vector<std::uint8_t> findMedium(const ExecutionSpace& space,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set, const Grid<Dim, typename ExecutionSpace::memory_space>& grid,
  std::int64_t firstCell, std::int64_t endCell, std::vector<FactoredSource<Dim>>& sources) {
  using Memory = typename ExecutionSpace::memory_space;
  const std::size_t count = sources.size();
  std::vector<std::uint8_t> found(count);
  const Kokkos::View<FactoredSource<Dim>*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> onHost(
    sources.data(), count);
  const Kokkos::View<std::uint8_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> foundOnHost(
    found.data(), count);
  const auto onDevice = Kokkos::create_mirror_view_and_copy(Memory(), onHost);
  const auto foundOnDevice = Kokkos::create_mirror_view(Memory(), foundOnHost);
  forEach(SPANWISE_KERNEL("look at sources"), IndexRange<ExecutionSpace>(space, 0, count),
    LookAtSources<Dim>{{grid.view(), set.view()}, firstCell, endCell, onDevice.data(), foundOnDevice.data()});
  space.fence(SPANWISE_LABEL("Eikonal::sources"));
  Kokkos::deep_copy(onHost, onDevice);
  Kokkos::deep_copy(foundOnHost, foundOnDevice);
  return found;
}

template <int Dim>
void refuse(const FactoredSource<Dim>& source) {
  throw InvalidArgument("the source at " + pointText(source.at, Dim) +
    " is not in a cell of the set, or in a wall: fronts cannot start there");
}

template <class ExecutionSpace, int Dim>
void labelSources(const ExecutionSpace& space, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const Grid<Dim, typename ExecutionSpace::memory_space>& grid,
  const GridFactoring<Dim, typename ExecutionSpace::memory_space>& factoring,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& labels) {
  setAll(space, labels, noSource);
  forEach(SPANWISE_KERNEL("label around"),
    IndexRange<ExecutionSpace>(space, 0, factoring.numSources() * StartAround<Dim>::numAround),
    StartAround<Dim>{{grid.view(), set.view()}, factoring.sources(), times.data(), labels.data()});
  forEach(SPANWISE_KERNEL("drop no source"), IndexRange<ExecutionSpace>(space, 0, grid.numCells()),
    DropNoSource{labels.data()});
}

template <class ExecutionSpace, int Dim>
void start(const ExecutionSpace& space, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const Grid<Dim, typename ExecutionSpace::memory_space>& grid, const std::vector<FactoredSource<Dim>>& sources,
  double radius, const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times,
  GridFactoring<Dim, typename ExecutionSpace::memory_space>& factoring) {
  const auto count = static_cast<std::int64_t>(sources.size());
  std::vector<FactoredSource<Dim>> sorted = sources;
  for (std::size_t s = 0; s < sorted.size(); ++s) {
    sorted[s].number = static_cast<std::int32_t>(s);
  }
  std::sort(sorted.begin(), sorted.end(), comesBefore<Dim>);
  const FactoredSource<Dim>* const onDevice = factoring.setSources(space, sorted);
  forEach(SPANWISE_KERNEL("start around"), IndexRange<ExecutionSpace>(space, 0, count * StartAround<Dim>::numAround),
    StartAround<Dim>{{grid.view(), set.view()}, onDevice, times.data(), nullptr});
  if (radius > 0.0 && count > 0) {
    typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(factoring.workspace());
    const detail::SourceTree tree =
      detail::makeSourceTree(space, PlacesOfSources<Dim>{grid.view(), onDevice}, count, frame);
    forEach(SPANWISE_KERNEL("choose source"), IndexRange<ExecutionSpace>(space, 0, grid.numCells()),
      ChooseSource<Dim>{grid.view(), onDevice, tree, radius, factoring.prepare(grid.numCells())});
  }
}

} // namespace gridstarts

template <class ExecutionSpace, int Dim>
void startAtPoints(const ExecutionSpace& space, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const Grid<Dim, typename ExecutionSpace::memory_space>& grid, const std::vector<PointSource<Dim>>& points,
  double radius, const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times,
  GridFactoring<Dim, typename ExecutionSpace::memory_space>& factoring) {
  SPANWISE_REGION("Eikonal::startAtPoints");
  auto sources = gridstarts::sourcesAt(points, radius);
  gridstarts::checkTimes(times.extent(0), set.numCells(), grid.numCells());
  factoring.setSources(space, {});
  if (sources.empty()) {
    return;
  }
  const auto found = gridstarts::findMedium<ExecutionSpace, Dim>(space, set, grid, 0, grid.numCells(), sources);
  const auto wrong = std::find(found.begin(), found.end(), std::uint8_t{0});
  if (wrong != found.end()) {
    gridstarts::refuse(sources[static_cast<std::size_t>(wrong - found.begin())]);
  }
  gridstarts::start<ExecutionSpace, Dim>(space, set, grid, sources, radius, times, factoring);
}

template <class ExecutionSpace, int Dim>
void labelAroundPoints(const ExecutionSpace& space, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
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
  gridstarts::labelSources<ExecutionSpace, Dim>(space, set, grid, factoring, times, labels);
  forEach(SPANWISE_KERNEL("number labels"), IndexRange<ExecutionSpace>(space, 0, grid.numCells()),
    NumberLabels<Dim>{factoring.sources(), labels.data()});
}

template <class ExecutionSpace, int Dim>
std::int64_t startAtCells(const ExecutionSpace& space, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& sources, double time,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times) {
  SPANWISE_REGION("Eikonal::startAtCells");
  if (!std::isfinite(time)) {
    throw InvalidArgument("the time of the sources is " + numberText(time) + ": it must be finite");
  }
  if (static_cast<std::int64_t>(times.extent(0)) != set.numCells()) {
    throw InvalidArgument("there are " + std::to_string(times.extent(0)) + " times and " +
      std::to_string(set.numCells()) + " cells: each cell has one time");
  }
  std::int64_t count = 0;
  reduce(SPANWISE_KERNEL("start in cells"), IndexRange<ExecutionSpace>(space, 0, sources.numIntervals()),
    StartInCells<Dim>{set.view(), sources.view(), time, times.data()}, count);
  return count;
}

#define SPANWISE_GRID_STARTS(Space, Dim)                                                                               \
  template std::vector<std::uint8_t> gridstarts::findMedium<Space, Dim>(const Space&,                                  \
    const geometry::IntervalSetOn<Dim, Space>&, const Grid<Dim, Space::memory_space>&, std::int64_t, std::int64_t,     \
    std::vector<FactoredSource<Dim>>&);                                                                                \
  template void gridstarts::labelSources<Space, Dim>(const Space&, const geometry::IntervalSetOn<Dim, Space>&,         \
    const Grid<Dim, Space::memory_space>&, const GridFactoring<Dim, Space::memory_space>&,                             \
    const Kokkos::View<double*, Space::memory_space>&, const Kokkos::View<std::int32_t*, Space::memory_space>&);       \
  template void gridstarts::start<Space, Dim>(const Space&, const geometry::IntervalSetOn<Dim, Space>&,                \
    const Grid<Dim, Space::memory_space>&, const std::vector<FactoredSource<Dim>>&, double,                            \
    const Kokkos::View<double*, Space::memory_space>&, GridFactoring<Dim, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_GRID_STARTS)

template std::vector<FactoredSource<2>> gridstarts::sourcesAt<2>(const std::vector<PointSource<2>>&, double);
template std::vector<FactoredSource<3>> gridstarts::sourcesAt<3>(const std::vector<PointSource<3>>&, double);
template void gridstarts::refuse<2>(const FactoredSource<2>&);
template void gridstarts::refuse<3>(const FactoredSource<3>&);

#define SPANWISE_GRID_SOURCES(Space, Dim)                                                                              \
  template void labelAroundPoints<Space, Dim>(const Space&, const geometry::IntervalSetOn<Dim, Space>&,                \
    const Grid<Dim, Space::memory_space>&, const GridFactoring<Dim, Space::memory_space>&,                             \
    const Kokkos::View<double*, Space::memory_space>&, const Kokkos::View<std::int32_t*, Space::memory_space>&);       \
  template void startAtPoints<Space, Dim>(const Space&, const geometry::IntervalSetOn<Dim, Space>&,                    \
    const Grid<Dim, Space::memory_space>&, const std::vector<PointSource<Dim>>&, double,                               \
    const Kokkos::View<double*, Space::memory_space>&, GridFactoring<Dim, Space::memory_space>&);                      \
  template std::int64_t startAtCells<Space, Dim>(const Space&, const geometry::IntervalSetOn<Dim, Space>&,             \
    const geometry::IntervalSetOn<Dim, Space>&, double, const Kokkos::View<double*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_GRID_SOURCES)

} // namespace spanwise::eikonal
