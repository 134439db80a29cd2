#include "Core/Geometry/EulerNumber.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Detail/Combine.hpp"
#include "Core/Geometry/Detail/StepChain.hpp"
#include "Core/Runtime/Error.hpp"

namespace spanwise {

namespace {

/// Sets with their rows moved one up along an axis, combined with what they were.
template <class Space, int Dim>
class Neighbours {
  using Scratch = Workspace<typename Space::memory_space>;

public:
  Neighbours(const Space& space, SetOperation operation, Scratch& workspace)
    : space_(space), truthTable_(static_cast<unsigned>(operation)), workspace_(workspace), frame_(workspace) {}

  IntervalSetView<Dim> combined(const IntervalSetView<Dim>& set, int axis) {
    const WritableIntervalSet<Dim> target = detail::scratchSet<Dim>(frame_, 2 * set.numRows, 2 * set.numIntervals);
    IntervalSetView<Dim> moved = set;
    RowKey<Dim>* const keys = frame_.template array<RowKey<Dim>>(set.numRows).data();
    Kokkos::parallel_for(SPANWISE_KERNEL("move rows"), detail::Range<Space>(space_, 0, set.numRows),
      detail::MoveRowKeys<Dim>{set.rowKeys, keys, detail::RowOffset::along(axis, 1)});
    moved.rowKeys = keys;
    const detail::SetTotals totals =
      detail::combineInto<Space, Dim>(space_, truthTable_, set, moved, target, workspace_);
    return {target.rowKeys, target.rowOffsets, target.intervals, target.cellOffsets, totals.rows, totals.intervals,
      totals.cells};
  }

private:
  const Space& space_;
  unsigned truthTable_;
  Scratch& workspace_;
  typename Scratch::Frame frame_;
};

} // namespace

template <class ExecutionSpace, int Dim>
std::int64_t eulerNumber(const ExecutionSpace& space, Connectivity connectivity,
  const IntervalSetOn<Dim, ExecutionSpace>& set, Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Geometry::eulerNumber");
  if (Dim == 3 && connectivity == Connectivity::Edge) {
    throw InvalidArgument("the Euler number of a 3D set is that of its faces' or vertices' neighbourhood; that of its "
                          "edges' is not defined");
  }
  if (set.empty()) {
    return 0;
  }
  const bool closed = connectivity != Connectivity::Face;
  Neighbours<ExecutionSpace, Dim> neighbours(
    space, closed ? SetOperation::Union : SetOperation::Intersection, workspace);
  const IntervalSetView<Dim> alongY = neighbours.combined(set.view(), 1);
  std::int64_t number = alongY.numIntervals - set.numIntervals();
  if constexpr (Dim == 3) {
    number = neighbours.combined(alongY, 2).numIntervals - neighbours.combined(set.view(), 2).numIntervals - number;
    return number;
  }
  return closed ? number : -number;
}

#define SPANWISE_EULER_NUMBER(Space, Dim)                                                                              \
  template std::int64_t eulerNumber<Space, Dim>(                                                                       \
    const Space&, Connectivity, const IntervalSetOn<Dim, Space>&, Workspace<Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_EULER_NUMBER)

} // namespace spanwise
