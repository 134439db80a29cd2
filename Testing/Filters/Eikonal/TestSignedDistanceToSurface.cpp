#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseSignedDistanceToSurface.h"
#include "vtkSpanwiseSurfaceToIntervals.h"

#include <vtkCubeSource.h>
#include <vtkDoubleArray.h>
#include <vtkImageData.h>
#include <vtkImplicitPolyDataDistance.h>
#include <vtkPlaneSource.h>
#include <vtkSphereSource.h>
#include <vtkTransform.h>
#include <vtkTransformPolyDataFilter.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseSignedDistanceToSurface;

constexpr const char* arrayName = "Signed Distance";
constexpr double spacing[3] = {0.11, 0.13, 0.12};
constexpr double origin[3] = {0.01, 0.02, 0.03};

/// A closed surface that is neither symmetric nor aligned.
vtkSmartPointer<vtkPolyData> ellipsoid() {
  vtkNew<vtkSphereSource> source;
  source->SetRadius(1.0);
  source->SetThetaResolution(24);
  source->SetPhiResolution(24);
  source->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  vtkNew<vtkTransform> transform;
  transform->RotateWXYZ(31.0, 1.0, 2.0, 0.5);
  transform->Scale(1.0, 0.6, 0.8);
  vtkNew<vtkTransformPolyDataFilter> turned;
  turned->SetTransform(transform);
  turned->SetInputConnection(source->GetOutputPort());
  turned->Update();
  return turned->GetOutput();
}

vtkSmartPointer<Filter> makeFilter(vtkPolyData* surface, int where) {
  auto filter = vtkSmartPointer<Filter>::New();
  filter->SetInputData(surface);
  filter->SetSpacing(spacing);
  filter->SetOrigin(origin);
  filter->SetWhere(where);
  return filter;
}

/// The distances by the coordinates of the cells.
std::map<Cell<3>, double> distancesOf(vtkUnstructuredGrid* output) {
  std::map<Cell<3>, double> values;
  vtkDataArray* const array = output->GetCellData()->GetScalars();
  EXPECT_STREQ(array->GetName(), arrayName);
  vtkIdType k = 0;
  for (const Cell<3>& cell : cellsOf<3>(output)) {
    values[cell] = array->GetComponent(k++, 0);
  }
  return values;
}

/// VTK's own distance, negative inside, in the cells of a box that are to have one; and in no other.
void expectDistances(vtkUnstructuredGrid* output, vtkPolyData* surface,
  const std::function<bool(double distance, const double* centre)>& isAsked, double sign = 1.0) {
  vtkNew<vtkImplicitPolyDataDistance> reference;
  reference->SetInput(surface);
  std::map<Cell<3>, double> found = distancesOf(output);
  EXPECT_FALSE(found.empty());
  for (int z = -16; z < 16; ++z) {
    for (int y = -16; y < 16; ++y) {
      for (int x = -16; x < 16; ++x) {
        const double centre[3] = {
          origin[0] + (x + 0.5) * spacing[0], origin[1] + (y + 0.5) * spacing[1], origin[2] + (z + 0.5) * spacing[2]};
        const double distance = reference->EvaluateFunction(centre[0], centre[1], centre[2]);
        const auto cell = found.find({{x, y, z}});
        ASSERT_EQ(cell != found.end(), isAsked(distance, centre));
        if (cell != found.end()) {
          ASSERT_NEAR(cell->second, sign * distance, 1e-12);
          found.erase(cell);
        }
      }
    }
  }
  EXPECT_TRUE(found.empty());
}

