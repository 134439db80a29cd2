#pragma once

#include "Core/Field/ForCells.hpp"
#include "Core/Solvers/Lattice/Detail/RoundAtRandom.hpp"
#include "Core/Solvers/Lattice/Detail/StreamMap.hpp"
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

  template <int Dim>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION GivenAtSide<Dim, T> at(std::int64_t number) const {
    GivenAtSide<Dim, T> given{isVelocity, {}, density};
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

/// A step of the cells of a map on the host, in tiles.
template <class Set, class T>
struct StepTiles {
  using Real = Arithmetic<T>;
  using Segment = StreamSegment<Set>;

  geometry::SegmentsView lengths;
  const Segment* segments;
  StepFields<T> fields;
  GivenAtCells<Real> given;
  CollisionConstants<Real> constants;
  CollideTile<Set, Real> collide;

  void operator()(std::int64_t first, std::int64_t last) const { onHost(first, last); }

private:
  SPANWISE_WIDE_VECTORS void onHost(std::int64_t first, std::int64_t last) const {
    alignas(64) Tile<Set, Real> tile;
    const bool stays = fields.streaming == Streaming::Stay;
    const bool reads = stays || fields.streaming == Streaming::None;
    std::int64_t count = 0;
    for (; first < last; first += count) {
      count = Kokkos::min(tileLength<Real>, last - first);
      const std::int64_t s = lengths.segmentOf(first);
      if (reads) {
        forRuns(s, first, count, [&](std::int64_t own, std::int64_t stride, std::int64_t at, std::int64_t n) {
          for (int q = 0; q < Set::count; ++q) {
            load(fields.from + own + q * stride, tile[q] + at, n);
          }
        });
      } else {
        forPieces(s, first, count, [&](const Segment& segment, std::int64_t k, std::int64_t at, std::int64_t n) {
          load(fields.from + segment.own + k, tile[0] + at, n);
          for (int q = 1; q < Set::count; ++q) {
            load(fields.from + segment.source[q - 1] + k, tile[q] + at, n);
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
        forPieces(s, first, count, [&](const Segment& segment, std::int64_t k, std::int64_t at, std::int64_t n) {
          store(tile[0] + at, fields.to + segment.own + k, n);
          for (int q = 1; q < Set::count; ++q) {
            store(tile[Set::opposite(q)] + at, fields.to + segment.source[q - 1] + k, n);
          }
        });
      } else {
        forRuns(s, first, count, [&](std::int64_t own, std::int64_t stride, std::int64_t at, std::int64_t n) {
          for (int q = 0; q < Set::count; ++q) {
            store(tile[stays ? Set::opposite(q) : q] + at, fields.to + own + q * stride, n);
          }
        });
      }
    }
  }

  /// Calls call(segment, place of the first cell in it, cell of the tile, number) for the pieces of segments in a tile.
  template <class Call>
  void forPieces(std::int64_t s, std::int64_t first, std::int64_t count, const Call& call) const {
    for (std::int64_t at = 0; at < count; ++s) {
      const std::int64_t k = first + at - lengths.offsets[s];
      const std::int64_t n = Kokkos::min(lengths.offsets[s + 1] - lengths.offsets[s] - k, count - at);
      call(segments[s], k * fields.cellStride, at, n);
      at += n;
    }
  }

  /// Calls call(own place of the first cell, stride of populations, cell of the tile, number) for the cells of a tile
  /// whose own places follow each other, through as many segments as there are.
  template <class Call>
  void forRuns(std::int64_t s, std::int64_t first, std::int64_t count, const Call& call) const {
    for (std::int64_t at = 0; at < count; ++s) {
      const std::int64_t k = first + at - lengths.offsets[s];
      const std::int64_t own = segments[s].own + k * fields.cellStride;
      const std::int64_t stride = segments[s].ownStride;
      std::int64_t n = lengths.offsets[s + 1] - lengths.offsets[s] - k;
      while (
        n < count - at && segments[s + 1].own == own + n * fields.cellStride && segments[s + 1].ownStride == stride) {
        ++s;
        n += lengths.offsets[s + 1] - lengths.offsets[s];
      }
      n = Kokkos::min(n, count - at);
      call(own, stride, at, n);
      at += n;
    }
  }

  void load(const T* values, Real* to, std::int64_t n) const {
    if (fields.cellStride == 1) {
      spanwise::detail::prefetch(values + tileLength<Real>, n); // what the next tile needs of this population
      SPANWISE_INDEPENDENT
      for (std::int64_t i = 0; i < n; ++i) {
        to[i] = static_cast<Real>(values[i]);
      }
    } else {
      for (std::int64_t i = 0; i < n; ++i) {
        to[i] = static_cast<Real>(values[i * fields.cellStride]);
      }
    }
  }
  void store(const Real* from, T* values, std::int64_t n) const {
    if (fields.cellStride == 1) {
      SPANWISE_INDEPENDENT
      for (std::int64_t i = 0; i < n; ++i) {
        values[i] = static_cast<T>(from[i]);
      }
    } else {
      for (std::int64_t i = 0; i < n; ++i) {
        values[i * fields.cellStride] = static_cast<T>(from[i]);
      }
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

/// The same on a device, a cell a thread. `atSide` is a constant of its own since sides take registers, which would
/// then be missing to all cells.
template <class Set, class T, Collision collision, bool isPlain, bool atSide>
struct StepCell {
  using Real = Arithmetic<T>;

  geometry::SegmentsView lengths;
  const StreamSegment<Set>* segments;
  StepFields<T> fields;
  GivenAtCells<Real> given;
  CollisionConstants<Real> constants;

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const {
    const std::int64_t s = lengths.segmentOf(cell);
    const StreamSegment<Set>& segment = segments[s];
    const std::int64_t k = (cell - lengths.offsets[s]) * fields.cellStride;
    Real f[Set::count];
    if (fields.streaming == Streaming::Stay || fields.streaming == Streaming::None) { // once, not for each population
      unrolled<Set::count>(
        [&](auto q) { f[q] = static_cast<Real>(fields.from[segment.own + q * segment.ownStride + k]); });
    } else {
      unrolled<Set::count>(
        [&](auto q) { f[q] = static_cast<Real>(fields.from[sourceOf<decltype(q)::value>(segment) + k]); });
    }
    if constexpr (atSide) {
      applySideNumber<Set>(f, given.side, given.template at<Set::dimension>(cell));
    }
    collide<Set, collision, isPlain>(f, constants);
    if constexpr (std::is_same_v<T, ScaledHalf>) {
      roundAtRandom(f);
    }
    if (fields.streaming == Streaming::PullAndPush) {
      unrolled<Set::count>([&](auto q) {
        constexpr int opposite = Set::opposite(decltype(q)::value);
        fields.to[sourceOf<decltype(q)::value>(segment) + k] = static_cast<T>(f[opposite]);
      });
    } else {
      const bool swaps = fields.streaming == Streaming::Stay;
      unrolled<Set::count>([&](auto q) {
        constexpr int opposite = Set::opposite(decltype(q)::value);
        fields.to[segment.own + (swaps ? opposite : q) * segment.ownStride + k] = static_cast<T>(f[q]);
      });
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

/// A step of the cells of a map.
template <class Set, class T, class ExecutionSpace>
void stepCells(const ExecutionSpace& space, const StreamMap<Set, typename ExecutionSpace::memory_space>& map,
  const StepFields<T>& fields, Collision collision, const CollisionConstants<Arithmetic<T>>& constants,
  const GivenAtCells<Arithmetic<T>>& given) {
  using Real = Arithmetic<T>;
  const std::int64_t count = map.numCells();
  if constexpr (runsOnHost<ExecutionSpace>) {
    const CollideTile<Set, Real> collideTiles =
      withCollision(collision, constants.plain, [](auto chosen, auto isPlain) {
        return static_cast<CollideTile<Set, Real>>(
          &collideTile<Set, decltype(chosen)::value, decltype(isPlain)::value, Real>);
      });
    field::forCells(space, SPANWISE_KERNEL("lattice step"), count,
      StepTiles<Set, T>{map.lengths(), map.segments(), fields, given, constants, collideTiles},
      Work{count * Set::count});
  } else {
    withCollision(collision, constants.plain, [&](auto chosen, auto isPlain) {
      const auto launch = [&](auto atSide) {
        Kokkos::parallel_for(SPANWISE_KERNEL("lattice step"), IndexRange<ExecutionSpace>(space, 0, count),
          StepCell<Set, T, decltype(chosen)::value, decltype(isPlain)::value, decltype(atSide)::value>{
            map.lengths(), map.segments(), fields, given, constants});
      };
      given.side >= 0 ? launch(std::true_type()) : launch(std::false_type());
      return 0;
    });
  }
}

} // namespace spanwise::lattice::detail
