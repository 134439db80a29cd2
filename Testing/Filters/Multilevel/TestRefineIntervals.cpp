#include "Testing/Core/Multilevel/LevelsReference.hpp"
#include "Testing/Dimensions.hpp"
#include "Testing/Filters/Multilevel/Levels.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseCoarsenIntervals.h"
#include "vtkSpanwiseRefineIntervals.h"

#include <vtkFloatArray.h>
#include <vtkSmartPointer.h>
#include <vtkStringArray.h>
#include <vtkType.h>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseRefineIntervals;

template <class T>
struct RefineIntervals : public RandomTest<T> {};
TYPED_TEST_SUITE(RefineIntervals, Dimensions);

TYPED_TEST(RefineIntervals, CellsAndTheirValuesBecomeThoseOfChildren) {
  constexpr int Dim = TypeParam::value;
  for (int levels = 1; levels <= 3; ++levels) {
    const auto cells = randomCells<Dim>(this->random, 3, 0.5);
    const GridPlacement placement{{1.0, -2.0, 0.5}, {0.5, 0.25, 2.0}, levels};
    const auto grid = gridOfCells<Dim>(cells, placement);
    vtkNew<vtkStringArray> names;
    names->SetName("name");
    for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
      names->InsertNextValue(std::to_string(c));
    }
    grid->GetCellData()->AddArray(names);
    vtkNew<Filter> filter;
    filter->SetInputData(grid);
    filter->SetLevels(levels);
    vtkUnstructuredGrid* output = gridOfOutput(filter);
    CellList<Dim> expected = cells;
    for (int k = 0; k < levels; ++k) {
      expected = childrenOf(expected);
    }
    ASSERT_TRUE(cellsOf<Dim>(output) == expected);
    const auto before = valuesOf<Dim>(grid, "number");
    vtkIdType number = 0;
    for (const auto& [cell, value] : valuesOf<Dim>(output, "number")) {
      Cell<Dim> ancestor = cell;
      for (int k = 0; k < levels; ++k) {
        ancestor = parentOf(ancestor);
      }
      ASSERT_EQ(value, before.at(ancestor));
      ASSERT_EQ(vtkStringArray::SafeDownCast(output->GetCellData()->GetAbstractArray("name"))->GetValue(number++),
        std::to_string(static_cast<int>(value)));
    }
    const auto found = carriedGrid<Dim>(output)->placement();
    EXPECT_EQ(found.level, 2 * levels);
    for (int d = 0; d < Dim; ++d) {
      EXPECT_EQ(found.origin[d], placement.origin[d]);
      EXPECT_EQ(found.spacing[d], std::ldexp(placement.spacing[d], -levels));
    }
  }
}

// Children have their parent's values to the last bit, whatever the type and however many components.
TYPED_TEST(RefineIntervals, ArraysOfAllTypesAreInjected) {
  constexpr int Dim = TypeParam::value;
  const auto grid = gridOfCells<Dim>(randomCells<Dim>(this->random, 4, 0.6));
  const vtkIdType numCells = grid->GetNumberOfCells();
  const int types[] = {VTK_CHAR, VTK_UNSIGNED_CHAR, VTK_SHORT, VTK_UNSIGNED_INT, VTK_LONG, VTK_ID_TYPE,
    VTK_UNSIGNED_LONG_LONG, VTK_FLOAT, VTK_DOUBLE, VTK_BIT};
  for (const int type : types) {
    for (const int components : {1, 3}) {
      const auto array = vtk::TakeSmartPointer(vtkDataArray::CreateDataArray(type));
      array->SetName((std::to_string(type) + "x" + std::to_string(components)).c_str());
      array->SetNumberOfComponents(components);
      array->SetNumberOfTuples(numCells);
      for (vtkIdType c = 0; c < numCells; ++c) {
        for (int k = 0; k < components; ++k) {
          array->SetComponent(c, k, type == VTK_BIT ? c % 2 : (7 * c + k) % 127);
        }
      }
      grid->GetCellData()->AddArray(array);
    }
  }
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetProlongation(Filter::INJECTION);
  vtkUnstructuredGrid* output = gridOfOutput(filter);
  const auto coarse = carriedGrid<Dim>(grid);
  const auto fine = carriedGrid<Dim>(output);
  for (int n = 0; n < grid->GetCellData()->GetNumberOfArrays(); ++n) {
    vtkDataArray* from = grid->GetCellData()->GetArray(n);
    vtkDataArray* to = output->GetCellData()->GetArray(from->GetName());
    ASSERT_EQ(to->GetDataType(), from->GetDataType()) << from->GetName();
    ASSERT_EQ(to->GetNumberOfComponents(), from->GetNumberOfComponents()) << from->GetName();
    for (vtkIdType c = 0; c < output->GetNumberOfCells(); ++c) {
      const std::int64_t parent = coarse->cells().findCell(parentOf(fine->cellAt(c)));
      for (int k = 0; k < to->GetNumberOfComponents(); ++k) {
        ASSERT_EQ(to->GetComponent(c, k), from->GetComponent(parent, k)) << from->GetName();
      }
    }
  }
}

