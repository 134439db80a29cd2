#include "Core/Geometry/Builders/Box.hpp"

#include "Core/Geometry/Detail/BoxCells.hpp"
#include "Core/Geometry/Detail/Range.hpp"

namespace spanwise {

namespace {

/// One interval a row; the index numRows closes the offsets.
template <int Dim>
struct FillBox {
  Box<Dim> box;
  std::int64_t numRows;
  WritableIntervalSet<Dim> out;

  KOKKOS_FUNCTION void operator()(std::int64_t r) const {
    out.rowOffsets[r] = r;
    out.cellOffsets[r] = r * box.extent(0);
    if (r < numRows) {
      out.rowKeys[r] = box.row(r);
      out.intervals[r] = {box.begin[0], box.end[0]};
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void makeBox(const ExecutionSpace& space, const Box<Dim>& box, IntervalSetOn<Dim, ExecutionSpace>& out) {
  out.clear();
  const std::int64_t cells = detail::numCells(box);
  if (cells > 0) {
    const std::int64_t rows = box.numRows();
    const WritableIntervalSet<Dim> arrays = out.prepare(rows, rows);
    Kokkos::parallel_for(
      SPANWISE_KERNEL("fill box"), detail::Range<ExecutionSpace>(space, 0, rows + 1), FillBox<Dim>{box, rows, arrays});
    out.finish(rows, rows, cells);
  }
}

#define SPANWISE_MAKE_BOX(Space, Dim)                                                                                  \
  template void makeBox<Space, Dim>(const Space&, const Box<Dim>&, IntervalSetOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_MAKE_BOX)

} // namespace spanwise
