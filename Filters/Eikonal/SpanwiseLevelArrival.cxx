#include "SpanwiseLevelArrival.h"

#include "SpanwiseArrivalArrays.h"
#include "SpanwiseArrivalProblem.h"
#include "SpanwiseInputLevels.h"
#include "SpanwiseLevelMesh.h"
#include "SpanwiseLevelPeriods.h"
#include "SpanwiseMeshArrival.h"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/Seam.hpp"

#include <vtkCellData.h>
#include <vtkCompositeDataSet.h>
#include <vtkFieldData.h>
#include <vtkIdList.h>
#include <vtkIdTypeArray.h>
#include <vtkInformation.h>
#include <vtkInformationDoubleKey.h>
#include <vtkNew.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

namespace spanwise {

namespace {

constexpr const char* leafNumbers = "Spanwise Leaf";
constexpr const char* marksOfRegion = "Spanwise Stop Region";

/// The problem of the mesh of leaves.
class LevelProblem final : public ArrivalProblem {
public:
  LevelProblem(vtkDataSet* mesh, const PeriodsInSpace& periods, ArrivalProblemPointer problem)
    : mesh_(mesh), periods_(periods), problem_(std::move(problem)) {}

  [[nodiscard]] FrontPaths trace(
    FrontSources seeds, const PathSettings& settings, vtkDataSet* /*data*/, const Progress& progress) const override {
    bringIntoPeriod(seeds);
    return problem_->trace(std::move(seeds), settings, mesh_, progress);
  }

  [[nodiscard]] std::int64_t number() const override { return problem_->number(); }
  [[nodiscard]] bool isInPieces() const override { return problem_->isInPieces(); }

  [[nodiscard]] FrontPaths traceTogether(const RankGroup& group, FrontSources seeds, const PathSettings& settings,
    vtkDataSet* /*data*/, const Progress& progress) const override {
    bringIntoPeriod(seeds); // on all ranks
    return problem_->traceTogether(group, std::move(seeds), settings, mesh_, progress);
  }

private:
  void bringIntoPeriod(FrontSources& seeds) const {
    if (periods_.hasFewCells) { // a step through a cell could be one across the seam
      throw InvalidArgument("a periodic axis has fewer than 3 cells of level 0: ways back on levels need 3");
    }
    spanwise::bringIntoPeriod(periods_, seeds.points);
  }

