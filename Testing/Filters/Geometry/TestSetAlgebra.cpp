#include "Testing/Filters/Geometry/Pipelines.hpp"
#include "Testing/Filters/Sides.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseFillHoles.h"
#include "vtkSpanwiseIntervalShape.h"
#include "vtkSpanwiseMorphology.h"
#include "vtkSpanwiseSetAlgebra.h"

#include <vtkDoubleArray.h>
#include <vtkIntArray.h>
#include <vtkPolyData.h>
#include <vtkSphereSource.h>
#include <vtkStringArray.h>
#include <vtkThreshold.h>
#include <vtkTransform.h>
#include <vtkTransformFilter.h>

#include <algorithm>
#include <initializer_list>
#include <random>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseSetAlgebra;

template <int Dim>
bool isInResult(int operation, const std::vector<CellList<Dim>>& sets, const Cell<Dim>& cell) {
  std::size_t in = 0;
  for (const CellList<Dim>& set : sets) {
    in += set.count(cell);
  }
  switch (operation) {
  case Filter::UNION:
    return in > 0;
  case Filter::INTERSECTION:
    return in == sets.size();
  case Filter::DIFFERENCE:
    return sets[0].count(cell) == 1 && in == 1;
  case Filter::SYMMETRIC_DIFFERENCE:
    return in % 2 == 1;
  default:
    return in == 0;
  }
}

/// The result of an operation by brute force, among the cells of [-extent, extent)^Dim.
template <int Dim>
CellList<Dim> expectedCells(int operation, const std::vector<CellList<Dim>>& sets, Coordinate extent) {
  CellList<Dim> result = allCells<Dim>(-extent, extent);
  std::erase_if(result, [&](const Cell<Dim>& cell) { return !isInResult<Dim>(operation, sets, cell); });
  return result;
}

template <int Dim>
void expectOperations(Coordinate extent) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  for (const std::size_t count : {1U, 2U, 4U}) {
    std::vector<CellList<Dim>> sets;
    vtkNew<Filter> filter;
    for (std::size_t k = 0; k < count; ++k) {
      sets.push_back(randomCells<Dim>(random, extent, 0.5));
      filter->AddInputData(gridOfCells<Dim>(sets.back()));
    }
    filter->SetComplementBox(Filter::GIVEN_BOUNDS);
    filter->SetComplementBounds(-extent, extent, -extent, extent, -extent, extent);
    for (int operation = Filter::UNION; operation <= Filter::COMPLEMENT; ++operation) {
      filter->SetOperation(operation);
      filter->Update();
      EXPECT_TRUE(cellsOf<Dim>(filter->GetOutput()) == expectedCells<Dim>(operation, sets, extent))
        << "operation " << operation << " on " << count;
    }
  }
}

TEST(SetAlgebra, CombinesAnyNumberOfSets) {
  expectOperations<2>(15);
  expectOperations<3>(6);
}

/// Noise without arrays, of which filters on the host make masks.
template <int Dim>
vtkSmartPointer<vtkUnstructuredGrid> noiseOf(const CellList<Dim>& cells) {
  auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
  setGrid<Dim>(grid, IntervalGrid<Dim>::make(toHostSet<Dim>(cells), {}));
  return grid;
}

template <int Dim>
void expectOperationsOnNoise(Coordinate extent) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  std::vector<CellList<Dim>> sets;
  vtkNew<Filter> filter;
  vtkNew<Filter> next;
  next->SetInputConnection(filter->GetOutputPort());
  for (const double density : {0.4, 0.5, 0.6}) {
    sets.push_back(randomCells<Dim>(random, extent, density));
    filter->AddInputData(noiseOf<Dim>(sets.back()));
  }
  const CellList<Dim> other = randomCells<Dim>(random, extent, 0.5);
  next->AddInputData(noiseOf<Dim>(other));
  for (int operation = Filter::UNION; operation < Filter::COMPLEMENT; ++operation) {
    SCOPED_TRACE("operation " + std::to_string(operation));
    filter->SetOperation(operation);
    next->SetOperation(operation);
    next->Update();
    const CellList<Dim> between = expectedCells<Dim>(operation, sets, extent);
    EXPECT_FALSE(gridOf<Dim>(filter->GetOutput())->mirrored().hasIntervals()); // nobody has asked for them yet
    const auto grid = carriedGrid<Dim>(filter->GetOutput());
    EXPECT_EQ(filter->GetOutput()->GetNumberOfPoints(), geometry::numNodes(grid->nodeRows()));
    EXPECT_TRUE(cellsOf<Dim>(filter->GetOutput()) == between);
    EXPECT_TRUE(cellsOf<Dim>(next->GetOutput()) == expectedCells<Dim>(operation, {between, other}, extent));
  }
}

