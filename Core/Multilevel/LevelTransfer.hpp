#pragma once

#include "Core/Field/Remap.hpp"
#include "Core/Multilevel/LevelHalo.hpp"
#include "Core/Multilevel/MultilevelField.hpp"
#include "Core/Multilevel/Transfer.hpp"
#include "Core/Runtime/Context.hpp"

#include <array>

namespace spanwise::multilevel {

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
void buildLevelTransfer(const Context<ExecutionSpace>& context, const MultilevelSetOn<Dim, ExecutionSpace>& levels,
  Prolongation method, LevelTransferOn<Dim, ExecutionSpace>& out) {
  out.numLevels = levels.numLevels();
  for (int l = 0; l + 1 < levels.numLevels(); ++l) {
    buildTransferMap<ExecutionSpace, Dim>(context, levels.level(l), levels.level(l + 1), levels.level(l + 1), method,
      out.maps[static_cast<std::size_t>(l)]);
  }
}

/// Gives each cell with children the mean of these, from the finest level to the root. O(cells). Allocates nothing and
/// does not wait.
template <class ExecutionSpace, int Dim, class T>
void restrictLevels(const Context<ExecutionSpace>& context, const LevelTransferOn<Dim, ExecutionSpace>& transfer,
  MultilevelFieldOn<T, ExecutionSpace>& field) {
  for (int l = transfer.numLevels - 2; l >= 0; --l) {
    restrictTo<ExecutionSpace, Dim, T>(
      context, transfer.maps[static_cast<std::size_t>(l)], field.level(l + 1), field.level(l));
  }
}

namespace detail {

/// remap() of the values of a level, which may have no cells: then whatever the field has of it does not count.
template <class ExecutionSpace, class T>
void remapLevel(const Context<ExecutionSpace>& context,
  const geometry::CommonCells<typename ExecutionSpace::memory_space>& common,
  const MultilevelFieldOn<T, ExecutionSpace>& field, int l, T otherwise, field::FieldOn<T, ExecutionSpace>& out) {
  if (common.numCellsOfA() > 0) {
    remap<ExecutionSpace, T>(context, common, field.level(l), otherwise, out);
  } else {
    remap<ExecutionSpace, T>(
      context, common, field::FieldOn<T, ExecutionSpace>(field.name(), 0, field.numComponents()), otherwise, out);
  }
}

} // namespace detail

/// How values get from a hierarchy to the one that takes its place: cells that a level had are copied, and those that
/// it had not are prolonged from the level below, with slopes that look across cuts among ranks and the ends of
/// periods. Where cells were coarsened the level below had the mean of their values, which stays. Keeps its memory.
/// Lives no longer than the communicator.
template <class ExecutionSpace, int Dim>
struct Regrid {
  using Memory = typename ExecutionSpace::memory_space;

  int numLevels = 0;
  bool hasAround = false; ///< whether values go to the cells around the levels first
  std::array<geometry::CommonCells<Memory>, maxNumLevels> kept; ///< cells that a level had and has
  std::array<TransferMap<Dim, Memory>, maxNumLevels> made;      ///< [l] the others of level l
  geometry::IntervalSet<Dim, Memory> added;
  // where there is something around
  MultilevelSet<Dim, Memory> around; ///< the cells of the new hierarchy and one more around
  std::array<LevelHalo<ExecutionSpace, Dim>, maxNumLevels> halos;
  std::array<geometry::CommonCells<Memory>, maxNumLevels> own; ///< of `around` in the new hierarchy
};

/// Collective. out = the way from one hierarchy to another with the same root, in a domain that cuts both alike. Throws
/// InvalidArgument, on all ranks, if their roots are not the same cells. A repeated call allocates nothing where the
/// domain ends here. O(rows + intervals) of both, and what buildStencilMap() takes for the parents of new cells.
template <class ExecutionSpace, int Dim>
void buildRegrid(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
  const MultilevelSetOn<Dim, ExecutionSpace>& from, const MultilevelSetOn<Dim, ExecutionSpace>& to, Prolongation method,
  Regrid<ExecutionSpace, Dim>& out);

/// Collective. out = the field on the new hierarchy. Cells of `field` with children hold their mean (restrictLevels());
/// those of `out` then do. The integral over the domain is the same, to round-off. `around` keeps memory for values on
/// the cells around, where there are any; then a message goes to each rank beside this one for each level. Throws
/// InvalidArgument, on all ranks, where a field does not have its level's cells; those of all ranks have as many
/// components. O(cells). A repeated call allocates nothing.
template <class ExecutionSpace, int Dim, class T>
void regrid(const Context<ExecutionSpace>& context, Regrid<ExecutionSpace, Dim>& way,
  const MultilevelFieldOn<T, ExecutionSpace>& field, MultilevelFieldOn<T, ExecutionSpace>& around,
  MultilevelFieldOn<T, ExecutionSpace>& out);

} // namespace spanwise::multilevel
