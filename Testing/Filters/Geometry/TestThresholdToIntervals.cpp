#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "vtkSpanwiseIntervalsToUnstructuredGrid.h"
#include "vtkSpanwiseThresholdToIntervals.h"

#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkIntArray.h>
#include <vtkSOADataArrayTemplate.h>
#include <vtkStringArray.h>
#include <vtkThreshold.h>

#include <limits>
#include <random>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseThresholdToIntervals;
using Values = std::map<std::array<long long, 3>, double>;

Values placesWithValues(vtkDataSet* data, const char* array, int component = 0) {
  Values found;
  for (vtkIdType c = 0; c < data->GetNumberOfCells(); ++c) {
    found[placeOfCell(data, c)] = data->GetCellData()->GetArray(array)->GetComponent(c, component);
  }
  return found;
}

/// Random cells with random whole numbers from 0 to 99 in the array "a".
template <int Dim>
vtkSmartPointer<vtkUnstructuredGrid> randomGrid(vtkDataArray* values, const GridPlacement& placement = {}) {
  std::mt19937 random(seed());
  const auto grid = gridOfCells<Dim>(randomCells<Dim>(random, Dim == 2 ? 15 : 6, 0.7), placement);
  std::uniform_int_distribution<int> number(0, 99);
  values->SetName("a");
  values->SetNumberOfTuples(grid->GetNumberOfCells());
  for (vtkIdType t = 0; t < values->GetNumberOfTuples(); ++t) {
    for (int c = 0; c < values->GetNumberOfComponents(); ++c) {
      values->SetComponent(t, c, number(random));
    }
  }
  grid->GetCellData()->SetScalars(values);
  return grid;
}

/// What stock VTK keeps.
Values byThreshold(vtkDataSet* data, double lower, double upper, bool invert, int component = 0) {
  vtkNew<vtkThreshold> threshold;
  threshold->SetInputData(data);
  threshold->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "a");
  threshold->SetSelectedComponent(component);
  threshold->SetLowerThreshold(lower);
  threshold->SetUpperThreshold(upper);
  threshold->SetInvert(invert);
  threshold->Update();
  return placesWithValues(threshold->GetOutput(), "a", component);
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
    EXPECT_EQ(placesWithValues(filter->GetOutput(), "a"), byThreshold(grid, 20.0, 60.5, invert)) << "type " << type;
  }
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetArray("a")->GetDataType(), type);
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetScalars(), filter->GetOutput()->GetCellData()->GetArray("a"));
}

TEST(ThresholdToIntervals, KeepsWhatThresholdKeepsForEveryType) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const int type :
    {VTK_CHAR, VTK_SIGNED_CHAR, VTK_UNSIGNED_CHAR, VTK_SHORT, VTK_UNSIGNED_SHORT, VTK_INT, VTK_UNSIGNED_INT, VTK_LONG,
      VTK_UNSIGNED_LONG, VTK_LONG_LONG, VTK_UNSIGNED_LONG_LONG, VTK_ID_TYPE, VTK_FLOAT, VTK_DOUBLE}) {
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
  EXPECT_EQ(placesWithValues(filter->GetOutput(), "a"), byThreshold(grid, 40.0, 1000.0, false));

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
  EXPECT_EQ(placesWithValues(filter->GetOutput(), "a"), byThreshold(image, 40.0, 1000.0, false));
}

template <class Array>
void expectComponents() {
  vtkNew<Array> values;
  values->SetNumberOfComponents(3);
  const auto grid = randomGrid<3>(values);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetLowerThreshold(30.0);
  filter->SetUpperThreshold(90.0);
  for (int component = 0; component < 3; ++component) {
    filter->SetComponent(component);
    filter->Update();
    EXPECT_EQ(placesWithValues(filter->GetOutput(), "a", component), byThreshold(grid, 30.0, 90.0, false, component));
  }
  filter->SetComponent(3); // the magnitude
  filter->Update();
  vtkIdType within = 0;
  for (vtkIdType t = 0; t < values->GetNumberOfTuples(); ++t) {
    const double length =
      std::hypot(values->GetComponent(t, 0), values->GetComponent(t, 1), values->GetComponent(t, 2));
    within += static_cast<vtkIdType>(length >= 30.0 && length <= 90.0);
  }
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), within);
}

TEST(ThresholdToIntervals, ComparesAComponentOrTheMagnitude) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectComponents<vtkFloatArray>();
  expectComponents<vtkSOADataArrayTemplate<float>>();
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
  source->steps = {0.0, 1.0, 2.5};
  source->fill = [](double time, vtkDataObject* output) {
    CellList<2> cells;
    for (Coordinate x = 0; x < 10; ++x) {
      cells.insert({{x, 0}});
    }
    const auto grid = gridOfCells<2>(cells, {}, time);
    grid->GetCellData()->SetActiveScalars("number");
    output->ShallowCopy(grid);
  };
  vtkNew<Filter> filter;
  filter->SetInputConnection(source->GetOutputPort());
  filter->SetLowerThreshold(8.0);
  for (const double time : {0.0, 2.5, 1.0, 0.0}) {
    filter->UpdateTimeStep(time);
    EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 2 + static_cast<int>(time)) << time;
    EXPECT_EQ(filter->GetOutput()->GetInformation()->Get(vtkDataObject::DATA_TIME_STEP()), time);
  }
}

TEST(ThresholdToIntervals, PiecesPartitionTheWhole) {
  vtkNew<vtkDoubleArray> values;
  const auto grid = randomGrid<3>(values);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetLowerThreshold(40.0);
  filter->Update();
  const Values whole = placesWithValues(filter->GetOutput(), "a");
  Values all;
  for (int piece = 0; piece < 3; ++piece) {
    filter->UpdatePiece(piece, 3, 0);
    const Values part = placesWithValues(filter->GetOutput(), "a");
    EXPECT_LT(part.size(), whole.size());
    all.insert(part.begin(), part.end());
  }
  EXPECT_EQ(all, whole);
}

TEST(ThresholdToIntervals, NothingComesFromNothing) {
  vtkNew<vtkUnstructuredGrid> empty;
  vtkNew<Filter> filter;
  filter->SetInputData(empty);
  Messages messages;
  filter->Update();
  EXPECT_EQ(messages.all().size(), 0U);
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 0);
}

TEST(ThresholdToIntervals, BadInputIsOneError) {
  vtkNew<vtkDoubleArray> values;
  values->SetNumberOfComponents(2);
  const auto grid = randomGrid<2>(values);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetComponent(3);
  expectOneError(filter, "the component is 3");
  filter->SetComponent(0);
  filter->SetLowerThreshold(5.0);
  filter->SetUpperThreshold(4.0);
  expectOneError(filter, "must not exceed");
  filter->SetUpperThreshold(std::numeric_limits<double>::quiet_NaN());
  expectOneError(filter, "neither may be NaN");
  filter->SetUpperThreshold(40.0);
  filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "missing");
  expectOneError(filter, "'missing'");
  filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "a");
  filter->Update();
  EXPECT_GT(filter->GetOutput()->GetNumberOfCells(), 0);
}

} // namespace
} // namespace spanwise::testing
