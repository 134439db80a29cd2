#include "Core/Multilevel/Levels.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Crop.hpp"
#include "Core/Geometry/Validation.hpp"
#include "Core/Multilevel/Detail/LevelSweep.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Fetch.hpp"
#include "Core/Runtime/Sharing.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace spanwise::multilevel {

namespace {

template <class ExecutionSpace>
using WorkspaceOn = Workspace<typename ExecutionSpace::memory_space>;

/// "(4, -3)": the first cell of a set.
template <class Space, int Dim>
std::string firstCell(const Space& space, const geometry::IntervalSetOn<Dim, Space>& set) {
  const geometry::RowKey<Dim> key = fetch(space, set.view().rowKeys, 0);
  const geometry::Interval interval = fetch(space, set.view().intervals, 0);
  std::string text = "(" + std::to_string(interval.begin) + ", " + std::to_string(key.y);
  if constexpr (Dim == 3) {
    text += ", " + std::to_string(key.z);
  }
  return text + ")";
}

std::string levelText(int l) { return "level " + std::to_string(l); }

/// Checks hierarchies, with a domain or without one. With one all functions are collective, and all ranks get the same.
template <class Space, int Dim>
class Validation {
public:
  Validation(const Context<Space>& context, const MultilevelSetOn<Dim, Space>& levels, LevelDomain<Space, Dim>* domain)
    : context_(context), levels_(levels), domain_(domain) {}

  std::string run(Grading grading) {
    const int count = maxOfRanks(levels_.numLevels());
    if (-maxOfRanks(-levels_.numLevels()) != count) {
      return "the hierarchy has " + std::to_string(count) + " levels on some ranks and fewer on others";
    }
    std::string wrong;
    for (int l = 0; l < count && wrong.empty(); ++l) {
      wrong = validateLevel(l);
    }
    return wrong.empty() && grading != Grading::Nested ? validateGrading(grading) : wrong;
  }

private:
  using Set = geometry::IntervalSetOn<Dim, Space>;

  /// Cells of all ranks.
  struct Cells {
    std::int64_t count;
    std::string first;
  };

  [[nodiscard]] bool onRanks() const { return domain_ != nullptr && !domain_->communicator().alone(); }
  [[nodiscard]] int maxOfRanks(int number) const { return domain_ != nullptr ? domain_->maxOfRanks(number) : number; }
  [[nodiscard]] std::int64_t total(std::int64_t number) const {
    return onRanks() ? domain_->communicator().reduced(ReduceBy::Sum, number) : number;
  }

  template <class Work>
  void compute(const Work& work) const {
    detail::agreeIn(domain_, work);
  }

  /// What the first rank that has anything to say says.
  [[nodiscard]] std::string firstOf(const std::string& mine, bool namesRank) const {
    if (!onRanks()) {
      return mine;
    }
    const Communicator& communicator = domain_->communicator();
    std::vector<std::int64_t> lengths;
    const std::vector<char> all = communicator.gather(std::span<const char>(mine), &lengths);
    const auto first = std::find_if(lengths.begin(), lengths.end(), [](std::int64_t length) { return length > 0; });
    if (first == lengths.end()) {
      return "";
    }
    const std::string said(all.begin(), all.begin() + *first);
    return namesRank ? "on rank " + std::to_string(first - lengths.begin()) + ": " + said : said;
  }

  /// The planes of ranks are in their order, so that the first cell of all is that of the first rank that has any.
  [[nodiscard]] Cells cellsOf(const Set& set) const {
    const std::int64_t count = total(set.numCells());
    return {count, count == 0 ? "" : firstOf(set.empty() ? "" : firstCell<Space, Dim>(context_.space(), set), false)};
  }

