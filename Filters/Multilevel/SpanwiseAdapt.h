#ifndef SpanwiseAdapt_h
#define SpanwiseAdapt_h

// A field becomes a hierarchy of levels: tags, buffers, grading, transfer. Internal to this library.

#include "SpanwiseCoarsenedValues.h"
#include "SpanwiseHierarchy.h"
#include "SpanwiseRankGroup.h"

#include "Core/Field/Threshold.hpp"
#include "Core/Multilevel/LevelDomain.hpp"
#include "Core/Multilevel/Levels.hpp"
#include "Core/Multilevel/Prolongation.hpp"
#include "Core/Multilevel/Tagging.hpp"
#include "Core/Parallel/Cut.hpp"
#include "Core/Runtime/Context.hpp"

#include <optional>

namespace spanwise {

/// The array of a hierarchy's cells that sensors look at: one double. It takes part in every transfer.
inline constexpr const char* sensorName = "Spanwise::sensor";

/// How a hierarchy is made.
struct AdaptRules {
  int numLevels = 4; ///< the root included
  geometry::Coordinate buffer = 1;
  multilevel::Grading grading = multilevel::Grading::Vertex;
  CoarseRules coarse;
  multilevel::Prolongation prolongation = multilevel::Prolongation::Linear;
  // What is refined by the sensor array: none of them, one or the other.
  std::optional<geometry::ValueRange> range;
  std::optional<multilevel::Tagging> tagging;
};

/// The ranks that make a hierarchy together on a side, and how its levels go on from one to the other.
template <ComputeSide side, int Dim>
struct AdaptRanks {
  const RankGroup& group;
  multilevel::LevelDomain<SpaceOf<side>, Dim> domain;

  /// Collective. A rank owns the planes `mine` of the root, which repeats as `periods` say.
  AdaptRanks(const RankGroup& all, const parallel::PlaneRange& mine, const geometry::Periods<Dim>& periods)
    : group(all),
      domain(Context<SpaceOf<side>>({}, all.communicator()), cutOf(gatherRanges(all.communicator(), mine)), periods) {}

  /// The planes of the root that this rank owns.
  [[nodiscard]] parallel::PlaneRange planes() const { return domain.rootCut().part(group.rank()); }
};

/// Collective. The hierarchy whose finest level has the given cells, which are as coarse as the rules allow. A cell of
/// any level is refined where the sensor is active on it or on a finer cell in it, within `buffer` cells of its level
/// of such a cell, where the grading asks for it, and where the given cells do not fill it. `tagged` are more cells of
/// the finest level on which the sensor is active. Each rank gives the cells of its planes, and gets those.
template <ComputeSide side, int Dim>
std::vector<RankCells<Dim>> coarsenedAway(
  AdaptRanks<side, Dim>& ranks, const RankCells<Dim>& cells, const MirroredSet<Dim>& tagged, const AdaptRules& rules);

/// Collective. The hierarchy whose root has the given cells, refined where the sensor is active. Otherwise as above.
template <ComputeSide side, int Dim>
std::vector<RankCells<Dim>> refinedFrom(
  AdaptRanks<side, Dim>& ranks, const RankCells<Dim>& cells, const MirroredSet<Dim>& tagged, const AdaptRules& rules);

} // namespace spanwise

#endif
