#include "SpanwiseMeshMove.h"

#include "SpanwiseRankGroup.h"

#include "Core/Parallel/ByRank.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkCellData.h>
#include <vtkCharArray.h>
#include <vtkCommunicator.h>
#include <vtkDataSetAttributes.h>
#include <vtkExtractCells.h>
#include <vtkFieldData.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkSmartPointer.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>

namespace spanwise {

namespace {

using Pieces = std::vector<vtkSmartPointer<vtkUnstructuredGrid>>;

/// The array on points that travels with them.
constexpr const char* numbersName = "Spanwise Point Numbers";

/// The input with numbers on its points, and without what does not travel.
vtkSmartPointer<vtkUnstructuredGrid> numbered(vtkUnstructuredGrid* input, const std::vector<std::int64_t>& numbers) {
  auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
  grid->ShallowCopy(input);
  grid->SetFieldData(vtkNew<vtkFieldData>());
  grid->GetPointData()->RemoveArray(vtkDataSetAttributes::GhostArrayName());
  grid->GetCellData()->RemoveArray(vtkDataSetAttributes::GhostArrayName());
  vtkNew<vtkTypeInt64Array> array;
  array->SetName(numbersName);
  array->SetNumberOfTuples(static_cast<vtkIdType>(numbers.size()));
  std::copy(numbers.begin(), numbers.end(), array->GetPointer(0));
  grid->GetPointData()->AddArray(array);
  return grid;
}

/// The cells for each rank, as bytes.
parallel::ByRank<char> packed(
  vtkUnstructuredGrid* grid, const InputMesh& mesh, const std::vector<std::int32_t>& ranks, int numRanks) {
  parallel::ByRank<char> bytes;
  bytes.first.assign(1, 0);
  for (int rank = 0; rank < numRanks; ++rank) {
    vtkNew<vtkIdList> cells;
    for (std::size_t e = 0; e < ranks.size(); ++e) {
      if (ranks[e] == rank) {
        cells->InsertNextId(mesh.cells().empty() ? static_cast<vtkIdType>(e) : mesh.cells()[e]);
      }
    }
    if (cells->GetNumberOfIds() > 0) {
      vtkNew<vtkExtractCells> extract;
      extract->SetInputData(grid);
      extract->SetCellList(cells);
      extract->AssumeSortedAndUniqueIdsOn();
      extract->PassThroughCellIdsOff();
      extract->Update();
      vtkNew<vtkCharArray> message;
      if (vtkCommunicator::MarshalDataObject(extract->GetOutput(), message) == 0) {
        throw Error("cells for rank " + std::to_string(rank) + " could not be packed");
      }
      bytes.values.insert(
        bytes.values.end(), message->GetPointer(0), message->GetPointer(0) + message->GetNumberOfValues());
    }
    bytes.first.push_back(static_cast<std::int64_t>(bytes.values.size()));
  }
  return bytes;
}

Pieces unpacked(const parallel::ByRank<char>& bytes, int numRanks) {
  Pieces pieces;
  for (int rank = 0; rank < numRanks; ++rank) {
    const std::span<const char> of = bytes.of(rank);
    if (of.empty()) {
      continue;
    }
    vtkNew<vtkCharArray> message;
    message->SetNumberOfValues(static_cast<vtkIdType>(of.size()));
    std::copy(of.begin(), of.end(), message->GetPointer(0));
    const vtkSmartPointer<vtkDataObject> data = vtkCommunicator::UnMarshalDataObject(message);
    auto* const piece = vtkUnstructuredGrid::SafeDownCast(data);
    if (piece == nullptr) {
      throw Error("cells from rank " + std::to_string(rank) + " could not be unpacked");
    }
    pieces.emplace_back(piece);
  }
  return pieces;
}

const vtkTypeInt64* numbersOf(vtkUnstructuredGrid* piece) {
  return vtkTypeInt64Array::SafeDownCast(piece->GetPointData()->GetArray(numbersName))->GetPointer(0);
}

/// Where the arrays of all pieces that they have in common become one.
class JoinedArrays {
public:
  JoinedArrays(const Pieces& pieces, vtkDataSetAttributes* (*of)(vtkUnstructuredGrid*), vtkDataSetAttributes* output,
    vtkIdType size)
    : output_(output) {
    for (vtkUnstructuredGrid* const piece : pieces) {
      inputs_.push_back(of(piece));
      list_.IntersectFieldList(inputs_.back());
    }
    output->CopyAllOn();
    list_.CopyAllocate(output, vtkDataSetAttributes::COPYTUPLE, size, 0);
  }
  void copy(std::size_t piece, vtkIdType from, vtkIdType to) {
    list_.CopyData(static_cast<int>(piece), inputs_[piece], from, output_, to);
  }

private:
  vtkDataSetAttributes* output_;
  std::vector<vtkDataSetAttributes*> inputs_;
  vtkDataSetAttributes::FieldList list_;
};

/// One grid of pieces of which none is empty.
void join(const Pieces& pieces, vtkUnstructuredGrid* output) {
  std::vector<vtkTypeInt64> all;
  vtkIdType numCells = 0;
  int pointType = VTK_FLOAT;
  for (vtkUnstructuredGrid* const piece : pieces) {
    all.insert(all.end(), numbersOf(piece), numbersOf(piece) + piece->GetNumberOfPoints());
    numCells += piece->GetNumberOfCells();
    pointType = piece->GetPoints()->GetDataType() == VTK_FLOAT ? pointType : VTK_DOUBLE;
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  const auto numPoints = static_cast<vtkIdType>(all.size());
  vtkNew<vtkPoints> points;
  points->SetDataType(pointType);
  points->SetNumberOfPoints(numPoints);
  JoinedArrays onPoints(
    pieces, [](vtkUnstructuredGrid* grid) -> vtkDataSetAttributes* { return grid->GetPointData(); },
    output->GetPointData(), numPoints);
  JoinedArrays onCells(
    pieces, [](vtkUnstructuredGrid* grid) -> vtkDataSetAttributes* { return grid->GetCellData(); },
    output->GetCellData(), numCells);
  output->Allocate(numCells);
  std::vector<vtkIdType> placeOf;
  std::vector<vtkIdType> corners;
  std::vector<bool> isThere(all.size(), false);
  vtkNew<vtkIdList> cell;
  vtkIdType firstCell = 0;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    vtkUnstructuredGrid* const piece = pieces[k];
    placeOf.resize(static_cast<std::size_t>(piece->GetNumberOfPoints()));
    for (vtkIdType p = 0; p < piece->GetNumberOfPoints(); ++p) {
      const auto to = std::lower_bound(all.begin(), all.end(), numbersOf(piece)[p]) - all.begin();
      placeOf[static_cast<std::size_t>(p)] = to;
      if (!isThere[static_cast<std::size_t>(to)]) { // the first piece that has it says what is there
        isThere[static_cast<std::size_t>(to)] = true;
        points->SetPoint(to, piece->GetPoint(p));
        onPoints.copy(k, p, to);
      }
    }
    for (vtkIdType c = 0; c < piece->GetNumberOfCells(); ++c) {
      piece->GetCellPoints(c, cell);
      corners.clear();
      for (vtkIdType i = 0; i < cell->GetNumberOfIds(); ++i) {
        corners.push_back(placeOf[static_cast<std::size_t>(cell->GetId(i))]);
      }
      output->InsertNextCell(piece->GetCellType(c), cell->GetNumberOfIds(), corners.data());
      onCells.copy(k, c, firstCell + c);
    }
    firstCell += piece->GetNumberOfCells();
  }
  output->SetPoints(points);
  output->GetPointData()->RemoveArray(numbersName);
}

} // namespace

void moveElements(const RankGroup& group, vtkUnstructuredGrid* input, const InputMesh& mesh,
  const std::vector<std::int32_t>& ranks, const std::vector<std::int64_t>& numbers, vtkUnstructuredGrid* output) {
  parallel::ByRank<char> bytes;
  bytes.first.assign(static_cast<std::size_t>(group.size()) + 1, 0);
  group.agree([&] {
    if (!ranks.empty()) {
      bytes = packed(numbered(input, numbers), mesh, ranks, group.size());
    }
  });
  bytes = parallel::exchanged(group.communicator(), bytes);
  group.agree([&] {
    const Pieces pieces = unpacked(bytes, group.size());
    if (!pieces.empty()) {
      join(pieces, output);
    }
    if (input != nullptr) {
      output->SetFieldData(vtkNew<vtkFieldData>());
      output->GetFieldData()->ShallowCopy(input->GetFieldData());
    }
  });
}

} // namespace spanwise
