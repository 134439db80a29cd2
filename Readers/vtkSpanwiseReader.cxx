#include "vtkSpanwiseReader.h"

#include "IcsrReader.hpp"
#include "KeptIcsrFile.hpp"
#include "ReadingFile.hpp"
#include "SpanwiseArrayList.h"
#include "SpanwiseArraySelection.h"
#include "SpanwiseBridge.h"
#include "SpanwiseExecute.h"
#include "SpanwiseFileArrays.h"
#include "SpanwiseGridMemory.h"
#include "SpanwiseHierarchy.h"
#include "SpanwiseRankGroup.h"
#include "SpanwiseReaderOutput.h"

#include "Core/Runtime/Error.hpp"

#include "vtkCellData.h"
#include "vtkDataArraySelection.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"
#include "vtkPartitionedDataSetCollection.h"
#include "vtkPointData.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkStringArray.h"
#include "vtkUnstructuredGrid.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <format>
#include <iterator>
#include <optional>
#include <string>
#include <unordered_set>
#include <variant>
#include <vector>

namespace {

using Pipeline = vtkStreamingDemandDrivenPipeline;

// A grid that was read, and where from.
template <int Dim>
struct KeptGrid {
  spanwise::IntervalGridPointer<Dim> grid;
  spanwise::IcsrRows rows;
  spanwise::IcsrPart<Dim> part;
};

spanwise::GridPlacement toGrid(const spanwise::IcsrPlacement& placement) {
  spanwise::GridPlacement result;
  std::copy_n(placement.origin, 3, result.origin);
  std::copy_n(placement.spacing, 3, result.spacing);
  result.level = placement.level;
  return result;
}

void readFieldData(const spanwise::IcsrReader& reader, int step, vtkFieldData* field) {
  spanwise::ArrayList arrays;
  for (const spanwise::IcsrArray& info : reader.fieldArrays(step)) {
    if (info.type != spanwise::ValueType::Text) {
      const auto array =
        spanwise::readingFile(reader.path(), [&] { return spanwise::makeArray(info, info.numTuples); });
      reader.fieldValues(step, info, array->GetVoidPointer(0));
      arrays.add(array);
      continue;
    }
    const std::vector<std::string> texts = reader.fieldTexts(step, info);
    vtkNew<vtkStringArray> array;
    array->SetName(info.name.c_str());
    spanwise::readingFile(reader.path(), [&] {
      array->SetNumberOfValues(static_cast<vtkIdType>(texts.size()));
      for (std::size_t k = 0; k < texts.size(); ++k) {
        array->SetValue(static_cast<vtkIdType>(k), texts[k]);
      }
    });
    arrays.add(array);
  }
  arrays.giveTo(field);
}

// A level, and where its part of the output stands in the file.
struct LevelPart {
  int level = 0; // of the step
  spanwise::IcsrLevel description;
  spanwise::IcsrRows rows;
  spanwise::parallel::PlaneRange planes;
};

// Before anything of them is read.
template <int Dim>
void checkMemory(const std::vector<LevelPart>& parts, const std::string& name) {
  spanwise::GridMemory memory;
  for (const LevelPart& part : parts) {
    spanwise::readingFile(name, [&] { memory.take<Dim>(part.description, part.rows); });
  }
}

template <int Dim>
bool isPart(const KeptGrid<Dim>& kept, const LevelPart& part) {
  const spanwise::parallel::PlaneRange& owned = kept.grid->owned();
  return kept.rows.begin == part.rows.begin && kept.rows.end == part.rows.end && owned.begin == part.planes.begin &&
    owned.end == part.planes.end;
}

// Whether a file is shown as a hierarchy.
bool hasLevels(const spanwise::IcsrReader& reader) {
  for (int s = 0; s < reader.numSteps(); ++s) {
    if (reader.numLevels(s) != 1) {
      return true;
    }
  }
  return false;
}

// The arrays of all levels of a step, each name once.
struct ArrayLists {
  std::vector<spanwise::IcsrArray> ofCells;
  std::vector<spanwise::IcsrArray> ofPoints;
};

ArrayLists allArrays(const spanwise::IcsrReader& reader, int step) {
  ArrayLists lists;
  std::unordered_set<std::string> cellNames;
  std::unordered_set<std::string> pointNames;
  const auto add = [](std::vector<spanwise::IcsrArray>& list, std::unordered_set<std::string>& names,
                     const std::vector<spanwise::IcsrArray>& arrays) {
    std::copy_if(arrays.begin(), arrays.end(), std::back_inserter(list),
      [&](const spanwise::IcsrArray& array) { return names.insert(array.name).second; });
  };
  for (int l = 0; l < reader.numLevels(step); ++l) {
    const spanwise::IcsrLevel level = reader.level(step, l);
    add(lists.ofCells, cellNames, level.cellArrays);
    add(lists.ofPoints, pointNames, level.pointArrays);
  }
  return lists;
}

} // namespace

