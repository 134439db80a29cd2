#pragma once

#include "Core/Field/ForCells.hpp"
#include "Core/Solvers/Lattice/Collision.hpp"
#include "Core/Solvers/Lattice/Detail/RoundAtRandom.hpp"
#include "Core/Solvers/Lattice/Detail/StepFields.hpp"
#include "Core/Solvers/Lattice/Detail/StreamRows.hpp"
#include "Core/Solvers/Lattice/Detail/WalledRows.hpp"

#include <Kokkos_Core.hpp>

#include <bit>
#include <cstdint>
#include <type_traits>

namespace spanwise::lattice::detail {

/// So many cells are gathered on the host before they collide, from as many segments as it takes: populations then lie
/// side by side, whatever the domain and its layout, and few enough to stay in the first cache.
template <class T>
inline constexpr std::int64_t tileLength = 256 / static_cast<std::int64_t>(sizeof(T));

/// Short rows are copied by so many values, whatever stands after them: what is too much is written over, or in the
/// room at the end.
inline constexpr std::int64_t valuesAtOnce = 8;

template <class Set, class T>
using Tile = T[Set::count][tileLength<T> + valuesAtOnce];

template <class Set, class T>
using CollideTile = void (*)(Tile<Set, T>&, std::int64_t, const CollisionConstants<T>&);

template <class Set, Collision collision, bool isPlain, class T>
SPANWISE_WIDE_VECTORS void collideTile(Tile<Set, T>& tile, std::int64_t count, const CollisionConstants<T>& constants) {
  const CollisionConstants<T> by = constants;
  SPANWISE_INDEPENDENT
  for (std::int64_t k = 0; k < count; ++k) {
    T f[Set::count];
    unrolled<Set::count>([&](auto q) { f[q] = tile[q][k]; });
    collide<Set, collision, isPlain>(f, by);
    unrolled<Set::count>([&](auto q) { tile[q][k] = f[q]; });
  }
}

template <class Set, class T>
using ApplySideToTile = void (*)(Tile<Set, T>&, std::int64_t, std::int64_t, const GivenAtCells<T>&);

/// Of `count` cells of a group, from number `first` on.
template <class Set, class T>
SPANWISE_WIDE_VECTORS void applySideToTile(
  Tile<Set, T>& tile, std::int64_t first, std::int64_t count, const GivenAtCells<T>& given) {
  for (std::int64_t k = 0; k < count; ++k) {
    T f[Set::count];
    unrolled<Set::count>([&](auto q) { f[q] = tile[q][k]; });
    applySideNumber<Set>(f, given.side, given.template at<Set::dimension>(first + k));
    unrolled<Set::count>([&](auto q) { tile[q][k] = f[q]; });
  }
}

template <class Set>
SPANWISE_WIDE_VECTORS void roundTile(Tile<Set, float>& tile, std::int64_t count) {
  SPANWISE_INDEPENDENT
  for (std::int64_t k = 0; k < count; ++k) {
    float f[Set::count];
    unrolled<Set::count>([&](auto q) { f[q] = tile[q][k]; });
    roundAtRandom(f);
    unrolled<Set::count>([&](auto q) { tile[q][k] = f[q]; });
  }
}

/// Where populations go along the rows of cells, as tables.
template <class Set>
struct AlongRows {
  int along[Set::count] = {};
  int number[Set::count] = {}; ///< among those that go the same way

  constexpr AlongRows() {
    for (int q = 0; q < Set::count; ++q) {
      along[q] = Set::velocity(q, 0);
      number[q] = numberAlong<Set>(q);
    }
  }
};
template <class Set>
inline constexpr AlongRows<Set> alongRows{};

template <class T, class Real>
void loadValues(const T* values, Real* to, std::int64_t n) {
  spanwise::detail::prefetch(values + tileLength<Real>, n); // what the next tile needs of this population
  SPANWISE_INDEPENDENT
  for (std::int64_t i = 0; i < n; ++i) {
    to[i] = static_cast<Real>(values[i]);
  }
}
template <class Real, class T>
void storeValues(const Real* from, T* values, std::int64_t n) {
  SPANWISE_INDEPENDENT
  for (std::int64_t i = 0; i < n; ++i) {
    values[i] = static_cast<T>(from[i]);
  }
}

/// Moves populations between sources of rows and tiles.
template <class Set, class T>
struct MoveStreamRows {
  using Real = Arithmetic<T>;
  using Row = StreamRow<Set>;

  RowsView<Row> rows;
  StepFields<T> fields;

