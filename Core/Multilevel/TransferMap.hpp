#pragma once

#include "Core/Field/Field.hpp"
#include "Core/Field/StencilMap.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Geometry/Segments.hpp"
#include "Core/Multilevel/Prolongation.hpp"
#include "Core/Multilevel/Refine.hpp"

#include <cstdint>

namespace spanwise {

/// Cells of a row of the finer set, side by side, and where their parents are: the k-th cell has number fine + k, its
/// parent coarse + (k + odd) / 2, with odd = 1 if the first is an upper child along x.
struct ParentRun {
  std::int64_t fine;
  std::int64_t coarse;
  std::int32_t upper; ///< bit d: the cells are upper children along axis d; along x the first one is
};

/// Coarse cells of a row, side by side, and where their children are: the k-th has number coarse + k, and in child row
/// r the children fine[r] + 2k and fine[r] + 2k + 1.
template <int Dim>
struct ChildRun {
  std::int64_t coarse;
  std::int64_t fine[childRows<Dim>];
};

/// Which cells of a coarse and a fine set belong together: from a cell's number to those of its parent or children in
/// O(1). Made once for two sets by buildTransferMap(), which alone writes it, and used for any number of fields until
/// one of the sets changes. 24 bytes an interval of the fine set, 24 (2D) or 40 (3D) one of the coarse cells with
/// children, and what the method asks for (StencilMap). Keeps its memory.
template <int Dim, class MemorySpace>
struct TransferMap {
  std::int64_t numCoarseCells = 0;
  std::int64_t numFineCells = 0;
  Prolongation method = Prolongation::Injection;

  /// Fine cells that are prolonged onto, and their parents.
  Segments<MemorySpace> fineCells;
  Kokkos::View<ParentRun*, MemorySpace> parentRuns;

  /// Coarse cells all of whose children are in the fine set.
  Segments<MemorySpace> coarseCells;
  Kokkos::View<ChildRun<Dim>*, MemorySpace> childRuns;

  /// The neighbours of the parents, as far as the method asks for them.
  IntervalSet<Dim, MemorySpace> parents;
  CommonCells<MemorySpace> parentCells;
  StencilMap<FacePattern<Dim>, MemorySpace> faces;
  StencilMap<BoxPattern<Dim>, MemorySpace> box;
};

template <int Dim, class ExecutionSpace>
using TransferMapOn = TransferMap<Dim, typename ExecutionSpace::memory_space>;

} // namespace spanwise
