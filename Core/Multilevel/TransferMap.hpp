#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Field/StencilMap.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Geometry/Segments.hpp"
#include "Core/Multilevel/Prolongation.hpp"
#include "Core/Multilevel/Refine.hpp"

#include <cstdint>

namespace spanwise::multilevel {

/// Coarse cells of a row, side by side, and where their children are: the k-th has number coarse + k, and in child row
/// r the children fine[r] + 2k and fine[r] + 2k + 1.
template <int Dim>
struct ChildRun {
  std::int64_t coarse;
  std::int64_t fine[childRows<Dim>];
};

/// Cells of a row of the finer set, side by side, and where their parents are: the k-th cell has number fine + k, its
/// parent number coarse + (k + odd) / 2, with odd = 1 if the first is an upper child along x.
struct ParentRun {
  std::int64_t fine;
  std::int64_t coarse;
  std::int64_t parent; ///< the number of the first cell's parent among the parents of all such runs
  std::int32_t upper;  ///< bit d: the cells are upper children along axis d; along x the first one is
};

/// The neighbours of some coarse cells, as far as a method asks for them.
template <int Dim, class MemorySpace>
struct ParentNeighbours {
  geometry::CommonCells<MemorySpace> cells;
  field::StencilMap<field::FacePattern<Dim>, MemorySpace> faces;
  field::StencilMap<field::BoxPattern<Dim>, MemorySpace> box;
};

/// Which cells of a coarse and a fine set belong together: from a cell's number to those of its parent or children in
/// O(1). Made once for two sets by buildTransferMap(), which alone writes it, and used for any number of fields until
/// one of the sets changes. 24 bytes an interval of coarse cells with children in 2D, 40 in 3D, once for restriction
/// and once for prolongation, the coarse sets of both, and what the method asks for (StencilMap). Keeps its memory.
template <int Dim, class MemorySpace>
struct TransferMap {
  std::int64_t numCoarseCells = 0;
  std::int64_t numFineCells = 0;
  Prolongation method = Prolongation::Injection;

  /// Restriction: coarse cells all of whose children are in the fine set.
  geometry::Segments<MemorySpace> coarseCells;
  Kokkos::View<ChildRun<Dim>*, MemorySpace> childRuns;

  /// Prolongation: families, that is coarse cells all of whose children are prolonged onto, nearly always all of them.
  geometry::IntervalSet<Dim, MemorySpace> families;
  geometry::Segments<MemorySpace> familyCells;
  Kokkos::View<ChildRun<Dim>*, MemorySpace> familyRuns;
  ParentNeighbours<Dim, MemorySpace> aroundFamilies;

  /// And the other cells that are prolonged onto, by themselves.
  geometry::IntervalSet<Dim, MemorySpace> singles;
  geometry::Segments<MemorySpace> singleCells;
  Kokkos::View<ParentRun*, MemorySpace> singleRuns;
  geometry::IntervalSet<Dim, MemorySpace> parents; ///< of singles
  ParentNeighbours<Dim, MemorySpace> aroundParents;
};

template <int Dim, class ExecutionSpace>
using TransferMapOn = TransferMap<Dim, typename ExecutionSpace::memory_space>;

} // namespace spanwise::multilevel