TEST(SetAlgebra, NoiseIsCombinedAsMasks) {
  const Forced forced(SideChoice::Host);
  expectOperationsOnNoise<2>(40);
  expectOperationsOnNoise<3>(10);
}

TEST(SetAlgebra, TheComplementIsWithinTheBoundsOfTheFirstOrOfAllInputs) {
  vtkNew<Filter> filter;
  filter->SetOperation(Filter::COMPLEMENT);
  filter->AddInputData(gridOfCells<2>({{{0, 0}}, {{3, 2}}}));
  filter->AddInputData(gridOfCells<2>({{{1, 1}}, {{5, 5}}}));
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 4 * 3 - 3);
  filter->SetComplementBox(Filter::BOX_OF_ALL_INPUTS);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 6 * 6 - 4);
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetNumberOfArrays(), 0);
}

TEST(SetAlgebra, ACellHasTheValueOfTheFirstInputThatHasIt) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const auto a = gridOfCells<2>(randomCells<2>(random, 12, 0.5));
  const auto b = gridOfCells<2>(randomCells<2>(random, 12, 0.5), {}, 1000.0);
  vtkNew<vtkIntArray> only;
  only->SetName("only in b");
  for (vtkIdType c = 0; c < b->GetNumberOfCells(); ++c) {
    only->InsertNextValue(static_cast<int>(c) + 1);
  }
  b->GetCellData()->AddArray(only);
  const auto ofA = placedValues(a, "number");
  const auto ofB = placedValues(b, "number");
  const auto onlyOfB = placedValues(b, "only in b");
  vtkNew<Filter> filter;
  filter->AddInputData(a);
  filter->AddInputData(b);
  for (int operation = Filter::UNION; operation < Filter::COMPLEMENT; ++operation) {
    filter->SetOperation(operation);
    filter->Update();
    for (const auto& [place, value] : placedValues(filter->GetOutput(), "number")) {
      EXPECT_EQ(value, ofA.count(place) == 1 ? ofA.at(place) : ofB.at(place));
    }
    if (operation == Filter::DIFFERENCE) {
      EXPECT_EQ(filter->GetOutput()->GetCellData()->GetNumberOfArrays(), 1);
      continue;
    }
    for (const auto& [place, value] : placedValues(filter->GetOutput(), "only in b")) {
      EXPECT_EQ(value, onlyOfB.count(place) == 1 ? onlyOfB.at(place) : 0.0); // an integer cannot be NaN
    }
  }
}

TEST(SetAlgebra, MissingValuesAreNaN) {
  const auto a = gridOfCells<3>({{{0, 0, 0}}});
  const auto b = gridOfCells<3>({{{5, 0, 0}}});
  b->GetCellData()->Initialize();
  vtkNew<Filter> filter;
  filter->AddInputData(a);
  filter->AddInputData(b);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetArray("number")->GetComponent(0, 0), 0.0);
  EXPECT_TRUE(std::isnan(filter->GetOutput()->GetCellData()->GetArray("number")->GetComponent(1, 0)));
}

// Nothing is copied of an input that has all cells of the result.
TEST(SetAlgebra, AnInputWithAllCellsSharesItsArrays) {
  const auto a = gridOfCells<2>(allCells<2>(-4, 4));
  const auto b = gridOfCells<2>(allCells<2>(-2, 2));
  vtkNew<Filter> filter;
  filter->AddInputData(a);
  filter->AddInputData(b);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetArray("number"), a->GetCellData()->GetArray("number"));
  filter->SetOperation(Filter::INTERSECTION); // as many cells as b has, but the values are those of a
  filter->Update();
  vtkDataArray* numbers = filter->GetOutput()->GetCellData()->GetArray("number");
  ASSERT_EQ(numbers->GetNumberOfTuples(), 16);
  EXPECT_EQ(numbers->GetComponent(0, 0), a->GetCellData()->GetArray("number")->GetComponent(2 * 8 + 2, 0));
}

// Tables of nodes and cells take longer than these filters, and nobody has asked for any.
TEST(SetAlgebra, AChainOfFiltersMakesNoTables) {
  vtkNew<vtkSpanwiseIntervalShape> shape;
  shape->SetResolution(40);
  vtkNew<vtkSpanwiseMorphology> dilation;
  dilation->SetInputConnection(shape->GetOutputPort());
  vtkNew<vtkSpanwiseFillHoles> filled;
  filled->SetInputConnection(dilation->GetOutputPort());
  vtkNew<Filter> filter;
  filter->AddInputConnection(filled->GetOutputPort());
  filter->AddInputConnection(shape->GetOutputPort());
  filter->Update();
  for (vtkAlgorithm* algorithm : std::initializer_list<vtkAlgorithm*>{shape, dilation, filled, filter}) {
    const auto grid = carriedGrid<3>(algorithm->GetOutputDataObject(0));
    ASSERT_GT(grid->cells().numCells, 30000);
    EXPECT_LT(grid->bytes(), grid->mirrored().bytes() + 1024) << algorithm->GetClassName();
  }
}

