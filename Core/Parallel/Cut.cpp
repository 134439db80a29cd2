#include "Core/Parallel/Cut.hpp"

#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace spanwise::parallel {

namespace {

PlaneRange around(const PlaneRange& a, const PlaneRange& b) {
  if (a.empty() || b.empty()) {
    return a.empty() ? b : a;
  }
  return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

/// The planes of each rank.
template <class ExecutionSpace, int Dim>
std::vector<PlaneRange> gatherPlanes(const Context<ExecutionSpace>& context, const SetList<Dim, ExecutionSpace>& sets) {
  PlaneRange mine{0, 0};
  for (const auto* set : sets) {
    mine = around(mine, planesOf<ExecutionSpace, Dim>(context, *set));
  }
  return gatherRanges(context.communicator(), mine);
}

} // namespace

std::vector<PlaneRange> gatherRanges(const Communicator& communicator, const PlaneRange& mine) {
  return communicator.gather(mine);
}

template <class ExecutionSpace, int Dim>
bool findCut(const Context<ExecutionSpace>& context, const SetList<Dim, ExecutionSpace>& sets, RowCut& cut) {
  const std::vector<PlaneRange> planes = gatherPlanes<ExecutionSpace, Dim>(context, sets);
  cut.bounds.assign(planes.size() + 1, PlaneRange().end);
  cut.bounds.front() = PlaneRange().begin;
  std::int64_t next = PlaneRange().end; // the first plane of the ranks above
  for (std::size_t r = planes.size(); r-- > 0;) {
    if (!planes[r].empty()) {
      if (planes[r].end > next) {
        return false;
      }
      next = planes[r].begin;
    }
    if (r > 0) {
      cut.bounds[r] = next;
    }
  }
  return true;
}

template <class ExecutionSpace, int Dim>
RowCut evenCut(const Context<ExecutionSpace>& context, int parts, const SetList<Dim, ExecutionSpace>& sets) {
  PlaneRange all{0, 0};
  for (const PlaneRange& planes : gatherPlanes<ExecutionSpace, Dim>(context, sets)) {
    all = around(all, planes);
  }
  PlaneCounts counts;
  counts.first = all.begin;
  counts.width = (all.end - all.begin) / maxPlaneCounts + 1;
  counts.cells.resize(static_cast<std::size_t>((all.end - all.begin + counts.width - 1) / counts.width));
  agree(context.communicator(), [&] {
    for (const auto* set : sets) {
      countPlanes<ExecutionSpace, Dim>(context, *set, counts);
    }
  });
  context.communicator().reduce(ReduceBy::Sum, std::span<std::int64_t>(counts.cells));
  return balancedCut(counts, parts);
}

template <class ExecutionSpace, int Dim>
RowCut balancedCutOf(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  bool& stays, double tolerated) {
  const SetList<Dim, ExecutionSpace> sets{&set};
  const std::int64_t total = context.communicator().reduced(ReduceBy::Sum, set.numCells());
  const std::int64_t most = context.communicator().reduced(ReduceBy::Maximum, set.numCells());
  RowCut cut;
  const bool follows = findCut<ExecutionSpace, Dim>(context, sets, cut);
  stays =
    follows && static_cast<double>(most) * context.communicator().size() <= tolerated * static_cast<double>(total);
  return stays ? cut : evenCut<ExecutionSpace, Dim>(context, context.communicator().size(), sets);
}

#define SPANWISE_CUT(Space, Dim)                                                                                       \
  template bool findCut<Space, Dim>(const Context<Space>&, const SetList<Dim, Space>&, RowCut&);                       \
  template RowCut evenCut<Space, Dim>(const Context<Space>&, int, const SetList<Dim, Space>&);                         \
  template RowCut balancedCutOf<Space, Dim>(                                                                           \
    const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&, bool&, double);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_CUT)

} // namespace spanwise::parallel
