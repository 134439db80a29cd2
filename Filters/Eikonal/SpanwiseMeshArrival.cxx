#include "SpanwiseMeshArrival.h"

#include "SpanwiseArrayOnSide.h"
#include "SpanwiseArrivalArrays.h"
#include "SpanwiseArrivalProblem.h"
#include "SpanwiseComputeOnSide.h"
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
#include "Core/Solvers/Eikonal/LeafSolution.hpp"
#include "Core/Solvers/Eikonal/Paths.hpp"
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
  std::vector<std::int32_t> seamPairs;  ///< points that are one, where axes repeat

  std::optional<SharedVertices> shared; ///< where the mesh is in pieces on several ranks: the vertices of several

  /// Collective where the mesh is in pieces. Solves the problem and calls use<side>(mesh, speed, sources, solution,
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
          std::optional<Upload<std::int32_t>> uploadedSeam;
          MeshUpload<Space, Real, Index> uploaded;
          group.agree([&] {
            uploadedSources.emplace(side, sources);
            uploadedSpeed.emplace(side, speed);
            uploadedRegion.emplace(side, stopRegion);
            uploadedSeam.emplace(side, seamPairs);
            uploaded = MeshUpload<Space, Real, Index>(Space(), host);
          });
          asked.iteration.stopVertices = uploadedRegion->data();
          asked.iteration.numStopVertices = std::ssize(stopRegion);
          asked.seam.pairs = uploadedSeam->data();
          asked.seam.count = std::ssize(seamPairs) / 2;
          eikonal::ArrivalReport report = eikonal::solveArrivalTimes<Space, Real, Index>(context, uploaded.view(),
            uploadedSpeed->view(), uploadedSources->view(), asked, solution, shared ? &*shared : nullptr);
          use.template operator()<side>(
            uploaded.view(), uploadedSpeed->view(), uploadedSources->view(), solution, report, context);
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
    result.elementNumbers = sources.elementNumbers;
    result.pointNumbers = sources.pointNumbers;
    result.triangleNumbers = sources.triangleNumbers;
    if (shared) {
      result.vertices = group.gather(
        numbersOnRanks(group, result.vertices, mesh.numVertices(), data != nullptr ? data->GetPointData() : nullptr));
      result.elements = group.gather(
        numbersOnRanks(group, result.elements, mesh.numCells(), data != nullptr ? data->GetCellData() : nullptr));
      result.elementNumbers = group.gather(result.elementNumbers);
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
      [&]<ComputeSide side>(const auto& uploaded, const eikonal::Speed& /*speed*/, const eikonal::Sources& from,
        const auto& solution, const eikonal::ArrivalReport& /*report*/, const Context<SpaceOf<side>>& context) {
        std::optional<Upload<double>> points;
        group.agree([&] { points.emplace(side, seeds.points); });
        const eikonal::PathTargets targets{points->data(), static_cast<std::int64_t>(seeds.points.size() / 3), 0.0};
        eikonal::Paths<typename SpaceOf<side>::memory_space> paths;
        eikonal::tracePaths(context, uploaded.vertices, solution, from, targets, {settings.maxSteps}, paths);
        group.agree([&] {
          result.begins = hostValues(paths.begins, paths.count + 1);
          result.points = hostValues(paths.points, 3 * paths.numPoints);
          result.times = hostValues(paths.times, paths.numPoints);
          for (const std::int32_t source : hostValues(paths.sources, paths.count)) {
            result.sources.push_back(named.numberOf(source));
          }
        });
      });
    return result;
  }
};

eikonal::ArrivalOptions optionsOf(const ArrivalSettings& settings) {
  eikonal::ArrivalOptions options;
  options.iteration = settings.iteration;
  options.order = settings.order;
  options.frontsIn = settings.frontsIn;
  options.zeroSpeed = settings.zeroSpeed;
  options.factoring.by = settings.factorTimes ? eikonal::FactorBy::PointsAndVertices : eikonal::FactorBy::Nothing;
  options.factoring.radius = settings.factoringRadius;
  options.mergeDistance = settings.mergeDistance;
  options.trace = settings.computeNearestSource ? eikonal::Trace::Sources : eikonal::Trace::Nothing;
  return options;
}

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
      eikonal::gradientOfTimes(Space(), mesh.view(), dimension, times.data(), gradients.data());
      return arrayOfTuples<side, double>("Gradient", gradients.data(), numCells, 3);
    },
    all.view());
}

/// The values of leaves that a front has reached, and another where none has.
struct ValuesOfReached {
  const double* times;
  const double* tuples;
  double otherwise;
  FieldView<double> to;

  KOKKOS_FUNCTION void operator()(std::int64_t leaf) const {
    const bool isReached = times[leaf] < Kokkos::Experimental::infinity_v<double>;
    for (int c = 0; c < to.numComponents; ++c) {
      to(leaf, c) = isReached ? tuples[leaf * to.numComponents + c] : otherwise;
    }
  }
};

