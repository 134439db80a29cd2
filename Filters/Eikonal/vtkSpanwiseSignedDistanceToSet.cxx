#include "vtkSpanwiseSignedDistanceToSet.h"

#include "SpanwiseAboutInput.h"
#include "SpanwiseBridge.h"
#include "SpanwiseDistanceChoices.h"
#include "SpanwiseExecute.h"
#include "SpanwiseInputCells.h"
#include "SpanwiseInputLevels.h"
#include "SpanwiseLevelDistance.h"
#include "SpanwisePeriods.h"
#include "SpanwiseSetDistance.h"

#include "Core/Runtime/Error.hpp"

#include <vtkDataSet.h>
#include <vtkDemandDrivenPipeline.h>
#include <vtkInformation.h>
#include <vtkInformationDoubleKey.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cmath>
#include <format>
#include <limits>
#include <vector>

using namespace spanwise::geometry;
using namespace spanwise::parallel;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseSignedDistanceToSet);

namespace {

// What messages call the data set whose cells get distances.
constexpr const char* cellsInput = "second input (Cells Input)";

bool isLevels(const RankGroup& group, vtkDataObject* data) {
  return group.sum(vtkPartitionedDataSetCollection::SafeDownCast(data) != nullptr ? 1 : 0) > 0;
}

std::int64_t cellsOf(const RankGroup& group, const AnyHierarchy& levels) {
  return group.sum(std::visit([](const auto& any) { return any.numCells(); }, levels));
}

[[noreturn]] void refuseDimensions(int ofSet, int ofCells) {
  throw InvalidArgument(std::format(
    "the set is {}D and the second input (Cells Input) {}D; they must have the same dimension", ofSet, ofCells));
}

/// Collective. The distance to levels from the cells of a placement, of which there are so many.
template <int Dim>
LevelDistance<Dim> distanceTo(const RankGroup& group, const AnyHierarchy& levels, const PeriodChoice& periods,
  const GridPlacement& placement, std::int64_t numCells) {
  Hierarchy<Dim> set;
  if (cellsOf(group, levels) > 0 && numCells > 0) {
    if (!std::holds_alternative<Hierarchy<Dim>>(levels)) {
      refuseDimensions(Dim == 2 ? 3 : 2, Dim);
    }
    set = std::get<Hierarchy<Dim>>(levels);
    const double apart = std::abs(set.root.origin[2] - placement.origin[2]);
    if (Dim == 2 && apart > 1e-6 * placement.spacing[0]) {
      throw InvalidArgument(std::format("the set lies at z = {} and the second input (Cells Input) at z = {}; cells of "
                                        "2D inputs must be in one plane",
        set.root.origin[2], placement.origin[2]));
    }
    if (!group.alone()) {
      distributeLevels(group, set);
    }
  }
  return LevelDistance<Dim>(group, set, periods);
}

std::int64_t cellsOf(const RankGroup& group, const InputCells& input) {
  return group.sum(std::visit([](const auto& cells) { return cells.set.numCells(); }, input.cells));
}

} // namespace

vtkSpanwiseSignedDistanceToSet::vtkSpanwiseSignedDistanceToSet() { this->SetNumberOfInputPorts(2); }

void vtkSpanwiseSignedDistanceToSet::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Where: " << this->Where << "\n";
  os << indent << "Width: " << this->Width << "\n";
  os << indent << "Margin: " << this->Margin << "\n";
  os << indent << "Sign: " << this->Sign << "\n";
  os << indent << "MemoryLimit: " << this->MemoryLimit << "\n";
  os << indent << "ResultArrayName: " << this->ResultArrayName << "\n";
  this->PrintPeriodicAxes(os, indent);
}