// The file, and the grids that were read last, by level, for steps that have the same cells.
struct vtkSpanwiseReader::Internals {
  spanwise::KeptIcsrFile File;
  std::optional<spanwise::FileState> KeptState; // of the file that the grids are from: of a series, another maybe
  int Step = 0;                                 // that they are of
  std::vector<std::variant<KeptGrid<2>, KeptGrid<3>>> Kept;
  double RequestedTime = 0.0;
  bool HasRequestedTime = false;

  template <int Dim>
  KeptGrid<Dim> ReadCells(
    const spanwise::IcsrReader& reader, int step, const LevelPart& part, const spanwise::Progress& progress) {
    if (this->KeptState && isUnchanged(*this->KeptState, reader.state()) && part.level < reader.numLevels(this->Step) &&
      static_cast<std::size_t>(part.level) < this->Kept.size() && reader.hasSameCells(step, this->Step, part.level)) {
      const auto* kept = std::get_if<KeptGrid<Dim>>(&this->Kept[static_cast<std::size_t>(part.level)]);
      if (kept && kept->grid && isPart(*kept, part)) {
        return *kept;
      }
    }
    KeptGrid<Dim> read;
    read.rows = part.rows;
    read.part = reader.cells<Dim>(step, part.level, part.rows, progress);
    read.grid = spanwise::readingFile(reader.path(), [&] {
      return spanwise::IntervalGrid<Dim>::make(
        read.part.set, toGrid(part.description.placement), {part.planes.begin, part.planes.end});
    });
    return read;
  }

  template <int Dim>
  KeptGrid<Dim> ReadLevel(vtkSpanwiseReader* self, const spanwise::IcsrReader& reader, int step, const LevelPart& where,
    const spanwise::Progress& progress, vtkUnstructuredGrid* output) {
    const spanwise::IcsrLevel& level = where.description;
    const KeptGrid<Dim> kept = this->ReadCells<Dim>(reader, step, where, progress.part(0.0, 0.4));
    spanwise::readingFile(reader.path(), [&] { spanwise::setGrid<Dim>(output, kept.grid); });
    const auto cellArrays = spanwise::chosenArrays(level.cellArrays, self->CellDataArraySelection);
    const auto pointArrays = spanwise::chosenArrays(level.pointArrays, self->PointDataArraySelection);
    const auto count = static_cast<double>(cellArrays.size() + pointArrays.size());
    double done = 0.0;
    const auto next = [&] {
      done += 1.0;
      return progress.part(0.4 + 0.6 * (done - 1.0) / count, 0.4 + 0.6 * done / count);
    };
    spanwise::ArrayList ofCells;
    spanwise::ArrayList ofPoints;
    for (const spanwise::IcsrArray& info : cellArrays) {
      const std::int64_t cells = kept.part.set.numCells();
      const auto array = spanwise::readingFile(reader.path(), [&] { return spanwise::makeArray(info, cells); });
      reader.cellValues(step, where.level, info, {kept.part.firstCell, cells}, array->GetVoidPointer(0), next());
      ofCells.add(array, spanwise::attributeOf(info));
    }
    if (!pointArrays.empty()) {
      const auto numbers = reader.pointNumbers<Dim>(step, where.level, kept.rows, kept.part);
      for (const spanwise::IcsrArray& info : pointArrays) {
        const auto array =
          spanwise::readingFile(reader.path(), [&] { return spanwise::makeArray(info, numbers.numPoints); });
        reader.pointValues(step, where.level, info, numbers, array->GetVoidPointer(0), next());
        ofPoints.add(array, spanwise::attributeOf(info));
      }
    }
    ofCells.giveTo(output->GetCellData());
    ofPoints.giveTo(output->GetPointData());
    return kept;
  }

  template <int Dim>
  void ReadGrid(vtkSpanwiseReader* self, const spanwise::IcsrReader& reader, int step, const spanwise::RankGroup& group,
    vtkUnstructuredGrid* output) {
    const LevelPart part{0, reader.level(step, 0), reader.part(step, 0, group.piece(), group.pieces()),
      reader.planes(step, 0, group.piece(), group.pieces())};
    checkMemory<Dim>({part}, reader.path());
    const auto kept = this->ReadLevel<Dim>(self, reader, step, part, spanwise::progressOf(self), output);
    this->Kept = {kept};
    this->KeptState = reader.state();
    this->Step = step;
  }

