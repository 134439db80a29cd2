#include "SpanwiseAdapt.h"

#include "SpanwiseProlongedValues.h"
#include "SpanwiseValues.h"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Geometry/Originals.hpp"
#include "Core/Multilevel/LevelTagging.hpp"
#include "Core/Runtime/Context.hpp"

#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkIdList.h>
#include <vtkNew.h>

#include <algorithm>

using namespace spanwise::field;
using namespace spanwise::geometry;
using namespace spanwise::multilevel;
using namespace spanwise::parallel;

namespace spanwise {

namespace {

using Host = HostExecutionSpace;
using HostWorkspace = Workspace<Kokkos::HostSpace>;

template <int Dim>
using Sets = std::vector<HostIntervalSet<Dim>>;

template <int Dim>
HostIntervalSet<Dim> combined(SetOperation operation, const HostIntervalSet<Dim>& a, const HostIntervalSet<Dim>& b) {
  const Context<Host> context;
  HostIntervalSet<Dim> out;
  combine<Host, Dim>(context, operation, a, b, out);
  return out;
}

template <int Dim>
HostIntervalSet<Dim> parentsOf(Coarsening which, const HostIntervalSet<Dim>& set) {
  const Context<Host> context;
  HostIntervalSet<Dim> out;
  coarsen<Host, Dim>(context, which, set, out);
  return out;
}

template <int Dim>
HostIntervalSet<Dim> childrenOf(const HostIntervalSet<Dim>& set) {
  const Context<Host> context;
  HostIntervalSet<Dim> out;
  refine<Host, Dim>(context, set, out);
  return out;
}

/// Collective. The cells within `buffer` cells of all ranks' cells of a level, along each axis, diagonally too.
template <int Dim>
HostIntervalSet<Dim> buffered(AdaptRanks<Dim>& ranks, int level, const HostIntervalSet<Dim>& set, Coordinate buffer) {
  if (buffer == 0) {
    return set;
  }
  Cell<Dim> radius{};
  std::fill(radius.at, radius.at + Dim, buffer);
  const Context<Host> context;
  HostIntervalSet<Dim> out;
  ranks.domain.dilate(context, level, StructuringElement<Dim>::box(radius), set, out);
  return out;
}

/// Collective. The cells of a level on which the sensor is active.
template <int Dim>
HostIntervalSet<Dim> activeCells(
  AdaptRanks<Dim>& ranks, int level, const RankCells<Dim>& cells, const AdaptRules& rules) {
  HostIntervalSet<Dim> active;
  if (!rules.range && !rules.tagging) {
    return active;
  }
  HostField<double> field("sensor", 0);
  auto* array = vtkDoubleArray::SafeDownCast(cells.values->GetAbstractArray(sensorName));
  if (array != nullptr && !cells.set.empty()) {
    FieldView<double> view;
    view.values = array->GetPointer(0);
    view.numCells = array->GetNumberOfTuples();
    field = HostField<double>("sensor", view, nullptr);
  }
  const Context<Host> context;
  if (rules.range) {
    ranks.group.agree(
      [&] { threshold<Host, double, Dim>(context, cells.set.host(), field, {*rules.range, 0, false}, active); });
  } else {
    LevelTagScratch<Host, Dim, double> scratch;
    tagCells<Host, Dim, double>(
      context, ranks.domain, {level, cells.set.host(), field}, *rules.tagging, active, scratch);
  }
  return active;
}

/// The cells and their copies one cell beyond the ends of periods, with their values.
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
    result.values->GetAbstractArray(k)->InsertTuples(to, from, cells.values->GetAbstractArray(k));
  }
  return result;
}

/// Collective. Values on finer cells in this rank's planes, with slopes that look at the ranks beside it and at the
/// other ends of periods.
template <int Dim>
RankCells<Dim> prolonged(AdaptRanks<Dim>& ranks, int level, const RankCells<Dim>& coarse,
  const HostIntervalSet<Dim>& fine, Prolongation method) {
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
    finer.values =
      prolongedValues<ComputeSide::Host, Dim>(others.any() ? unwrapped<Dim>(around, others) : around, fine, method);
  });
  return finer;
}

/// The cells of `from` that are in `set`, with their values.
template <int Dim>
RankCells<Dim> selected(const RankCells<Dim>& from, const HostIntervalSet<Dim>& set) {
  RankCells<Dim> cells;
  cells.set = combined<Dim>(SetOperation::Intersection, from.set.host(), set);
  sliceValues(from.values, 0, 0, cells.values);
  const auto runs = commonCells<Host, Dim>(Context<Host>(), cells.set.host(), from.set.host());
  for (int k = 0; k < cells.values->GetNumberOfArrays(); ++k) {
    vtkAbstractArray* array = cells.values->GetAbstractArray(k);
    array->SetNumberOfTuples(cells.set.numCells());
    copyRuns(from.values->GetAbstractArray(k), runs.data(), static_cast<std::int64_t>(runs.extent(0)), array);
  }
  return cells;
}

/// Collective.
template <int Dim>
HostMultilevelSet<Dim> gradedLevels(
  AdaptRanks<Dim>& ranks, const HostIntervalSet<Dim>& root, const Sets<Dim>& refinedCells, Grading grading) {
  HostMultilevelSet<Dim> levels;
  levels.level(0) = root;
  const Context<Host> context;
  makeLevels<Host, Dim>(context, ranks.domain, refinedCells, grading, levels);
  return levels;
}

