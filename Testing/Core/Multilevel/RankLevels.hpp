#pragma once

// Hierarchies that are cut among ranks and repeat along axes, and what one rank makes of the whole, unwrapped.

#include "Core/Multilevel/LevelDomain.hpp"
#include "Core/Multilevel/Levels.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Multilevel/LevelsReference.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>

namespace spanwise::testing {

/// A random domain, the same on all ranks: a root, a cut of it, and axes along which it repeats.
template <int Dim>
struct RandomDomain {
  CellList<Dim> root;
  RowCut cut;
  Periods<Dim> periods;

  RandomDomain(std::mt19937& random, Coordinate extent, bool repeats) {
    root = randomCells<Dim>(random, extent, random() % 2 == 0 ? 1.0 : 0.7);
    cut = randomCut(random, extent);
    for (int d = 0; d < Dim; ++d) {
      periods.along[d] = repeats && random() % 3 != 0;
      periods.box.begin[d] = -extent - static_cast<Coordinate>(random() % 2);
      periods.box.end[d] = extent + static_cast<Coordinate>(random() % 2);
    }
  }

  /// Whether a cell of a level is of this rank, or of all of them.
  [[nodiscard]] bool has(const Cell<Dim>& cell, int level, std::int64_t around = 0, bool ofAllRanks = false) const {
    bool within = true;
    for (int d = 0; d < Dim; ++d) {
      PlaneRange range;
      if (periods.along[d]) {
        range = PlaneRange{periods.box.begin[d], periods.box.end[d]};
      }
      if (d == Dim - 1 && !ofAllRanks) {
        range = cut.part(world().rank()).within(range);
      }
      within = within && !range.empty() && planesOfLevel(range, level).widened(around).contains(cell.at[d]);
    }
    return within;
  }
  [[nodiscard]] CellList<Dim> mine(const CellList<Dim>& cells, int level, std::int64_t around = 0) const {
    CellList<Dim> result;
    for (const Cell<Dim>& cell : cells) {
      if (has(cell, level, around)) {
        result.insert(cell);
      }
    }
    return result;
  }
  /// The cell in one period of which a cell is a copy.
  [[nodiscard]] Cell<Dim> original(Cell<Dim> cell, int level) const {
    for (int d = 0; d < Dim; ++d) {
      if (periods.along[d]) {
        const Coordinate begin = periods.box.begin[d] * (1 << level);
        const Coordinate length = (periods.box.end[d] - periods.box.begin[d]) * (1 << level);
        cell.at[d] = begin + (((cell.at[d] - begin) % length) + length) % length;
      }
    }
    return cell;
  }
  /// The cells of one period and of so many copies of it on all sides.
  [[nodiscard]] CellList<Dim> unwrapped(const CellList<Dim>& cells, int level, int copies) const {
    CellList<Dim> all = cells;
    for (int d = 0; d < Dim; ++d) {
      const CellList<Dim> before = all;
      const Coordinate length = (periods.box.end[d] - periods.box.begin[d]) * (1 << level);
      for (int k = periods.along[d] ? -copies : 1; k <= (periods.along[d] ? copies : 0); ++k) {
        for (Cell<Dim> cell : before) {
          cell.at[d] += k * length;
          all.insert(cell);
        }
      }
    }
    return all;
  }
  /// How many copies reach so many cells of the root.
  [[nodiscard]] int copiesFor(int cells) const {
    int least = 1 << 20;
    for (int d = 0; d < Dim; ++d) {
      least = periods.along[d] ? std::min(least, periods.box.end[d] - periods.box.begin[d]) : least;
    }
    return (cells + least - 1) / least;
  }
};

template <class Space, int Dim>
LevelDomain<Space, Dim> domainOf(const RandomDomain<Dim>& is) {
  if (world().alone()) {
    return LevelDomain<Space, Dim>(is.periods);
  }
  return LevelDomain<Space, Dim>(Context<Space>(Space(), world()), is.cut, is.periods);
}

/// Random cells of each level that are to be refined, in one period.
template <int Dim>
std::vector<CellList<Dim>> randomWanted(
  std::mt19937& random, const RandomDomain<Dim>& is, Coordinate extent, int depth) {
  std::vector<CellList<Dim>> wanted;
  for (int l = 0; l < depth; ++l) {
    wanted.emplace_back();
    for (const Cell<Dim>& cell : randomCells<Dim>(random, extent << l, 0.2 / (1 << (Dim * l)))) {
      if (is.has(cell, l, 0, true)) {
        wanted.back().insert(cell);
      }
    }
  }
  return wanted;
}

template <class Space, int Dim>
std::vector<IntervalSetOn<Dim, Space>> setsOf(const std::vector<CellList<Dim>>& lists) {
  std::vector<IntervalSetOn<Dim, Space>> sets;
  for (const CellList<Dim>& cells : lists) {
    sets.push_back(toSet<Space, Dim>(cells));
  }
  return sets;
}

/// The hierarchy that one rank makes of the whole, with so many copies on all sides.
template <class Space, int Dim>
MultilevelSetOn<Dim, Space> wholeLevels(const Context<Space>& context, const RandomDomain<Dim>& is,
  const std::vector<CellList<Dim>>& wanted, Grading grading, int copies) {
  std::vector<CellList<Dim>> unwrapped;
  for (std::size_t l = 0; l < wanted.size(); ++l) {
    unwrapped.push_back(is.unwrapped(wanted[l], static_cast<int>(l), copies));
  }
  MultilevelSetOn<Dim, Space> levels;
  levels.level(0) = toSet<Space, Dim>(is.unwrapped(is.root, 0, copies));
  makeLevels<Space, Dim>(context, setsOf<Space, Dim>(unwrapped), grading, levels);
  return levels;
}

/// This rank's part of a whole hierarchy.
template <class Space, int Dim>
MultilevelSetOn<Dim, Space> partOf(const RandomDomain<Dim>& is, const MultilevelSetOn<Dim, Space>& whole) {
  MultilevelSetOn<Dim, Space> part;
  part.setNumLevels(whole.numLevels());
  for (int l = 0; l < whole.numLevels(); ++l) {
    part.level(l) = toSet<Space, Dim>(is.mine(toCells(whole.level(l)), l));
  }
  return part;
}

/// Expects this rank's part of the whole, cell by cell.
template <class Space, int Dim>
void expectPart(
  const RandomDomain<Dim>& is, const MultilevelSetOn<Dim, Space>& found, const MultilevelSetOn<Dim, Space>& whole) {
  ASSERT_EQ(found.numLevels(), whole.numLevels());
  for (int l = 0; l < whole.numLevels(); ++l) {
    expectCells<Space, Dim>(found.level(l), is.mine(toCells(whole.level(l)), l));
  }
}

} // namespace spanwise::testing
