#pragma once

#include "Core/Field/Remap.hpp"
#include "Core/Geometry/Crop.hpp"
#include "Core/Multilevel/LevelDomain.hpp"
#include "Core/Multilevel/LevelHalo.hpp"
#include "Core/Multilevel/Tagging.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::multilevel {

/// A rank's cells of a level, and the values on them.
template <class ExecutionSpace, int Dim, class T>
struct LevelValues {
  int level;
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& cells;
  const field::FieldOn<T, ExecutionSpace>& field;
};

/// What tagging in a domain uses again.
template <class ExecutionSpace, int Dim, class T>
struct LevelTagScratch {
  TagScratch<Dim, typename ExecutionSpace::memory_space> own;
  // a level with the cells around it
  LevelHalo<ExecutionSpace, Dim> halo;
  geometry::IntervalSetOn<Dim, ExecutionSpace> set;
  geometry::IntervalSetOn<Dim, ExecutionSpace> tagged;
  geometry::CommonCells<typename ExecutionSpace::memory_space> cells;
  field::FieldOn<T, ExecutionSpace> field;
};

/// Collective. As tagCells(), for this rank's cells of a level; neighbours on other ranks and at the other ends of
/// periods count. All ranks' fields have as many components, also those without cells. A repeated call makes no
/// arrays. Throws on all ranks.
template <class ExecutionSpace, int Dim, class T>
void tagCells(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
  const LevelValues<ExecutionSpace, Dim, T>& values, const Tagging& tagging,
  geometry::IntervalSetOn<Dim, ExecutionSpace>& out, LevelTagScratch<ExecutionSpace, Dim, T>& scratch) {
  if (domain.endsHere() || tagging.criterion == TagCriterion::Value) { // which asks no neighbours
    parallel::agree(domain.communicator(),
      [&] { tagCells<ExecutionSpace, Dim, T>(context, values.cells, values.field, tagging, out, scratch.own); });
    return;
  }
  domain.surround(context, values.level, 1, values.cells, scratch.set);
  scratch.halo.build(context, domain, values.level, 1, scratch.set);
  parallel::agree(domain.communicator(), [&] {
    commonCells<ExecutionSpace, Dim>(context, values.cells, scratch.set, scratch.cells);
    remap<ExecutionSpace, T>(context, scratch.cells, values.field, T{0}, scratch.field);
  });
  scratch.halo.fill(context.space(), scratch.field);
  parallel::agree(domain.communicator(), [&] {
    tagCells<ExecutionSpace, Dim, T>(context, scratch.set, scratch.field, tagging, scratch.tagged, scratch.own);
    crop<ExecutionSpace, Dim>(context, scratch.tagged, domain.box(values.level), out);
  });
}

} // namespace spanwise::multilevel
