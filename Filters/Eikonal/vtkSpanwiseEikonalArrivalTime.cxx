#include "vtkSpanwiseEikonalArrivalTime.h"

#include "SpanwiseArrivalSettings.h"
#include "SpanwiseBridge.h"
#include "SpanwiseChosenArray.h"
#include "SpanwiseDataBlocks.h"
#include "SpanwiseExecute.h"
#include "SpanwiseGridArrival.h"
#include "SpanwiseLevelArrival.h"
#include "SpanwiseMeshArrival.h"

#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"

#include <vtkDataSet.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPartitionedDataSetCollection.h>

#include <algorithm>
#include <cmath>
#include <format>
#include <limits>
#include <vector>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseEikonalArrivalTime);

namespace {

void checkChoice(const char* what, int value, int most) {
  if (value < 0 || value > most) {
    throw InvalidArgument(std::format("the {} is {}; it must be within 0 and {}", what, value, most));
  }
}

/// The one data set of a tree of blocks that is not empty, if there are not several.
struct OnlyBlock {
  vtkDataSet* data = nullptr; ///< null where this rank has none
  std::int64_t count = 0;     ///< so many blocks, or pieces on a rank, are not empty
};

/// Collective. `sizeOf` says what a data set has: nothing where it is 0.
template <class SizeOf>
OnlyBlock onlyBlock(const RankGroup& group, vtkDataObject* input, const SizeOf& sizeOf) {
  OnlyBlock found;
  for (const DataBlock& block : blocksOf(group, input)) {
    std::int64_t numFilled = 0;
    for (vtkDataSet* const piece : block.pieces) {
      const bool isFilled = sizeOf(piece) > 0;
      found.data = isFilled || found.data == nullptr ? piece : found.data;
      numFilled += isFilled ? 1 : 0;
    }
    found.count += group.maximum(numFilled);
  }
  return found;
}

/// Collective. The data set of an input, which may be in a tree of blocks; null where this rank has none. Throws
/// InvalidArgument, on all ranks, where several blocks, or pieces on a rank, have cells.
vtkDataSet* onlyMesh(const RankGroup& group, vtkDataObject* input) {
  const OnlyBlock found = onlyBlock(group, input, [](vtkDataSet* data) { return data->GetNumberOfCells(); });
  if (found.count > 1) {
    throw InvalidArgument(
      std::format("the input has cells in {} blocks, and fronts go through one mesh; the filter Merge "
                  "Blocks makes one of them (with Merge Points, where blocks meet)",
        found.count));
  }
  return found.data;
}

/// Collective. The same of the second input, by its points.
vtkDataSet* onlySources(const RankGroup& group, vtkDataObject* input) {
  const OnlyBlock found = onlyBlock(group, input, [](vtkDataSet* data) { return data->GetNumberOfPoints(); });
  if (found.count > 1) {
    throw InvalidArgument(
      std::format("the {} has {} blocks, and sources are of one data set; the filter Merge Blocks makes one of them",
        sourceInput, found.count));
  }
  return found.data;
}

/// Collective. Fronts that were told no place start in the cell that is nearest to the middle of the input's bounds.
void startInTheMiddle(const RankGroup& group, vtkDataObject* input, ArrivalSettings& settings) {
  if (settings.sources != FrontsFrom::PlacedPoints || !settings.placedPoints.empty()) {
    return;
  }
  std::vector<double> ends(
    6, -std::numeric_limits<double>::infinity()); // greatest coordinates, and those of the mirror
  for (const DataBlock& block : blocksOf(group, input)) {
    for (vtkDataSet* const piece : block.pieces) {
      const double* const bounds = piece->GetNumberOfCells() > 0 ? piece->GetBounds() : nullptr;
      for (std::size_t k = 0; k < ends.size() && bounds != nullptr; ++k) {
        ends[k] = std::max(ends[k], k % 2 == 0 ? -bounds[k] : bounds[k]);
      }
    }
  }
  group.maximum(ends);
  if (std::all_of(ends.begin(), ends.end(), [](double end) { return std::isfinite(end); })) {
    const double lengths[] = {ends[0] + ends[1], ends[2] + ends[3], ends[4] + ends[5]};
    settings.placedPoints = {0.5 * (ends[1] - ends[0]), 0.5 * (ends[3] - ends[2]), 0.5 * (ends[5] - ends[4])};
    settings.reach = std::hypot(lengths[0], lengths[1], lengths[2]); // no cell is farther
  }
}

/// Throws InvalidArgument for a data set that is neither a mesh nor an image.
void requireCells(vtkDataSet* input) {
  if (input != nullptr && !input->IsA("vtkImageData") && !input->IsA("vtkUnstructuredGrid") &&
    !input->IsA("vtkPolyData")) {
    throw InvalidArgument(std::format(
      "the input is a {}; it must be an image, a grid of intervals, levels, an unstructured grid or polygonal data: "
      "Resample To Image makes an image of it, and Tetrahedralize a mesh",
      input->GetClassName()));
  }
}

} // namespace

