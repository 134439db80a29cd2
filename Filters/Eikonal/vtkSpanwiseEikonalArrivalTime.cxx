#include "vtkSpanwiseEikonalArrivalTime.h"

#include "SpanwiseArrivalProblem.h"
#include "SpanwiseBridge.h"

#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/Gradient.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"

#include <vtkCellData.h>

#include <vtkDataSet.h>
#include <vtkDoubleArray.h>
#include <vtkIdTypeArray.h>
#include <vtkInformation.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>

#include <algorithm>
#include <cmath>
#include <format>
#include <memory>
#include <utility>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseEikonalArrivalTime);

namespace {

using Space = Kokkos::DefaultExecutionSpace;

void checkChoice(const char* what, int value, int most) {
  if (value < 0 || value > most) {
    throw InvalidArgument(std::format("the {} is {}; it must be within 0 and {}", what, value, most));
  }
}

/// Adds an array and makes it the active one. (SetScalars() would drop the one before.)
void addActive(vtkPointData* data, vtkDataArray* array) {
  data->AddArray(array);
  data->SetActiveScalars(array->GetName());
}

/// A point or cell array of values in the memory of the execution space.
vtkSmartPointer<vtkDoubleArray> doubleArrayOf(
  const char* name, const Kokkos::View<double*, Space::memory_space>& values, std::int64_t tuples, int components) {
  auto array = vtkSmartPointer<vtkDoubleArray>::New();
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(tuples);
  const std::size_t count = arrayLength<double>(tuples * components);
  Kokkos::deep_copy(
    Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(array->GetPointer(0), count),
    Kokkos::subview(values, std::pair<std::size_t, std::size_t>(0, count)));
  return array;
}

} // namespace

void vtkSpanwiseEikonalArrivalTime::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Sources: " << this->Sources << "\n";
  os << indent << "NumberOfSourcePoints: " << this->GetNumberOfSourcePoints() << "\n";
  os << indent << "SourceTimes: " << this->SourceTimes << "\n";
  os << indent << "SourceArrayMeaning: " << this->SourceArrayMeaning << "\n";
  os << indent << "Reach: " << this->Reach << "\n";
  os << indent << "SpeedKind: " << this->SpeedKind << "\n";
  os << indent << "Speed: " << this->Speed << "\n";
  os << indent << "Tensor:";
  for (const double component : this->Tensor) {
    os << " " << component;
  }
  os << "\n";
  os << indent << "ZeroSpeedIsWall: " << this->ZeroSpeedIsWall << "\n";
  os << indent << "Cells: " << this->Cells << "\n";
  os << indent << "MergeDistance: " << this->MergeDistance << "\n";
  os << indent << "FactorTimes: " << this->FactorTimes << "\n";
  os << indent << "FactoringRadius: " << this->FactoringRadius << "\n";
  os << indent << "StopTime: " << this->StopTime << "\n";
  os << indent << "Tolerance: " << this->Tolerance << "\n";
  os << indent << "MaximumIterations: " << this->MaximumIterations << "\n";
  os << indent << "Unreached: " << this->Unreached << "\n";
  os << indent << "UnreachedTime: " << this->UnreachedTime << "\n";
  os << indent << "ComputeNearestSource: " << this->ComputeNearestSource << "\n";
  os << indent << "ComputeGradient: " << this->ComputeGradient << "\n";
  os << indent << "ResultArrayName: " << this->ResultArrayName << "\n";
}

void vtkSpanwiseEikonalArrivalTime::SetNumberOfSourcePoints(int count) {
  if (count >= 0 && count != this->GetNumberOfSourcePoints()) {
    this->PlacedPoints.resize(3 * static_cast<std::size_t>(count), 0.0);
    this->Modified();
  }
}

int vtkSpanwiseEikonalArrivalTime::GetNumberOfSourcePoints() const {
  return static_cast<int>(this->PlacedPoints.size() / 3);
}

void vtkSpanwiseEikonalArrivalTime::SetSourcePoint(int index, double x, double y, double z) {
  if (index < 0) {
    return;
  }
  if (index >= this->GetNumberOfSourcePoints()) {
    this->SetNumberOfSourcePoints(index + 1);
  }
  const double point[3] = {x, y, z};
  double* const mine = this->PlacedPoints.data() + 3 * static_cast<std::size_t>(index);
  if (!std::equal(point, point + 3, mine)) {
    std::copy_n(point, 3, mine);
    this->Modified();
  }
}

