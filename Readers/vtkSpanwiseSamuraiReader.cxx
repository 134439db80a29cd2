#include "vtkSpanwiseSamuraiReader.h"

#include "SpanwiseArrayList.h"
#include "SpanwiseArraySelection.h"
#include "SpanwiseBridge.h"
#include "SpanwiseExecute.h"
#include "SpanwiseFileArrays.h"
#include "SpanwiseHierarchy.h"
#include "SpanwiseRankGroup.h"

#include "Readers/Samurai/SamuraiCells.hpp"
#include "Readers/Samurai/SamuraiFile.hpp"

#include "Core/Multilevel/LevelPlanes.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ProcessMemory.hpp"

#include "vtkCellData.h"
#include "vtkDataArraySelection.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkIntArray.h"
#include "vtkObjectFactory.h"
#include "vtkPartitionedDataSetCollection.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkUnstructuredGrid.h"

#include <cmath>
#include <format>
#include <string>
#include <vector>

namespace {

using Pipeline = vtkStreamingDemandDrivenPipeline;
using spanwise::IntervalGrid;
using spanwise::parallel::PlaneRange;
using spanwise::samurai::SamuraiCells;
using spanwise::samurai::SamuraiFile;

bool hasLevels(const SamuraiFile& file) { return file.maxLevel() > file.minLevel(); }

// The least level of samurai is level 0 here: samurai's own level 0 is often a single cell, and ranks share planes of
// it.
spanwise::GridPlacement rootOf(const SamuraiFile& file) {
  const double size = std::ldexp(file.rootSize(), -file.minLevel());
  return {file.origin(), {size, size, size}, 0};
}

void addLevel(vtkUnstructuredGrid* grid, int level) {
  vtkNew<vtkIntArray> array;
  array->SetName("SamuraiLevel");
  array->InsertNextValue(level);
  grid->GetFieldData()->AddArray(array);
}

/// The levels of a file that lie in the planes of a piece, which are some of the least level.
template <int Dim>
class Piece {
public:
  Piece(const SamuraiFile& file, const spanwise::RankGroup& group, const spanwise::Progress& progress)
    : File(file), Cells(file, progress), Planes(this->Cells.planes(group.piece(), group.pieces())) {}

  /// An interval may have two billion cells, and its nodes and tables take memory.
  void CheckMemory() const {
    double bytes = 0.0;
    for (int level = this->File.minLevel(); level <= this->File.maxLevel(); ++level) {
      const auto totals = this->Cells.totals(level, this->PlanesOf(level));
      bytes += IntervalGrid<Dim>::minBytes(totals.rows, totals.intervals, totals.cells);
    }
    if (const double memory = spanwise::processMemory(); bytes > memory) {
      throw spanwise::FileError(
        std::format("its grids need {:.3g} GB of memory or more; there are {:.3g} GB", bytes / 1e9, memory / 1e9));
    }
  }

  /// Makes `output` show a level; returns its cells.
  spanwise::geometry::HostIntervalSet<Dim> Read(int level, const std::vector<spanwise::IcsrArray>& fields,
    const spanwise::Progress& progress, vtkUnstructuredGrid* output) const {
    const PlaneRange planes = this->PlanesOf(level);
    const auto set = this->Cells.set(level, planes);
    const auto placement = spanwise::placementOfLevel(rootOf(this->File), level - this->File.minLevel());
    spanwise::setGrid<Dim>(output, IntervalGrid<Dim>::make(set, placement, planes));
    addLevel(output, level);
    spanwise::ArrayList arrays;
    for (std::size_t f = 0; f < fields.size(); ++f) {
      const auto at = [&](std::size_t k) { return static_cast<double>(k) / static_cast<double>(fields.size()); };
      const auto array = spanwise::makeArray(fields[f], set.numCells());
      if (!set.empty()) {
        this->Cells.values(
          level, planes, fields[f], static_cast<std::byte*>(array->GetVoidPointer(0)), progress.part(at(f), at(f + 1)));
      }
      arrays.add(array, f == 0 && fields[f].numComponents == 1 ? vtkDataSetAttributes::SCALARS : -1);
    }
    arrays.giveTo(output->GetCellData());
    return set;
  }

private:
  [[nodiscard]] PlaneRange PlanesOf(int level) const {
    return spanwise::multilevel::planesOfLevel(this->Planes, level - this->File.minLevel());
  }

