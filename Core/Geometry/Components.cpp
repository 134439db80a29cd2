#include "Core/Geometry/Components.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Detail/Labels.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Geometry/ResizeIntervals.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Sharing.hpp"
#include "Core/Runtime/UnionFind.hpp"

#include <string>

namespace spanwise {

namespace {

/// Intervals of a row that one thread joins to their neighbours: the place where it begins in the other rows is looked
/// up once for all of them. Few on a device, which wants more threads than there are rows.
template <class ExecutionSpace>
constexpr std::int64_t intervalsPerChunk = runsOnHost<ExecutionSpace> ? 64 : 4;

template <int Dim, std::int64_t intervalsPerChunk>
struct CountChunks {
  IntervalSetView<Dim> set;
  std::int64_t* chunks;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    chunks[r] = (set.rowOffsets[r + 1] - set.rowOffsets[r] + intervalsPerChunk - 1) / intervalsPerChunk;
  }
};

struct NumberEach {
  std::int64_t* numbers;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { numbers[i] = i; }
};

/// Joins the intervals of a chunk to those that they touch in the rows before.
template <int Dim, std::int64_t intervalsPerChunk>
struct JoinNeighbours {
  IntervalSetView<Dim> set;
  Connectivity connectivity;
  UnionFind trees;

  KOKKOS_FUNCTION void operator()(std::int64_t r, std::int64_t chunk, std::int64_t /*part*/) const {
    const std::int64_t begin = set.rowOffsets[r] + chunk * intervalsPerChunk;
    const std::int64_t end = Kokkos::min(begin + intervalsPerChunk, set.rowOffsets[r + 1]);
    const RowKey<Dim> key = set.rowKeys[r];
    const bool diagonally = connectivity != Connectivity::Face;
    if (r > 0 && key.y != minCoordinate && set.rowKeys[r - 1] == RowKey<Dim>::fromYZ(key.y - 1, key.zOr0())) {
      joinRow(begin, end, r - 1, diagonally ? 1 : 0);
    }
    if constexpr (Dim == 3) {
      if (key.z == minCoordinate) {
        return;
      }
      // Of the plane before, the rows y - 1, y and y + 1 lie behind each other.
      const Coordinate y = diagonally && key.y != minCoordinate ? key.y - 1 : key.y;
      const std::int64_t lastY = std::int64_t{key.y} + (diagonally ? 1 : 0);
      for (std::int64_t other = set.lowerRow({y, key.z - 1}); other < r; ++other) {
        const RowKey<Dim> otherKey = set.rowKeys[other];
        if (otherKey.z != key.z - 1 || otherKey.y > lastY) {
          break;
        }
        const bool sameY = otherKey.y == key.y;
        joinRow(begin, end, other, connectivity == Connectivity::Vertex || (diagonally && sameY) ? 1 : 0);
      }
    }
  }

  /// Joins the intervals [begin, end) to those of another row that overlap them if moved by up to `reach`.
  KOKKOS_FUNCTION void joinRow(std::int64_t begin, std::int64_t end, std::int64_t other, std::int64_t reach) const {
    const std::int64_t otherEnd = set.rowOffsets[other + 1];
    const std::int64_t least = Kokkos::max<std::int64_t>(set.intervals[begin].begin - reach, minCoordinate);
    std::int64_t next = set.lowerInterval(other, static_cast<Coordinate>(least));
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t from = set.intervals[i].begin - reach;
      const std::int64_t to = set.intervals[i].end + reach;
      while (next < otherEnd && set.intervals[next].end <= from) {
        ++next;
      }
      for (std::int64_t j = next; j < otherEnd && set.intervals[j].begin < to; ++j) {
        trees.join(i, j);
      }
    }
  }
};

/// Joins the intervals of a chunk to those that they touch across the ends of a period.
template <int Dim, std::int64_t intervalsPerChunk>
struct JoinAcrossPeriods {
  JoinNeighbours<Dim, intervalsPerChunk> joins;
  Periods<Dim> periods;

