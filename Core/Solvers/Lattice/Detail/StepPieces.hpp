#pragma once

#include "Core/Solvers/Lattice/Collision.hpp"
#include "Core/Solvers/Lattice/Detail/RoundAtRandom.hpp"
#include "Core/Solvers/Lattice/Detail/StepFields.hpp"
#include "Core/Solvers/Lattice/Detail/StreamRows.hpp"
#include "Core/Solvers/Lattice/Detail/WalledRows.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace spanwise::lattice::detail {

/// So many cells are stepped by a thread of a device: populations of both are then read and written at once wherever
/// they stay. With one cell, 32 bits have 0.93 of the rate, and 16 bits 0.77 (D3Q19, 256^3, one H200).
template <class T>
inline constexpr int cellsAtOnce = sizeof(T) < sizeof(double) ? 2 : 1;

/// What a step reads and writes: the own places of cells, or the sources; of some of which cells only stream.
enum class Reach { Own, ReadsSources, ReadsSourcesOfSome, UsesSources };

/// The rows of a kernel.
template <class Set, Reach reach>
using RowOf = std::conditional_t<reach == Reach::Own, OwnRow, StreamRow<Set>>;

/// A step of the cells of rows on a device, a piece of a row a thread. `reach` and `atSide` are constants of their own,
/// since what one of them needs of registers would be missing to all cells. Each cell at a side has a thread.
template <class Set, class T, Collision collision, bool isPlain, Reach reach, bool atSide>
struct StepPiece {
  using Real = Arithmetic<T>;
  static constexpr int size = atSide ? 1 : cellsAtOnce<T>;

  using Row = RowOf<Set, reach>;

  RowsView<Row> rows;
  StepFields<T> fields;
  GivenAtCells<Real> given;
  CollisionConstants<Real> constants;

  KOKKOS_FUNCTION void operator()(std::int64_t number) const {
    const CellsOfRow cells = rows.template piece<size, sizeof(T)>(number);
    if (size == 1 || cells.end - cells.begin < size) {
      step<1>(number, cells);
    } else if constexpr (size > 1) { // two ways through all of a step: branches in it would part loads
      step<size>(number, cells);
    }
  }

private:
  template <int count>
  KOKKOS_FORCEINLINE_FUNCTION void step(std::int64_t number, const CellsOfRow& cells) const {
    const Row& row = rows.rows[cells.row];
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
  [[nodiscard]] static KOKKOS_FORCEINLINE_FUNCTION bool areTogether(const OwnRow& row) {
    return row.ownStride % static_cast<std::int64_t>(count * sizeof(T)) == 0;
  }

  template <int count>
  KOKKOS_FORCEINLINE_FUNCTION void loadOwn(
    const OwnRow& row, const CellsOfRow& cells, Real (&f)[count][Set::count]) const {
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
    const OwnRow& row, const CellsOfRow& cells, const Real (&f)[count][Set::count]) const {
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

/// A step of the cells of rows among walls on a device, a cell a thread. The places of populations are chosen, not
/// their values: nothing is read twice, and no thread waits for another one's walls.
template <class Set, class T, Collision collision, bool isPlain, bool inPlace>
struct StepWalledCell {
  using Real = Arithmetic<T>;

  WalledRowsView<Set> rows;
  StepFields<T> fields;
  CollisionConstants<Real> constants;

  KOKKOS_FUNCTION void operator()(std::int64_t number) const {
    const std::int64_t r = rows.lengths.segmentOf(number);
    const std::int64_t cell = number - rows.lengths.offsets[r];
    const WalledRow<Set>& row = rows.rows[r];
    const std::uint32_t walls = rows.walls[number];
    Real f[Set::count];
    forPlaces(fields.from + cell, row, walls, [&](auto q, const T& value) { f[q] = static_cast<Real>(value); });
    collide<Set, collision, isPlain>(f, constants);
    if constexpr (std::is_same_v<T, ScaledHalf>) {
      roundAtRandom(f);
    }
    if constexpr (inPlace) {
      forPlaces(fields.to + cell, row, walls, [&](auto q, T& value) {
        constexpr int opposite = Set::opposite(decltype(q)::value);
        value = static_cast<T>(f[opposite]);
      });
    } else {
      T* const own = placed(fields.to + cell, row.own);
      unrolled<Set::count>([&](auto q) { *placed(own, q * row.ownStride) = static_cast<T>(f[q]); });
    }
  }

private:
  template <class V, class Call>
  static KOKKOS_FORCEINLINE_FUNCTION void forPlaces(
    V* values, const WalledRow<Set>& row, std::uint32_t walls, const Call& call) {
    unrolled<Set::count>([&](auto q) {
      using Source = WalledSource<Set, decltype(q)::value, inPlace>;
      call(q, *placed(values, Source::place(row, isFromWall(walls, q), sizeof(T))));
    });
  }
};

} // namespace spanwise::lattice::detail
