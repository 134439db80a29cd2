#pragma once

#include "Core/Multilevel/ConformingMesh.hpp"
#include "Core/Multilevel/Detail/MeshLevel.hpp"
#include "Core/Multilevel/Detail/SplitPoints.hpp"
#include "Core/Runtime/MergeSort.hpp"

#include <cstdint>

namespace spanwise::multilevel::detail {

// The leaves at the points of a mesh: counted, written where there is room, and sorted.

struct ClearNumbers {
  std::int64_t* values;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const { values[k] = 0; }
};

struct CopyNumbers {
  const std::int64_t* from;
  std::int64_t* to;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const { to[k] = from[k]; }
};

/// Counts the leaves at points, or writes them where there is room.
struct AddShare {
  std::int64_t* counts; ///< or where the next share of each point goes
  LeafShare* shares;    ///< null: count

  KOKKOS_FUNCTION void operator()(std::int64_t point, std::int64_t leaf, int level, int log2Orthants) const {
    if (point < 0) {
      return;
    }
    const std::int64_t at = Kokkos::atomic_fetch_add(&counts[point], std::int64_t{1});
    if (shares != nullptr) {
      shares[at] = LeafShare(leaf, level, log2Orthants);
    }
  }
};

template <int Dim>
struct ShareWhole {
  MeshLevel<Dim> level;
  const std::uint8_t* isSplit;
  AddShare add;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    level.segments.forPieces(first, last, [&](std::int64_t i, std::int64_t begin, std::int64_t end) {
      for (std::int64_t along = begin; along < end; ++along) {
        const std::int64_t leaf = level.firstLeaf + level.leaves.cellOffsets[i] + along;
        for (int k = 0; k < numCorners<Dim> && isSplit[leaf] == 0; ++k) {
          add(level.corner(i, along, k), leaf, level.level, 0);
        }
      }
    });
  }
};

template <int Dim>
struct ShareSplit {
  const SplitLeaf<Dim>* records;
  RefinedLevels<Dim> refined;
  PointTable table;
  const std::int64_t* places;
  AddShare add;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const SplitLeaf<Dim> record = records[n];
    const LeafSplit<Dim> split(record, refined);
    for (int place = 0; place < numPlaces<Dim>; ++place) {
      add(places[n * numPlaces<Dim> + place], record.leaf, record.level, middlesOfPlace(place));
    }
    if (record.deep) {
      split.forPoints([&](const FinePoint& point) {
        if (split.placeOf(point) < 0) {
          add(table.find(point), record.leaf, record.level, split.middlesOf(point));
        }
      });
    }
  }
};

struct SortShares {
  const std::int64_t* offsets;
  LeafShare* shares;
  KOKKOS_FUNCTION void operator()(std::int64_t p) const {
    spanwise::detail::insertionSort(shares + offsets[p], offsets[p + 1] - offsets[p], Ascending());
  }
};

} // namespace spanwise::multilevel::detail
