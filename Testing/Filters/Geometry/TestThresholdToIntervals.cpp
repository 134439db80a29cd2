#include "Testing/Filters/Geometry/Ranges.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseIntervalsToUnstructuredGrid.h"
#include "vtkSpanwiseThresholdToIntervals.h"

#include <vtkDoubleArray.h>
#include <vtkIntArray.h>
#include <vtkStringArray.h>

#include <limits>
#include <random>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseThresholdToIntervals;

/// Random cells with random whole numbers from 0 to 99 in the array "a".
template <int Dim>
vtkSmartPointer<vtkUnstructuredGrid> randomGrid(vtkDataArray* values, const GridPlacement& placement = {}) {
  std::mt19937 random(seed());
  const auto grid = gridOfCells<Dim>(randomCells<Dim>(random, Dim == 2 ? 15 : 6, 0.7), placement);
  fillRandomly(values, grid->GetNumberOfCells(), random);
  grid->GetCellData()->SetScalars(values);
  return grid;
}

template <int Dim>
void expectLikeThreshold(int type) {
  const auto values = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(type));
  const auto grid = randomGrid<Dim>(values, {{0.5, -1.0, 2.0}, {0.25, 0.5, 0.75}, 0});
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetLowerThreshold(20.0);
  filter->SetUpperThreshold(60.5);
  for (const bool invert : {false, true}) {
    filter->SetInvert(invert);
    filter->Update();
    carriedGrid<Dim>(filter->GetOutput());
    EXPECT_EQ(placedValues(filter->GetOutput(), "a"), byThreshold(grid, 20.0, 60.5, invert)) << "type " << type;
  }
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetArray("a")->GetDataType(), type);
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetScalars(), filter->GetOutput()->GetCellData()->GetArray("a"));
}

TEST(ThresholdToIntervals, KeepsWhatThresholdKeepsForEveryType) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const int type : numericTypes) {
    expectLikeThreshold<2>(type);
    expectLikeThreshold<3>(type);
  }
}

TEST(ThresholdToIntervals, TakesImagesAndExplicitGrids) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  vtkNew<vtkIntArray> values;
  const auto grid = randomGrid<3>(values);
  vtkNew<vtkSpanwiseIntervalsToUnstructuredGrid> explicitGrid;
  explicitGrid->SetInputData(grid);
  explicitGrid->Update();
  vtkNew<Filter> filter;
  filter->SetInputData(explicitGrid->GetOutput());
  filter->SetLowerThreshold(40.0);
  filter->Update();
  carriedGrid<3>(filter->GetOutput());
  EXPECT_EQ(placedValues(filter->GetOutput(), "a"), byThreshold(grid, 40.0, 1000.0));

  vtkNew<vtkImageData> image;
  image->SetExtent(-2, 6, 1, 9, 3, 3);
  image->SetSpacing(0.5, 0.25, 1.0);
  vtkNew<vtkDoubleArray> numbers;
  numbers->SetName("a");
  for (int k = 0; k < 64; ++k) {
    numbers->InsertNextValue(k);
  }
  image->GetCellData()->SetScalars(numbers);
  filter->SetInputData(image);
  filter->Update();
  carriedGrid<2>(filter->GetOutput());
  EXPECT_EQ(placedValues(filter->GetOutput(), "a"), byThreshold(image, 40.0, 1000.0));
}

TEST(ThresholdToIntervals, ComparesAComponentOrTheMagnitude) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectComponentsOfEveryLayout<Filter>([](vtkDataArray* values) { return randomGrid<3>(values); });
}

TEST(ThresholdToIntervals, TakesAllNumbersByDefaultAndNaNNever) {
  vtkNew<vtkDoubleArray> values;
  const auto grid = randomGrid<3>(values);
  values->SetValue(17, std::numeric_limits<double>::quiet_NaN());
  values->SetValue(18, std::numeric_limits<double>::infinity());
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), grid->GetNumberOfCells() - 1);
  filter->InvertOn();
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 0);
}

