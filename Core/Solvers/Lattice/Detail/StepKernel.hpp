#pragma once

#include "Core/Field/ForCells.hpp"
#include "Core/Solvers/Lattice/Detail/RoundAtRandom.hpp"
#include "Core/Solvers/Lattice/Detail/StreamMap.hpp"
#include "Core/Solvers/Lattice/Detail/StreamRows.hpp"
#include "Core/Solvers/Lattice/LatticeSide.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace spanwise::lattice::detail {

/// What is computed with where populations are stored as T.
template <class T>
using Arithmetic = std::conditional_t<std::is_same_v<T, double>, double, float>;

/// Where a step takes populations from, and where it leaves them.
enum class Streaming {
  /// From the sources, of one field, to the own places of another.
  Pull,
  /// In place, every second step: from own places to own places of the opposite populations.
  Stay,
  /// Not at all: what has come to own places collides there.
  None,
  /// In place, in the steps between: from the sources to where they are the sources of others ("AA": Bailey, Myre,
  /// Walsh, Lilja and Saar 2009). The map is for swapped fields.
  PullAndPush,
};

template <class T>
struct StepFields {
  const T* from;
  T* to;
  Streaming streaming;
  std::int64_t cellStride;
  /// Of each cell of the field: 1 where it only gets what streams to it, as ghost cells do, 0 where it collides too;
  /// null where all of them collide.
  const std::uint8_t* onlyStream = nullptr;
};

/// Where a step writes population q of cell 0 of a segment.
template <class Set>
KOKKOS_FORCEINLINE_FUNCTION std::int64_t writtenAt(const StreamSegment<Set>& segment, Streaming streaming, int q) {
  const int opposite = Set::opposite(q);
  if (streaming == Streaming::PullAndPush) {
    return sourceOf(segment, opposite);
  }
  return segment.own + (streaming == Streaming::Stay ? opposite : q) * segment.ownStride;
}

/// What is given at the cells of a group at a side: number n of the group has velocity[d * count + n], or all have a
/// density.
template <class T>
struct GivenAtCells {
  int side = -1; ///< 2 axis + 1 for the upper side; -1: no side
  bool isVelocity = false;
  const T* velocity = nullptr;
  std::int64_t count = 0;
  T part = 1; ///< of the velocity that is given now
  T density = 0;
  T* sound = nullptr; ///< of each cell, as in GivenAtSide
  T back = 1;

  template <int Dim>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION GivenAtSide<Dim, T> at(std::int64_t number) const {
    GivenAtSide<Dim, T> given{isVelocity, {}, density, sound == nullptr ? nullptr : sound + number, back};
    if (isVelocity) {
      for (int d = 0; d < Dim; ++d) {
        given.velocity[d] = part * velocity[d * count + number];
      }
    }
    return given;
  }
};

/// applySide() with a side that is known when the program runs.
template <class Set, class T>
KOKKOS_FORCEINLINE_FUNCTION void applySideNumber(
  T (&f)[Set::count], int side, const GivenAtSide<Set::dimension, T>& given) {
  unrolled<2 * Set::dimension>([&](auto n) {
    constexpr int number = decltype(n)::value;
    if (side == number) {
      applySide<Set, number / 2, number % 2 == 1>(f, given);
    }
  });
}

/// So many cells are gathered on the host before they collide, from as many segments as it takes: populations then lie
/// side by side, whatever the domain and its layout, and few enough to stay in the first cache.
template <class T>
inline constexpr std::int64_t tileLength = 256 / static_cast<std::int64_t>(sizeof(T));

template <class Set, class T>
using Tile = T[Set::count][tileLength<T>];

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

