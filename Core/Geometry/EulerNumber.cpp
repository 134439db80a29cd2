#include "Core/Geometry/EulerNumber.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Combine.hpp"
#include "Core/Geometry/Crop.hpp"
#include "Core/Geometry/Detail/EulerAtCuts.hpp"
#include "Core/Geometry/Detail/PlanesAtCuts.hpp"
#include "Core/Geometry/Detail/StepChain.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>

namespace spanwise::geometry {

namespace {

/// Sets with their rows moved one up along an axis, combined with what they were.
template <class Space, int Dim>
class Neighbours {
  using Scratch = Workspace<typename Space::memory_space>;

public:
  Neighbours(const Context<Space>& context, SetOperation operation)
    : context_(context), truthTable_(static_cast<unsigned>(operation)), frame_(context.workspace()) {}

  IntervalSetView<Dim> combined(const IntervalSetView<Dim>& set, int axis) {
    const WritableIntervalSet<Dim> target = detail::scratchSet<Dim>(frame_, 2 * set.numRows, 2 * set.numIntervals);
    IntervalSetView<Dim> moved = set;
    RowKey<Dim>* const keys = frame_.template array<RowKey<Dim>>(set.numRows).data();
    forEach(SPANWISE_KERNEL("move rows"), IndexRange<Space>(context_.space(), 0, set.numRows),
      detail::MoveRowKeys<Dim>{set.rowKeys, keys, detail::RowOffset::along(axis, 1)});
    moved.rowKeys = keys;
    return target.view(detail::combineInto<Space, Dim>(context_, truthTable_, set, moved, target));
  }

private:
  const Context<Space>& context_;
  unsigned truthTable_;
  typename Scratch::Frame frame_;
};

template <class Space, int Dim>
std::int64_t numberOf(const Context<Space>& context, bool closed, const IntervalSetOn<Dim, Space>& set) {
  if (set.empty()) {
    return 0;
  }
  Neighbours<Space, Dim> neighbours(context, closed ? SetOperation::Union : SetOperation::Intersection);
  const IntervalSetView<Dim> alongY = neighbours.combined(set.view(), 1);
  const std::int64_t number = alongY.numIntervals - set.numIntervals();
  if constexpr (Dim == 2) {
    return closed ? number : -number;
  } else {
    return neighbours.combined(alongY, 2).numIntervals - neighbours.combined(set.view(), 2).numIntervals - number;
  }
}

/// With a layer of its copies before the period the set has every part of its complex, and those of the layer twice:
/// they are taken away, axis by axis.
template <class Space, int Dim>
std::int64_t numberOnTorus(
  const Context<Space>& context, bool closed, const IntervalSetOn<Dim, Space>& set, const Periods<Dim>& periods) {
  Cell<Dim> one;
  std::fill(one.at, one.at + Dim, 1);
  IntervalSetOn<Dim, Space> around;
  unwrap<Space, Dim>(context, set, periods, one, {}, around);
  IntervalSetOn<Dim, Space> layer;
  std::int64_t number = 0;
  for (int axes = 0; axes < 1 << Dim; ++axes) {
    Box<Dim> box = onePeriod<Dim>({});
    bool repeat = true;
    std::int64_t sign = 1;
    for (int d = 0; d < Dim; ++d) {
      if ((axes >> d & 1) != 0) {
        repeat = repeat && periods.along[d];
        box.end[d] = periods.box.begin[d];
        sign = -sign;
      }
    }
    if (repeat) {
      crop<Space, Dim>(context, around, box, layer);
      number += sign * numberOf<Space, Dim>(context, closed, layer);
    }
  }
  return number;
}

template <class Space, int Dim>
std::int64_t numberWithin(
  const Context<Space>& context, bool closed, const IntervalSetOn<Dim, Space>& set, const Periods<Dim>& periods) {
  return periods.any() ? numberOnTorus<Space, Dim>(context, closed, set, periods)
                       : numberOf<Space, Dim>(context, closed, set);
}

bool isClosed(Connectivity connectivity) { return connectivity != Connectivity::Face; }

} // namespace

// A rank adds the number of its planes and the one below, without that of the one below alone.
template <class ExecutionSpace, int Dim>
std::int64_t detail::eulerNumberByRanks(const Context<ExecutionSpace>& context, Connectivity connectivity,
  const IntervalSetOn<Dim, ExecutionSpace>& set, const SetDomain<Dim>& domain,
  const IntervalSetOn<Dim, ExecutionSpace>& atCuts) {
  using Set = IntervalSetOn<Dim, ExecutionSpace>;
  const bool closed = isClosed(connectivity);
  std::int64_t number = 0;
  parallel::agree(ranksOf(context, domain), [&] {
    Set below;
    Set both;
    const std::int64_t first = domain.planes().begin;
    if (first > parallel::PlaneRange().begin) {
      restrictRows<ExecutionSpace, Dim>(context, atCuts, {first - 1, first}, below);
    }
    combine<ExecutionSpace, Dim>(context, SetOperation::Union, set, below, both);
    const Periods<Dim> periods = domain.periodsHere();
    number = numberWithin<ExecutionSpace, Dim>(context, closed, both, periods) -
      numberWithin<ExecutionSpace, Dim>(context, closed, below, periods);
  });
  return ranksOf(context, domain).reduced(ReduceBy::Sum, number);
}

template <class ExecutionSpace, int Dim>
std::int64_t eulerNumber(const Context<ExecutionSpace>& context, Connectivity connectivity,
  const IntervalSetOn<Dim, ExecutionSpace>& set, const SetDomain<Dim>& domain) {
  SPANWISE_REGION("Geometry::eulerNumber");
  if (Dim == 3 && connectivity == Connectivity::Edge) {
    throw InvalidArgument("the Euler number of a 3D set is that of its faces' or vertices' neighbourhood; that of its "
                          "edges' is not defined");
  }
  if (domain.alone()) {
    return numberWithin<ExecutionSpace, Dim>(context, isClosed(connectivity), set, domain.periods());
  }
  checkDomain<ExecutionSpace, Dim>(context, domain, set);
  const detail::PlanesAtCuts<ExecutionSpace, Dim> planes(context, domain, set);
  return detail::eulerNumberByRanks<ExecutionSpace, Dim>(context, connectivity, set, domain, planes.held());
}

#define SPANWISE_EULER_NUMBER(Space, Dim)                                                                              \
  template std::int64_t detail::eulerNumberByRanks<Space, Dim>(const Context<Space>&, Connectivity,                    \
    const IntervalSetOn<Dim, Space>&, const SetDomain<Dim>&, const IntervalSetOn<Dim, Space>&);                        \
  template std::int64_t eulerNumber<Space, Dim>(                                                                       \
    const Context<Space>&, Connectivity, const IntervalSetOn<Dim, Space>&, const SetDomain<Dim>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_EULER_NUMBER)

} // namespace spanwise::geometry
