#include "Core/Geometry/Algebra.hpp"

#include "Core/Geometry/BoxCells.hpp"
#include "Core/Geometry/Combine.hpp"
#include "Core/Geometry/Detail/FillBox.hpp"
#include "Core/Geometry/RowLimit.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Sharing.hpp"

namespace spanwise::geometry {

namespace {

template <class ExecutionSpace>
using FrameOn = typename Workspace<typename ExecutionSpace::memory_space>::Frame;

template <class ExecutionSpace, int Dim>
void combineViews(const Context<ExecutionSpace>& context, SetOperation operation, const IntervalSetView<Dim>& a,
  const IntervalSetView<Dim>& b, IntervalSet<Dim, typename ExecutionSpace::memory_space>& out) {
  const WritableIntervalSet<Dim> target = out.prepare(a.numRows + b.numRows, a.numIntervals + b.numIntervals);
  out.finish(detail::combineInto<ExecutionSpace, Dim>(context, static_cast<unsigned>(operation), a, b, target));
}

/// The sets of a list, combined in a balanced tree by an operation that may take them in any order.
template <class ExecutionSpace, int Dim>
class Tree {
public:
  using Sets = std::vector<IntervalSetOn<Dim, ExecutionSpace>>;
  using Scratch = Workspace<typename ExecutionSpace::memory_space>;
  using Frame = typename Scratch::Frame;

  Tree(const Context<ExecutionSpace>& context, SetOperation operation, const Sets& sets)
    : context_(context), operation_(operation), sets_(sets), progress_(context.progress()) {}

  /// The sets [first, last), at least one, in arrays that live as long as `frame`.
  IntervalSetView<Dim> combined(Frame& frame, std::size_t first, std::size_t last) {
    if (last - first == 1) {
      return sets_[first].view();
    }
    std::int64_t rows = 0;
    std::int64_t intervals = 0;
    for (std::size_t k = first; k < last; ++k) {
      rows += sets_[k].numRows();
      intervals += sets_[k].numIntervals();
    }
    const WritableIntervalSet<Dim> target = detail::scratchSet<Dim>(frame, rows, intervals);
    Frame ofHalves(context_.workspace());
    const std::size_t middle = first + (last - first) / 2;
    const IntervalSetView<Dim> left = combined(ofHalves, first, middle);
    const IntervalSetView<Dim> right = combined(ofHalves, middle, last);
    reportStep();
    return target.view(
      detail::combineInto<ExecutionSpace, Dim>(context_, static_cast<unsigned>(operation_), left, right, target));
  }

  void reportStep() {
    progress_.report(step_ / static_cast<double>(sets_.size()));
    step_ += 1.0;
  }

private:
  const Context<ExecutionSpace>& context_;
  SetOperation operation_;
  const Sets& sets_;
  const Progress& progress_;
  double step_ = 0.0;
};

} // namespace

template <class ExecutionSpace, int Dim>
void combine(const Context<ExecutionSpace>& context, SetOperation operation,
  const IntervalSetOn<Dim, ExecutionSpace>& a, const IntervalSetOn<Dim, ExecutionSpace>& b,
  IntervalSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Geometry::combine");
  const auto keptA = sharing(a);
  const auto keptB = sharing(b);
  combineViews(context, operation, keptA.view(), keptB.view(), out);
}

template <class ExecutionSpace, int Dim>
void combine(const Context<ExecutionSpace>& context, SetOperation operation,
  const std::vector<IntervalSetOn<Dim, ExecutionSpace>>& sets, IntervalSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Geometry::combine list");
  out.clear();
  if (sets.size() == 1) {
    out = sets.front();
  } else if (sets.size() > 1) {
    // A difference takes away the union of all others.
    const bool difference = operation == SetOperation::Difference;
    const std::size_t middle = difference ? 1 : sets.size() / 2;
    Tree<ExecutionSpace, Dim> tree(context, difference ? SetOperation::Union : operation, sets);
    FrameOn<ExecutionSpace> frame(context.workspace());
    const IntervalSetView<Dim> left = tree.combined(frame, 0, middle);
    const IntervalSetView<Dim> right = tree.combined(frame, middle, sets.size());
    tree.reportStep();
    combineViews(context, operation, left, right, out);
  }
  context.progress().report(1.0);
}

template <class ExecutionSpace, int Dim>
void complement(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& a,
  const Box<Dim>& box, IntervalSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Geometry::complement");
  const auto kept = sharing(a);
  out.clear();
  const std::int64_t cells = numCells(box);
  if (cells == 0) {
    return;
  }
  checkMadeRows(box);
  const std::int64_t rows = box.numRows();
  FrameOn<ExecutionSpace> frame(context.workspace());
  const WritableIntervalSet<Dim> all = detail::scratchSet<Dim>(frame, rows, rows);
  detail::fillBox(context.space(), box, all);
  combineViews(context, SetOperation::Difference, all.view({rows, rows, cells}), kept.view(), out);
}

#define SPANWISE_ALGEBRA(Space, Dim)                                                                                   \
  template void combine<Space, Dim>(const Context<Space>&, SetOperation, const IntervalSetOn<Dim, Space>&,             \
    const IntervalSetOn<Dim, Space>&, IntervalSetOn<Dim, Space>&);                                                     \
  template void combine<Space, Dim>(                                                                                   \
    const Context<Space>&, SetOperation, const std::vector<IntervalSetOn<Dim, Space>>&, IntervalSetOn<Dim, Space>&);   \
  template void complement<Space, Dim>(                                                                                \
    const Context<Space>&, const IntervalSetOn<Dim, Space>&, const Box<Dim>&, IntervalSetOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_ALGEBRA)

} // namespace spanwise::geometry