struct CountReached {
  using value_type = std::int64_t;
  const double* times;

  KOKKOS_FUNCTION void operator()(std::int64_t leaf, std::int64_t& count) const {
    count += times[leaf] < Kokkos::Experimental::infinity_v<double> ? 1 : 0;
  }
};

/// No label where no front has reached the leaf, though one may have its corners.
struct LabelReached {
  const double* times;
  std::int32_t* labels;

  KOKKOS_FUNCTION void operator()(std::int64_t leaf) const {
    if (!(times[leaf] < Kokkos::Experimental::infinity_v<double>)) {
      labels[leaf] = -1;
    }
  }
};

/// What leaves get of a solution.
template <ComputeSide side, class Real, class Index, class Solution>
void takeLeaves(const ArrivalSettings& settings, const MeshView<Real, Index>& mesh, const eikonal::Speed& speed,
  const Solution& solution, int dimension, const FrontSources& sources, LeafSolution& leaves) {
  using Space = SpaceOf<side>;
  using Values = Kokkos::View<double*, typename Space::memory_space>;
  const Space space;
  const Upload<std::int64_t> leafOfCell(side, leaves.leafOfCell);
  const std::int64_t numLeaves = leaves.firsts.back();
  const Values times(SPANWISE_LABEL("Filters::timesAtCentres"), arrayLength<double>(numLeaves));
  const auto fill = [&](const auto& simplices) {
    eikonal::timesAtCentres(
      space, mesh, speed, simplices, solution.factoring.view(), solution.times.data(), leafOfCell.data(), times);
  };
  if (dimension == 3) {
    fill(solution.tetrahedra.view());
  } else {
    fill(solution.triangles.view());
  }
  const IndexRange<Space> all(space, 0, numLeaves);
  reduce(SPANWISE_KERNEL("reached"), all, CountReached{times.data()}, leaves.numReached);
  const auto ofLevels = [&](const std::string& name, const Values& tuples, int numComponents, double otherwise) {
    std::vector<vtkSmartPointer<vtkDataArray>> arrays;
    for (std::size_t level = 0; level + 1 < leaves.firsts.size(); ++level) {
      const std::int64_t first = leaves.firsts[level];
      const std::int64_t count = leaves.firsts[level + 1] - first;
      ArrayOnSide<side, double> array(name, count, numComponents);
      forEach(SPANWISE_KERNEL("of reached"), IndexRange<Space>(space, 0, count),
        ValuesOfReached{times.data() + first, tuples.data() + first * numComponents, otherwise, array.values().view()});
      arrays.push_back(array.array());
    }
    return arrays;
  };
  leaves.times = ofLevels(settings.resultArrayName, times, 1, settings.timeOfUnreached);
  if (settings.computeNearestSource) {
    const Kokkos::View<std::int32_t*, typename Space::memory_space> labels(
      SPANWISE_LABEL("Filters::labelsOfLeaves"), arrayLength<std::int32_t>(numLeaves));
    eikonal::labelsOfLeaves<Space, Index>(
      space, mesh.elements, solution.times.data(), solution.labels.data(), leafOfCell.data(), labels);
    forEach(SPANWISE_KERNEL("label reached"), all, LabelReached{times.data(), labels.data()});
    leaves.nearest.reserve(static_cast<std::size_t>(numLeaves));
    for (const std::int32_t label : hostValues(labels, numLeaves)) {
      leaves.nearest.push_back(sources.numberOf(label));
    }
  }
  if (settings.computeGradient) {
    const Values ofCells(SPANWISE_LABEL("Filters::gradients"), arrayLength<double>(3 * mesh.elements.numElements));
    const Values ofLeaves(SPANWISE_LABEL("Filters::gradientsOfLeaves"), arrayLength<double>(3 * numLeaves));
    eikonal::gradientOfTimes(space, mesh, dimension, solution.times.data(), ofCells.data());
    eikonal::gradientsOfLeaves<Space, Real, Index>(space, mesh, ofCells.data(), leafOfCell.data(), ofLeaves);
    leaves.gradients = ofLevels("Gradient", ofLeaves, 3, std::numeric_limits<double>::quiet_NaN());
  }
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

ArrivalSummary summaryOf(const eikonal::ArrivalReport& report) {
  ArrivalSummary summary;
  summary.add(report.iteration, "Point");
  summary.values.emplace_back("Eikonal Sources", static_cast<double>(report.starts.numStarts));
  summary.values.emplace_back("Eikonal Unreached Points", static_cast<double>(report.numUnreached + report.numUnused));
  summary.values.emplace_back("Eikonal Skipped Cells", static_cast<double>(report.degenerate.count));
  summary.values.emplace_back("Eikonal Inverted Cells", static_cast<double>(report.inverted.count));
  if (report.degenerate.first >= 0) {
    summary.warnings.push_back(std::format("{} cells without extent were skipped, the first of them is cell {}",
      report.degenerate.count, report.degenerate.first));
  }
  return summary;
}

} // namespace