int vtkSpanwiseSignedDistanceToSet::FillInputPortInformation(int port, vtkInformation* info) {
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataSet");
  info->Append(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkPartitionedDataSetCollection");
  if (port == 1) {
    info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  }
  return 1;
}

int vtkSpanwiseSignedDistanceToSet::FillOutputPortInformation(int /*port*/, vtkInformation* info) {
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkDataObject");
  return 1;
}

vtkDataObject* vtkSpanwiseSignedDistanceToSet::GetPlaces(vtkInformationVector** inputs) const {
  return vtkDataObject::GetData(inputs[this->Where == CELLS_OF_SECOND_INPUT ? 1 : 0], 0);
}

vtkTypeBool vtkSpanwiseSignedDistanceToSet::ProcessRequest(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  if (request->Has(vtkDemandDrivenPipeline::REQUEST_DATA_OBJECT()) == 0) {
    return this->Superclass::ProcessRequest(request, inputs, outputs);
  }
  const bool inLeaves = (this->Where == CELLS_OF_SET || this->Where == CELLS_OF_SECOND_INPUT) &&
    vtkPartitionedDataSetCollection::SafeDownCast(this->GetPlaces(inputs)) != nullptr;
  vtkInformation* const information = outputs->GetInformationObject(0);
  const char* const type = inLeaves ? "vtkPartitionedDataSetCollection" : "vtkUnstructuredGrid";
  vtkDataObject* const before = vtkDataObject::GetData(information);
  if (before == nullptr || !before->IsA(type)) {
    if (inLeaves) {
      information->Set(vtkDataObject::DATA_OBJECT(), vtkNew<vtkPartitionedDataSetCollection>());
    } else {
      information->Set(vtkDataObject::DATA_OBJECT(), vtkNew<vtkUnstructuredGrid>());
    }
  }
  return 1;
}

int vtkSpanwiseSignedDistanceToSet::RequestData(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  auto* const levels = vtkPartitionedDataSetCollection::GetData(outputs, 0);
  if (levels == nullptr) {
    return this->Superclass::RequestData(request, inputs, outputs);
  }
  const auto group = RankGroup::ofRequest(this->Controller, outputs->GetInformationObject(0));
  levels->Initialize();
  return execute(this, outputs, group, [&] { this->MakeLevels(group, inputs, levels); });
}

void vtkSpanwiseSignedDistanceToSet::CheckProperties() const {
  checkChoice("choice of places", this->Where, CELLS_OF_SECOND_INPUT);
  checkChoice("choice of the sign", this->Sign, UNSIGNED);
  checkNotNegative("width of the band", this->Width);
  checkNotNegative("margin of the box", this->Margin);
  checkMemoryLimit(this->MemoryLimit);
  checkArrayName(this->ResultArrayName);
}

AnyHierarchy vtkSpanwiseSignedDistanceToSet::ReadSet(const RankGroup& group, vtkDataObject* data) {
  const spanwise::Progress progress = progressOf(this).part(0.0, 0.2);
  if (isLevels(group, data)) {
    return readLevels(group, data, InputValues::None, progress);
  }
  const InputCells cells = readCells(group, vtkDataSet::SafeDownCast(data), InputValues::None, progress);
  return std::visit(
    [&]<int Dim>(const RankCells<Dim>& set) { return AnyHierarchy(Hierarchy<Dim>{cells.placement, {set}}); },
    cells.cells);
}

void vtkSpanwiseSignedDistanceToSet::MakeLevels(
  const RankGroup& group, vtkInformationVector** inputs, vtkPartitionedDataSetCollection* output) {
  this->CheckProperties();
  vtkDataObject* const data = this->GetPlaces(inputs);
  const AnyHierarchy set = this->ReadSet(group, vtkDataObject::GetData(inputs[0], 0));
  const auto read = [&] { return readLevels(group, data, InputValues::AllOnAnySide, progressOf(this).part(0.2, 0.3)); };
  AnyHierarchy where = this->Where == CELLS_OF_SET ? read() : aboutInput(cellsInput, read);
  std::visit(
    [&]<int Dim>(Hierarchy<Dim>& asked) {
      const auto distance =
        distanceTo<Dim>(group, set, this->GetPeriodChoice(), asked.root, group.sum(asked.numCells()));
      distributeLevels(group, asked);
      int numLeft = asked.numLevels();
      if (this->Where == CELLS_OF_SET && this->FillsABox(group, asked)) {
        --numLeft;
        const SetDistance<Dim> inBox{group, placementOfLevel(asked.root, numLeft), distance.periodsOn(numLeft),
          this->ResultArrayName, signOf(this->Sign), this->MemoryLimit * 1048576.0, progressOf(this).part(0.3, 0.6)};
        RankCells<Dim> cells;
        group.agree([&] { cells = cellsOfLevels(asked); });
        inBox.inCells(cells, asked.leaves[numLeft]);
      }
      std::vector<PlacedCells<Dim>> left;
      for (int level = 0; level < numLeft; ++level) {
        left.push_back({placementOfLevel(asked.root, level), &asked.leaves[level]});
      }
      distance.addTo(group, left, this->ResultArrayName, signOf(this->Sign), progressOf(this).part(0.6, 1.0));
      const PlaneRange owned = distributeLevels(group, asked);
      group.agree([&] { setLevels(output, asked, owned); });
    },
    where);
  if (data != nullptr) {
    output->GetFieldData()->PassData(data->GetFieldData());
    // Executives pass the time on where the input announces time steps; some readers only say it of their data.
    if (data->GetInformation()->Has(vtkDataObject::DATA_TIME_STEP())) {
      output->GetInformation()->CopyEntry(data->GetInformation(), vtkDataObject::DATA_TIME_STEP());
    }
  }
}

template <int Dim>
bool vtkSpanwiseSignedDistanceToSet::FillsABox(const RankGroup& group, const Hierarchy<Dim>& levels) const {
  constexpr double cellsOfBoxALeaf = 64.0; // a search takes hundreds of times as long as a cell of a box
  if (levels.leaves.empty()) {
    return false;
  }
  double cells = 1.0;
  for (int axis = 0; axis < Dim; ++axis) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (int level = 0; level < levels.numLevels(); ++level) {
      const Box<Dim> box = boundingBoxOfAll<Dim>(group, {&levels.leaves[level].set});
      const double size = std::ldexp(1.0, levels.numLevels() - 1 - level);
      low = box.empty() ? low : std::min(low, box.begin[axis] * size);
      high = box.empty() ? high : std::max(high, box.end[axis] * size);
    }
    cells *= std::max(high - low, 0.0) + 2.0;
  }
  const auto numFinest = static_cast<double>(group.sum(levels.leaves.back().set.numCells()));
  return cells <= cellsOfBoxALeaf * numFinest && 16.0 * cells <= this->MemoryLimit * 1048576.0;
}

