#include "Testing/Filters/Geometry/Pipelines.hpp"
#include "Testing/Filters/Mesh/Grids.hpp"
#include "Testing/Filters/WithoutMemory.hpp"

#include "vtkSpanwiseElementQuality.h"
#include "vtkSpanwiseSmoothMesh.h"

#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkPointData.h>

#include <array>
#include <cmath>
#include <random>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseSmoothMesh;

double fieldValue(vtkDataSet* data, const char* name) {
  return data->GetFieldData()->GetArray(name)->GetComponent(0, 0);
}

bool isInside(const Point& point, bool solid) {
  bool inside = true;
  for (int d = 0; d < (solid ? 3 : 2); ++d) {
    inside = inside && point[d] > 1e-9 && point[d] < 1.0 - 1e-9;
  }
  return inside;
}

/// Moves the points inside the cube or square by at most `amount`, those of a square in its plane.
HostMesh perturbed(ElementType type, int n, double amount, std::mt19937& random) {
  HostMesh mesh = gridMesh(type, n);
  const bool solid = dimensionOf(type) == 3;
  std::uniform_real_distribution<double> shift(-amount, amount);
  for (Point& point : mesh.points) {
    if (isInside(point, solid)) {
      for (int d = 0; d < (solid ? 3 : 2); ++d) {
        point[d] += shift(random);
      }
    }
  }
  return mesh;
}

double largestMove(vtkDataSet* output, const HostMesh& mesh) {
  double largest = 0.0;
  EXPECT_EQ(output->GetNumberOfPoints(), mesh.numVertices());
  for (vtkIdType p = 0; p < output->GetNumberOfPoints(); ++p) {
    double point[3];
    output->GetPoint(p, point);
    const Point& before = mesh.points[static_cast<std::size_t>(p)];
    largest = std::max(largest, std::hypot(point[0] - before[0], point[1] - before[1], point[2] - before[2]));
  }
  return largest;
}

TEST(SmoothMesh, KeepsARegularMesh) {
  for (const ElementType type : {ElementType::Triangle, ElementType::Quadrilateral, ElementType::Tetrahedron,
         ElementType::Hexahedron, ElementType::Prism, ElementType::Pyramid}) {
    const HostMesh mesh = gridMesh(type, 4);
    vtkNew<Filter> filter;
    filter->SetInputData(vtkGridOf(mesh));
    filter->Update();
    EXPECT_LT(largestMove(filter->GetOutput(), mesh), 1e-12) << elementTypeName(type);
  }
}

TEST(SmoothMesh, RaisesTheWorstQualityAndHoldsTheBoundary) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : {ElementType::Triangle, ElementType::Quadrilateral, ElementType::Tetrahedron,
         ElementType::Hexahedron, ElementType::Prism, ElementType::Pyramid}) {
    for (const int pointType : {VTK_FLOAT, VTK_DOUBLE}) {
      const HostMesh mesh = perturbed(type, 6, 0.05, random);
      vtkNew<Filter> filter;
      filter->SetInputData(vtkGridOf(mesh, pointType));
      filter->SetIterations(30);
      filter->Update();
      auto* output = vtkUnstructuredGrid::SafeDownCast(filter->GetOutput());
      EXPECT_EQ(output->GetPoints()->GetDataType(), pointType);
      EXPECT_GT(fieldValue(output, "Worst Quality After"), fieldValue(output, "Worst Quality Before"));
      const bool solid = dimensionOf(type) == 3;
      for (vtkIdType p = 0; p < mesh.numVertices(); ++p) {
        const Point& before = mesh.points[static_cast<std::size_t>(p)];
        if (!isInside(before, solid)) {
          for (int d = 0; d < 3; ++d) {
            ASSERT_EQ(static_cast<float>(output->GetPoint(p)[d]), static_cast<float>(before[d]));
          }
        }
      }
    }
  }
}

