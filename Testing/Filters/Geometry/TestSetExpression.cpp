#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseSetExpression.h"

#include <vtkDataArraySelection.h>
#include <vtkDoubleArray.h>
#include <vtkPolyData.h>
#include <vtkSphereSource.h>

#include <algorithm>
#include <random>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseSetExpression;

template <int Dim>
CellList<Dim> valueOf(Filter* filter, const char* expression) {
  filter->SetExpression(expression);
  filter->Update();
  return cellsOf<Dim>(filter->GetOutput());
}

template <class Cells, class Test>
Cells those(const Cells& cells, const Test& test) {
  Cells result;
  std::copy_if(cells.begin(), cells.end(), std::inserter(result, result.end()), test);
  return result;
}

template <int Dim>
void expectValues() {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const auto a = randomCells<Dim>(random, 6, 0.5);
  const auto b = randomCells<Dim>(random, 6, 0.5);
  vtkNew<Filter> filter;
  filter->AddInputData(gridOfCells<Dim>(a));
  filter->AddInputData(gridOfCells<Dim>(b));
  EXPECT_TRUE(valueOf<Dim>(filter, "A") == a);
  EXPECT_TRUE(valueOf<Dim>(filter, "B") == b);
  EXPECT_TRUE(valueOf<Dim>(filter, "A & ~B") == those(a, [&](const auto& cell) { return b.count(cell) == 0; }));
  EXPECT_TRUE(valueOf<Dim>(filter, "B & A") == those(a, [&](const auto& cell) { return b.count(cell) == 1; }));
  EXPECT_TRUE(valueOf<Dim>(filter, Dim == 2 ? "box(-9, 9, -9, 9) - ~A" : "box(-9, 9, -9, 9, -9, 9) - ~A") == a);
  EXPECT_TRUE(valueOf<Dim>(filter, "erode(dilate(A, 20), 20) & empty").empty());
}

TEST(SetExpression, ComputesWhatIsWritten) {
  expectValues<2>();
  expectValues<3>();
}

TEST(SetExpression, ClosedForms) {
  vtkNew<Filter> filter;
  filter->AddInputData(gridOfCells<3>(allCells<3>(0, 5)));
  EXPECT_TRUE(valueOf<3>(filter, "dilate(A, 2)") == allCells<3>(-2, 7));
  EXPECT_TRUE(valueOf<3>(filter, "erode(A, 2)") == allCells<3>(2, 3));
  EXPECT_EQ(valueOf<3>(filter, "boundary(A)").size(), 125U - 27U);
  EXPECT_EQ(valueOf<3>(filter, "boundary(A, outer)").size(), 6U * 25U);
  EXPECT_EQ(valueOf<3>(filter, "boundary(A, outer, vertices)").size(), 343U - 125U);
  EXPECT_TRUE(valueOf<3>(filter, "translate(A, 3, 3, 3) & box(4, 6, 4, 6, 4, 6)") == allCells<3>(4, 6));
  EXPECT_TRUE(valueOf<3>(filter, "fill_holes(boundary(A))") == allCells<3>(0, 5));
  EXPECT_TRUE(valueOf<3>(filter, "largest(A | translate(erode(A, 1), 100, 0, 0))") == allCells<3>(0, 5));
}

TEST(SetExpression, InputsHaveTheNamesThatAreGiven) {
  vtkNew<Filter> filter;
  filter->AddInputData(gridOfCells<2>(allCells<2>(0, 4)));
  filter->AddInputData(gridOfCells<2>(allCells<2>(2, 6)));
  filter->AddInputData(gridOfCells<2>(allCells<2>(3, 4)));
  filter->AddInputName("first one");
  filter->AddInputName("");
  EXPECT_EQ(filter->GetInputName(0), "first one");
  EXPECT_EQ(filter->GetInputName(1), "B");
  EXPECT_EQ(filter->GetInputName(2), "C");
  EXPECT_TRUE(valueOf<2>(filter, "'first one' & B & C") == allCells<2>(3, 4));
  filter->AddInputName("hole");
  filter->AddInputName("unused");
  EXPECT_TRUE(valueOf<2>(filter, "hole") == allCells<2>(3, 4));
  expectOneError(
    [&] {
      filter->SetExpression("C");
      return filter.Get();
    }(),
    "no input has the name 'C'; the inputs are 'first one', B and hole");
  filter->RemoveAllInputNames();
  EXPECT_TRUE(valueOf<2>(filter, "A & B & C") == allCells<2>(3, 4));
  filter->AddInputName("B");
  expectOneError(filter, "two inputs have the name 'B'");
}

// Cells in no input are those that dilation adds.
TEST(SetExpression, ACellHasTheValueOfTheFirstInputThatHasIt) {
  const auto a = gridOfCells<2>({{{0, 0}}, {{1, 0}}}, {}, 10.0);
  const auto b = gridOfCells<2>({{{1, 0}}, {{2, 0}}}, {}, 20.0);
  const auto c = gridOfCells<2>({{{0, 0}}}, {}, 30.0);
  c->GetCellData()->GetArray("number")->SetName("only in c");
  vtkNew<Filter> filter;
  for (const auto& grid : {a, b, c}) {
    filter->AddInputData(grid);
  }
  const auto numbers = [&](const char* expression) {
    filter->SetExpression(expression);
    filter->Update();
    vtkDataArray* array = filter->GetOutput()->GetCellData()->GetArray("number");
    std::vector<double> values;
    for (vtkIdType k = 0; k < filter->GetOutput()->GetNumberOfCells(); ++k) {
      values.push_back(array->GetComponent(k, 0));
    }
    return values;
  };
  EXPECT_EQ(numbers("A | B"), (std::vector<double>{10.0, 11.0, 21.0}));
  EXPECT_EQ(numbers("(A | B) & ~C"), (std::vector<double>{11.0, 21.0}));
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetNumberOfArrays(), 1) << "C gives no cell, and no array";
  EXPECT_EQ(numbers("dilate(A, 1, 0) | C")[1], 10.0);
  EXPECT_TRUE(std::isnan(numbers("dilate(A, 1, 0) | C")[0]));
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetNumberOfArrays(), 2);
  filter->PassAllArraysOff();
  filter->GetArraySelection()->EnableArray("only in c");
  filter->Update();
  ASSERT_EQ(filter->GetOutput()->GetCellData()->GetNumberOfArrays(), 1);
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetArray("only in c")->GetComponent(1, 0), 30.0);
}

