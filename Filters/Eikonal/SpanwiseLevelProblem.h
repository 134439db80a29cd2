#ifndef SpanwiseLevelProblem_h
#define SpanwiseLevelProblem_h

// Fronts on levels as a problem that can be solved again: on the side that computes, through the mesh that leaves make
// there. Not wrapped and not installed.

#include "SpanwiseArrivalProblem.h"
#include "SpanwiseComputeOnSide.h"
#include "SpanwiseFrontSpeed.h"
#include "SpanwiseLevelMesh.h"
#include "SpanwiseLevelPeriods.h"

#include "Core/Mesh/SharedVertices.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/HostCopy.hpp"
#include "Core/Solvers/Eikonal/ArrivalTimes.hpp"
#include "Core/Solvers/Eikonal/LeafMesh.hpp"
#include "Core/Solvers/Eikonal/Seam.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

namespace spanwise {

/// What a solution on leaves was computed with, in the memory of the side that computed it.
template <ComputeSide side>
struct LeafSolve {
  eikonal::LeafMeshOn<SpaceOf<side>> mesh;
  eikonal::ElementFronts<typename SpaceOf<side>::memory_space> fronts;
  eikonal::Sources sources;
  eikonal::ArrivalTimes<SpaceOf<side>> times;
  eikonal::ArrivalReport report;
  FrontSources named; ///< what people call the sources that labels are the numbers of; of traced solutions
};

/// A rank's leaves, counted over the levels, one after the other, and what is known of fronts in them. All of the
/// host's memory, but for sets.
template <int Dim>
class LevelProblem final : public ArrivalProblem {
public:
  Hierarchy<Dim> own; ///< the rank's leaves without values
  LeavesOfMesh<Dim> leaves;
  std::vector<std::int64_t> numbersBefore; ///< [levels]: what people call the first of its leaves there
  PeriodsInSpace periods;
  FrontSpeed speed;                     ///< constant, or of leaves
  FrontSources sources;                 ///< whose elements are leaves
  std::vector<std::int64_t> stopLeaves; ///< that the iteration waits for
  eikonal::ArrivalOptions options;

  /// What people call a leaf: its number among those of all ranks.
  [[nodiscard]] std::int64_t numberOf(std::int64_t leaf) const;

  /// Collective. Solves the problem and calls use<side>(context, solved) with what came out.
  template <class Use>
  void solve(
    const RankGroup& group, const eikonal::ArrivalOptions& asked, const Progress& progress, const Use& use) const {
    SideInputs<Dim> inputs;
    for (const RankCells<Dim>& level : leaves.levels.leaves) {
      inputs.sets.push_back(&level.set);
    }
    inputs.numCells = workOnElements(own.numCells()).numCells;
    computeOnSide<Dim>(
      group, "Arrival times on levels", inputs, [&]<ComputeSide side>(const SideContext<side>& sideContext) {
        LeafSolve<side> solved;
        group.agree([&] { makeLeafMesh<side>(sideContext.with(progress.part(0.0, 0.05)), solved.mesh); });
        const Context<SpaceOf<side>> context = sideContext.with(progress.part(0.05, 1.0));
        solveOn<side>(group, context, asked, solved);
        use.template operator()<side>(context, solved);
      });
  }

  [[nodiscard]] FrontPaths trace(
    FrontSources seeds, const PathSettings& settings, vtkDataSet* data, const Progress& progress) const override;
  [[nodiscard]] bool isInPieces() const override { return leaves.isPart; }
  [[nodiscard]] FrontPaths traceTogether(const RankGroup& group, FrontSources seeds, const PathSettings& settings,
    vtkDataSet* data, const Progress& progress) const override;

