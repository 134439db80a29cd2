#include "SpanwiseMeshArrival.h"

#include "SpanwiseArrayOnSide.h"
#include "SpanwiseArrivalArrays.h"
#include "SpanwiseArrivalProblem.h"
#include "SpanwiseComputeOnSide.h"
#include "SpanwiseFrontPaths.h"
#include "SpanwiseInputMesh.h"
#include "SpanwiseMeshPieces.h"

#include "Core/Mesh/MeshUpload.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/FieldView.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Eikonal/Gradient.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"

#include <vtkCellData.h>
#include <vtkDataSet.h>
#include <vtkIdTypeArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>

#include <algorithm>
#include <cstddef>
#include <format>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

using namespace spanwise::parallel;

namespace spanwise {

namespace {

/// A mesh, the speed in it, and the sources of fronts. All of the host's memory; the mesh's and the speed's arrays are
/// VTK's, where they are what Core reads.
class MeshProblem final : public ArrivalProblem {
public:
  InputMesh mesh;
  FrontSpeed speed;
  FrontSources sources;
  eikonal::ArrivalOptions options;
  std::vector<std::int64_t> stopRegion; ///< points that the iteration waits for

  std::optional<SharedVertices> shared; ///< where the mesh is in pieces on several ranks: the vertices of several

  /// Collective where the mesh is in pieces. Solves the problem and calls use<side>(mesh, sources, solution,
  /// report, context) with what came out, in the memory of the side that computed.
  template <class Use>
  void solve(const RankGroup& group, eikonal::ArrivalOptions asked, const Progress& progress, const Use& use) const {
    std::visit(
      [&]<class Real, class Index>(const MeshView<Real, Index>& host) {
        const auto solveOn = [&]<ComputeSide side>(const SideContext<side>& sideContext) {
          using Space = SpaceOf<side>;
          const Context<Space> context =
            sideContext.with(shared ? group.communicator() : singleProcess()).with(progress);
          eikonal::ArrivalTimes<Space> solution;
          std::optional<UploadedSources> uploadedSources;
          std::optional<UploadedSpeed> uploadedSpeed;
          std::optional<Upload<std::int64_t>> uploadedRegion;
          MeshUpload<Space, Real, Index> uploaded;
          group.agree([&] {
            uploadedSources.emplace(side, sources);
            uploadedSpeed.emplace(side, speed);
            uploadedRegion.emplace(side, stopRegion);
            uploaded = MeshUpload<Space, Real, Index>(Space(), host);
          });
          asked.iteration.stopVertices = uploadedRegion->data();
          asked.iteration.numStopVertices = std::ssize(stopRegion);
          eikonal::ArrivalReport report = eikonal::solveArrivalTimes<Space, Real, Index>(context, uploaded.view(),
            uploadedSpeed->view(), uploadedSources->view(), asked, solution, shared ? &*shared : nullptr);
          use.template operator()<side>(uploaded.view(), uploadedSources->view(), solution, report, context);
        };
        computeOnSide(group, "Arrival times on meshes", workOnElements(host.elements.numElements), solveOn);
      },
      mesh.view());
  }

  /// Collective where the mesh is in pieces. What numberOf() needs to name the sources of all ranks: points and cells
  /// by their global ids, or counted over the ranks' (numbersOnRanks()).
  [[nodiscard]] FrontSources names(const RankGroup& group, vtkDataSet* data) const {
    FrontSources result;
    result.vertices = sources.vertices;
    result.elements = sources.elements;
    result.pointNumbers = sources.pointNumbers;
    result.triangleNumbers = sources.triangleNumbers;
    if (shared) {
      result.vertices = group.gather(
        numbersOnRanks(group, result.vertices, mesh.numVertices(), data != nullptr ? data->GetPointData() : nullptr));
      result.elements = group.gather(
        numbersOnRanks(group, result.elements, mesh.numCells(), data != nullptr ? data->GetCellData() : nullptr));
    }
    return result;
  }

  [[nodiscard]] FrontPaths trace(
    FrontSources seeds, const PathSettings& settings, vtkDataSet* data, const Progress& progress) const override {
    return this->traceTogether(RankGroup(), std::move(seeds), settings, data, progress);
  }

  [[nodiscard]] bool isInPieces() const override { return shared.has_value(); }

