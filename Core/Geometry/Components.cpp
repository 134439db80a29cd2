#include "Core/Geometry/Components.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Detail/Parts.hpp"
#include "Core/Geometry/Detail/ResizeIntervals.hpp"
#include "Core/Geometry/Detail/UnionFind.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Error.hpp"

#include <string>

namespace spanwise {

namespace {

using detail::Range;
using detail::UnionFind;

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
  const std::int64_t* numbers;
  std::int64_t lowest;
  std::int64_t highest;
  std::int64_t* marks;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t number = numbers[labels[i]];
    marks[i] = static_cast<std::int64_t>(number >= lowest && number <= highest);
  }
};

template <class Labels>
void checkLabels(const Labels& labels, std::int64_t numIntervals) {
  if (static_cast<std::int64_t>(labels.extent(0)) != numIntervals) {
    throw InvalidArgument("there are " + std::to_string(labels.extent(0)) + " labels for the " +
      std::to_string(numIntervals) + " intervals of the set; there must be one an interval");
  }
}

} // namespace

template <class ExecutionSpace, int Dim>
std::int64_t connectedComponents(const ExecutionSpace& space, Connectivity connectivity,
  const IntervalSetOn<Dim, ExecutionSpace>& set, const ComponentNumbers<ExecutionSpace>& labels,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Geometry::connectedComponents");
  checkLabels(labels, set.numIntervals());
  if (set.empty()) {
    return 0;
  }
  const IntervalSetView<Dim> view = set.view();
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(workspace);
  std::int64_t* const chunks = frame.template array<std::int64_t>(view.numRows + 1).data();
  std::int64_t* const parents = frame.template array<std::int64_t>(view.numIntervals).data();
  std::int64_t* const numbers = frame.template array<std::int64_t>(view.numIntervals).data();
  const UnionFind trees(parents);
  const Range<ExecutionSpace> overIntervals(space, 0, view.numIntervals);

  constexpr std::int64_t perChunk = intervalsPerChunk<ExecutionSpace>;
  Kokkos::parallel_for(SPANWISE_KERNEL("count chunks"), Range<ExecutionSpace>(space, 0, view.numRows),
    CountChunks<Dim, perChunk>{view, chunks});
  Kokkos::parallel_for(SPANWISE_KERNEL("plant trees"), overIntervals, NumberEach{parents});
  const std::int64_t numChunks = detail::exclusiveScan(space, SPANWISE_KERNEL("scan chunks"), chunks, view.numRows);
  detail::forEachPart(space, SPANWISE_KERNEL("join neighbours"), chunks, view.numRows, numChunks,
    JoinNeighbours<Dim, perChunk>{view, connectivity, trees});
  std::int64_t count = 0;
  scan(SPANWISE_KERNEL("number roots"), overIntervals, NumberRoots{parents, numbers}, count);
  Kokkos::parallel_for(
    SPANWISE_KERNEL("label intervals"), overIntervals, LabelIntervals{trees, numbers, labels.data()});
  return count;
}

template <class ExecutionSpace, int Dim>
void componentSizes(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const ComponentNumbers<ExecutionSpace>& labels, const ComponentNumbers<ExecutionSpace>& sizes) {
  checkLabels(labels, set.numIntervals());
  Kokkos::parallel_for(SPANWISE_KERNEL("clear sizes"),
    Range<ExecutionSpace>(space, 0, static_cast<std::int64_t>(sizes.extent(0))), ClearSizes{sizes.data()});
  Kokkos::parallel_for(SPANWISE_KERNEL("add sizes"), Range<ExecutionSpace>(space, 0, set.numIntervals()),
    AddSizes<Dim>{set.view(), labels.data(), sizes.data()});
}

