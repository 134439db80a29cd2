#include "Core/Geometry/Originals.hpp"

#include "Core/Geometry/BoxCells.hpp"
#include "Core/Geometry/Segments.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Label.hpp"

namespace spanwise::geometry {

namespace {

/// Finds the cell within the period of which each cell is a copy.
template <int Dim>
struct FindOriginals {
  IntervalSetView<Dim> copies;
  IntervalSetView<Dim> set;
  Periods<Dim> periods;
  std::int64_t* originals;

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t /*k*/, std::int64_t i) const {
    for (std::int64_t cell = copies.cellOffsets[i]; cell < copies.cellOffsets[i + 1]; ++cell) {
      Cell<Dim> original = cellOf(
        copies.rowKeys[row], static_cast<Coordinate>(copies.intervals[i].begin + (cell - copies.cellOffsets[i])));
      for (int d = 0; d < Dim; ++d) {
        if (periods.along[d]) {
          const std::int64_t length = std::int64_t{periods.box.end[d]} - periods.box.begin[d];
          const std::int64_t place = (std::int64_t{original.at[d]} - periods.box.begin[d]) % length;
          original.at[d] = static_cast<Coordinate>(periods.box.begin[d] + (place < 0 ? place + length : place));
        }
      }
      originals[cell] = set.findCell(original);
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void findOriginals(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& copies,
  const IntervalSetOn<Dim, ExecutionSpace>& set, const Periods<Dim>& periods,
  Kokkos::View<std::int64_t*, typename ExecutionSpace::memory_space>& out) {
  detail::reserveArray(out, copies.numCells(), SPANWISE_LABEL("Geometry::originals"));
  forEachPart(context.space(), SPANWISE_KERNEL("find originals"), copies.view().rowOffsets, copies.numRows(),
    copies.numIntervals(), FindOriginals<Dim>{copies.view(), set.view(), periods, out.data()});
}

#define SPANWISE_ORIGINALS(Space, Dim)                                                                                 \
  template void findOriginals<Space, Dim>(const Context<Space>&, const IntervalSetOn<Dim, Space>&,                     \
    const IntervalSetOn<Dim, Space>&, const Periods<Dim>&, Kokkos::View<std::int64_t*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_ORIGINALS)

} // namespace spanwise::geometry
