#pragma once

// From moments to expansions (FarOperators.hpp) by products of matrices, for all boxes of a level at once. With Q, U
// and V of FarOperators: moments come into the basis, Q^T m; of each box all V^T s_t Q^T m, for the ways t to all the
// boxes that may be far from it, lie one below the other; an expansion's box gathers those that are for it; Q takes the
// sum of s_t U times these back. s_t are signs.

#include "Core/Runtime/Label.hpp"
#include "Core/Solvers/NBody/Detail/TeamFarField.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::nbody::detail {

/// A number for each place in a parent.
template <int Dim>
struct PlaceCounts {
  std::int32_t of[1 << Dim] = {};
  KOKKOS_FUNCTION PlaceCounts& operator+=(const PlaceCounts& other) {
    for (int place = 0; place < (1 << Dim); ++place) {
      of[place] += other.of[place];
    }
    return *this;
  }
};

/// The boxes of a level by their places in their parents, those of a place one after the other.
template <int Dim>
struct PlaceLists {
  PlaceCounts<Dim> counts;
  std::int32_t stride = 0;             ///< of the next: boxes of the level
  const std::int32_t* boxes = nullptr; ///< [2^Dim x stride]

  [[nodiscard]] KOKKOS_FUNCTION std::int32_t box(int place, std::int32_t number) const {
    return boxes[place * std::int64_t{stride} + number];
  }
};

/// Lists those with targets, or those with sources, whose numbers in their lists are kept by parent and place.
template <int Dim>
struct ListByPlace {
  using value_type = PlaceCounts<Dim>;
  TreeData<Dim> tree;
  std::int32_t firstBox;
  std::int32_t numBoxes;
  std::int32_t* boxes;
  std::int32_t* numbers; ///< of sources [boxes of the tree x 2^Dim], -1 where there are none; nullptr: lists targets

  KOKKOS_FUNCTION void operator()(std::int64_t k, PlaceCounts<Dim>& counts, bool final) const {
    const auto box = static_cast<std::int32_t>(firstBox + k);
    if ((numbers != nullptr ? tree.numSources(box) : tree.numTargets(box)) == 0) {
      return;
    }
    const auto place = static_cast<std::int32_t>(tree.key[box] & ((1U << Dim) - 1));
    for (std::int32_t p = 0; p < (1 << Dim); ++p) { // so that counts stay in registers
      if (p == place) {
        if (final) {
          boxes[p * std::int64_t{numBoxes} + counts.of[p]] = box;
          if (numbers != nullptr) {
            numbers[(std::int64_t{tree.parent[box]} << Dim) + p] = counts.of[p];
          }
        }
        ++counts.of[p];
      }
    }
  }
};

/// What kernels know of the boxes of a level that others are translated to.
template <int Dim, class Real>
struct TranslationLevel {
  TeamField<Dim, Real> field;
  OperatorData<Real> operators;
  std::int32_t firstBox;
  std::int32_t numBoxes;
  PlaceLists<Dim> sources;
  PlaceLists<Dim> targets;
  const std::int32_t* numbers; ///< of ListByPlace
  Real* inBasis;               ///< moments [numBoxes x basis]
  Real* reached;               ///< expansions in the basis, likewise
};

/// Where a tile is: in the product of which place, and its first row and column there.
struct TilePlace {
  int place;
  int row;
  int column;
};

/// How the tiles of a product for each place are numbered, those of a place one after the other.
template <class Tile, int Dim>
class PlaceTiles {
public:
  /// Adds the product of the next place.
  void add(int place, int numRows, int numColumns) {
    rowTiles_[place] = Tile::tiles(numRows);
    begin_[place + 1] = begin_[place] + rowTiles_[place] * Tile::tiles(numColumns);
  }
  [[nodiscard]] std::int64_t count() const { return begin_[1 << Dim]; }
  [[nodiscard]] KOKKOS_FUNCTION TilePlace at(std::int32_t tile) const {
    int place = 0;
    while (begin_[place + 1] <= tile) {
      ++place;
    }
    const int number = tile - begin_[place];
    return {place, number % rowTiles_[place] * Tile::size, number / rowTiles_[place] * Tile::size};
  }

private:
  std::int32_t begin_[(1 << Dim) + 1] = {};
  std::int32_t rowTiles_[1 << Dim] = {};
};

/// Moments of all boxes of the level in the basis.
template <class ExecutionSpace, int Dim, class Real>
struct MomentsInBasis {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  using Tile = ProductTile<ExecutionSpace, Real>;
  TranslationLevel<Dim, Real> level;
  int scratchLevel;

