#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "vtkSpanwiseIntervalsToUnstructuredGrid.h"

#include <vtkCell.h>
#include <vtkDoubleArray.h>
#include <vtkPoints.h>
#include <vtkTypeInt64Array.h>

#include <random>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseIntervalsToUnstructuredGrid;

template <int Dim>
void expectSameCellsAndPoints() {
  std::mt19937 random(seed());
  const auto grid = gridOfCells<Dim>(randomCells<Dim>(random, 5, 0.4), {{0.1, 0.2, 0.3}, {0.5, 0.25, 2.0}, 0});
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->Update();
  vtkUnstructuredGrid* output = filter->GetOutput();
  EXPECT_EQ(gridOf<Dim>(output), nullptr);
  EXPECT_NE(vtkDoubleArray::FastDownCast(output->GetPoints()->GetData()), nullptr);
  EXPECT_NE(vtkTypeInt64Array::FastDownCast(output->GetCells()->GetConnectivityArray()), nullptr);
  ASSERT_EQ(output->GetNumberOfCells(), grid->GetNumberOfCells());
  ASSERT_EQ(output->GetNumberOfPoints(), grid->GetNumberOfPoints());
  for (vtkIdType c = 0; c < output->GetNumberOfCells(); ++c) {
    EXPECT_EQ(output->GetCellType(c), grid->GetCellType(c));
    for (vtkIdType k = 0; k < (1 << Dim); ++k) {
      EXPECT_EQ(output->GetCell(c)->GetPointId(static_cast<int>(k)), grid->GetCell(c)->GetPointId(static_cast<int>(k)));
    }
  }
  for (vtkIdType p = 0; p < output->GetNumberOfPoints(); ++p) {
    for (int d = 0; d < 3; ++d) {
      EXPECT_EQ(output->GetPoint(p)[d], grid->GetPoint(p)[d]);
    }
  }
  EXPECT_EQ(output->GetCellData()->GetArray("number"), grid->GetCellData()->GetArray("number"));
}

TEST(IntervalsToUnstructuredGrid, HasTheSameCellsAndPointsExplicitly) {
  expectSameCellsAndPoints<2>();
  expectSameCellsAndPoints<3>();
}

TEST(IntervalsToUnstructuredGrid, PassesOtherGridsOn) {
  std::mt19937 random(seed());
  vtkNew<Filter> once;
  once->SetInputData(gridOfCells<2>(randomCells<2>(random, 5, 0.4)));
  vtkNew<Filter> twice;
  twice->SetInputConnection(once->GetOutputPort());
  twice->Update();
  EXPECT_EQ(twice->GetOutput()->GetPoints(), once->GetOutput()->GetPoints());
}

TEST(IntervalsToUnstructuredGrid, NothingComesFromNothing) {
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<3>({}));
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 0);
}

} // namespace
} // namespace spanwise::testing