  /// What is wrong with one level, given that those before it are right.
  std::string validateLevel(int l) {
    const Set& set = levels_.level(l);
    std::string wrong;
    compute([&] { wrong = validate(context_, set); });
    wrong = firstOf(wrong, true);
    if (!wrong.empty()) {
      return levelText(l) + ": " + wrong;
    }
    Set parents;
    Set other;
    if (domain_ != nullptr && !domain_->endsHere()) {
      compute([&] {
        crop<Space, Dim>(context_, set, domain_->box(l), other);
        combine<Space, Dim>(context_, geometry::SetOperation::Difference, set, other, other);
      });
      if (const Cells cells = cellsOf(other); cells.count > 0) {
        return levelText(l) + ": " + std::to_string(cells.count) +
          " cells are not within the period or not on the rank that owns them, first the cell " + cells.first;
      }
    }
    if (l == 0 || total(set.numCells()) == 0) {
      return "";
    }
    if (total(levels_.level(l - 1).numCells()) == 0) {
      return levelText(l) + " has cells, but " + levelText(l - 1) + " has none";
    }
    compute([&] {
      coarsen<Space, Dim>(context_, Coarsening::Outside, set, parents);
      coarsen<Space, Dim>(context_, Coarsening::Inside, set, other);
      combine<Space, Dim>(context_, geometry::SetOperation::Difference, parents, other, other);
    });
    if (const Cells cells = cellsOf(other); cells.count > 0) {
      return levelText(l) + ": " + std::to_string(cells.count) +
        " groups of siblings are not complete, first the children of the cell " + cells.first + " of " +
        levelText(l - 1);
    }
    compute(
      [&] { combine<Space, Dim>(context_, geometry::SetOperation::Difference, parents, levels_.level(l - 1), other); });
    if (const Cells cells = cellsOf(other); cells.count > 0) {
      return levelText(l) + ": " + std::to_string(cells.count) + " parents are not on " + levelText(l - 1) +
        ", first the cell " + cells.first;
    }
    return "";
  }

  std::string validateGrading(Grading grading) {
    MultilevelSetOn<Dim, Space> graded = levels_; // what balancing would add
    detail::LevelSweep<Space, Dim>(context_, grading, graded, domain_).grade();
    for (int l = maxOfRanks(levels_.numLevels()) - 1; l > 0; --l) {
      if (total(graded.level(l).numCells() - levels_.level(l).numCells()) == 0) {
        continue;
      }
      Set added;
      compute([&] {
        combine<Space, Dim>(context_, geometry::SetOperation::Difference, graded.level(l), levels_.level(l), added);
        coarsen<Space, Dim>(context_, Coarsening::Outside, added, added);
      });
      const Cells cells = cellsOf(added);
      return levelText(l - 1) + ": " + std::to_string(cells.count) +
        " leaves have neighbours more than one level finer, or would after balancing, first the cell " + cells.first;
    }
    return "";
  }

  const Context<Space>& context_;
  const MultilevelSetOn<Dim, Space>& levels_;
  LevelDomain<Space, Dim>* domain_;
};

/// With a domain or without one.
template <class ExecutionSpace, int Dim>
void makeLevelsIn(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>* domain,
  const std::vector<geometry::IntervalSetOn<Dim, ExecutionSpace>>& refined, Grading grading,
  MultilevelSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Multilevel::makeLevels");
  const auto check = [&] {
    if (refined.size() >= maxNumLevels) {
      throw InvalidArgument("cells of " + std::to_string(refined.size()) + " levels are to be refined; at most " +
        std::to_string(maxNumLevels - 1) + " levels can be, as a hierarchy has " + std::to_string(maxNumLevels));
    }
  };
  if (domain != nullptr) {
    parallel::agree(domain->communicator(), check);
    domain->check(context, 0, out.level(0));
  } else {
    check();
  }
  int numRefined = static_cast<int>(refined.size());
  while (numRefined > 0 && refined[static_cast<std::size_t>(numRefined - 1)].empty()) {
    --numRefined;
  }
  out.setNumLevels(1);
  detail::LevelSweep<ExecutionSpace, Dim> sweep(context, grading, out, domain);
  const geometry::IntervalSetOn<Dim, ExecutionSpace> none;
  sweep.make(numRefined, [&](int l) {
    const auto index = static_cast<std::size_t>(l);
    return sweep.clipped((index < refined.size() ? refined[index] : none).view(), l);
  });
}

} // namespace