  [[nodiscard]] std::int64_t numTeams() const {
    return std::int64_t{Tile::tiles(level.operators.basis)} * Tile::tiles(level.numBoxes);
  }
  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const auto& operators = level.operators;
    const int rowTiles = Tile::tiles(operators.basis);
    const int row = team.league_rank() % rowTiles * Tile::size;
    const std::int64_t column = std::int64_t{team.league_rank() / rowTiles} * Tile::size;
    const Real* const moments = level.field.moments + (level.firstBox + column) * level.field.stride;
    Tile::multiply(
      team, ScratchArrays(team, scratchLevel, Tile::scratchBytes), operators.basis - row,
      static_cast<int>(level.numBoxes - column), level.field.numCoefficients,
      [&](int m, int k) { return operators.toBasis[std::int64_t{k} * operators.basis + row + m]; },
      [&](int k, int n) { return moments[n * level.field.stride + k]; },
      [&](int m, int n, Real value) { level.inBasis[(column + n) * operators.basis + row + m] = value; });
  }
};

/// Rows of some directions, of each place of sources.
template <int Dim>
struct RowRanges {
  std::int32_t begin[1 << Dim];        ///< of the first among all rows
  std::int32_t beginOfPlace[1 << Dim]; ///< of the place's first
  std::int32_t count[1 << Dim];
  std::int64_t offset[1 << Dim]; ///< of the results of the place's boxes [count of a box after the other]
};

/// V^T s_t of all sources for some directions.
template <class ExecutionSpace, int Dim, class Real>
struct TranslateSources {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  using Tile = ProductTile<ExecutionSpace, Real>;
  TranslationLevel<Dim, Real> level;
  RowRanges<Dim> rows;
  PlaceTiles<Tile, Dim> tiles;
  Real* results;
  int scratchLevel;

  /// Numbers the tiles.
  [[nodiscard]] std::int64_t numTeams() {
    for (int place = 0; place < (1 << Dim); ++place) {
      tiles.add(place, rows.count[place], level.sources.counts.of[place]);
    }
    return tiles.count();
  }
  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const auto& operators = level.operators;
    const TilePlace tile = tiles.at(team.league_rank());
    const int place = tile.place;
    const int row = tile.row;
    const int column = tile.column;
    const int stride = rows.count[place];
    const auto* const of = operators.rows + rows.begin[place] + row;
    Real* const to = results + rows.offset[place] + std::int64_t{column} * stride + row;
    Tile::multiply(
      team, ScratchArrays(team, scratchLevel, Tile::scratchBytes), stride - row,
      level.sources.counts.of[place] - column, operators.basisSize,
      [&](int m, int k) {
        return operators.signs[of[m].turned * operators.basis + k] * of[m].first[std::int64_t{k} * of[m].stride];
      },
      [&](int k, int n) {
        const std::int64_t box = level.sources.box(place, column + n) - level.firstBox;
        return level.inBasis[box * operators.basis + k];
      },
      [&](int m, int n, Real value) { to[std::int64_t{n} * stride + m] = value; });
  }
};

/// What reaches targets from some directions, of each part of the columns by itself. A level with few boxes makes few
/// tiles, and their sums are long: in one part each, 10,000 points took 5 ms for this alone.
template <class ExecutionSpace, int Dim, class Real>
struct TranslateToTargets {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  using Tile = ProductTile<ExecutionSpace, Real>;
  TranslationLevel<Dim, Real> level;
  RowRanges<Dim> rows;
  PlaceTiles<Tile, Dim> tiles;
  const Real* results; ///< of TranslateSources
  std::int32_t columnBegin[1 << Dim];
  std::int32_t columnEnd[1 << Dim];
  int numParts;
  Real* reached; ///< [parts x boxes x basis]
  int scratchLevel;

  void numberTiles() {
    for (int place = 0; place < (1 << Dim); ++place) {
      tiles.add(place, level.operators.basis, level.targets.counts.of[place]);
    }
  }
  [[nodiscard]] std::int64_t numTeams() const { return tiles.count() * numParts; }
  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const auto& operators = level.operators;
    const auto& tree = level.field.tree;
    const int part = team.league_rank() % numParts;
    const TilePlace tile = tiles.at(team.league_rank() / numParts);
    const int place = tile.place;
    const int row = tile.row;
    const int column = tile.column;
    const std::int64_t numColumns = columnEnd[place] - columnBegin[place];
    const auto begin = static_cast<std::int32_t>(numColumns * part / numParts);
    const auto end = static_cast<std::int32_t>(numColumns * (part + 1) / numParts);
    const auto* const of = operators.columns + columnBegin[place] + begin;
    Real* const to = reached + std::int64_t{part} * level.numBoxes * operators.basis + row;
    Tile::multiply(
      team, ScratchArrays(team, scratchLevel, Tile::scratchBytes), operators.basis - row,
      level.targets.counts.of[place] - column, end - begin,
      [&](int m, int k) { return operators.signs[of[k].turned * operators.basis + row + m] * of[k].first[row + m]; },
      [&](int k, int n) {
        const std::int32_t parent = tree.parent[level.targets.box(place, column + n)];
        const std::int32_t colleague = tree.colleagues[std::int64_t{tree.numOffsets} * parent + of[k].direction];
        const std::int32_t number = colleague < 0 ? -1 : level.numbers[(std::int64_t{colleague} << Dim) + of[k].place];
        return number < 0 ? Real(0)
                          : results[rows.offset[of[k].place] + std::int64_t{number} * rows.count[of[k].place] +
                              of[k].row - rows.beginOfPlace[of[k].place]];
      },
      [&](int m, int n, Real value) {
        const std::int64_t box = level.targets.box(place, column + n) - level.firstBox;
        to[box * operators.basis + m] = value;
      });
  }
};

