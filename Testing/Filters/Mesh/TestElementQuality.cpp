#include "Testing/Filters/Geometry/Pipelines.hpp"
#include "Testing/Filters/Mesh/Grids.hpp"

#include "vtkSpanwiseElementQuality.h"

#include "Core/Mesh/VertexBall.hpp"

#include <vtkCellQuality.h>
#include <vtkCellType.h>
#include <vtkCellTypeSource.h>
#include <vtkSphereSource.h>
#include <vtkStringArray.h>

#include <cmath>
#include <numbers>
#include <string>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseElementQuality;

double cellValue(vtkDataSet* data, const char* name, vtkIdType cell, int component = 0) {
  return data->GetCellData()->GetArray(name)->GetComponent(cell, component);
}

double fieldValue(vtkDataSet* data, const char* name, vtkIdType line = 0) {
  return data->GetFieldData()->GetArray(name)->GetComponent(line, 0);
}

std::string typeAt(vtkDataSet* data, vtkIdType line) {
  return vtkStringArray::SafeDownCast(data->GetFieldData()->GetAbstractArray("Type"))->GetValue(line);
}

vtkIdType numLines(vtkDataSet* data) { return data->GetFieldData()->GetAbstractArray("Type")->GetNumberOfTuples(); }

TEST(ElementQuality, CubesAndSquaresAreIdeal) {
  for (const ElementType type : {ElementType::Hexahedron, ElementType::Quadrilateral, ElementType::Edge}) {
    vtkNew<Filter> filter;
    filter->SetInputData(vtkGridOf(gridMesh(type, 4)));
    filter->ComputeBarycentreOn();
    filter->Update();
    vtkDataSet* output = filter->GetOutput();
    const double size = type == ElementType::Hexahedron ? 1.0 / 64 : type == ElementType::Edge ? 0.25 : 1.0 / 16;
    for (vtkIdType c = 0; c < output->GetNumberOfCells(); ++c) {
      ASSERT_NEAR(cellValue(output, "Quality", c), 1.0, 1e-12);
      ASSERT_NEAR(cellValue(output, "Measure", c), size, 1e-12);
      double bounds[6];
      output->GetCellBounds(c, bounds);
      for (int d = 0; d < 3; ++d) {
        ASSERT_NEAR(cellValue(output, "Barycentre", c, d), 0.5 * (bounds[2 * d] + bounds[2 * d + 1]), 1e-12);
      }
    }
    EXPECT_NEAR(fieldValue(output, "Mean Quality"), 1.0, 1e-12);
    EXPECT_EQ(fieldValue(output, "Cells Not Valid"), 0.0);
  }
}

TEST(ElementQuality, SizesAddUp) {
  for (const ElementType type :
    {ElementType::Triangle, ElementType::Tetrahedron, ElementType::Prism, ElementType::Pyramid}) {
    for (const int pointType : {VTK_FLOAT, VTK_DOUBLE}) {
      vtkNew<Filter> filter;
      filter->SetInputData(vtkGridOf(gridMesh(type, 3), pointType));
      filter->Update();
      EXPECT_NEAR(fieldValue(filter->GetOutput(), "Total Measure"), 1.0, 1e-6) << elementTypeName(type);
      EXPECT_GT(fieldValue(filter->GetOutput(), "Worst Quality"), 0.5);
    }
  }
}

TEST(ElementQuality, SignsAreThoseOfVtk) {
  for (const int type : {VTK_TETRA, VTK_PYRAMID, VTK_WEDGE, VTK_HEXAHEDRON}) {
    vtkNew<vtkCellTypeSource> good;
    good->SetCellType(type);
    good->SetBlocksDimensions(2, 2, 2);
    good->Update();
    vtkUnstructuredGrid* cells = good->GetOutput();
    vtkNew<vtkUnstructuredGrid> mirrored;
    mirrored->DeepCopy(cells);
    for (vtkIdType p = 0; p < cells->GetNumberOfPoints(); ++p) {
      const double* point = cells->GetPoint(p);
      mirrored->GetPoints()->SetPoint(p, -point[0], point[1], point[2]);
    }
    for (vtkUnstructuredGrid* grid : {cells, mirrored.Get()}) {
      vtkNew<vtkCellQuality> volumes;
      volumes->SetInputData(grid);
      volumes->SetQualityMeasureToVolume();
      volumes->Update();
      vtkNew<Filter> filter;
      filter->SetInputData(grid);
      filter->Update();
      vtkDataSet* output = filter->GetOutput();
      EXPECT_EQ(fieldValue(output, "Cells Not Valid"), grid == cells ? 0.0 : grid->GetNumberOfCells()) << type;
      for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
        const double measure = cellValue(output, "Measure", c);
        ASSERT_NEAR(measure, cellValue(volumes->GetOutput(), "CellQuality", c), 1e-12) << type;
        ASSERT_EQ(measure > 0.0, grid == cells) << type;
      }
    }
  }
}

