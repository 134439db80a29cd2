#include "Core/Geometry/Originals.hpp"

#include "Core/Geometry/BoxCells.hpp"
#include "Core/Geometry/Segments.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reserve.hpp"

namespace spanwise::geometry {

template <class ExecutionSpace, int Dim>
void findOriginals(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& copies,
  const IntervalSetOn<Dim, ExecutionSpace>& set, const Periods<Dim>& periods,
  Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& out) {
  reserve(out, copies.numCells(), SPANWISE_LABEL("Geometry::originals"));
  const IntervalSetView<Dim> from = copies.view();
  const IntervalSetView<Dim> within = set.view();
  std::int64_t* const originals = out.data();
  forEachPart(
    context.space(), SPANWISE_KERNEL("find originals"), from.rowOffsets, from.numRows, from.numIntervals,
    KOKKOS_LAMBDA(std::int64_t row, std::int64_t /*k*/, std::int64_t i) {
      for (std::int64_t cell = from.cellOffsets[i]; cell < from.cellOffsets[i + 1]; ++cell) {
        Cell<Dim> original =
          cellOf(from.rowKeys[row], static_cast<Coordinate>(from.intervals[i].begin + (cell - from.cellOffsets[i])));
        for (int d = 0; d < Dim; ++d) {
          if (periods.along[d]) {
            const std::int64_t length = std::int64_t{periods.box.end[d]} - periods.box.begin[d];
            const std::int64_t place = (std::int64_t{original.at[d]} - periods.box.begin[d]) % length;
            original.at[d] = static_cast<Coordinate>(periods.box.begin[d] + (place < 0 ? place + length : place));
          }
        }
        originals[cell] = within.findCell(original);
      }
    });
}

#define SPANWISE_ORIGINALS(Space, Dim)                                                                                 \
  template void findOriginals<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&,                     \
    const IntervalSetOn<Dim, Space>&, const Periods<Dim>&, Kokkos::View<std::int64_t*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_ORIGINALS)

} // namespace spanwise::geometry
