#include "Testing/Filters/Geometry/Pipelines.hpp"
#include "Testing/Filters/Mesh/Grids.hpp"

#include "vtkSpanwisePartitionMesh.h"

#include <vtkCellType.h>

#include <algorithm>
#include <vector>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwisePartitionMesh;

double fieldValue(vtkDataSet* data, const char* name) {
  return data->GetFieldData()->GetArray(name)->GetComponent(0, 0);
}

/// How many cells each part has; the last number is of cells in none.
std::vector<vtkIdType> sizesOf(vtkDataSet* data, int numParts) {
  std::vector<vtkIdType> sizes(static_cast<std::size_t>(numParts) + 1, 0);
  for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
    const auto part = static_cast<int>(data->GetCellData()->GetArray("Part")->GetComponent(c, 0));
    ++sizes.at(static_cast<std::size_t>(part < 0 ? numParts : part));
  }
  return sizes;
}

TEST(PartitionMesh, SaysWhatItMade) {
  vtkNew<Filter> filter;
  filter->SetInputData(vtkGridOf(gridMesh(ElementType::Hexahedron, 8)));
  filter->SetNumberOfParts(2);
  filter->Update();
  vtkDataSet* output = filter->GetOutput();
  const auto sizes = sizesOf(output, 2);
  EXPECT_EQ(sizes[2], 0);
  EXPECT_EQ(fieldValue(output, "Parts"), 2.0);
  EXPECT_EQ(fieldValue(output, "Largest Part"), static_cast<double>(std::max(sizes[0], sizes[1])));
  EXPECT_DOUBLE_EQ(fieldValue(output, "Imbalance"), fieldValue(output, "Largest Part") / 256.0);
  EXPECT_LT(fieldValue(output, "Imbalance"), 1.1);
  // halves of a cube have its middle plane in common, and few more faces as METIS cuts
  EXPECT_GE(fieldValue(output, "Cut Faces"), 60.0);
  EXPECT_LE(fieldValue(output, "Cut Faces"), 96.0);
  EXPECT_GE(fieldValue(output, "Points In Several Parts"), 75.0);
}

TEST(PartitionMesh, OnePartHasAll) {
  vtkNew<Filter> filter;
  filter->SetInputData(vtkGridOf(gridMesh(ElementType::Triangle, 5)));
  filter->SetNumberOfParts(1);
  filter->Update();
  EXPECT_EQ(sizesOf(filter->GetOutput(), 1)[0], 50);
  EXPECT_EQ(fieldValue(filter->GetOutput(), "Imbalance"), 1.0);
  EXPECT_EQ(fieldValue(filter->GetOutput(), "Cut Faces"), 0.0);
}

TEST(PartitionMesh, LeavesOutWhatDoesNotCount) {
  const auto grid = vtkGridOf(gridMesh(ElementType::Tetrahedron, 3));
  const vtkIdType vertex[] = {0};
  grid->InsertNextCell(VTK_VERTEX, 1, vertex);
  grid->AllocateCellGhostArray()->SetValue(5, vtkDataSetAttributes::HIDDENCELL);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->Update();
  vtkDataArray* const parts = filter->GetOutput()->GetCellData()->GetArray("Part");
  EXPECT_EQ(parts->GetComponent(5, 0), -1.0);
  EXPECT_EQ(parts->GetComponent(162, 0), -1.0);
  EXPECT_EQ(sizesOf(filter->GetOutput(), 4)[4], 2);
}

TEST(PartitionMesh, NothingComesFromNothing) {
  vtkNew<vtkUnstructuredGrid> nothing;
  vtkNew<Filter> filter;
  filter->SetInputData(nothing);
  expectNothing(filter);
}

TEST(PartitionMesh, BadInputIsOneError) {
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 1);
  vtkNew<Filter> filter;
  filter->SetInputData(vtkGridOf(mesh));
  filter->SetNumberOfParts(0);
  expectOneError(filter, "the number of parts is 0; it must be at least 1");
  filter->SetNumberOfParts(4);
  mesh.vertices[9] = 1000;
  filter->SetInputData(vtkGridOf(mesh));
  expectOneError(filter, "cell 2 names point 1000");
}

} // namespace
} // namespace spanwise::testing
