#include "SpanwiseAdapt.h"

#include "SpanwiseArrayOnSide.h"
#include "SpanwiseGatheredCells.h"
#include "SpanwiseMirroredArray.h"
#include "SpanwiseProlongedValues.h"
#include "SpanwiseValues.h"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Originals.hpp"
#include "Core/Multilevel/LevelTagging.hpp"
#include "Core/Runtime/Context.hpp"

#include <vtkCellData.h>
#include <vtkIdList.h>
#include <vtkNew.h>

#include <algorithm>
#include <cstdint>

using namespace spanwise::field;
using namespace spanwise::geometry;
using namespace spanwise::multilevel;
using namespace spanwise::parallel;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

template <int Dim>
using Sets = std::vector<MirroredSet<Dim>>;

template <ComputeSide side, int Dim>
MirroredSet<Dim> parentsOf(const MirroredSet<Dim>& set) {
  IntervalSetOn<Dim, SpaceOf<side>> out;
  coarsen<SpaceOf<side>, Dim>(Context<SpaceOf<side>>(), Coarsening::Outside, set.template on<side>(), out);
  return MirroredSet<Dim>::template of<side>(out);
}

template <ComputeSide side, int Dim>
MirroredSet<Dim> childrenOf(const MirroredSet<Dim>& set) {
  IntervalSetOn<Dim, SpaceOf<side>> out;
  refine<SpaceOf<side>, Dim>(Context<SpaceOf<side>>(), set.template on<side>(), out);
  return MirroredSet<Dim>::template of<side>(out);
}

/// Collective. The cells within `buffer` cells of all ranks' cells of a level, along each axis, diagonally too.
template <ComputeSide side, int Dim>
MirroredSet<Dim> buffered(AdaptRanks<side, Dim>& ranks, int level, const MirroredSet<Dim>& set, Coordinate buffer) {
  if (buffer == 0) {
    return set;
  }
  Cell<Dim> radius{};
  std::fill(radius.at, radius.at + Dim, buffer);
  IntervalSetOn<Dim, SpaceOf<side>> out;
  ranks.domain.dilate(
    Context<SpaceOf<side>>(), level, StructuringElement<Dim>::box(radius), set.template on<side>(), out);
  return MirroredSet<Dim>::template of<side>(out);
}

/// Collective. The cells of a level on which the sensor is active.
template <ComputeSide side, int Dim>
MirroredSet<Dim> activeCells(
  AdaptRanks<side, Dim>& ranks, int level, const RankCells<Dim>& cells, const AdaptRules& rules) {
  using Space = SpaceOf<side>;
  if (!rules.range && !rules.tagging) {
    return {};
  }
  const ValuesOn<double, side> sensor(cells.set.empty() ? nullptr : cells.values->GetArray(sensorName));
  FieldView<double> view;
  view.values = const_cast<double*>(sensor.data()); // NOLINT(cppcoreguidelines-pro-type-const-cast): it is only read
  view.numCells = sensor.count();
  const FieldOn<double, Space> field("sensor", view, nullptr);
  const Context<Space> context;
  IntervalSetOn<Dim, Space> active;
  if (rules.range) {
    ranks.group.agree([&] {
      threshold<Space, double, Dim>(context, cells.set.template on<side>(), field, {*rules.range, 0, false}, active);
    });
  } else {
    LevelTagScratch<Space, Dim, double> scratch;
    tagCells<Space, Dim, double>(
      context, ranks.domain, {level, cells.set.template on<side>(), field}, *rules.tagging, active, scratch);
  }
  return MirroredSet<Dim>::template of<side>(active);
}