TEST(SignedDistanceToSurface, IsThatOfVtkInEveryPlace) {
  const auto surface = ellipsoid();
  const auto filter = makeFilter(surface, Filter::BAND);
  filter->SetWidth(0.3);
  filter->Update();
  expectDistances(
    filter->GetOutput(), surface, [](double distance, const double*) { return std::abs(distance) <= 0.3; });

  filter->SetWhere(Filter::CELLS_INSIDE);
  filter->Update();
  expectDistances(filter->GetOutput(), surface, [](double distance, const double*) { return distance < 0.0; });
  filter->SetSign(Filter::POSITIVE_INSIDE);
  filter->Update();
  expectDistances(filter->GetOutput(), surface, [](double distance, const double*) { return distance < 0.0; }, -1.0);
  filter->SetSign(Filter::NEGATIVE_INSIDE);

  filter->SetWhere(Filter::BOX);
  filter->SetMargin(0.25);
  filter->Update();
  double bounds[6];
  surface->GetBounds(bounds);
  expectDistances(filter->GetOutput(), surface, [&](double, const double* centre) {
    bool within = true;
    for (int d = 0; d < 3; ++d) {
      within = within && centre[d] >= bounds[2 * d] - 0.25 && centre[d] <= bounds[2 * d + 1] + 0.25;
    }
    return within;
  });
}

TEST(SignedDistanceToSurface, AWideBandIsAsExactAsANarrowOne) {
  // Wide ones are searched in another way.
  const auto surface = ellipsoid();
  const auto filter = makeFilter(surface, Filter::BAND);
  filter->SetWidth(0.1);
  filter->Update();
  const auto narrow = distancesOf(filter->GetOutput());
  filter->SetWidth(1.0);
  filter->Update();
  const auto wide = distancesOf(filter->GetOutput());
  EXPECT_GT(wide.size(), narrow.size());
  for (const auto& [cell, distance] : narrow) {
    EXPECT_EQ(wide.at(cell), distance);
  }
}

TEST(SignedDistanceToSurface, InCellsThatLieAnywhereKeepsTheirArrays) {
  vtkNew<vtkImageData> image;
  image->SetExtent(-4, 5, 0, 6, 2, 7);
  image->SetOrigin(0.3, -0.7, 0.1);
  image->SetSpacing(0.17, 0.23, 0.31);
  vtkNew<vtkDoubleArray> carried;
  carried->SetName("carried");
  for (vtkIdType c = 0; c < image->GetNumberOfCells(); ++c) {
    carried->InsertNextValue(static_cast<double>(c));
  }
  image->GetCellData()->AddArray(carried);
  const auto surface = ellipsoid();
  const auto filter = makeFilter(surface, Filter::CELLS_OF_SECOND_INPUT);
  filter->SetInputData(1, image);
  filter->Update();
  vtkUnstructuredGrid* const output = filter->GetOutput();
  ASSERT_EQ(output->GetNumberOfCells(), image->GetNumberOfCells());
  vtkNew<vtkImplicitPolyDataDistance> reference;
  reference->SetInput(surface);
  vtkDataArray* const numbers = output->GetCellData()->GetArray("carried");
  ASSERT_NE(numbers, nullptr);
  for (vtkIdType c = 0; c < output->GetNumberOfCells(); ++c) {
    double cell[6];
    image->GetCellBounds(static_cast<vtkIdType>(numbers->GetComponent(c, 0)), cell);
    EXPECT_NEAR(output->GetCellData()->GetScalars()->GetComponent(c, 0),
      reference->EvaluateFunction(0.5 * (cell[0] + cell[1]), 0.5 * (cell[2] + cell[3]), 0.5 * (cell[4] + cell[5])),
      1e-12);
  }
}

TEST(SignedDistanceToSurface, OfAnOpenOneHasNoSign) {
  vtkNew<vtkPlaneSource> plane; // the unit square around the origin, at z = 0
  plane->SetResolution(3, 2);
  plane->Update();
  vtkNew<Filter> filter;
  filter->SetInputConnection(plane->GetOutputPort());
  filter->SetSpacing(0.1, 0.1, 0.1);
  filter->SetWidth(0.32);
  expectOneError(filter, "edges have an odd number of triangles");
  filter->Modified();
  expectOneError(filter, "choose Unsigned, which needs no closed surface");
  filter->SetSign(Filter::UNSIGNED);
  filter->Update();
  std::size_t expected = 0;
  const auto found = distancesOf(filter->GetOutput());
  for (int z = -4; z < 4; ++z) {
    for (int y = -9; y < 9; ++y) {
      for (int x = -9; x < 9; ++x) {
        const double aside[2] = {
          std::max(std::abs(0.1 * (x + 0.5)) - 0.5, 0.0), std::max(std::abs(0.1 * (y + 0.5)) - 0.5, 0.0)};
        const double distance = std::hypot(aside[0], aside[1], 0.1 * (z + 0.5));
        if (distance <= 0.32) {
          ++expected;
          ASSERT_EQ(found.count({{x, y, z}}), 1U);
          EXPECT_NEAR(found.at({{x, y, z}}), distance, 1e-7); // the points of the plane are float
        }
      }
    }
  }
  EXPECT_EQ(found.size(), expected);
}