TEST(ThresholdToIntervals, WithItsInverseMakesTheWhole) {
  vtkNew<vtkIntArray> values;
  const auto grid = randomGrid<2>(values);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetLowerThreshold(10.0);
  filter->SetUpperThreshold(30.0);
  filter->Update();
  CellList<2> all = cellsOf<2>(filter->GetOutput());
  filter->InvertOn();
  filter->Update();
  const CellList<2> rest = cellsOf<2>(filter->GetOutput());
  EXPECT_EQ(all.size() + rest.size(), static_cast<std::size_t>(grid->GetNumberOfCells()));
  all.insert(rest.begin(), rest.end());
  EXPECT_TRUE(all == cellsOf<2>(grid));
}

TEST(ThresholdToIntervals, CarriesTheArraysThatAreAskedFor) {
  vtkNew<vtkIntArray> values;
  const auto grid = randomGrid<2>(values);
  vtkNew<vtkStringArray> names;
  names->SetName("name");
  for (vtkIdType k = 0; k < grid->GetNumberOfCells(); ++k) {
    names->InsertNextValue(std::to_string(values->GetValue(k)));
  }
  grid->GetCellData()->AddArray(names);
  values->GetInformation()->Set(vtkDataArray::UNITS_LABEL(), "K");
  vtkNew<vtkDoubleArray> field;
  field->SetName("f");
  field->InsertNextValue(4.0);
  grid->GetFieldData()->AddArray(field);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetLowerThreshold(50.0);
  filter->Update();
  vtkCellData* out = filter->GetOutput()->GetCellData();
  ASSERT_EQ(out->GetNumberOfArrays(), 3); // "number" too
  auto* outNames = vtkStringArray::SafeDownCast(out->GetAbstractArray("name"));
  for (vtkIdType k = 0; k < filter->GetOutput()->GetNumberOfCells(); ++k) {
    EXPECT_EQ(outNames->GetValue(k), std::to_string(static_cast<int>(out->GetArray("a")->GetComponent(k, 0))));
  }
  EXPECT_STREQ(out->GetArray("a")->GetInformation()->Get(vtkDataArray::UNITS_LABEL()), "K");
  EXPECT_NE(filter->GetOutput()->GetFieldData()->GetArray("f"), nullptr);
  filter->PassAllArraysOff();
  filter->GetArraySelection()->EnableArray("number");
  filter->Update();
  ASSERT_EQ(filter->GetOutput()->GetCellData()->GetNumberOfArrays(), 1);
  EXPECT_STREQ(filter->GetOutput()->GetCellData()->GetArrayName(0), "number");
}

TEST(ThresholdToIntervals, WorksOnEveryStepOfATimeSeries) {
  vtkNew<StepSource> source;
  source->type = "vtkUnstructuredGrid";
  source->fill = [](double time, vtkDataObject* output) {
    CellList<2> cells;
    for (Coordinate x = 0; x < 10; ++x) {
      cells.insert({{x, 0}});
    }
    const auto grid = gridOfCells<2>(cells, {}, time);
    grid->GetCellData()->SetActiveScalars("number");
    output->ShallowCopy(grid);
  };
  expectEveryStep<Filter>(source);
}

TEST(ThresholdToIntervals, PiecesPartitionTheWhole) {
  vtkNew<vtkDoubleArray> values;
  const auto grid = randomGrid<3>(values);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetLowerThreshold(40.0);
  expectPiecesMakeTheWhole(filter, "a");
}

TEST(ThresholdToIntervals, NothingComesFromNothing) {
  vtkNew<vtkUnstructuredGrid> empty;
  vtkNew<Filter> filter;
  filter->SetInputData(empty);
  expectNothing(filter);
}

TEST(ThresholdToIntervals, BadInputIsOneError) {
  vtkNew<vtkDoubleArray> values;
  values->SetNumberOfComponents(2);
  const auto grid = randomGrid<2>(values);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  expectErrorsOfRanges(filter.Get());
  filter->Update();
  EXPECT_GT(filter->GetOutput()->GetNumberOfCells(), 0);
}

} // namespace
} // namespace spanwise::testing
