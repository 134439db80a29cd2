#include "vtkSpanwiseEikonalPaths.h"

#include "SpanwiseArrivalProblem.h"
#include "SpanwiseBridge.h"
#include "SpanwiseExecute.h"

#include "Core/Runtime/Error.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCompositeDataSet.h>
#include <vtkDataSet.h>
#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIdTypeArray.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPartitionedDataSetCollection.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <format>
#include <string>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseEikonalPaths);

namespace {

/// Paths as lines, with the numbers of their seeds and sources. Those without points are on other ranks. Returns how
/// many seeds have none.
vtkIdType fill(
  vtkPolyData* output, const FrontPaths& paths, const std::vector<std::int64_t>& seeds, const char* timesName) {
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
  for (std::size_t k = 0; k < paths.sources.size(); ++k) {
    const std::int64_t length = paths.begins[k + 1] - paths.begins[k];
    if (length < 2) { // a seed at a source is its own path
      without += length == 1 && paths.sources[k] < 0 ? 1 : 0;
      continue;
    }
    lines->InsertNextCell(static_cast<int>(length));
    for (std::int64_t p = paths.begins[k]; p < paths.begins[k + 1]; ++p) {
      lines->InsertCellPoint(points->InsertNextPoint(paths.points.data() + 3 * p));
      times->InsertNextValue(paths.times[static_cast<std::size_t>(p)]);
    }
    seedOf->InsertNextValue(seeds[k]);
    sourceOf->InsertNextValue(paths.sources[k]);
  }
  output->SetPoints(points);
  output->SetLines(lines);
  output->GetPointData()->SetScalars(times);
  output->GetCellData()->AddArray(seedOf);
  output->GetCellData()->AddArray(sourceOf);
  return without;
}

void addCount(vtkPolyData* output, vtkIdType without) {
  vtkNew<vtkIdTypeArray> count;
  count->SetName("Seeds Without Path");
  count->InsertNextValue(without);
  output->GetFieldData()->AddArray(count);
}

/// The array of a data set that carries its problem; null if there is none.
vtkDataArray* timesWithProblem(vtkDataSetAttributes* arrays, vtkDataSet* data) {
  if (problemOf(arrays->GetScalars(), data) != nullptr) {
    return arrays->GetScalars();
  }
  for (int k = 0; k < arrays->GetNumberOfArrays(); ++k) {
    if (problemOf(arrays->GetArray(k), data) != nullptr) {
      return arrays->GetArray(k);
    }
  }
  return nullptr;
}

/// Null where there are neither times nor cells.
vtkDataArray* findTimes(vtkDataSet* input) {
  vtkDataArray* times = timesWithProblem(input->GetPointData(), input);
  if (times == nullptr) {
    times = timesWithProblem(input->GetCellData(), input);
  }
  if (times == nullptr && input->GetNumberOfCells() > 0) {
    throw InvalidArgument("the input has no arrival times that belong to its points or cells; it must be the result of "
                          "Spanwise Eikonal Arrival Time, with the same points and cells");
  }
  return times;
}

/// Collective. The name of the times on the first rank that has some.
std::string nameOnRanks(const RankGroup& group, vtkDataArray* times) {
  const std::int64_t first = -group.maximum(-std::int64_t{times != nullptr ? group.rank() : group.size()});
  return group.gather(group.rank() == first ? std::string(times->GetName()) : std::string());
}

/// The data set of an input: itself, or of its levels the first with cells, else the first; null if there is none.
vtkDataSet* dataSetOf(vtkDataObject* input) {
  if (auto* levels = vtkPartitionedDataSetCollection::SafeDownCast(input)) {
    const auto all = vtkCompositeDataSet::GetDataSets(levels);
    const auto filled = std::find_if(all.begin(), all.end(), [](auto* data) { return data->GetNumberOfCells() > 0; });
    return filled != all.end() ? *filled : all.empty() ? nullptr : all.front();
  }
  return vtkDataSet::SafeDownCast(input);
}

} // namespace

vtkSpanwiseEikonalPaths::vtkSpanwiseEikonalPaths() { this->SetNumberOfInputPorts(2); }

void vtkSpanwiseEikonalPaths::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Seeds: " << this->Seeds << "\n";
  os << indent << "NumberOfSeedPoints: " << this->GetNumberOfSeedPoints() << "\n";
  os << indent << "Reach: " << this->Reach << "\n";
  os << indent << "MaximumSteps: " << this->MaximumSteps << "\n";
  os << indent << "Controller: " << this->Controller << "\n";
}

void vtkSpanwiseEikonalPaths::SetNumberOfSeedPoints(int count) {
  if (this->PlacedPoints.resize(count)) {
    this->Modified();
  }
}

int vtkSpanwiseEikonalPaths::GetNumberOfSeedPoints() const { return this->PlacedPoints.count(); }

