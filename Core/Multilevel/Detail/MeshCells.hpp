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

/// One cell for each leaf of a level that is owned.
template <int Dim>
struct CountWhole {
  std::int64_t firstOwned;
  std::int64_t endOwned;
  CellTotals* totals;
  KOKKOS_FUNCTION void operator()(std::int64_t c) const {
    totals[c] = firstOwned <= c && c < endOwned ? CellTotals{1, numCorners<Dim>} : CellTotals{};
  }
};

template <int Dim>
struct CountSplit {
  const SplitLeaf<Dim>* records;
  RefinedLevels<Dim> refined;
  CellTotals* totals;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const SplitLeaf<Dim> record = records[n];
    if (!record.owned) {
      return;
    }
    CellTotals sum;
    LeafSplit<Dim>(record, refined).forCells([&](MeshCell /*type*/, const FinePoint* /*points*/, int count) {
      sum += {1, count};
    });
    totals[record.leaf] = sum;
  }
};

struct MeshArrays {
  const CellTotals* before; ///< of each leaf, what the leaves before it have
  MeshCell* types;
  std::int64_t* offsets;
  std::int64_t* connectivity;
  std::int64_t* sources;
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
    mesh.types[at.cells] = Dim == 2 ? MeshCell::Quadrilateral : MeshCell::Hexahedron;
    mesh.offsets[at.cells] = at.entries;
    mesh.sources[at.cells] = leaf;
    for (int k = 0; k < numCorners<Dim>; ++k) { // around, not row by row
      mesh.connectivity[at.entries + k] = level.corner(i, along, k ^ (k >> 1 & 1));
    }
  }
};

template <int Dim>
struct WriteSplit {
  const SplitLeaf<Dim>* records;
  RefinedLevels<Dim> refined;
  PointTable table;
  const std::int64_t* places;
  MeshArrays mesh;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const SplitLeaf<Dim> record = records[n];
    if (!record.owned) {
      return;
    }
    const LeafSplit<Dim> split(record, refined);
    const std::int64_t* const placesOfLeaf = places + n * numPlaces<Dim>;
    CellTotals at = mesh.before[record.leaf];
    split.forCells([&](MeshCell type, const FinePoint* points, int count) {
      mesh.types[at.cells] = type;
      mesh.offsets[at.cells] = at.entries;
      mesh.sources[at.cells] = record.leaf;
      for (int k = 0; k < count; ++k) {
        const int place = split.placeOf(points[k]);
        mesh.connectivity[at.entries + k] = place < 0 ? table.find(points[k]) : placesOfLeaf[place];
      }
      at += {1, count};
    });
  }
};

struct EndOffsets {
  CellTotals end;
  std::int64_t* offsets;
  KOKKOS_FUNCTION void operator()(std::int64_t /*one*/) const { offsets[end.cells] = end.entries; }
};

} // namespace spanwise::multilevel::detail