  /// Collective. Moves points that are beside the leaves of all ranks, by at most `reach`, to the nearest place in one.
  void moveIntoLeaves(const RankGroup& group, FrontSources& points, double reach) const;

private:
  template <ComputeSide side>
  void makeLeafMesh(const Context<SpaceOf<side>>& context, eikonal::LeafMeshOn<SpaceOf<side>>& mesh) const {
    makeMesh<side, Dim>(context, leaves, mesh.mesh);
    mesh.places.prepare(3 * mesh.mesh.points.count());
    multilevel::placesOfPoints<SpaceOf<side>>(
      context, mesh.mesh, placementOfLevel(own.root, leaves.finest), mesh.places.view());
  }

  /// The points that ranks have in common: they have the same bits on all.
  template <ComputeSide side>
  [[nodiscard]] SharedVertices sharedPoints(
    const Context<SpaceOf<side>>& context, const eikonal::LeafMeshOn<SpaceOf<side>>& mesh) const {
    static_assert(sizeof(Point) == 3 * sizeof(double));
    std::vector<Point> places(static_cast<std::size_t>(mesh.mesh.points.count()));
    copyToHost(context.space(), mesh.places.data(), mesh.places.count(), reinterpret_cast<double*>(places.data()));
    return findSharedVertices(context.communicator(), places);
  }

  /// Collective. Solves the problem on the mesh that is there.
  template <ComputeSide side>
  void solveOn(const RankGroup& group, const Context<SpaceOf<side>>& context, eikonal::ArrivalOptions asked,
    LeafSolve<side>& solved) const {
    using Space = SpaceOf<side>;
    std::optional<UploadedSources> uploadedSources;
    std::optional<UploadedSpeed> uploadedSpeed;
    std::optional<Upload<std::int64_t>> uploadedStop;
    eikonal::SeamPairs<typename Space::memory_space> seam;
    group.agree([&] {
      eikonal::joinSeam<Space, Dim>(context, solved.mesh.mesh.points.data(), solved.mesh.mesh.points.count(),
        leaves.periods, leaves.finest, latticeOf<Dim>(own.root), seam);
      uploadedSources.emplace(side, sources);
      uploadedSpeed.emplace(side, speed);
      uploadedStop.emplace(side, stopLeaves);
      eikonal::frontsInMesh<Space>(context, solved.mesh,
        {uploadedSpeed->view(), uploadedSources->view().elements, uploadedStop->data(), std::ssize(stopLeaves)},
        solved.fronts);
    });
    solved.sources = uploadedSources->view();
    solved.sources.elements = solved.fronts.sourceView();
    asked.iteration.stopVertices = solved.fronts.stop.data();
    asked.iteration.numStopVertices = solved.fronts.stop.count();
    asked.seam = seam.view();
    if (asked.trace == eikonal::Trace::Sources) {
      solved.named = names<side>(group, solved.fronts);
    }
    std::optional<SharedVertices> shared;
    if (leaves.isPart) {
      shared = sharedPoints<side>(context, solved.mesh);
    }
    solved.report = eikonal::solveArrivalTimes<Space, double, std::int64_t>(context, solved.mesh.view(),
      solved.fronts.speed, solved.sources, asked, solved.times, shared ? &*shared : nullptr);
  }

  /// Collective. What people call the sources of all ranks.
  template <ComputeSide side>
  [[nodiscard]] FrontSources names(
    const RankGroup& group, const eikonal::ElementFronts<typename SpaceOf<side>::memory_space>& fronts) const {
    FrontSources result;
    result.pointNumbers = sources.pointNumbers;
    result.triangleNumbers = sources.triangleNumbers;
    std::vector<std::int64_t> origins(static_cast<std::size_t>(fronts.origins.count()));
    copyToHost(SpaceOf<side>(), fronts.origins.data(), fronts.origins.count(), origins.data());
    for (const std::int64_t origin : origins) {
      result.elementNumbers.push_back(numberOf(sources.elements[static_cast<std::size_t>(origin)]));
    }
    result.elementNumbers = group.gather(result.elementNumbers);
    return result;
  }
};

} // namespace spanwise

#endif
