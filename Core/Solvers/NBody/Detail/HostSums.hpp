#pragma once

// Sums on the host by the functions of TileSums.hpp and MutualSums.hpp: which function, and over what.

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Progress.hpp"
#include "Core/Runtime/Workspace.hpp"
#include "Core/Solvers/NBody/Detail/SourceParts.hpp"
#include "Core/Solvers/NBody/Detail/SumProblem.hpp"
#include "Core/Solvers/NBody/Detail/VectorLanes.hpp"
#include "Core/Solvers/NBody/Detail/VectorTiles.hpp"
#include "Core/Solvers/NBody/InstructionSet.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace spanwise::nbody::detail {

/// The function that sums tiles of a problem, with these instructions or fewer; says which. For several right-hand
/// sides of this library's own interactions there are only those of VectorTiles.hpp.
template <class Problem>
auto chooseTile(InstructionSet& instructions) {
  using Interaction = typename Problem::Interaction;
  using Real = typename Problem::Real;
  constexpr int Dim = Problem::Dim;
  constexpr Parts parts = Problem::parts;
  using Function = TileFunction<Interaction, Dim, Real>;
  Function function = nullptr;
  if constexpr (isCompiled<Interaction, Dim>) {
    if (instructions == InstructionSet::Avx512) {
      function = avx512Tile<Interaction, Dim, Real>(parts, Problem::numSides);
    } else if (instructions == InstructionSet::Avx2) {
      function = avx2Tile<Interaction, Dim, Real>(parts, Problem::numSides);
    }
  }
  if constexpr (!isCompiled<Interaction, Dim> || Problem::numSides == 1) {
    if (function == nullptr) {
      instructions = InstructionSet::Compiled;
      function = addTile<NativeLanes, NativeLanes, Interaction, parts, Dim, Real, Problem::numSides>;
    }
  }
  return function;
}

template <class Problem>
auto chooseMutual(InstructionSet& instructions) {
  using Interaction = typename Problem::Interaction;
  using Real = typename Problem::Real;
  constexpr int Dim = Problem::Dim;
  constexpr Parts parts = Problem::parts;
  using Function = MutualFunction<Interaction, Dim, Real>;
  Function function = nullptr;
  if constexpr (isCompiled<Interaction, Dim>) {
    if (instructions == InstructionSet::Avx512) {
      function = avx512Mutual<Interaction, Dim, Real>(parts);
    } else if (instructions == InstructionSet::Avx2) {
      function = avx2Mutual<Interaction, Dim, Real>(parts);
    }
  }
  if (function == nullptr) {
    instructions = InstructionSet::Compiled;
    function = addMutual<NativeLanes, NativeLanes, Interaction, parts, Dim, Real>;
  }
  return function;
}

template <class Problem>
[[nodiscard]] TileTask<Problem::Dim, typename Problem::Real> tileTaskOf(const Problem& problem) {
  TileTask<Problem::Dim, typename Problem::Real> task{};
  for (int axis = 0; axis < Problem::Dim; ++axis) {
    task.targets[axis] = problem.targets.coordinates[axis];
    task.sources[axis] = problem.sources.coordinates[axis];
  }
  task.charges = problem.charges;
  task.chargeStride = problem.chargeStride;
  task.sourceEnd = problem.sources.count;
  task.within = problem.within;
  return task;
}

/// A group of targets and a part of the sources a call.
template <class Problem>
struct SumTiles {
  using Values = typename Problem::Values;
  using Real = typename Problem::Real;
  static constexpr int columns = Problem::Columns::all;

  Problem problem;
  TileFunction<typename Problem::Interaction, Problem::Dim, Real> function;
  std::int64_t firstTarget;
  std::int64_t endTarget;
  int numParts;
  Values* partial; ///< [parts x targets]; nullptr: there is one part

