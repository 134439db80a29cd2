#include "Testing/Filters/Geometry/Pipelines.hpp"
#include "Testing/Filters/Mesh/Grids.hpp"

#include "vtkSpanwiseVertexBallReport.h"

#include "Core/Mesh/VertexBall.hpp"

#include <vtkCellType.h>
#include <vtkSphereSource.h>
#include <vtkStringArray.h>
#include <vtkTable.h>

#include <algorithm>
#include <map>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseVertexBallReport;

double at(vtkTable* table, const char* column, vtkIdType row) {
  return vtkDataArray::SafeDownCast(table->GetColumnByName(column))->GetComponent(row, 0);
}

std::string typeAt(vtkTable* table, vtkIdType row) { return table->GetValueByName(row, "Type").ToString(); }

TEST(VertexBallReport, HasTheClosedFormOfARegularGrid) {
  // 8 * 20^3 corners around 21^3 vertices
  vtkNew<Filter> filter;
  filter->SetInputData(vtkGridOf(gridMesh(ElementType::Hexahedron, 20)));
  filter->Update();
  vtkTable* table = filter->GetOutput();
  ASSERT_EQ(table->GetNumberOfRows(), 1);
  EXPECT_EQ(typeAt(table, 0), "hexahedron");
  EXPECT_EQ(at(table, "Elements", 0), 8000.0);
  EXPECT_EQ(at(table, "Vertices", 0), 9261.0);
  EXPECT_EQ(at(table, "Slots", 0), 8.0);
  EXPECT_EQ(at(table, "In Base Table", 0), 100.0);
  EXPECT_EQ(at(table, "In Overflow Table", 0), 0.0);
  EXPECT_DOUBLE_EQ(at(table, "Extra Memory", 0), 100.0 * (8.0 * 9261.0 - 64000.0) / 64000.0);
  EXPECT_DOUBLE_EQ(at(table, "Mean Degree", 0), 64000.0 / 9261.0);
  EXPECT_EQ(at(table, "Largest Degree", 0), 8.0);
  // the base table and degrees at least
  EXPECT_GE(at(table, "Memory", 0), 9261.0 * (8 * 4 + 4));
}

TEST(VertexBallReport, CountsWhatHasNoSlot) {
  // Kuhn's tetrahedra: 24 around an inner vertex.
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 6);
  std::map<std::int64_t, int> degrees;
  for (const std::int64_t vertex : mesh.vertices) {
    ++degrees[vertex];
  }
  double inBase = 0.0;
  for (const auto& [vertex, degree] : degrees) {
    inBase += std::min(degree, 16);
  }
  vtkNew<Filter> filter;
  filter->SetInputData(vtkGridOf(mesh));
  filter->SetSlots(16);
  filter->Update();
  vtkTable* table = filter->GetOutput();
  EXPECT_DOUBLE_EQ(at(table, "In Base Table", 0), 100.0 * inBase / static_cast<double>(mesh.vertices.size()));
  EXPECT_DOUBLE_EQ(at(table, "In Base Table", 0) + at(table, "In Overflow Table", 0), 100.0);
  EXPECT_EQ(at(table, "Largest Degree", 0), 24.0);
}

TEST(VertexBallReport, HasALineForEachTypeAndOneForAll) {
  HostMesh mesh;
  for (const ElementType type : allElementTypes) {
    append(mesh, gridMesh(type, 2));
  }
  vtkNew<Filter> filter;
  filter->SetInputData(vtkGridOf(mesh, VTK_FLOAT));
  filter->Update();
  vtkTable* table = filter->GetOutput();
  ASSERT_EQ(table->GetNumberOfRows(), 8);
  double elements = 0.0;
  for (vtkIdType row = 0; row < 7; ++row) {
    const ElementType type = allElementTypes[static_cast<std::size_t>(row)];
    EXPECT_EQ(typeAt(table, row), elementTypeName(type));
    EXPECT_EQ(at(table, "Slots", row), ballWidth(type));
    EXPECT_EQ(at(table, "Elements", row), static_cast<double>(gridMesh(type, 2).numElements()));
    elements += at(table, "Elements", row);
  }
  EXPECT_EQ(typeAt(table, 7), "all");
  EXPECT_EQ(at(table, "Elements", 7), elements);
  EXPECT_EQ(at(table, "Vertices", 7), static_cast<double>(mesh.numVertices()));
}

TEST(VertexBallReport, TakesPolygonalData) {
  vtkNew<vtkSphereSource> sphere;
  sphere->SetThetaResolution(40);
  sphere->SetPhiResolution(20);
  vtkNew<Filter> filter;
  filter->SetInputConnection(sphere->GetOutputPort());
  filter->Update();
  vtkTable* table = filter->GetOutput();
  ASSERT_EQ(table->GetNumberOfRows(), 1);
  EXPECT_EQ(typeAt(table, 0), "triangle");
  EXPECT_EQ(at(table, "Largest Degree", 0), 40.0); // at the poles
  const double entries = 3.0 * static_cast<double>(sphere->GetOutput()->GetNumberOfCells());
  EXPECT_DOUBLE_EQ(at(table, "In Overflow Table", 0), 100.0 * 64.0 / entries);
}

TEST(VertexBallReport, IsSaidInTheFirstPiece) {
  for (const int piece : {0, 1}) {
    vtkNew<Filter> filter;
    filter->SetInputData(vtkGridOf(gridMesh(ElementType::Prism, 2)));
    filter->UpdatePiece(piece, 2, 0);
    EXPECT_EQ(filter->GetOutput()->GetNumberOfRows(), piece == 0 ? 1 : 0);
    EXPECT_NE(filter->GetOutput()->GetColumnByName("Type"), nullptr);
  }
}

TEST(VertexBallReport, PassesFieldDataOn) {
  const auto grid = vtkGridOf(gridMesh(ElementType::Prism, 2));
  vtkNew<vtkStringArray> note;
  note->SetName("note");
  note->InsertNextValue("from the solver");
  grid->GetFieldData()->AddArray(note);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->Update();
  EXPECT_NE(filter->GetOutput()->GetFieldData()->GetAbstractArray("note"), nullptr);
}

TEST(VertexBallReport, NothingComesFromNothing) {
  vtkNew<vtkUnstructuredGrid> nothing;
  vtkNew<Filter> filter;
  filter->SetInputData(nothing);
  Messages messages;
  filter->Update();
  EXPECT_EQ(messages.all().size(), 0U);
  EXPECT_EQ(filter->GetOutput()->GetNumberOfRows(), 0);
  EXPECT_NE(filter->GetOutput()->GetColumnByName("Extra Memory"), nullptr);
}

TEST(VertexBallReport, BadInputIsOneError) {
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 1);
  const auto quadratic = vtkGridOf(mesh);
  const vtkIdType ids[10] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1};
  quadratic->InsertNextCell(VTK_QUADRATIC_TETRA, 10, ids);
  vtkNew<Filter> filter;
  filter->SetInputData(quadratic);
  expectOneError(filter, "cell 6 is a");
  HostMesh broken = mesh;
  broken.vertices[9] = 1000;
  filter->SetInputData(vtkGridOf(broken));
  expectOneError(filter, "element 2 names a vertex that the mesh does not have");
  filter->SetInputData(vtkGridOf(mesh));
  filter->SetSlots(-1);
  expectOneError(filter, "the number of slots is -1");
  filter->SetSlots(0);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfRows(), 1);
}

} // namespace
} // namespace spanwise::testing
