#pragma once

#include "Core/Multilevel/LevelDomain.hpp"
#include "Core/Multilevel/LevelTagging.hpp"
#include "Core/Multilevel/LevelTransfer.hpp"
#include "Core/Multilevel/Levels.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace spanwise::multilevel {

/// What one cycle of adaptation does.
struct AdaptOptions {
  int numLevels = maxNumLevels;                     ///< at most, the root included
  geometry::Coordinate buffer = 1;                  ///< cells around tagged ones that are refined too
  Grading grading = Grading::Vertex;                ///< of the new hierarchy
  Prolongation prolongation = Prolongation::Linear; ///< for values of new cells
  std::size_t taggedField = 0;                      ///< the field that a criterion looks at
  bool hasMeans = false; ///< whether cells with children have the mean of these in all fields already
};

/// Cycles of adaptation: tag, buffer, balance, transfer. It keeps its memory from one cycle to the next, and nothing
/// that one has to tell the next.
template <class ExecutionSpace, int Dim, class T>
class Adaptation {
public:
  using Domain = LevelDomain<ExecutionSpace, Dim>;
  using Levels = MultilevelSetOn<Dim, ExecutionSpace>;
  using Fields = std::vector<MultilevelFieldOn<T, ExecutionSpace>>;

  /// Collective. One cycle.
  ///
  /// tag(l, out) makes `out` the cells of level l that are to have children, of all this rank's cells of the level,
  /// leaves or not; cells that it leaves out lose the children that they have, unless the grading asks for them. A
  /// level is added where cells of the finest one are tagged, and not more than one in a cycle. The tagged cells are
  /// dilated by the box of radius `buffer`, then makeLevels() makes the new hierarchy, and fields follow by regrid().
  /// Beforehand cells with children get the mean of these, unless they have it.
  ///
  /// Buffers, grading and slopes reach across cuts among ranks and the ends of periods: each rank gets its part of what
  /// one rank would get of the whole. The cells stay on their ranks; repartition() moves them where one has too many.
  /// tag() is called on all ranks for as many levels, and may be collective; what it throws on one rank alone belongs
  /// into agree().
  ///
  /// All of it runs where the context's space runs; only counts come back to the host. Throws, on all ranks,
  /// InvalidArgument if the buffer is negative or numLevels is not within 1 ... maxNumLevels, or as makeLevels() and
  /// regrid(), and then leaves the hierarchy and the cells of the fields as they were. A repeated call makes no
  /// arrays as far as the hierarchy does not grow.
  template <class Tag>
  void adaptBy(const Context<ExecutionSpace>& context, Domain& domain, const Tag& tag, const AdaptOptions& options,
    Levels& levels, Fields& fields) {
    SPANWISE_REGION("Multilevel::adapt");
    parallel::agree(domain.communicator(), [&] { begin(context, options, levels, fields); });
    const int numTagged = std::min(domain.maxOfRanks(levels.numLevels()), options.numLevels - 1);
    for (int l = 0; l < maxNumLevels - 1; ++l) {
      Set& tags = tags_[static_cast<std::size_t>(l)];
      if (l >= numTagged) {
        tags.clear();
      } else if (options.buffer == 0) {
        tag(l, tags);
      } else {
        tag(l, tagged_);
        domain.dilate(context, l, element_, tagged_, tags);
      }
    }
    makeLevels<ExecutionSpace, Dim>(context, domain, tags_, options.grading, levels_);

    buildRegrid<ExecutionSpace, Dim>(context, domain, levels, levels_, options.prolongation, way_);
    for (std::size_t k = 0; k < fields.size(); ++k) {
      regrid<ExecutionSpace, Dim, T>(context, way_, fields[k], around_[k], fields_[k]);
    }
    std::swap_ranges(fields.begin(), fields.end(), fields_.begin()); // all, when nothing throws any more
    std::swap(levels, levels_);
  }

  /// Collective. One cycle by a criterion on one of the fields, which looks across cuts and the ends of periods too.
  void adapt(const Context<ExecutionSpace>& context, Domain& domain, const Tagging& tagging,
    const AdaptOptions& options, Levels& levels, Fields& fields) {
    if (options.taggedField >= fields.size()) {
      throw InvalidArgument("field " + std::to_string(options.taggedField) + " of " + std::to_string(fields.size()) +
        " cannot be what a hierarchy is adapted to");
    }
    const auto tag = [&](int l, Set& out) {
      const auto& field = fields[options.taggedField];
      const bool isEmpty = levels.level(l).empty();
      if (isEmpty) {
        noValues_.resize(0, field.numComponents()); // whatever the field has there
      }
      tagCells<ExecutionSpace, Dim, T>(
        context, domain, {l, levels.level(l), isEmpty ? noValues_ : field.level(l)}, tagging, out, ofTagging_);
    };
    adaptBy(context, domain, tag, options, levels, fields);
  }

private:
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;

  /// Sees to the means of cells with children, and makes room.
  void begin(
    const Context<ExecutionSpace>& context, const AdaptOptions& options, const Levels& levels, Fields& fields) {
    if (options.buffer < 0 || options.numLevels < 1 || options.numLevels > maxNumLevels) {
      throw InvalidArgument("a hierarchy is adapted with a buffer of " + std::to_string(options.buffer) +
        " cells and " + std::to_string(options.numLevels) +
        " levels: the buffer must not be negative, and there may be 1 to " + std::to_string(maxNumLevels) + " levels");
    }
    if (!options.hasMeans) {
      buildLevelTransfer<ExecutionSpace, Dim>(context, levels, Prolongation::Injection, transfer_);
      for (auto& field : fields) {
        restrictLevels<ExecutionSpace, Dim, T>(context, transfer_, field);
      }
    }
    if (element_.last().at[0] != options.buffer) {
      geometry::Cell<Dim> radius{};
      std::fill(radius.at, radius.at + Dim, options.buffer);
      element_ = geometry::StructuringElement<Dim>::box(radius);
    }
    tags_.resize(maxNumLevels - 1);
    levels_.setRootLattice(levels.lattice(0));
    levels_.level(0) = levels.level(0);
    around_.resize(std::max(around_.size(), fields.size()));
    while (fields_.size() < fields.size()) {
      const auto& field = fields[fields_.size()];
      fields_.emplace_back(field.name(), field.numComponents());
    }
  }

  geometry::StructuringElement<Dim> element_; // of the buffer
  Set tagged_;
  std::vector<Set> tags_;
  LevelTagScratch<ExecutionSpace, Dim, T> ofTagging_;
  field::FieldOn<T, ExecutionSpace> noValues_;
  LevelTransferOn<Dim, ExecutionSpace> transfer_;
  Regrid<ExecutionSpace, Dim> way_;
  Levels levels_;
  Fields fields_;
  Fields around_; // values on the cells around too
};

} // namespace spanwise::multilevel