  template <int Dim>
  void ReadHierarchy(vtkSpanwiseReader* self, const spanwise::IcsrReader& reader, int step,
    const spanwise::RankGroup& group, vtkPartitionedDataSetCollection* output) {
    const spanwise::Progress progress = spanwise::progressOf(self);
    const spanwise::parallel::PlaneRange rootPlanes = reader.rootPlanes(step, group.piece(), group.pieces());
    std::vector<LevelPart> parts;
    for (int l = 0; l < reader.numLevels(step); ++l) {
      const spanwise::IcsrLevel level = reader.level(step, l);
      const spanwise::parallel::PlaneRange planes =
        spanwise::multilevel::planesOfLevel(rootPlanes, level.placement.level);
      parts.push_back({l, level, reader.rowsIn(step, l, planes), planes});
    }
    checkMemory<Dim>(parts, reader.path());
    spanwise::Hierarchy<Dim> hierarchy; // for the checks
    std::vector<vtkSmartPointer<vtkUnstructuredGrid>> grids;
    std::vector<std::variant<KeptGrid<2>, KeptGrid<3>>> kept;
    for (const LevelPart& part : parts) {
      const spanwise::GridPlacement placement = toGrid(part.description.placement);
      const auto number = static_cast<std::size_t>(placement.level);
      if (part.level == 0) {
        hierarchy.root = spanwise::rootOf(placement);
      }
      checkLevel<Dim>(hierarchy, placement, reader.path(), step, part.level);
      for (std::size_t empty = grids.size(); empty < number; ++empty) { // levels that the file leaves out
        hierarchy.leaves.emplace_back();
        grids.push_back(vtkSmartPointer<vtkUnstructuredGrid>::New());
        spanwise::setCells<Dim>(
          grids.back(), {}, spanwise::placementOfLevel(hierarchy.root, static_cast<int>(empty)), {});
      }
      grids.push_back(vtkSmartPointer<vtkUnstructuredGrid>::New());
      const auto at = [&](int l) { return static_cast<double>(l) / static_cast<double>(parts.size()); };
      const auto read =
        this->ReadLevel<Dim>(self, reader, step, part, progress.part(at(part.level), at(part.level + 1)), grids.back());
      hierarchy.leaves.emplace_back();
      hierarchy.leaves.back().set = read.part.set;
      kept.emplace_back(read);
    }
    try {
      spanwise::checkNoOverlap(hierarchy);
    } catch (const spanwise::InvalidArgument& error) {
      throw spanwise::FileError(
        "cannot read '" + reader.path() + "': in step " + std::to_string(step) + ", " + error.what());
    }
    spanwise::arrangeLevels(output, grids);
    this->Kept = kept;
    this->KeptState = reader.state();
    this->Step = step;
  }

  void ReadStep(vtkSpanwiseReader* self, const spanwise::IcsrReader& reader, const spanwise::RankGroup& group,
    vtkDataObject* output) {
    // The step at or before the time that is asked for, as VTK's readers choose it.
    const std::vector<double>& times = reader.times();
    int step = 0;
    if (this->HasRequestedTime && !times.empty()) {
      const auto after = std::upper_bound(times.begin(), times.end(), this->RequestedTime);
      step = std::max(static_cast<int>(after - times.begin()) - 1, 0);
    }
    auto* levels = vtkPartitionedDataSetCollection::SafeDownCast(output);
    auto* grid = vtkUnstructuredGrid::SafeDownCast(output);
    if (!levels && reader.numLevels(step) > 1) {
      throw spanwise::FileError("cannot read '" + reader.path() + "': step " + std::to_string(step) + " has " +
        std::to_string(reader.numLevels(step)) +
        " levels, and the file that was read before it has one; the files of a "
        "series have either one level or several");
    }
    const bool flat = reader.dimension() == 2;
    if (levels) {
      flat ? this->ReadHierarchy<2>(self, reader, step, group, levels)
           : this->ReadHierarchy<3>(self, reader, step, group, levels);
    } else {
      flat ? this->ReadGrid<2>(self, reader, step, group, grid) : this->ReadGrid<3>(self, reader, step, group, grid);
    }
    readFieldData(reader, step, output->GetFieldData());
    if (!times.empty()) {
      output->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), times[static_cast<std::size_t>(step)]);
    }
  }

  // Whether the next level of a file goes with those before it.
  template <int Dim>
  static void checkLevel(const spanwise::Hierarchy<Dim>& hierarchy, const spanwise::GridPlacement& placement,
    const std::string& name, int step, int l) {
    const std::string start =
      "cannot read '" + name + "': in step " + std::to_string(step) + ", Level" + std::to_string(l) + " ";
    if (placement.level < hierarchy.numLevels()) {
      throw spanwise::FileError(start + "has the Level " + std::to_string(placement.level) +
        ", which is not more than that of the level before it");
    }
    const spanwise::GridPlacement root = spanwise::rootOf(placement);
    for (int d = 0; d < 3; ++d) {
      if (std::abs(root.spacing[d] - hierarchy.root.spacing[d]) > 1e-6 * hierarchy.root.spacing[d] ||
        std::abs(root.origin[d] - hierarchy.root.origin[d]) > 1e-3 * placement.spacing[d]) {
        throw spanwise::FileError(start + "does not fit the levels before it: along axis " + std::to_string(d) +
          std::format(" its origin is {} and its spacing as that of level 0 {}, theirs are {} and {}", root.origin[d],
            root.spacing[d], hierarchy.root.origin[d], hierarchy.root.spacing[d]));
      }
    }
  }
};