void vtkSpanwiseEikonalPaths::SetSeedPoint(int index, double x, double y, double z) {
  if (this->PlacedPoints.set(index, x, y, z)) {
    this->Modified();
  }
}

int vtkSpanwiseEikonalPaths::FillInputPortInformation(int port, vtkInformation* info) {
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataSet");
  if (port == 1) {
    info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
  } else {
    info->Append(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkPartitionedDataSetCollection");
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
  requestWholeInputs(
    RankGroup::ofRequest(this->Controller, outputs->GetInformationObject(0)), inputs, this->GetNumberOfInputPorts());
  return 1;
}

int vtkSpanwiseEikonalPaths::RequestData(
  vtkInformation* /*request*/, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  const RankGroup group = RankGroup::ofRequest(this->Controller, outputs->GetInformationObject(0));
  vtkPolyData* output = vtkPolyData::GetData(outputs, 0);
  output->Initialize();
  if (group.streams() && group.piece() > 0) {
    return 1; // the first piece has all paths
  }
  return execute(this, outputs, group, [&] { this->MakeOutput(group, inputs, output); });
}

void vtkSpanwiseEikonalPaths::MakeOutput(const RankGroup& group, vtkInformationVector** inputs, vtkPolyData* output) {
  if (this->Seeds != PLACED_POINTS && this->Seeds != POINTS) {
    throw InvalidArgument(std::format("the choice of the seeds is {}; it must be within 0 and 1", this->Seeds));
  }
  if (!(this->Reach >= 0.0)) {
    throw InvalidArgument(std::format("the reach of seeds is {}; it must not be negative", this->Reach));
  }
  if (this->MaximumSteps < 0) {
    throw InvalidArgument(std::format("the number of steps is {}; it must not be negative", this->MaximumSteps));
  }
  FrontSources seeds;
  if (this->Seeds == PLACED_POINTS) {
    seeds.points = this->PlacedPoints.coordinates();
    for (std::int64_t k = 0; k < this->GetNumberOfSeedPoints(); ++k) {
      seeds.pointNumbers.push_back(k);
    }
  } else {
    vtkDataSet* second = vtkDataSet::GetData(inputs[1], 0);
    if (group.sum(second != nullptr ? 1 : 0) == 0) {
      throw InvalidArgument(
        "there is no second input (Seed Input); it must be a data set, at whose points paths begin");
    }
    addPoints(group, seeds, second, "");
  }
  vtkDataObject* const input = vtkDataObject::GetData(inputs[0], 0);
  vtkDataSet* const cells = dataSetOf(input);
  vtkDataArray* times = nullptr;
  ArrivalProblemPointer problem;
  group.agree([&] {
    times = cells != nullptr ? findTimes(cells) : nullptr;
    problem = cells != nullptr ? problemOf(times, cells) : nullptr;
  });
  const PathSettings settings{this->Reach, this->MaximumSteps};
  vtkIdType without = 0;
  const auto sayWithout = [&] {
    const auto ofAll = group.sum(without);
    addCount(output, ofAll);
    if (group.sum(output->GetNumberOfLines()) == 0 && ofAll > 0 && group.rank() == 0) {
      vtkWarningMacro(<< (ofAll == 1 ? "the seed has no path" : std::format("none of the {} seeds has a path", ofAll))
                      << "; a seed must be in a cell that a front came to, or within the reach of one, which is "
                      << this->Reach);
    }
  };
  if (group.sum(problem != nullptr && problem->isInPieces() ? 1 : 0) == 0) {
    group.agree([&] {
      if (problem != nullptr) {
        const FrontPaths paths = problem->trace(seeds, settings, cells, progressOf(this));
        output->GetFieldData()->PassData(input->GetFieldData());
        without = fill(output, paths, seeds.pointNumbers, times->GetName());
      }
    });
    if (group.sum(problem != nullptr ? 1 : 0) > 0) {
      sayWithout();
    }
    return;
  }
  const std::int64_t number = group.maximum(problem != nullptr ? problem->number() : 0);
  const std::string name = nameOnRanks(group, times);
  group.agree([&] {
    if (problem == nullptr && (cells == nullptr || cells->GetNumberOfCells() < 1)) {
      problem = partWithoutCells(number);
    }
    if (problem == nullptr || problem->number() != number) {
      throw InvalidArgument(
        "a rank has no arrival times of the mesh that is in pieces on others; the input must be the "
        "result of Spanwise Eikonal Arrival Time on all ranks");
    }
  });
  const FrontPaths paths = problem->traceTogether(group, seeds, settings, cells, progressOf(this));
  group.agree([&] {
    if (input != nullptr) {
      output->GetFieldData()->PassData(input->GetFieldData());
    }
    without = fill(output, paths, seeds.pointNumbers, name.c_str());
  });
  sayWithout();
}