template <class ExecutionSpace, int Dim>
void refinedCells(const Context<ExecutionSpace>& context, const MultilevelSetOn<Dim, ExecutionSpace>& levels, int l,
  geometry::IntervalSetOn<Dim, ExecutionSpace>& out) {
  if (l >= levels.finest()) {
    out.clear();
    return;
  }
  coarsen<ExecutionSpace, Dim>(context, Coarsening::Inside, levels.level(l + 1), out);
}

template <class ExecutionSpace, int Dim>
void leaves(const Context<ExecutionSpace>& context, const MultilevelSetOn<Dim, ExecutionSpace>& levels, int l,
  geometry::IntervalSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Multilevel::leaves");
  const auto kept = sharing(levels.level(l)); // `out` may be a level
  const geometry::IntervalSetView<Dim> cells = kept.view();
  const auto keptFiner = sharing(levels.level(std::min(l + 1, levels.finest())));
  typename WorkspaceOn<ExecutionSpace>::Frame frame(context.workspace());
  geometry::IntervalSetView<Dim> refined;
  if (l < levels.finest()) {
    geometry::WritableIntervalSet<Dim> arrays{};
    const geometry::SetTotals totals = detail::coarsenInto<ExecutionSpace, Dim>(
      context.space(), keptFiner.view(), detail::insideReach, frame, [&](std::int64_t rows, std::int64_t intervals) {
        return arrays = geometry::detail::scratchSet<Dim>(frame, rows, intervals);
      });
    refined = arrays.view(totals);
  }
  const geometry::WritableIntervalSet<Dim> target =
    out.prepare(cells.numRows + refined.numRows, cells.numIntervals + refined.numIntervals);
  out.finish(geometry::detail::combineInto<ExecutionSpace, Dim>(
    context, static_cast<unsigned>(geometry::SetOperation::Difference), cells, refined, target));
}

template <class ExecutionSpace, int Dim>
void makeLevels(const Context<ExecutionSpace>& context,
  const std::vector<geometry::IntervalSetOn<Dim, ExecutionSpace>>& refined, Grading grading,
  MultilevelSetOn<Dim, ExecutionSpace>& out) {
  makeLevelsIn<ExecutionSpace, Dim>(context, nullptr, refined, grading, out);
}

template <class ExecutionSpace, int Dim>
void makeLevels(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
  const std::vector<geometry::IntervalSetOn<Dim, ExecutionSpace>>& refined, Grading grading,
  MultilevelSetOn<Dim, ExecutionSpace>& out) {
  makeLevelsIn<ExecutionSpace, Dim>(context, &domain, refined, grading, out);
}

template <class ExecutionSpace, int Dim>
void balance(const Context<ExecutionSpace>& context, geometry::Connectivity connectivity,
  MultilevelSetOn<Dim, ExecutionSpace>& levels) {
  SPANWISE_REGION("Multilevel::balance");
  detail::LevelSweep<ExecutionSpace, Dim>(context, gradingAcross(connectivity), levels).grade();
}

template <class ExecutionSpace, int Dim>
void balance(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
  geometry::Connectivity connectivity, MultilevelSetOn<Dim, ExecutionSpace>& levels) {
  SPANWISE_REGION("Multilevel::balance");
  domain.check(context, 0, levels.level(0));
  detail::LevelSweep<ExecutionSpace, Dim>(context, gradingAcross(connectivity), levels, &domain).grade();
}

