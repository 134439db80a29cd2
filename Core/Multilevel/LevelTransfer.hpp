#pragma once

#include "Core/Multilevel/MultilevelField.hpp"
#include "Core/Multilevel/Transfer.hpp"

#include <array>

namespace spanwise {

/// The maps between neighbouring levels of a hierarchy. Keeps its memory.
template <int Dim, class MemorySpace>
struct LevelTransfer {
  int numLevels = 0;
  std::array<TransferMap<Dim, MemorySpace>, maxNumLevels - 1> maps; ///< [l] between the levels l and l + 1
};

template <int Dim, class ExecutionSpace>
using LevelTransferOn = LevelTransfer<Dim, typename ExecutionSpace::memory_space>;

/// out = the maps of a hierarchy, for use until it changes. A repeated call allocates nothing. As buildTransferMap().
template <class ExecutionSpace, int Dim>
void buildLevelTransfer(const ExecutionSpace& space, const MultilevelSetOn<Dim, ExecutionSpace>& levels,
  Prolongation method, LevelTransferOn<Dim, ExecutionSpace>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  out.numLevels = levels.numLevels();
  for (int l = 0; l + 1 < levels.numLevels(); ++l) {
    buildTransferMap<ExecutionSpace, Dim>(space, levels.level(l), levels.level(l + 1), levels.level(l + 1), method,
      out.maps[static_cast<std::size_t>(l)], workspace);
  }
}

/// Gives each cell with children the mean of these, from the finest level to the root. O(cells). Allocates nothing and
/// does not wait.
template <class ExecutionSpace, int Dim, class T>
void restrictLevels(const ExecutionSpace& space, const LevelTransferOn<Dim, ExecutionSpace>& transfer,
  MultilevelFieldOn<T, ExecutionSpace>& field) {
  for (int l = transfer.numLevels - 2; l >= 0; --l) {
    restrictTo<ExecutionSpace, Dim, T>(
      space, transfer.maps[static_cast<std::size_t>(l)], field.level(l + 1), field.level(l));
  }
}

/// How values get from a hierarchy to the one that takes its place: cells that a level had are copied, and those that
/// it had not are prolonged from the level below. Where cells were coarsened the level below had the mean of their
/// values, which stays. Keeps its memory.
template <int Dim, class MemorySpace>
struct Regrid {
  int numLevels = 0;
  std::array<CommonCells<MemorySpace>, maxNumLevels> kept;      ///< cells that a level had and has
  std::array<TransferMap<Dim, MemorySpace>, maxNumLevels> made; ///< [l] the others of level l
  IntervalSet<Dim, MemorySpace> added;
};

template <int Dim, class ExecutionSpace>
using RegridOn = Regrid<Dim, typename ExecutionSpace::memory_space>;

/// out = the way from one hierarchy to another with the same root. Throws InvalidArgument if their roots are not the
/// same cells. A repeated call allocates nothing. O(rows + intervals) of both, and what buildStencilMap() takes for the
/// parents of new cells.
template <class ExecutionSpace, int Dim>
void buildRegrid(const ExecutionSpace& space, const MultilevelSetOn<Dim, ExecutionSpace>& from,
  const MultilevelSetOn<Dim, ExecutionSpace>& to, Prolongation method, RegridOn<Dim, ExecutionSpace>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace);

/// out = the field on the new hierarchy. Cells of `field` with children hold their mean (restrictLevels()); those of
/// `out` then do. The integral over the domain is the same, to round-off. O(cells). A repeated call allocates nothing.
template <class ExecutionSpace, int Dim, class T>
void regrid(const ExecutionSpace& space, const RegridOn<Dim, ExecutionSpace>& way,
  const MultilevelFieldOn<T, ExecutionSpace>& field, MultilevelFieldOn<T, ExecutionSpace>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace);

} // namespace spanwise
