#include "Core/Multilevel/LevelDomain.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Combine.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/Migration.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <string>

namespace spanwise::multilevel {

namespace {

geometry::Coordinate clamped(std::int64_t coordinate) {
  return static_cast<geometry::Coordinate>(
    std::clamp<std::int64_t>(coordinate, geometry::minCoordinate, std::int64_t{geometry::maxIntervalEnd}));
}

} // namespace

template <class ExecutionSpace, int Dim>
LevelDomain<ExecutionSpace, Dim>::LevelDomain(const geometry::Periods<Dim>& periods)
  : LevelDomain(Context<ExecutionSpace>(), parallel::RowCut{{parallel::PlaneRange().begin, parallel::PlaneRange().end}},
      periods) {}

template <class ExecutionSpace, int Dim>
LevelDomain<ExecutionSpace, Dim>::LevelDomain(
  const Context<ExecutionSpace>& context, const parallel::RowCut& rootCut, const geometry::Periods<Dim>& periods)
  : move_(context.communicator()), periods_(periods) {
  checkPeriods<ExecutionSpace, Dim>(context, Set(), periods);
  setRootCut(rootCut);
}

template <class ExecutionSpace, int Dim>
void LevelDomain<ExecutionSpace, Dim>::setRootCut(const parallel::RowCut& rootCut) {
  heldByRanks(rootCut, 0, communicator().size()); // checks it
  rootCut_ = rootCut;
}

template <class ExecutionSpace, int Dim>
parallel::Halo LevelDomain<ExecutionSpace, Dim>::halo(int level, std::int64_t planes) const {
  parallel::Halo halo(planes);
  if (periods_.along[Dim - 1]) {
    halo.period = planesOfLevel({periods_.box.begin[Dim - 1], periods_.box.end[Dim - 1]}, level);
  }
  return halo;
}

template <class ExecutionSpace, int Dim>
geometry::Periods<Dim> LevelDomain<ExecutionSpace, Dim>::periodsOf(int level) const {
  return periodsOfLevel(periods_, level);
}

template <class ExecutionSpace, int Dim>
geometry::Box<Dim> LevelDomain<ExecutionSpace, Dim>::box(int level, std::int64_t around) const {
  geometry::Box<Dim> box = boxOfPlanes(level, around);
  const parallel::PlaneRange planes = ownPlanes(cut(level).part(communicator().rank()), halo(level, 0));
  box.begin[Dim - 1] = clamped(planes.empty() ? planes.begin : planes.widened(around).begin);
  box.end[Dim - 1] = clamped(planes.empty() ? planes.begin : planes.widened(around).end);
  return box;
}

template <class ExecutionSpace, int Dim>
geometry::Box<Dim> LevelDomain<ExecutionSpace, Dim>::boxOfPlanes(int level, std::int64_t around) const {
  geometry::Box<Dim> box = onePeriod<Dim>(periodsOf(level));
  for (int d = 0; d < Dim - 1; ++d) {
    box.begin[d] = clamped(box.begin[d] - around);
    box.end[d] = clamped(box.end[d] + around);
  }
  const parallel::PlaneRange planes = ownPlanes(cut(level).part(communicator().rank()), halo(level, 0));
  box.begin[Dim - 1] = clamped(planes.begin);
  box.end[Dim - 1] = clamped(std::max(planes.begin, planes.end));
  return box;
}

template <class ExecutionSpace, int Dim>
void LevelDomain<ExecutionSpace, Dim>::check(const Context<ExecutionSpace>& context, int level, const Set& set) const {
  if (endsHere()) {
    return;
  }
  parallel::agree(communicator(), [&] {
    checkPeriods<ExecutionSpace, Dim>(context, set, periodsOf(level));
    const parallel::PlaneRange own = cut(level).part(communicator().rank());
    const parallel::PlaneRange planes = planesOf<ExecutionSpace, Dim>(context, set);
    if (!planes.empty() && !(planes.within(own) == planes)) {
      throw InvalidArgument("a rank has cells of level " + std::to_string(level) + " in the planes " +
        toString(planes) + " and owns " + toString(own) + "; it must have cells of its own planes alone");
    }
  });
}

template <class ExecutionSpace, int Dim>
void LevelDomain<ExecutionSpace, Dim>::surround(
  const Context<ExecutionSpace>& context, int level, std::int64_t reach, const Set& set, Set& out) {
  SPANWISE_REGION("Multilevel::surround");
  if (endsHere()) {
    out = set;
    return;
  }
  check(context, level, set);
  geometry::Periods<Dim> others = periodsOf(level);
  others.along[Dim - 1] = false;
  const bool crossesCuts = !communicator().alone() || periods_.along[Dim - 1];
  const auto held = heldByRanks(cut(level), halo(level, reach), communicator().size());
  const bool moves = crossesCuts && move_.moveChanges(context, held, set, others.any() ? inPlanes_ : out);
  parallel::agree(communicator(), [&] {
    if (others.any()) {
      geometry::Cell<Dim> radius{};
      std::fill(radius.at, radius.at + Dim, static_cast<geometry::Coordinate>(reach));
      unwrap<ExecutionSpace, Dim>(context, moves ? inPlanes_ : set, others, radius, radius, out);
    } else if (!moves) {
      restrictRows<ExecutionSpace, Dim>(
        context, set, parallel::PlaneRange(), out); // sharing would cost `out` its arrays
    }
  });
}

template <class ExecutionSpace, int Dim>
geometry::IntervalSetView<Dim> LevelDomain<ExecutionSpace, Dim>::surrounded(
  const Context<ExecutionSpace>& context, int level, std::int64_t reach, const geometry::IntervalSetView<Dim>& set) {
  if (endsHere()) {
    return set;
  }
  parallel::agree(communicator(), [&] {
    const auto target = own_.prepare(set.numRows, set.numIntervals);
    own_.finish(geometry::detail::combineInto<ExecutionSpace, Dim>(
      context, static_cast<unsigned>(geometry::SetOperation::Union), set, {}, target));
  });
  surround(context, level, reach, own_, around_);
  return around_.view();
}

template <class ExecutionSpace, int Dim>
void LevelDomain<ExecutionSpace, Dim>::dilate(const Context<ExecutionSpace>& context, int level,
  const geometry::StructuringElement<Dim>& element, const Set& set, Set& out) {
  std::int64_t reach = 0;
  for (int d = 0; d < Dim; ++d) {
    reach = std::max({reach, -std::int64_t{element.first().at[d]}, std::int64_t{element.last().at[d]}});
  }
  const bool isAll = endsHere(); // sharing would cost `set` its arrays
  if (!isAll) {
    surround(context, level, reach, set, around_);
  }
  parallel::agree(communicator(), [&] {
    morph<ExecutionSpace, Dim>(context, geometry::MorphologyOperation::Dilate, isAll ? set : around_, element, out);
  });
}

template <class ExecutionSpace, int Dim>
int LevelDomain<ExecutionSpace, Dim>::maxOfRanks(int number) const {
  return static_cast<int>(communicator().reduced(ReduceBy::Maximum, std::int64_t{number}));
}

#define SPANWISE_LEVEL_DOMAIN(Space, Dim) template class LevelDomain<Space, Dim>;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_LEVEL_DOMAIN)

} // namespace spanwise::multilevel
