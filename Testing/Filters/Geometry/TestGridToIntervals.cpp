#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseGridToIntervals.h"
#include "vtkSpanwiseIntervalsToUnstructuredGrid.h"

#include <vtkDataSetTriangleFilter.h>
#include <vtkDoubleArray.h>
#include <vtkPointData.h>
#include <vtkThreshold.h>

#include <random>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseGridToIntervals;

template <int Dim>
void expectRoundTrip() {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const GridPlacement placement{{0.0, 0.0, 0.0}, {0.1, 0.2, 0.3}, 0};
  const CellList<Dim> cells = randomCells<Dim>(random, 6, 0.5);
  vtkNew<vtkSpanwiseIntervalsToUnstructuredGrid> explicitGrid;
  explicitGrid->SetInputData(gridOfCells<Dim>(cells, placement));
  vtkNew<vtkThreshold> threshold;
  threshold->SetInputConnection(explicitGrid->GetOutputPort());
  threshold->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "number");
  threshold->SetThresholdFunction(vtkThreshold::THRESHOLD_UPPER);
  threshold->SetUpperThreshold(20.0);
  vtkNew<Filter> filter;
  filter->SetInputConnection(threshold->GetOutputPort());
  filter->Update();
  carriedGrid<Dim>(filter->GetOutput());
  EXPECT_EQ(placesOf(filter->GetOutput()), placesOf(threshold->GetOutput()));
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), static_cast<vtkIdType>(cells.size()) - 20);
  // cells without their first 20 keep their values
  const auto first = filter->GetOutput()->GetCellData()->GetArray("number")->GetComponent(0, 0);
  EXPECT_EQ(first, 20.0);
}

TEST(GridToIntervals, FindsTheCellsThatAStockFilterLeft) {
  expectRoundTrip<2>();
  expectRoundTrip<3>();
}

TEST(GridToIntervals, PassesAGridOfIntervalsOn) {
  const auto grid = gridOfCells<2>({{{0, 0}}, {{1, 0}}});
  vtkNew<vtkDoubleArray> nodes;
  nodes->SetName("at points");
  nodes->SetNumberOfValues(grid->GetNumberOfPoints());
  grid->GetPointData()->AddArray(nodes);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->Update();
  EXPECT_EQ(gridOf<2>(filter->GetOutput()), gridOf<2>(grid));
  EXPECT_NE(filter->GetOutput()->GetPointData()->GetArray("at points"), nullptr);
}

TEST(GridToIntervals, AnImageGivesItsCells) {
  vtkNew<vtkImageData> image;
  image->SetExtent(-2, 3, 1, 4, 0, 2);
  vtkNew<Filter> filter;
  filter->SetInputData(image);
  filter->Update();
  EXPECT_EQ(carriedGrid<3>(filter->GetOutput())->box(), (Box<3>{{-2, 1, 0}, {3, 4, 2}}));
}

TEST(GridToIntervals, WorksOnEveryStepOfATimeSeries) {
  vtkNew<StepSource> source;
  source->type = "vtkUnstructuredGrid";
  source->steps = {1.0, 2.0};
  source->fill = [](double time, vtkDataObject* output) {
    vtkNew<vtkUnstructuredGrid> exploded;
    explode(gridOfCells<2>({{{0, 0}}, {{static_cast<Coordinate>(time), 1}}}), exploded);
    output->ShallowCopy(exploded);
  };
  vtkNew<Filter> filter;
  filter->SetInputConnection(source->GetOutputPort());
  for (const double time : {2.0, 1.0}) {
    filter->UpdateTimeStep(time);
    EXPECT_EQ(carriedGrid<2>(filter->GetOutput())->box().end[0], static_cast<Coordinate>(time) + 1);
  }
}

TEST(GridToIntervals, BadInputIsOneError) {
  vtkNew<vtkImageData> image;
  image->SetDimensions(3, 3, 3);
  vtkNew<vtkDataSetTriangleFilter> tetrahedra;
  tetrahedra->SetInputData(image);
  vtkNew<Filter> filter;
  filter->SetInputConnection(tetrahedra->GetOutputPort());
  expectOneError(filter, "cell 0");
}

} // namespace
} // namespace spanwise::testing