vtkSpanwiseEikonalArrivalTime::vtkSpanwiseEikonalArrivalTime() { this->SetNumberOfInputPorts(2); }

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
  os << indent << "SpeedAlongFibres: " << this->SpeedAlongFibres << "\n";
  os << indent << "SpeedAcrossFibres: " << this->SpeedAcrossFibres << "\n";
  os << indent << "ZeroSpeedIsWall: " << this->ZeroSpeedIsWall << "\n";
  os << indent << "Cells: " << this->Cells << "\n";
  os << indent << "MergeDistance: " << this->MergeDistance << "\n";
  os << indent << "Order: " << this->Order << "\n";
  os << indent << "FactorTimes: " << this->FactorTimes << "\n";
  os << indent << "FactoringRadius: " << this->FactoringRadius << "\n";
  os << indent << "StopTime: " << this->StopTime << "\n";
  os << indent << "StopRegion: " << this->StopRegion << "\n";
  os << indent << "Tolerance: " << this->Tolerance << "\n";
  os << indent << "MaximumIterations: " << this->MaximumIterations << "\n";
  os << indent << "Unreached: " << this->Unreached << "\n";
  os << indent << "UnreachedTime: " << this->UnreachedTime << "\n";
  os << indent << "ComputeNearestSource: " << this->ComputeNearestSource << "\n";
  os << indent << "ComputeGradient: " << this->ComputeGradient << "\n";
  os << indent << "ResultArrayName: " << this->ResultArrayName << "\n";
  os << indent << "Controller: " << this->Controller << "\n";
  this->PrintPeriodicAxes(os, indent);
}

void vtkSpanwiseEikonalArrivalTime::SetNumberOfSourcePoints(int count) {
  if (this->PlacedPoints.resize(count)) {
    this->Modified();
  }
}

int vtkSpanwiseEikonalArrivalTime::GetNumberOfSourcePoints() const { return this->PlacedPoints.count(); }

void vtkSpanwiseEikonalArrivalTime::SetSourcePoint(int index, double x, double y, double z) {
  if (this->PlacedPoints.set(index, x, y, z)) {
    this->Modified();
  }
}

void vtkSpanwiseEikonalArrivalTime::SetTensorMatrix(const double matrix[9]) {
  try {
    const eikonal::SymmetricTensor m = eikonal::Speed::constantMatrix(matrix).tensor;
    this->SetTensor(m.xx, m.yy, m.zz, m.xy, m.yz, m.xz);
  } catch (const InvalidArgument& error) {
    vtkErrorMacro(<< error.what());
  }
}

vtkDataSet* vtkSpanwiseEikonalArrivalTime::GetDataSetOutput() {
  return vtkDataSet::SafeDownCast(this->GetOutputDataObject(0));
}

