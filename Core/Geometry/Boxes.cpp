#include "Core/Geometry/Boxes.hpp"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Scan.hpp"

#include <utility>

namespace spanwise::geometry {

namespace {

/// So many boxes are looked up one after the other: each lookup goes on from the one before.
template <class ExecutionSpace>
constexpr std::int64_t boxesPerPart = runsOnHost<ExecutionSpace> ? 256 : 1;

template <int Dim>
KOKKOS_INLINE_FUNCTION Cell<Dim> firstCell(const Box<Dim>& box) {
  Cell<Dim> cell{};
  for (int d = 0; d < Dim; ++d) {
    cell.at[d] = box.begin[d];
  }
  return cell;
}

/// Finds for each of the boxes, which are one cell thick along `axis` and in the order of their first cells, the one
/// with the same cross-section right below it, or the box itself if there is none.
template <int Dim>
struct FindBoxesBelow {
  const Box<Dim>* boxes;
  std::int64_t count;
  std::int64_t perPart;
  int axis;
  std::int64_t* below;

  KOKKOS_FUNCTION void operator()(std::int64_t part) const {
    std::int64_t found = part * perPart;
    for (std::int64_t b = part * perPart; b < Kokkos::min((part + 1) * perPart, count); ++b) {
      below[b] = b;
      if (boxes[b].begin[axis] == minCoordinate) {
        continue;
      }
      Cell<Dim> first = firstCell(boxes[b]);
      --first.at[axis];
      found = firstTrue(0, b, found, [&](std::int64_t other) { return !(firstCell(boxes[other]) < first); });
      if (found < b && continues(boxes[found], boxes[b])) {
        below[b] = found;
      }
    }
  }

  [[nodiscard]] KOKKOS_FUNCTION bool continues(const Box<Dim>& low, const Box<Dim>& high) const {
    bool same = low.end[axis] == high.begin[axis];
    for (int d = 0; d < Dim; ++d) {
      same = same && (d == axis || (low.begin[d] == high.begin[d] && low.end[d] == high.end[d]));
    }
    return same;
  }
};

/// Boxes that continue each other along an axis.
struct Stacks {
  int axis;
  std::int64_t count;
  const std::int64_t* lowest;  ///< of each box: the lowest one of its stack
  const std::int64_t* numbers; ///< of each lowest box: the stack
};

template <class ExecutionSpace, int Dim, class Frame>
Stacks findStacks(const ExecutionSpace& space, const Box<Dim>* boxes, std::int64_t count, int axis, Frame& frame) {
  constexpr std::int64_t perPart = boxesPerPart<ExecutionSpace>;
  const IndexRange<ExecutionSpace> overBoxes(space, 0, count);
  std::int64_t* lowest = frame.template array<std::int64_t>(count).data();
  std::int64_t* other = frame.template array<std::int64_t>(count).data();
  std::int64_t* const numbers = frame.template array<std::int64_t>(count + 1).data();
  forEach(SPANWISE_KERNEL("boxes below"), IndexRange<ExecutionSpace>(space, 0, (count + perPart - 1) / perPart),
    FindBoxesBelow<Dim>{boxes, count, perPart, axis, lowest}, Work{count});
  for (std::int64_t changes = 1; changes > 0;) {
    reduce(
      SPANWISE_KERNEL("double steps"), overBoxes,
      KOKKOS_LAMBDA(std::int64_t b, std::int64_t& longer) {
        const std::int64_t step = lowest[b];
        other[b] = lowest[step];
        longer += static_cast<std::int64_t>(other[b] != step);
      },
      changes);
    std::swap(lowest, other);
  }
  forEach(
    SPANWISE_KERNEL("mark lowest"), overBoxes,
    KOKKOS_LAMBDA(std::int64_t b) { numbers[b] = static_cast<std::int64_t>(lowest[b] == b); });
  return {axis, exclusiveScan(space, SPANWISE_KERNEL("scan boxes"), numbers, count), lowest, numbers};
}

/// Writes each stack as one box.
template <class ExecutionSpace, int Dim>
void placeStacks(
  const ExecutionSpace& space, const Box<Dim>* boxes, std::int64_t count, const Stacks& stacks, Box<Dim>* out) {
  const IndexRange<ExecutionSpace> overBoxes(space, 0, count);
  forEach(
    SPANWISE_KERNEL("place lowest"), overBoxes, KOKKOS_LAMBDA(std::int64_t b) {
      if (stacks.lowest[b] == b) {
        out[stacks.numbers[b]] = boxes[b];
      }
    });
  forEach(
    SPANWISE_KERNEL("raise ends"), overBoxes, KOKKOS_LAMBDA(std::int64_t b) {
      const std::int64_t lowest = stacks.lowest[b];
      if (lowest != b) {
        Kokkos::atomic_max(&out[stacks.numbers[lowest]].end[stacks.axis], boxes[b].end[stacks.axis]);
      }
    });
}

} // namespace

template <class ExecutionSpace, int Dim>
void boxesOf(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  ListOn<Box<Dim>, ExecutionSpace>& out) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Geometry::boxesOf");
  out.clear();
  if (set.empty()) {
    return;
  }
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const IntervalSetView<Dim> view = set.view();
  std::int64_t count = view.numIntervals;
  Box<Dim>* boxes = frame.template array<Box<Dim>>(count).data();
  forEachPart(
    space, SPANWISE_KERNEL("interval boxes"), view.rowOffsets, view.numRows, count,
    KOKKOS_LAMBDA(std::int64_t row, std::int64_t /*k*/, std::int64_t i) {
      const RowKey<Dim> key = view.rowKeys[row];
      Box<Dim> box{};
      box.begin[0] = view.intervals[i].begin;
      box.end[0] = view.intervals[i].end;
      box.begin[1] = key.y;
      box.end[1] = key.y + 1;
      if constexpr (Dim == 3) {
        box.begin[2] = key.z;
        box.end[2] = key.z + 1;
      }
      boxes[i] = box;
    });
  for (int axis = 1; axis < Dim; ++axis) {
    const Stacks stacks = findStacks<ExecutionSpace, Dim>(space, boxes, count, axis, frame);
    Box<Dim>* const joined =
      axis == Dim - 1 ? out.prepare(stacks.count) : frame.template array<Box<Dim>>(stacks.count).data();
    placeStacks<ExecutionSpace, Dim>(space, boxes, count, stacks, joined);
    boxes = joined;
    count = stacks.count;
  }
}

#define SPANWISE_BOXES_OF(Space, Dim)                                                                                  \
  template void boxesOf<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&, ListOn<Box<Dim>, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_BOXES_OF)

} // namespace spanwise::geometry
