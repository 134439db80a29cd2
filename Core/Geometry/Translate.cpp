#include "Core/Geometry/Translate.hpp"

#include "Core/Geometry/Detail/Shift.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Sharing.hpp"

namespace spanwise::geometry {

template <class ExecutionSpace, int Dim>
void translate(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const Cell<Dim>& offset, IntervalSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Geometry::translate");
  const Box<Dim> box = boundingBox<ExecutionSpace, Dim>(context, set);
  for (int d = 0; d < Dim && !set.empty(); ++d) {
    const std::int64_t first = static_cast<std::int64_t>(box.begin[d]) + offset.at[d];
    const std::int64_t last = static_cast<std::int64_t>(box.end[d]) - 1 + offset.at[d];
    if (!isCellCoordinate(first) || !isCellCoordinate(last)) {
      throw CoordinateOverflow("translating by " + std::to_string(offset.at[d]) + " along axis " + std::to_string(d) +
        " moves the cells " + toString(box) + " beyond the coordinate limits [-2^31, 2^31 - 2]");
    }
  }
  detail::shift<ExecutionSpace, Dim>(context.space(), set, offset, out);
}

namespace detail {

template <class ExecutionSpace, int Dim>
void shift(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& set, const Cell<Dim>& offset,
  IntervalSetOn<Dim, ExecutionSpace>& out) {
  const bool inPlace = &out == &set;
  const auto kept = sharing(set);
  const IntervalSetView<Dim> from = kept.view();
  const WritableIntervalSet<Dim> to = out.prepare(from.numRows, from.numIntervals);
  const RowKey<Dim> by = offset.row();
  const Coordinate alongX = offset.x();
  forEach(
    SPANWISE_KERNEL("shift rows"), IndexRange<ExecutionSpace>(space, 0, from.numRows), KOKKOS_LAMBDA(std::int64_t r) {
      RowKey<Dim> key = from.rowKeys[r];
      key.y += by.y;
      if constexpr (Dim == 3) {
        key.z += by.z;
      }
      to.rowKeys[r] = key;
      to.rowOffsets[r] = from.rowOffsets[r];
      if (r == from.numRows - 1) {
        to.rowOffsets[r + 1] = from.rowOffsets[r + 1];
      }
    });
  forEach(
    SPANWISE_KERNEL("shift intervals"), IndexRange<ExecutionSpace>(space, 0, from.numIntervals),
    KOKKOS_LAMBDA(std::int64_t i) {
      const Interval interval = from.intervals[i];
      to.intervals[i] = {interval.begin + alongX, interval.end + alongX};
      to.cellOffsets[i] = from.cellOffsets[i];
      if (i == from.numIntervals - 1) {
        to.cellOffsets[i + 1] = from.cellOffsets[i + 1];
      }
    });
  out.finish({from.numRows, from.numIntervals, from.numCells});
  if (inPlace) {
    space.fence(SPANWISE_LABEL("Geometry::translate")); // `kept` may hold the last reference
  }
}

} // namespace detail

#define SPANWISE_TRANSLATE(Space, Dim)                                                                                 \
  template void translate<Space, Dim>(                                                                                 \
    const Context<Space>&, const IntervalSetOn<Dim, Space>&, const Cell<Dim>&, IntervalSetOn<Dim, Space>&);            \
  template void detail::shift<Space, Dim>(                                                                             \
    const Space&, const IntervalSetOn<Dim, Space>&, const Cell<Dim>&, IntervalSetOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_TRANSLATE)

} // namespace spanwise::geometry