TEST(SetAlgebra, CarriesTheArraysThatAreAskedFor) {
  const auto a = gridOfCells<2>({{{0, 0}}, {{1, 0}}});
  vtkNew<vtkStringArray> names;
  names->SetName("name");
  names->InsertNextValue("left");
  names->InsertNextValue("right");
  a->GetCellData()->AddArray(names);
  vtkNew<Filter> filter;
  filter->AddInputData(a);
  filter->AddInputData(gridOfCells<2>({{{1, 0}}}));
  filter->SetOperation(Filter::INTERSECTION);
  filter->PassAllArraysOff();
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetNumberOfArrays(), 0);
  filter->GetArraySelection()->EnableArray("name");
  filter->Update();
  ASSERT_EQ(filter->GetOutput()->GetCellData()->GetNumberOfArrays(), 1);
  EXPECT_EQ(
    vtkStringArray::SafeDownCast(filter->GetOutput()->GetCellData()->GetAbstractArray(0))->GetValue(0), "right");
}

template <int Dim>
void expectAlignment() {
  std::mt19937 random(seed());
  const CellList<Dim> cells = randomCells<Dim>(random, 5, 0.5);
  const GridPlacement first{{0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}, 0};
  GridPlacement second = first; // moved by (3, -2, 5) cells
  second.origin[0] += 3 * 0.1;
  second.origin[1] -= 2 * 0.2;
  second.origin[2] += Dim == 3 ? 5 * 0.3 : 0.0;
  vtkNew<Filter> filter;
  filter->AddInputData(gridOfCells<Dim>(cells, first));
  filter->AddInputData(gridOfCells<Dim>(cells, second));
  filter->SetOperation(Filter::UNION);
  filter->Update();
  CellList<Dim> expected = cells;
  for (Cell<Dim> cell : cells) {
    const int shift[3] = {3, -2, 5};
    for (int d = 0; d < Dim; ++d) {
      cell.at[d] += shift[d];
    }
    expected.insert(cell);
  }
  EXPECT_TRUE(cellsOf<Dim>(filter->GetOutput()) == expected);
  EXPECT_EQ(carriedGrid<Dim>(filter->GetOutput())->placement().origin[1], 0.2);
}

TEST(SetAlgebra, AlignsLatticesThatAreShiftedByWholeCells) {
  expectAlignment<2>();
  expectAlignment<3>();
}

TEST(SetAlgebra, TakesWhatStockFiltersMakeOfAGrid) {
  std::mt19937 random(seed());
  const auto a = gridOfCells<2>(randomCells<2>(random, 10, 0.7));
  vtkNew<vtkThreshold> threshold; // explicit cells
  threshold->SetInputData(a);
  threshold->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "number");
  threshold->SetThresholdFunction(vtkThreshold::THRESHOLD_UPPER);
  threshold->SetUpperThreshold(100.0);
  vtkNew<vtkImageData> image;
  image->SetExtent(0, 10, 0, 10, 0, 0);
  vtkNew<Filter> filter;
  filter->AddInputConnection(threshold->GetOutputPort());
  filter->AddInputData(image);
  filter->SetOperation(Filter::INTERSECTION);
  filter->Update();
  std::size_t expected = 0;
  for (const auto& [place, value] : placedValues(a, "number")) {
    expected += static_cast<std::size_t>(place[0] > 0 && place[1] > 0 && value >= 100.0);
  }
  EXPECT_GT(expected, 0U);
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), static_cast<vtkIdType>(expected));
}

TEST(SetAlgebra, EmptyInputsCountAsEmptySets) {
  vtkNew<vtkUnstructuredGrid> nothing;
  const auto a = gridOfCells<3>({{{0, 0, 0}}, {{1, 1, 1}}});
  vtkNew<Filter> filter;
  filter->AddInputData(nothing);
  filter->AddInputData(a);
  Messages messages;
  const vtkIdType expected[] = {2, 0, 0, 2};
  for (int operation = Filter::UNION; operation < Filter::COMPLEMENT; ++operation) {
    filter->SetOperation(operation);
    filter->Update();
    EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), expected[operation]);
  }
  EXPECT_EQ(messages.all().size(), 0U);
}