  void operator()(std::int64_t number) const {
    const std::int64_t part = number % numParts;
    const std::int64_t numTiles = (problem.sources.count + sourcesInTile - 1) / sourcesInTile;
    Real sums[targetsInTile * columns] = {};
    auto task = tileTaskOf(problem);
    task.targetBegin = firstTarget + number / numParts * targetsInTile;
    task.targetEnd = std::min(task.targetBegin + targetsInTile, endTarget);
    task.sourceBegin = numTiles * part / numParts * sourcesInTile;
    task.sourceEnd = std::min(numTiles * (part + 1) / numParts * sourcesInTile, problem.sources.count);
    task.sums = sums;
    function(problem.interaction, task);
    for (std::int64_t target = task.targetBegin; target < task.targetEnd; ++target) {
      const Real* const ofTarget = sums + (target - task.targetBegin) * columns;
      if (partial == nullptr) {
        problem.output(target, ofTarget);
      } else {
        std::copy_n(ofTarget, columns, partial[part * (endTarget - firstTarget) + target - firstTarget].values);
      }
    }
  }
};

template <class ExecutionSpace, class Problem, class Function>
void sumTilesOnHost(const Context<ExecutionSpace>& context, const Problem& problem, Function function,
  std::int64_t begin, std::int64_t end) {
  const ExecutionSpace& space = context.space();

  using Values = typename Problem::Values;
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  constexpr std::int64_t wantedTasks = 256; // threads of a host, with some to even out
  const std::int64_t numGroups = (end - begin + targetsInTile - 1) / targetsInTile;
  const int numParts = numSourceParts(numGroups, problem.sources.count, wantedTasks, 4 * sourcesInTile);
  Values* const partial = numParts > 1 ? frame.template array<Values>(numParts * (end - begin)).data() : nullptr;
  const SumTiles<Problem> sumTiles{problem, function, begin, end, numParts, partial};
  const IndexRange<ExecutionSpace> tasks(space, 0, numGroups * numParts);
  forEach(SPANWISE_KERNEL("sum tiles"), tasks, sumTiles, workOfPairs(end - begin, problem.sources.count));
  if (numParts > 1) {
    forEach(SPANWISE_KERNEL("join parts"), IndexRange<ExecutionSpace>(space, 0, end - begin),
      JoinParts<Problem>{problem, partial, begin, end - begin, numParts});
  }
}

/// What two groups of blocks do to each other, or what is within one: calls of one round touch different groups.
template <class Problem>
struct SumGroups {
  using Real = typename Problem::Real;
  static constexpr int Dim = Problem::Dim;
  static constexpr int columns = Problem::Columns::all;

  Problem problem;
  TileFunction<typename Problem::Interaction, Dim, Real> within;
  MutualFunction<typename Problem::Interaction, Dim, Real> mutual;
  Real* sums;
  std::int64_t inGroup;   ///< particles
  std::int64_t numGroups; ///< and one that is empty, if that is odd
  std::int64_t round;     ///< -1: within groups

  void operator()(std::int64_t pair) const {
    if (round < 0) {
      sumWithin(pair);
      return;
    }
    // a tournament: group n - 1 stays where it is and the others go around it (the circle method)
    const std::int64_t circle = numGroups + numGroups % 2 - 1;
    const std::int64_t first = (round + pair) % circle;
    const std::int64_t second = pair == 0 ? circle : (round - pair + circle) % circle;
    if (second < numGroups) {
      sumBetween(std::min(first, second), std::max(first, second));
    }
  }

private:
  [[nodiscard]] std::int64_t begin(std::int64_t group) const { return group * inGroup; }
  [[nodiscard]] std::int64_t end(std::int64_t group) const {
    return std::min((group + 1) * inGroup, problem.targets.count);
  }
  [[nodiscard]] MutualTask<Dim, Real> mutualTask() const {
    MutualTask<Dim, Real> task{};
    for (int axis = 0; axis < Dim; ++axis) {
      task.points[axis] = problem.targets.coordinates[axis];
    }
    task.charges = problem.charges;
    task.sums = sums;
    return task;
  }

