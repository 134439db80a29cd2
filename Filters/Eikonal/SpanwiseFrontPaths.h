#ifndef SpanwiseFrontPaths_h
#define SpanwiseFrontPaths_h

// Ways back through a mesh whose times are found, as the host gets them. Not wrapped and not installed.

#include "SpanwiseArrivalArrays.h"
#include "SpanwiseArrivalProblem.h"
#include "SpanwiseFrontSources.h"

#include "Core/Mesh/MeshView.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/Paths.hpp"

#include <cstdint>
#include <optional>

namespace spanwise {

/// Collective. The ways from these seeds, which are all in the mesh; `named` says what people call sources.
template <ComputeSide side, class Real>
FrontPaths pathsFrom(const RankGroup& group, const Context<SpaceOf<side>>& context, const VertexView<Real>& vertices,
  const eikonal::ArrivalTimes<SpaceOf<side>>& solution, const eikonal::Sources& from, const FrontSources& seeds,
  std::int64_t maxSteps, const FrontSources& named) {
  std::optional<Upload<double>> points;
  group.agree([&] { points.emplace(side, seeds.points); });
  const eikonal::PathTargets targets{points->data(), static_cast<std::int64_t>(seeds.points.size() / 3), 0.0};
  eikonal::Paths<typename SpaceOf<side>::memory_space> paths;
  eikonal::tracePaths(context, vertices, solution, from, targets, {maxSteps}, paths);
  FrontPaths result;
  group.agree([&] {
    result.begins = hostValues(paths.offsets.view(), paths.offsets.count());
    for (const eikonal::PathPlace& place : hostValues(paths.points.view(), paths.points.count())) {
      result.points.insert(result.points.end(), place.at, place.at + 3);
      result.times.push_back(place.time);
    }
    for (const std::int32_t source : hostValues(paths.ends.view(), paths.ends.count())) {
      result.sources.push_back(named.numberOf(source));
    }
  });
  return result;
}

} // namespace spanwise

#endif
