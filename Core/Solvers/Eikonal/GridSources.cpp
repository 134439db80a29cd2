#include "Core/Solvers/Eikonal/GridSources.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/Alike.hpp"
#include "Core/Parallel/Migration.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/SetAll.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/Eikonal/Detail/CheckCellCount.hpp"
#include "Core/Solvers/Eikonal/Detail/GridStarts.hpp"
#include "Core/Solvers/Eikonal/Detail/SourceTree.hpp"
#include "Core/Solvers/Eikonal/Detail/StraightLine.hpp"
#include "Core/Solvers/Eikonal/GridLocator.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <vector>

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
  bool byNumber;        ///< labels are the numbers of sources in their list

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
      Kokkos::atomic_fetch_min(&labels[number], byNumber ? source.number : static_cast<std::int32_t>(item / numAround));
    }
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

/// Points as sources in a medium that is not known yet, by place.
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
    source.number = static_cast<std::int32_t>(sources.size());
    if (!std::isfinite(point.time)) {
      throw InvalidArgument("the time of the source at " + pointText(source.at, Dim) + " is " + numberText(point.time) +
        ": it must be finite");
    }
    sources.push_back(source);
  }
  std::sort(sources.begin(), sources.end(), comesBefore<Dim>);
  return sources;
}

/// Collective. Throws on all ranks where they give different points.
template <int Dim>
void checkSamePoints(const Communicator& communicator, const std::vector<PointSource<Dim>>& points) {
  using Words = std::array<std::int64_t, Dim + 1>;
  const auto count = static_cast<std::int64_t>(points.size());
  bool same = communicator.alone() || parallel::areAlike(communicator, std::span(&count, 1));
  if (same && !communicator.alone()) {
    std::vector<std::int64_t> all;
    for (const PointSource<Dim>& point : points) {
      const auto words = std::bit_cast<Words>(point);
      all.insert(all.end(), words.begin(), words.end());
    }
    same = parallel::areAlike(communicator, all);
  }
  if (!same) {
    throw InvalidArgument("ranks give other source points than each other: all must give the same");
  }
}

/// What a rank knows of a source: it is in one of its cells.
struct Medium {
  std::int64_t source;
  SymmetricTensor inverse;
};

/// The media at the sources that are in own cells, but walls. O(sources * log rows).
template <class ExecutionSpace, int Dim>
std::vector<Medium> mediaOf(
  const ExecutionSpace& space, const Grid<Dim, ExecutionSpace>& grid, std::vector<FactoredSource<Dim>> sources) {
  using Memory = typename ExecutionSpace::memory_space;
  std::vector<std::uint8_t> found(sources.size());
  const Kokkos::View<FactoredSource<Dim>*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> onHost(
    sources.data(), sources.size());
  const Kokkos::View<std::uint8_t*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> foundOnHost(
    found.data(), found.size());
  const auto onDevice = Kokkos::create_mirror_view_and_copy(Memory(), onHost);
  const auto foundOnDevice = Kokkos::create_mirror_view(Memory(), foundOnHost);
  forEach(SPANWISE_KERNEL("look at sources"), IndexRange<ExecutionSpace>(space, 0, sources.size()),
    LookAtSources<Dim>{
      {grid.view(), grid.set().view()}, grid.owned().begin, grid.owned().end, onDevice.data(), foundOnDevice.data()});
  space.fence(SPANWISE_LABEL("Eikonal::sources"));
  Kokkos::deep_copy(onHost, onDevice);
  Kokkos::deep_copy(foundOnHost, foundOnDevice);
  std::vector<Medium> media;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    if (found[s] == 1) {
      media.push_back({static_cast<std::int64_t>(s), sources[s].inverse});
    }
  }
  return media;
}

/// Collective. Sets the media at the sources, each of which must be in a cell of some rank that is no wall.
template <class ExecutionSpace, int Dim>
void setMedia(
  const ExecutionSpace& space, const Grid<Dim, ExecutionSpace>& grid, std::vector<FactoredSource<Dim>>& sources) {
  std::vector<Medium> mine;
  parallel::agree(grid.communicator(), [&] { mine = mediaOf<ExecutionSpace, Dim>(space, grid, sources); });
  std::vector<bool> found(sources.size(), false);
  for (const Medium& medium : grid.communicator().gather(std::span<const Medium>(mine))) {
    const auto s = static_cast<std::size_t>(medium.source);
    sources[s].inverse = medium.inverse;
    found[s] = true;
  }
  for (std::size_t s = 0; s < sources.size(); ++s) {
    if (!found[s]) { // on all ranks
      throw InvalidArgument("the source at " + pointText(sources[s].at, Dim) +
        " is not in a cell of the set, or in a wall: fronts cannot start there");
    }
  }
}

} // namespace

template <class ExecutionSpace, int Dim>
void gridstarts::labelSources(const ExecutionSpace& space, const Grid<Dim, ExecutionSpace>& grid,
  const GridFactoringOn<Dim, ExecutionSpace>& factoring, const CellArray<double, ExecutionSpace>& times,
  const CellArray<std::int32_t, ExecutionSpace>& labels, LabelBy by) {
  setAll(space, labels, noSource);
  forEach(SPANWISE_KERNEL("label around"),
    IndexRange<ExecutionSpace>(space, 0, factoring.numSources() * StartAround<Dim>::numAround),
    StartAround<Dim>{
      {grid.view(), grid.set().view()}, factoring.sources(), times.data(), labels.data(), by == LabelBy::Number});
  forEach(SPANWISE_KERNEL("drop no source"), IndexRange<ExecutionSpace>(space, 0, grid.numCells()),
    DropNoSource{labels.data()});
}