TEST(SignedDistanceToSurface, OfACubeBeginsAtItsFaces) {
  vtkNew<vtkCubeSource> cube; // points are not shared by faces
  vtkNew<Filter> filter;
  filter->SetInputConnection(cube->GetOutputPort());
  filter->SetResolution(10);
  filter->SetWhere(Filter::CELLS_INSIDE);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 1000);
  double range[2];
  filter->GetOutput()->GetCellData()->GetScalars()->GetRange(range);
  EXPECT_NEAR(range[0], -0.45, 1e-7);
  EXPECT_NEAR(range[1], -0.05, 1e-7);
}

TEST(SignedDistanceToSurface, PiecesPartitionTheWhole) {
  const auto filter = makeFilter(ellipsoid(), Filter::BAND);
  filter->SetWidth(0.25);
  expectPiecesMakeTheWhole(filter, arrayName, 3, 0.055);
}

TEST(SignedDistanceToSurface, NoSurfaceHasNoCells) {
  vtkNew<vtkPolyData> nothing;
  for (const int where : {Filter::BAND, Filter::BOX, Filter::CELLS_INSIDE}) {
    const auto filter = makeFilter(nothing, where);
    filter->Update();
    EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 0);
  }
}

TEST(SignedDistanceToSurface, NoCellsOfASecondInputHaveNoDistances) {
  const auto filter = makeFilter(ellipsoid(), Filter::CELLS_OF_SECOND_INPUT);
  vtkNew<vtkUnstructuredGrid> nothing;
  filter->SetInputData(1, nothing);
  Messages messages;
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 0);
  EXPECT_EQ(messages.all().size(), 0U);
}

TEST(SignedDistanceToSurface, RefusesWhatItCannotDo) {
  const auto surface = ellipsoid();
  const auto filter = makeFilter(surface, Filter::BAND);
  filter->SetWidth(-2.0);
  expectOneError(filter, "the width of the band is -2; it must be finite and not negative");
  filter->SetWidth(0.1);
  filter->SetWhere(4);
  expectOneError(filter, "the choice of places is 4");
  filter->SetWhere(Filter::BOX);
  filter->SetMargin(100.0);
  filter->SetMemoryLimit(1);
  expectOneError(filter, "the limit is 1;");
  filter->SetMemoryLimit(4096);
  filter->SetWhere(Filter::CELLS_OF_SECOND_INPUT);
  expectOneError(filter, "there is none");
  filter->SetInputData(1, gridOfCells<2>({{{0, 0}}}));
  expectOneError(filter, "is 2D");
  filter->SetWhere(Filter::BAND);
  filter->SetResultArrayName("");
  expectOneError(filter, "has no name");
  filter->SetResultArrayName(arrayName);
  filter->Update();
  EXPECT_GT(filter->GetOutput()->GetNumberOfCells(), 0);
}

TEST(SignedDistanceToSurface, AnAbortLeavesNothingAndTheNextRunIsRight) {
  const auto filter = makeFilter(ellipsoid(), Filter::BAND);
  filter->SetAbortExecuteAndUpdateTime();
  Messages messages;
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 0);
  EXPECT_EQ(messages.all().size(), 0U);
  filter->SetAbortExecute(0);
  filter->Modified();
  filter->Update();
  EXPECT_GT(filter->GetOutput()->GetNumberOfCells(), 0);
}

} // namespace
} // namespace spanwise::testing
