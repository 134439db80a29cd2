#include "vtkSpanwiseOpenVDBReader.h"

#include "SpanwiseArraySelection.h"
#include "SpanwiseBridge.h"
#include "SpanwiseExecute.h"
#include "SpanwiseFileArrays.h"
#include "SpanwiseRankGroup.h"

#include "Readers/Hdf5/Utf8.hpp"
#include "Readers/OpenVdb/GridCells.hpp"
#include "Readers/OpenVdb/VdbFile.hpp"

#include "Core/Geometry/CellMask.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ProcessMemory.hpp"

#include "vtkCellData.h"
#include "vtkDataArraySelection.h"
#include "vtkDataAssembly.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkObjectFactory.h"
#include "vtkPartitionedDataSetCollection.h"
#include "vtkStringArray.h"
#include "vtkUnstructuredGrid.h"

#include <format>
#include <string>
#include <vector>

namespace {

using spanwise::vdb::GridCells;
using spanwise::vdb::GridInfo;
using spanwise::vdb::VdbFile;

spanwise::ValueType valueTypeOf(spanwise::vdb::Element element) {
  switch (element) {
  case spanwise::vdb::Element::Bool:
    return spanwise::ValueType::UInt8;
  case spanwise::vdb::Element::Int32:
    return spanwise::ValueType::Int32;
  case spanwise::vdb::Element::Int64:
    return spanwise::ValueType::Int64;
  case spanwise::vdb::Element::Float32:
    return spanwise::ValueType::Float32;
  default:
    return spanwise::ValueType::Float64;
  }
}

// The grids of a file as the arrays of a selection.
std::vector<spanwise::IcsrArray> namesOf(const VdbFile& file) {
  std::vector<spanwise::IcsrArray> names;
  for (const GridInfo& grid : file.grids()) {
    names.emplace_back().name = grid.name;
  }
  return names;
}

// Tiles pack a thousandfold: a few kilobytes can say that there are more cells than a computer has memory for.
void checkMemory(const GridInfo& info, const spanwise::geometry::SetTotals& totals) {
  const double bytes = spanwise::IntervalGrid<3>::minBytes(totals.rows, totals.intervals, totals.cells) +
    static_cast<double>(totals.cells) * static_cast<double>(spanwise::vdb::valueBytesOf(info.kind));
  if (const double memory = spanwise::processMemory(); bytes > memory) {
    throw spanwise::FileError(
      std::format("the grid {} has {} active voxels, and needs {:.3g} GB of memory or more; there are {:.3g} GB",
        spanwise::hdf5::quotedName(info.name), totals.cells, bytes / 1e9, memory / 1e9));
  }
}

void readGrid(const VdbFile& file, const GridInfo& info, const spanwise::RankGroup& group,
  const spanwise::Progress& progress, vtkUnstructuredGrid* output) {
  if (!info.refusal.empty()) {
    throw spanwise::FileError("the grid " + spanwise::hdf5::quotedName(info.name) + " " + info.refusal);
  }
  const GridCells cells(file, info, progress.part(0.0, 0.3));
  const GridCells::Part part = cells.part(group.piece(), group.pieces());
  const auto totals = cells.totals(part);
  checkMemory(info, totals);
  const bool isNoise = totals.cells > 0 && spanwise::geometry::isNoise<3>(totals.intervals, cells.box(part));
  const auto set =
    isNoise ? spanwise::MirroredSet<3>::ofMask(cells.mask(part)) : spanwise::MirroredSet<3>(cells.cells(part));
  spanwise::setGrid<3>(
    output, spanwise::IntervalGrid<3>::make(set, spanwise::GridPlacement(info.origin, info.spacing, 0), part.planes));
  if (info.kind != spanwise::vdb::ValueKind::Mask) {
    spanwise::IcsrArray array;
    array.name = info.name;
    array.type = valueTypeOf(spanwise::vdb::elementOf(info.kind));
    array.numComponents = spanwise::vdb::componentsOf(info.kind);
    const auto values = spanwise::makeArray(array, totals.cells);
    cells.values(part, static_cast<std::byte*>(values->GetVoidPointer(0)), progress.part(0.4, 1.0));
    output->GetCellData()->AddArray(values);
    if (array.numComponents == 3) {
      output->GetCellData()->SetActiveVectors(array.name.c_str());
    } else {
      output->GetCellData()->SetActiveScalars(array.name.c_str());
    }
  }
  if (!info.gridClass.empty()) {
    vtkNew<vtkStringArray> gridClass;
    gridClass->SetName("GridClass");
    gridClass->InsertNextValue(info.gridClass);
    output->GetFieldData()->AddArray(gridClass);
  }
}

} // namespace

vtkStandardNewMacro(vtkSpanwiseOpenVDBReader);

vtkSpanwiseOpenVDBReader::vtkSpanwiseOpenVDBReader() {
  this->SetProgressText("Spanwise OpenVDB Reader"); // ParaView's progress bar would show the name of the class
}

int vtkSpanwiseOpenVDBReader::CanReadFile(const char* name) { return name && VdbFile::canRead(name) ? 1 : 0; }

vtkDataArraySelection* vtkSpanwiseOpenVDBReader::GetGridSelection() { return this->Selection; }

// Whichever of them are chosen.
bool vtkSpanwiseOpenVDBReader::HasSeveralGrids(const std::string& file) { return VdbFile(file).grids().size() != 1; }

void vtkSpanwiseOpenVDBReader::ReadInformation(const std::string& file, vtkInformation*) {
  spanwise::listArrays(namesOf(VdbFile(file)), this->Selection);
}

void vtkSpanwiseOpenVDBReader::ReadOutput(
  const std::string& name, const spanwise::RankGroup& group, vtkDataObject* output) {
  const VdbFile file(name);
  const spanwise::Progress progress = spanwise::progressOf(this);
  std::vector<const GridInfo*> chosen;
  for (const GridInfo& grid : file.grids()) {
    // One that the selection has not been told of is read.
    if (this->Selection->ArrayExists(grid.name.c_str()) == 0 ||
      this->Selection->ArrayIsEnabled(grid.name.c_str()) != 0) {
      chosen.push_back(&grid);
    }
  }
  auto* collection = vtkPartitionedDataSetCollection::SafeDownCast(output);
  const vtkNew<vtkDataAssembly> assembly;
  assembly->SetRootNodeName("Grids");
  for (std::size_t g = 0; g < chosen.size(); ++g) {
    const auto at = [&](std::size_t k) { return static_cast<double>(k) / static_cast<double>(chosen.size()); };
    const vtkNew<vtkUnstructuredGrid> made;
    vtkUnstructuredGrid* grid = collection ? made.Get() : vtkUnstructuredGrid::SafeDownCast(output);
    readGrid(file, *chosen[g], group, progress.part(at(g), at(g + 1)), grid);
    if (collection) {
      const auto index = static_cast<unsigned int>(g);
      collection->SetPartition(index, 0, grid);
      collection->GetMetaData(index)->Set(vtkCompositeDataSet::NAME(), chosen[g]->name.c_str());
      const std::string node = vtkDataAssembly::MakeValidNodeName(chosen[g]->name.c_str());
      assembly->AddDataSetIndex(assembly->AddNode(node.c_str()), index);
    }
  }
  if (collection) {
    collection->SetDataAssembly(assembly);
  }
}