void vtkSpanwiseSignedDistanceToSet::MakeGridOfLevels(
  const RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
  const AnyHierarchy set = this->ReadSet(group, vtkDataObject::GetData(inputs[0], 0));
  if (this->Where != CELLS_OF_SECOND_INPUT) {
    std::visit(
      [&]<int Dim>(const Hierarchy<Dim>& levels) {
        Hierarchy<Dim> mine = levels;
        if (!group.alone()) {
          distributeLevels(group, mine);
        }
        RankCells<Dim> cells;
        group.agree([&] { cells = cellsOfLevels(mine); });
        this->Compute(group, placementOfLevel(mine.root, std::max(mine.numLevels() - 1, 0)), cells, cells, output);
      },
      set);
    return;
  }
  vtkDataSet* const data = vtkDataSet::GetData(inputs[1], 0);
  InputCells where = aboutInput(
    cellsInput, [&] { return readCells(group, data, InputValues::AllOnAnySide, progressOf(this).part(0.2, 0.3)); });
  const std::int64_t numCells = cellsOf(group, where);
  std::visit(
    [&]<int Dim>(RankCells<Dim>& asked) {
      const auto distance = distanceTo<Dim>(group, set, this->GetPeriodChoice(), where.placement, numCells);
      const PlaneRange owned = distribute(group, asked);
      distance.addTo(
        group, {{where.placement, &asked}}, this->ResultArrayName, signOf(this->Sign), progressOf(this).part(0.3, 1.0));
      group.agree([&] { setCells(output, asked, where.placement, owned); });
    },
    where.cells);
}

