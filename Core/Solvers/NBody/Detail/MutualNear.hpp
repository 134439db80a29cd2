#pragma once

// Near pairs of leaves of one set, each distance once: what two leaves do to each other is added to the sums of both.

#include "Core/Solvers/NBody/Detail/HostSums.hpp"
#include "Core/Solvers/NBody/Detail/SplitPoints.hpp"
#include "Core/Solvers/NBody/LeafPairs.hpp"

#include <algorithm>
#include <cstdint>

namespace spanwise::nbody::detail {

/// The pairs of leaves of two groups. Calls of one round touch different groups.
template <class Problem>
struct SumPairs {
  using Real = typename Problem::Real;
  static constexpr int Dim = Problem::Dim;

  Problem problem; ///< points along the curve
  const PointTree<Dim, Kokkos::HostSpace>* tree;
  const LeafPairs* pairs;
  MutualFunction<typename Problem::Interaction, Dim, Real> function;
  Real* sums;
  std::int64_t firstEdge;
  SplitPoints<Dim> split; ///< where there is a function for them

  void operator()(std::int64_t k) const {
    MutualTask<Dim, Real> task{};
    std::copy_n(problem.targets.coordinates, Dim, task.points);
    task.charges = problem.charges;
    task.sums = sums;
    const std::int64_t edge = pairs->edges[firstEdge + k];
    const std::int64_t last = pairs->edgeBegin[edge + 1];
    for (std::int64_t i = pairs->edgeBegin[edge]; i < last;) {
      const LeafPair pair = pairs->pairs[i];
      const std::int64_t begin = tree->sourceBegin(pair.second);
      std::int64_t end = tree->sourceEnd(pair.second);
      for (++i; i < last && pairs->pairs[i].first == pair.first && tree->sourceBegin(pairs->pairs[i].second) == end;
        ++i) { // leaves that touch are taken as one
        end = tree->sourceEnd(pairs->pairs[i].second);
      }
      sumBetween(task, tree->sourceBegin(pair.first), tree->sourceEnd(pair.first), begin, end);
    }
  }

private:
  void sumBetween(MutualTask<Dim, Real>& task, std::int64_t firstBegin, std::int64_t firstEnd, std::int64_t secondBegin,
    std::int64_t secondEnd) const {
    for (std::int64_t i = firstBegin; i < firstEnd; i += particlesInBlock) {
      for (std::int64_t j = secondBegin; j < secondEnd; j += particlesInBlock) {
        task.firstBegin = i;
        task.firstEnd = std::min(i + particlesInBlock, firstEnd);
        task.secondBegin = j;
        task.secondEnd = std::min(j + particlesInBlock, secondEnd);
        if (!sumSplit(task)) {
          function(problem.interaction, task);
        }
      }
    }
  }

  [[nodiscard]] bool sumSplit(const MutualTask<Dim, Real>& task) const {
    if constexpr (canBeSplit<Problem>) {
      if (split.function != nullptr) {
        SplitTask<Dim> ofSplit = split.task;
        ofSplit.firstBegin = task.firstBegin;
        ofSplit.firstEnd = task.firstEnd;
        ofSplit.secondBegin = task.secondBegin;
        ofSplit.secondEnd = task.secondEnd;
        ofSplit.sums = task.sums;
        return split.function(ofSplit);
      }
    }
    return false;
  }
};

/// Sets sums [particles x columns] to what near leaves do to each other; what is within a leaf is left out. Points may
/// be split, where few digits are wanted.
template <class ExecutionSpace, class Problem>
void sumNearPairs(const ExecutionSpace& space, const Problem& problem,
  const PointTree<Problem::Dim, Kokkos::HostSpace>& tree, const LeafPairs& pairs, InstructionSet& instructions,
  const SplitPoints<Problem::Dim>& split, typename Problem::Real* sums) {
  forEach(SPANWISE_KERNEL("clear sums"),
    IndexRange<ExecutionSpace>(space, 0, problem.targets.count * Problem::Columns::all), SetToZero<Problem>{sums});
  SumPairs<Problem> sumPairs{problem, &tree, &pairs, chooseMutual<Problem>(instructions), sums, 0, split};
  for (std::size_t round = 0; round + 1 < pairs.roundBegin.size(); ++round) {
    sumPairs.firstEdge = pairs.roundBegin[round];
    forEach(SPANWISE_KERNEL("sum pairs"),
      Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>, Kokkos::Schedule<Kokkos::Dynamic>>(
        space, 0, pairs.roundBegin[round + 1] - sumPairs.firstEdge, Kokkos::ChunkSize(1)),
      sumPairs, Work{512 * (pairs.roundBegin[round + 1] - sumPairs.firstEdge)});
    space.fence(SPANWISE_LABEL("NBody::sumPairs"));
  }
}

} // namespace spanwise::nbody::detail
