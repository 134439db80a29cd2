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

/// Finds the first leaf of a level that is refined, too.
template <int Dim>
struct FindCoveredTwice {
  geometry::IntervalSetView<Dim> leaves;
  geometry::IntervalSetView<Dim> refined;

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t& first) const {
    const std::int64_t other = refined.findRow(leaves.rowKeys[row]);
    if (other < 0) {
      return;
    }
    std::int64_t j = refined.rowOffsets[other];
    for (std::int64_t i = leaves.rowOffsets[row]; i < leaves.rowOffsets[row + 1]; ++i) {
      const geometry::Interval interval = leaves.intervals[i];
      while (j < refined.rowOffsets[other + 1] && refined.intervals[j].end <= interval.begin) {
        ++j;
      }
      if (j < refined.rowOffsets[other + 1] && refined.intervals[j].begin < interval.end) {
        const std::int64_t x = Kokkos::max(interval.begin, refined.intervals[j].begin);
        first = Kokkos::min(first, leaves.cellOffsets[i] + (x - interval.begin));
        return;
      }
    }
  }
};

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
void checkLeaves(const ExecutionSpace& space, const LeavesOn<Dim, ExecutionSpace>& leaves,
  const LeafCoverOn<Dim, ExecutionSpace>& cover) {
  SPANWISE_REGION("Multilevel::checkLeaves");
  for (std::size_t l = 0; l < leaves.size(); ++l) {
    std::int64_t first = 0;
    reduceMin(SPANWISE_KERNEL("covered twice"), IndexRange<ExecutionSpace>(space, 0, leaves[l].numRows()),
      FindCoveredTwice<Dim>{leaves[l].view(), cover.refined[l].view()}, first);
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
  template void checkLeaves<Space, Dim>(const Space&, const LeavesOn<Dim, Space>&, const LeafCoverOn<Dim, Space>&);    \
  template void coverOfLeaves<Space, Dim>(                                                                             \
    const Context<Space>&, const LeavesOn<Dim, Space>&, LeafCoverOn<Dim, Space>&);                                     \
  template void wrapCover<Space, Dim>(                                                                                 \
    const Context<Space>&, const LeavesOn<Dim, Space>&, const geometry::Periods<Dim>&, LeafCoverOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_LEAF_COVER)

} // namespace spanwise::multilevel