template <int Dim>
HostIntervalSet<Dim> leavesOf(const HostMultilevelSet<Dim>& levels, int l) {
  HostIntervalSet<Dim> out;
  if (l < levels.numLevels()) {
    const Context<Host> context;
    leaves<Host, Dim>(context, levels, l, out);
  }
  return out;
}

/// Collective. Adds the parents of tagged cells of the finest level, and of those around, to what is refined.
template <int Dim>
void refineAbove(
  AdaptRanks<Dim>& ranks, const HostIntervalSet<Dim>& tagged, Coordinate buffer, Sets<Dim>& refinedCells) {
  if (!refinedCells.empty()) {
    const HostIntervalSet<Dim> all = buffered<Dim>(ranks, static_cast<int>(refinedCells.size()), tagged, buffer);
    ranks.group.agree([&] {
      refinedCells.back() =
        combined<Dim>(SetOperation::Union, refinedCells.back(), parentsOf<Dim>(Coarsening::Outside, all));
    });
  }
}

} // namespace

template <int Dim>
std::vector<RankCells<Dim>> coarsenedAway(
  AdaptRanks<Dim>& ranks, const RankCells<Dim>& cells, const HostIntervalSet<Dim>& tagged, const AdaptRules& rules) {
  const auto finest = static_cast<std::size_t>(rules.numLevels - 1);
  std::vector<RankCells<Dim>> whole(finest + 1); // the cells of each level that the given ones fill
  Sets<Dim> touched(finest + 1);                 // and those in which there are any
  ranks.group.agree([&] {
    whole[finest] = cells;
    touched[finest] = cells.set.host();
    for (std::size_t l = finest; l-- > 0;) {
      whole[l] = coarsened<Dim>({whole[l + 1], {}}, Coarsening::Inside, rules.coarse).cells;
      touched[l] = parentsOf<Dim>(Coarsening::Outside, touched[l + 1]);
    }
  });
  Sets<Dim> refinedCells(finest);
  HostIntervalSet<Dim> active;
  for (std::size_t l = 0; l <= finest; ++l) {
    active = activeCells<Dim>(ranks, static_cast<int>(l), whole[l], rules);
    if (l < finest) {
      const HostIntervalSet<Dim> all = buffered<Dim>(ranks, static_cast<int>(l), active, rules.buffer);
      ranks.group.agree([&] {
        refinedCells[l] = combined<Dim>(
          SetOperation::Union, all, combined<Dim>(SetOperation::Difference, touched[l], whole[l].set.host()));
      });
    }
  }
  ranks.group.agree([&] { active = combined<Dim>(SetOperation::Union, tagged, active); });
  refineAbove<Dim>(ranks, active, rules.buffer, refinedCells);
  const auto levels = gradedLevels<Dim>(ranks, touched[0], refinedCells, rules.grading);
  std::vector<RankCells<Dim>> result;
  ranks.group.agree([&] {
    for (std::size_t l = 0; l <= finest; ++l) {
      result.push_back(selected<Dim>(whole[l], leavesOf<Dim>(levels, static_cast<int>(l))));
    }
  });
  return result;
}

template <int Dim>
std::vector<RankCells<Dim>> refinedFrom(
  AdaptRanks<Dim>& ranks, const RankCells<Dim>& cells, const HostIntervalSet<Dim>& tagged, const AdaptRules& rules) {
  const auto finest = static_cast<std::size_t>(rules.numLevels - 1);
  Sets<Dim> refinedCells(finest);
  RankCells<Dim> level = cells;
  for (std::size_t l = 0; l < finest; ++l) {
    const int number = static_cast<int>(l);
    const HostIntervalSet<Dim> active = activeCells<Dim>(ranks, number, level, rules);
    refinedCells[l] = buffered<Dim>(ranks, number, active, rules.buffer);
    if (l + 1 < finest) {
      HostIntervalSet<Dim> fine;
      ranks.group.agree(
        [&] { fine = childrenOf<Dim>(combined<Dim>(SetOperation::Intersection, refinedCells[l], level.set.host())); });
      level = prolonged<Dim>(ranks, number, level, fine, rules.prolongation);
    }
  }
  refineAbove<Dim>(ranks, tagged, rules.buffer, refinedCells);
  const auto levels = gradedLevels<Dim>(ranks, cells.set.host(), refinedCells, rules.grading);
  std::vector<RankCells<Dim>> result;
  level = cells; // all cells of a level, refined or not
  for (int l = 0; l <= static_cast<int>(finest); ++l) {
    if (l > 0) {
      level = prolonged<Dim>(
        ranks, l - 1, level, l < levels.numLevels() ? levels.level(l) : HostIntervalSet<Dim>(), rules.prolongation);
    }
    ranks.group.agree([&] { result.push_back(selected<Dim>(level, leavesOf<Dim>(levels, l))); });
  }
  return result;
}

#define SPANWISE_ADAPT(Dim)                                                                                            \
  template std::vector<RankCells<Dim>> coarsenedAway<Dim>(                                                             \
    AdaptRanks<Dim>&, const RankCells<Dim>&, const HostIntervalSet<Dim>&, const AdaptRules&);                          \
  template std::vector<RankCells<Dim>> refinedFrom<Dim>(                                                               \
    AdaptRanks<Dim>&, const RankCells<Dim>&, const HostIntervalSet<Dim>&, const AdaptRules&);
SPANWISE_ADAPT(2)
SPANWISE_ADAPT(3)

} // namespace spanwise
