#include "vtkSpanwiseReader.h"

#include "IcsrReader.hpp"
#include "SpanwiseBridge.h"
#include "SpanwiseFileArrays.h"
#include "SpanwiseTeam.h"

#include "Core/Runtime/Error.hpp"

#include "vtkCellData.h"
#include "vtkDataArraySelection.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"
#include "vtkPointData.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkStringArray.h"
#include "vtkUnstructuredGrid.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include <unistd.h>

namespace {

using Pipeline = vtkStreamingDemandDrivenPipeline;

// What tells one state of a file from another.
struct FileState {
  std::string name;
  std::filesystem::file_time_type time;
  std::uintmax_t size = 0;

  friend bool operator==(const FileState&, const FileState&) = default;
};

FileState stateOf(const std::string& name) {
  std::error_code error;
  return {name, std::filesystem::last_write_time(name, error), std::filesystem::file_size(name, error)};
}

// A grid that was read, and where from.
template <int Dim>
struct KeptGrid {
  spanwise::IntervalGridPointer<Dim> grid;
  spanwise::IcsrRows rows;
  spanwise::IcsrPart<Dim> part;
};

// A few bytes can say that there are 2^50 cells, and the tables that make cells quick to find would take as many as the
// memory of all computers. What cannot fit into this computer is not tried.
template <int Dim>
void checkMemory(const spanwise::HostIntervalSet<Dim>& set, const std::string& name) {
  const double cells = static_cast<double>(set.numCells());
  const double tables = 0.25 * cells + 72.0 * static_cast<double>(set.numIntervals());
  const double memory = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (tables > memory) {
    throw spanwise::FileError("cannot read '" + name + "': a grid of " + std::to_string(set.numCells()) +
      " cells needs " + std::to_string(static_cast<std::int64_t>(tables / 1e9)) +
      " GB for its tables; this computer has " + std::to_string(static_cast<std::int64_t>(memory / 1e9)) +
      " GB of memory");
  }
}

spanwise::GridPlacement toGrid(const spanwise::IcsrPlacement& placement) {
  spanwise::GridPlacement result;
  std::copy_n(placement.origin, 3, result.origin);
  std::copy_n(placement.spacing, 3, result.spacing);
  result.level = placement.level;
  return result;
}

// Puts the names of arrays into a selection, where those that it knows keep their state.
void listArrays(const std::vector<spanwise::IcsrArray>& arrays, vtkDataArraySelection* selection) {
  std::vector<std::string> names;
  for (const spanwise::IcsrArray& array : arrays) {
    names.push_back(array.name);
    if (!selection->ArrayExists(array.name.c_str())) {
      selection->AddArray(array.name.c_str());
    }
  }
  for (int k = selection->GetNumberOfArrays() - 1; k >= 0; --k) {
    if (std::find(names.begin(), names.end(), selection->GetArrayName(k)) == names.end()) {
      selection->RemoveArrayByIndex(k);
    }
  }
}

std::vector<spanwise::IcsrArray> chosen(
  const std::vector<spanwise::IcsrArray>& arrays, vtkDataArraySelection* selection) {
  std::vector<spanwise::IcsrArray> result;
  std::copy_if(arrays.begin(), arrays.end(), std::back_inserter(result), [&](const spanwise::IcsrArray& array) {
    return !selection->ArrayExists(array.name.c_str()) || selection->ArrayIsEnabled(array.name.c_str());
  });
  return result;
}

void readFieldData(const spanwise::IcsrReader& reader, int step, vtkFieldData* field) {
  for (const spanwise::IcsrArray& info : reader.fieldArrays(step)) {
    if (info.type != spanwise::ValueType::Text) {
      const auto array = spanwise::makeArray(info, info.numTuples);
      reader.fieldValues(step, info, array->GetVoidPointer(0));
      field->AddArray(array);
      continue;
    }
    vtkNew<vtkStringArray> array;
    array->SetName(info.name.c_str());
    for (const std::string& text : reader.fieldTexts(step, info)) {
      array->InsertNextValue(text);
    }
    field->AddArray(array);
  }
}

} // namespace