  KOKKOS_FUNCTION void operator()(std::int64_t r, std::int64_t chunk, std::int64_t /*part*/) const {
    const IntervalSetView<Dim>& set = joins.set;
    const std::int64_t begin = set.rowOffsets[r] + chunk * intervalsPerChunk;
    const std::int64_t end = Kokkos::min(begin + intervalsPerChunk, set.rowOffsets[r + 1]);
    const RowKey<Dim> key = set.rowKeys[r];
    const bool reachesEnd = periods.along[0] && set.intervals[end - 1].end == periods.box.end[0];
    const int mostAxes = joins.connectivity == Connectivity::Face ? 1
      : joins.connectivity == Connectivity::Edge                  ? 2
                                                                  : 3;
    for (int dz = Dim == 3 ? -1 : 0; dz <= (Dim == 3 ? 1 : 0); ++dz) {
      for (int dy = -1; dy <= 1; ++dy) {
        const int axes = Kokkos::abs(dy) + Kokkos::abs(dz);
        std::int64_t y = std::int64_t{key.y} + dy;
        std::int64_t z = std::int64_t{key.zOr0()} + dz;
        bool crosses = wrap(1, y);
        if constexpr (Dim == 3) {
          crosses = wrap(2, z) || crosses;
        }
        if (axes > mostAxes || !(crosses || reachesEnd) || !isCellCoordinate(y) || !isCellCoordinate(z)) {
          continue;
        }
        const std::int64_t other =
          set.findRow(RowKey<Dim>::fromYZ(static_cast<Coordinate>(y), static_cast<Coordinate>(z)));
        if (other < 0) {
          continue;
        }
        const std::int64_t reach = axes < mostAxes ? 1 : 0;
        if (crosses) {
          joins.joinRow(begin, end, other, reach);
        }
        // From the last cell of the period along x to the first. The way back is the other row's.
        const std::int64_t first = set.rowOffsets[other];
        if (reachesEnd && reach > 0 && set.intervals[first].begin == periods.box.begin[0]) {
          joins.trees.join(end - 1, first);
        }
      }
    }
  }

  /// Moves a coordinate into the period; whether it was outside.
  [[nodiscard]] KOKKOS_FUNCTION bool wrap(int axis, std::int64_t& at) const {
    if (!periods.along[axis]) {
      return false;
    }
    const std::int64_t before = at;
    at += at < periods.box.begin[axis] ? periods.box.extent(axis) : 0;
    at -= at >= periods.box.end[axis] ? periods.box.extent(axis) : 0;
    return at != before;
  }
};

/// Numbers the roots in order.
struct NumberRoots {
  const std::int64_t* parents;
  std::int64_t* numbers;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& number, bool final) const {
    if (parents[i] == i) {
      if (final) {
        numbers[i] = number;
      }
      ++number;
    }
  }
};

struct LabelIntervals {
  UnionFind trees;
  const std::int64_t* numbers;
  std::int64_t* labels;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { labels[i] = numbers[trees.root(i)]; }
};

template <int Dim>
struct AddSizes {
  IntervalSetView<Dim> set;
  const std::int64_t* labels;
  std::int64_t* sizes;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    Kokkos::atomic_add(sizes + labels[i], set.cellOffsets[i + 1] - set.cellOffsets[i]);
  }
};

struct ClearSizes {
  std::int64_t* sizes;
  KOKKOS_FUNCTION void operator()(std::int64_t c) const { sizes[c] = 0; }
};

struct MarkSelected {
  const std::int64_t* labels;
  const std::int64_t* numbers; ///< null: the labels themselves
  std::int64_t lowest;
  std::int64_t highest;
  std::int64_t* marks;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t number = numbers == nullptr ? labels[i] : numbers[labels[i]];
    marks[i] = static_cast<std::int64_t>(number >= lowest && number <= highest);
  }
};