/// Sets what reaches targets to the sum of some parts, or adds them to it.
template <int Dim, class Real>
struct JoinReached {
  TranslationLevel<Dim, Real> level;
  const Real* parts; ///< of TranslateToTargets
  int numParts;
  bool adds;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const int basis = level.operators.basis;
    if (level.field.tree.numTargets(static_cast<std::int32_t>(level.firstBox + i / basis)) == 0) {
      return;
    }
    Real sum = adds ? level.reached[i] : Real(0);
    for (int part = 0; part < numParts; ++part) {
      sum += parts[part * std::int64_t{level.numBoxes} * basis + i];
    }
    level.reached[i] = sum;
  }
};

/// Sets the expansions of all boxes of the level that have targets.
template <class ExecutionSpace, int Dim, class Real>
struct ExpansionsFromBasis {
  using Policy = Kokkos::TeamPolicy<ExecutionSpace>;
  using Tile = ProductTile<ExecutionSpace, Real>;
  TranslationLevel<Dim, Real> level;
  Real factor, logarithm;
  const Real* charges; ///< of the sources that are far from a box [numBoxes]
  int scratchLevel;

  [[nodiscard]] std::int64_t numTeams() const {
    return std::int64_t{Tile::tiles(level.field.stride)} * Tile::tiles(level.numBoxes);
  }
  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    const auto& operators = level.operators;
    const int rowTiles = Tile::tiles(level.field.stride);
    const int row = team.league_rank() % rowTiles * Tile::size;
    const std::int64_t column = std::int64_t{team.league_rank() / rowTiles} * Tile::size;
    const Real* const reached = level.reached + column * operators.basis;
    Tile::multiply(
      team, ScratchArrays(team, scratchLevel, Tile::scratchBytes), static_cast<int>(level.field.stride - row),
      static_cast<int>(level.numBoxes - column), operators.basisSize,
      [&](int m, int k) { return operators.fromBasis[k * level.field.stride + row + m]; },
      [&](int k, int n) { return hasTargets(column + n) ? reached[std::int64_t{n} * operators.basis + k] : Real(0); },
      [&](int m, int n, Real value) {
        if (hasTargets(column + n)) {
          level.field.expansions[(level.firstBox + column + n) * level.field.stride + row + m] =
            factor * value + (row + m == 0 ? logarithm * charges[column + n] : Real(0));
        }
      });
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION bool hasTargets(std::int64_t number) const {
    return level.field.tree.numTargets(static_cast<std::int32_t>(level.firstBox + number)) > 0;
  }
};

/// Counts the boxes that are far from boxes with targets, and adds up their charges.
template <int Dim, class Real>
struct CountFar {
  using value_type = std::int64_t;
  TranslationLevel<Dim, Real> level;
  Real* charges; ///< [numBoxes]

  KOKKOS_FUNCTION void operator()(std::int64_t k, std::int64_t& pairs) const {
    const auto& tree = level.field.tree;
    const auto box = static_cast<std::int32_t>(level.firstBox + k);
    Real sum = 0;
    if (tree.numTargets(box) > 0) {
      const auto target = static_cast<int>(tree.key[box] & ((1U << Dim) - 1));
      const std::int32_t* const colleagues = tree.colleagues + std::int64_t{tree.numOffsets} * tree.parent[box];
      for (int direction = 0; direction < tree.numOffsets; ++direction) {
        for (int source = 0; source < (1 << Dim) && colleagues[direction] >= 0; ++source) {
          const std::int32_t number = level.numbers[(std::int64_t{colleagues[direction]} << Dim) + source];
          if (number >= 0 && FarOffset(Dim, direction, source, target).isFar) {
            sum += level.field.moments[level.sources.box(source, number) * level.field.stride];
            ++pairs;
          }
        }
      }
    }
    charges[k] = sum;
  }
};

} // namespace spanwise::nbody::detail