  [[nodiscard]] FrontPaths traceTogether(const RankGroup& group, FrontSources seeds, const PathSettings& settings,
    vtkDataSet* data, const Progress& progress) const override {
    if (!(options.frontsIn == eikonal::FrontsIn::Flat && group.maximum(mesh.dimension()) > 2)) {
      moveIntoMesh(group, seeds, data, settings.reach);
    }
    const FrontSources named = this->names(group, data);
    eikonal::ArrivalOptions traced = options;
    traced.trace = eikonal::Trace::Sources;
    traced.order = 1; // these times fall all the way to a source
    FrontPaths result;
    solve(group, traced, progress.part(0.0, 0.9),
      [&]<ComputeSide side>(const auto& uploaded, const eikonal::Sources& from, const auto& solution,
        const eikonal::ArrivalReport& /*report*/, const Context<SpaceOf<side>>& context) {
        result = pathsFrom<side>(group, context, uploaded.vertices, solution, from, seeds, settings.maxSteps, named);
      });
    return result;
  }
};

FrontSpeed speedOf(const ArrivalSettings& settings, vtkDataSet* input) {
  if (!settings.hasSpeedArray()) {
    return constantSpeedOf(settings);
  }
  if (input == nullptr || input->GetNumberOfCells() < 1) { // a rank without a part of the mesh
    return {};
  }
  bool onPoints = false;
  if (settings.speedBy == SpeedGivenBy::Fibres) {
    vtkDataArray* const fibres = settings.fibreArray(input, onPoints);
    return FrontSpeed::ofArray(
      tensorsOfFibres(settings.fibreSpeeds, fibres, onPoints, input, FrontSpace::Solid), false);
  }
  vtkDataArray* const speeds = settings.speedArray(input, onPoints);
  return FrontSpeed::ofArray(speeds, onPoints);
}

/// The gradients of times in the cells of a data set, those of ghost cells too: what filters make of them at points
/// does not end at a rank's border.
template <ComputeSide side>
vtkSmartPointer<vtkDataArray> gradientsOn(
  vtkDataSet* data, int dimension, const Kokkos::View<double*, typename SpaceOf<side>::memory_space>& times) {
  using Space = SpaceOf<side>;
  const InputMesh all = meshOf(data, CellsThatCount::OwnAndGhosts);
  return std::visit(
    [&]<class Real, class Index>(const MeshView<Real, Index>& host) {
      const MeshUpload<Space, Real, Index> mesh(Space(), host);
      const std::int64_t numCells = host.elements.numElements;
      const Kokkos::View<double*, typename Space::memory_space> gradients(
        SPANWISE_LABEL("Filters::gradients"), arrayLength<double>(3 * numCells));
      eikonal::gradientOfTimes(Context<Space>(), mesh.view(), dimension, times.data(), gradients.data());
      return arrayOfTuples<side, double>("Gradient", gradients.data(), numCells, 3);
    },
    all.view());
}

template <ComputeSide side, class Solution>
void addResults(const ArrivalSettings& settings, const Solution& solution, int dimension, const FrontSources& sources,
  vtkDataSet* input, vtkDataSet* output) {
  const std::int64_t numPoints = input->GetNumberOfPoints();
  if (settings.computeGradient) {
    output->GetCellData()->AddArray(gradientsOn<side>(input, dimension, solution.times));
  }
  if (settings.computeNearestSource) {
    const auto labels = hostValues(solution.labels, numPoints);
    vtkNew<vtkIdTypeArray> nearest;
    nearest->SetName("Nearest Source");
    nearest->SetNumberOfValues(numPoints);
    for (std::int64_t p = 0; p < numPoints; ++p) {
      nearest->SetValue(p, sources.numberOf(labels[static_cast<std::size_t>(p)]));
    }
    output->GetPointData()->AddArray(nearest);
  }
  if (settings.timeOfUnreached != eikonal::notReached) {
    eikonal::replaceUnreached<SpaceOf<side>>(SpaceOf<side>(), solution.times, settings.timeOfUnreached);
  }
  addActive(
    output->GetPointData(), arrayOfTuples<side, double>(settings.resultArrayName, solution.times.data(), numPoints, 1));
}

/// Collective. Gives what one rank has counted to all of them.
void tellAll(const RankGroup& group, ArrivalSummary& summary) {
  if (summary.values.empty()) {
    summary.values = ArrivalSummary::of({}).values; // the same names, and nothing counted
  }
  std::vector<double> values;
  values.reserve(summary.values.size());
  for (const auto& [name, value] : summary.values) {
    values.push_back(value);
  }
  group.maximum(values);
  for (std::size_t k = 0; k < values.size(); ++k) {
    summary.values[k].second = values[k];
  }
}

/// Collective. Makes the first of cells that ranks have found that of them all, by numbersOnRanks(); one rank has it,
/// who says so for all.
void firstOfRanks(const RankGroup& group, const MeshProblem& problem, vtkDataSet* input, eikonal::Found& found) {
  std::vector<std::int64_t> first;
  if (found.first >= 0) {
    first.push_back(found.first);
  }
  first = group.gather(
    numbersOnRanks(group, first, problem.mesh.numCells(), input != nullptr ? input->GetCellData() : nullptr));
  found.first = first.empty() || group.rank() > 0 ? -1 : *std::min_element(first.begin(), first.end());
}

/// Collective where the group has several ranks. `input` may be null on some of them.
ArrivalSummary solveMesh(const RankGroup& group, const ArrivalSettings& settings, FrontSources sources,
  vtkDataSet* input, const Progress& progress, vtkDataSet* output) {
  const auto problem = std::make_shared<MeshProblem>();
  group.agree([&] {
    if (input != nullptr) {
      output->ShallowCopy(input);
    }
    problem->mesh = meshOf(input);
    if (problem->mesh.numCells() > 0) {
      problem->stopRegion = regionOf(input->GetPointData(), settings.stopRegion, input->GetNumberOfPoints(), "point");
    }
    problem->speed = speedOf(settings, input);
    problem->options = meshOptionsOf(settings);
  });
  if (settings.frontsIn == eikonal::FrontsIn::Flat && group.maximum(problem->mesh.dimension()) > 2) {
    sources.reach = settings.reach; // the nearest cell may be a solid one
  } else {
    moveIntoMesh(group, sources, input, settings.reach);
  }
  problem->sources = std::move(sources);
  if (!group.alone()) {
    problem->setNumber(group);
    if (settings.mergeDistance > 0.0) { // on all ranks
      problem->mesh = mergedOnRanks(group, problem->mesh, settings.mergeDistance);
    }
    problem->shared = sharedVerticesOf(group, problem->mesh, input, problem->options.mergeDistance);
  }
  const FrontSources names = settings.computeNearestSource ? problem->names(group, input) : FrontSources();
  ArrivalSummary summary;
  problem->solve(group, problem->options, progress,
    [&]<ComputeSide side>(const auto& /*mesh*/, const eikonal::Sources& /*sources*/, const auto& solution,
      eikonal::ArrivalReport& report, const Context<SpaceOf<side>>& /*context*/) {
      if (!group.alone()) {
        firstOfRanks(group, *problem, input, report.degenerate);
      }
      group.agree([&] {
        if (input != nullptr) {
          addResults<side>(settings, solution, report.dimension, names, input, output);
          setProblem(output->GetPointData()->GetScalars(), input, problem);
        }
        report.iteration.converged = report.iteration.converged || group.rank() > 0; // one says so for all
        summary = ArrivalSummary::of(report);
      });
    });
  return summary;
}

/// The times of a mesh without cells.
void passUnreached(const ArrivalSettings& settings, vtkDataSet* input, vtkDataSet* output) {
  output->ShallowCopy(input);
  addActive(output->GetPointData(),
    filledArray(settings.resultArrayName.c_str(), input->GetNumberOfPoints(), 1, settings.timeOfUnreached));
}

/// Collective. Sources are those of the mesh, and there are cells on some rank.
ArrivalSummary solveFrom(const RankGroup& group, const ArrivalSettings& settings, FrontSources sources,
  vtkDataSet* input, const Progress& progress, vtkDataSet* output) {
  if (isInPieces(group, input)) {
    return solveMesh(group, settings, std::move(sources), input, progress, output);
  }
  ArrivalSummary summary;
  group.agree([&] {
    if (input != nullptr && input->GetNumberOfCells() > 0) {
      summary = solveMesh(RankGroup(), settings, std::move(sources), input, progress, output);
    } else if (input != nullptr) {
      passUnreached(settings, input, output);
    }
  });
  tellAll(group, summary);
  return summary;
}

} // namespace

ArrivalSummary solveOnMesh(const RankGroup& group, const ArrivalSettings& settings, vtkDataSet* input,
  vtkDataSet* second, const Progress& progress, vtkDataSet* output) {
  group.agree([&] { refusePeriods(settings); });
  if (group.sum(input != nullptr ? input->GetNumberOfCells() : 0) > 0) {
    const auto addMarked = [&](FrontSources& sources) {
      if (input != nullptr && input->GetNumberOfCells() > 0) {
        bool onPoints = false;
        vtkDataArray* const array = settings.sourceArray(input, onPoints);
        addSources(sources, array, onPoints, settings.sourceArrayMeaning);
      }
    };
    return solveFrom(group, settings, frontSourcesOf(group, settings, second, addMarked), input, progress, output);
  }
  group.agree([&] {
    if (input != nullptr) {
      passUnreached(settings, input, output);
    }
  });
  return {};
}

} // namespace spanwise