  const SamuraiFile& File;
  SamuraiCells<Dim> Cells;
  PlaneRange Planes; ///< of the least level
};

template <int Dim>
void read(const SamuraiFile& file, const std::vector<spanwise::IcsrArray>& fields, const spanwise::RankGroup& group,
  const spanwise::Progress& progress, vtkDataObject* output) {
  auto* const grid = vtkUnstructuredGrid::SafeDownCast(output);
  const Piece<Dim> piece(file, group, progress.part(0.0, 0.4));
  piece.CheckMemory();
  if (grid) {
    piece.Read(file.minLevel(), fields, progress.part(0.4, 1.0), grid);
    return;
  }
  spanwise::Hierarchy<Dim> hierarchy; // for the check
  hierarchy.root = rootOf(file);
  std::vector<vtkSmartPointer<vtkUnstructuredGrid>> grids;
  const int count = file.maxLevel() - file.minLevel() + 1;
  for (int k = 0; k < count; ++k) {
    grids.push_back(vtkSmartPointer<vtkUnstructuredGrid>::New());
    const auto part = progress.part(0.4 + 0.6 * k / count, 0.4 + 0.6 * (k + 1) / count);
    hierarchy.leaves.emplace_back();
    hierarchy.leaves.back().set = piece.Read(file.minLevel() + k, fields, part, grids.back());
  }
  spanwise::checkNoOverlap(hierarchy);
  spanwise::arrangeLevels(vtkPartitionedDataSetCollection::SafeDownCast(output), grids);
}

} // namespace

vtkStandardNewMacro(vtkSpanwiseSamuraiReader);

vtkSpanwiseSamuraiReader::vtkSpanwiseSamuraiReader() {
  this->SetProgressText("Spanwise Samurai Reader"); // ParaView's progress bar would show the name of the class
}

int vtkSpanwiseSamuraiReader::CanReadFile(const char* name) { return name && SamuraiFile::canRead(name) ? 1 : 0; }

vtkDataArraySelection* vtkSpanwiseSamuraiReader::GetCellDataArraySelection() { return this->Selection; }

bool vtkSpanwiseSamuraiReader::HasSeveralGrids(const std::string& file) { return hasLevels(SamuraiFile(file)); }

void vtkSpanwiseSamuraiReader::ReadInformation(const std::string& name, vtkInformation* info) {
  info->Remove(Pipeline::TIME_STEPS());
  info->Remove(Pipeline::TIME_RANGE());
  const SamuraiFile file(name);
  if (const auto time = file.time()) {
    const double range[2] = {*time, *time};
    info->Set(Pipeline::TIME_STEPS(), range, 1);
    info->Set(Pipeline::TIME_RANGE(), range, 2);
  }
  spanwise::listArrays(file.fields(), this->Selection);
}

void vtkSpanwiseSamuraiReader::ReadOutput(
  const std::string& name, const spanwise::RankGroup& group, vtkDataObject* output) {
  const SamuraiFile file(name);
  if (hasLevels(file) && !vtkPartitionedDataSetCollection::SafeDownCast(output)) {
    throw spanwise::FileError(
      std::format("it has the levels {} to {}, and the file that was read before it has one; the files of a series "
                  "must be alike",
        file.minLevel(), file.maxLevel()));
  }
  const auto fields = spanwise::chosenArrays(file.fields(), this->Selection);
  const spanwise::Progress progress = spanwise::progressOf(this);
  file.dimension() == 2 ? read<2>(file, fields, group, progress, output)
                        : read<3>(file, fields, group, progress, output);
  if (const auto time = file.time()) {
    output->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), *time);
  }
}