template <class ExecutionSpace, int Dim>
void selectComponents(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const ComponentNumbers<ExecutionSpace>& labels, const ComponentNumbers<ExecutionSpace>& numbers, std::int64_t lowest,
  std::int64_t highest, IntervalSetOn<Dim, ExecutionSpace>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  checkLabels(labels, set.numIntervals());
  out.clear();
  if (set.empty()) {
    return;
  }
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(workspace);
  detail::ResizePlan<Dim> plan{};
  plan.from = set.view();
  plan.begun = frame.template array<std::int64_t>(set.numIntervals() + 1).data();
  plan.out = out.prepare(set.numRows(), set.numIntervals());
  Kokkos::parallel_for(SPANWISE_KERNEL("mark selected"), Range<ExecutionSpace>(space, 0, set.numIntervals()),
    MarkSelected{labels.data(), numbers.data(), lowest, highest, plan.begun});
  const detail::SetTotals totals = detail::placeBegun(space, plan);
  out.finish(totals.rows, totals.intervals, totals.cells);
}

template <class ExecutionSpace, int Dim>
void fillHoles(const ExecutionSpace& space, Connectivity connectivity, const IntervalSetOn<Dim, ExecutionSpace>& set,
  IntervalSetOn<Dim, ExecutionSpace>& out, Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Geometry::fillHoles");
  out.clear();
  if (set.empty()) {
    return;
  }
  // One cell around the bounding box: all of its border is outside, so the outside is one component, and the first.
  Box<Dim> box = boundingBox<ExecutionSpace, Dim>(space, set);
  for (int axis = 0; axis < Dim; ++axis) {
    if (box.begin[axis] == minCoordinate || box.end[axis] == maxIntervalEnd) {
      throw CoordinateOverflow("the cells " + toString(box) +
        " reach the coordinate limits [-2^31, 2^31 - 2]; to find holes there must be a cell around them");
    }
    --box.begin[axis];
    ++box.end[axis];
  }
  using Set = IntervalSetOn<Dim, ExecutionSpace>;
  Set background;
  complement<ExecutionSpace, Dim>(space, set, box, background, workspace);
  const ComponentNumbers<ExecutionSpace> labels(
    SPANWISE_LABEL("Geometry::labels"), static_cast<std::size_t>(background.numIntervals()));
  const std::int64_t count =
    connectedComponents<ExecutionSpace, Dim>(space, connectivity, background, labels, workspace);
  const ComponentNumbers<ExecutionSpace> numbers(SPANWISE_LABEL("Geometry::numbers"), static_cast<std::size_t>(count));
  Kokkos::parallel_for(
    SPANWISE_KERNEL("number each"), Range<ExecutionSpace>(space, 0, count), NumberEach{numbers.data()});
  Set holes;
  selectComponents<ExecutionSpace, Dim>(space, background, labels, numbers, 1, count, holes, workspace);
  combine<ExecutionSpace, Dim>(space, SetOperation::Union, set, holes, out, workspace);
}

#define SPANWISE_COMPONENTS(Space, Dim)                                                                                \
  template std::int64_t connectedComponents<Space, Dim>(const Space&, Connectivity, const IntervalSetOn<Dim, Space>&,  \
    const ComponentNumbers<Space>&, Workspace<Space::memory_space>&);                                                  \
  template void componentSizes<Space, Dim>(                                                                            \
    const Space&, const IntervalSetOn<Dim, Space>&, const ComponentNumbers<Space>&, const ComponentNumbers<Space>&);   \
  template void selectComponents<Space, Dim>(const Space&, const IntervalSetOn<Dim, Space>&,                           \
    const ComponentNumbers<Space>&, const ComponentNumbers<Space>&, std::int64_t, std::int64_t,                        \
    IntervalSetOn<Dim, Space>&, Workspace<Space::memory_space>&);                                                      \
  template void fillHoles<Space, Dim>(const Space&, Connectivity, const IntervalSetOn<Dim, Space>&,                    \
    IntervalSetOn<Dim, Space>&, Workspace<Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_COMPONENTS)

} // namespace spanwise
