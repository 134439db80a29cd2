#pragma once

#include "Core/Field/GroupedStencil.hpp"
#include "Core/Field/StencilPattern.hpp"
#include "Core/Multilevel/Ghosts.hpp"
#include "Core/Multilevel/LevelDomain.hpp"
#include "Core/Multilevel/MultilevelField.hpp"
#include "Core/Multilevel/MultilevelSet.hpp"
#include "Core/Runtime/Context.hpp"

#include <array>
#include <type_traits>

namespace spanwise::multilevel {

/// Where the neighbours of this rank's leaves are, on the extended sets of ghost levels (GhostLevels), in two groups.
/// Leaves With a jump of levels in reach have a neighbour that is finer, of which they see the mean, or coarser, of
/// which they see the prolonged value: they wait for restrictLevels() and fillGhosts(). Leaves Without one see leaves
/// of their level alone, of other ranks too, and what is outside of the domain: nothing of theirs waits for another
/// level. The groups of Meneghin and Mahmoud (2025), section V, cell by cell. Keeps its memory.
template <class Pattern, class MemorySpace>
class LevelStencilMap {
public:
  using Map = field::GroupedStencilMap<Pattern, MemorySpace>;

  [[nodiscard]] int numLevels() const { return numLevels_; }
  void setNumLevels(int numLevels) { numLevels_ = numLevels; }
  [[nodiscard]] const Map& level(int l) const { return maps_[static_cast<std::size_t>(l)]; }
  [[nodiscard]] Map& level(int l) { return maps_[static_cast<std::size_t>(l)]; }

private:
  int numLevels_ = 0;
  std::array<Map, maxNumLevels> maps_;
};

template <class Pattern, class ExecutionSpace>
using LevelStencilMapOn = LevelStencilMap<Pattern, typename ExecutionSpace::memory_space>;

/// Collective. out = the maps for the leaves of a hierarchy and its ghost levels, for use until they change. Patterns
/// are faces, the star of radius 2 and the full neighbourhood. `policy` is for neighbours outside of the domain where
/// there are no ghost cells there (GhostOptions::outside). Throws InvalidArgument if the pattern reaches farther than
/// ghost cells. Allocates. O(cells of the extended sets).
template <class Pattern, class ExecutionSpace>
void buildStencilMap(const Context<ExecutionSpace>& context,
  const std::type_identity_t<MultilevelSetOn<Pattern::dimension, ExecutionSpace>>& levels,
  GhostLevels<ExecutionSpace, Pattern::dimension>& ghosts, field::BoundaryPolicy policy,
  LevelStencilMapOn<Pattern, ExecutionSpace>& out);

/// Calls body(point, out) for each leaf, or for those of a group, level by level: the stencil of a single set
/// (forEachStencil() of fields) on the extended sets. bodyOf(level) gives the body of a level, which may depend on the
/// size of cells. Fields are on the extended sets; ghost cells of `in` are filled for the leaves With a jump in reach.
template <int NumComponents, int NumOut, class ExecutionSpace, class Pattern, class T, class BodyOf>
void forEachStencil(const ExecutionSpace& space,
  const LevelStencilMap<Pattern, typename ExecutionSpace::memory_space>& map,
  const MultilevelField<T, typename ExecutionSpace::memory_space>& in, std::type_identity_t<T> outside,
  const BodyOf& bodyOf, MultilevelField<T, typename ExecutionSpace::memory_space>& out,
  field::SubsetGroup group = field::SubsetGroup::All) {
  for (int l = 0; l < map.numLevels(); ++l) {
    field::forEachStencil<NumComponents, NumOut>(
      space, map.level(l), in.level(l), outside, bodyOf(l), out.level(l), group);
  }
}

} // namespace spanwise::multilevel