/// The cells and their copies one cell beyond the ends of periods, with their values. On the host.
template <int Dim>
RankCells<Dim> unwrapped(const RankCells<Dim>& cells, const Periods<Dim>& periods) {
  Cell<Dim> one{};
  std::fill(one.at, one.at + Dim, 1);
  const Context<Host> context;
  HostIntervalSet<Dim> more;
  unwrap<Host, Dim>(context, cells.set.host(), periods, one, one, more);
  RankCells<Dim> result;
  result.set = more;
  Kokkos::View<std::int64_t*, Kokkos::HostSpace> originals;
  findOriginals<Host, Dim>(context, result.set.host(), cells.set.host(), periods, originals);
  const vtkIdType count = result.set.numCells();
  vtkNew<vtkIdList> from;
  vtkNew<vtkIdList> to;
  from->SetNumberOfIds(count);
  to->SetNumberOfIds(count);
  for (vtkIdType c = 0; c < count; ++c) {
    from->SetId(c, originals(static_cast<std::size_t>(c)));
    to->SetId(c, c);
  }
  sliceValues(cells.values, 0, 0, result.values);
  for (int k = 0; k < result.values->GetNumberOfArrays(); ++k) {
    result.values->GetAbstractArray(k)->InsertTuples(to, from, onHost(cells.values->GetAbstractArray(k)));
  }
  return result;
}

/// Collective. Values on finer cells in this rank's planes, with slopes that look at the ranks beside it and at the
/// other ends of periods.
template <ComputeSide side, int Dim>
RankCells<Dim> prolonged(AdaptRanks<side, Dim>& ranks, int level, const RankCells<Dim>& coarse,
  const MirroredSet<Dim>& fine, Prolongation method) {
  RankCells<Dim> around = coarse;
  const Halo halo = ranks.domain.halo(level, 1);
  if (!ranks.group.alone() || halo.periodic()) {
    addHalo<Dim>(ranks.group, planesOfLevel(ranks.planes(), level), around, halo);
  }
  RankCells<Dim> finer;
  ranks.group.agree([&] {
    Periods<Dim> others = ranks.domain.periodsOf(level);
    others.along[Dim - 1] = false;
    finer.set = fine;
    finer.values = prolongedValues<side, Dim>(others.any() ? unwrapped<Dim>(around, others) : around, fine, method);
  });
  return finer;
}

/// Collective.
template <ComputeSide side, int Dim>
MultilevelSetOn<Dim, SpaceOf<side>> gradedLevels(
  AdaptRanks<side, Dim>& ranks, const MirroredSet<Dim>& root, const Sets<Dim>& refinedCells, Grading grading) {
  MultilevelSetOn<Dim, SpaceOf<side>> levels;
  levels.level(0) = root.template on<side>();
  std::vector<IntervalSetOn<Dim, SpaceOf<side>>> refinedThere;
  for (const MirroredSet<Dim>& set : refinedCells) {
    refinedThere.push_back(set.template on<side>());
  }
  makeLevels<SpaceOf<side>, Dim>(Context<SpaceOf<side>>(), ranks.domain, refinedThere, grading, levels);
  return levels;
}

template <ComputeSide side, int Dim>
MirroredSet<Dim> leavesOf(const MultilevelSetOn<Dim, SpaceOf<side>>& levels, int l) {
  IntervalSetOn<Dim, SpaceOf<side>> out;
  if (l < levels.numLevels()) {
    leaves<SpaceOf<side>, Dim>(Context<SpaceOf<side>>(), levels, l, out);
  }
  return MirroredSet<Dim>::template of<side>(out);
}

/// Collective. Adds the parents of tagged cells of the finest level, and of those around, to what is refined.
template <ComputeSide side, int Dim>
void refineAbove(
  AdaptRanks<side, Dim>& ranks, const MirroredSet<Dim>& tagged, Coordinate buffer, Sets<Dim>& refinedCells) {
  if (!refinedCells.empty()) {
    const MirroredSet<Dim> all = buffered<side, Dim>(ranks, static_cast<int>(refinedCells.size()), tagged, buffer);
    ranks.group.agree([&] {
      refinedCells.back() = combined<side, Dim>(SetOperation::Union, refinedCells.back(), parentsOf<side, Dim>(all));
    });
  }
}

} // namespace