/// Calls call(collision, isPlain) with constants for a choice.
template <class Call>
auto withCollision(Collision collision, bool isPlain, const Call& call) {
  const auto with = [&](auto constant) {
    return isPlain ? call(constant, std::true_type()) : call(constant, std::false_type());
  };
  switch (collision) {
  case Collision::SingleRelaxation:
    return with(std::integral_constant<Collision, Collision::SingleRelaxation>());
  case Collision::TwoRelaxation:
    return with(std::integral_constant<Collision, Collision::TwoRelaxation>());
  case Collision::Regularised:
    return with(std::integral_constant<Collision, Collision::Regularised>());
  default:
    return with(std::integral_constant<Collision, Collision::Entropic>());
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

/// A step of the cells of rows on the host, in tiles.
template <class Set, class T>
struct StepTiles {
  using Real = Arithmetic<T>;
  using Row = StreamRow<Set>;

  StreamRowsView<Set> rows;
  StepFields<T> fields;
  GivenAtCells<Real> given;
  CollisionConstants<Real> constants;
  CollideTile<Set, Real> collide;

  void operator()(std::int64_t first, std::int64_t last) const { onHost(first, last); }

private:
  static constexpr AlongRows<Set> table{};

  SPANWISE_WIDE_VECTORS void onHost(std::int64_t first, std::int64_t last) const {
    alignas(64) Tile<Set, Real> tile;
    const bool stays = fields.streaming == Streaming::Stay;
    const bool reads = stays || fields.streaming == Streaming::None;
    std::int64_t count = 0;
    for (; first < last; first += count) {
      count = Kokkos::min(tileLength<Real>, last - first);
      const std::int64_t s = rows.lengths.segmentOf(first);
      if (reads) {
        forRuns(s, first, count, [&](std::int64_t own, std::int64_t stride, std::int64_t at, std::int64_t n) {
          for (int q = 0; q < Set::count; ++q) {
            load(placed(fields.from, own + q * stride), tile[q] + at, n);
          }
        });
      } else {
        forPieces(s, first, count, [&](const Row& row, const CellsOfRow& cells, std::int64_t at) {
          for (int q = 0; q < Set::count; ++q) {
            loadFrom(row, cells, q, tile[q] + at);
          }
        });
      }
      if (given.side >= 0) {
        applySide(tile, first, count);
      }
      collide(tile, count, constants);
      if constexpr (std::is_same_v<T, ScaledHalf>) {
        roundTile<Set>(tile, count);
      }
      if (fields.streaming == Streaming::PullAndPush) {
        forPieces(s, first, count, [&](const Row& row, const CellsOfRow& cells, std::int64_t at) {
          for (int q = 0; q < Set::count; ++q) {
            storeTo(row, cells, q, tile[Set::opposite(q)] + at);
          }
        });
      } else {
        forRuns(s, first, count, [&](std::int64_t own, std::int64_t stride, std::int64_t at, std::int64_t n) {
          for (int q = 0; q < Set::count; ++q) {
            store(tile[stays ? Set::opposite(q) : q] + at, placed(fields.to, own + q * stride), n);
          }
        });
      }
    }
  }

  /// Calls call(row, cells of it, cell of the tile) for the pieces of rows in a tile.
  template <class Call>
  void forPieces(std::int64_t s, std::int64_t first, std::int64_t count, const Call& call) const {
    for (std::int64_t at = 0; at < count; ++s) {
      const std::int64_t length = rows.lengths.offsets[s + 1] - rows.lengths.offsets[s];
      const std::int64_t begin = first + at - rows.lengths.offsets[s];
      const CellsOfRow cells{s, begin, Kokkos::min(length, begin + count - at), length};
      call(rows.rows[s], cells, at);
      at += cells.end - cells.begin;
    }
  }

  /// Calls call(own place of the first cell, stride of populations, cell of the tile, number) for the cells of a tile
  /// whose own places follow each other, through as many rows as there are.
  template <class Call>
  void forRuns(std::int64_t s, std::int64_t first, std::int64_t count, const Call& call) const {
    constexpr auto bytes = static_cast<std::int64_t>(sizeof(T));
    for (std::int64_t at = 0; at < count; ++s) {
      const std::int64_t k = first + at - rows.lengths.offsets[s];
      const std::int64_t own = rows.rows[s].own + k * bytes;
      const std::int64_t stride = rows.rows[s].ownStride;
      std::int64_t n = rows.lengths.offsets[s + 1] - rows.lengths.offsets[s] - k;
      while (n < count - at && rows.rows[s + 1].own == own + n * bytes && rows.rows[s + 1].ownStride == stride) {
        ++s;
        n += rows.lengths.offsets[s + 1] - rows.lengths.offsets[s];
      }
      n = Kokkos::min(n, count - at);
      call(own, stride, at, n);
      at += n;
    }
  }

  /// Population q of cells, from where it comes from.
  void loadFrom(const Row& row, const CellsOfRow& cells, int q, Real* to) const {
    const std::int64_t begin = cells.begin + (comesToFirst(cells, q) ? 1 : 0);
    const std::int64_t end = cells.end - (comesToLast(cells, q) ? 1 : 0);
    load(placed(fields.from, sourceOf(row, q)) + begin, to + (begin - cells.begin), end - begin);
    if (begin > cells.begin) {
      to[0] = static_cast<Real>(*placed(fields.from, row.first[table.number[q]]));
    }
    if (end < cells.end) {
      to[end - cells.begin] = static_cast<Real>(*placed(fields.from, row.last[table.number[q]]));
    }
  }
  /// The same back, from where the opposite population is.
  void storeTo(const Row& row, const CellsOfRow& cells, int q, const Real* from) const {
    const std::int64_t begin = cells.begin + (comesToFirst(cells, q) ? 1 : 0);
    const std::int64_t end = cells.end - (comesToLast(cells, q) ? 1 : 0);
    store(from + (begin - cells.begin), placed(fields.to, sourceOf(row, q)) + begin, end - begin);
    if (begin > cells.begin) {
      *placed(fields.to, row.first[table.number[q]]) = static_cast<T>(from[0]);
    }
    if (end < cells.end) {
      *placed(fields.to, row.last[table.number[q]]) = static_cast<T>(from[end - cells.begin]);
    }
  }

  /// Whether population q comes to the first of these cells from a place of its own.
  static bool comesToFirst(const CellsOfRow& cells, int q) { return table.along[q] == 1 && cells.begin == 0; }
  static bool comesToLast(const CellsOfRow& cells, int q) { return table.along[q] == -1 && cells.end == cells.length; }

  /// Of the first cell of a row, as if it had one before it.
  static std::int64_t sourceOf(const Row& row, int q) { return q == 0 ? row.own : row.source[q - 1]; }

  static void load(const T* values, Real* to, std::int64_t n) {
    spanwise::detail::prefetch(values + tileLength<Real>, n); // what the next tile needs of this population
    SPANWISE_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) {
      to[i] = static_cast<Real>(values[i]);
    }
  }
  static void store(const Real* from, T* values, std::int64_t n) {
    SPANWISE_INDEPENDENT
    for (std::int64_t i = 0; i < n; ++i) {
      values[i] = static_cast<T>(from[i]);
    }
  }

  void applySide(Tile<Set, Real>& tile, std::int64_t first, std::int64_t count) const {
    for (std::int64_t k = 0; k < count; ++k) {
      Real f[Set::count];
      unrolled<Set::count>([&](auto q) { f[q] = tile[q][k]; });
      applySideNumber<Set>(f, given.side, given.template at<Set::dimension>(first + k));
      unrolled<Set::count>([&](auto q) { tile[q][k] = f[q]; });
    }
  }
};

/// So many cells are stepped by a thread of a device: populations of both are then read and written at once wherever
/// they stay. With one cell, 32 bits have 0.93 of the rate, and 16 bits 0.77 (D3Q19, 256^3, one H200).
template <class T>
inline constexpr int cellsAtOnce = sizeof(T) < sizeof(double) ? 2 : 1;

/// Values side by side at a place that their size divides.
template <class T, int count>
struct alignas(count * sizeof(T)) Together {
  T values[count];
};

/// What a step reads and writes: the own places of cells, or the sources; of some of which cells only stream.
enum class Reach { Own, ReadsSources, ReadsSourcesOfSome, UsesSources };

/// The same on a device, a piece of a row a thread. `reach` and `atSide` are constants of their own, since what one of
/// them needs of registers would be missing to all cells. Each cell at a side has a thread.
template <class Set, class T, Collision collision, bool isPlain, Reach reach, bool atSide>
struct StepPiece {
  using Real = Arithmetic<T>;
  static constexpr int size = atSide ? 1 : cellsAtOnce<T>;

  StreamRowsView<Set> rows;
  StepFields<T> fields;
  GivenAtCells<Real> given;
  CollisionConstants<Real> constants;

  KOKKOS_FUNCTION void operator()(std::int64_t number) const {
    const CellsOfRow cells = rows.template piece<size, sizeof(T)>(number);
    if (cells.end - cells.begin == size) { // two ways through all of a step: branches in it would part loads
      step<size>(number, cells);
    } else {
      step<1>(number, cells);
    }
  }

private:
  template <int count>
  KOKKOS_FORCEINLINE_FUNCTION void step(std::int64_t number, const CellsOfRow& cells) const {
    const StreamRow<Set>& row = rows.rows[cells.row];
    Real f[count][Set::count];
    [[maybe_unused]] bool collides[count];
    if constexpr (reach == Reach::ReadsSourcesOfSome) {
      const std::uint8_t* const onlyStream =
        fields.onlyStream + row.own / static_cast<std::int64_t>(sizeof(T)) + cells.begin;
      unrolled<count>([&](auto i) { collides[i] = onlyStream[i] == 0; });
    }
    if constexpr (reach == Reach::Own) {
      loadOwn<count>(row, cells, f);
    } else {
      forSources<Set, count>(
        fields.from, row, cells, [&](auto q, auto i, const T& value) { f[i][q] = static_cast<Real>(value); });
    }
    unrolled<count>([&](auto i) {
      if constexpr (reach == Reach::ReadsSourcesOfSome) {
        if (!collides[i]) {
          return;
        }
      }
      if constexpr (atSide) {
        applySideNumber<Set>(f[i], given.side, given.template at<Set::dimension>(number));
      }
      collide<Set, collision, isPlain>(f[i], constants);
      if constexpr (std::is_same_v<T, ScaledHalf>) {
        roundAtRandom(f[i]);
      }
    });
    if constexpr (reach == Reach::UsesSources) {
      forSources<Set, count>(fields.to, row, cells, [&](auto q, auto i, T& value) {
        constexpr int opposite = Set::opposite(decltype(q)::value);
        value = static_cast<T>(f[i][opposite]);
      });
    } else {
      storeOwn<count>(row, cells, f);
    }
  }

  /// Whether the own values of a population in cells side by side lie where their size divides their place.
  template <int count>
  [[nodiscard]] static KOKKOS_FORCEINLINE_FUNCTION bool areTogether(const StreamRow<Set>& row) {
    return row.ownStride % static_cast<std::int64_t>(count * sizeof(T)) == 0;
  }

  template <int count>
  KOKKOS_FORCEINLINE_FUNCTION void loadOwn(
    const StreamRow<Set>& row, const CellsOfRow& cells, Real (&f)[count][Set::count]) const {
    const T* const own = placed(fields.from + cells.begin, row.own);
    if (areTogether<count>(row)) {
      unrolled<Set::count>([&](auto q) {
        const auto read = *reinterpret_cast<const Together<T, count>*>(placed(own, q * row.ownStride));
        unrolled<count>([&](auto i) { f[i][q] = static_cast<Real>(read.values[i]); });
      });
    } else {
      unrolled<Set::count>([&](auto q) {
        unrolled<count>([&](auto i) { f[i][q] = static_cast<Real>(placed(own, q * row.ownStride)[i]); });
      });
    }
  }

  template <int count>
  KOKKOS_FORCEINLINE_FUNCTION void storeOwn(
    const StreamRow<Set>& row, const CellsOfRow& cells, const Real (&f)[count][Set::count]) const {
    const bool swaps = reach == Reach::Own && fields.streaming == Streaming::Stay;
    T* const own = placed(fields.to + cells.begin, row.own);
    const auto placeOf = [&](auto q) {
      constexpr int opposite = Set::opposite(decltype(q)::value);
      return placed(own, (swaps ? opposite : q) * row.ownStride);
    };
    if (areTogether<count>(row)) {
      unrolled<Set::count>([&](auto q) {
        Together<T, count> written;
        unrolled<count>([&](auto i) { written.values[i] = static_cast<T>(f[i][q]); });
        *reinterpret_cast<Together<T, count>*>(placeOf(q)) = written;
      });
    } else {
      unrolled<Set::count>([&](auto q) { unrolled<count>([&](auto i) { placeOf(q)[i] = static_cast<T>(f[i][q]); }); });
    }
  }
};

/// Streams populations to the cells of a map, which do not collide.
template <class Set, class T>
struct StreamCells {
  using Real = Arithmetic<T>;

  geometry::SegmentsView lengths;
  const StreamSegment<Set>* segments;
  StepFields<T> fields;
  GivenAtCells<Real> given;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      const StreamSegment<Set>& segment = segments[s];
      for (std::int64_t n = begin; n < end; ++n) {
        const std::int64_t k = n * fields.cellStride;
        Real f[Set::count];
        unrolled<Set::count>(
          [&](auto q) { f[q] = static_cast<Real>(fields.from[sourceOf<decltype(q)::value>(segment) + k]); });
        if (given.side >= 0) {
          applySideNumber<Set>(f, given.side, given.template at<Set::dimension>(lengths.offsets[s] + n));
        }
        unrolled<Set::count>(
          [&](auto q) { fields.to[segment.own + q * segment.ownStride + k] = static_cast<T>(f[q]); });
      }
    });
  }
};