TEST(ElementQuality, NamesTheWorstCell) {
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 2);
  std::swap(mesh.vertices[4 * 13], mesh.vertices[4 * 13 + 1]); // inside out
  vtkNew<Filter> filter;
  filter->SetInputData(vtkGridOf(mesh));
  filter->Update();
  vtkDataSet* output = filter->GetOutput();
  EXPECT_EQ(fieldValue(output, "Worst Cell"), 13.0);
  EXPECT_EQ(fieldValue(output, "Cells Not Valid"), 1.0);
  EXPECT_LT(fieldValue(output, "Worst Quality"), 0.0);
  EXPECT_LT(cellValue(output, "Measure", 13), 0.0);
}

TEST(ElementQuality, LeavesOutWhatIsNoElement) {
  HostMesh mesh = gridMesh(ElementType::Hexahedron, 2);
  append(mesh, gridMesh(ElementType::Quadrilateral, 2));
  const auto grid = vtkGridOf(mesh);
  const vtkIdType vertex[] = {0};
  grid->InsertNextCell(VTK_VERTEX, 1, vertex);
  grid->AllocateCellGhostArray()->SetValue(3, vtkDataSetAttributes::DUPLICATECELL);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->ComputeBarycentreOn();
  filter->Update();
  vtkDataSet* output = filter->GetOutput();
  for (const char* name : {"Quality", "Measure", "Barycentre"}) {
    EXPECT_TRUE(std::isnan(cellValue(output, name, 3))) << name;
    EXPECT_TRUE(std::isnan(cellValue(output, name, 12))) << name;
  }
  EXPECT_NEAR(cellValue(output, "Measure", 4), 0.125, 1e-12);
  EXPECT_NEAR(cellValue(output, "Measure", 11), 0.25, 1e-12);
  EXPECT_NEAR(fieldValue(output, "Total Measure"), 7.0 / 8.0, 1e-12); // of the solid cells
}

TEST(ElementQuality, TakesSurfacesAndWhatIsAskedFor) {
  vtkNew<vtkSphereSource> sphere;
  sphere->SetThetaResolution(100);
  sphere->SetPhiResolution(100);
  vtkNew<Filter> filter;
  filter->SetInputConnection(sphere->GetOutputPort());
  filter->ComputeQualityOff();
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetArray("Quality"), nullptr);
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetArray("Barycentre"), nullptr);
  EXPECT_NEAR(fieldValue(filter->GetOutput(), "Total Measure"), std::numbers::pi, 0.005);
}

TEST(ElementQuality, VertexBallsAreSaidOnlyIfAskedFor) {
  vtkNew<Filter> filter;
  filter->SetInputData(vtkGridOf(gridMesh(ElementType::Prism, 2)));
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetFieldData()->GetAbstractArray("Type"), nullptr);
}