  vtkSmartPointer<vtkDataSet> mesh_;
  PeriodsInSpace periods_;
  ArrivalProblemPointer problem_;
};

/// Collective. The number of the first leaf of each level that this rank has, as one rank would number all: the leaves
/// of all levels one after the other. Ranks have planes of a level in their order.
template <int Dim>
std::vector<std::int64_t> firstNumbers(const RankGroup& group, const Hierarchy<Dim>& levels) {
  std::vector<std::int64_t> counts;
  counts.reserve(levels.leaves.size());
  for (const RankCells<Dim>& level : levels.leaves) {
    counts.push_back(level.set.numCells());
  }
  const std::vector<std::int64_t> ofRanks = group.gather(counts);
  std::vector<std::int64_t> firsts(counts.size());
  std::int64_t next = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    for (std::size_t rank = 0; rank < ofRanks.size() / counts.size(); ++rank) {
      firsts[k] = static_cast<int>(rank) == group.rank() ? next : firsts[k];
      next += ofRanks[rank * counts.size() + k];
    }
  }
  return firsts;
}

/// Collective. The mesh of this rank's leaves, whose cells have the leaves' values and their numbers.
template <int Dim>
vtkSmartPointer<vtkUnstructuredGrid> meshOfLeaves(const RankGroup& group, const PlaneRange& mine,
  const Hierarchy<Dim>& levels, const Progress& progress, MeshSeam<Dim>& seam) {
  Hierarchy<Dim> numbered = levels;
  const std::vector<std::int64_t> firsts = firstNumbers(group, levels);
  for (std::size_t k = 0; k < firsts.size(); ++k) {
    RankCells<Dim>& level = numbered.leaves[k];
    const auto values = vtkSmartPointer<vtkCellData>::New();
    values->ShallowCopy(level.values);
    vtkNew<vtkIdTypeArray> numbers;
    numbers->SetName(leafNumbers);
    numbers->SetNumberOfValues(level.set.numCells());
    std::iota(numbers->GetPointer(0), numbers->GetPointer(0) + level.set.numCells(), vtkIdType{firsts[k]});
    values->AddArray(numbers);
    level.values = values;
  }
  auto mesh = vtkSmartPointer<vtkUnstructuredGrid>::New();
  meshOfLevels(group, mine, numbered, MeshValues::OnCells, progress, {mesh, &seam});
  return mesh;
}

/// The pairs of points that are one.
template <int Dim>
std::vector<std::int32_t> pairsOf(const MeshSeam<Dim>& seam) {
  const Context<HostExecutionSpace> context;
  eikonal::SeamPairs<Kokkos::HostSpace> pairs;
  eikonal::joinSeam<HostExecutionSpace, Dim>(
    context, seam.points.data(), std::ssize(seam.points), seam.periods, seam.finest, GridGeometry<Dim>{}, pairs);
  return {pairs.vertices.data(), pairs.vertices.data() + pairs.vertices.count()};
}

/// Marks the points at the leaves that an array of theirs says the iteration is to wait for.
void markRegion(vtkDataSet* mesh, const std::string& name) {
  const auto marks = filledArray(marksOfRegion, mesh->GetNumberOfPoints(), 1, 0.0);
  vtkNew<vtkIdList> points;
  for (const std::int64_t cell : regionOf(mesh->GetCellData(), name, mesh->GetNumberOfCells(), "cell")) {
    mesh->GetCellPoints(cell, points);
    for (const vtkIdType p : *points) {
      marks->SetValue(p, 1.0);
    }
  }
  mesh->GetPointData()->AddArray(marks);
}

/// Adds to each level what was found at its leaves, or that nothing was.
template <int Dim>
void addResults(const ArrivalSettings& settings, const LeafSolution& found, Hierarchy<Dim>& levels) {
  std::size_t leaf = 0;
  for (std::size_t l = 0; l < levels.leaves.size(); ++l) {
    RankCells<Dim>& level = levels.leaves[l];
    const std::int64_t count = level.set.numCells();
    const auto values = vtkSmartPointer<vtkCellData>::New();
    values->ShallowCopy(level.values);
    const auto foundOr = [&](double value, const std::vector<vtkSmartPointer<vtkDataArray>>& arrays,
                           const std::string& name, int numComponents) -> vtkSmartPointer<vtkDataArray> {
      if (arrays.empty()) {
        return filledArray(name.c_str(), count, numComponents, value);
      }
      return arrays[l];
    };
    if (settings.computeGradient) {
      values->AddArray(foundOr(std::numeric_limits<double>::quiet_NaN(), found.gradients, "Gradient", 3));
    }
    if (settings.computeNearestSource) {
      vtkNew<vtkIdTypeArray> nearest;
      nearest->SetName("Nearest Source");
      nearest->SetNumberOfValues(count);
      for (std::int64_t c = 0; c < count; ++c) {
        nearest->SetValue(c, found.nearest.empty() ? -1 : found.nearest[leaf++]);
      }
      values->AddArray(nearest);
    }
    addActive(values, foundOr(settings.timeOfUnreached, found.times, settings.resultArrayName, 1));
    level.values = values;
  }
}

/// The leaf in which each cell of the mesh is, this rank's counted from 0.
template <int Dim>
LeafSolution leavesOf(const Hierarchy<Dim>& levels, const vtkIdTypeArray* numbers) {
  LeafSolution leaves;
  for (const RankCells<Dim>& level : levels.leaves) {
    leaves.firsts.push_back(leaves.firsts.back() + level.set.numCells());
  }
  std::int64_t leaf = -1;
  leaves.leafOfCell.reserve(static_cast<std::size_t>(numbers->GetNumberOfValues()));
  for (vtkIdType cell = 0; cell < numbers->GetNumberOfValues(); ++cell) {
    leaf += cell == 0 || numbers->GetValue(cell) != numbers->GetValue(cell - 1) ? 1 : 0;
    leaves.leafOfCell.push_back(leaf);
  }
  return leaves;
}

template <int Dim>
ArrivalSummary solve(const RankGroup& group, const ArrivalSettings& settings, Hierarchy<Dim> levels, vtkDataSet* second,
  const Progress& progress, vtkPartitionedDataSetCollection* output) {
  MeshSeam<Dim> seam;
  seam.periods = periodsOfLevels(group, settings.periods, levels);
  const PeriodsInSpace periods = PeriodsInSpace::of(seam.periods, levels.root);
  const PlaneRange mine = distributeLevels(group, levels);
  if (group.sum(levels.numCells()) == 0) {
    group.agree([&] {
      addResults(settings, LeafSolution(), levels);
      setLevels<Dim>(output, levels, mine);
    });
    return {};
  }
  const auto mesh = meshOfLeaves(group, mine, levels, progress.part(0.0, 0.2), seam);
  auto* const numbers = vtkIdTypeArray::SafeDownCast(mesh->GetCellData()->GetArray(leafNumbers));
  FrontSources sources = sourcesInMesh(group, settings, mesh, second);
  bringIntoPeriod(periods, sources.points);
  if (periods.any()) {
    copySurface(periods, sources);
  }
  for (const std::int64_t element : sources.elements) {
    sources.elementNumbers.push_back(numbers->GetValue(element));
  }
  ArrivalSettings whole = settings;
  whole.mergeDistance = -1.0;         // every point is there once
  if (!settings.stopRegion.empty()) { // on all ranks
    group.agree([&] {
      if (mesh->GetNumberOfCells() > 0) {
        markRegion(mesh, settings.stopRegion);
      }
    });
    whole.stopRegion = marksOfRegion;
  }
  LeafSolution leaves = leavesOf<Dim>(levels, numbers);
  std::copy_n(periods.length, 3, leaves.periods);
  group.agree([&] { leaves.seamPairs = pairsOf(seam); });
  ArrivalSummary summary =
    solveFrom(group, whole, std::move(sources), mesh, progress.part(0.2, 0.9), {nullptr, &leaves});
  std::int64_t numUnreached = 0;
  group.agree([&] {
    addResults(settings, leaves, levels);
    numUnreached = levels.numCells() - leaves.numReached;
    setLevels<Dim>(output, levels, mine);
    if (leaves.problem != nullptr) {
      const auto problem = std::make_shared<LevelProblem>(mesh, periods, leaves.problem);
      for (vtkDataSet* level : vtkCompositeDataSet::GetDataSets(output)) {
        setProblem(level->GetCellData()->GetScalars(), level, problem);
      }
    }
  });
  const auto numPoints = std::find_if(summary.values.begin(), summary.values.end(),
    [](const auto& value) { return value.first == "Eikonal Unreached Points"; });
  *numPoints = {"Eikonal Unreached Cells", static_cast<double>(group.sum(numUnreached))};
  return summary;
}

} // namespace

ArrivalSummary solveOnLevels(const RankGroup& group, const ArrivalSettings& settings, vtkDataObject* input,
  vtkDataSet* second, const Progress& progress, vtkPartitionedDataSetCollection* output) {
  const RankGroup makers = group.streams() ? RankGroup() : group; // the first piece has all leaves
  const AnyHierarchy levels = readLevels(makers, input, InputValues::All, progress.part(0.0, 0.1));
  ArrivalSummary summary = std::visit(
    [&](const auto& hierarchy) { return solve(makers, settings, hierarchy, second, progress.part(0.1, 1.0), output); },
    levels);
  if (input != nullptr) {
    output->GetFieldData()->PassData(input->GetFieldData());
    // Executives pass the time on where the input announces time steps; some readers only say it of their data.
    if (input->GetInformation()->Has(vtkDataObject::DATA_TIME_STEP())) {
      output->GetInformation()->CopyEntry(input->GetInformation(), vtkDataObject::DATA_TIME_STEP());
    }
  }
  return summary;
}

} // namespace spanwise