void vtkSpanwiseSignedDistanceToSet::MakeOutput(
  const RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
  this->CheckProperties();
  const bool needsSecond = this->Where == CELLS_OF_SECOND_INPUT;
  if (needsSecond && inputs[1]->GetNumberOfInformationObjects() == 0) {
    throw InvalidArgument("distances are asked for in the cells of the second input (Cells Input), and there is none");
  }
  if (isLevels(group, vtkDataObject::GetData(inputs[0], 0))) {
    this->MakeGridOfLevels(group, inputs, output);
  } else {
    this->MakeGrid(group, inputs, output);
  }
  if (vtkDataObject* const data = this->GetPlaces(inputs)) {
    output->GetFieldData()->PassData(data->GetFieldData());
  }
}

void vtkSpanwiseSignedDistanceToSet::MakeGrid(
  const RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {
  vtkDataSet* data = vtkDataSet::GetData(inputs[0], 0);
  const InputValues values = this->Where == CELLS_OF_SET ? InputValues::AllOnAnySide : InputValues::None;
  InputCells set = readCells(group, data, values, progressOf(this).part(0.0, 0.2));
  if (this->Where != CELLS_OF_SECOND_INPUT) {
    std::visit([&](auto& cells) { this->Compute(group, set.placement, cells, cells, output); }, set.cells);
  } else {
    data = vtkDataSet::GetData(inputs[1], 0);
    InputCells where = aboutInput(
      cellsInput, [&] { return readCells(group, data, InputValues::AllOnAnySide, progressOf(this).part(0.2, 0.3)); });
    if (cellsOf(group, set) == 0) { // of any dimension, anywhere
      set = where;
      std::visit([](auto& cells) { cells = {}; }, set.cells);
    } else if (cellsOf(group, where) == 0) {
      where = set;
      std::visit([](auto& cells) { cells = {}; }, where.cells);
    }
    if (set.dimension() != where.dimension()) {
      refuseDimensions(set.dimension(), where.dimension());
    }
    std::visit(
      [&]<int Dim>(RankCells<Dim>& cells) {
        auto& asked = std::get<RankCells<Dim>>(where.cells);
        group.agree(
          [&] { aboutInput(cellsInput, [&] { moveToLattice<Dim>(asked.set, where.placement, set.placement); }); });
        this->Compute(group, set.placement, cells, asked, output);
      },
      set.cells);
  }
}

template <int Dim>
void vtkSpanwiseSignedDistanceToSet::Compute(const RankGroup& group, const GridPlacement& placement,
  RankCells<Dim>& cells, RankCells<Dim>& asked, vtkUnstructuredGrid* output) {
  const SetDistance<Dim> distance{group, placement,
    periodsOf<Dim>(group, this->GetPeriodChoice(), cells.set, placement), this->ResultArrayName, signOf(this->Sign),
    this->MemoryLimit * 1048576.0, progressOf(this).part(0.3, 0.9)};
  switch (this->Where) {
  case CELLS_OF_SET:
    distance.inSet(asked);
    break;
  case BAND:
    distance.inBand(this->Width, asked);
    break;
  case BOX:
    distance.inBox(this->Margin, asked);
    break;
  default:
    distance.inCells(cells, asked);
  }
  const PlaneRange owned = distribute(group, asked);
  group.agree([&] { setCells(output, asked, placement, owned); });
}
