#include "Core/Geometry/Builders/Cells.hpp"

#include "Core/Geometry/Builders/SortedCells.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Fetch.hpp"
#include "Core/Runtime/MergeSort.hpp"
#include "Core/Runtime/Reduce.hpp"

namespace spanwise::geometry {

template <class ExecutionSpace, int Dim>
void makeFromCells(const Context<ExecutionSpace>& context,
  const Kokkos::View<const Cell<Dim>*, typename ExecutionSpace::memory_space>& cells,
  IntervalSetOn<Dim, ExecutionSpace>& out) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Geometry::makeFromCells");
  out.clear();
  const auto count = static_cast<std::int64_t>(cells.extent(0));
  if (count == 0) {
    return;
  }
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  Cell<Dim>* const copies = frame.template array<Cell<Dim>>(count).data();
  Cell<Dim>* const scratch = frame.template array<Cell<Dim>>(count).data();
  const IndexRange<ExecutionSpace> overCells(space, 0, count);

  std::int64_t firstBeyond = 0;
  reduceMin(
    SPANWISE_KERNEL("copy cells"), overCells,
    KOKKOS_LAMBDA(std::int64_t i, std::int64_t& first) {
      const Cell<Dim> cell = cells(i);
      copies[i] = cell;
      for (int d = 0; d < Dim; ++d) {
        if (!isCellCoordinate(cell.at[d])) {
          first = Kokkos::min(first, i);
        }
      }
    },
    firstBeyond);
  if (firstBeyond < count) {
    const auto cell = fetch(space, cells.data(), firstBeyond);
    throw InvalidArgument("cell " + std::to_string(firstBeyond) + " (x = " + std::to_string(cell.x()) + ", " +
      toString(cell.row()) + ") is beyond the coordinate limits [-2^31, 2^31 - 2]");
  }

  const Cell<Dim>* const sorted = sortStably(space, copies, scratch, count, Ascending());
  makeFromSortedCells(context, count, KOKKOS_LAMBDA(std::int64_t i) { return sorted[i]; }, out);
}

#define SPANWISE_MAKE_FROM_CELLS(Space, Dim)                                                                           \
  template void makeFromCells<Space, Dim>(                                                                             \
    const Context<Space>&, const Kokkos::View<const Cell<Dim>*, Space::memory_space>&, IntervalSetOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_MAKE_FROM_CELLS)

} // namespace spanwise::geometry
