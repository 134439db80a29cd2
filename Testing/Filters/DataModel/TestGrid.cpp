// vtkSpanwiseGrid: grids of intervals for programs that know VTK alone.

#include "vtkSpanwiseGrid.h"

#include "Testing/Dimensions.hpp"
#include "Testing/Filters/DataModel/SameData.h"
#include "Testing/Filters/DataModel/Twin.h"
#include "Testing/Rooms.hpp"

#include <vtkCellData.h>
#include <vtkIdTypeArray.h>
#include <vtkIntArray.h>
#include <vtkTable.h>
#include <vtkTypeInt64Array.h>

namespace spanwise::testing {
namespace {

constexpr double origin[3] = {0.5, -1.0, 2.0};
constexpr double spacing[3] = {0.5, 0.25, 1.0};

template <class D>
class Grid : public ::testing::Test {
protected:
  static constexpr int Dim = D::value;
  vtkNew<vtkUnstructuredGrid> output;
  vtkNew<vtkIntArray> rows;
  vtkNew<vtkTypeInt64Array> rowOffsets;
  vtkNew<vtkIntArray> intervals;

  // Rows (y = -1, z = 4): [0, 3), [5, 6); (y = 2, z = 4): [-7, -5).
  void SetUp() override {
    rows->SetNumberOfComponents(Dim - 1);
    intervals->SetNumberOfComponents(2);
    addRow(-1, {{0, 3}, {5, 6}});
    addRow(2, {{-7, -5}});
    rowOffsets->InsertNextValue(intervals->GetNumberOfTuples());
  }
  void addRow(int y, const std::vector<Interval>& list) {
    const int key[2] = {y, 4};
    rows->InsertNextTypedTuple(key);
    rowOffsets->InsertNextValue(intervals->GetNumberOfTuples());
    for (const Interval& interval : list) {
      const int ends[2] = {interval.begin, interval.end};
      intervals->InsertNextTypedTuple(ends);
    }
  }
  std::string make(int level = 0) {
    const std::string problem = vtkSpanwiseGrid::FromArrays(output, rows, rowOffsets, intervals, origin, spacing);
    return problem.empty() && level != 0 ? vtkSpanwiseGrid::SetLevel(output, level) : problem;
  }
};
TYPED_TEST_SUITE(Grid, Dimensions, DimensionNames);

TYPED_TEST(Grid, ArraysGoInAndComeOut) {
  constexpr int Dim = TypeParam::value;
  ASSERT_EQ(this->make(3), "");
  vtkUnstructuredGrid* grid = this->output;
  EXPECT_TRUE(vtkSpanwiseGrid::HasIntervals(grid));
  EXPECT_EQ(vtkSpanwiseGrid::GetDimension(grid), Dim);
  EXPECT_EQ(vtkSpanwiseGrid::GetNumberOfRows(grid), 2);
  EXPECT_EQ(vtkSpanwiseGrid::GetNumberOfIntervals(grid), 3);
  EXPECT_EQ(vtkSpanwiseGrid::GetLevel(grid), 3);
  EXPECT_GT(vtkSpanwiseGrid::GetIntervalMemory(grid), 0);
  double placed[3];
  vtkSpanwiseGrid::GetOrigin(grid, placed);
  EXPECT_EQ(placed[1], origin[1]);
  vtkSpanwiseGrid::GetSpacing(grid, placed);
  EXPECT_EQ(placed[1], spacing[1]);
  EXPECT_EQ(grid->GetNumberOfCells(), 6);

  vtkNew<vtkIntArray> rows;
  vtkNew<vtkTypeInt64Array> rowOffsets;
  vtkNew<vtkIntArray> intervals;
  vtkNew<vtkTypeInt64Array> cellOffsets;
  ASSERT_TRUE(vtkSpanwiseGrid::GetArrays(grid, rows, rowOffsets, intervals, cellOffsets));
  grid->Initialize(); // the arrays keep the set alive
  EXPECT_EQ(rows->GetNumberOfComponents(), Dim - 1);
  EXPECT_EQ(rows->GetNumberOfTuples(), 2);
  EXPECT_EQ(rows->GetComponent(1, 0), 2.0);
  EXPECT_EQ(rows->GetComponent(1, Dim - 2), Dim == 2 ? 2.0 : 4.0);
  EXPECT_EQ(rowOffsets->GetValue(1), 2);
  EXPECT_EQ(rowOffsets->GetValue(2), 3);
  EXPECT_EQ(intervals->GetComponent(2, 0), -7.0);
  EXPECT_EQ(intervals->GetComponent(1, 1), 6.0);
  EXPECT_EQ(cellOffsets->GetNumberOfValues(), 4);
  EXPECT_EQ(cellOffsets->GetValue(3), 6);
}

TYPED_TEST(Grid, TheArraysShareTheMemoryOfTheSet) {
  constexpr int Dim = TypeParam::value;
  ASSERT_EQ(this->make(), "");
  auto grid = gridOf<Dim>(this->output);
  vtkNew<vtkIntArray> intervals;
  vtkNew<vtkIntArray> again;
  ASSERT_TRUE(vtkSpanwiseGrid::GetArrays(this->output, nullptr, nullptr, intervals, nullptr));
  ASSERT_TRUE(vtkSpanwiseGrid::GetArrays(this->output, nullptr, nullptr, again, nullptr));
  EXPECT_EQ(static_cast<void*>(intervals->GetPointer(0)), static_cast<const void*>(grid->cells().intervals));
  EXPECT_EQ(again->GetPointer(0), intervals->GetPointer(0));
  const std::weak_ptr<const IntervalGrid<Dim>> watched = grid;
  grid.reset();
  this->output->Initialize();
  this->output->SetCellLocator(nullptr);
  intervals->Initialize();
  EXPECT_FALSE(watched.expired());
  again->Initialize();
  EXPECT_TRUE(watched.expired());
}

TYPED_TEST(Grid, TheSetAsATable) {
  constexpr int Dim = TypeParam::value;
  ASSERT_EQ(this->make(), "");
  vtkNew<vtkTable> table;
  ASSERT_TRUE(vtkSpanwiseGrid::GetTable(this->output, table));
  EXPECT_EQ(table->GetNumberOfRows(), 3);
  EXPECT_EQ(table->GetNumberOfColumns(), Dim + 2);
  EXPECT_EQ(table->GetValueByName(2, "y").ToInt(), 2);
  EXPECT_EQ(table->GetValueByName(2, "begin").ToInt(), -7);
  EXPECT_EQ(table->GetValueByName(1, "end").ToInt(), 6);
  EXPECT_EQ(table->GetValueByName(2, "first cell").ToInt(), 4);
  EXPECT_EQ(table->GetColumnByName("z") != nullptr, Dim == 3);
}

TYPED_TEST(Grid, DataWithoutIntervalsCarryNothing) {
  vtkNew<vtkImageData> image;
  EXPECT_FALSE(vtkSpanwiseGrid::HasIntervals(image));
  EXPECT_FALSE(vtkSpanwiseGrid::HasIntervals(nullptr));
  EXPECT_EQ(vtkSpanwiseGrid::GetNumberOfIntervals(image), 0);
  EXPECT_EQ(vtkSpanwiseGrid::GetLevel(image), 0);
  double zero[3] = {1.0, 1.0, 1.0};
  vtkSpanwiseGrid::GetSpacing(image, zero);
  EXPECT_EQ(zero[0], 0.0);
  EXPECT_FALSE(vtkSpanwiseGrid::GetArrays(image, this->rows, nullptr, nullptr, nullptr));
  EXPECT_EQ(this->rows->GetNumberOfTuples(), 0);
  vtkNew<vtkTable> table;
  EXPECT_FALSE(vtkSpanwiseGrid::GetTable(image, table));
}

TYPED_TEST(Grid, TheEmptySet) {
  constexpr int Dim = TypeParam::value;
  this->rows->SetNumberOfTuples(0);
  this->rowOffsets->SetNumberOfTuples(1);
  this->intervals->SetNumberOfTuples(0);
  ASSERT_EQ(this->make(), "");
  EXPECT_EQ(vtkSpanwiseGrid::GetDimension(this->output), Dim);
  vtkNew<vtkTypeInt64Array> offsets;
  vtkNew<vtkIntArray> rows;
  ASSERT_TRUE(vtkSpanwiseGrid::GetArrays(this->output, rows, offsets, nullptr, nullptr));
  EXPECT_EQ(rows->GetNumberOfTuples(), 0);
  EXPECT_EQ(offsets->GetNumberOfValues(), 1);
}

// Every wrong array gives one sentence that names the value and the rule, and an empty output.
TYPED_TEST(Grid, WrongArraysAreNamed) {
  const auto expectMessage = [&](const std::string& part) {
    const std::string message = this->make();
    EXPECT_NE(message.find(part), std::string::npos) << message << "\n  should have: " << part;
    EXPECT_EQ(this->output->GetNumberOfCells(), 0);
    EXPECT_FALSE(vtkSpanwiseGrid::HasIntervals(this->output));
  };
  this->intervals->SetComponent(2, 1, -7);
  expectMessage("interval 2 [-7, -7) is empty");
  this->intervals->SetComponent(2, 1, -5);
  this->intervals->SetComponent(1, 0, 3);
  expectMessage("interval 1 [3, 6) overlaps or touches interval 0 [0, 3)");
  this->intervals->SetComponent(1, 0, 5);
  this->rows->SetComponent(1, 0, -1);
  expectMessage("row keys must ascend");
  this->rows->SetComponent(1, 0, 2);
  this->rowOffsets->SetValue(2, 7);
  expectMessage("ends at interval 7 of 3");
  this->rowOffsets->SetValue(2, 3);

  vtkNew<vtkIntArray> threes;
  threes->SetNumberOfComponents(3);
  EXPECT_EQ(vtkSpanwiseGrid::FromArrays(this->output, threes, this->rowOffsets, this->intervals, origin, spacing),
    "the array rows has 3 components; it must have 1 in 2D, 2 in 3D");
  EXPECT_EQ(vtkSpanwiseGrid::FromArrays(this->output, nullptr, this->rowOffsets, this->intervals, origin, spacing),
    "the array rows is missing");
  EXPECT_EQ(vtkSpanwiseGrid::FromArrays(this->output, this->rows, this->rowOffsets, this->rowOffsets, origin, spacing),
    "the array intervals has 1 component; it must have 2");
  const double bad[3] = {1.0, -2.0, 1.0};
  EXPECT_EQ(vtkSpanwiseGrid::FromArrays(this->output, this->rows, this->rowOffsets, this->intervals, origin, bad),
    "the spacing along y is -2; it must be positive and finite");
  EXPECT_EQ(this->make(99), "the level is 99; it must be from 0 to 30");
  vtkNew<vtkDoubleArray> fractions;
  fractions->SetNumberOfComponents(2);
  fractions->InsertNextTuple2(0.0, 2.5);
  EXPECT_EQ(vtkSpanwiseGrid::FromArrays(this->output, this->rows, this->rowOffsets, fractions, origin, spacing),
    "intervals[0, 1] is 2.5; it must be a whole number from -2147483648 to 2147483647");
  EXPECT_EQ(this->make(), "");
}

// A level is said of a grid, which stays what it is otherwise.
TYPED_TEST(Grid, LevelsAreSet) {
  vtkUnstructuredGrid* grid = this->output;
  EXPECT_EQ(vtkSpanwiseGrid::SetLevel(grid, 1), "the data carries no intervals");
  ASSERT_EQ(this->make(), "");
  vtkNew<vtkIntArray> values;
  values->SetName("values");
  values->SetNumberOfTuples(grid->GetNumberOfCells());
  grid->GetCellData()->AddArray(values);
  EXPECT_EQ(vtkSpanwiseGrid::SetLevel(grid, 31), "the level is 31; it must be from 0 to 30");
  EXPECT_EQ(vtkSpanwiseGrid::GetLevel(grid), 0);
  EXPECT_EQ(vtkSpanwiseGrid::SetLevel(grid, 30), "");
  EXPECT_EQ(vtkSpanwiseGrid::GetLevel(grid), 30);
  EXPECT_EQ(grid->GetNumberOfCells(), 6);
  EXPECT_EQ(grid->GetCellData()->GetAbstractArray("values"), values.Get());
  double placed[3];
  vtkSpanwiseGrid::GetSpacing(grid, placed);
  EXPECT_EQ(placed[1], spacing[1]);
}

TYPED_TEST(Grid, CellListsInAnyOrder) {
  constexpr int Dim = TypeParam::value;
  vtkNew<vtkIntArray> cells;
  cells->SetNumberOfComponents(Dim);
  const int list[5][3] = {{4, 0, 0}, {-1, 2, 0}, {3, 0, 0}, {4, 0, 0}, {0, -5, 0}};
  for (const auto& cell : list) {
    cells->InsertNextTypedTuple(cell);
  }
  vtkNew<vtkIdTypeArray> numbers;
  ASSERT_EQ(vtkSpanwiseGrid::FromCells(this->output, cells, origin, spacing, numbers), "");
  EXPECT_EQ(this->output->GetNumberOfCells(), 4);
  EXPECT_EQ(vtkSpanwiseGrid::GetNumberOfIntervals(this->output), 3);
  const std::vector<vtkIdType> expected{2, 3, 1, 2, 0};
  EXPECT_EQ(std::vector<vtkIdType>(numbers->GetPointer(0), numbers->GetPointer(0) + 5), expected);
  cells->SetComponent(1, 1, 2147483647.0);
  EXPECT_NE(vtkSpanwiseGrid::FromCells(this->output, cells, origin, spacing), "");
  EXPECT_EQ(this->output->GetNumberOfCells(), 0);
}

TYPED_TEST(Grid, AGridFromADataSet) {
  constexpr int Dim = TypeParam::value;
  const auto twin = makeTwin<Dim>();
  ASSERT_EQ(vtkSpanwiseGrid::FromDataSet(this->output, twin.stock), "");
  EXPECT_TRUE(vtkSpanwiseGrid::HasIntervals(this->output));
  expectSameRecords(cellRecords(this->output), cellRecords(twin.stock), "cell");
  vtkNew<vtkUnstructuredGrid> exploded;
  vtkSpanwiseGrid::Explode(this->output, exploded);
  EXPECT_FALSE(vtkSpanwiseGrid::HasIntervals(exploded));
  expectSameData(exploded, this->output);
  EXPECT_EQ(vtkSpanwiseGrid::FromDataSet(this->output, nullptr), "there is no data set");
}

} // namespace
} // namespace spanwise::testing
