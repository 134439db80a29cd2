#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseRemapField.h"

#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkIntArray.h>
#include <vtkStringArray.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnsignedCharArray.h>

#include <limits>
#include <random>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseRemapField;

/// Adds an array whose values are the numbers of the cells times `factor`, one more for each component.
template <class Array>
vtkSmartPointer<Array> addNumbers(vtkUnstructuredGrid* grid, const char* name, double factor, int components = 1) {
  auto array = vtkSmartPointer<Array>::New();
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(grid->GetNumberOfCells());
  for (vtkIdType k = 0; k < grid->GetNumberOfCells(); ++k) {
    for (int c = 0; c < components; ++c) {
      array->SetComponent(k, c, factor * static_cast<double>(k % 200) + c);
    }
  }
  grid->GetCellData()->AddArray(array);
  return array;
}

template <int Dim>
void expectRemap(double densityOfSource) {
  std::mt19937 random(seed());
  const GridPlacement placement{{0.5, 1.0, 2.0}, {0.25, 0.5, 0.75}, 0};
  const CellList<Dim> cells = randomCells<Dim>(random, Dim == 2 ? 15 : 6, 0.6);
  const CellList<Dim> others = randomCells<Dim>(random, Dim == 2 ? 15 : 6, densityOfSource);
  const auto input = gridOfCells<Dim>(cells, placement);
  // The source's lattice is shifted by whole cells.
  GridPlacement shifted = placement;
  shifted.origin[0] += 3 * placement.spacing[0];
  CellList<Dim> shiftedCells;
  for (Cell<Dim> cell : others) {
    cell.at[0] -= 3;
    shiftedCells.insert(cell);
  }
  const auto source = gridOfCells<Dim>(shiftedCells, shifted);
  addNumbers<vtkFloatArray>(source, "float", 0.5);
  addNumbers<vtkIntArray>(source, "int", -2.0);
  addNumbers<vtkTypeInt64Array>(source, "int64", 3.0);
  addNumbers<vtkUnsignedCharArray>(source, "byte", 1.0);
  addNumbers<vtkDoubleArray>(source, "vector", 0.25, 3);
  source->GetCellData()->SetActiveScalars("float");

  vtkNew<Filter> filter;
  filter->SetInputData(input);
  filter->SetSourceData(source);
  filter->SetDefaultValue(77.0);
  filter->Update();
  vtkUnstructuredGrid* output = filter->GetOutput();
  EXPECT_TRUE(cellsOf<Dim>(output) == cells);
  ASSERT_EQ(output->GetCellData()->GetNumberOfArrays(), 6); // "number" is replaced
  vtkIdType k = 0;
  for (const Cell<Dim>& cell : cells) {
    const auto found = others.find(cell);
    const auto from = static_cast<vtkIdType>(std::distance(others.begin(), found));
    for (const char* name : {"number", "float", "int", "int64", "byte", "vector"}) {
      vtkDataArray* values = output->GetCellData()->GetArray(name);
      vtkDataArray* original = source->GetCellData()->GetArray(name);
      ASSERT_EQ(values->GetDataType(), original->GetDataType());
      for (int c = 0; c < values->GetNumberOfComponents(); ++c) {
        ASSERT_EQ(values->GetComponent(k, c), found == others.end() ? 77.0 : original->GetComponent(from, c)) << name;
      }
    }
    ++k;
  }
  EXPECT_EQ(output->GetCellData()->GetScalars(), output->GetCellData()->GetArray("float"));
}

TEST(RemapField, CopiesTheOverlapAndSetsTheRest) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  for (const double density : {0.1, 0.6, 1.0}) {
    expectRemap<2>(density);
    expectRemap<3>(density);
  }
}

TEST(RemapField, ThereAndBackKeepsTheOverlap) {
  std::mt19937 random(seed());
  const auto a = gridOfCells<2>(randomCells<2>(random, 12, 0.5), {}, 5.0);
  const auto all = gridOfCells<2>(allCells<2>(-12, 12));
  vtkNew<Filter> there;
  there->SetInputData(all);
  there->SetSourceData(a);
  vtkNew<Filter> back;
  a->GetCellData()->GetArray("number")->SetName("here");
  back->SetInputData(a);
  back->SetSourceConnection(there->GetOutputPort());
  back->Update();
  vtkCellData* values = back->GetOutput()->GetCellData();
  for (vtkIdType k = 0; k < a->GetNumberOfCells(); ++k) {
    ASSERT_EQ(values->GetArray("here")->GetComponent(k, 0), 5.0 + static_cast<double>(k));
  }
}

TEST(RemapField, KeepsValuesOfTheInputWhereTheSourceHasNoCell) {
  const auto input = gridOfCells<2>({{{0, 0}}, {{1, 0}}, {{2, 0}}}, {}, 100.0);
  const auto source = gridOfCells<2>({{{1, 0}}, {{9, 9}}}, {}, 7.0);
  addNumbers<vtkIntArray>(source, "other", 1.0);
  addNumbers<vtkFloatArray>(input, "other", 1.0); // of another type
  vtkNew<Filter> filter;
  filter->SetInputData(input);
  filter->SetSourceData(source);
  filter->SetDefaultValue(-3.0);
  filter->KeepValuesOn();
  filter->Update();
  vtkDataArray* values = filter->GetOutput()->GetCellData()->GetArray("number");
  EXPECT_EQ(values->GetComponent(0, 0), 100.0);
  EXPECT_EQ(values->GetComponent(1, 0), 7.0);
  EXPECT_EQ(values->GetComponent(2, 0), 102.0);
  values = filter->GetOutput()->GetCellData()->GetArray("other");
  EXPECT_EQ(values->GetDataType(), VTK_INT);
  EXPECT_EQ(values->GetComponent(0, 0), -3.0);
  EXPECT_EQ(input->GetCellData()->GetArray("number")->GetComponent(1, 0), 101.0); // the input stays as it is
}

