#include "SpanwiseLevelArrival.h"

#include "SpanwiseArrivalArrays.h"
#include "SpanwiseArrivalProblem.h"
#include "SpanwiseInputLevels.h"
#include "SpanwiseInputMesh.h"
#include "SpanwiseMeshArrival.h"
#include "vtkSpanwiseLevelsToUnstructuredGrid.h"

#include "Core/Mesh/ElementMeasures.hpp"
#include "Core/Runtime/Error.hpp"

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
#include <cmath>
#include <format>
#include <limits>
#include <memory>
#include <utility>

namespace spanwise {

namespace {

constexpr const char* leafNumbers = "Spanwise Leaf";

/// The problem of the mesh of leaves.
class LevelProblem final : public ArrivalProblem {
public:
  LevelProblem(vtkDataSet* mesh, ArrivalProblemPointer problem) : mesh_(mesh), problem_(std::move(problem)) {}

  [[nodiscard]] FrontPaths trace(
    FrontSources seeds, const PathSettings& settings, vtkDataSet* /*data*/, const Progress& progress) const override {
    return problem_->trace(std::move(seeds), settings, mesh_, progress);
  }

private:
  vtkSmartPointer<vtkDataSet> mesh_;
  ArrivalProblemPointer problem_;
};

/// The mesh of the leaves, whose cells have the leaves' values and their numbers.
template <int Dim>
vtkSmartPointer<vtkUnstructuredGrid> meshOfLeaves(const Hierarchy<Dim>& levels) {
  Hierarchy<Dim> numbered = levels;
  vtkIdType first = 0;
  for (RankCells<Dim>& level : numbered.leaves) {
    const auto values = vtkSmartPointer<vtkCellData>::New();
    values->ShallowCopy(level.values);
    vtkNew<vtkIdTypeArray> numbers;
    numbers->SetName(leafNumbers);
    for (std::int64_t c = 0; c < level.set.numCells(); ++c) {
      numbers->InsertNextValue(first++);
    }
    values->AddArray(numbers);
    level.values = values;
  }
  vtkNew<vtkPartitionedDataSetCollection> collection;
  setLevels<Dim>(collection, numbered);
  vtkNew<vtkSpanwiseLevelsToUnstructuredGrid> convert;
  convert->SetController(nullptr);
  convert->SetInputData(collection);
  convert->Update();
  return vtkUnstructuredGrid::SafeDownCast(convert->GetOutputDataObject(0));
}

/// What a solution on the mesh is at the centres of leaves.
class AtLeaves {
public:
  AtLeaves(vtkDataSet* mesh, vtkDataSet* solution, const std::string& timesName, std::int64_t numLeaves)
    : mesh_(mesh), times_(solution->GetPointData()->GetArray(timesName.c_str())),
      nearest_(solution->GetPointData()->GetArray("Nearest Source")),
      gradients_(solution->GetCellData()->GetArray("Gradient")) {
    auto* const leaves = vtkIdTypeArray::SafeDownCast(mesh->GetCellData()->GetArray(leafNumbers));
    firstCells_.assign(static_cast<std::size_t>(numLeaves) + 1, mesh->GetNumberOfCells());
    for (vtkIdType cell = mesh->GetNumberOfCells() - 1; cell >= 0; --cell) { // leaves ascend
      firstCells_[static_cast<std::size_t>(leaves->GetValue(cell))] = cell;
    }
  }

  /// Measures the cells of the mesh, for gradients.
  void measure() {
    const InputMesh cells = meshOf(mesh_);
    const Kokkos::View<double*, Kokkos::HostSpace> measures("measures", static_cast<std::size_t>(cells.numCells()));
    std::visit(
      [&]<class Real, class Index>(const MeshView<Real, Index>& view) {
        computeMeasures<HostExecutionSpace, Real, Index>(HostExecutionSpace(), view, measures);
      },
      cells.view());
    HostExecutionSpace().fence();
    measures_.assign(measures.data(), measures.data() + measures.extent(0));
    std::transform(measures_.begin(), measures_.end(), measures_.begin(), [](double m) { return std::abs(m); });
  }

  /// Puts the values of leaf `leaf` where it says.
  void get(std::int64_t leaf, double& time, vtkIdType& nearest, double (&gradient)[3]) const {
    const auto k = static_cast<std::size_t>(leaf);
    double low[3] = {infinity, infinity, infinity};
    double high[3] = {-infinity, -infinity, -infinity};
    std::vector<vtkIdType> corners;
    vtkNew<vtkIdList> points;
    for (vtkIdType cell = firstCells_[k]; cell < firstCells_[k + 1]; ++cell) {
      mesh_->GetCellPoints(cell, points);
      for (vtkIdType p = 0; p < points->GetNumberOfIds(); ++p) {
        double at[3];
        mesh_->GetPoint(points->GetId(p), at);
        corners.push_back(points->GetId(p));
        for (int axis = 0; axis < 3; ++axis) {
          low[axis] = std::min(low[axis], at[axis]);
          high[axis] = std::max(high[axis], at[axis]);
        }
      }
    }
    time = timeAtCentre(corners, low, high);
    if (nearest_ != nullptr) {
      const auto earliest = std::min_element(corners.begin(), corners.end(),
        [&](vtkIdType a, vtkIdType b) { return times_->GetComponent(a, 0) < times_->GetComponent(b, 0); });
      nearest = static_cast<vtkIdType>(nearest_->GetComponent(*earliest, 0));
    }
    if (gradients_ != nullptr) {
      meanGradient(k, gradient);
    }
  }

private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  /// A split leaf has a point at its centre; in others the mean of the corners is exact for plane fronts.
  [[nodiscard]] double timeAtCentre(
    const std::vector<vtkIdType>& corners, const double (&low)[3], const double (&high)[3]) const {
    double sum = 0.0;
    for (const vtkIdType p : corners) {
      double at[3];
      mesh_->GetPoint(p, at);
      double off = 0.0;
      for (int axis = 0; axis < 3; ++axis) {
        off = std::max(off, std::abs(at[axis] - 0.5 * (low[axis] + high[axis])));
      }
      if (off < 1e-6 * (high[0] - low[0])) {
        return times_->GetComponent(p, 0);
      }
      sum += times_->GetComponent(p, 0);
    }
    return sum / static_cast<double>(corners.size());
  }