int vtkSpanwiseEikonalArrivalTime::FillInputPortInformation(int port, vtkInformation* info) {
  if (port == 1) {
    info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  }
  return this->Superclass::FillInputPortInformation(port, info);
}

void vtkSpanwiseEikonalArrivalTime::MakeOutput(
  const Team& team, vtkInformationVector** inputs, vtkDataSet* input, vtkDataSet* output) {
  this->CheckProperties();
  requireOneRank(team, input, "the arrival time of fronts");
  FrontSources sources;
  if (team.sum(input != nullptr ? input->GetNumberOfCells() : 0) > 0) {
    this->GatherSources(team, inputs, sources);
  }
  team.agree([&] { this->Solve(input, sources, output); });
}

void vtkSpanwiseEikonalArrivalTime::CheckProperties() const {
  checkChoice("choice of the sources", this->Sources, SOURCE_ARRAY);
  checkChoice("meaning of the array of sources", this->SourceArrayMeaning, TIMES);
  checkChoice("choice of the speed", this->SpeedKind, SPEED_ARRAY);
  checkChoice("choice of the cells", this->Cells, SOLID);
  checkChoice("choice for points that are not reached", this->Unreached, GIVEN_TIME);
  if (!(this->Reach >= 0.0)) {
    throw InvalidArgument(std::format("the reach of source points is {}; it must not be negative", this->Reach));
  }
  if (this->MaximumIterations < 0) {
    throw InvalidArgument(
      std::format("the number of iterations is {}; it must not be negative (0: no limit)", this->MaximumIterations));
  }
  if (this->ResultArrayName.empty()) {
    throw InvalidArgument("the array of arrival times has no name; give it one");
  }
}

void vtkSpanwiseEikonalArrivalTime::GatherSources(
  const Team& team, vtkInformationVector** inputs, FrontSources& sources) {
  if (this->Sources == PLACED_POINTS) {
    sources.points = this->PlacedPoints;
    sources.pointTimes.assign(this->PlacedPoints.size() / 3, 0.0);
    for (std::int64_t k = 0; k < this->GetNumberOfSourcePoints(); ++k) {
      sources.pointNumbers.push_back(k);
    }
    return;
  }
  if (this->Sources == SOURCE_ARRAY) {
    team.agree([&] {
      vtkDataSet* input = vtkDataSet::GetData(inputs[0], 0);
      if (input != nullptr && input->GetNumberOfCells() > 0) {
        bool onPoints = false;
        vtkDataArray* const array = this->GetMeshArray(0, "sources", input, onPoints);
        addSources(
          sources, array, onPoints, this->SourceArrayMeaning == MARKS ? SourceArray::Marks : SourceArray::Times);
      }
    });
    return;
  }
  vtkDataSet* second = vtkDataSet::GetData(inputs[1], 0);
  if (team.sum(second != nullptr ? 1 : 0) == 0) {
    throw InvalidArgument("there is no second input; it must be a data set, which has the sources");
  }
  if (this->Sources == POINTS) {
    addPoints(team, sources, second, this->SourceTimes);
  } else {
    addSurface(team, sources, second, this->SourceTimes);
  }
}

void vtkSpanwiseEikonalArrivalTime::Solve(vtkDataSet* input, FrontSources& sources, vtkDataSet* output) {
  if (input == nullptr) {
    return;
  }
  output->ShallowCopy(input);
  if (input->GetNumberOfCells() == 0) {
    vtkNew<vtkDoubleArray> times;
    times->SetName(this->ResultArrayName.c_str());
    times->SetNumberOfValues(input->GetNumberOfPoints());
    times->Fill(this->TimeOfUnreached());
    addActive(output->GetPointData(), times);
    return;
  }
  const auto problem = std::make_shared<ArrivalProblem>();
  problem->mesh = meshOf(input);
  problem->speed = this->GetFrontSpeed(input);
  problem->options = this->GetOptions();
  if (this->Cells == FLAT && problem->mesh.dimension() > 2) {
    sources.reach = this->Reach; // the nearest cell may be a solid one
  } else {
    moveIntoMesh(sources, input, this->Reach);
  }
  problem->sources = std::move(sources);
  solve(*problem, problem->options, progressOf(this),
    [&](const auto& mesh, const eikonal::Sources& /*sources*/, const auto& solution,
      const eikonal::ArrivalReport& report, auto& /*workspace*/) {
      this->AddResults(mesh, solution, report.dimension, *problem, output);
      this->AddReport(report, output);
    });
  setProblem(output->GetPointData()->GetScalars(), input, problem);
}