TEST(RemapField, DefaultIsRoundedAndLimitedInWholeNumbers) {
  const auto input = gridOfCells<2>({{{0, 0}}});
  const auto source = gridOfCells<2>({{{5, 5}}});
  addNumbers<vtkIntArray>(source, "int", 1.0);
  addNumbers<vtkUnsignedCharArray>(source, "byte", 1.0);
  vtkNew<vtkStringArray> texts;
  texts->SetName("text");
  texts->InsertNextValue("a");
  source->GetCellData()->AddArray(texts);
  vtkNew<Filter> filter;
  filter->SetInputData(input);
  filter->SetSourceData(source);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [given, whole, byte] : {std::array<double, 3>{2.6, 3.0, 3.0}, {-1e300, -2147483648.0, 0.0},
         {1e300, 2147483647.0, 255.0}, {nan, 0.0, 0.0}}) {
    filter->SetDefaultValue(given);
    filter->Update();
    vtkCellData* values = filter->GetOutput()->GetCellData();
    EXPECT_EQ(values->GetArray("int")->GetComponent(0, 0), whole);
    EXPECT_EQ(values->GetArray("byte")->GetComponent(0, 0), byte);
    EXPECT_EQ(vtkStringArray::SafeDownCast(values->GetAbstractArray("text"))->GetValue(0), "");
    const double number = values->GetArray("number")->GetComponent(0, 0);
    EXPECT_TRUE(std::isnan(given) ? std::isnan(number) : number == given);
  }
}

TEST(RemapField, TakesTheArraysThatAreAskedFor) {
  const auto input = gridOfCells<2>({{{0, 0}}});
  const auto source = gridOfCells<2>({{{0, 0}}}, {}, 9.0);
  addNumbers<vtkIntArray>(source, "int", 1.0);
  vtkNew<Filter> filter;
  filter->SetInputData(input);
  filter->SetSourceData(source);
  filter->PassAllArraysOff();
  filter->GetArraySelection()->EnableArray("int");
  filter->Update();
  vtkCellData* values = filter->GetOutput()->GetCellData();
  EXPECT_EQ(values->GetNumberOfArrays(), 2);
  EXPECT_EQ(values->GetArray("number")->GetComponent(0, 0), 0.0); // the input's own
  EXPECT_NE(values->GetArray("int"), nullptr);
}

TEST(RemapField, HasTheTimeStepsOfBothInputs) {
  const auto steps = [](std::vector<double> times, double first) {
    auto source = vtkSmartPointer<StepSource>::New();
    source->type = "vtkUnstructuredGrid";
    source->steps = std::move(times);
    source->fill = [first](double time, vtkDataObject* output) {
      output->ShallowCopy(gridOfCells<2>({{{0, 0}}, {{1, 0}}}, {}, first + time));
    };
    return source;
  };
  const auto input = steps({0.0, 1.0}, 0.0);
  const auto source = steps({0.5, 1.0}, 10.0);
  vtkNew<Filter> filter;
  filter->SetInputConnection(input->GetOutputPort());
  filter->SetSourceConnection(source->GetOutputPort());
  filter->UpdateInformation();
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  vtkInformation* info = filter->GetOutputInformation(0);
  ASSERT_EQ(info->Length(Pipeline::TIME_STEPS()), 3);
  filter->UpdateTimeStep(1.0);
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetArray("number")->GetComponent(0, 0), 11.0);
}

TEST(RemapField, AnEmptyInputOrSourceIsNoError) {
  const auto grid = gridOfCells<2>({{{0, 0}}, {{1, 0}}}, {}, 3.0);
  vtkNew<vtkUnstructuredGrid> nothing;
  Messages messages;
  vtkNew<Filter> filter;
  filter->SetInputData(nothing);
  filter->SetSourceData(grid);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 0);
  filter->SetInputData(grid);
  filter->SetSourceData(nothing);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 2);
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetArray("number")->GetComponent(1, 0), 4.0);
  EXPECT_EQ(messages.all().size(), 0U);
}

TEST(RemapField, BadInputIsOneError) {
  const auto fine = gridOfCells<2>({{{0, 0}}});
  const auto coarse = gridOfCells<2>({{{0, 0}}}, {{0.0, 0.0, 0.0}, {2.0, 2.0, 2.0}, 0});
  vtkNew<Filter> filter;
  filter->SetInputData(fine);
  filter->SetSourceData(coarse);
  expectOneError(filter, "spacing");
  filter->SetSourceData(gridOfCells<3>({{{0, 0, 0}}}));
  expectOneError(filter, "3D");
  filter->SetSourceData(fine);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 1);
}

} // namespace
} // namespace spanwise::testing