template <ComputeSide side, int Dim>
std::vector<RankCells<Dim>> coarsenedAway(
  AdaptRanks<side, Dim>& ranks, const RankCells<Dim>& cells, const MirroredSet<Dim>& tagged, const AdaptRules& rules) {
  const auto finest = static_cast<std::size_t>(rules.numLevels - 1);
  std::vector<RankCells<Dim>> whole(finest + 1); // the cells of each level that the given ones fill
  Sets<Dim> touched(finest + 1);                 // and those in which there are any
  ranks.group.agree([&] {
    whole[finest] = cells;
    touched[finest] = cells.set;
    for (std::size_t l = finest; l-- > 0;) {
      whole[l] = coarsened<side, Dim>({whole[l + 1], {}}, Coarsening::Inside, rules.coarse).cells;
      touched[l] = parentsOf<side, Dim>(touched[l + 1]);
    }
  });
  Sets<Dim> refinedCells(finest);
  MirroredSet<Dim> active;
  for (std::size_t l = 0; l <= finest; ++l) {
    active = activeCells<side, Dim>(ranks, static_cast<int>(l), whole[l], rules);
    if (l < finest) {
      const MirroredSet<Dim> all = buffered<side, Dim>(ranks, static_cast<int>(l), active, rules.buffer);
      ranks.group.agree([&] {
        refinedCells[l] = combined<side, Dim>(
          SetOperation::Union, all, combined<side, Dim>(SetOperation::Difference, touched[l], whole[l].set));
      });
    }
  }
  ranks.group.agree([&] { active = combined<side, Dim>(SetOperation::Union, tagged, active); });
  refineAbove<side, Dim>(ranks, active, rules.buffer, refinedCells);
  const auto levels = gradedLevels<side, Dim>(ranks, touched[0], refinedCells, rules.grading);
  std::vector<RankCells<Dim>> result;
  ranks.group.agree([&] {
    for (std::size_t l = 0; l <= finest; ++l) {
      result.push_back(selectedCells<side, Dim>(whole[l], leavesOf<side, Dim>(levels, static_cast<int>(l))));
    }
  });
  return result;
}

template <ComputeSide side, int Dim>
std::vector<RankCells<Dim>> refinedFrom(
  AdaptRanks<side, Dim>& ranks, const RankCells<Dim>& cells, const MirroredSet<Dim>& tagged, const AdaptRules& rules) {
  const auto finest = static_cast<std::size_t>(rules.numLevels - 1);
  Sets<Dim> refinedCells(finest);
  RankCells<Dim> level = cells;
  for (std::size_t l = 0; l < finest; ++l) {
    const int number = static_cast<int>(l);
    const MirroredSet<Dim> active = activeCells<side, Dim>(ranks, number, level, rules);
    refinedCells[l] = buffered<side, Dim>(ranks, number, active, rules.buffer);
    if (l + 1 < finest) {
      MirroredSet<Dim> fine;
      ranks.group.agree([&] {
        fine = childrenOf<side, Dim>(combined<side, Dim>(SetOperation::Intersection, refinedCells[l], level.set));
      });
      level = prolonged<side, Dim>(ranks, number, level, fine, rules.prolongation);
    }
  }
  refineAbove<side, Dim>(ranks, tagged, rules.buffer, refinedCells);
  const auto levels = gradedLevels<side, Dim>(ranks, cells.set, refinedCells, rules.grading);
  std::vector<RankCells<Dim>> result;
  level = cells; // all cells of a level, refined or not
  for (int l = 0; l <= static_cast<int>(finest); ++l) {
    if (l > 0) {
      const auto fine =
        l < levels.numLevels() ? MirroredSet<Dim>::template of<side>(levels.level(l)) : MirroredSet<Dim>();
      level = prolonged<side, Dim>(ranks, l - 1, level, fine, rules.prolongation);
    }
    ranks.group.agree([&] { result.push_back(selectedCells<side, Dim>(level, leavesOf<side, Dim>(levels, l))); });
  }
  return result;
}

#define SPANWISE_ADAPT(side, Dim)                                                                                      \
  template std::vector<RankCells<Dim>> coarsenedAway<ComputeSide::side, Dim>(                                          \
    AdaptRanks<ComputeSide::side, Dim>&, const RankCells<Dim>&, const MirroredSet<Dim>&, const AdaptRules&);           \
  template std::vector<RankCells<Dim>> refinedFrom<ComputeSide::side, Dim>(                                            \
    AdaptRanks<ComputeSide::side, Dim>&, const RankCells<Dim>&, const MirroredSet<Dim>&, const AdaptRules&);
SPANWISE_ADAPT(Host, 2)
SPANWISE_ADAPT(Host, 3)
SPANWISE_ADAPT(Device, 2)
SPANWISE_ADAPT(Device, 3)

} // namespace spanwise