TEST(SmoothMesh, GoesOnOnTheHostWithoutMemory) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const auto input = vtkGridOf(perturbed(ElementType::Tetrahedron, 4, 0.06, random));
  const auto run = [&] {
    vtkNew<Filter> filter;
    filter->SetInputData(input);
    filter->Update();
    return vtkSmartPointer<vtkPointSet>(vtkPointSet::SafeDownCast(filter->GetOutput()));
  };
  expectSameWithoutMemory(3, 1e-12, run, [](const vtkSmartPointer<vtkPointSet>& output) {
    std::vector<double> digest;
    appendDigest(output->GetPoints()->GetData(), digest);
    return digest;
  });
}

TEST(SmoothMesh, HoldsWhatIsMarked) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const HostMesh mesh = perturbed(ElementType::Tetrahedron, 4, 0.06, random);
  const auto grid = vtkGridOf(mesh);
  vtkNew<vtkDoubleArray> marks;
  marks->SetName("marks");
  marks->SetNumberOfValues(mesh.numVertices());
  marks->Fill(1.0);
  grid->GetPointData()->AddArray(marks);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "marks");
  filter->Update();
  EXPECT_GT(largestMove(filter->GetOutput(), mesh), 0.01);
  filter->HoldMarkedOn();
  filter->Update();
  EXPECT_EQ(largestMove(filter->GetOutput(), mesh), 0.0);
  EXPECT_EQ(filter->GetOutput()->GetPointData()->GetArray("marks"), marks.Get());
}

TEST(SmoothMesh, FeaturesStayUnlessReleased) {
  // The surface of a cube that is pulled in at the middle of an edge: sharp edges stay by default.
  HostMesh mesh;
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 5; ++i) {
      mesh.points.push_back({{0.25 * i + (i == 2 && j == 1 ? 0.1 : 0.0), j < 2 ? 0.5 * j : 0.5, j < 2 ? 0.0 : 0.5}});
    }
  }
  for (int j = 0; j < 2; ++j) { // a floor and a wall
    for (int i = 0; i < 4; ++i) {
      const std::int64_t a = 5 * j + i;
      mesh.add(ElementType::Quadrilateral, std::array<std::int64_t, 4>{a, a + 1, a + 6, a + 5});
    }
  }
  vtkNew<Filter> filter;
  filter->SetInputData(vtkGridOf(mesh));
  filter->Update();
  EXPECT_EQ(largestMove(filter->GetOutput(), mesh), 0.0);
  filter->HoldFeaturesOff();
  filter->Update();
  EXPECT_GT(largestMove(filter->GetOutput(), mesh), 0.05);
}

TEST(SmoothMesh, InvertsNothing) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const double least : {0.0, 1.0}) {
    const HostMesh mesh = perturbed(ElementType::Hexahedron, 5, 0.08, random);
    vtkNew<Filter> filter;
    filter->SetInputData(vtkGridOf(mesh));
    filter->SetMinimumQuality(least);
    filter->SetIterations(20);
    filter->Update();
    EXPECT_GE(
      fieldValue(filter->GetOutput(), "Worst Quality After"), fieldValue(filter->GetOutput(), "Worst Quality Before"));
  }
}

/// Cells that grow along x and turn along y, in good shape: smoothed freely, the largest ones squeeze others.
TEST(SmoothMesh, MakesNoCellWorseThanTheWorstWas) {
  for (const ElementType type : {ElementType::Triangle, ElementType::Quadrilateral, ElementType::Tetrahedron,
         ElementType::Hexahedron, ElementType::Prism, ElementType::Pyramid}) {
    for (const int pointType : {VTK_FLOAT, VTK_DOUBLE}) {
      HostMesh mesh = gridMesh(type, 6);
      for (Point& point : mesh.points) {
        const double radius = std::exp(2.0 * point[0]);
        point = {{radius * std::cos(2.0 * point[1]), radius * std::sin(2.0 * point[1]), 4.0 * point[2]}};
      }
      vtkNew<Filter> filter;
      filter->SetInputData(vtkGridOf(mesh, pointType));
      filter->Update();
      EXPECT_GE(
        fieldValue(filter->GetOutput(), "Worst Quality After"), fieldValue(filter->GetOutput(), "Worst Quality Before"))
        << elementTypeName(type);
    }
  }
}

TEST(SmoothMesh, NothingComesFromNothing) {
  vtkNew<vtkUnstructuredGrid> nothing;
  vtkNew<Filter> filter;
  filter->SetInputData(nothing);
  expectNothing(filter);
}

