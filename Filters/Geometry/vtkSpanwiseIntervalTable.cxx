#include "vtkSpanwiseIntervalTable.h"

#include "SpanwiseBridge.h"
#include "SpanwiseExecute.h"
#include "SpanwiseInputCells.h"

#include "Core/Runtime/Error.hpp"

#include <vtkDataSet.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkTable.h>
#include <vtkTypeInt64Array.h>

#include <numeric>

using namespace spanwise::geometry;

using namespace spanwise;

vtkStandardNewMacro(vtkSpanwiseIntervalTable);

namespace {

/// How many rows, intervals and cells the ranks before this one have.
struct Before {
  std::int64_t rows = 0;
  std::int64_t intervals = 0;
  std::int64_t cells = 0;
};

template <int Dim>
Before countBefore(const RankGroup& group, const HostIntervalSet<Dim>& set) {
  const std::vector<std::int64_t> all =
    group.gather(std::vector<std::int64_t>{set.numRows(), set.numIntervals(), set.numCells()});
  Before before;
  for (std::size_t r = 0; r < static_cast<std::size_t>(group.rank()); ++r) {
    before.rows += all[3 * r];
    before.intervals += all[3 * r + 1];
    before.cells += all[3 * r + 2];
  }
  return before;
}

template <class Array, class Value>
void addColumn(vtkTable* table, const char* name, std::int64_t count, const Value& value) {
  vtkNew<Array> column;
  column->SetName(name);
  column->SetNumberOfValues(count);
  for (std::int64_t k = 0; k < count; ++k) {
    column->SetValue(k, value(k));
  }
  table->AddColumn(column);
}

template <int Dim>
void addRows(vtkTable* table, const IntervalSetView<Dim>& set, const Before& before) {
  const auto firstCell = [&](std::int64_t r) { return set.cellOffsets[set.rowOffsets[r]]; };
  addColumn<vtkIntArray>(table, "y", set.numRows, [&](std::int64_t r) { return set.rowKeys[r].y; });
  if (Dim == 3) {
    addColumn<vtkIntArray>(table, "z", set.numRows, [&](std::int64_t r) { return set.rowKeys[r].zOr0(); });
  }
  addColumn<vtkTypeInt64Array>(
    table, "First Interval", set.numRows, [&](std::int64_t r) { return before.intervals + set.rowOffsets[r]; });
  addColumn<vtkTypeInt64Array>(
    table, "Intervals", set.numRows, [&](std::int64_t r) { return set.rowOffsets[r + 1] - set.rowOffsets[r]; });
  addColumn<vtkTypeInt64Array>(
    table, "First Cell", set.numRows, [&](std::int64_t r) { return before.cells + firstCell(r); });
  addColumn<vtkTypeInt64Array>(
    table, "Cells", set.numRows, [&](std::int64_t r) { return firstCell(r + 1) - firstCell(r); });
}

template <int Dim>
void addIntervals(vtkTable* table, const IntervalSetView<Dim>& set, const Before& before) {
  std::vector<std::int64_t> rowOf(static_cast<std::size_t>(set.numIntervals));
  for (std::int64_t r = 0; r < set.numRows; ++r) {
    std::fill(rowOf.begin() + set.rowOffsets[r], rowOf.begin() + set.rowOffsets[r + 1], r);
  }
  const auto key = [&](std::int64_t i) { return set.rowKeys[rowOf[static_cast<std::size_t>(i)]]; };
  addColumn<vtkTypeInt64Array>(
    table, "Row", set.numIntervals, [&](std::int64_t i) { return before.rows + rowOf[static_cast<std::size_t>(i)]; });
  addColumn<vtkIntArray>(table, "y", set.numIntervals, [&](std::int64_t i) { return key(i).y; });
  if (Dim == 3) {
    addColumn<vtkIntArray>(table, "z", set.numIntervals, [&](std::int64_t i) { return key(i).zOr0(); });
  }
  addColumn<vtkIntArray>(table, "Begin", set.numIntervals, [&](std::int64_t i) { return set.intervals[i].begin; });
  addColumn<vtkIntArray>(table, "End", set.numIntervals, [&](std::int64_t i) { return set.intervals[i].end; });
  addColumn<vtkTypeInt64Array>(
    table, "First Cell", set.numIntervals, [&](std::int64_t i) { return before.cells + set.cellOffsets[i]; });
}

} // namespace

void vtkSpanwiseIntervalTable::PrintSelf(ostream& os, vtkIndent indent) {
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Content: " << (this->Content == ROWS ? "rows" : "intervals") << "\n";
}

void vtkSpanwiseIntervalTable::MakeOutput(const RankGroup& group, vtkDataSet* input, vtkTable* output) {
  if (this->Content != ROWS && this->Content != INTERVALS) {
    throw InvalidArgument("the content is " + std::to_string(this->Content) + "; it must be 0 (rows) or 1 (intervals)");
  }
  InputCells cells = readCells(group, input, InputValues::None, progressOf(this));
  std::visit(
    [&](auto& mine) {
      distribute(group, mine);
      const Before before = countBefore(group, mine.set.host());
      group.agree([&] {
        if (this->Content == ROWS) {
          addRows(output, mine.set.host().view(), before);
        } else {
          addIntervals(output, mine.set.host().view(), before);
        }
      });
    },
    cells.cells);
}
