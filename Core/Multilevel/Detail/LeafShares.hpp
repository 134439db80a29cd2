#pragma once

#include "Core/Multilevel/ConformingMesh.hpp"
#include "Core/Multilevel/Detail/MeshLevel.hpp"
#include "Core/Multilevel/Detail/SplitPoints.hpp"
#include "Core/Runtime/MergeSort.hpp"
#include "Core/Runtime/Scan.hpp"

#include <cstdint>

namespace spanwise::multilevel::detail {

// The leaves at the points of a mesh: counted, written where there is room, and sorted.

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

template <class Space, int Dim>
void addShares(const Space& space, const MeshLevels<Dim>& levels, const SplitLeaves<Dim>& split,
  const PointTable& table, const AddShare& add) {
  const std::uint8_t* const isSplit = split.isSplit;
  for (const MeshLevel<Dim>& level : levels) {
    field::forCells(
      space, SPANWISE_KERNEL("share whole"), level.leaves.numCells,
      KOKKOS_LAMBDA(std::int64_t first, std::int64_t last) {
        level.segments.forPieces(first, last, [&](std::int64_t i, std::int64_t begin, std::int64_t end) {
          for (std::int64_t along = begin; along < end; ++along) {
            const std::int64_t leaf = level.firstLeaf + level.leaves.cellOffsets[i] + along;
            for (int k = 0; k < numCorners<Dim> && isSplit[leaf] == 0; ++k) {
              add(level.corner(i, along, k), leaf, level.level, 0);
            }
          }
        });
      });
  }
  forEach(
    SPANWISE_KERNEL("share split"), IndexRange<Space>(space, 0, split.count), KOKKOS_LAMBDA(std::int64_t n) {
      const SplitLeaf<Dim> record = split.records[n];
      const LeafSplit<Dim> leaf(record, split.refined);
      for (int place = 0; place < numPlaces<Dim>; ++place) {
        add(split.places[n * numPlaces<Dim> + place], record.leaf, record.level, middlesOfPlace(place));
      }
      if (record.deep) {
        leaf.forPoints([&](const FinePoint& point) {
          if (leaf.placeOf(point) < 0) {
            add(table.find(point), record.leaf, record.level, leaf.middlesOf(point));
          }
        });
      }
    });
}

/// The leaves at the points of a mesh.
template <class Space, int Dim, class Frame>
void shareLeaves(const Space& space, const MeshLevels<Dim>& levels, const SplitLeaves<Dim>& split,
  const PointTable& table, Frame& frame, ConformingMeshOn<Space>& mesh) {
  const std::int64_t numPoints = mesh.points.count();
  const IndexRange<Space> overPoints(space, 0, numPoints);
  std::int64_t* const offsets = mesh.shareOffsets.prepare(numPoints + 1);
  forEach(
    SPANWISE_KERNEL("clear counts"), IndexRange<Space>(space, 0, numPoints + 1),
    KOKKOS_LAMBDA(std::int64_t p) { offsets[p] = 0; });
  addShares<Space, Dim>(space, levels, split, table, {offsets, nullptr});
  const std::int64_t sum = exclusiveScan(space, SPANWISE_KERNEL("scan shares"), offsets, numPoints);
  std::int64_t* const next = frame.template array<std::int64_t>(numPoints).data();
  forEach(SPANWISE_KERNEL("copy offsets"), overPoints, KOKKOS_LAMBDA(std::int64_t p) { next[p] = offsets[p]; });
  LeafShare* const shares = mesh.shares.prepare(sum);
  addShares<Space, Dim>(space, levels, split, table, {next, shares});
  forEach(
    SPANWISE_KERNEL("sort shares"), overPoints, KOKKOS_LAMBDA(std::int64_t p) {
      spanwise::detail::insertionSort(shares + offsets[p], offsets[p + 1] - offsets[p], Ascending());
    });
}

} // namespace spanwise::multilevel::detail
