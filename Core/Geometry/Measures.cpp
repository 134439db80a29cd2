#include "Core/Geometry/Measures.hpp"

#include "Core/Geometry/GrowBox.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"

#include <Kokkos_Core.hpp>

namespace spanwise::geometry {

namespace {

// The least begin and the greatest end along each axis: a reduction of boxes.
template <int Dim>
struct BoundingBoxOfRows {
  using value_type = Box<Dim>;
  IntervalSetView<Dim> set;

  KOKKOS_FUNCTION void init(Box<Dim>& box) const { box = boxOfNothing<Dim>(); }
  KOKKOS_FUNCTION void join(Box<Dim>& box, const Box<Dim>& other) const { grow(box, other); }
  KOKKOS_FUNCTION void operator()(std::int64_t r, Box<Dim>& box) const {
    grow(box,
      boxOfRow<Dim>(
        set.rowKeys[r], set.intervals[set.rowOffsets[r]].begin, set.intervals[set.rowOffsets[r + 1] - 1].end));
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
Box<Dim> boundingBox(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set) {
  SPANWISE_REGION("Geometry::boundingBox");
  Box<Dim> box{};
  if (!set.empty()) {
    reduce(SPANWISE_KERNEL("bounding box"), IndexRange<ExecutionSpace>(context.space(), 0, set.numRows()),
      BoundingBoxOfRows<Dim>{set.view()}, box);
  }
  return box;
}

template <class ExecutionSpace, int Dim>
bool equal(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& a,
  const IntervalSetOn<Dim, ExecutionSpace>& b) {
  const ExecutionSpace& space = context.space();

  if (a.numRows() != b.numRows() || a.numIntervals() != b.numIntervals() || a.numCells() != b.numCells()) {
    return false;
  }
  SPANWISE_REGION("Geometry::equal");
  const IntervalSetView<Dim> viewA = a.view();
  const IntervalSetView<Dim> viewB = b.view();
  std::int64_t differing = 0;
  reduce(
    SPANWISE_KERNEL("equal rows"), IndexRange<ExecutionSpace>(space, 0, a.numRows()),
    KOKKOS_LAMBDA(std::int64_t r, std::int64_t& count) {
      count += static_cast<std::int64_t>(
        !(viewA.rowKeys[r] == viewB.rowKeys[r]) || viewA.rowOffsets[r] != viewB.rowOffsets[r]);
    },
    differing);
  if (differing == 0) {
    reduce(
      SPANWISE_KERNEL("equal intervals"), IndexRange<ExecutionSpace>(space, 0, a.numIntervals()),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t& count) {
        count += static_cast<std::int64_t>(!(viewA.intervals[i] == viewB.intervals[i]));
      },
      differing);
  }
  return differing == 0;
}

template <class ExecutionSpace, int Dim>
void findCells(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const Kokkos::View<const Cell<Dim>*, typename ExecutionSpace::memory_space>& cells,
  const Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& numbers) {
  SPANWISE_REGION("Geometry::findCells");
  const IntervalSetView<Dim> view = set.view();
  const auto count = static_cast<std::int64_t>(cells.extent(0));
  forEach(
    SPANWISE_KERNEL("find cells"), IndexRange<ExecutionSpace>(context.space(), 0, count),
    KOKKOS_LAMBDA(std::int64_t k) { numbers(k) = view.findCell(cells(k)); });
}

#define SPANWISE_MEASURES(Space, Dim)                                                                                  \
  template Box<Dim> boundingBox<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&);                  \
  template bool equal<Space, Dim>(                                                                                     \
    const Context<Space>&, const IntervalSetOn<Dim, Space>&, const IntervalSetOn<Dim, Space>&);                        \
  template void findCells<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&,                         \
    const Kokkos::View<const Cell<Dim>*, Space::memory_space>&,                                                        \
    const Kokkos::View<std::int64_t*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_MEASURES)

} // namespace spanwise::geometry
