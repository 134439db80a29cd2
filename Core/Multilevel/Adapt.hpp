#pragma once

#include "Core/Geometry/Morphology.hpp"
#include "Core/Multilevel/LevelTransfer.hpp"
#include "Core/Multilevel/Levels.hpp"
#include "Core/Multilevel/Tagging.hpp"
#include "Core/Runtime/Context.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace spanwise::multilevel {

/// What one cycle of adaptation does.
struct AdaptOptions {
  int numLevels = maxNumLevels;                     ///< at most, the root included
  geometry::Coordinate buffer = 1;                  ///< cells around tagged ones that are refined too
  Grading grading = Grading::Vertex;                ///< of the new hierarchy
  Prolongation prolongation = Prolongation::Linear; ///< for values of new cells
};

/// What cycles of adaptation use again: memory, and nothing that one cycle has to tell the next.
template <int Dim, class T, class MemorySpace>
struct AdaptScratch {
  std::vector<geometry::IntervalSet<Dim, MemorySpace>> tags;
  geometry::IntervalSet<Dim, MemorySpace> tagged;
  TagScratch<Dim, MemorySpace> ofTagging;
  LevelTransfer<Dim, MemorySpace> transfer;
  Regrid<Dim, MemorySpace> way;
  MultilevelSet<Dim, MemorySpace> levels;
  std::vector<MultilevelField<T, MemorySpace>> fields;
  geometry::StructuringElement<Dim> element;
  geometry::Coordinate buffer = 0; ///< of the element
};

template <int Dim, class T, class ExecutionSpace>
using AdaptScratchOn = AdaptScratch<Dim, T, typename ExecutionSpace::memory_space>;

namespace detail {

inline void checkAdaptation(const AdaptOptions& options) {
  if (options.buffer < 0 || options.numLevels < 1 || options.numLevels > maxNumLevels) {
    throw InvalidArgument("a hierarchy is adapted with a buffer of " + std::to_string(options.buffer) + " cells and " +
      std::to_string(options.numLevels) + " levels: the buffer must not be negative, and there may be 1 to " +
      std::to_string(maxNumLevels) + " levels");
  }
}

inline void checkTaggedField(std::size_t field, std::size_t numFields) {
  if (field >= numFields) {
    throw InvalidArgument("field " + std::to_string(field) + " of " + std::to_string(numFields) +
      " cannot be what a hierarchy is adapted to");
  }
}

/// Gives cells with children the mean of these, and makes room.
template <class ExecutionSpace, int Dim, class T>
void beginAdaptation(const Context<ExecutionSpace>& context, const AdaptOptions& options,
  const MultilevelSetOn<Dim, ExecutionSpace>& levels, std::vector<MultilevelFieldOn<T, ExecutionSpace>>& fields,
  AdaptScratchOn<Dim, T, ExecutionSpace>& scratch) {
  buildLevelTransfer<ExecutionSpace, Dim>(context, levels, Prolongation::Injection, scratch.transfer);
  for (auto& field : fields) {
    restrictLevels<ExecutionSpace, Dim, T>(context.space(), scratch.transfer, field);
  }
  if (scratch.buffer != options.buffer) {
    geometry::Cell<Dim> radius{};
    std::fill(radius.at, radius.at + Dim, options.buffer);
    scratch.element = geometry::StructuringElement<Dim>::box(radius);
    scratch.buffer = options.buffer;
  }
  scratch.tags.resize(maxNumLevels - 1);
  scratch.levels.setRootLattice(levels.lattice(0));
  scratch.levels.level(0) = levels.level(0);
  while (scratch.fields.size() < fields.size()) {
    const auto& field = fields[scratch.fields.size()];
    scratch.fields.emplace_back(field.name(), field.numComponents());
  }
}

} // namespace detail

/// One cycle of adaptation: tag, buffer, balance, transfer.
///
/// tag(l, out) makes `out` the cells of level l that are to have children, of all cells of the level, leaves or not;
/// cells that it leaves out lose the children that they have, unless the grading asks for them. A level is added where
/// cells of the finest one are tagged, and not more than one in a cycle. The tagged cells are dilated by the box of
/// radius `buffer`, then makeLevels() makes the new hierarchy, and fields follow by regrid(). Beforehand cells with
/// children get the mean of these.
///
/// All of it runs where `space` runs; only counts come back to the host. Throws InvalidArgument if the buffer is
/// negative or numLevels is not within 1 ... maxNumLevels, or as regrid(), and then leaves the hierarchy and the cells
/// of the fields as they were. A repeated call allocates nothing as far as the hierarchy does not grow.
template <class ExecutionSpace, int Dim, class T, class Tag>
void adaptBy(const Context<ExecutionSpace>& context, const Tag& tag, const AdaptOptions& options,
  MultilevelSetOn<Dim, ExecutionSpace>& levels, std::vector<MultilevelFieldOn<T, ExecutionSpace>>& fields,
  AdaptScratchOn<Dim, T, ExecutionSpace>& scratch) {
  SPANWISE_REGION("Multilevel::adapt");
  detail::checkAdaptation(options);
  detail::beginAdaptation<ExecutionSpace, Dim, T>(context, options, levels, fields, scratch);
  const int numTagged = std::min(levels.numLevels(), options.numLevels - 1);
  for (int l = 0; l < maxNumLevels - 1; ++l) {
    auto& tags = scratch.tags[static_cast<std::size_t>(l)];
    if (l >= numTagged) {
      tags.clear();
    } else if (options.buffer == 0) {
      tag(l, tags);
    } else {
      tag(l, scratch.tagged);
      morph<ExecutionSpace, Dim>(context, geometry::MorphologyOperation::Dilate, scratch.tagged, scratch.element, tags);
    }
  }
  makeLevels<ExecutionSpace, Dim>(context, scratch.tags, options.grading, scratch.levels);

  buildRegrid<ExecutionSpace, Dim>(context, levels, scratch.levels, options.prolongation, scratch.way);
  for (std::size_t k = 0; k < fields.size(); ++k) {
    regrid<ExecutionSpace, Dim, T>(context.space(), scratch.way, fields[k], scratch.fields[k]);
  }
  std::swap_ranges(fields.begin(), fields.end(), scratch.fields.begin()); // all, when nothing throws any more
  std::swap(levels, scratch.levels);
}

/// One cycle of adaptation by a criterion on one of the fields.
template <class ExecutionSpace, int Dim, class T>
void adapt(const Context<ExecutionSpace>& context, const Tagging& tagging, std::size_t taggedField,
  const AdaptOptions& options, MultilevelSetOn<Dim, ExecutionSpace>& levels,
  std::vector<MultilevelFieldOn<T, ExecutionSpace>>& fields, AdaptScratchOn<Dim, T, ExecutionSpace>& scratch) {
  detail::checkTaggedField(taggedField, fields.size());
  const auto tag = [&](int l, geometry::IntervalSetOn<Dim, ExecutionSpace>& out) {
    tagCells<ExecutionSpace, Dim, T>(
      context, levels.level(l), fields[taggedField].level(l), tagging, out, scratch.ofTagging);
  };
  adaptBy<ExecutionSpace, Dim, T>(context, tag, options, levels, fields, scratch);
}

} // namespace spanwise::multilevel
