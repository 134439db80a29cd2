#include "vtkSpanwiseEikonalPaths.h"

#include "SpanwiseArrivalProblem.h"
#include "SpanwiseBridge.h"
#include "SpanwiseExecute.h"

#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/Paths.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDataSet.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIdTypeArray.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkMultiProcessController.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <format>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseEikonalPaths);
vtkCxxSetObjectMacro(vtkSpanwiseEikonalPaths, Controller, vtkMultiProcessController);

namespace {

using Space = Kokkos::DefaultExecutionSpace;

template <class T>
std::vector<T> hostValues(const Kokkos::View<T*, Space::memory_space>& values, std::int64_t count) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
  return std::vector<T>(host.data(), host.data() + count);
}

/// Paths as lines, with the numbers of their seeds and sources.
void fill(vtkPolyData* output, const eikonal::Paths<Space::memory_space>& paths, const FrontSources& sources,
  const std::vector<std::int64_t>& seeds, const char* timesName) {
  const auto begins = hostValues(paths.begins, paths.count + 1);
  const auto at = hostValues(paths.points, 3 * paths.numPoints);
  const auto timesAt = hostValues(paths.times, paths.numPoints);
  const auto ends = hostValues(paths.sources, paths.count);
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  vtkNew<vtkDoubleArray> times;
  times->SetName(timesName);
  vtkNew<vtkIdTypeArray> seedOf;
  seedOf->SetName("Seed");
  vtkNew<vtkIdTypeArray> sourceOf;
  sourceOf->SetName("Source");
  vtkNew<vtkCellArray> lines;
  vtkIdType without = 0;
  for (std::int64_t path = 0; path < paths.count; ++path) {
    const auto k = static_cast<std::size_t>(path);
    const std::int64_t length = begins[k + 1] - begins[k];
    if (length < 2) { // a seed at a source is its own path
      without += ends[k] < 0 ? 1 : 0;
      continue;
    }
    lines->InsertNextCell(static_cast<int>(length));
    for (std::int64_t p = begins[k]; p < begins[k + 1]; ++p) {
      lines->InsertCellPoint(points->InsertNextPoint(at.data() + 3 * p));
      times->InsertNextValue(timesAt[static_cast<std::size_t>(p)]);
    }
    seedOf->InsertNextValue(seeds[k]);
    sourceOf->InsertNextValue(sources.numberOf(ends[k]));
  }
  output->SetPoints(points);
  output->SetLines(lines);
  output->GetPointData()->SetScalars(times);
  output->GetCellData()->AddArray(seedOf);
  output->GetCellData()->AddArray(sourceOf);
  vtkNew<vtkIdTypeArray> count;
  count->SetName("Seeds Without Path");
  count->InsertNextValue(without);
  output->GetFieldData()->AddArray(count);
}

} // namespace

vtkSpanwiseEikonalPaths::vtkSpanwiseEikonalPaths() {
  this->SetNumberOfInputPorts(2);
  this->SetController(vtkMultiProcessController::GetGlobalController());
}

vtkSpanwiseEikonalPaths::~vtkSpanwiseEikonalPaths() { this->SetController(nullptr); }

void vtkSpanwiseEikonalPaths::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Seeds: " << this->Seeds << "\n";
  os << indent << "NumberOfSeedPoints: " << this->GetNumberOfSeedPoints() << "\n";
  os << indent << "Reach: " << this->Reach << "\n";
  os << indent << "MaximumSteps: " << this->MaximumSteps << "\n";
  os << indent << "Controller: " << this->Controller << "\n";
}

void vtkSpanwiseEikonalPaths::SetNumberOfSeedPoints(int count) {
  if (count >= 0 && count != this->GetNumberOfSeedPoints()) {
    this->PlacedPoints.resize(3 * static_cast<std::size_t>(count), 0.0);
    this->Modified();
  }
}

int vtkSpanwiseEikonalPaths::GetNumberOfSeedPoints() const { return static_cast<int>(this->PlacedPoints.size() / 3); }

void vtkSpanwiseEikonalPaths::SetSeedPoint(int index, double x, double y, double z) {
  if (index < 0) {
    return;
  }
  if (index >= this->GetNumberOfSeedPoints()) {
    this->SetNumberOfSeedPoints(index + 1);
  }
  const double point[3] = {x, y, z};
  double* const mine = this->PlacedPoints.data() + 3 * static_cast<std::size_t>(index);
  if (!std::equal(point, point + 3, mine)) {
    std::copy_n(point, 3, mine);
    this->Modified();
  }
}