  void sumBetween(std::int64_t first, std::int64_t second) const {
    auto task = mutualTask();
    for (std::int64_t i = begin(first); i < end(first); i += particlesInBlock) {
      for (std::int64_t j = begin(second); j < end(second); j += particlesInBlock) {
        task.firstBegin = i;
        task.firstEnd = std::min(i + particlesInBlock, end(first));
        task.secondBegin = j;
        task.secondEnd = std::min(j + particlesInBlock, end(second));
        mutual(problem.interaction, task);
      }
    }
  }

  void sumWithin(std::int64_t group) const {
    auto task = mutualTask();
    auto ofBlock = tileTaskOf(problem);
    for (std::int64_t i = begin(group); i < end(group); i += particlesInBlock) {
      task.firstBegin = i;
      task.firstEnd = std::min(i + particlesInBlock, end(group));
      for (std::int64_t target = i; target < task.firstEnd; target += targetsInTile) {
        ofBlock.targetBegin = target;
        ofBlock.targetEnd = std::min(target + targetsInTile, task.firstEnd);
        ofBlock.sourceBegin = i;
        ofBlock.sourceEnd = task.firstEnd;
        ofBlock.sums = sums + target * columns;
        within(problem.interaction, ofBlock);
      }
      for (std::int64_t j = i + particlesInBlock; j < end(group); j += particlesInBlock) {
        task.secondBegin = j;
        task.secondEnd = std::min(j + particlesInBlock, end(group));
        mutual(problem.interaction, task);
      }
    }
  }
};

template <class Problem>
struct SetToZero {
  typename Problem::Real* sums;
  void operator()(std::int64_t k) const { sums[k] = 0; }
};

/// Every pair once. The order of the rounds depends on the number of particles alone, so results have the same bits for
/// any number of threads.
template <class ExecutionSpace, class Problem>
void sumMutuallyOnHost(const Context<ExecutionSpace>& context, const Problem& problem, InstructionSet& instructions,
  const Progress& progress) {
  const ExecutionSpace& space = context.space();

  using Real = typename Problem::Real;
  using Values = typename Problem::Values;
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  constexpr std::int64_t wantedGroups = 128;
  constexpr std::int64_t maxInGroup = 16 * particlesInBlock;
  const std::int64_t count = problem.targets.count;
  const auto function = chooseMutual<Problem>(instructions);
  const auto within = chooseTile<Problem>(instructions);
  const std::int64_t blocksInGroup = (count / wantedGroups + particlesInBlock - 1) / particlesInBlock;
  const std::int64_t inGroup = std::clamp<std::int64_t>(blocksInGroup * particlesInBlock, particlesInBlock, maxInGroup);
  const std::int64_t numGroups = (count + inGroup - 1) / inGroup;
  const auto sums = frame.template array<Values>(count);
  Real* const values = sums.data()->values;
  forEach(SPANWISE_KERNEL("clear sums"), IndexRange<ExecutionSpace>(space, 0, count * Problem::Columns::all),
    SetToZero<Problem>{values});
  const std::int64_t numRounds = numGroups + numGroups % 2 - 1;
  SumGroups<Problem> sumGroups{problem, within, function, values, inGroup, numGroups, -1};
  forEach(SPANWISE_KERNEL("sum in groups"), IndexRange<ExecutionSpace>(space, 0, numGroups), sumGroups,
    workOfPairs(count, inGroup));
  for (std::int64_t round = 0; round < numRounds; ++round) {
    sumGroups.round = round;
    forEach(SPANWISE_KERNEL("sum groups"), IndexRange<ExecutionSpace>(space, 0, (numRounds + 1) / 2), sumGroups,
      workOfPairs(count / 2, inGroup));
    space.fence(SPANWISE_LABEL("NBody::round"));
    progress.report(static_cast<double>(round + 1) / static_cast<double>(numRounds));
  }
  forEach(SPANWISE_KERNEL("put sums"), IndexRange<ExecutionSpace>(space, 0, count),
    JoinParts<Problem>{problem, sums.data(), 0, count, 1});
}

} // namespace spanwise::nbody::detail
