#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseIntervalTable.h"

#include <vtkSphereSource.h>
#include <vtkTable.h>

#include <random>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseIntervalTable;

double at(vtkTable* table, const char* column, vtkIdType row) {
  return vtkDataArray::SafeDownCast(table->GetColumnByName(column))->GetComponent(row, 0);
}

template <int Dim>
void expectTables() {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const auto set = toHostSet<Dim>(randomCells<Dim>(random, 6, 0.5));
  const IntervalSetView<Dim> view = set.view();
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<Dim>(toCells(set)));
  filter->Update();
  vtkTable* intervals = filter->GetOutput();
  ASSERT_EQ(intervals->GetNumberOfRows(), view.numIntervals);
  EXPECT_EQ(intervals->GetColumnByName("z") != nullptr, Dim == 3);
  for (std::int64_t r = 0; r < view.numRows; ++r) {
    for (std::int64_t i = view.rowOffsets[r]; i < view.rowOffsets[r + 1]; ++i) {
      EXPECT_EQ(at(intervals, "Row", i), static_cast<double>(r));
      EXPECT_EQ(at(intervals, "y", i), view.rowKeys[r].y);
      EXPECT_EQ(at(intervals, "Begin", i), view.intervals[i].begin);
      EXPECT_EQ(at(intervals, "End", i), view.intervals[i].end);
      EXPECT_EQ(at(intervals, "First Cell", i), static_cast<double>(view.cellOffsets[i]));
      if (Dim == 3) {
        EXPECT_EQ(at(intervals, "z", i), view.rowKeys[r].zOr0());
      }
    }
  }
  filter->SetContent(Filter::ROWS);
  filter->Update();
  vtkTable* rows = filter->GetOutput();
  ASSERT_EQ(rows->GetNumberOfRows(), view.numRows);
  for (std::int64_t r = 0; r < view.numRows; ++r) {
    EXPECT_EQ(at(rows, "y", r), view.rowKeys[r].y);
    EXPECT_EQ(at(rows, "First Interval", r), static_cast<double>(view.rowOffsets[r]));
    EXPECT_EQ(at(rows, "Intervals", r), static_cast<double>(view.rowOffsets[r + 1] - view.rowOffsets[r]));
    EXPECT_EQ(at(rows, "First Cell", r), static_cast<double>(view.cellOffsets[view.rowOffsets[r]]));
  }
}

TEST(IntervalTable, ListsIntervalsAndRows) {
  expectTables<2>();
  expectTables<3>();
}

TEST(IntervalTable, NothingComesFromNothing) {
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<2>({}));
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetNumberOfRows(), 0);
  EXPECT_NE(filter->GetOutput()->GetColumnByName("Begin"), nullptr);
}

TEST(IntervalTable, BadInputIsOneError) {
  vtkNew<vtkSphereSource> sphere;
  vtkNew<Filter> filter;
  filter->SetInputConnection(sphere->GetOutputPort());
  expectOneError(filter, "cell 0");
  filter->SetInputData(gridOfCells<2>({{{0, 0}}}));
  filter->SetContent(5);
  expectOneError(filter, "the content is 5");
}

} // namespace
} // namespace spanwise::testing
