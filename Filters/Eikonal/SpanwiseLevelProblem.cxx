#include "SpanwiseLevelProblem.h"

#include "SpanwiseArrivalArrays.h"
#include "SpanwiseFrontPaths.h"

#include "Core/Multilevel/NearestLeaf.hpp"
#include "Core/Runtime/ArrayLength.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Label.hpp"

#include <limits>
#include <utility>

using namespace spanwise::multilevel;

namespace spanwise {

template <int Dim>
std::int64_t LevelProblem<Dim>::numberOf(std::int64_t leaf) const {
  std::size_t level = 0;
  for (; level + 1 < own.leaves.size() && leaf >= own.leaves[level].set.numCells(); ++level) {
    leaf -= own.leaves[level].set.numCells();
  }
  return numbersBefore[level] + leaf;
}

template <int Dim>
void LevelProblem<Dim>::moveIntoLeaves(const RankGroup& group, FrontSources& points, double reach) const {
  if (points.points.empty() || !(reach > 0.0)) {
    return;
  }
  const std::size_t count = points.points.size() / 3;
  std::vector<double> nearest(count * placeValues, std::numeric_limits<double>::infinity());
  group.agree([&] {
    visitLeaves(own, [&]<ComputeSide side>(const SideContext<side>& context, const auto& sets) {
      using Space = SpaceOf<side>;
      const Upload<double> there(side, points.points);
      const Kokkos::View<NearestPlace*, typename Space::memory_space> places(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Filters::nearest")),
        arrayLength<NearestPlace>(static_cast<std::int64_t>(count)));
      nearestInLeaves<Space, Dim>(
        context, sets, own.root, there.data(), static_cast<std::int64_t>(count), reach, places.data());
      auto to = nearest.begin();
      for (const NearestPlace& place : hostValues(places, static_cast<std::int64_t>(count))) {
        *to++ = place.squaredDistance;
        to = std::copy_n(place.place, 3, to);
      }
    });
  });
  moveToNearest(group, points, nearest);
}

template <int Dim>
FrontPaths LevelProblem<Dim>::trace(
  FrontSources seeds, const PathSettings& settings, vtkDataSet* data, const Progress& progress) const {
  return this->traceTogether(RankGroup(), std::move(seeds), settings, data, progress);
}

template <int Dim>
FrontPaths LevelProblem<Dim>::traceTogether(const RankGroup& group, FrontSources seeds, const PathSettings& settings,
  vtkDataSet* /*data*/, const Progress& progress) const {
  if (periods.hasFewCells) { // a step through a cell could be one across the seam; so on all ranks
    throw InvalidArgument("a periodic axis has fewer than 3 cells of level 0: ways back on levels need 3");
  }
  bringIntoPeriod(periods, seeds.points);
  moveIntoLeaves(group, seeds, settings.reach);
  eikonal::ArrivalOptions traced = options;
  traced.trace = eikonal::Trace::Sources;
  traced.order = 1; // these times fall all the way to a source
  FrontPaths result;
  solve(group, traced, progress.part(0.0, 0.9),
    [&]<ComputeSide side>(const Context<SpaceOf<side>>& context, const LeafSolve<side>& solved) {
      result = pathsFrom<side>(group, context, solved.mesh.view().vertices, solved.times, solved.sources, seeds,
        settings.maxSteps, solved.named);
    });
  return result;
}

template class LevelProblem<2>;
template class LevelProblem<3>;

} // namespace spanwise
