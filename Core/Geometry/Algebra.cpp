#include "Core/Geometry/Algebra.hpp"

#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Copy.hpp"
#include "Core/Geometry/Detail/Combine.hpp"

namespace spanwise {

template <class ExecutionSpace, int Dim>
void combine(const ExecutionSpace& space, SetOperation operation, const IntervalSetOn<Dim, ExecutionSpace>& a,
  const IntervalSetOn<Dim, ExecutionSpace>& b, IntervalSetOn<Dim, ExecutionSpace>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Geometry::combine");
  const WritableIntervalSet<Dim> target = out.prepare(a.numRows() + b.numRows(), a.numIntervals() + b.numIntervals());
  const detail::SetTotals totals = detail::combineInto<ExecutionSpace, Dim>(
    space, static_cast<unsigned>(operation), a.view(), b.view(), target, workspace);
  out.finish(totals.rows, totals.intervals, totals.cells);
}

template <class ExecutionSpace, int Dim>
void combine(const ExecutionSpace& space, SetOperation operation,
  const std::vector<IntervalSetOn<Dim, ExecutionSpace>>& sets, IntervalSetOn<Dim, ExecutionSpace>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace, const Progress& progress) {
  using Set = IntervalSetOn<Dim, ExecutionSpace>;
  if (sets.empty()) {
    out.clear();
    return;
  }
  // A difference takes away the union of all others.
  const bool difference = operation == SetOperation::Difference;
  const SetOperation inner = difference ? SetOperation::Union : operation;
  std::vector<Set> remaining(sets.begin() + (difference ? 1 : 0), sets.end());
  const auto numSteps = static_cast<double>(sets.size());
  double step = 0.0;
  while (remaining.size() > 1) {
    std::vector<Set> next((remaining.size() + 1) / 2);
    for (std::size_t i = 0; i < next.size(); ++i) {
      if (2 * i + 1 < remaining.size()) {
        progress.report(step / numSteps);
        combine<ExecutionSpace, Dim>(space, inner, remaining[2 * i], remaining[2 * i + 1], next[i], workspace);
        remaining[2 * i] = remaining[2 * i + 1] = Set(); // no longer needed
        step += 1.0;
      } else {
        next[i] = remaining[2 * i];
      }
    }
    remaining = std::move(next);
  }
  if (difference) {
    combine<ExecutionSpace, Dim>(
      space, SetOperation::Difference, sets.front(), remaining.empty() ? Set() : remaining.front(), out, workspace);
  } else {
    out = compacted(remaining.front());
  }
  progress.report(1.0);
}

template <class ExecutionSpace, int Dim>
void complement(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& a, const Box<Dim>& box,
  IntervalSetOn<Dim, ExecutionSpace>& out, Workspace<typename ExecutionSpace::memory_space>& workspace) {
  IntervalSetOn<Dim, ExecutionSpace> all;
  makeBox<ExecutionSpace, Dim>(space, box, all);
  combine<ExecutionSpace, Dim>(space, SetOperation::Difference, all, a, out, workspace);
}

#define SPANWISE_ALGEBRA(Space, Dim)                                                                                   \
  template void combine<Space, Dim>(const Space&, SetOperation, const IntervalSetOn<Dim, Space>&,                      \
    const IntervalSetOn<Dim, Space>&, IntervalSetOn<Dim, Space>&, Workspace<Space::memory_space>&);                    \
  template void combine<Space, Dim>(const Space&, SetOperation, const std::vector<IntervalSetOn<Dim, Space>>&,         \
    IntervalSetOn<Dim, Space>&, Workspace<Space::memory_space>&, const Progress&);                                     \
  template void complement<Space, Dim>(const Space&, const IntervalSetOn<Dim, Space>&, const Box<Dim>&,                \
    IntervalSetOn<Dim, Space>&, Workspace<Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_ALGEBRA)

} // namespace spanwise