TEST(SetAlgebra, EveryInputsTimeStepsCount) {
  const auto series = [](std::vector<double> steps, Coordinate y) {
    auto source = vtkSmartPointer<StepSource>::New();
    source->type = "vtkUnstructuredGrid";
    source->steps = std::move(steps);
    source->fill = [y](double time, vtkDataObject* output) {
      CellList<2> cells;
      for (Coordinate x = 0; x <= static_cast<Coordinate>(time); ++x) {
        cells.insert({{x, y}});
      }
      output->ShallowCopy(gridOfCells<2>(cells));
    };
    return source;
  };
  const auto a = series({0.0, 2.0}, 0);
  const auto b = series({0.0, 1.0, 4.0}, 1);
  vtkNew<Filter> filter;
  filter->AddInputConnection(a->GetOutputPort());
  filter->AddInputConnection(b->GetOutputPort());
  filter->UpdateInformation();
  vtkInformation* info = filter->GetOutputInformation(0);
  ASSERT_EQ(info->Length(vtkStreamingDemandDrivenPipeline::TIME_STEPS()), 4);
  EXPECT_EQ(info->Get(vtkStreamingDemandDrivenPipeline::TIME_RANGE())[1], 4.0);
  for (const double time : {4.0, 1.0, 2.0}) {
    filter->UpdateTimeStep(time);
    EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 2 * (std::lround(time) + 1));
  }
}

TEST(SetAlgebra, PiecesPartitionTheWhole) {
  std::mt19937 random(seed());
  vtkNew<Filter> filter;
  filter->AddInputData(gridOfCells<2>(randomCells<2>(random, 20, 0.5)));
  filter->AddInputData(gridOfCells<2>(randomCells<2>(random, 20, 0.5)));
  expectPiecesMakeTheWhole(filter, "number", 3, 0.033);
}

TEST(SetAlgebra, PassesFieldData) {
  const auto a = gridOfCells<2>({{{0, 0}}});
  const auto b = gridOfCells<2>({{{1, 0}}});
  for (const auto& [grid, value] : {std::pair(a, 1.0), std::pair(b, 2.0)}) {
    vtkNew<vtkDoubleArray> field;
    field->SetName("field");
    field->InsertNextValue(value);
    grid->GetFieldData()->AddArray(field);
  }
  vtkNew<Filter> filter;
  filter->AddInputData(a);
  filter->AddInputData(b);
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetFieldData()->GetArray("field")->GetComponent(0, 0), 1.0);
}

TEST(SetAlgebra, BadInputIsOneError) {
  const auto a = gridOfCells<2>({{{0, 0}}, {{4, 0}}});
  vtkNew<Filter> filter;
  const auto with = [&](vtkDataObject* other) {
    filter->RemoveAllInputs();
    filter->AddInputData(a);
    filter->AddInputData(other);
    return filter.Get();
  };
  expectOneError(with(gridOfCells<2>({{{0, 0}}}, {{0, 0, 0}, {0.5, 1, 1}, 0})),
    "inputs 0 and 1: the spacings along x are 1 and 0.5; they must be equal");
  expectOneError(with(gridOfCells<2>({{{0, 0}}}, {{0.25, 0, 0}, {1, 1, 1}, 0})),
    "inputs 0 and 1: the origins along x are 0 and 0.25");
  expectOneError(with(gridOfCells<3>({{{0, 0, 0}}})), "they are 2D and 3D");
  vtkNew<vtkSphereSource> sphere;
  sphere->Update();
  expectOneError(with(sphere->GetOutput()), "cell 0");
  vtkNew<vtkTransform> turn;
  turn->RotateZ(20.0);
  vtkNew<vtkTransformFilter> turned;
  turned->SetTransform(turn);
  turned->SetInputData(a);
  turned->Update();
  expectOneError(with(turned->GetOutput()), "cell 0");
  const auto vectors = gridOfCells<2>({{{0, 0}}});
  vtkNew<vtkDoubleArray> vector;
  vector->SetName("number");
  vector->SetNumberOfComponents(3);
  vector->SetNumberOfTuples(1);
  vectors->GetCellData()->AddArray(vector);
  expectOneError(with(vectors), "the array 'number' has 1 component of type");
  const auto shorter = gridOfCells<2>({{{0, 0}}, {{1, 0}}});
  shorter->GetCellData()->GetArray("number")->SetNumberOfTuples(1);
  expectOneError(with(shorter), "the array 'number' has 1 value for 2 cells");
  filter->SetOperation(9);
  expectOneError(filter, "the operation is 9");
}

} // namespace
} // namespace spanwise::testing
