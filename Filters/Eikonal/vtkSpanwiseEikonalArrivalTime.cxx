#include "vtkSpanwiseEikonalArrivalTime.h"

#include "SpanwiseBridge.h"
#include "SpanwiseFrontSources.h"
#include "SpanwiseFrontSpeed.h"
#include "SpanwiseInputMesh.h"

#include "Core/Mesh/MeshUpload.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/ArrivalTimes.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"

#include <vtkDataSet.h>
#include <vtkDoubleArray.h>
#include <vtkInformation.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>

#include <algorithm>
#include <cmath>
#include <format>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseEikonalArrivalTime);

namespace {

using Space = Kokkos::DefaultExecutionSpace;

void checkChoice(const char* what, int value, int most) {
  if (value < 0 || value > most) {
    throw InvalidArgument(std::format("the {} is {}; it must be within 0 and {}", what, value, most));
  }
}

/// Solves, and gives `times` what comes out.
eikonal::ArrivalReport solve(const AnyMeshView& mesh, const FrontSpeed& speed, const FrontSources& sources,
  const eikonal::ArrivalOptions& options, double unreached, vtkDoubleArray* times, const Progress& progress) {
  const UploadedSources uploaded(sources);
  return std::visit(
    [&]<class Real, class Index>(const MeshView<Real, Index>& host) {
      Workspace<Space::memory_space> workspace;
      eikonal::ArrivalTimes<Space::memory_space> out;
      const MeshUpload<Space, Real, Index> upload(Space(), host);
      const auto report = eikonal::solveArrivalTimes<Space, Real, Index>(
        Space(), upload.view(), speed.view(), uploaded.view(), options, out, workspace, progress);
      if (unreached != eikonal::notReached) {
        eikonal::replaceUnreached<Space>(Space(), out.times, unreached);
      }
      const std::int64_t count = host.vertices.numVertices;
      times->SetNumberOfValues(count);
      Kokkos::deep_copy(Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                          times->GetPointer(0), arrayLength<double>(count)),
        Kokkos::subview(out.times, std::pair<std::size_t, std::size_t>(0, arrayLength<double>(count))));
      return report;
    },
    mesh);
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
  const double unreached = this->Unreached == INFINITE ? eikonal::notReached
    : this->Unreached == NOT_A_NUMBER                  ? std::numeric_limits<double>::quiet_NaN()
                                                       : this->UnreachedTime;
  vtkNew<vtkDoubleArray> times;
  times->SetName(this->ResultArrayName.c_str());
  if (input == nullptr) {
    return;
  }
  output->ShallowCopy(input);
  if (input->GetNumberOfCells() == 0) {
    times->SetNumberOfValues(input->GetNumberOfPoints());
    times->Fill(unreached);
  } else {
    const InputMesh mesh = meshOf(input);
    if (this->Cells == FLAT && mesh.dimension() > 2) {
      sources.reach = this->Reach; // the nearest cell may be a solid one
    } else {
      moveIntoMesh(sources, input, this->Reach);
    }
    bool onPoints = false;
    vtkDataArray* const speeds =
      this->SpeedKind == SPEED_ARRAY ? this->GetMeshArray(1, "speed", input, onPoints) : nullptr;
    const FrontSpeed speed = speeds != nullptr ? FrontSpeed::ofArray(speeds, onPoints)
      : this->SpeedKind == CONSTANT            ? FrontSpeed::constant(this->Speed)
                                               : FrontSpeed::constant(this->Tensor);
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
    const eikonal::ArrivalReport report =
      solve(mesh.view(), speed, sources, options, unreached, times, progressOf(this));
    this->AddFieldValue(output, "Eikonal Iterations", static_cast<double>(report.iteration.numIterations));
    this->AddFieldValue(output, "Eikonal Updates", static_cast<double>(report.iteration.numUpdates));
    this->AddFieldValue(output, "Eikonal Sources", static_cast<double>(report.starts.numStarts));
    this->AddFieldValue(
      output, "Eikonal Unreached Points", static_cast<double>(report.numUnreached + report.numUnused));
    this->AddFieldValue(output, "Eikonal Skipped Cells", static_cast<double>(report.degenerate.count));
    if (report.degenerate.count > 0) {
      vtkWarningMacro(<< report.degenerate.count << " cells without extent were skipped, the first of them is cell "
                      << report.degenerate.first);
    }
    if (!report.iteration.converged) {
      vtkWarningMacro(<< "the iteration was ended after " << report.iteration.numIterations
                      << " iterations: times may be too late");
    }
  }
  output->GetPointData()->AddArray(times);
  output->GetPointData()->SetActiveScalars(this->ResultArrayName.c_str());
}