vtkStandardNewMacro(vtkSpanwiseReader);

vtkSpanwiseReader::vtkSpanwiseReader() : Impl(std::make_unique<Internals>()) {
  this->SetNumberOfInputPorts(0);
  this->SetProgressText("Spanwise Interval Reader"); // ParaView's progress bar would show the name of the class
}

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

int vtkSpanwiseReader::FillOutputPortInformation(int, vtkInformation* info) {
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkDataObject");
  return 1;
}

// A grid, or a hierarchy where a step has several levels.
vtkTypeBool vtkSpanwiseReader::ProcessRequest(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  if (!request->Has(vtkDemandDrivenPipeline::REQUEST_DATA_OBJECT())) {
    return this->Superclass::ProcessRequest(request, inputs, outputs);
  }
  bool levels = false;
  try {
    this->Impl->File.use(
      this->FileName ? this->FileName : "", [&](const spanwise::IcsrReader& reader) { levels = hasLevels(reader); });
  } catch (const std::exception&) {
    // Said by RequestData.
  }
  spanwise::setOutputType(outputs, levels);
  return 1;
}

int vtkSpanwiseReader::RequestInformation(
  vtkInformation* request, vtkInformationVector** inputs, vtkInformationVector* outputs) {
  vtkInformation* info = outputs->GetInformationObject(0);
  info->Remove(Pipeline::TIME_STEPS());
  info->Remove(Pipeline::TIME_RANGE());
  try {
    this->Impl->File.use(this->FileName ? this->FileName : "", [&](const spanwise::IcsrReader& reader) {
      const std::vector<double>& times = reader.times();
      if (!times.empty()) {
        const double range[2] = {times.front(), times.back()};
        info->Set(Pipeline::TIME_STEPS(), times.data(), static_cast<int>(times.size()));
        info->Set(Pipeline::TIME_RANGE(), range, 2);
      }
      const ArrayLists arrays = allArrays(reader, 0);
      spanwise::listArrays(arrays.ofCells, this->CellDataArraySelection);
      spanwise::listArrays(arrays.ofPoints, this->PointDataArraySelection);
    });
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
  vtkDataObject* output = vtkDataObject::GetData(outputs, 0);
  if (vtkUnstructuredGrid::SafeDownCast(output)) {
    return this->Superclass::RequestData(request, inputs, outputs);
  }
  const auto group = spanwise::RankGroup::ofRequest(this->Controller, info);
  output->Initialize();
  return spanwise::execute(this, outputs, group, [&] { this->ReadStep(group, output); });
}

void vtkSpanwiseReader::MakeOutput(
  const spanwise::RankGroup& group, vtkInformationVector**, vtkUnstructuredGrid* output) {
  this->ReadStep(group, output);
}

void vtkSpanwiseReader::ReadStep(const spanwise::RankGroup& group, vtkDataObject* output) {
  group.agree([&] {
    const std::string name = this->FileName ? this->FileName : "";
    if (name.empty()) {
      throw spanwise::FileError("no file name was given");
    }
    this->Impl->File.use(
      name, [&](const spanwise::IcsrReader& reader) { this->Impl->ReadStep(this, reader, group, output); });
    this->Impl->File.close(); // here a pass ends
  });
}