/// Keeps the intervals that `mark` marks, but for where it writes the marks.
template <class ExecutionSpace, int Dim>
void select(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set, MarkSelected mark,
  IntervalSetOn<Dim, ExecutionSpace>& out, Workspace<typename ExecutionSpace::memory_space>& workspace) {
  out.clear();
  if (set.empty()) {
    return;
  }
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(workspace);
  detail::ResizePlan<Dim> plan{};
  plan.from = set.view();
  plan.begun = frame.template array<std::int64_t>(set.numIntervals() + 1).data();
  plan.out = out.prepare(set.numRows(), set.numIntervals());
  mark.marks = plan.begun;
  forEach(SPANWISE_KERNEL("mark selected"), IndexRange<ExecutionSpace>(space, 0, set.numIntervals()), mark);
  const SetTotals totals = detail::placeBegun(space, plan);
  out.finish(totals.rows, totals.intervals, totals.cells);
}

/// A component, and how many cells it has.
struct Largest {
  std::int64_t component;
  std::int64_t size;
};

/// The first of the largest components; -1 if there is none.
struct FindLargest {
  using value_type = Largest;
  const std::int64_t* sizes;

  KOKKOS_FUNCTION void init(Largest& largest) const { largest = {-1, -1}; }
  KOKKOS_FUNCTION void join(Largest& largest, const Largest& other) const {
    if (other.size > largest.size || (other.size == largest.size && other.component < largest.component)) {
      largest = other;
    }
  }
  KOKKOS_FUNCTION void operator()(std::int64_t c, Largest& largest) const { join(largest, {c, sizes[c]}); }
};

/// A reduction over one index, which gives the one result to the host.
template <int Dim>
struct FindComponent {
  using value_type = std::int64_t;
  IntervalSetView<Dim> set;
  const std::int64_t* labels;
  Cell<Dim> cell;