TEST(SetExpression, CellsAreCountedOnTheLatticeOfTheFirstInputWithCells) {
  const GridPlacement first{{10.0, 20.0, 0.0}, {0.5, 0.5, 1.0}, 0};
  GridPlacement second = first;
  second.origin[0] -= 1.0;
  vtkNew<vtkUnstructuredGrid> nothing;
  vtkNew<Filter> filter;
  filter->AddInputData(nothing);
  filter->AddInputData(gridOfCells<2>({{{0, 0}}}, first));
  filter->AddInputData(gridOfCells<2>({{{0, 0}}}, second));
  EXPECT_TRUE(valueOf<2>(filter, "(B | C) & box(-2, -1, 0, 1)") == (CellList<2>{{{-2, 0}}}));
  EXPECT_EQ(carriedGrid<2>(filter->GetOutput())->placement().origin[0], 10.0);
  EXPECT_TRUE(valueOf<2>(filter, "A").empty());
}

TEST(SetExpression, EveryInputsTimeStepsCount) {
  const auto series = [](std::vector<double> steps) {
    auto source = vtkSmartPointer<StepSource>::New();
    source->type = "vtkUnstructuredGrid";
    source->steps = std::move(steps);
    source->fill = [](double time, vtkDataObject* output) {
      output->ShallowCopy(gridOfCells<2>(allCells<2>(0, static_cast<Coordinate>(time) + 1)));
    };
    return source;
  };
  const auto a = series({0.0, 2.0});
  const auto b = series({0.0, 1.0, 4.0});
  vtkNew<Filter> filter;
  filter->AddInputConnection(a->GetOutputPort());
  filter->AddInputConnection(b->GetOutputPort());
  filter->SetExpression("dilate(A & B, 1)");
  filter->UpdateInformation();
  EXPECT_EQ(filter->GetOutputInformation(0)->Length(vtkStreamingDemandDrivenPipeline::TIME_STEPS()), 4);
  for (const double time : {4.0, 1.0, 2.0}) {
    filter->UpdateTimeStep(time);
    const auto side = std::lround(time) + 3;
    EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), side * side);
  }
}

TEST(SetExpression, PiecesPartitionTheWhole) {
  std::mt19937 random(seed());
  vtkNew<Filter> filter;
  filter->AddInputData(gridOfCells<2>(randomCells<2>(random, 20, 0.5)));
  filter->AddInputData(gridOfCells<2>(randomCells<2>(random, 20, 0.5)));
  filter->SetExpression("dilate(A - B, 1, 0) - B");
  expectPiecesMakeTheWhole(filter);
}

TEST(SetExpression, PassesFieldData) {
  const auto a = gridOfCells<2>({{{0, 0}}});
  vtkNew<vtkDoubleArray> field;
  field->SetName("field");
  field->InsertNextValue(7.0);
  a->GetFieldData()->AddArray(field);
  vtkNew<Filter> filter;
  filter->AddInputData(gridOfCells<2>({{{1, 0}}}));
  filter->AddInputData(a);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetFieldData()->GetArray("field")->GetComponent(0, 0), 7.0);
}

TEST(SetExpression, BadInputIsOneError) {
  const auto a = gridOfCells<2>({{{0, 0}}, {{4, 0}}});
  vtkNew<Filter> filter;
  filter->AddInputData(a);
  filter->AddInputData(a);
  const auto with = [&](const char* expression) {
    filter->SetExpression(expression);
    return filter.Get();
  };
  expectOneError(with("A | D"), "column 5: no input has the name 'D'; the inputs are A and B\n    A | D\n        ^");
  expectOneError(with("A |\n ~B"), "line 2, column 2: the result has no end, because of '~B'");
  expectOneError(with(nullptr), "the expression is empty");
  expectOneError(with("A | translate(B, 1, 2, 3)"), "column 5: there are 3 numbers, and the inputs are 2D; write 2");
  expectOneError(with("A | dilate(B, 2147483647)"), "may pass the coordinate limits");
  expectOneError(with(std::string(1 << 20, '(').c_str()), "the expression has 1048576 bytes; it may have 65536");
  filter->RemoveAllInputs();
  filter->AddInputData(a);
  filter->AddInputData(gridOfCells<2>({{{0, 0}}}, {{0, 0, 0}, {0.5, 1, 1}, 0}));
  expectOneError(with("A"), "inputs 0 and 1: the spacings along x are 1 and 0.5; they must be equal");
  filter->RemoveAllInputs();
  vtkNew<vtkSphereSource> sphere;
  filter->AddInputConnection(sphere->GetOutputPort());
  expectOneError(with("A"), "cell 0");
}

} // namespace
} // namespace spanwise::testing
