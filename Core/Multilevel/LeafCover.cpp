#include "Core/Multilevel/LeafCover.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Copy.hpp"
#include "Core/Multilevel/LevelPlanes.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"

namespace spanwise::multilevel {

namespace {

/// The first cell of a level that is covered twice, for a message.
template <class Set>
[[noreturn]] void throwCoveredTwice(const Set& set, std::size_t level, std::int64_t cell) {
  geometry::HostIntervalSet<Set::dimension> onHost;
  copy(set, onHost);
  const geometry::IntervalSetView<Set::dimension> view = onHost.view();
  const std::int64_t i = view.intervalOfCell(cell);
  throw InvalidArgument("level " + std::to_string(level) +
    " has the cell x = " + std::to_string(view.intervals[i].begin + (cell - view.cellOffsets[i])) + ", " +
    toString(view.rowKeys[view.rowOfInterval(i)]) +
    ", in which finer levels have cells too; levels hold leaf cells, and no place may be covered twice");
}

} // namespace

template <class ExecutionSpace, int Dim>
void coverOfLeaves(const Context<ExecutionSpace>& context, const LeavesOn<Dim, ExecutionSpace>& leaves,
  LeafCoverOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Multilevel::coverOfLeaves");
  out.refined.resize(leaves.size());
  out.covered.resize(leaves.size());
  for (std::size_t l = leaves.size(); l-- > 0;) {
    if (l + 1 == leaves.size()) {
      out.refined[l].clear();
    } else {
      coarsen<ExecutionSpace, Dim>(context, Coarsening::Outside, out.covered[l + 1], out.refined[l]);
    }
    combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Union, leaves[l], out.refined[l], out.covered[l]);
  }
}

template <class ExecutionSpace, int Dim>
void checkLeaves(const Context<ExecutionSpace>& context, const LeavesOn<Dim, ExecutionSpace>& leaves,
  const LeafCoverOn<Dim, ExecutionSpace>& cover) {
  SPANWISE_REGION("Multilevel::checkLeaves");
  for (std::size_t l = 0; l < leaves.size(); ++l) {
    std::int64_t first = 0;
    const geometry::IntervalSetView<Dim> cells = leaves[l].view();
    const geometry::IntervalSetView<Dim> refined = cover.refined[l].view();
    reduceMin(
      SPANWISE_KERNEL("covered twice"), IndexRange<ExecutionSpace>(context.space(), 0, cells.numRows),
      KOKKOS_LAMBDA(std::int64_t row, std::int64_t& least) {
        const std::int64_t other = refined.findRow(cells.rowKeys[row]);
        if (other < 0) {
          return;
        }
        const std::int64_t end = refined.rowOffsets[other + 1];
        std::int64_t j = refined.rowOffsets[other];
        for (std::int64_t i = cells.rowOffsets[row]; i < cells.rowOffsets[row + 1]; ++i) {
          const geometry::Interval interval = cells.intervals[i];
          while (j < end && refined.intervals[j].end <= interval.begin) {
            ++j;
          }
          if (j < end && refined.intervals[j].begin < interval.end) {
            const std::int64_t x = Kokkos::max(interval.begin, refined.intervals[j].begin);
            least = Kokkos::min(least, cells.cellOffsets[i] + (x - interval.begin));
            return;
          }
        }
      },
      first);
    if (first < leaves[l].numCells()) {
      throwCoveredTwice(leaves[l], l, first);
    }
  }
}

template <class ExecutionSpace, int Dim>
void wrapCover(const Context<ExecutionSpace>& context, const LeavesOn<Dim, ExecutionSpace>& leaves,
  const geometry::Periods<Dim>& periods, LeafCoverOn<Dim, ExecutionSpace>& cover) {
  SPANWISE_REGION("Multilevel::wrapCover");
  if (!periods.any()) {
    return;
  }
  geometry::Cell<Dim> one{};
  for (int d = 0; d < Dim; ++d) {
    one.at[d] = 1;
  }
  for (std::size_t l = 0; l < leaves.size(); ++l) {
    if (leaves[l].empty() && cover.refined[l].empty()) {
      continue;
    }
    const geometry::Periods<Dim> ofLevel = periodsOfLevel(periods, static_cast<int>(l));
    checkPeriods<ExecutionSpace, Dim>(context, leaves[l], ofLevel);
    unwrap<ExecutionSpace, Dim>(context, cover.refined[l], ofLevel, one, one, cover.refined[l]);
  }
}

#define SPANWISE_LEAF_COVER(Space, Dim)                                                                                \
  template void checkLeaves<Space, Dim>(                                                                               \
    const Context<Space>&, const LeavesOn<Dim, Space>&, const LeafCoverOn<Dim, Space>&);                               \
  template void coverOfLeaves<Space, Dim>(                                                                             \
    const Context<Space>&, const LeavesOn<Dim, Space>&, LeafCoverOn<Dim, Space>&);                                     \
  template void wrapCover<Space, Dim>(                                                                                 \
    const Context<Space>&, const LeavesOn<Dim, Space>&, const geometry::Periods<Dim>&, LeafCoverOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_LEAF_COVER)

} // namespace spanwise::multilevel