  /// The populations of cells, from where they come from, to a tile's columns from `at` on.
  void gather(const Row& row, const CellsOfRow& cells, Tile<Set, Real>& tile, std::int64_t at) const {
    for (int q = 0; q < Set::count; ++q) {
      Real* const to = tile[q] + at;
      const std::int64_t begin = cells.begin + (comesToFirst(cells, q) ? 1 : 0);
      const std::int64_t end = cells.end - (comesToLast(cells, q) ? 1 : 0);
      loadValues(placed(fields.from, sourceOf(row, q)) + begin, to + (begin - cells.begin), end - begin);
      if (begin > cells.begin) {
        to[0] = static_cast<Real>(*placed(fields.from, row.first[alongRows<Set>.number[q]]));
      }
      if (end < cells.end) {
        to[end - cells.begin] = static_cast<Real>(*placed(fields.from, row.last[alongRows<Set>.number[q]]));
      }
    }
  }
  /// The same back, from where the opposite population is.
  void scatter(const Row& row, const CellsOfRow& cells, const Tile<Set, Real>& tile, std::int64_t at) const {
    for (int q = 0; q < Set::count; ++q) {
      const Real* const from = tile[Set::opposite(q)] + at;
      const std::int64_t begin = cells.begin + (comesToFirst(cells, q) ? 1 : 0);
      const std::int64_t end = cells.end - (comesToLast(cells, q) ? 1 : 0);
      storeValues(from + (begin - cells.begin), placed(fields.to, sourceOf(row, q)) + begin, end - begin);
      if (begin > cells.begin) {
        *placed(fields.to, row.first[alongRows<Set>.number[q]]) = static_cast<T>(from[0]);
      }
      if (end < cells.end) {
        *placed(fields.to, row.last[alongRows<Set>.number[q]]) = static_cast<T>(from[end - cells.begin]);
      }
    }
  }

private:
  /// Whether population q comes to the first of these cells from a place of its own.
  static bool comesToFirst(const CellsOfRow& cells, int q) { return alongRows<Set>.along[q] == 1 && cells.begin == 0; }
  static bool comesToLast(const CellsOfRow& cells, int q) {
    return alongRows<Set>.along[q] == -1 && cells.end == cells.length;
  }

  /// Of the first cell of a row, as if it had one before it.
  static std::int64_t sourceOf(const Row& row, int q) { return q == 0 ? row.own : row.source[q - 1]; }
};

/// The same of rows among walls.
template <class Set, class T>
struct MoveWalledRows {
  using Real = Arithmetic<T>;
  using Row = WalledRow<Set>;

  WalledRowsView<Set> rows;
  StepFields<T> fields;

  void gather(const Row& row, const CellsOfRow& cells, Tile<Set, Real>& tile, std::int64_t at) const {
    const std::int64_t n = cells.end - cells.begin;
    for (int q = 0; q < Set::count; ++q) {
      prefetchNext(placed(fields.from, row.own + q * row.ownStride) + cells.begin); // for walls
      loadShort(placed(fields.from, sourceOf(row, q)) + cells.begin, tile[q] + at, n);
    }
    const std::uint32_t* const walls = wallsOf(cells);
    const T* const own = placed(fields.from, row.own) + cells.begin;
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::uint32_t left = walls[i]; left != 0; left &= left - 1) {
        const int q = std::countr_zero(left);
        tile[q][at + i] = static_cast<Real>(*placed(own + i, bouncedBack(q) * row.ownStride));
      }
    }
  }

  /// Places are chosen without branches: those of rows of a few cells would be foreseen wrongly.
  void scatter(const Row& row, const CellsOfRow& cells, const Tile<Set, Real>& tile, std::int64_t at) const {
    T* to[2][Set::count]; // beside, and own
    for (int q = 0; q < Set::count; ++q) {
      to[0][q] = placed(fields.to, sourceOf(row, q)) + cells.begin;
      to[1][q] = placed(fields.to, row.own + bouncedBack(q) * row.ownStride) + cells.begin;
    }
    const std::int64_t n = cells.end - cells.begin;
    const std::uint32_t* const walls = wallsOf(cells);
    for (std::int64_t i = 0; i < n; ++i) {
      const std::uint32_t ofCell = walls[i];
      unrolled<Set::count>([&](auto q) {
        constexpr int opposite = Set::opposite(decltype(q)::value);
        to[ofCell >> q & 1U][q][i] = static_cast<T>(tile[opposite][at + i]);
      });
    }
  }

private:
  [[nodiscard]] const std::uint32_t* wallsOf(const CellsOfRow& cells) const {
    return rows.walls + rows.lengths.offsets[cells.row] + cells.begin;
  }
  /// As WalledSource has them: fields of steps in place are swapped.
  [[nodiscard]] int population(int q) const {
    return fields.streaming == Streaming::PullAndPush ? Set::opposite(q) : q;
  }
  [[nodiscard]] int bouncedBack(int q) const { return Set::opposite(population(q)); }
  [[nodiscard]] std::int64_t sourceOf(const Row& row, int q) const {
    const std::int64_t distance = q == 0 ? 0 : row.distance[q - 1];
    return row.own + population(q) * row.ownStride + distance * static_cast<std::int64_t>(sizeof(T));
  }
  static void prefetchNext(const T* values) { spanwise::detail::prefetch(values + tileLength<Real>, 1); }

  /// What is beside a wall, and may be beyond the field, is replaced afterwards.
  void loadShort(const T* from, Real* to, std::int64_t n) const {
    const std::int64_t first = from - fields.from;
    if (first < 0 || first + n + valuesAtOnce > fields.numValues) {
      for (std::int64_t i = 0; i < n; ++i) {
        to[i] = first + i < 0 || first + i >= fields.numValues ? Real(0) : static_cast<Real>(from[i]);
      }
      return;
    }
    prefetchNext(from);
    for (std::int64_t i = 0; i < n; i += valuesAtOnce) {
      SPANWISE_INDEPENDENT
      for (std::int64_t k = 0; k < valuesAtOnce; ++k) {
        to[i + k] = static_cast<Real>(from[i + k]);
      }
    }
  }
};

