#include "Core/Multilevel/Levels.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Detail/Fetch.hpp"
#include "Core/Geometry/Detail/Sharing.hpp"
#include "Core/Geometry/Validation.hpp"
#include "Core/Multilevel/Detail/LevelSweep.hpp"
#include "Core/Multilevel/Refine.hpp"

#include <algorithm>

namespace spanwise {

namespace {

template <class ExecutionSpace>
using WorkspaceOn = Workspace<typename ExecutionSpace::memory_space>;

/// "(4, -3)": the first cell of a set.
template <class Space, int Dim>
std::string firstCell(const Space& space, const IntervalSetOn<Dim, Space>& set) {
  const RowKey<Dim> key = detail::fetch(space, set.view().rowKeys, 0);
  const Interval interval = detail::fetch(space, set.view().intervals, 0);
  std::string text = "(" + std::to_string(interval.begin) + ", " + std::to_string(key.y);
  if constexpr (Dim == 3) {
    text += ", " + std::to_string(key.z);
  }
  return text + ")";
}

std::string levelText(int l) { return "level " + std::to_string(l); }

/// What is wrong with one level, given that those before it are right.
template <class Space, int Dim>
std::string validateLevel(
  const Space& space, const MultilevelSetOn<Dim, Space>& levels, int l, WorkspaceOn<Space>& workspace) {
  const auto& set = levels.level(l);
  const std::string wrong = validate(space, set);
  if (!wrong.empty()) {
    return levelText(l) + ": " + wrong;
  }
  if (l == 0 || set.empty()) {
    return "";
  }
  if (levels.level(l - 1).empty()) {
    return levelText(l) + " has cells, but " + levelText(l - 1) + " has none";
  }
  IntervalSetOn<Dim, Space> parents;
  IntervalSetOn<Dim, Space> other;
  coarsen<Space, Dim>(space, Coarsening::Outside, set, parents, workspace);
  coarsen<Space, Dim>(space, Coarsening::Inside, set, other, workspace);
  combine<Space, Dim>(space, SetOperation::Difference, parents, other, other, workspace);
  if (!other.empty()) {
    return levelText(l) + ": " + std::to_string(other.numCells()) + " groups of siblings are not complete, first the " +
      "children of the cell " + firstCell<Space, Dim>(space, other) + " of " + levelText(l - 1);
  }
  combine<Space, Dim>(space, SetOperation::Difference, parents, levels.level(l - 1), other, workspace);
  if (!other.empty()) {
    return levelText(l) + ": " + std::to_string(other.numCells()) + " parents are not on " + levelText(l - 1) +
      ", first the cell " + firstCell<Space, Dim>(space, other);
  }
  return "";
}

/// With a domain or without one.
template <class ExecutionSpace, int Dim>
void makeLevelsIn(const ExecutionSpace& space, LevelDomain<ExecutionSpace, Dim>* domain,
  const std::vector<IntervalSetOn<Dim, ExecutionSpace>>& refined, Grading grading,
  MultilevelSetOn<Dim, ExecutionSpace>& out, WorkspaceOn<ExecutionSpace>& workspace) {
  SPANWISE_REGION("Multilevel::makeLevels");
  const auto check = [&] {
    if (refined.size() >= maxNumLevels) {
      throw InvalidArgument("cells of " + std::to_string(refined.size()) + " levels are to be refined; at most " +
        std::to_string(maxNumLevels - 1) + " levels can be, as a hierarchy has " + std::to_string(maxNumLevels));
    }
  };
  if (domain != nullptr) {
    agree(domain->communicator(), check);
    domain->check(space, 0, out.level(0));
  } else {
    check();
  }
  int numRefined = static_cast<int>(refined.size());
  while (numRefined > 0 && refined[static_cast<std::size_t>(numRefined - 1)].empty()) {
    --numRefined;
  }
  out.setNumLevels(1);
  detail::LevelSweep<ExecutionSpace, Dim> sweep(space, grading, out, workspace, domain);
  const IntervalSetOn<Dim, ExecutionSpace> none;
  sweep.make(numRefined, [&](int l) {
    const auto index = static_cast<std::size_t>(l);
    return sweep.clipped((index < refined.size() ? refined[index] : none).view(), l);
  });
}

} // namespace

template <class ExecutionSpace, int Dim>
void refinedCells(const ExecutionSpace& space, const MultilevelSetOn<Dim, ExecutionSpace>& levels, int l,
  IntervalSetOn<Dim, ExecutionSpace>& out, WorkspaceOn<ExecutionSpace>& workspace) {
  if (l >= levels.finest()) {
    out.clear();
    return;
  }
  coarsen<ExecutionSpace, Dim>(space, Coarsening::Inside, levels.level(l + 1), out, workspace);
}

template <class ExecutionSpace, int Dim>
void leaves(const ExecutionSpace& space, const MultilevelSetOn<Dim, ExecutionSpace>& levels, int l,
  IntervalSetOn<Dim, ExecutionSpace>& out, WorkspaceOn<ExecutionSpace>& workspace) {
  SPANWISE_REGION("Multilevel::leaves");
  const auto kept = detail::sharing(levels.level(l)); // `out` may be a level
  const IntervalSetView<Dim> cells = kept.view();
  const auto keptFiner = detail::sharing(levels.level(std::min(l + 1, levels.finest())));
  typename WorkspaceOn<ExecutionSpace>::Frame frame(workspace);
  IntervalSetView<Dim> refined;
  if (l < levels.finest()) {
    WritableIntervalSet<Dim> arrays{};
    const detail::SetTotals totals = detail::coarsenInto<ExecutionSpace, Dim>(
      space, keptFiner.view(), detail::insideReach, frame, [&](std::int64_t rows, std::int64_t intervals) {
        return arrays = detail::scratchSet<Dim>(frame, rows, intervals);
      });
    refined = {arrays.rowKeys, arrays.rowOffsets, arrays.intervals, arrays.cellOffsets, totals.rows, totals.intervals,
      totals.cells};
  }
  const WritableIntervalSet<Dim> target =
    out.prepare(cells.numRows + refined.numRows, cells.numIntervals + refined.numIntervals);
  const detail::SetTotals totals = detail::combineInto<ExecutionSpace, Dim>(
    space, static_cast<unsigned>(SetOperation::Difference), cells, refined, target, workspace);
  out.finish(totals.rows, totals.intervals, totals.cells);
}

template <class ExecutionSpace, int Dim>
void makeLevels(const ExecutionSpace& space, const std::vector<IntervalSetOn<Dim, ExecutionSpace>>& refined,
  Grading grading, MultilevelSetOn<Dim, ExecutionSpace>& out, WorkspaceOn<ExecutionSpace>& workspace) {
  makeLevelsIn<ExecutionSpace, Dim>(space, nullptr, refined, grading, out, workspace);
}

template <class ExecutionSpace, int Dim>
void makeLevels(const ExecutionSpace& space, LevelDomain<ExecutionSpace, Dim>& domain,
  const std::vector<IntervalSetOn<Dim, ExecutionSpace>>& refined, Grading grading,
  MultilevelSetOn<Dim, ExecutionSpace>& out, WorkspaceOn<ExecutionSpace>& workspace) {
  makeLevelsIn<ExecutionSpace, Dim>(space, &domain, refined, grading, out, workspace);
}

template <class ExecutionSpace, int Dim>
void balance(const ExecutionSpace& space, Connectivity connectivity, MultilevelSetOn<Dim, ExecutionSpace>& levels,
  WorkspaceOn<ExecutionSpace>& workspace) {
  SPANWISE_REGION("Multilevel::balance");
  detail::LevelSweep<ExecutionSpace, Dim>(space, gradingAcross(connectivity), levels, workspace).grade();
}

template <class ExecutionSpace, int Dim>
void balance(const ExecutionSpace& space, LevelDomain<ExecutionSpace, Dim>& domain, Connectivity connectivity,
  MultilevelSetOn<Dim, ExecutionSpace>& levels, WorkspaceOn<ExecutionSpace>& workspace) {
  SPANWISE_REGION("Multilevel::balance");
  domain.check(space, 0, levels.level(0));
  detail::LevelSweep<ExecutionSpace, Dim>(space, gradingAcross(connectivity), levels, workspace, &domain).grade();
}

template <class ExecutionSpace, int Dim>
void makeLevelsFromLeaves(const ExecutionSpace& space, const std::vector<IntervalSetOn<Dim, ExecutionSpace>>& leaves,
  MultilevelSetOn<Dim, ExecutionSpace>& out, WorkspaceOn<ExecutionSpace>& workspace) {
  SPANWISE_REGION("Multilevel::makeLevelsFromLeaves");
  out.setNumLevels(std::max(1, static_cast<int>(leaves.size())));
  const auto fail = [&](const std::string& why) {
    out.setNumLevels(1);
    out.level(0).clear();
    throw InvalidArgument(why);
  };
  IntervalSetOn<Dim, ExecutionSpace> parents;
  IntervalSetOn<Dim, ExecutionSpace> common;
  for (int l = out.finest(); l >= 0 && !leaves.empty(); --l) {
    const auto& here = leaves[static_cast<std::size_t>(l)];
    refinedCells<ExecutionSpace, Dim>(space, out, l, parents, workspace);
    if (l < out.finest() && parents.numCells() * (std::int64_t{1} << Dim) != out.level(l + 1).numCells()) {
      fail("the leaves of " + levelText(l + 1) +
        " and those below them are not complete groups of siblings; they must tile cells of " + levelText(l));
    }
    combine<ExecutionSpace, Dim>(space, SetOperation::Intersection, here, parents, common, workspace);
    if (!common.empty()) {
      fail("the leaf " + firstCell<ExecutionSpace, Dim>(space, common) + " of " + levelText(l) +
        " has finer leaves over it; leaves must not overlap");
    }
    combine<ExecutionSpace, Dim>(space, SetOperation::Union, here, parents, out.level(l), workspace);
  }
  int count = out.numLevels();
  while (count > 1 && out.level(count - 1).empty()) {
    --count;
  }
  out.setNumLevels(count);
}

template <class ExecutionSpace, int Dim>
std::string validate(const ExecutionSpace& space, const MultilevelSetOn<Dim, ExecutionSpace>& levels,
  WorkspaceOn<ExecutionSpace>& workspace, Grading grading) {
  SPANWISE_REGION("Multilevel::validate");
  for (int l = 0; l < levels.numLevels(); ++l) {
    std::string wrong = validateLevel<ExecutionSpace, Dim>(space, levels, l, workspace);
    if (!wrong.empty()) {
      return wrong;
    }
  }
  if (grading == Grading::Nested) {
    return "";
  }
  MultilevelSetOn<Dim, ExecutionSpace> graded = levels; // what balancing would add
  detail::LevelSweep<ExecutionSpace, Dim>(space, grading, graded, workspace).grade();
  for (int l = levels.finest(); l > 0; --l) {
    if (graded.level(l).numCells() > levels.level(l).numCells()) {
      IntervalSetOn<Dim, ExecutionSpace> added;
      combine<ExecutionSpace, Dim>(space, SetOperation::Difference, graded.level(l), levels.level(l), added, workspace);
      coarsen<ExecutionSpace, Dim>(space, Coarsening::Outside, added, added, workspace);
      return levelText(l - 1) + ": " + std::to_string(added.numCells()) +
        " leaves have neighbours more than one level finer, or would after balancing, first the cell " +
        firstCell<ExecutionSpace, Dim>(space, added);
    }
  }
  return "";
}

#define SPANWISE_LEVELS(Space, Dim)                                                                                    \
  template void refinedCells<Space, Dim>(                                                                              \
    const Space&, const MultilevelSetOn<Dim, Space>&, int, IntervalSetOn<Dim, Space>&, WorkspaceOn<Space>&);           \
  template void leaves<Space, Dim>(                                                                                    \
    const Space&, const MultilevelSetOn<Dim, Space>&, int, IntervalSetOn<Dim, Space>&, WorkspaceOn<Space>&);           \
  template void makeLevels<Space, Dim>(const Space&, const std::vector<IntervalSetOn<Dim, Space>>&, Grading,           \
    MultilevelSetOn<Dim, Space>&, WorkspaceOn<Space>&);                                                                \
  template void balance<Space, Dim>(const Space&, Connectivity, MultilevelSetOn<Dim, Space>&, WorkspaceOn<Space>&);    \
  template void makeLevels<Space, Dim>(const Space&, LevelDomain<Space, Dim>&,                                         \
    const std::vector<IntervalSetOn<Dim, Space>>&, Grading, MultilevelSetOn<Dim, Space>&, WorkspaceOn<Space>&);        \
  template void balance<Space, Dim>(                                                                                   \
    const Space&, LevelDomain<Space, Dim>&, Connectivity, MultilevelSetOn<Dim, Space>&, WorkspaceOn<Space>&);          \
  template void makeLevelsFromLeaves<Space, Dim>(                                                                      \
    const Space&, const std::vector<IntervalSetOn<Dim, Space>>&, MultilevelSetOn<Dim, Space>&, WorkspaceOn<Space>&);   \
  template std::string validate<Space, Dim>(                                                                           \
    const Space&, const MultilevelSetOn<Dim, Space>&, WorkspaceOn<Space>&, Grading);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_LEVELS)

} // namespace spanwise