// The grid that was read last, for steps that have the same cells.
struct vtkSpanwiseReader::Internals {
  FileState File;
  int Step = -1;
  int Piece = 0;
  int Pieces = 1;
  std::variant<KeptGrid<2>, KeptGrid<3>> Kept;
  double RequestedTime = 0.0;
  bool HasRequestedTime = false;

  template <int Dim>
  void ReadCells(const spanwise::IcsrReader& reader, const FileState& file, int step, const spanwise::Team& team,
    const spanwise::Progress& progress) {
    if (this->File == file && this->Step >= 0 && this->Piece == team.piece() && this->Pieces == team.pieces() &&
      this->Kept.index() == Dim - 2 && reader.hasSameCells(step, this->Step, 0)) {
      return;
    }
    this->Step = -1;
    KeptGrid<Dim> kept;
    kept.rows = reader.part(step, 0, team.piece(), team.pieces());
    kept.part = reader.cells<Dim>(step, 0, kept.rows, progress);
    checkMemory<Dim>(kept.part.set, file.name);
    const spanwise::PlaneRange owned = reader.planes(step, 0, team.piece(), team.pieces());
    kept.grid = spanwise::IntervalGrid<Dim>::make(
      kept.part.set, toGrid(reader.level(step, 0).placement), {owned.begin, owned.end});
    this->Kept = kept;
    this->File = file;
    this->Step = step;
    this->Piece = team.piece();
    this->Pieces = team.pieces();
  }

  template <int Dim>
  void Read(vtkSpanwiseReader* self, const spanwise::IcsrReader& reader, const FileState& file, int step,
    const spanwise::Team& team, vtkUnstructuredGrid* output) {
    const spanwise::Progress progress = spanwise::progressOf(self);
    this->ReadCells<Dim>(reader, file, step, team, progress.part(0.0, 0.4));
    const auto& kept = std::get<KeptGrid<Dim>>(this->Kept);
    spanwise::setGrid<Dim>(output, kept.grid);
    const spanwise::IcsrLevel level = reader.level(step, 0);
    const auto cellArrays = chosen(level.cellArrays, self->CellDataArraySelection);
    const auto pointArrays = chosen(level.pointArrays, self->PointDataArraySelection);
    const auto count = static_cast<double>(cellArrays.size() + pointArrays.size());
    double done = 0.0;
    const auto next = [&] {
      done += 1.0;
      return progress.part(0.4 + 0.6 * (done - 1.0) / count, 0.4 + 0.6 * done / count);
    };
    for (const spanwise::IcsrArray& info : cellArrays) {
      const std::int64_t cells = kept.part.set.numCells();
      const auto array = spanwise::makeArray(info, cells);
      reader.cellValues(step, 0, info, kept.part.firstCell, cells, array->GetVoidPointer(0), next());
      spanwise::addArray(output->GetCellData(), info, array);
    }
    if (!pointArrays.empty()) {
      const auto numbers = reader.pointNumbers<Dim>(step, 0, kept.rows, kept.part);
      for (const spanwise::IcsrArray& info : pointArrays) {
        const auto array = spanwise::makeArray(info, numbers.numPoints);
        reader.pointValues(step, 0, info, kept.rows, numbers, array->GetVoidPointer(0), next());
        spanwise::addArray(output->GetPointData(), info, array);
      }
    }
    readFieldData(reader, step, output->GetFieldData());
  }
};

vtkStandardNewMacro(vtkSpanwiseReader);

vtkSpanwiseReader::vtkSpanwiseReader() : Impl(std::make_unique<Internals>()) { this->SetNumberOfInputPorts(0); }

vtkSpanwiseReader::~vtkSpanwiseReader() { this->SetFileName(nullptr); }

