#pragma once

#include "Core/Geometry/Crop.hpp"
#include "Core/Multilevel/Adapt.hpp"
#include "Core/Multilevel/LevelDomain.hpp"
#include "Core/Parallel/Agree.hpp"

#include <utility>
#include <vector>

namespace spanwise {

/// What tagging in a domain uses again.
template <class ExecutionSpace, int Dim, class T>
struct DomainTagScratch {
  TagScratch<Dim, typename ExecutionSpace::memory_space> own;
  // a level with the cells around it
  LevelHalo<ExecutionSpace, Dim> halo;
  IntervalSetOn<Dim, ExecutionSpace> set;
  CommonCells<typename ExecutionSpace::memory_space> cells;
  FieldOn<T, ExecutionSpace> field;
};

/// Collective. As tagCells(), for this rank's cells of a level; neighbours on other ranks and at the other ends of
/// periods count. All ranks' fields have as many components, also those without cells. Allocates, unless the domain
/// ends here. Throws on all ranks.
template <class ExecutionSpace, int Dim, class T>
void tagCells(const ExecutionSpace& space, LevelDomain<ExecutionSpace, Dim>& domain, int l,
  const IntervalSetOn<Dim, ExecutionSpace>& set, const FieldOn<T, ExecutionSpace>& field, const Tagging& tagging,
  IntervalSetOn<Dim, ExecutionSpace>& out, DomainTagScratch<ExecutionSpace, Dim, T>& scratch,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  if (domain.endsHere() || tagging.criterion == TagCriterion::Value) { // which asks no neighbours
    agree(domain.communicator(),
      [&] { tagCells<ExecutionSpace, Dim, T>(space, set, field, tagging, out, scratch.own, workspace); });
    return;
  }
  domain.surround(space, l, 1, set, scratch.set, workspace);
  scratch.halo.build(space, domain, l, 1, scratch.set, workspace);
  agree(domain.communicator(), [&] {
    commonCells<ExecutionSpace, Dim>(space, set, scratch.set, scratch.cells, workspace);
    remap<ExecutionSpace, T>(space, scratch.cells, field, T{0}, scratch.field);
  });
  scratch.halo.fill(space, scratch.field);
  agree(domain.communicator(), [&] {
    tagCells<ExecutionSpace, Dim, T>(space, scratch.set, scratch.field, tagging, out, scratch.own, workspace);
    crop<ExecutionSpace, Dim>(space, out, domain.box(l), out, workspace);
  });
}

/// Collective. out = the cells within `buffer` cells of the ranks' sets of a level, along all axes and diagonally, as
/// far as they matter to this rank: those in its box are all there. `element` is the box of that radius. Allocates,
/// unless the domain ends here. Throws on all ranks. `out` may not be `set`.
template <class ExecutionSpace, int Dim>
void bufferCells(const ExecutionSpace& space, LevelDomain<ExecutionSpace, Dim>& domain, int l, Coordinate buffer,
  const StructuringElement<Dim>& element, const IntervalSetOn<Dim, ExecutionSpace>& set,
  IntervalSetOn<Dim, ExecutionSpace>& out, Workspace<typename ExecutionSpace::memory_space>& workspace) {
  IntervalSetOn<Dim, ExecutionSpace> around;
  domain.surround(space, l, buffer, set, around, workspace);
  agree(domain.communicator(),
    [&] { morph<ExecutionSpace, Dim>(space, MorphologyOperation::Dilate, around, element, out, workspace); });
}

/// What cycles of adaptation in a domain use again.
template <class ExecutionSpace, int Dim, class T>
struct DomainAdaptScratch {
  AdaptScratchOn<Dim, T, ExecutionSpace> own;
  DomainRegrid<ExecutionSpace, Dim> way;
  std::vector<MultilevelFieldOn<T, ExecutionSpace>> around;
  DomainTagScratch<ExecutionSpace, Dim, T> ofTagging;
  FieldOn<T, ExecutionSpace> none; ///< the values of a level without cells
};

/// Collective. One cycle of adaptation, as adaptBy(), of a hierarchy in a domain that is cut among ranks or repeats
/// along axes: buffers, grading and slopes reach across. Each rank gets its part of what one rank would get of the
/// whole. tag(l, out) makes `out` cells of this rank; it is called on all ranks for as many levels, and may be
/// collective. What it throws on one rank alone belongs into agree(). The cells stay on their ranks: repartition()
/// moves them where one has too many. Allocates, unless the domain ends here.
template <class ExecutionSpace, int Dim, class T, class Tag>
void adaptBy(const ExecutionSpace& space, LevelDomain<ExecutionSpace, Dim>& domain, const Tag& tag,
  const AdaptOptions& options, MultilevelSetOn<Dim, ExecutionSpace>& levels,
  std::vector<MultilevelFieldOn<T, ExecutionSpace>>& fields, DomainAdaptScratch<ExecutionSpace, Dim, T>& scratch,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Multilevel::adapt");
  auto& own = scratch.own;
  agree(domain.communicator(), [&] {
    detail::checkAdaptation(options);
    detail::beginAdaptation<ExecutionSpace, Dim, T>(space, options, levels, fields, own, workspace);
  });
  const int numTagged = std::min(domain.greatest(levels.numLevels()), options.numLevels - 1);
  for (int l = 0; l < maxNumLevels - 1; ++l) {
    auto& tags = own.tags[static_cast<std::size_t>(l)];
    if (l >= numTagged) {
      tags.clear();
      continue;
    }
    if (options.buffer == 0) {
      tag(l, tags);
    } else {
      tag(l, own.tagged);
      bufferCells<ExecutionSpace, Dim>(space, domain, l, options.buffer, own.element, own.tagged, tags, workspace);
    }
  }
  makeLevels<ExecutionSpace, Dim>(space, domain, own.tags, options.grading, own.levels, workspace);

  buildRegrid<ExecutionSpace, Dim>(space, domain, levels, own.levels, options.prolongation, scratch.way, workspace);
  scratch.around.resize(fields.size());
  for (std::size_t k = 0; k < fields.size(); ++k) {
    regrid<ExecutionSpace, Dim, T>(space, scratch.way, fields[k], scratch.around[k], own.fields[k]);
    std::swap(fields[k], own.fields[k]);
  }
  std::swap(levels, own.levels);
}

/// Collective. One cycle of adaptation in a domain by a criterion on one of the fields, which looks across cuts and
/// the ends of periods too.
template <class ExecutionSpace, int Dim, class T>
void adapt(const ExecutionSpace& space, LevelDomain<ExecutionSpace, Dim>& domain, const Tagging& tagging,
  std::size_t taggedField, const AdaptOptions& options, MultilevelSetOn<Dim, ExecutionSpace>& levels,
  std::vector<MultilevelFieldOn<T, ExecutionSpace>>& fields, DomainAdaptScratch<ExecutionSpace, Dim, T>& scratch,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  detail::checkTaggedField(taggedField, fields.size());
  const auto tag = [&](int l, IntervalSetOn<Dim, ExecutionSpace>& out) {
    const auto& field = fields[taggedField];
    if (levels.level(l).empty()) {
      scratch.none.resize(0, field.numComponents());
    }
    tagCells<ExecutionSpace, Dim, T>(space, domain, l, levels.level(l),
      levels.level(l).empty() ? scratch.none : field.level(l), tagging, out, scratch.ofTagging, workspace);
  };
  adaptBy<ExecutionSpace, Dim, T>(space, domain, tag, options, levels, fields, scratch, workspace);
}

} // namespace spanwise
