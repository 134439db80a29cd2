#pragma once

#include "Core/Multilevel/ConformingMesh.hpp"
#include "Core/Multilevel/Detail/MeshLevel.hpp"
#include "Core/Multilevel/Detail/SplitPoints.hpp"

#include <cstdint>

namespace spanwise::multilevel::detail {

// The cells of a mesh: one of each leaf that is whole, several of each that is split.

/// Cells, and entries of the connectivity.
struct CellTotals {
  std::int64_t cells = 0;
  std::int64_t entries = 0;

  KOKKOS_FUNCTION CellTotals& operator+=(const CellTotals& other) {
    cells += other.cells;
    entries += other.entries;
    return *this;
  }
};

/// totals[n] = what is made of leaf n: one cell if it is owned and whole.
template <class Space, int Dim>
void countCells(const Space& space, const MeshLevels<Dim>& levels, const SplitLeaves<Dim>& split, CellTotals* totals) {
  for (const MeshLevel<Dim>& level : levels) {
    const std::int64_t first = level.firstOwned;
    const std::int64_t end = level.endOwned;
    CellTotals* const ofLevel = totals + level.firstLeaf;
    forEach(
      SPANWISE_KERNEL("count whole"), IndexRange<Space>(space, 0, level.leaves.numCells),
      KOKKOS_LAMBDA(
        std::int64_t c) { ofLevel[c] = first <= c && c < end ? CellTotals{1, numCorners<Dim>} : CellTotals{}; });
  }
  forEach(
    SPANWISE_KERNEL("count split"), IndexRange<Space>(space, 0, split.count), KOKKOS_LAMBDA(std::int64_t n) {
      const SplitLeaf<Dim> record = split.records[n];
      if (!record.owned) {
        return;
      }
      CellTotals sum;
      LeafSplit<Dim>(record, split.refined).forCells([&](ElementType /*type*/, const FinePoint* /*points*/, int count) {
        sum += {1, count};
      });
      totals[record.leaf] = sum;
    });
}

struct MeshArrays {
  const CellTotals* before; ///< of each leaf, what the leaves before it have
  CellTotals all;
  ElementType* types;
  std::int64_t* offsets;
  std::int64_t* connectivity;
  std::int64_t* sources;
  /// [levels]: how many leaves that are not owned are before those of the level that are.
  std::int64_t othersBefore[maxMeshLevels];
};

template <int Dim>
struct WriteWhole {
  MeshLevel<Dim> level;
  const std::uint8_t* isSplit;
  MeshArrays mesh;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    level.segments.forPieces(
      first + level.firstOwned, last + level.firstOwned, [&](std::int64_t i, std::int64_t begin, std::int64_t end) {
        for (std::int64_t along = begin; along < end; ++along) {
          const std::int64_t leaf = level.firstLeaf + level.leaves.cellOffsets[i] + along;
          if (isSplit[leaf] == 0) {
            write(leaf, i, along);
          }
        }
      });
  }

  KOKKOS_FUNCTION void write(std::int64_t leaf, std::int64_t i, std::int64_t along) const {
    const CellTotals at = mesh.before[leaf];
    mesh.types[at.cells] = Dim == 2 ? ElementType::Quadrilateral : ElementType::Hexahedron;
    mesh.offsets[at.cells] = at.entries;
    mesh.sources[at.cells] = leaf - mesh.othersBefore[level.level];
    for (int k = 0; k < numCorners<Dim>; ++k) { // around, not row by row
      mesh.connectivity[at.entries + k] = level.corner(i, along, k ^ (k >> 1 & 1));
    }
  }
};

/// Writes the cells of all leaves that are owned.
template <class Space, int Dim>
void writeCells(const Space& space, const MeshLevels<Dim>& levels, const SplitLeaves<Dim>& split,
  const PointTable& table, const MeshArrays& mesh) {
  for (const MeshLevel<Dim>& level : levels) {
    field::forCells(space, SPANWISE_KERNEL("write whole"), level.endOwned - level.firstOwned,
      WriteWhole<Dim>{level, split.isSplit, mesh});
  }
  forEach(
    SPANWISE_KERNEL("write split"), IndexRange<Space>(space, 0, split.count), KOKKOS_LAMBDA(std::int64_t n) {
      const SplitLeaf<Dim> record = split.records[n];
      if (!record.owned) {
        return;
      }
      const LeafSplit<Dim> leaf(record, split.refined);
      const std::int64_t* const places = split.places + n * numPlaces<Dim>;
      CellTotals at = mesh.before[record.leaf];
      leaf.forCells([&](ElementType type, const FinePoint* points, int count) {
        mesh.types[at.cells] = type;
        mesh.offsets[at.cells] = at.entries;
        mesh.sources[at.cells] = record.leaf - mesh.othersBefore[record.level];
        for (int k = 0; k < count; ++k) {
          const int place = leaf.placeOf(points[k]);
          mesh.connectivity[at.entries + k] = place < 0 ? table.find(points[k]) : places[place];
        }
        at += {1, count};
      });
    });
  forEach(
    SPANWISE_KERNEL("end offsets"), IndexRange<Space>(space, 0, 1),
    KOKKOS_LAMBDA(std::int64_t /*one*/) { mesh.offsets[mesh.all.cells] = mesh.all.entries; });
}

} // namespace spanwise::multilevel::detail