void vtkSpanwiseReader::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "FileName: " << (this->FileName ? this->FileName : "(none)") << "\n";
  os << indent << "CellDataArraySelection:\n";
  this->CellDataArraySelection->PrintSelf(os, indent.GetNextIndent());
  os << indent << "PointDataArraySelection:\n";
  this->PointDataArraySelection->PrintSelf(os, indent.GetNextIndent());
}

int vtkSpanwiseReader::CanReadFile(const char* name) { return name && spanwise::IcsrReader::canRead(name) ? 1 : 0; }

vtkDataArraySelection* vtkSpanwiseReader::GetCellDataArraySelection() { return this->CellDataArraySelection; }

vtkDataArraySelection* vtkSpanwiseReader::GetPointDataArraySelection() { return this->PointDataArraySelection; }

vtkMTimeType vtkSpanwiseReader::GetMTime() {
  return std::max({this->Superclass::GetMTime(), this->CellDataArraySelection->GetMTime(),
    this->PointDataArraySelection->GetMTime()});
}

int vtkSpanwiseReader::RequestInformation(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  vtkInformation* info = outputs->GetInformationObject(0);
  info->Remove(Pipeline::TIME_STEPS());
  info->Remove(Pipeline::TIME_RANGE());
  try {
    const spanwise::IcsrReader reader(this->FileName ? this->FileName : "");
    const std::vector<double>& times = reader.times();
    if (!times.empty()) {
      const double range[2] = {times.front(), times.back()};
      info->Set(Pipeline::TIME_STEPS(), times.data(), static_cast<int>(times.size()));
      info->Set(Pipeline::TIME_RANGE(), range, 2);
    }
    const spanwise::IcsrLevel level = reader.level(0, 0);
    listArrays(level.cellArrays, this->CellDataArraySelection);
    listArrays(level.pointArrays, this->PointDataArraySelection);
  } catch (const std::exception&) {
    // Said by RequestData, on which all ranks agree: one that stopped here alone would keep the others waiting.
  }
  return this->Superclass::RequestInformation(request, inputs, outputs);
}

int vtkSpanwiseReader::RequestData(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  vtkInformation* info = outputs->GetInformationObject(0);
  this->Impl->HasRequestedTime = info->Has(Pipeline::UPDATE_TIME_STEP());
  this->Impl->RequestedTime = this->Impl->HasRequestedTime ? info->Get(Pipeline::UPDATE_TIME_STEP()) : 0.0;
  return this->Superclass::RequestData(request, inputs, outputs);
}

void vtkSpanwiseReader::MakeOutput(const spanwise::Team& team, vtkInformationVector**, vtkUnstructuredGrid* output) {
  team.agree([&] {
    const std::string name = this->FileName ? this->FileName : "";
    if (name.empty()) {
      throw spanwise::FileError("no file name was given");
    }
    const FileState file = stateOf(name);
    const spanwise::IcsrReader reader(name);
    // The step at or before the time that is asked for, as VTK's readers choose it.
    const std::vector<double>& times = reader.times();
    int step = 0;
    if (this->Impl->HasRequestedTime && !times.empty()) {
      const auto after = std::upper_bound(times.begin(), times.end(), this->Impl->RequestedTime);
      step = std::max(static_cast<int>(after - times.begin()) - 1, 0);
    }
    if (reader.numLevels(step) > 1) {
      throw spanwise::FileError("cannot read '" + name + "': step " + std::to_string(step) + " has " +
        std::to_string(reader.numLevels(step)) + " levels; this reader shows files of one level");
    }
    if (reader.dimension() == 2) {
      this->Impl->Read<2>(this, reader, file, step, team, output);
    } else {
      this->Impl->Read<3>(this, reader, file, step, team, output);
    }
    if (!times.empty()) {
      output->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), times[static_cast<std::size_t>(step)]);
    }
  });
}
