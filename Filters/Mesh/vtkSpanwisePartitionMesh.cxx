#include "vtkSpanwisePartitionMesh.h"

#include "SpanwiseInputMesh.h"
#include "SpanwiseMeshMove.h"
#include "SpanwiseMeshPieces.h"
#include "SpanwiseRankGroup.h"

#include "Core/Mesh/RankPartition.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkAlgorithm.h>
#include <vtkCellData.h>
#include <vtkInformation.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwisePartitionMesh);

namespace {

/// The array of the part of each cell, which is `part` until it is set otherwise.
vtkIntArray* addParts(vtkUnstructuredGrid* output, vtkIdType numCells, int part) {
  vtkNew<vtkIntArray> array;
  array->SetName("Part");
  array->SetNumberOfTuples(numCells);
  array->FillValue(part);
  output->GetCellData()->SetScalars(array);
  return array;
}

} // namespace

void vtkSpanwisePartitionMesh::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "NumberOfParts: " << this->NumberOfParts << "\n";
}

int vtkSpanwisePartitionMesh::FillInputPortInformation(int /*port*/, vtkInformation* info) {
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkUnstructuredGrid");
  return 1;
}

void vtkSpanwisePartitionMesh::MakeOutput(
  const RankGroup& group, vtkInformationVector** /*inputs*/, vtkDataObject* data, vtkDataObject* result) {
  auto* const input = vtkUnstructuredGrid::SafeDownCast(data);
  auto* const output = vtkUnstructuredGrid::SafeDownCast(result);
  InputMesh mesh;
  group.agree([&] {
    if (this->NumberOfParts < 1) { // also where ranks make as many parts as they are
      throw InvalidArgument(
        "the number of parts is " + std::to_string(this->NumberOfParts) + "; it must be at least 1");
    }
    mesh = elementsOf(input);
  });
  std::vector<std::int64_t> numbers;
  if (!group.alone()) {
    numbers = numberVertices(group.communicator(), sharedVerticesOf(group, mesh, input), mesh.numVertices());
  }
  const RankPartition partition = std::visit(
    [&](const auto& view) {
      return partitionMesh(group.communicator(), view, std::span<const std::int64_t>(numbers),
        group.alone() ? this->NumberOfParts : group.size());
    },
    mesh.view());
  if (group.alone()) {
    output->ShallowCopy(input);
    vtkIntArray* const parts = addParts(output, mesh.numCells(), -1);
    for (std::size_t e = 0; e < partition.mine.partOfElement.size(); ++e) {
      parts->SetValue(
        mesh.cells().empty() ? static_cast<vtkIdType>(e) : mesh.cells()[e], partition.mine.partOfElement[e]);
    }
  } else {
    moveElements(group, input, mesh, partition.mine.partOfElement, numbers, output);
    addParts(output, output->GetNumberOfCells(), group.rank());
  }
  if (partition.report.maxElements > 0) {
    AddFieldValue(output, "Parts", partition.mine.numParts);
    AddFieldValue(output, "Largest Part", static_cast<double>(partition.report.maxElements));
    AddFieldValue(output, "Imbalance", partition.report.imbalance);
    AddFieldValue(output, "Cut Faces", static_cast<double>(partition.report.numCutFaces));
    AddFieldValue(output, "Points In Several Parts", static_cast<double>(partition.report.numSharedVertices));
  }
}
