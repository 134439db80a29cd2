#include "Testing/Filters/Geometry/Pipelines.hpp"
#include "Testing/Filters/Mesh/Grids.hpp"

#include "vtkSpanwisePartitionMesh.h"

#include <vtkCellType.h>
#include <vtkIdList.h>

#include <algorithm>
#include <set>
#include <utility>
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
  EXPECT_LE(fieldValue(output, "Imbalance"), 1.03); // METIS's own tolerance; of bisection 1
  vtkDataArray* const parts = output->GetCellData()->GetArray("Part");
  int numCut = 0;
  std::vector<std::set<double>> partsOfPoint(9 * 9 * 9);
  for (vtkIdType c = 0; c < output->GetNumberOfCells(); ++c) {
    const double part = parts->GetComponent(c, 0);
    for (const auto& [step, place] : {std::pair{1, c % 8}, {8, c / 8 % 8}, {64, c / 64}}) { // to the next along an axis
      numCut += place < 7 && parts->GetComponent(c + step, 0) != part ? 1 : 0;
    }
    vtkNew<vtkIdList> points;
    output->GetCellPoints(c, points);
    for (vtkIdType k = 0; k < 8; ++k) {
      partsOfPoint[static_cast<std::size_t>(points->GetId(k))].insert(part);
    }
  }
  EXPECT_EQ(fieldValue(output, "Cut Faces"), numCut);
  EXPECT_EQ(fieldValue(output, "Points In Several Parts"),
    std::count_if(partsOfPoint.begin(), partsOfPoint.end(), [](const auto& of) { return of.size() > 1; }));
  // a part of a quarter to a half of a cube of n^3 cells has n^2 faces to the rest, or more (B. Bollobas, I. Leader,
  // J. Combin. Theory Ser. A 56 (1991) 47-62)
  EXPECT_GE(numCut, 64);
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
