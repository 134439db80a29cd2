#include "Core/Geometry/Detail/LabelIntervals.hpp"

#include "Core/Geometry/Detail/Labels.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Runtime/UnionFind.hpp"

namespace spanwise::geometry::detail {

namespace {

/// Intervals of a row that one thread joins to their neighbours: the place where it begins in the other rows is looked
/// up once for all of them. Few on a device, which wants more threads than there are rows.
template <class ExecutionSpace>
constexpr std::int64_t intervalsPerChunk = runsOnHost<ExecutionSpace> ? 64 : 4;

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
    const int maxAxes = joins.connectivity == Connectivity::Face ? 1 : joins.connectivity == Connectivity::Edge ? 2 : 3;
    for (int dz = Dim == 3 ? -1 : 0; dz <= (Dim == 3 ? 1 : 0); ++dz) {
      for (int dy = -1; dy <= 1; ++dy) {
        const int axes = Kokkos::abs(dy) + Kokkos::abs(dz);
        std::int64_t y = std::int64_t{key.y} + dy;
        std::int64_t z = std::int64_t{key.zOr0()} + dz;
        bool crosses = wrap(1, y);
        if constexpr (Dim == 3) {
          crosses = wrap(2, z) || crosses;
        }
        if (axes > maxAxes || !(crosses || reachesEnd) || !isCellCoordinate(y) || !isCellCoordinate(z)) {
          continue;
        }
        const std::int64_t other =
          set.findRow(RowKey<Dim>::fromYZ(static_cast<Coordinate>(y), static_cast<Coordinate>(z)));
        if (other < 0) {
          continue;
        }
        const std::int64_t reach = axes < maxAxes ? 1 : 0;
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

} // namespace

template <class ExecutionSpace, int Dim>
std::int64_t labelIntervals(const Context<ExecutionSpace>& context, Connectivity connectivity,
  const IntervalSetOn<Dim, ExecutionSpace>& set,
  const Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& labels, const Periods<Dim>& periods) {
  const ExecutionSpace& space = context.space();

  checkLabels(labels, set.numIntervals());
  if (set.empty()) {
    return 0;
  }
  const IntervalSetView<Dim> view = set.view();
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  std::int64_t* const chunks = frame.template array<std::int64_t>(view.numRows + 1).data();
  std::int64_t* const parents = frame.template array<std::int64_t>(view.numIntervals).data();
  std::int64_t* const numbers = frame.template array<std::int64_t>(view.numIntervals).data();
  std::int64_t* const labelOf = labels.data();
  const UnionFind trees(parents);
  const IndexRange<ExecutionSpace> overIntervals(space, 0, view.numIntervals);

  constexpr std::int64_t perChunk = intervalsPerChunk<ExecutionSpace>;
  forEach(
    SPANWISE_KERNEL("count chunks"), IndexRange<ExecutionSpace>(space, 0, view.numRows), KOKKOS_LAMBDA(std::int64_t r) {
      chunks[r] = (view.rowOffsets[r + 1] - view.rowOffsets[r] + perChunk - 1) / perChunk;
    });
  forEach(SPANWISE_KERNEL("plant trees"), overIntervals, KOKKOS_LAMBDA(std::int64_t i) { parents[i] = i; });
  const std::int64_t numChunks = exclusiveScan(space, SPANWISE_KERNEL("scan chunks"), chunks, view.numRows);
  const JoinNeighbours<Dim, perChunk> joins{view, connectivity, trees};
  forEachPart(space, SPANWISE_KERNEL("join neighbours"), chunks, view.numRows, numChunks, joins);
  if (periods.any()) {
    forEachPart(space, SPANWISE_KERNEL("join periods"), chunks, view.numRows, numChunks,
      JoinAcrossPeriods<Dim, perChunk>{joins, periods});
  }
  std::int64_t count = 0;
  const auto numberRoots = KOKKOS_LAMBDA(std::int64_t i, std::int64_t& number, bool final) {
    if (parents[i] == i) {
      if (final) {
        numbers[i] = number;
      }
      ++number;
    }
  };
  scan(SPANWISE_KERNEL("number roots"), overIntervals, numberRoots, count);
  forEach(
    SPANWISE_KERNEL("label intervals"), overIntervals,
    KOKKOS_LAMBDA(std::int64_t i) { labelOf[i] = numbers[trees.root(i)]; });
  return count;
}

#define SPANWISE_LABEL_INTERVALS(Space, Dim)                                                                           \
  template std::int64_t labelIntervals<Space, Dim>(const Context<Space>&, Connectivity,                                \
    const IntervalSetOn<Dim, Space>&, const Kokkos::View<std::int64_t*, Space::memory_space>&, const Periods<Dim>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_LABEL_INTERVALS)

} // namespace spanwise::geometry::detail
