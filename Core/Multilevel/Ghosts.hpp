#pragma once

#include "Core/Geometry/Segments.hpp"
#include "Core/Geometry/StructuringElement.hpp"
#include "Core/Multilevel/LevelHalo.hpp"
#include "Core/Multilevel/LevelTransfer.hpp"
#include "Core/Runtime/Context.hpp"

#include <array>

namespace spanwise::multilevel {

/// What ghost cells outside of the domain hold.
enum class OuterGhosts {
  None,    ///< there are none
  Value,   ///< a given value
  Nearest, ///< the value of the nearest cell of the domain on the level: a zero gradient
  Mirror,  ///< the value that a mirror at the domain's boundary shows: ghost k cells out has that of cell k inside
};

/// The levels of a hierarchy with a layer of ghost cells around each, so that stencils find neighbours everywhere.
///
/// extended[l] holds the cells of level l and all cells within `width` of them, along all axes and diagonally: those of
/// the domain, which the level below or the level itself does not have as finer cells, and, as OuterGhosts says, those
/// outside of it. Fields on the extended sets have values of cells and of ghost cells in the order of cells. Keeps its
/// memory.
template <int Dim, class MemorySpace>
struct GhostLevels {
  int numLevels = 0;
  geometry::Coordinate width = 1;
  OuterGhosts outer = OuterGhosts::None;
  std::array<geometry::IntervalSet<Dim, MemorySpace>, maxNumLevels> extended;
  std::array<geometry::CommonCells<MemorySpace>, maxNumLevels> own;    ///< the level's cells among them
  std::array<TransferMap<Dim, MemorySpace>, maxNumLevels> fromCoarser; ///< [l] from extended[l - 1]
  /// Ghost cells outside of the domain, and the cells of the extended set that they are filled from.
  std::array<CellSources<MemorySpace>, maxNumLevels> outside;
  geometry::IntervalSet<Dim, MemorySpace> scratch[3];
  geometry::StructuringElement<Dim> element;
};

template <int Dim, class ExecutionSpace>
using GhostLevelsOn = GhostLevels<Dim, typename ExecutionSpace::memory_space>;

/// out = ghost cells for a hierarchy, for use until it changes. Throws InvalidArgument unless 1 <= width <= 64,
/// CoordinateOverflow if the layer passes the coordinate limits. O(rows + intervals) of the extended sets, and (2 width
/// + 1)^Dim lookups for each ghost cell outside of the domain. A repeated call with the same width allocates nothing.
template <class ExecutionSpace, int Dim>
void buildGhosts(const Context<ExecutionSpace>& context, const MultilevelSetOn<Dim, ExecutionSpace>& levels,
  geometry::Coordinate width, OuterGhosts outer, Prolongation method, GhostLevelsOn<Dim, ExecutionSpace>& out);

/// out = the field with its ghost cells, level by level from the root: those of the domain are prolonged from the level
/// below, with its ghost cells; those outside hold what OuterGhosts says. `value` is for OuterGhosts::Value. O(cells).
/// A repeated call allocates nothing.
template <class ExecutionSpace, int Dim, class T>
void fillGhosts(const ExecutionSpace& space, const GhostLevelsOn<Dim, ExecutionSpace>& ghosts,
  const MultilevelFieldOn<T, ExecutionSpace>& field, std::type_identity_t<T> value,
  MultilevelFieldOn<T, ExecutionSpace>& out);

/// The ghost cells of a rank's hierarchy in a domain that is cut among ranks, or repeats along axes.
///
/// levels.extended[l] is the part of the whole, unwrapped hierarchy's extended set that lies in this rank's box of the
/// level and `reach` cells around it (LevelDomain::box()): so all ghost cells of its own cells, the cells that are next
/// to them on other ranks, and copies from the other ends of periods. What a mirror shows lies up to twice as far as
/// the layer is wide: then reach is 2 width, otherwise width.
template <class ExecutionSpace, int Dim>
struct DomainGhosts {
  GhostLevelsOn<Dim, ExecutionSpace> levels;
  geometry::Coordinate reach = 1;
  std::array<LevelHalo<ExecutionSpace, Dim>, maxNumLevels> halos;
};

/// Collective. out = ghost cells for the levels of a domain, for use until they change. Throws on all ranks as
/// buildGhosts() and LevelDomain::surround(). Allocates, unless the domain ends here.
template <class ExecutionSpace, int Dim>
void buildGhosts(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
  const MultilevelSetOn<Dim, ExecutionSpace>& levels, geometry::Coordinate width, OuterGhosts outer,
  Prolongation method, DomainGhosts<ExecutionSpace, Dim>& out);

/// Collective. out = the field with its ghost cells; all of them have the values that they have where one rank fills
/// those of the whole, bit by bit. For each level one message goes to each rank beside this one, two where cells
/// outside of the domain are copied from those inside. A repeated call allocates nothing. Throws InvalidArgument, on
/// all ranks, where a field does not have its level's cells; fields of all ranks have as many components.
template <class ExecutionSpace, int Dim, class T>
void fillGhosts(const ExecutionSpace& space, DomainGhosts<ExecutionSpace, Dim>& ghosts,
  const MultilevelFieldOn<T, ExecutionSpace>& field, std::type_identity_t<T> value,
  MultilevelFieldOn<T, ExecutionSpace>& out);

} // namespace spanwise::multilevel