/// The same of own places, as they are.
template <class Set, class T>
struct MoveOwnRows {
  using Real = Arithmetic<T>;
  using Row = OwnRow;

  RowsView<Row> rows;
  StepFields<T> fields;

  void gather(const Row& row, const CellsOfRow& cells, Tile<Set, Real>& tile, std::int64_t at) const {
    for (int q = 0; q < Set::count; ++q) {
      loadValues(placed(fields.from, row.own + q * row.ownStride) + cells.begin, tile[q] + at, cells.end - cells.begin);
    }
  }
};

/// A step of the cells of rows on the host, in tiles.
template <class Set, class T, class Move>
struct StepTiles {
  using Real = Arithmetic<T>;
  using Row = typename Move::Row;

  Move move;
  GivenAtCells<Real> given;
  CollisionConstants<Real> constants;
  CollideTile<Set, Real> collide;
  ApplySideToTile<Set, Real> applySide;

  void operator()(std::int64_t first, std::int64_t last) const { onHost(first, last); }

private:
  SPANWISE_WIDE_VECTORS void onHost(std::int64_t first, std::int64_t last) const {
    alignas(64) Tile<Set, Real> tile;
    std::int64_t count = 0;
    for (; first < last; first += count) {
      count = Kokkos::min(tileLength<Real>, last - first);
      const std::int64_t s = move.rows.lengths.segmentOf(first);
      forPieces(s, first, count,
        [&](const Row& row, const CellsOfRow& cells, std::int64_t at) { move.gather(row, cells, tile, at); });
      if (given.side >= 0) {
        applySide(tile, first, count, given);
      }
      collide(tile, count, constants);
      if constexpr (std::is_same_v<T, ScaledHalf>) {
        roundTile<Set>(tile, count);
      }
      if constexpr (requires { &Move::scatter; }) {
        if (move.fields.streaming == Streaming::PullAndPush) {
          forPieces(s, first, count,
            [&](const Row& row, const CellsOfRow& cells, std::int64_t at) { move.scatter(row, cells, tile, at); });
          continue;
        }
      }
      const bool swaps = move.fields.streaming == Streaming::Stay;
      forRuns(s, first, count, [&](std::int64_t own, std::int64_t stride, std::int64_t at, std::int64_t n) {
        for (int q = 0; q < Set::count; ++q) {
          storeValues(tile[swaps ? Set::opposite(q) : q] + at, placed(move.fields.to, own + q * stride), n);
        }
      });
    }
  }

  /// Calls call(row, cells of it, cell of the tile) for the pieces of rows in a tile.
  template <class Call>
  void forPieces(std::int64_t s, std::int64_t first, std::int64_t count, const Call& call) const {
    const std::int64_t* const offsets = move.rows.lengths.offsets;
    for (std::int64_t at = 0; at < count; ++s) {
      const std::int64_t length = offsets[s + 1] - offsets[s];
      const std::int64_t begin = first + at - offsets[s];
      const CellsOfRow cells{s, begin, Kokkos::min(length, begin + count - at), length};
      call(move.rows.rows[s], cells, at);
      at += cells.end - cells.begin;
    }
  }

  /// Calls call(own place of the first cell, stride of populations, cell of the tile, number) for the cells of a tile
  /// whose own places follow each other, through as many rows as there are.
  template <class Call>
  void forRuns(std::int64_t s, std::int64_t first, std::int64_t count, const Call& call) const {
    constexpr auto bytes = static_cast<std::int64_t>(sizeof(T));
    const std::int64_t* const offsets = move.rows.lengths.offsets;
    const Row* const rows = move.rows.rows;
    for (std::int64_t at = 0; at < count; ++s) {
      const std::int64_t k = first + at - offsets[s];
      const std::int64_t own = rows[s].own + k * bytes;
      const std::int64_t stride = rows[s].ownStride;
      std::int64_t n = offsets[s + 1] - offsets[s] - k;
      while (n < count - at && rows[s + 1].own == own + n * bytes && rows[s + 1].ownStride == stride) {
        ++s;
        n += offsets[s + 1] - offsets[s];
      }
      n = Kokkos::min(n, count - at);
      call(own, stride, at, n);
      at += n;
    }
  }
};

} // namespace spanwise::lattice::detail
