#include "SpanwiseAdapt.h"

#include "SpanwiseProlongedValues.h"
#include "SpanwiseValues.h"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Geometry/Morphology.hpp"

#include <vtkCellData.h>
#include <vtkDoubleArray.h>

#include <algorithm>

namespace spanwise {

namespace {

using Host = HostExecutionSpace;
using HostWorkspace = Workspace<Kokkos::HostSpace>;

template <int Dim>
using Sets = std::vector<HostIntervalSet<Dim>>;

template <int Dim>
HostIntervalSet<Dim> combined(SetOperation operation, const HostIntervalSet<Dim>& a, const HostIntervalSet<Dim>& b) {
  HostWorkspace workspace;
  HostIntervalSet<Dim> out;
  combine<Host, Dim>(Host(), operation, a, b, out, workspace);
  return out;
}

template <int Dim>
HostIntervalSet<Dim> parentsOf(Coarsening which, const HostIntervalSet<Dim>& set) {
  HostWorkspace workspace;
  HostIntervalSet<Dim> out;
  coarsen<Host, Dim>(Host(), which, set, out, workspace);
  return out;
}

template <int Dim>
HostIntervalSet<Dim> childrenOf(const HostIntervalSet<Dim>& set) {
  HostWorkspace workspace;
  HostIntervalSet<Dim> out;
  refine<Host, Dim>(Host(), set, out, workspace);
  return out;
}

/// The cells within `buffer` cells along each axis, diagonally too.
template <int Dim>
HostIntervalSet<Dim> buffered(const HostIntervalSet<Dim>& set, Coordinate buffer) {
  if (buffer == 0 || set.empty()) {
    return set;
  }
  Cell<Dim> radius{};
  std::fill(radius.at, radius.at + Dim, buffer);
  HostWorkspace workspace;
  HostIntervalSet<Dim> out;
  morph<Host, Dim>(Host(), MorphologyOperation::Dilate, set, StructuringElement<Dim>::box(radius), out, workspace);
  return out;
}

/// The cells on which the sensor is active.
template <int Dim>
HostIntervalSet<Dim> activeCells(const RankCells<Dim>& cells, const AdaptRules& rules) {
  HostIntervalSet<Dim> active;
  auto* array = vtkDoubleArray::SafeDownCast(cells.values->GetAbstractArray(sensorName));
  if (array == nullptr || cells.set.empty() || (!rules.range && !rules.tagging)) {
    return active;
  }
  FieldView<double> view;
  view.component[0] = array->GetPointer(0);
  view.numCells = array->GetNumberOfTuples();
  const HostField<double> field("sensor", view, nullptr);
  HostWorkspace workspace;
  if (rules.range) {
    threshold<Host, double, Dim>(Host(), cells.set, field, {*rules.range, 0, false}, active, workspace);
  } else {
    TagScratch<Dim, Kokkos::HostSpace> scratch;
    tagCells<Host, Dim, double>(Host(), cells.set, field, *rules.tagging, active, scratch, workspace);
  }
  return active;
}

/// The cells of `from` that are in `set`, with their values.
template <int Dim>
RankCells<Dim> selected(const RankCells<Dim>& from, const HostIntervalSet<Dim>& set) {
  RankCells<Dim> cells;
  cells.set = combined<Dim>(SetOperation::Intersection, from.set, set);
  sliceValues(from.values, 0, 0, cells.values);
  const auto runs = commonCells<Host, Dim>(Host(), cells.set, from.set);
  for (int k = 0; k < cells.values->GetNumberOfArrays(); ++k) {
    vtkAbstractArray* array = cells.values->GetAbstractArray(k);
    array->SetNumberOfTuples(cells.set.numCells());
    copyRuns(from.values->GetAbstractArray(k), runs.data(), static_cast<std::int64_t>(runs.extent(0)), array);
  }
  return cells;
}

template <int Dim>
HostMultilevelSet<Dim> gradedLevels(const HostIntervalSet<Dim>& root, const Sets<Dim>& refinedCells, Grading grading) {
  HostMultilevelSet<Dim> levels;
  levels.level(0) = root;
  HostWorkspace workspace;
  makeLevels<Host, Dim>(Host(), refinedCells, grading, levels, workspace);
  return levels;
}

template <int Dim>
HostIntervalSet<Dim> leavesOf(const HostMultilevelSet<Dim>& levels, int l) {
  HostIntervalSet<Dim> out;
  if (l < levels.numLevels()) {
    HostWorkspace workspace;
    leaves<Host, Dim>(Host(), levels, l, out, workspace);
  }
  return out;
}

/// Adds the parents of tagged cells of the finest level to what is refined.
template <int Dim>
void refineAbove(const HostIntervalSet<Dim>& tagged, Coordinate buffer, Sets<Dim>& refinedCells) {
  if (!refinedCells.empty() && !tagged.empty()) {
    refinedCells.back() = combined<Dim>(
      SetOperation::Union, refinedCells.back(), parentsOf<Dim>(Coarsening::Outside, buffered<Dim>(tagged, buffer)));
  }
}

} // namespace

template <int Dim>
std::vector<RankCells<Dim>> coarsenedAway(
  const RankCells<Dim>& cells, const HostIntervalSet<Dim>& tagged, const AdaptRules& rules) {
  const auto finest = static_cast<std::size_t>(rules.numLevels - 1);
  std::vector<RankCells<Dim>> whole(finest + 1); // the cells of each level that the given ones fill
  Sets<Dim> touched(finest + 1);                 // and those in which there are any
  whole[finest] = cells;
  touched[finest] = cells.set;
  for (std::size_t l = finest; l-- > 0;) {
    whole[l] = coarsened<Dim>({whole[l + 1], {}}, Coarsening::Inside, rules.coarse).cells;
    touched[l] = parentsOf<Dim>(Coarsening::Outside, touched[l + 1]);
  }
  Sets<Dim> refinedCells(finest);
  for (std::size_t l = 0; l < finest; ++l) {
    refinedCells[l] = combined<Dim>(SetOperation::Union, buffered<Dim>(activeCells<Dim>(whole[l], rules), rules.buffer),
      combined<Dim>(SetOperation::Difference, touched[l], whole[l].set));
  }
  refineAbove<Dim>(
    combined<Dim>(SetOperation::Union, tagged, activeCells<Dim>(cells, rules)), rules.buffer, refinedCells);
  const auto levels = gradedLevels<Dim>(touched[0], refinedCells, rules.grading);
  std::vector<RankCells<Dim>> result;
  for (std::size_t l = 0; l <= finest; ++l) {
    result.push_back(selected<Dim>(whole[l], leavesOf<Dim>(levels, static_cast<int>(l))));
  }
  return result;
}

template <int Dim>
std::vector<RankCells<Dim>> refinedFrom(
  const RankCells<Dim>& cells, const HostIntervalSet<Dim>& tagged, const AdaptRules& rules) {
  const auto finest = static_cast<std::size_t>(rules.numLevels - 1);
  Sets<Dim> refinedCells(finest);
  RankCells<Dim> level = cells;
  for (std::size_t l = 0; l < finest && !level.set.empty(); ++l) {
    refinedCells[l] = buffered<Dim>(activeCells<Dim>(level, rules), rules.buffer);
    if (l + 1 < finest) {
      RankCells<Dim> finer;
      finer.set = childrenOf<Dim>(combined<Dim>(SetOperation::Intersection, refinedCells[l], level.set));
      finer.values = prolongedValues<Dim>(level, finer.set, rules.prolongation);
      level = finer;
    }
  }
  refineAbove<Dim>(tagged, rules.buffer, refinedCells);
  const auto levels = gradedLevels<Dim>(cells.set, refinedCells, rules.grading);
  std::vector<RankCells<Dim>> result;
  level = cells; // all cells of a level, refined or not
  for (int l = 0; l <= static_cast<int>(finest); ++l) {
    if (l > 0) {
      RankCells<Dim> finer;
      finer.set = l < levels.numLevels() ? levels.level(l) : HostIntervalSet<Dim>();
      finer.values = prolongedValues<Dim>(level, finer.set, rules.prolongation);
      level = finer;
    }
    result.push_back(selected<Dim>(level, leavesOf<Dim>(levels, l)));
  }
  return result;
}

// The sensor looks one cell away, the buffer reaches further, and grading refines the root's neighbours of what is
// refined: a refined cell asks for its neighbours' parents, whose own neighbours' parents are no further away.
std::int64_t haloOfCoarsening(const AdaptRules& rules) { return std::int64_t{rules.buffer} + 2; }

// On each level sensor, buffer and slopes reach half as far as on the one before; then grading, and the slopes of the
// values.
std::int64_t haloOfRefining(const AdaptRules& rules) { return 2 * (std::int64_t{rules.buffer} + 1) + 3; }

#define SPANWISE_ADAPT(Dim)                                                                                            \
  template std::vector<RankCells<Dim>> coarsenedAway<Dim>(                                                             \
    const RankCells<Dim>&, const HostIntervalSet<Dim>&, const AdaptRules&);                                            \
  template std::vector<RankCells<Dim>> refinedFrom<Dim>(                                                               \
    const RankCells<Dim>&, const HostIntervalSet<Dim>&, const AdaptRules&);
SPANWISE_ADAPT(2)
SPANWISE_ADAPT(3)

} // namespace spanwise