  /// The mean over the cells of a leaf, by their area or volume.
  void meanGradient(std::size_t leaf, double (&gradient)[3]) const {
    std::fill_n(gradient, 3, 0.0);
    double whole = 0.0;
    for (vtkIdType cell = firstCells_[leaf]; cell < firstCells_[leaf + 1]; ++cell) {
      const double measure = measures_.empty() ? 1.0 : measures_[static_cast<std::size_t>(cell)];
      whole += measure;
      for (int axis = 0; axis < 3; ++axis) {
        gradient[axis] += measure * gradients_->GetComponent(cell, axis);
      }
    }
    for (double& component : gradient) {
      component /= whole;
    }
  }

  vtkDataSet* mesh_;
  vtkDataArray* times_;
  vtkDataArray* nearest_;
  vtkDataArray* gradients_;
  std::vector<vtkIdType> firstCells_; ///< [leaves + 1]
  std::vector<double> measures_;
};

/// Adds to each level what was found at its leaves, or that nothing was.
template <int Dim>
void addResults(const ArrivalSettings& settings, const AtLeaves* found, Hierarchy<Dim>& levels) {
  std::int64_t leaf = 0;
  for (RankCells<Dim>& level : levels.leaves) {
    const std::int64_t count = level.set.numCells();
    const auto values = vtkSmartPointer<vtkCellData>::New();
    values->ShallowCopy(level.values);
    const auto times = filledArray(settings.resultArrayName.c_str(), count, 1, settings.timeOfUnreached);
    const auto gradients = filledArray("Gradient", count, 3, std::numeric_limits<double>::quiet_NaN());
    vtkNew<vtkIdTypeArray> nearest;
    nearest->SetName("Nearest Source");
    nearest->SetNumberOfValues(count);
    nearest->Fill(-1.0);
    for (std::int64_t c = 0; found != nullptr && c < count; ++c, ++leaf) {
      double time = 0.0;
      vtkIdType source = -1;
      double gradient[3] = {};
      found->get(leaf, time, source, gradient);
      if (time < std::numeric_limits<double>::infinity()) {
        times->SetValue(c, time);
        nearest->SetValue(c, source);
        gradients->SetTuple(c, gradient);
      }
    }
    if (settings.computeGradient) {
      values->AddArray(gradients);
    }
    if (settings.computeNearestSource) {
      values->AddArray(nearest);
    }
    addActive(values, times);
    level.values = values;
  }
}

template <int Dim>
ArrivalSummary solve(const Team& team, const ArrivalSettings& settings, Hierarchy<Dim> levels, vtkDataSet* second,
  const Progress& progress, vtkPartitionedDataSetCollection* output) {
  const bool here = levels.numCells() > 0;
  const std::int64_t ranks = team.sum(here ? 1 : 0);
  if (ranks > 1) {
    throw InvalidArgument(std::format("the levels are in pieces on {} ranks; the arrival time of fronts needs them on "
                                      "one rank",
      ranks));
  }
  vtkSmartPointer<vtkUnstructuredGrid> mesh;
  team.agree([&] {
    if (here) {
      mesh = meshOfLeaves(levels);
    }
  });
  FrontSources sources;
  if (ranks > 0) {
    sources = sourcesInMesh(team, settings, mesh, second);
  }
  ArrivalSummary summary;
  team.agree([&] {
    ArrivalProblemPointer problem;
    if (here) {
      auto* const leaves = vtkIdTypeArray::SafeDownCast(mesh->GetCellData()->GetArray(leafNumbers));
      for (const std::int64_t element : sources.elements) {
        sources.elementNumbers.push_back(leaves->GetValue(element));
      }
      ArrivalSettings whole = settings;
      whole.timeOfUnreached = std::numeric_limits<double>::infinity();
      vtkNew<vtkUnstructuredGrid> solution;
      summary = solveWholeMesh(whole, std::move(sources), mesh, progress.part(0.1, 0.9), solution);
      problem = std::make_shared<LevelProblem>(mesh, problemOf(solution->GetPointData()->GetScalars(), mesh));
      AtLeaves found(mesh, solution, settings.resultArrayName, levels.numCells());
      if (settings.computeGradient) {
        found.measure();
      }
      addResults(settings, &found, levels);
    } else {
      addResults(settings, nullptr, levels);
    }
    setLevels<Dim>(output, levels);
    if (problem != nullptr) {
      for (vtkDataSet* level : vtkCompositeDataSet::GetDataSets(output)) {
        setProblem(level->GetCellData()->GetScalars(), level, problem);
      }
    }
  });
  return summary;
}

} // namespace

ArrivalSummary solveOnLevels(const Team& team, const ArrivalSettings& settings, vtkDataObject* input,
  vtkDataSet* second, const Progress& progress, vtkPartitionedDataSetCollection* output) {
  const AnyHierarchy levels = readLevels(team, input, InputValues::All, progress.part(0.0, 0.1));
  ArrivalSummary summary = std::visit(
    [&](const auto& hierarchy) { return solve(team, settings, hierarchy, second, progress, output); }, levels);
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
