#pragma once

#include "Core/Geometry/Crop.hpp"
#include "Core/Multilevel/Adapt.hpp"
#include "Core/Multilevel/LevelDomain.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"

#include <utility>
#include <vector>

namespace spanwise::multilevel {

/// What tagging in a domain uses again.
template <class ExecutionSpace, int Dim, class T>
struct DomainTagScratch {
  TagScratch<Dim, typename ExecutionSpace::memory_space> own;
  // a level with the cells around it
  LevelHalo<ExecutionSpace, Dim> halo;
  geometry::IntervalSetOn<Dim, ExecutionSpace> set;
  geometry::CommonCells<typename ExecutionSpace::memory_space> cells;
  field::FieldOn<T, ExecutionSpace> field;
};

/// Collective. As tagCells(), for this rank's cells of a level; neighbours on other ranks and at the other ends of
/// periods count. All ranks' fields have as many components, also those without cells. Allocates, unless the domain
/// ends here. Throws on all ranks.
template <class ExecutionSpace, int Dim, class T>
void tagCells(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain, int l,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set, const field::FieldOn<T, ExecutionSpace>& field,
  const Tagging& tagging, geometry::IntervalSetOn<Dim, ExecutionSpace>& out,
  DomainTagScratch<ExecutionSpace, Dim, T>& scratch) {
  if (domain.endsHere() || tagging.criterion == TagCriterion::Value) { // which asks no neighbours
    parallel::agree(
      domain.communicator(), [&] { tagCells<ExecutionSpace, Dim, T>(context, set, field, tagging, out, scratch.own); });
    return;
  }
  domain.surround(context, l, 1, set, scratch.set);
  scratch.halo.build(context, domain, l, 1, scratch.set);
  parallel::agree(domain.communicator(), [&] {
    commonCells<ExecutionSpace, Dim>(context, set, scratch.set, scratch.cells);
    remap<ExecutionSpace, T>(context, scratch.cells, field, T{0}, scratch.field);
  });
  scratch.halo.fill(context.space(), scratch.field);
  parallel::agree(domain.communicator(), [&] {
    tagCells<ExecutionSpace, Dim, T>(context, scratch.set, scratch.field, tagging, out, scratch.own);
    crop<ExecutionSpace, Dim>(context, out, domain.box(l), out);
  });
}

/// Collective. out = the cells within `buffer` cells of the ranks' sets of a level, along all axes and diagonally, as
/// far as they matter to this rank: those in its box are all there. `element` is the box of that radius. Allocates,
/// unless the domain ends here. Throws on all ranks. `out` may not be `set`.
template <class ExecutionSpace, int Dim>
void bufferCells(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain, int l,
  geometry::Coordinate buffer, const geometry::StructuringElement<Dim>& element,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& set, geometry::IntervalSetOn<Dim, ExecutionSpace>& out) {
  geometry::IntervalSetOn<Dim, ExecutionSpace> around;
  domain.surround(context, l, buffer, set, around);
  parallel::agree(domain.communicator(),
    [&] { morph<ExecutionSpace, Dim>(context, geometry::MorphologyOperation::Dilate, around, element, out); });
}

/// What cycles of adaptation in a domain use again.
template <class ExecutionSpace, int Dim, class T>
struct DomainAdaptScratch {
  AdaptScratchOn<Dim, T, ExecutionSpace> own;
  DomainRegrid<ExecutionSpace, Dim> way;
  std::vector<MultilevelFieldOn<T, ExecutionSpace>> around;
  DomainTagScratch<ExecutionSpace, Dim, T> ofTagging;
  field::FieldOn<T, ExecutionSpace> none; ///< the values of a level without cells
};

/// Collective. One cycle of adaptation, as adaptBy(), of a hierarchy in a domain that is cut among ranks or repeats
/// along axes: buffers, grading and slopes reach across. Each rank gets its part of what one rank would get of the
/// whole. tag(l, out) makes `out` cells of this rank; it is called on all ranks for as many levels, and may be
/// collective. What it throws on one rank alone belongs into agree(). The cells stay on their ranks: repartition()
/// moves them where one has too many. Allocates, unless the domain ends here.
template <class ExecutionSpace, int Dim, class T, class Tag>
void adaptBy(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain, const Tag& tag,
  const AdaptOptions& options, MultilevelSetOn<Dim, ExecutionSpace>& levels,
  std::vector<MultilevelFieldOn<T, ExecutionSpace>>& fields, DomainAdaptScratch<ExecutionSpace, Dim, T>& scratch) {
  SPANWISE_REGION("Multilevel::adapt");
  auto& own = scratch.own;
  parallel::agree(domain.communicator(), [&] {
    detail::checkAdaptation(options);
    detail::beginAdaptation<ExecutionSpace, Dim, T>(context, options, levels, fields, own);
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
      bufferCells<ExecutionSpace, Dim>(context, domain, l, options.buffer, own.element, own.tagged, tags);
    }
  }
  makeLevels<ExecutionSpace, Dim>(context, domain, own.tags, options.grading, own.levels);

  buildRegrid<ExecutionSpace, Dim>(context, domain, levels, own.levels, options.prolongation, scratch.way);
  scratch.around.resize(fields.size());
  for (std::size_t k = 0; k < fields.size(); ++k) {
    regrid<ExecutionSpace, Dim, T>(context.space(), scratch.way, fields[k], scratch.around[k], own.fields[k]);
    std::swap(fields[k], own.fields[k]);
  }
  std::swap(levels, own.levels);
}

/// Collective. One cycle of adaptation in a domain by a criterion on one of the fields, which looks across cuts and
/// the ends of periods too.
template <class ExecutionSpace, int Dim, class T>
void adapt(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain, const Tagging& tagging,
  std::size_t taggedField, const AdaptOptions& options, MultilevelSetOn<Dim, ExecutionSpace>& levels,
  std::vector<MultilevelFieldOn<T, ExecutionSpace>>& fields, DomainAdaptScratch<ExecutionSpace, Dim, T>& scratch) {
  detail::checkTaggedField(taggedField, fields.size());
  const auto tag = [&](int l, geometry::IntervalSetOn<Dim, ExecutionSpace>& out) {
    const auto& field = fields[taggedField];
    if (levels.level(l).empty()) {
      scratch.none.resize(0, field.numComponents());
    }
    tagCells<ExecutionSpace, Dim, T>(context, domain, l, levels.level(l),
      levels.level(l).empty() ? scratch.none : field.level(l), tagging, out, scratch.ofTagging);
  };
  adaptBy<ExecutionSpace, Dim, T>(context, domain, tag, options, levels, fields, scratch);
}

} // namespace spanwise::multilevel