int vtkSpanwiseEikonalPaths::FillInputPortInformation(int port, vtkInformation* info) {
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataSet");
  if (port == 1) {
    info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  }
  return 1;
}

int vtkSpanwiseEikonalPaths::RequestInformation(
  vtkInformation* /*request*/, vtkInformationVector** /*inputs*/, vtkInformationVector* outputs) {
  outputs->GetInformationObject(0)->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  return 1;
}

int vtkSpanwiseEikonalPaths::RequestUpdateExtent(
  vtkInformation* /*request*/, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  requestWholeInputs(Team::ofRequest(this->Controller, outputs->GetInformationObject(0)), inputs, 2);
  return 1;
}

int vtkSpanwiseEikonalPaths::RequestData(
  vtkInformation* /*request*/, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  const Team team = Team::ofRequest(this->Controller, outputs->GetInformationObject(0));
  vtkPolyData* output = vtkPolyData::GetData(outputs, 0);
  output->Initialize();
  if (team.streams() && team.piece() > 0) {
    return 1; // the first piece has all paths
  }
  return execute(this, outputs, team, [&] { this->MakeOutput(team, inputs, output); });
}

vtkDataArray* vtkSpanwiseEikonalPaths::FindTimes(vtkDataSet* input) {
  vtkPointData* const arrays = input->GetPointData();
  if (problemOf(arrays->GetScalars(), input) != nullptr) {
    return arrays->GetScalars();
  }
  for (int k = 0; k < arrays->GetNumberOfArrays(); ++k) {
    if (problemOf(arrays->GetArray(k), input) != nullptr) {
      return arrays->GetArray(k);
    }
  }
  throw InvalidArgument("the input has no arrival times that belong to its mesh; it must be the result of Eikonal "
                        "Arrival Time, with the same points and cells");
}

void vtkSpanwiseEikonalPaths::MakeOutput(const Team& team, vtkInformationVector** inputs, vtkPolyData* output) {
  if (this->Seeds != PLACED_POINTS && this->Seeds != POINTS) {
    throw InvalidArgument(std::format("the choice of the seeds is {}; it must be within 0 and 1", this->Seeds));
  }
  if (!(this->Reach >= 0.0)) {
    throw InvalidArgument(std::format("the reach of seeds is {}; it must not be negative", this->Reach));
  }
  FrontSources seeds;
  if (this->Seeds == PLACED_POINTS) {
    seeds.points = this->PlacedPoints;
    for (std::int64_t k = 0; k < this->GetNumberOfSeedPoints(); ++k) {
      seeds.pointNumbers.push_back(k);
    }
  } else {
    vtkDataSet* second = vtkDataSet::GetData(inputs[1], 0);
    if (team.sum(second != nullptr ? 1 : 0) == 0) {
      throw InvalidArgument("there is no second input; it must be a data set, at whose points paths begin");
    }
    addPoints(team, seeds, second, "");
  }
  vtkDataSet* input = vtkDataSet::GetData(inputs[0], 0);
  team.agree([&] {
    if (input == nullptr || input->GetNumberOfCells() == 0) {
      return;
    }
    vtkDataArray* const times = this->FindTimes(input);
    const ArrivalProblemPointer problem = problemOf(times, input);
    if (!(problem->options.frontsIn == eikonal::FrontsIn::Flat && problem->mesh.dimension() > 2)) {
      moveIntoMesh(seeds, input, this->Reach);
    }
    eikonal::ArrivalOptions options = problem->options;
    options.trace = eikonal::Trace::Sources;
    solve(*problem, options, progressOf(this).part(0.0, 0.9),
      [&](const auto& mesh, const eikonal::Sources& sources, const auto& solution, const auto& /*report*/,
        auto& workspace) {
        const Upload<double> targets(seeds.points);
        eikonal::Paths<Space::memory_space> paths;
        eikonal::tracePaths(Space(), mesh.vertices, solution, sources,
          {targets.data(), static_cast<std::int64_t>(seeds.points.size() / 3), 0.0}, {this->MaximumSteps}, paths,
          workspace);
        output->GetFieldData()->PassData(input->GetFieldData());
        fill(output, paths, problem->sources, seeds.pointNumbers, times->GetName());
      });
  });
}