// Sources may be outside of what a rank holds: only cells start from which the line to a source is in the grid.
template <class ExecutionSpace, int Dim>
void startAtPoints(const Context<ExecutionSpace>& context, const Grid<Dim, ExecutionSpace>& grid,
  const std::vector<PointSource<Dim>>& points, double radius, const CellArray<double, ExecutionSpace>& times,
  GridFactoringOn<Dim, ExecutionSpace>& factoring) {
  SPANWISE_REGION("Eikonal::startAtPoints");
  const ExecutionSpace& space = context.space();
  std::vector<FactoredSource<Dim>> sources;
  parallel::agree(grid.communicator(), [&] {
    sources = sourcesAt(points, radius);
    checkCellCount("times", times.extent(0), grid.numCells());
    factoring.setSources(space, {});
  });
  checkSamePoints<Dim>(grid.communicator(), points);
  if (sources.empty()) {
    return;
  }
  setMedia<ExecutionSpace, Dim>(space, grid, sources);
  parallel::agree(grid.communicator(), [&] {
    const auto count = static_cast<std::int64_t>(sources.size());
    const FactoredSource<Dim>* const onDevice = factoring.setSources(space, sources);
    forEach(SPANWISE_KERNEL("start around"), IndexRange<ExecutionSpace>(space, 0, count * StartAround<Dim>::numAround),
      StartAround<Dim>{{grid.view(), grid.set().view()}, onDevice, times.data(), nullptr, false});
    if (radius > 0.0) {
      typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
      const detail::SourceTree tree =
        detail::makeSourceTree(space, PlacesOfSources<Dim>{grid.view(), onDevice}, count, frame);
      forEach(SPANWISE_KERNEL("choose source"), IndexRange<ExecutionSpace>(space, 0, grid.numCells()),
        ChooseSource<Dim>{grid.view(), onDevice, tree, radius, factoring.prepare(grid.numCells())});
    }
  });
}

template <class ExecutionSpace, int Dim>
void labelAroundPoints(const Context<ExecutionSpace>& context, Grid<Dim, ExecutionSpace>& grid,
  const GridFactoringOn<Dim, ExecutionSpace>& factoring, const CellArray<double, ExecutionSpace>& times,
  const CellArray<std::int32_t, ExecutionSpace>& labels) {
  SPANWISE_REGION("Eikonal::labelAroundPoints");
  parallel::agree(grid.communicator(), [&] {
    checkCellCount("times", times.extent(0), grid.numCells());
    checkCellCount("labels", labels.extent(0), grid.numCells());
    gridstarts::labelSources<ExecutionSpace, Dim>(
      context.space(), grid, factoring, times, labels, gridstarts::LabelBy::Number);
  });
  grid.bring(context.space(), labels);
}

template <class ExecutionSpace, int Dim>
std::int64_t startAtCells(const Context<ExecutionSpace>& context, const Grid<Dim, ExecutionSpace>& grid,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& sources, double time,
  const CellArray<double, ExecutionSpace>& times) {
  SPANWISE_REGION("Eikonal::startAtCells");
  const Communicator& communicator = grid.communicator();
  geometry::IntervalSetOn<Dim, ExecutionSpace> here = sources;
  if (!communicator.alone()) {
    parallel::CellMove<ExecutionSpace, Dim> move(communicator);
    migrate<ExecutionSpace, Dim>(context, grid.domain().cut(), sources, here, move);
  }
  std::int64_t count = 0;
  parallel::agree(communicator, [&] {
    if (!std::isfinite(time)) {
      throw InvalidArgument("the time of the sources is " + numberText(time) + ": it must be finite");
    }
    checkCellCount("times", times.extent(0), grid.numCells());
    reduce(SPANWISE_KERNEL("start in cells"), IndexRange<ExecutionSpace>(context.space(), 0, here.numIntervals()),
      StartInCells<Dim>{grid.set().view(), here.view(), time, times.data()}, count);
  });
  return communicator.reduced(ReduceBy::Sum, count);
}

#define SPANWISE_GRID_SOURCES(Space, Dim)                                                                              \
  template void gridstarts::labelSources<Space, Dim>(const Space&, const Grid<Dim, Space>&,                            \
    const GridFactoringOn<Dim, Space>&, const CellArray<double, Space>&, const CellArray<std::int32_t, Space>&,        \
    gridstarts::LabelBy);                                                                                              \
  template void startAtPoints<Space, Dim>(const Context<Space>&, const Grid<Dim, Space>&,                              \
    const std::vector<PointSource<Dim>>&, double, const CellArray<double, Space>&, GridFactoringOn<Dim, Space>&);      \
  template void labelAroundPoints<Space, Dim>(const Context<Space>&, Grid<Dim, Space>&,                                \
    const GridFactoringOn<Dim, Space>&, const CellArray<double, Space>&, const CellArray<std::int32_t, Space>&);       \
  template std::int64_t startAtCells<Space, Dim>(const Context<Space>&, const Grid<Dim, Space>&,                       \
    const geometry::IntervalSetOn<Dim, Space>&, double, const CellArray<double, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_GRID_SOURCES)

} // namespace spanwise::eikonal