FrontSources sourcesInMesh(
  const RankGroup& group, const ArrivalSettings& settings, vtkDataSet* mesh, vtkDataSet* second) {
  FrontSources sources = pointSourcesOf(group, settings, second);
  switch (settings.sources) {
  case FrontsFrom::Array:
    group.agree([&] {
      if (mesh != nullptr && mesh->GetNumberOfCells() > 0) {
        bool onPoints = false;
        vtkDataArray* const array = settings.sourceArray(mesh, onPoints);
        addSources(sources, array, onPoints, settings.sourceArrayMeaning);
      }
    });
    break;
  case FrontsFrom::SurfaceOfSecond:
    requireSecond(group, second);
    addSurface(group, sources, second, settings.sourceTimes);
    break;
  case FrontsFrom::CellsOfSecond:
    throw InvalidArgument(
      "the cells of the second input (Source Input) are sources on grids of intervals and images only; on "
      "meshes and levels its points may be, or the surface that its cells make");
  case FrontsFrom::PlacedPoints:
  case FrontsFrom::PointsOfSecond:
    break;
  }
  return sources;
}

namespace {

/// Collective. Gives what one rank has counted to all of them.
void tellAll(const RankGroup& group, ArrivalSummary& summary) {
  if (summary.values.empty()) {
    summary.values = summaryOf({}).values; // the same names, and nothing counted
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

/// Collective where the group has several ranks. `input` may be null on some of them, `leaves` is so on all or none.
ArrivalSummary solveMesh(const RankGroup& group, const ArrivalSettings& settings, FrontSources sources,
  vtkDataSet* input, const Progress& progress, const MeshSolution& to) {
  const auto& [output, leaves] = to;
  const auto problem = std::make_shared<MeshProblem>();
  group.agree([&] {
    if (input != nullptr && output != nullptr) {
      output->ShallowCopy(input);
    }
    problem->mesh = meshOf(input);
    if (problem->mesh.numCells() > 0) {
      problem->stopRegion = regionOf(input->GetPointData(), settings.stopRegion, input->GetNumberOfPoints(), "point");
    }
    problem->speed = speedOf(settings, input);
    problem->options = optionsOf(settings);
    if (leaves != nullptr) {
      problem->seamPairs = leaves->seamPairs;
      std::copy_n(leaves->periods, 3, problem->options.seam.periods);
    }
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
    const auto& periods = problem->options.seam.periods;
    const bool closes = periods[0] > 0.0 || periods[1] > 0.0 || periods[2] > 0.0; // then points without cells count
    problem->shared = sharedVerticesOf(group, problem->mesh, input, closes ? 0.0 : problem->options.mergeDistance);
  }
  const FrontSources names = settings.computeNearestSource ? problem->names(group, input) : FrontSources();
  ArrivalSummary summary;
  problem->solve(group, problem->options, progress,
    [&]<ComputeSide side>(const auto& mesh, const eikonal::Speed& speed, const eikonal::Sources& /*sources*/,
      const auto& solution, eikonal::ArrivalReport& report, const Context<SpaceOf<side>>& /*context*/) {
      if (!group.alone()) {
        firstOfRanks(group, *problem, input, report.degenerate);
      }
      group.agree([&] {
        if (leaves != nullptr) {
          takeLeaves<side>(settings, mesh, speed, solution, report.dimension, names, *leaves);
          leaves->problem = problem;
        } else if (input != nullptr) {
          addResults<side>(settings, solution, report.dimension, names, input, output);
          setProblem(output->GetPointData()->GetScalars(), input, problem);
        }
        report.iteration.converged = report.iteration.converged || group.rank() > 0; // one says so for all
        summary = summaryOf(report);
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

} // namespace

ArrivalSummary solveFrom(const RankGroup& group, const ArrivalSettings& settings, FrontSources sources,
  vtkDataSet* input, const Progress& progress, const MeshSolution& to) {
  if (isInPieces(group, input)) {
    return solveMesh(group, settings, std::move(sources), input, progress, to);
  }
  ArrivalSummary summary;
  group.agree([&] {
    if (input != nullptr && input->GetNumberOfCells() > 0) {
      summary = solveMesh(RankGroup(), settings, std::move(sources), input, progress, to);
    } else if (input != nullptr && to.output != nullptr) {
      passUnreached(settings, input, to.output);
    }
  });
  tellAll(group, summary);
  return summary;
}

ArrivalSummary solveOnMesh(const RankGroup& group, const ArrivalSettings& settings, vtkDataSet* input,
  vtkDataSet* second, const Progress& progress, vtkDataSet* output) {
  group.agree([&] { refusePeriods(settings); });
  if (group.sum(input != nullptr ? input->GetNumberOfCells() : 0) > 0) {
    return solveFrom(group, settings, sourcesInMesh(group, settings, input, second), input, progress, {output});
  }
  group.agree([&] {
    if (input != nullptr) {
      passUnreached(settings, input, output);
    }
  });
  return {};
}

} // namespace spanwise
