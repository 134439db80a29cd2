#include "Core/Geometry/Builders/Cells.hpp"

#include "Core/Geometry/Builders/SortedCells.hpp"
#include "Core/Geometry/Detail/MaskImage.hpp"
#include "Core/Geometry/Detail/PlaceMasksOnHost.hpp"
#include "Core/Geometry/GrowBox.hpp"
#include "Core/Runtime/AtomicAccess.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Fetch.hpp"
#include "Core/Runtime/MergeSort.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/SetAll.hpp"

#include <algorithm>

namespace spanwise::geometry {

namespace {

/// The box of cells, and the first that has no coordinates.
template <int Dim>
struct CellsFound {
  Box<Dim> box;
  std::int64_t firstBeyond;
};

template <int Dim>
struct FindCells {
  using value_type = CellsFound<Dim>;
  const Cell<Dim>* cells;

  KOKKOS_FUNCTION void init(value_type& found) const {
    found = {boxOfNothing<Dim>(), Kokkos::Experimental::finite_max_v<std::int64_t>};
  }
  KOKKOS_FUNCTION void join(value_type& found, const value_type& other) const {
    grow(found.box, other.box);
    found.firstBeyond = Kokkos::min(found.firstBeyond, other.firstBeyond);
  }
  KOKKOS_FUNCTION void operator()(std::int64_t i, value_type& found) const {
    const Cell<Dim> cell = cells[i];
    for (int d = 0; d < Dim; ++d) {
      if (!isCellCoordinate(cell.at[d])) {
        found.firstBeyond = Kokkos::min(found.firstBeyond, i);
        return;
      }
    }
    grow(found.box, boxOfRow<Dim>(cell.row(), cell.x(), cell.x() + 1));
  }
};

template <int Dim>
struct DrawCell {
  const Cell<Dim>* cells;
  detail::MaskImage<Dim> image;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Cell<Dim> cell = cells[i];
    const std::int64_t x = static_cast<std::int64_t>(cell.x()) - image.box.begin[0];
    std::uint64_t* const word = image.words + image.indexOf(cell.row()) * image.wordsPerRow + x / detail::cellsPerWord;
    const std::uint64_t bit = std::uint64_t{1} << (x % detail::cellsPerWord);
    if ((atomicLoad(word) & bit) == 0) { // not another time where cells stand twice
      Kokkos::atomic_or(word, bit);
    }
  }
};

/// Cells in a box whose mask has no more words than there are cells, times this, are drawn and read back in order. A
/// word takes a few nanoseconds of a thread and 8 bytes, to sort a cell a hundred and 24.
constexpr std::int64_t mostWordsPerCell = 8;

template <class ExecutionSpace, int Dim>
void makeByMask(const Context<ExecutionSpace>& context, const Cell<Dim>* cells, std::int64_t count, const Box<Dim>& box,
  IntervalSetOn<Dim, ExecutionSpace>& out) {
  const ExecutionSpace& space = context.space();
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  detail::MaskImage<Dim> image{detail::inWholeWords(box), detail::maskWordsPerRow(box), nullptr};
  const auto words = frame.template array<std::uint64_t>(image.box.numRows() * image.wordsPerRow);
  image.words = words.data();
  setAll(space, words, std::uint64_t{0});
  forEach(SPANWISE_KERNEL("draw cells"), IndexRange<ExecutionSpace>(space, 0, count), DrawCell<Dim>{cells, image});
  const auto makeTarget = [&](std::int64_t rows, std::int64_t intervals) { return out.prepare(rows, intervals); };
  if constexpr (runsOnHost<ExecutionSpace>) {
    const std::int64_t likely = count / 4 + 1; // a run is some cells long
    out.finish(detail::placeMasksOnHost<ExecutionSpace, Dim>(space, image, likely, frame, makeTarget));
  } else {
    out.finish(detail::placeMarks<ExecutionSpace, Dim>(space, image.box, image, frame, makeTarget));
  }
}

template <class ExecutionSpace, int Dim>
void makeBySorting(const Context<ExecutionSpace>& context, const Cell<Dim>* cells, std::int64_t count,
  IntervalSetOn<Dim, ExecutionSpace>& out) {
  const ExecutionSpace& space = context.space();
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  Cell<Dim>* const copies = frame.template array<Cell<Dim>>(count).data();
  Cell<Dim>* const scratch = frame.template array<Cell<Dim>>(count).data();
  forEach(
    SPANWISE_KERNEL("copy cells"), IndexRange<ExecutionSpace>(space, 0, count),
    KOKKOS_LAMBDA(std::int64_t i) { copies[i] = cells[i]; });
  const Cell<Dim>* const sorted = sortStably(space, copies, scratch, count, Ascending());
  makeFromSortedCells(context, count, KOKKOS_LAMBDA(std::int64_t i) { return sorted[i]; }, out);
}

} // namespace

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
  CellsFound<Dim> found{};
  reduce(
    SPANWISE_KERNEL("find cells"), IndexRange<ExecutionSpace>(space, 0, count), FindCells<Dim>{cells.data()}, found);
  if (found.firstBeyond < count) {
    const auto cell = fetch(space, cells.data(), found.firstBeyond);
    throw InvalidArgument("cell " + std::to_string(found.firstBeyond) + " (x = " + std::to_string(cell.x()) + ", " +
      toString(cell.row()) + ") is beyond the coordinate limits [-2^31, 2^31 - 2]");
  }
  if (detail::maskHasAtMost(found.box, mostWordsPerCell * count)) {
    makeByMask<ExecutionSpace, Dim>(context, cells.data(), count, found.box, out);
  } else {
    makeBySorting<ExecutionSpace, Dim>(context, cells.data(), count, out);
  }
}

#define SPANWISE_MAKE_FROM_CELLS(Space, Dim)                                                                           \
  template void makeFromCells<Space, Dim>(                                                                             \
    const Context<Space>&, const Kokkos::View<const Cell<Dim>*, Space::memory_space>&, IntervalSetOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_MAKE_FROM_CELLS)

} // namespace spanwise::geometry