  KOKKOS_FUNCTION void init(std::int64_t& component) const { component = -1; }
  KOKKOS_FUNCTION void join(std::int64_t& component, const std::int64_t& other) const {
    component = Kokkos::max(component, other);
  }
  KOKKOS_FUNCTION void operator()(std::int64_t /*one*/, std::int64_t& component) const {
    const std::int64_t number = set.findCell(cell);
    component = number < 0 ? -1 : labels[set.intervalOfCell(number)];
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
std::int64_t connectedComponents(const ExecutionSpace& space, Connectivity connectivity,
  const IntervalSetOn<Dim, ExecutionSpace>& set, const ComponentNumbers<ExecutionSpace>& labels,
  Workspace<typename ExecutionSpace::memory_space>& workspace, const Periods<Dim>& periods) {
  SPANWISE_REGION("Geometry::connectedComponents");
  detail::checkLabels(labels, set.numIntervals());
  checkPeriods<ExecutionSpace, Dim>(space, set, periods);
  if (set.empty()) {
    return 0;
  }
  const IntervalSetView<Dim> view = set.view();
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(workspace);
  std::int64_t* const chunks = frame.template array<std::int64_t>(view.numRows + 1).data();
  std::int64_t* const parents = frame.template array<std::int64_t>(view.numIntervals).data();
  std::int64_t* const numbers = frame.template array<std::int64_t>(view.numIntervals).data();
  const UnionFind trees(parents);
  const IndexRange<ExecutionSpace> overIntervals(space, 0, view.numIntervals);

  constexpr std::int64_t perChunk = intervalsPerChunk<ExecutionSpace>;
  forEach(SPANWISE_KERNEL("count chunks"), IndexRange<ExecutionSpace>(space, 0, view.numRows),
    CountChunks<Dim, perChunk>{view, chunks});
  forEach(SPANWISE_KERNEL("plant trees"), overIntervals, NumberEach{parents});
  const std::int64_t numChunks = exclusiveScan(space, SPANWISE_KERNEL("scan chunks"), chunks, view.numRows);
  const JoinNeighbours<Dim, perChunk> joins{view, connectivity, trees};
  forEachPart(space, SPANWISE_KERNEL("join neighbours"), chunks, view.numRows, numChunks, joins);
  if (periods.any()) {
    forEachPart(space, SPANWISE_KERNEL("join periods"), chunks, view.numRows, numChunks,
      JoinAcrossPeriods<Dim, perChunk>{joins, periods});
  }
  std::int64_t count = 0;
  scan(SPANWISE_KERNEL("number roots"), overIntervals, NumberRoots{parents, numbers}, count);
  forEach(SPANWISE_KERNEL("label intervals"), overIntervals, LabelIntervals{trees, numbers, labels.data()});
  return count;
}

template <class ExecutionSpace, int Dim>
void componentSizes(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const ComponentNumbers<ExecutionSpace>& labels, const ComponentNumbers<ExecutionSpace>& sizes) {
  detail::checkLabels(labels, set.numIntervals());
  forEach(SPANWISE_KERNEL("clear sizes"),
    IndexRange<ExecutionSpace>(space, 0, static_cast<std::int64_t>(sizes.extent(0))), ClearSizes{sizes.data()});
  forEach(SPANWISE_KERNEL("add sizes"), IndexRange<ExecutionSpace>(space, 0, set.numIntervals()),
    AddSizes<Dim>{set.view(), labels.data(), sizes.data()});
}

template <class ExecutionSpace, int Dim>
void selectComponents(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const ComponentNumbers<ExecutionSpace>& labels, const ComponentNumbers<ExecutionSpace>& numbers, std::int64_t lowest,
  std::int64_t highest, IntervalSetOn<Dim, ExecutionSpace>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  detail::checkLabels(labels, set.numIntervals());
  select<ExecutionSpace, Dim>(space, set, {labels.data(), numbers.data(), lowest, highest, nullptr}, out, workspace);
}

template <class ExecutionSpace, int Dim>
void selectLabels(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const ComponentNumbers<ExecutionSpace>& labels, std::int64_t lowest, std::int64_t highest,
  IntervalSetOn<Dim, ExecutionSpace>& out, Workspace<typename ExecutionSpace::memory_space>& workspace) {
  detail::checkLabels(labels, set.numIntervals());
  select<ExecutionSpace, Dim>(space, set, {labels.data(), nullptr, lowest, highest, nullptr}, out, workspace);
}

template <class ExecutionSpace>
std::int64_t largestComponent(const ExecutionSpace& space, const ComponentNumbers<ExecutionSpace>& sizes) {
  Largest largest{-1, -1};
  reduce(SPANWISE_KERNEL("find largest"),
    IndexRange<ExecutionSpace>(space, 0, static_cast<std::int64_t>(sizes.extent(0))), FindLargest{sizes.data()},
    largest);
  return largest.component;
}

template <class ExecutionSpace, int Dim>
std::int64_t componentOf(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const ComponentNumbers<ExecutionSpace>& labels, const Cell<Dim>& cell) {
  detail::checkLabels(labels, set.numIntervals());
  std::int64_t component = -1;
  if (!set.empty()) {
    reduce(SPANWISE_KERNEL("find component"), IndexRange<ExecutionSpace>(space, 0, 1),
      FindComponent<Dim>{set.view(), labels.data(), cell}, component);
  }
  return component;
}

template <int Dim>
Box<Dim> boxOfHoles(const Box<Dim>& cells, const Periods<Dim>& periods) {
  Box<Dim> box = cells;
  bool open = false;
  for (int axis = 0; axis < Dim; ++axis) {
    if (periods.along[axis]) {
      box.begin[axis] = periods.box.begin[axis];
      box.end[axis] = periods.box.end[axis];
      continue;
    }
    open = true;
    if (box.begin[axis] == minCoordinate || box.end[axis] == maxIntervalEnd) {
      throw CoordinateOverflow("the cells " + toString(cells) +
        " reach the coordinate limits [-2^31, 2^31 - 2]; to find holes there must be a cell around them");
    }
    --box.begin[axis];
    ++box.end[axis];
  }
  if (!open) {
    throw InvalidArgument("all " + std::to_string(Dim) +
      " axes are periodic, so that nothing is outside, and holes are what the outside does not reach; one axis at "
      "least must not be periodic");
  }
  return box;
}

template <class ExecutionSpace, int Dim>
void fillHoles(const ExecutionSpace& space, Connectivity connectivity, const IntervalSetOn<Dim, ExecutionSpace>& set,
  IntervalSetOn<Dim, ExecutionSpace>& out, Workspace<typename ExecutionSpace::memory_space>& workspace,
  const Periods<Dim>& periods) {
  SPANWISE_REGION("Geometry::fillHoles");
  const auto kept = sharing(set);
  out.clear();
  checkPeriods<ExecutionSpace, Dim>(space, kept, periods);
  const Box<Dim> box = boxOfHoles(boundingBox<ExecutionSpace, Dim>(space, kept), periods);
  if (kept.empty()) {
    return;
  }
  using Set = IntervalSetOn<Dim, ExecutionSpace>;
  Set background;
  complement<ExecutionSpace, Dim>(space, kept, box, background, workspace);
  const ComponentNumbers<ExecutionSpace> labels(
    SPANWISE_LABEL("Geometry::labels"), static_cast<std::size_t>(background.numIntervals()));
  connectedComponents<ExecutionSpace, Dim>(space, connectivity, background, labels, workspace, periods);
  // Outside are the components of the first and of the last cell: the first is number 0.
  Cell<Dim> last{};
  for (int axis = 0; axis < Dim; ++axis) {
    last.at[axis] = box.end[axis] - 1;
  }
  const std::int64_t other = componentOf<ExecutionSpace, Dim>(space, background, labels, last);
  Set outside;
  selectLabels<ExecutionSpace, Dim>(space, background, labels, 0, 0, outside, workspace);
  if (other != 0) {
    Set above;
    Set both;
    selectLabels<ExecutionSpace, Dim>(space, background, labels, other, other, above, workspace);
    combine<ExecutionSpace, Dim>(space, SetOperation::Union, outside, above, both, workspace);
    outside = both;
  }
  complement<ExecutionSpace, Dim>(space, outside, box, out, workspace);
}

template Box<2> boxOfHoles<2>(const Box<2>&, const Periods<2>&);
template Box<3> boxOfHoles<3>(const Box<3>&, const Periods<3>&);

#define SPANWISE_COMPONENTS(Space, Dim)                                                                                \
  template std::int64_t connectedComponents<Space, Dim>(const Space&, Connectivity, const IntervalSetOn<Dim, Space>&,  \
    const ComponentNumbers<Space>&, Workspace<Space::memory_space>&, const Periods<Dim>&);                             \
  template void componentSizes<Space, Dim>(                                                                            \
    const Space&, const IntervalSetOn<Dim, Space>&, const ComponentNumbers<Space>&, const ComponentNumbers<Space>&);   \
  template void selectComponents<Space, Dim>(const Space&, const IntervalSetOn<Dim, Space>&,                           \
    const ComponentNumbers<Space>&, const ComponentNumbers<Space>&, std::int64_t, std::int64_t,                        \
    IntervalSetOn<Dim, Space>&, Workspace<Space::memory_space>&);                                                      \
  template void selectLabels<Space, Dim>(const Space&, const IntervalSetOn<Dim, Space>&,                               \
    const ComponentNumbers<Space>&, std::int64_t, std::int64_t, IntervalSetOn<Dim, Space>&,                            \
    Workspace<Space::memory_space>&);                                                                                  \
  template std::int64_t componentOf<Space, Dim>(                                                                       \
    const Space&, const IntervalSetOn<Dim, Space>&, const ComponentNumbers<Space>&, const Cell<Dim>&);                 \
  template void fillHoles<Space, Dim>(const Space&, Connectivity, const IntervalSetOn<Dim, Space>&,                    \
    IntervalSetOn<Dim, Space>&, Workspace<Space::memory_space>&, const Periods<Dim>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_COMPONENTS)

#define SPANWISE_LARGEST_COMPONENT(Space)                                                                              \
  template std::int64_t largestComponent<Space>(const Space&, const ComponentNumbers<Space>&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_LARGEST_COMPONENT)

} // namespace spanwise