TEST(ElementQuality, VertexBallsHaveTheClosedFormOfARegularGrid) {
  // 8 * 20^3 corners around 21^3 vertices
  vtkNew<Filter> filter;
  filter->SetInputData(vtkGridOf(gridMesh(ElementType::Hexahedron, 20)));
  filter->ComputeVertexBallsOn();
  filter->Update();
  vtkDataSet* output = filter->GetOutput();
  ASSERT_EQ(numLines(output), 1);
  EXPECT_EQ(typeAt(output, 0), "hexahedron");
  EXPECT_EQ(fieldValue(output, "Elements"), 8000.0);
  EXPECT_EQ(fieldValue(output, "Vertices"), 9261.0);
  EXPECT_EQ(fieldValue(output, "Slots"), 8.0);
  EXPECT_EQ(fieldValue(output, "In Base Table"), 100.0);
  EXPECT_EQ(fieldValue(output, "In Overflow Table"), 0.0);
  EXPECT_DOUBLE_EQ(fieldValue(output, "Extra Memory"), 100.0 * (8.0 * 9261.0 - 64000.0) / 64000.0);
  EXPECT_DOUBLE_EQ(fieldValue(output, "Mean Degree"), 64000.0 / 9261.0);
  EXPECT_EQ(fieldValue(output, "Largest Degree"), 8.0);
  // the base table, degrees, and where the entries in the overflow table begin, of which there are none
  EXPECT_EQ(fieldValue(output, "Memory"), 9261.0 * (8 * 4 + 4) + 9262.0 * 8);
}

TEST(ElementQuality, VertexBallsOfEachTypeAndOfAll) {
  HostMesh mesh;
  for (const ElementType type : allElementTypes) {
    append(mesh, gridMesh(type, 2));
  }
  const auto grid = vtkGridOf(mesh, VTK_FLOAT);
  const vtkIdType vertex[] = {0};
  grid->InsertNextCell(VTK_VERTEX, 1, vertex); // no element
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->ComputeVertexBallsOn();
  filter->Update();
  vtkDataSet* output = filter->GetOutput();
  ASSERT_EQ(numLines(output), 8);
  double elements = 0.0;
  for (vtkIdType line = 0; line < 7; ++line) {
    const ElementType type = allElementTypes[static_cast<std::size_t>(line)];
    EXPECT_EQ(typeAt(output, line), elementTypeName(type));
    EXPECT_EQ(fieldValue(output, "Slots", line), ballWidth(type));
    EXPECT_EQ(fieldValue(output, "Elements", line), static_cast<double>(gridMesh(type, 2).numElements()));
    elements += fieldValue(output, "Elements", line);
  }
  EXPECT_EQ(typeAt(output, 7), "all");
  EXPECT_EQ(fieldValue(output, "Elements", 7), elements);
  EXPECT_EQ(fieldValue(output, "Vertices", 7), static_cast<double>(mesh.numVertices()));
}

TEST(ElementQuality, VertexBallsCountWhatHasNoSlot) {
  vtkNew<vtkSphereSource> sphere;
  sphere->SetThetaResolution(40);
  sphere->SetPhiResolution(20);
  vtkNew<Filter> filter;
  filter->SetInputConnection(sphere->GetOutputPort());
  filter->ComputeVertexBallsOn();
  filter->Update();
  vtkDataSet* output = filter->GetOutput();
  ASSERT_EQ(numLines(output), 1);
  EXPECT_EQ(typeAt(output, 0), "triangle");
  EXPECT_EQ(fieldValue(output, "Largest Degree"), 40.0); // at the poles
  const double entries = 3.0 * static_cast<double>(sphere->GetOutput()->GetNumberOfCells());
  EXPECT_DOUBLE_EQ(fieldValue(output, "In Overflow Table"), 100.0 * 64.0 / entries);
  EXPECT_DOUBLE_EQ(fieldValue(output, "In Base Table") + fieldValue(output, "In Overflow Table"), 100.0);
}

TEST(ElementQuality, NothingComesFromNothing) {
  vtkNew<vtkUnstructuredGrid> nothing;
  vtkNew<Filter> filter;
  filter->ComputeVertexBallsOn();
  filter->SetInputData(nothing);
  expectNothing(filter);
}

TEST(ElementQuality, BadInputIsOneError) {
  HostMesh mesh = gridMesh(ElementType::Tetrahedron, 1);
  const auto quadratic = vtkGridOf(mesh);
  const vtkIdType ids[10] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1};
  quadratic->InsertNextCell(VTK_QUADRATIC_TETRA, 10, ids);
  vtkNew<Filter> filter;
  filter->SetInputData(quadratic);
  expectOneError(filter, "cell 6 is a");
  mesh.vertices[9] = 1000;
  filter->SetInputData(vtkGridOf(mesh));
  expectOneError(filter, "cell 2 names point 1000");
}

} // namespace
} // namespace spanwise::testing
