#include "Core/Multilevel/LevelMove.hpp"

#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/Migration.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace spanwise::multilevel {

namespace {

std::int64_t weightOf(std::span<const std::int64_t> weights, std::size_t level) {
  return level < weights.size() ? weights[level] : 1;
}

void checkWeights(std::span<const std::int64_t> weights) {
  if (std::any_of(weights.begin(), weights.end(), [](std::int64_t weight) { return weight < 0; })) {
    throw InvalidArgument("the weight of a cell is negative; it must be 0 or more");
  }
}

} // namespace

template <class ExecutionSpace, int Dim>
parallel::RowCut evenRootCut(const Context<ExecutionSpace>& context, int parts,
  const parallel::SetList<Dim, ExecutionSpace>& sets, std::span<const std::int64_t> weights) {
  SPANWISE_REGION("Multilevel::evenRootCut");
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::int64_t first = none; // planes of the root
  std::int64_t last = -none;
  for (std::size_t l = 0; l < sets.size(); ++l) {
    const parallel::PlaneRange planes = planesOf<ExecutionSpace, Dim>(context, *sets[l]);
    if (!planes.empty()) {
      first = std::min(first, planes.begin >> l);
      last = std::max(last, (planes.end - 1) >> l);
    }
  }
  first = context.communicator().reduced(ReduceBy::Minimum, first);
  last = context.communicator().reduced(ReduceBy::Maximum, last);
  parallel::PlaneCounts counts;
  if (first <= last) {
    counts.first = first;
    counts.width = (last - first + 1) / parallel::maxPlaneCounts + 1;
    counts.cells.resize(static_cast<std::size_t>((last - first + counts.width) / counts.width));
    parallel::agree(context.communicator(), [&] {
      for (std::size_t l = 0; l < sets.size(); ++l) {
        const std::int64_t scale = std::int64_t{1} << l;
        parallel::PlaneCounts ofLevel{counts.first * scale, counts.width * scale, {}};
        ofLevel.cells.resize(counts.cells.size());
        countPlanes<ExecutionSpace, Dim>(context, *sets[l], ofLevel);
        for (std::size_t k = 0; k < counts.cells.size(); ++k) {
          counts.cells[k] += weightOf(weights, l) * ofLevel.cells[k];
        }
      }
    });
    context.communicator().reduce(ReduceBy::Sum, std::span<std::int64_t>(counts.cells));
  }
  return balancedCut(counts, parts);
}

template <class ExecutionSpace, int Dim>
LevelMove<ExecutionSpace, Dim>::LevelMove(const Communicator& communicator) {
  for (int l = 0; l < maxNumLevels; ++l) {
    moves_.push_back(std::make_unique<parallel::CellMove<ExecutionSpace, Dim>>(communicator));
  }
}

template <class ExecutionSpace, int Dim>
void LevelMove<ExecutionSpace, Dim>::moveLevels(const Context<ExecutionSpace>& context, const parallel::RowCut& rootCut,
  MultilevelSetOn<Dim, ExecutionSpace>& levels) {
  SPANWISE_REGION("Multilevel::moveLevels");
  numLevels_ =
    static_cast<int>(moves_.front()->communicator().reduced(ReduceBy::Maximum, std::int64_t{levels.numLevels()}));
  levels.setNumLevels(numLevels_);
  for (int l = 0; l < numLevels_; ++l) {
    migrate<ExecutionSpace, Dim>(
      context, cutOfLevel(rootCut, l), levels.level(l), levels.level(l), *moves_[static_cast<std::size_t>(l)]);
  }
}

template <class ExecutionSpace, int Dim>
bool repartition(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
  MultilevelSetOn<Dim, ExecutionSpace>& levels, LevelMove<ExecutionSpace, Dim>& move,
  std::span<const std::int64_t> weights, double tolerated) {
  SPANWISE_REGION("Multilevel::repartition");
  const Communicator& communicator = domain.communicator();
  parallel::agree(communicator, [&] { checkWeights(weights); });
  std::int64_t weight = 0;
  parallel::SetList<Dim, ExecutionSpace> sets;
  for (int l = 0; l < levels.numLevels(); ++l) {
    weight += weightOf(weights, static_cast<std::size_t>(l)) * levels.level(l).numCells();
    sets.push_back(&levels.level(l));
  }
  const auto most = static_cast<double>(communicator.reduced(ReduceBy::Maximum, weight));
  const auto total = static_cast<double>(communicator.reduced(ReduceBy::Sum, weight));
  parallel::RowCut cut = domain.rootCut();
  if (most * communicator.size() > tolerated * total) {
    cut = evenRootCut<ExecutionSpace, Dim>(context.with(communicator), communicator.size(), sets, weights);
  }
  const bool changes = !(cut == domain.rootCut());
  move.moveLevels(context, cut, levels); // values may follow in any case
  domain.setRootCut(cut);
  return changes;
}

#define SPANWISE_LEVEL_MOVE(Space, Dim)                                                                                \
  template parallel::RowCut evenRootCut<Space, Dim>(                                                                   \
    const Context<Space>&, int, const parallel::SetList<Dim, Space>&, std::span<const std::int64_t>);                  \
  template class LevelMove<Space, Dim>;                                                                                \
  template bool repartition<Space, Dim>(const Context<Space>&, LevelDomain<Space, Dim>&, MultilevelSetOn<Dim, Space>&, \
    LevelMove<Space, Dim>&, std::span<const std::int64_t>, double);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_LEVEL_MOVE)

} // namespace spanwise::multilevel