// Means of children are what was refined, whatever the method, and linear functions stay linear.
TYPED_TEST(RefineIntervals, EveryMethodKeepsTheIntegralAndLinearOnesAreExact) {
  constexpr int Dim = TypeParam::value;
  const auto cells = randomCells<Dim>(this->random, 4, 0.8);
  const auto grid = gridOfCells<Dim>(cells);
  const auto carried = carriedGrid<Dim>(grid);
  vtkNew<vtkDoubleArray> vectors; // a linear function, and noise
  vectors->SetName("vector");
  vectors->SetNumberOfComponents(2);
  const auto linear = [](const std::array<double, 3>& x) { return 3.0 * x[0] - 2.0 * x[1] + 5.0 * x[2] + 1.0; };
  for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
    const double tuple[2] = {
      linear(centreOf<Dim>({}, carried->cellAt(c))), std::uniform_real_distribution<double>(-1.0, 1.0)(this->random)};
    vectors->InsertNextTypedTuple(tuple);
  }
  grid->GetCellData()->AddArray(vectors);
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetLevels(2);
  vtkNew<vtkSpanwiseCoarsenIntervals> back;
  back->SetInputConnection(filter->GetOutputPort());
  back->SetLevels(2);
  for (int method = Filter::INJECTION; method <= Filter::THIRD_ORDER; ++method) {
    filter->SetProlongation(method);
    back->Update();
    ASSERT_TRUE(cellsOf<Dim>(back->GetOutput()) == cells);
    vtkDataArray* again = back->GetOutput()->GetCellData()->GetArray("vector");
    for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
      for (int k = 0; k < 2; ++k) {
        ASSERT_NEAR(again->GetComponent(c, k), vectors->GetComponent(c, k), 1e-12);
      }
    }
  }
  filter->SetProlongation(Filter::LINEAR);
  const auto full = gridOfCells<Dim>(allCells<Dim>(-3, 3));
  vtkNew<vtkFloatArray> values;
  values->SetName("value");
  for (vtkIdType c = 0; c < full->GetNumberOfCells(); ++c) {
    values->InsertNextValue(static_cast<float>(linear(centreOf<Dim>({}, carriedGrid<Dim>(full)->cellAt(c)))));
  }
  full->GetCellData()->AddArray(values);
  filter->SetInputData(full);
  vtkUnstructuredGrid* output = gridOfOutput(filter);
  const auto fine = carriedGrid<Dim>(output);
  for (vtkIdType c = 0; c < output->GetNumberOfCells(); ++c) {
    ASSERT_NEAR(output->GetCellData()->GetArray("value")->GetComponent(c, 0),
      linear(centreOf<Dim>(fine->placement(), fine->cellAt(c))), 1e-4);
  }
}

TYPED_TEST(RefineIntervals, LeavesOfAHierarchyAreRefined) {
  constexpr int Dim = TypeParam::value;
  const auto leaves = randomLeaves<Dim>(this->random, {2, 3, 0.4, 0.1});
  vtkNew<Filter> filter;
  filter->SetInputData(levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
  filter->Update();
  Leaves<Dim> expected(1);
  for (const CellList<Dim>& level : leaves) {
    expected.push_back(childrenOf(level));
  }
  expectLevels<Dim>(filter->GetOutputDataObject(0), expected, false);
  filter->SetInputData(gridOfCells<Dim>(leaves[1])); // and back to a grid
  EXPECT_TRUE(cellsOf<Dim>(gridOfOutput(filter)) == childrenOf(leaves[1]));
}

TYPED_TEST(RefineIntervals, PiecesPartitionTheWhole) {
  constexpr int Dim = TypeParam::value;
  const auto grid = gridOfCells<Dim>(randomCells<Dim>(this->random, 6, 0.7));
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  filter->SetLevels(2);
  filter->SetProlongation(Filter::LINEAR);
  const auto whole = valuesOf<Dim>(gridOfOutput(filter), "number");
  std::map<Cell<Dim>, double> all;
  for (int piece = 0; piece < 3; ++piece) {
    filter->UpdatePiece(piece, 3, 0);
    const auto part = valuesOf<Dim>(vtkUnstructuredGrid::SafeDownCast(filter->GetOutputDataObject(0)), "number");
    for (const auto& [cell, value] : part) {
      EXPECT_TRUE(all.emplace(cell, value).second);
    }
  }
  EXPECT_EQ(all, whole);
}

TYPED_TEST(RefineIntervals, PointArraysThatAreLeftOutAreNamed) {
  constexpr int Dim = TypeParam::value;
  const auto grid = gridOfCells<Dim>({Cell<Dim>{}});
  addPointArray(grid, "heat");
  vtkNew<Filter> filter;
  filter->SetInputData(grid);
  expectOneWarning(filter, "the point arrays 'heat' are not in the result");
  const auto levels = levelsOf<Dim>(hierarchyOf<Dim>(randomLeaves<Dim>(this->random, {2, 3, 0.4, 0.1})));
  for (vtkDataSet* part : partsOf(levels)) {
    addPointArray(part, "heat");
  }
  addPointArray(partsOf(levels).front(), "pressure");
  filter->SetInputData(levels);
  expectOneWarning(filter, "the point arrays 'heat', 'pressure' are not in the result");
}

TYPED_TEST(RefineIntervals, BadInputIsOneError) {
  constexpr int Dim = TypeParam::value;
  Cell<Dim> far{};
  far.at[0] = 1 << 30;
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<Dim>({far}));
  expectOneError(filter, "beyond the coordinate limits");
  filter->SetInputData(gridOfCells<Dim>({Cell<Dim>{}}));
  filter->SetLevels(31);
  expectOneError(filter, "the number of levels is 31; it must be in [1, 30]");
  Cell<Dim> above{};
  above.at[1] = 1;
  filter->SetInputData(gridOfCells<Dim>({Cell<Dim>{}, above}));
  filter->SetLevels(30);
  expectOneError(filter, "the 2 rows of the input, refined by 30 levels, would be more than 2^30 rows");
  filter->SetLevels(1);
  filter->SetProlongation(5);
  expectOneError(filter, "the prolongation is 5");
  filter->SetProlongation(Filter::LINEAR);
  filter->SetInputData(gridOfCells<Dim>({Cell<Dim>{}}, {{0, 0, 0}, {1, 1, 1}, 30}));
  expectOneError(filter, "level");
}

} // namespace
} // namespace spanwise::testing
