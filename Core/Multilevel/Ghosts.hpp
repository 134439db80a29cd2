#pragma once

#include "Core/Geometry/CommonCells.hpp"
#include "Core/Geometry/StructuringElement.hpp"
#include "Core/Multilevel/Boundary.hpp"
#include "Core/Multilevel/Detail/FillGhosts.hpp"
#include "Core/Multilevel/LevelHalo.hpp"
#include "Core/Multilevel/LevelTransfer.hpp"
#include "Core/Runtime/Context.hpp"

#include <array>
#include <type_traits>

namespace spanwise::multilevel {

/// Which ghost cells there are, and how finer ones get their values.
struct GhostOptions {
  geometry::Coordinate width = 1; ///< of the layer, 1 to 64 cells: as far as stencils look
  bool outside = true;            ///< ghost cells outside of the domain, which a boundary functor fills
  Prolongation prolongation = Prolongation::Linear;
};

/// The levels of a hierarchy with a layer of ghost cells around each, so that stencils find neighbours everywhere.
///
/// extended[l] holds the cells of level l and all cells within `width` of them, along all axes and diagonally. Fields
/// live on the extended sets: one array has the values of cells and of ghost cells in the order of the cells, and
/// filling writes ghost cells only. These are
///
/// - cells of the domain that the level does not have, because it is not refined there: prolonged from the level below
///   with its ghost cells;
/// - cells of other ranks and at the other ends of axes that repeat: copied;
/// - cells outside of the domain: given by a boundary functor (Boundary.hpp).
///
/// The domain's boundary has 2 Dim sides, those of the smallest box around the root along axes that do not repeat, and
/// obstacles, cells of that box (or of a period) that the root does not have. A ghost cell outside has a nearest cell
/// of the domain, that with the least sum of distances along the axes, the first one of several; its image is that cell
/// moved inside, along each axis by as much as the ghost cell is out less one, or the nearest cell itself where the
/// domain does not have it. The functor is called once for each axis along which the ghost cell and the nearest one
/// differ, x first, and finds in the state what the call before left there: at edges and corners of two slip walls both
/// components are turned round. Along an axis where the ghost cell is not in the box it is called for that side,
/// otherwise for an obstacle. A layer of any width is filled so.
///
/// With ranks, or axes that repeat, extended[l] is the part of the whole, unwrapped hierarchy's extended set that lies
/// in this rank's box of the level and `reach` cells around it (LevelDomain::box()): all ghost cells of its own cells,
/// the cells next to them on other ranks, and copies from the other ends of periods. Images lie up to twice as far as
/// the layer is wide. Keeps its memory. Lives no longer than the communicator.
template <class ExecutionSpace, int Dim>
struct GhostLevels {
  using Memory = typename ExecutionSpace::memory_space;
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;

  int numLevels = 0;
  GhostOptions options;
  geometry::Coordinate reach = 1;
  std::array<Set, maxNumLevels> extended;
  std::array<Set, maxNumLevels> refined;                             ///< cells of this rank that have children
  std::array<geometry::CommonCells<Memory>, maxNumLevels> own;       ///< extended[l] and the level's cells of this rank
  std::array<geometry::CommonCells<Memory>, maxNumLevels> fromLevel; ///< the same the other way round
  /// [l] between extended[l - 1] and extended[l]: prolongs onto ghost cells, restricts cells of the levels.
  std::array<TransferMap<Dim, Memory>, maxNumLevels> transfer;
  std::array<detail::OutsideCells<Memory>, maxNumLevels> outside;
  std::array<LevelHalo<ExecutionSpace, Dim>, maxNumLevels> halos;
  Set scratch[6];
  geometry::StructuringElement<Dim> element;

