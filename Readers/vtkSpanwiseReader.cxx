#include "vtkSpanwiseReader.h"

#include "IcsrReader.hpp"
#include "KeptIcsrFile.hpp"
#include "SpanwiseArrayList.h"
#include "SpanwiseArraySelection.h"
#include "SpanwiseBridge.h"
#include "SpanwiseExecute.h"
#include "SpanwiseFileArrays.h"
#include "SpanwiseGridMemory.h"
#include "SpanwiseHierarchy.h"
#include "SpanwiseRankGroup.h"

#include "Core/Runtime/Error.hpp"

#include "vtkCellData.h"
#include "vtkDataArraySelection.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
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
      const auto array = spanwise::makeArray(info, info.numTuples);
      reader.fieldValues(step, info, array->GetVoidPointer(0));
      arrays.add(array);
      continue;
    }
    const std::vector<std::string> texts = reader.fieldTexts(step, info);
    vtkNew<vtkStringArray> array;
    array->SetName(info.name.c_str());
    array->SetNumberOfValues(static_cast<vtkIdType>(texts.size()));
    for (std::size_t k = 0; k < texts.size(); ++k) {
      array->SetValue(static_cast<vtkIdType>(k), texts[k]);
    }
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
void checkMemory(const std::vector<LevelPart>& parts) {
  spanwise::GridMemory memory;
  for (const LevelPart& part : parts) {
    memory.take<Dim>(part.description, part.rows);
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
    read.grid = spanwise::IntervalGrid<Dim>::make(
      read.part.set, toGrid(part.description.placement), {part.planes.begin, part.planes.end});
    return read;
  }

  template <int Dim>
  KeptGrid<Dim> ReadLevel(vtkSpanwiseReader* self, const spanwise::IcsrReader& reader, int step, const LevelPart& where,
    const spanwise::Progress& progress, vtkUnstructuredGrid* output) {
    const spanwise::IcsrLevel& level = where.description;
    const KeptGrid<Dim> kept = this->ReadCells<Dim>(reader, step, where, progress.part(0.0, 0.4));
    spanwise::setGrid<Dim>(output, kept.grid);
    const auto cellArrays = spanwise::chosenArrays(level.cellArrays, self->Selection);
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
      const auto array = spanwise::makeArray(info, cells);
      reader.cellValues(
        step, where.level, info, spanwise::IcsrTuples{kept.part.firstCell, cells}, array->GetVoidPointer(0), next());
      ofCells.add(array, spanwise::attributeOf(info));
    }
    if (!pointArrays.empty()) {
      const auto numbers = reader.pointNumbers<Dim>(step, where.level, kept.rows, kept.part);
      for (const spanwise::IcsrArray& info : pointArrays) {
        const auto array = spanwise::makeArray(info, numbers.numPoints);
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
    checkMemory<Dim>({part});
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
    checkMemory<Dim>(parts);
    spanwise::Hierarchy<Dim> hierarchy; // for the checks
    std::vector<vtkSmartPointer<vtkUnstructuredGrid>> grids;
    std::vector<std::variant<KeptGrid<2>, KeptGrid<3>>> kept;
    for (const LevelPart& part : parts) {
      const spanwise::GridPlacement placement = toGrid(part.description.placement);
      const auto number = static_cast<std::size_t>(placement.level);
      if (part.level == 0) {
        hierarchy.root = spanwise::rootOf(placement);
      }
      checkLevel<Dim>(hierarchy, placement, step, part.level);
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
      throw spanwise::FileError(std::format("in step {}, {}", step, error.what()));
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
    if (self->Time && !times.empty()) {
      const auto after = std::upper_bound(times.begin(), times.end(), *self->Time);
      step = std::max(static_cast<int>(after - times.begin()) - 1, 0);
    }
    auto* levels = vtkPartitionedDataSetCollection::SafeDownCast(output);
    auto* grid = vtkUnstructuredGrid::SafeDownCast(output);
    if (!levels && reader.numLevels(step) > 1) {
      throw spanwise::FileError(
        std::format("step {} has {} levels, and the file that was read before it has one; the files of a series have "
                    "either one level or several",
          step, reader.numLevels(step)));
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
  static void checkLevel(
    const spanwise::Hierarchy<Dim>& hierarchy, const spanwise::GridPlacement& placement, int step, int l) {
    const std::string start = std::format("in step {}, Level{} ", step, l);
    if (placement.level < hierarchy.numLevels()) {
      throw spanwise::FileError(
        std::format("{}has the Level {}, which is not more than that of the level before it", start, placement.level));
    }
    const spanwise::GridPlacement root = spanwise::rootOf(placement);
    for (int d = 0; d < 3; ++d) {
      if (std::abs(root.spacing[d] - hierarchy.root.spacing[d]) > 1e-6 * hierarchy.root.spacing[d] ||
        std::abs(root.origin[d] - hierarchy.root.origin[d]) > 1e-3 * placement.spacing[d]) {
        throw spanwise::FileError(std::format("{}does not fit the levels before it: along axis {} its origin is {} and "
                                              "its spacing as that of level 0 {}, theirs are {} and {}",
          start, d, root.origin[d], root.spacing[d], hierarchy.root.origin[d], hierarchy.root.spacing[d]));
      }
    }
  }
};

vtkStandardNewMacro(vtkSpanwiseReader);

vtkSpanwiseReader::vtkSpanwiseReader() : Impl(std::make_unique<Internals>()) {
  this->SetProgressText("Spanwise Interval Reader"); // ParaView's progress bar would show the name of the class
}

vtkSpanwiseReader::~vtkSpanwiseReader() = default;

void vtkSpanwiseReader::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "PointDataArraySelection:\n";
  this->PointDataArraySelection->PrintSelf(os, indent.GetNextIndent());
}

int vtkSpanwiseReader::CanReadFile(const char* name) { return name && spanwise::IcsrReader::canRead(name) ? 1 : 0; }

vtkDataArraySelection* vtkSpanwiseReader::GetCellDataArraySelection() { return this->Selection; }

vtkDataArraySelection* vtkSpanwiseReader::GetPointDataArraySelection() { return this->PointDataArraySelection; }

vtkMTimeType vtkSpanwiseReader::GetMTime() {
  return std::max(this->Superclass::GetMTime(), this->PointDataArraySelection->GetMTime());
}

bool vtkSpanwiseReader::HasSeveralGrids(const std::string& file) {
  bool levels = false;
  this->Impl->File.use(file, [&](const spanwise::IcsrReader& reader) { levels = hasLevels(reader); });
  return levels;
}

void vtkSpanwiseReader::ReadInformation(const std::string& file, vtkInformation* info) {
  info->Remove(Pipeline::TIME_STEPS());
  info->Remove(Pipeline::TIME_RANGE());
  this->Impl->File.use(file, [&](const spanwise::IcsrReader& reader) {
    const std::vector<double>& times = reader.times();
    if (!times.empty()) {
      const double range[2] = {times.front(), times.back()};
      info->Set(Pipeline::TIME_STEPS(), times.data(), static_cast<int>(times.size()));
      info->Set(Pipeline::TIME_RANGE(), range, 2);
    }
    const ArrayLists arrays = allArrays(reader, 0);
    spanwise::listArrays(arrays.ofCells, this->Selection);
    spanwise::listArrays(arrays.ofPoints, this->PointDataArraySelection);
  });
}

void vtkSpanwiseReader::ReadOutput(const std::string& file, const spanwise::RankGroup& group, vtkDataObject* output) {
  this->Impl->File.use(
    file, [&](const spanwise::IcsrReader& reader) { this->Impl->ReadStep(this, reader, group, output); });
  this->Impl->File.close(); // here a pass ends
}