double vtkSpanwiseEikonalArrivalTime::TimeOfUnreached() const {
  return this->Unreached == INFINITE  ? eikonal::notReached
    : this->Unreached == NOT_A_NUMBER ? std::numeric_limits<double>::quiet_NaN()
                                      : this->UnreachedTime;
}

FrontSpeed vtkSpanwiseEikonalArrivalTime::GetFrontSpeed(vtkDataSet* input) {
  if (this->SpeedKind == SPEED_ARRAY) {
    bool onPoints = false;
    vtkDataArray* const speeds = this->GetMeshArray(1, "speed", input, onPoints);
    return FrontSpeed::ofArray(speeds, onPoints);
  }
  return this->SpeedKind == CONSTANT ? FrontSpeed::constant(this->Speed) : FrontSpeed::constant(this->Tensor);
}

eikonal::ArrivalOptions vtkSpanwiseEikonalArrivalTime::GetOptions() const {
  eikonal::ArrivalOptions options;
  options.iteration.stopTime = this->StopTime;
  options.iteration.tolerance = this->Tolerance;
  if (this->MaximumIterations > 0) {
    options.iteration.maxIterations = this->MaximumIterations;
  }
  options.frontsIn = static_cast<eikonal::FrontsIn>(this->Cells);
  options.zeroSpeed = this->ZeroSpeedIsWall ? eikonal::ZeroSpeed::Wall : eikonal::ZeroSpeed::Error;
  options.factoring.by = this->FactorTimes ? eikonal::FactorBy::PointsAndVertices : eikonal::FactorBy::Nothing;
  options.factoring.radius = this->FactoringRadius;
  options.mergeDistance = this->MergeDistance;
  options.trace = this->ComputeNearestSource ? eikonal::Trace::Sources : eikonal::Trace::Nothing;
  return options;
}

template <class Mesh, class Solution>
void vtkSpanwiseEikonalArrivalTime::AddResults(
  const Mesh& mesh, const Solution& solution, int dimension, const ArrivalProblem& problem, vtkDataSet* output) {
  const std::int64_t numPoints = mesh.vertices.numVertices;
  if (this->ComputeGradient) {
    const Kokkos::View<double*, Space::memory_space> gradients(
      SPANWISE_LABEL("Filters::gradients"), arrayLength<double>(3 * mesh.elements.numElements));
    eikonal::gradientOfTimes(Space(), mesh, dimension, solution.times.data(), gradients.data());
    Space().fence(SPANWISE_LABEL("Filters::gradients"));
    output->GetCellData()->AddArray(doubleArrayOf("Gradient", gradients, mesh.elements.numElements, 3));
  }
  if (this->ComputeNearestSource) {
    const auto labels = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), solution.labels);
    vtkNew<vtkIdTypeArray> nearest;
    nearest->SetName("Nearest Source");
    nearest->SetNumberOfValues(numPoints);
    for (std::int64_t p = 0; p < numPoints; ++p) {
      nearest->SetValue(p, problem.sources.numberOf(labels.data()[p]));
    }
    output->GetPointData()->AddArray(nearest);
  }
  if (this->Unreached != INFINITE) {
    eikonal::replaceUnreached<Space>(Space(), solution.times, this->TimeOfUnreached());
  }
  addActive(output->GetPointData(), doubleArrayOf(this->ResultArrayName.c_str(), solution.times, numPoints, 1));
}

void vtkSpanwiseEikonalArrivalTime::AddReport(const eikonal::ArrivalReport& report, vtkDataSet* output) {
  AddFieldValue(output, "Eikonal Iterations", static_cast<double>(report.iteration.numIterations));
  AddFieldValue(output, "Eikonal Updates", static_cast<double>(report.iteration.numUpdates));
  AddFieldValue(output, "Eikonal Sources", static_cast<double>(report.starts.numStarts));
  AddFieldValue(output, "Eikonal Unreached Points", static_cast<double>(report.numUnreached + report.numUnused));
  AddFieldValue(output, "Eikonal Skipped Cells", static_cast<double>(report.degenerate.count));
  if (report.degenerate.count > 0) {
    vtkWarningMacro(<< report.degenerate.count << " cells without extent were skipped, the first of them is cell "
                    << report.degenerate.first);
  }
  if (!report.iteration.converged) {
    vtkWarningMacro(<< "the iteration was ended after " << report.iteration.numIterations
                    << " iterations: times may be too late");
  }
}