int vtkSpanwiseEikonalArrivalTime::FillInputPortInformation(int port, vtkInformation* info) {
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataSet");
  if (port == 1) {
    info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
    info->Append(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObjectTree"); // of one block
  } else {
    info->Append(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkPartitionedDataSetCollection");
    info->Append(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObjectTree"); // of one block
  }
  return 1;
}

int vtkSpanwiseEikonalArrivalTime::RequestInformation(
  vtkInformation* /*request*/, vtkInformationVector** /*inputs*/, vtkInformationVector* outputs) {
  outputs->GetInformationObject(0)->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  return 1;
}

int vtkSpanwiseEikonalArrivalTime::RequestUpdateExtent(
  vtkInformation* /*request*/, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  requestWholeInputs(
    RankGroup::ofRequest(this->Controller, outputs->GetInformationObject(0)), inputs, this->GetNumberOfInputPorts());
  return 1;
}

int vtkSpanwiseEikonalArrivalTime::RequestData(
  vtkInformation* /*request*/, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  const RankGroup group = RankGroup::ofRequest(this->Controller, outputs->GetInformationObject(0));
  vtkDataObject* output = vtkDataObject::GetData(outputs, 0);
  output->Initialize();
  if (group.streams() && group.piece() > 0) {
    return 1; // the first piece has all cells
  }
  return execute(this, outputs, group, [&] { this->Tell(this->Solve(group, inputs, output), output); });
}

void vtkSpanwiseEikonalArrivalTime::CheckProperties() const {
  checkChoice("choice of the sources", this->Sources, CELLS);
  checkChoice("meaning of the array of sources", this->SourceArrayMeaning, TIMES);
  checkChoice("choice of the speed", this->SpeedKind, FIBRES);
  checkChoice("choice of the cells", this->Cells, SOLID);
  checkChoice("choice for points that are not reached", this->Unreached, GIVEN_TIME);
  if (this->Order != FIRST && this->Order != SECOND) {
    throw InvalidArgument(std::format("the order of differences is {}; it must be 1 or 2", this->Order));
  }
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

ArrivalSettings vtkSpanwiseEikonalArrivalTime::GetSettings() {
  this->CheckProperties();
  ArrivalSettings settings;
  static constexpr FrontsFrom kinds[] = {FrontsFrom::PlacedPoints, FrontsFrom::PointsOfSecond,
    FrontsFrom::SurfaceOfSecond, FrontsFrom::Array, FrontsFrom::CellsOfSecond};
  settings.sources = kinds[this->Sources];
  settings.placedPoints = this->PlacedPoints.coordinates();
  settings.sourceTimes = this->SourceTimes;
  settings.sourceArray = [this](vtkDataSet* data, bool& onPoints) {
    return this->GetChosenArray(0, "sources", data, onPoints);
  };
  settings.sourceArrayMeaning = this->SourceArrayMeaning == MARKS ? SourceArray::Marks : SourceArray::Times;
  settings.reach = this->Reach;
  static constexpr SpeedGivenBy speeds[] = {
    SpeedGivenBy::Constant, SpeedGivenBy::Tensor, SpeedGivenBy::Array, SpeedGivenBy::Fibres};
  settings.speedBy = speeds[this->SpeedKind];
  settings.speed = this->Speed;
  std::copy_n(this->Tensor, 6, settings.tensor);
  settings.speedArray = [this](vtkDataSet* data, bool& onPoints) {
    return this->GetChosenArray(1, "speed", data, onPoints);
  };
  settings.fibreArray = [this](vtkDataSet* data, bool& onPoints) {
    return this->GetChosenArray(2, "fibres", data, onPoints);
  };
  settings.fibreSpeeds = {this->SpeedAlongFibres, this->SpeedAcrossFibres};
  settings.zeroSpeed = this->ZeroSpeedIsWall ? eikonal::ZeroSpeed::Wall : eikonal::ZeroSpeed::Error;
  settings.frontsIn = static_cast<eikonal::FrontsIn>(this->Cells);
  settings.mergeDistance = this->MergeDistance;
  settings.order = this->Order;
  settings.periods = this->GetPeriodChoice();
  settings.factorTimes = this->FactorTimes;
  settings.factoringRadius = this->FactoringRadius;
  settings.iteration.stopTime = this->StopTime;
  settings.stopRegion = this->StopRegion;
  settings.iteration.tolerance = this->Tolerance;
  if (this->MaximumIterations > 0) {
    settings.iteration.maxIterations = this->MaximumIterations;
  }
  settings.timeOfUnreached = this->Unreached == INFINITE ? eikonal::notReached
    : this->Unreached == NOT_A_NUMBER                    ? std::numeric_limits<double>::quiet_NaN()
                                                         : this->UnreachedTime;
  settings.computeNearestSource = this->ComputeNearestSource;
  settings.computeGradient = this->ComputeGradient;
  settings.resultArrayName = this->ResultArrayName;
  return settings;
}

vtkDataArray* vtkSpanwiseEikonalArrivalTime::GetChosenArray(
  int index, const char* what, vtkDataSet* data, bool& onPoints) {
  return chosenArray(
    this, index, what, data, [&](int& association) { return this->GetInputArrayToProcess(index, data, association); },
    onPoints);
}

ArrivalSummary vtkSpanwiseEikonalArrivalTime::Solve(
  const RankGroup& group, vtkInformationVector** inputs, vtkDataObject* output) {
  ArrivalSettings settings = this->GetSettings();
  vtkDataSet* const second = onlySources(group, vtkDataObject::GetData(inputs[1], 0));
  startInTheMiddle(group, vtkDataObject::GetData(inputs[0], 0), settings);
  auto* const levels = vtkPartitionedDataSetCollection::GetData(inputs[0], 0);
  if (group.sum(levels != nullptr ? 1 : 0) > 0) {
    return solveOnLevels(
      group, settings, levels, second, progressOf(this), vtkPartitionedDataSetCollection::SafeDownCast(output));
  }
  vtkDataObject* const data = vtkDataObject::GetData(inputs[0], 0);
  vtkDataSet* const input = onlyMesh(group, data);
  auto* result = vtkDataSet::SafeDownCast(output);
  group.agree(
    [&] { copyBlocks(data, output, [&](vtkDataSet* from, vtkDataSet* to) { result = from == input ? to : result; }); });
  group.agree([&] { requireCells(input); });
  // Ranks without cells may have anything.
  const bool isGrid = group.sum(isOnLattice(input) ? 1 : 0) > 0;
  return isGrid ? solveOnGrid(group, settings, input, second, progressOf(this), result)
                : solveOnMesh(group, settings, input, second, progressOf(this), result);
}

void vtkSpanwiseEikonalArrivalTime::Tell(const ArrivalSummary& summary, vtkDataObject* output) {
  for (const auto& [name, value] : summary.values) {
    vtkNew<vtkDoubleArray> array;
    array->SetName(name.c_str());
    array->InsertNextValue(value);
    output->GetFieldData()->AddArray(array);
  }
  for (const std::string& warning : summary.warnings) {
    vtkWarningMacro(<< warning);
  }
}