template <class ExecutionSpace, int Dim>
void makeLevelsFromLeaves(const Context<ExecutionSpace>& context,
  const std::vector<geometry::IntervalSetOn<Dim, ExecutionSpace>>& leaves, MultilevelSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Multilevel::makeLevelsFromLeaves");
  out.setNumLevels(std::max(1, static_cast<int>(leaves.size())));
  const auto fail = [&](const std::string& why) {
    out.setNumLevels(1);
    out.level(0).clear();
    throw InvalidArgument(why);
  };
  geometry::IntervalSetOn<Dim, ExecutionSpace> parents;
  geometry::IntervalSetOn<Dim, ExecutionSpace> common;
  for (int l = out.finest(); l >= 0 && !leaves.empty(); --l) {
    const auto& here = leaves[static_cast<std::size_t>(l)];
    refinedCells<ExecutionSpace, Dim>(context, out, l, parents);
    if (l < out.finest() && parents.numCells() * (std::int64_t{1} << Dim) != out.level(l + 1).numCells()) {
      fail("the leaves of " + levelText(l + 1) +
        " and those below them are not complete groups of siblings; they must tile cells of " + levelText(l));
    }
    combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Intersection, here, parents, common);
    if (!common.empty()) {
      fail("the leaf " + firstCell<ExecutionSpace, Dim>(context.space(), common) + " of " + levelText(l) +
        " has finer leaves over it; leaves must not overlap");
    }
    combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Union, here, parents, out.level(l));
  }
  int count = out.numLevels();
  while (count > 1 && out.level(count - 1).empty()) {
    --count;
  }
  out.setNumLevels(count);
}

template <class ExecutionSpace, int Dim>
std::string validate(
  const Context<ExecutionSpace>& context, const MultilevelSetOn<Dim, ExecutionSpace>& levels, Grading grading) {
  SPANWISE_REGION("Multilevel::validate");
  return Validation<ExecutionSpace, Dim>(context, levels, nullptr).run(grading);
}

template <class ExecutionSpace, int Dim>
std::string validate(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
  const MultilevelSetOn<Dim, ExecutionSpace>& levels, Grading grading) {
  SPANWISE_REGION("Multilevel::validate");
  return Validation<ExecutionSpace, Dim>(context, levels, &domain).run(grading);
}

#define SPANWISE_LEVELS(Space, Dim)                                                                                    \
  template void refinedCells<Space, Dim>(                                                                              \
    const Context<Space>&, const MultilevelSetOn<Dim, Space>&, int, geometry::IntervalSetOn<Dim, Space>&);             \
  template void leaves<Space, Dim>(                                                                                    \
    const Context<Space>&, const MultilevelSetOn<Dim, Space>&, int, geometry::IntervalSetOn<Dim, Space>&);             \
  template void makeLevels<Space, Dim>(const Context<Space>&, const std::vector<geometry::IntervalSetOn<Dim, Space>>&, \
    Grading, MultilevelSetOn<Dim, Space>&);                                                                            \
  template void balance<Space, Dim>(const Context<Space>&, geometry::Connectivity, MultilevelSetOn<Dim, Space>&);      \
  template void makeLevels<Space, Dim>(const Context<Space>&, LevelDomain<Space, Dim>&,                                \
    const std::vector<geometry::IntervalSetOn<Dim, Space>>&, Grading, MultilevelSetOn<Dim, Space>&);                   \
  template void balance<Space, Dim>(                                                                                   \
    const Context<Space>&, LevelDomain<Space, Dim>&, geometry::Connectivity, MultilevelSetOn<Dim, Space>&);            \
  template void makeLevelsFromLeaves<Space, Dim>(                                                                      \
    const Context<Space>&, const std::vector<geometry::IntervalSetOn<Dim, Space>>&, MultilevelSetOn<Dim, Space>&);     \
  template std::string validate<Space, Dim>(const Context<Space>&, const MultilevelSetOn<Dim, Space>&, Grading);       \
  template std::string validate<Space, Dim>(                                                                           \
    const Context<Space>&, LevelDomain<Space, Dim>&, const MultilevelSetOn<Dim, Space>&, Grading);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_LEVELS)

} // namespace spanwise::multilevel