/// How many cells stepCells() wants in a piece of rows.
template <class T, class ExecutionSpace>
constexpr int cellsPerPiece(const GivenAtCells<Arithmetic<T>>& given) {
  return runsOnHost<ExecutionSpace> || given.side >= 0 ? 1 : cellsAtOnce<T>;
}

/// A step of the cells of rows.
template <class Set, class T, class ExecutionSpace>
void stepCells(const ExecutionSpace& space, const StreamRows<Set, typename ExecutionSpace::memory_space>& rows,
  const StepFields<T>& fields, Collision collision, const CollisionConstants<Arithmetic<T>>& constants,
  const GivenAtCells<Arithmetic<T>>& given) {
  using Real = Arithmetic<T>;
  if constexpr (runsOnHost<ExecutionSpace>) {
    const CollideTile<Set, Real> collideTiles =
      withCollision(collision, constants.plain, [](auto chosen, auto isPlain) {
        return static_cast<CollideTile<Set, Real>>(
          &collideTile<Set, decltype(chosen)::value, decltype(isPlain)::value, Real>);
      });
    field::forCells(space, SPANWISE_KERNEL("lattice step"), rows.numCells(),
      StepTiles<Set, T>{rows.view(), fields, given, constants, collideTiles}, Work{rows.numCells() * Set::count});
  } else {
    withCollision(collision, constants.plain, [&](auto chosen, auto isPlain) {
      const auto launch = [&](auto reach, auto atSide) {
        Kokkos::parallel_for(SPANWISE_KERNEL("lattice step"), IndexRange<ExecutionSpace>(space, 0, rows.numPieces()),
          StepPiece<Set, T, decltype(chosen)::value, decltype(isPlain)::value, decltype(reach)::value,
            decltype(atSide)::value>{rows.view(), fields, given, constants});
      };
      const auto launchAt = [&](auto reach) {
        const bool atSide = given.side >= 0 || rows.cellsPerPiece() != cellsAtOnce<T>;
        atSide ? launch(reach, std::true_type()) : launch(reach, std::false_type());
      };
      switch (fields.streaming) {
      case Streaming::Pull:
        if (fields.onlyStream != nullptr && given.side < 0) {
          launch(std::integral_constant<Reach, Reach::ReadsSourcesOfSome>(), std::false_type());
          break;
        }
        launchAt(std::integral_constant<Reach, Reach::ReadsSources>());
        break;
      case Streaming::PullAndPush:
        launchAt(std::integral_constant<Reach, Reach::UsesSources>());
        break;
      default:
        launchAt(std::integral_constant<Reach, Reach::Own>());
      }
      return 0;
    });
  }
}

} // namespace spanwise::lattice::detail
