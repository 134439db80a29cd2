#include "Core/Geometry/Builders/Boxes.hpp"

#include "Core/Geometry/Detail/Toggles.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Fetch.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Scan.hpp"

#include <limits>

namespace spanwise {

namespace {

constexpr std::int64_t mostRows = std::numeric_limits<std::int32_t>::max();

template <int Dim>
KOKKOS_INLINE_FUNCTION bool hasTooManyRows(const Box<Dim>& box) {
  return !box.empty() && (box.extent(1) > mostRows || (Dim == 3 && box.extent(Dim - 1) > mostRows / box.extent(1)));
}

template <int Dim>
struct CountRows {
  const Box<Dim>* boxes;
  std::int64_t* rows;

  KOKKOS_FUNCTION void operator()(std::int64_t b, std::int64_t& firstTooLarge) const {
    const bool tooMany = hasTooManyRows(boxes[b]);
    rows[b] = tooMany ? 0 : boxes[b].numRows();
    if (tooMany) {
      firstTooLarge = Kokkos::min(firstTooLarge, b);
    }
  }
};

template <int Dim>
struct SumCells {
  const Box<Dim>* boxes;
  KOKKOS_FUNCTION void operator()(std::int64_t b, std::int64_t& cells) const {
    cells += boxes[b].numRows() * boxes[b].extent(0);
  }
};

template <int Dim>
struct TogglesOfBoxes {
  const Box<Dim>* boxes;
  Cell<Dim>* toggles;

  KOKKOS_FUNCTION void operator()(std::int64_t b, std::int64_t r, std::int64_t row) const {
    const RowKey<Dim> key = boxes[b].row(r);
    Cell<Dim> cell{};
    cell.at[1] = key.y;
    if constexpr (Dim == 3) {
      cell.at[2] = key.z;
    }
    cell.at[0] = boxes[b].begin[0];
    toggles[2 * row] = cell;
    cell.at[0] = boxes[b].end[0];
    toggles[2 * row + 1] = cell;
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void makeFromBoxes(const ExecutionSpace& space,
  const Kokkos::View<const Box<Dim>*, typename ExecutionSpace::memory_space>& boxes,
  IntervalSetOn<Dim, ExecutionSpace>& out, Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Geometry::makeFromBoxes");
  out.clear();
  const auto count = static_cast<std::int64_t>(boxes.extent(0));
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(workspace);
  std::int64_t* const rows = frame.template array<std::int64_t>(count + 1).data();
  const IndexRange<ExecutionSpace> overBoxes(space, 0, count);
  std::int64_t firstTooLarge = 0;
  reduceMin(SPANWISE_KERNEL("count rows"), overBoxes, CountRows<Dim>{boxes.data(), rows}, firstTooLarge);
  if (firstTooLarge < count) {
    throw InvalidArgument("box " + std::to_string(firstTooLarge) + ", " +
      toString(fetch(space, boxes.data(), firstTooLarge)) + ", has more than 2^31 - 1 rows");
  }
  const std::int64_t numRows = exclusiveScan(space, SPANWISE_KERNEL("scan rows"), rows, count);
  if (numRows == 0) {
    return;
  }
  Cell<Dim>* const toggles = frame.template array<Cell<Dim>>(2 * numRows).data();
  Cell<Dim>* const scratch = frame.template array<Cell<Dim>>(2 * numRows).data();
  forEachPart(space, SPANWISE_KERNEL("box rows"), rows, count, numRows, TogglesOfBoxes<Dim>{boxes.data(), toggles});
  detail::makeFromToggles<ExecutionSpace, Dim>(space, toggles, scratch, 2 * numRows, out, Progress());
  std::int64_t cells = 0;
  reduce(SPANWISE_KERNEL("sum cells"), overBoxes, SumCells<Dim>{boxes.data()}, cells);
  if (out.numCells() != cells) { // cells of two boxes cancel
    out.clear();
    throw InvalidArgument("the boxes overlap: they have " + std::to_string(cells) +
      " cells together, but some of these are in two boxes; every cell may be in one");
  }
}

#define SPANWISE_MAKE_FROM_BOXES(Space, Dim)                                                                           \
  template void makeFromBoxes<Space, Dim>(const Space&, const Kokkos::View<const Box<Dim>*, Space::memory_space>&,     \
    IntervalSetOn<Dim, Space>&, Workspace<Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_MAKE_FROM_BOXES)

} // namespace spanwise
