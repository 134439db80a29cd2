#pragma once

// Random hierarchies of leaves.

#include "Core/Multilevel/Levels.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Multilevel/LevelsReference.hpp"
#include "Testing/Rooms.hpp"

#include <random>
#include <vector>

namespace spanwise::testing {

/// The leaf cells of each level.
template <int Dim>
using Leaves = std::vector<CellList<Dim>>;

/// How a random hierarchy is made: every cell from the roots in [-extent, extent)^Dim on is left out with probability
/// `hole`, and otherwise refined with probability `refine` as long as there are levels.
struct RandomLevels {
  Coordinate extent = 3;
  int levels = 4;
  double refine = 0.4;
  double hole = 0.1;
};

template <int Dim>
void addRandomLeaves(
  std::mt19937& random, const RandomLevels& how, const Cell<Dim>& cell, int level, Leaves<Dim>& leaves) {
  if (std::bernoulli_distribution(how.hole)(random)) {
    return;
  }
  if (level + 1 == how.levels || !std::bernoulli_distribution(how.refine)(random)) {
    leaves[static_cast<std::size_t>(level)].insert(cell);
    return;
  }
  for (int child = 0; child < 1 << Dim; ++child) {
    addRandomLeaves<Dim>(random, how, childOf(cell, child), level + 1, leaves);
  }
}

template <int Dim>
Leaves<Dim> randomLeaves(std::mt19937& random, const RandomLevels& how = {}) {
  Leaves<Dim> leaves(static_cast<std::size_t>(how.levels));
  for (const Cell<Dim>& root : randomCells<Dim>(random, how.extent, 1.0)) {
    addRandomLeaves<Dim>(random, how, root, 0, leaves);
  }
  return leaves;
}

/// Calls check(leaves) for thirty random hierarchies of one to `maxLevels` levels, every second one with holes.
template <int Dim, class Check>
void forRandomLeaves(int maxLevels, const Check& check) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (int round = 0; round < 30; ++round) {
    RandomLevels how;
    how.extent = Dim == 2 ? 3 : 2;
    how.levels = 1 + round % maxLevels;
    how.hole = round % 2 == 0 ? 0.0 : 0.25;
    check(randomLeaves<Dim>(random, how));
  }
}

/// Random leaves without holes whose neighbours, across vertices too, differ by one level.
template <int Dim>
Leaves<Dim> balancedLeaves(std::mt19937& random, RandomLevels how = {}) {
  how.hole = 0.0;
  const Leaves<Dim> wild = randomLeaves<Dim>(random, how);
  const HostExecutionSpace space;
  const Context context(space);
  std::vector<HostIntervalSet<Dim>> sets;
  for (const CellList<Dim>& cells : wild) {
    sets.push_back(toHostSet<Dim>(cells));
  }
  HostMultilevelSet<Dim> levels;
  makeLevelsFromLeaves<HostExecutionSpace, Dim>(context, sets, levels);
  balance<HostExecutionSpace, Dim>(context, Connectivity::Vertex, levels);
  Leaves<Dim> result;
  for (int l = 0; l < levels.numLevels(); ++l) {
    HostIntervalSet<Dim> set;
    leaves<HostExecutionSpace, Dim>(context, levels, l, set);
    result.push_back(toCells(set));
  }
  return result;
}

} // namespace spanwise::testing