  /// Makes room for values on the extended sets, which are undefined afterwards.
  template <class T>
  void resize(MultilevelField<T, Memory>& field) const {
    for (int l = 0; l < numLevels; ++l) {
      field.level(l).resize(extended[static_cast<std::size_t>(l)].numCells(), field.numComponents());
    }
  }
};

/// Collective. out = ghost cells for the levels of a domain, for use until they change. Throws on all ranks
/// InvalidArgument unless 1 <= width <= 64, CoordinateOverflow if the layer passes the coordinate limits, and as
/// LevelDomain::surround(). O(rows + intervals) of the extended sets; for each ghost cell outside a few lookups, in
/// obstacles (2 width + 1)^Dim. A repeated call with the same width makes no arrays.
template <class ExecutionSpace, int Dim>
void buildGhosts(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
  const std::type_identity_t<MultilevelSetOn<Dim, ExecutionSpace>>& levels, const GhostOptions& options,
  GhostLevels<ExecutionSpace, Dim>& out);

/// out = a field of the levels on the extended sets; ghost cells get 0. A repeated call allocates nothing.
template <class ExecutionSpace, int Dim, class T>
void toExtended(const Context<ExecutionSpace>& context, const GhostLevels<ExecutionSpace, Dim>& ghosts,
  const MultilevelField<T, typename ExecutionSpace::memory_space>& field,
  MultilevelField<T, typename ExecutionSpace::memory_space>& out) {
  out.setNumComponents(field.numComponents());
  for (int l = 0; l < ghosts.numLevels; ++l) {
    detail::remapLevel<ExecutionSpace, T>(
      context, ghosts.fromLevel[static_cast<std::size_t>(l)], field, l, T{}, out.level(l));
  }
}

/// out = the values of the levels' cells alone. A repeated call allocates nothing.
template <class ExecutionSpace, int Dim, class T>
void fromExtended(const Context<ExecutionSpace>& context, const GhostLevels<ExecutionSpace, Dim>& ghosts,
  const MultilevelField<T, typename ExecutionSpace::memory_space>& field,
  MultilevelField<T, typename ExecutionSpace::memory_space>& out) {
  out.setNumComponents(field.numComponents());
  for (int l = 0; l < ghosts.numLevels; ++l) {
    detail::remapLevel<ExecutionSpace, T>(
      context, ghosts.own[static_cast<std::size_t>(l)], field, l, T{}, out.level(l));
  }
}

/// Collective. Fills the ghost cells of a field on extended[l]; values of the level's own cells stay. `coarse` is the
/// field on extended[l - 1], ghost cells filled; null for the root. Where finer levels take smaller steps it is what
/// interpolateInTime() makes. `boundary` is called for the cells outside, as GhostLevels says, with
/// void operator()(const GhostState<T>&, const BoundaryFace&) const. All ghost cells have the values that they have
/// where one rank fills those of the whole, bit by bit. A message goes to each rank beside this one, two where there
/// are cells outside. A repeated call allocates nothing. O(ghost cells). Throws InvalidArgument, on all ranks, where a
/// field does not have its set's cells; fields of all ranks have as many components.
template <class ExecutionSpace, int Dim, class T, class Boundary>
void fillGhostsOfLevel(const Context<ExecutionSpace>& context, GhostLevels<ExecutionSpace, Dim>& ghosts, int l,
  const Boundary& boundary, const std::type_identity_t<field::FieldOn<T, ExecutionSpace>>* coarse,
  field::Field<T, typename ExecutionSpace::memory_space>& field) {
  SPANWISE_REGION("Multilevel::fillGhosts");
  const auto index = static_cast<std::size_t>(l);
  const int numComponents = field.numComponents();
  ghosts.halos[index].fillAfter(context.space(), field, numComponents, [&] {
    if (l > 0) {
      prolong<ExecutionSpace, Dim, T>(context, ghosts.transfer[index], *coarse, field);
    }
  });
  if (ghosts.options.outside) {
    ghosts.halos[index].fillAfter(context.space(), field, numComponents,
      [&] { detail::fillOutside(context.space(), ghosts.outside[index], boundary, field.view()); });
  }
}

/// Collective. The same for all levels, one after the other from the root.
template <class ExecutionSpace, int Dim, class T, class Boundary>
void fillGhosts(const Context<ExecutionSpace>& context, GhostLevels<ExecutionSpace, Dim>& ghosts,
  const Boundary& boundary, MultilevelField<T, typename ExecutionSpace::memory_space>& field) {
  for (int l = 0; l < ghosts.numLevels; ++l) {
    fillGhostsOfLevel(context, ghosts, l, boundary, l > 0 ? &field.level(l - 1) : nullptr, field.level(l));
  }
}

/// Gives each cell of a level that has children the mean of these, from the finest level to the root; ghost cells keep
/// their values. O(cells). Allocates nothing and does not wait.
template <class ExecutionSpace, int Dim, class T>
void restrictLevels(const Context<ExecutionSpace>& context, const GhostLevels<ExecutionSpace, Dim>& ghosts,
  MultilevelField<T, typename ExecutionSpace::memory_space>& field) {
  for (int l = ghosts.numLevels - 1; l > 0; --l) {
    restrictTo<ExecutionSpace, Dim, T>(
      context, ghosts.transfer[static_cast<std::size_t>(l)], field.level(l), field.level(l - 1));
  }
}

/// out = (1 - weight) before + weight after: a coarse level, ghost cells included, at a time between two steps, for the
/// ghost cells of the finer one. Throws InvalidArgument where the two do not have as many cells and components. O(cells
/// of the coarse level). A repeated call allocates nothing; does not wait.
template <class ExecutionSpace, class T>
void interpolateInTime(const Context<ExecutionSpace>& context,
  const field::Field<T, typename ExecutionSpace::memory_space>& before,
  const field::Field<T, typename ExecutionSpace::memory_space>& after, std::type_identity_t<T> weight,
  field::Field<T, typename ExecutionSpace::memory_space>& out) {
  field::checkSameShape(before, after);
  out.resize(before.numCells(), before.numComponents());
  field::forCells(context.space(), SPANWISE_KERNEL("between times"), before.numCells(),
    detail::InterpolateInTime<T>{before.view(), after.view(), weight, out.view()});
}

} // namespace spanwise::multilevel