// What Element Quality said of the mesh before is not true of the mesh after; what others call so stays.
TEST(SmoothMesh, ArraysOfElementQualityAreThoseOfTheNewMesh) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const ElementType type : {ElementType::Quadrilateral, ElementType::Tetrahedron}) {
    for (const int pointType : {VTK_FLOAT, VTK_DOUBLE}) {
      const auto makeQuality = [](auto* filter) {
        filter->ComputeQualityOn();
        filter->ComputeMeasureOn();
        filter->ComputeBarycentreOn();
      };
      vtkNew<vtkSpanwiseElementQuality> before;
      before->SetInputData(vtkGridOf(perturbed(type, 4, 0.05, random), pointType));
      makeQuality(before.Get());
      before->Update();
      vtkNew<Filter> filter;
      filter->SetInputConnection(before->GetOutputPort());
      filter->Update();
      EXPECT_STREQ(filter->GetOutput()->GetCellData()->GetScalars()->GetName(), "Quality");
      vtkNew<vtkSpanwiseElementQuality> after;
      after->SetInputConnection(filter->GetOutputPort());
      makeQuality(after.Get());
      after->Update();
      for (const char* name : {"Quality", "Measure", "Barycentre"}) {
        vtkDataArray* const was = vtkDataSet::SafeDownCast(before->GetOutput())->GetCellData()->GetArray(name);
        vtkDataArray* const carried = filter->GetOutput()->GetCellData()->GetArray(name);
        vtkDataArray* const expected = vtkDataSet::SafeDownCast(after->GetOutput())->GetCellData()->GetArray(name);
        ASSERT_EQ(carried->GetNumberOfValues(), expected->GetNumberOfValues());
        int numOther = 0;
        for (vtkIdType k = 0; k < expected->GetNumberOfValues(); ++k) {
          EXPECT_EQ(carried->GetVariantValue(k).ToDouble(), expected->GetVariantValue(k).ToDouble())
            << name << " " << k;
          numOther += carried->GetVariantValue(k).ToDouble() != was->GetVariantValue(k).ToDouble() ? 1 : 0;
        }
        EXPECT_GT(numOther, 0) << name;
      }
      vtkNew<vtkDoubleArray> own; // of somebody who calls something else so
      own->SetName("Quality");
      own->SetNumberOfValues(before->GetOutput()->GetNumberOfElements(vtkDataObject::CELL));
      own->Fill(0.5);
      const auto data = vtkSmartPointer<vtkUnstructuredGrid>::New();
      data->ShallowCopy(before->GetOutput());
      data->GetCellData()->AddArray(own);
      filter->SetInputData(data);
      filter->Update();
      EXPECT_EQ(filter->GetOutput()->GetCellData()->GetArray("Quality"), own.Get());
    }
  }
}

TEST(SmoothMesh, BadInputIsOneError) {
  const HostMesh mesh = gridMesh(ElementType::Tetrahedron, 1);
  const auto quadratic = vtkGridOf(mesh);
  const vtkIdType ids[10] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1};
  quadratic->InsertNextCell(VTK_QUADRATIC_TETRA, 10, ids);
  vtkNew<Filter> filter;
  filter->SetInputData(quadratic);
  expectOneError(filter, "cell 6 is a");
  filter->SetInputData(vtkGridOf(mesh));
  filter->SetRelaxation(1.5);
  expectOneError(filter, "1.5");
  filter->SetRelaxation(1e300);
  expectOneError(filter, "smoothing with the relaxation 1e+300: it must be");
  filter->SetRelaxation(1.0);
  filter->SetIterations(-1);
  expectOneError(filter, "-1");
  filter->SetIterations(1);
  filter->SetFeatureAngle(200.0);
  expectOneError(filter, "200");
  filter->SetFeatureAngle(1e300);
  expectOneError(filter, "a feature angle of 1e+300 degrees");
  filter->SetFeatureAngle(30.0);
  filter->HoldMarkedOn();
  expectOneError(filter, "no array was chosen for the points that stay");
  filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "missing");
  expectOneError(filter, "no array 'missing'");
  filter->HoldMarkedOff();
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 6);
}

} // namespace
} // namespace spanwise::testing
