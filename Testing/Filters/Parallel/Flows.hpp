#pragma once

// Flows that are played as frames, on ranks and alone.

#include "Testing/Core/TemporaryFolder.hpp"
#include "Testing/Filters/Parallel/Ranks.hpp"

#include <vtkPartitionedDataSetCollection.h>
#include <vtkTable.h>

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace spanwise::testing {

inline void updateAt(vtkAlgorithm* filter, double time) {
  filter->UpdateInformation();
  filter->GetOutputInformation(0)->Set(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP(), time);
  updateTogether(filter);
}

/// Arrays by level and place of the cells that this rank has.
using FlowCells = std::map<std::array<long long, 4>, std::vector<double>>;
inline FlowCells cellsOf(vtkAlgorithm* filter, std::span<const char* const> names) {
  FlowCells cells;
  auto* const levels = vtkPartitionedDataSetCollection::SafeDownCast(filter->GetOutputDataObject(0));
  for (unsigned int l = 0; l < levels->GetNumberOfPartitionedDataSets(); ++l) {
    vtkDataSet* const grid = levels->GetPartition(l, 0);
    for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
      const auto place = placeOfCell(grid, c);
      auto& values = cells[{l, place[0], place[1], place[2]}];
      for (const char* const name : names) {
        values.push_back(grid->GetCellData()->GetArray(name)->GetComponent(c, 0));
      }
    }
  }
  return cells;
}

/// Expects that ranks have the cells of one process, each once and with the same bits.
inline void expectSameFlow(vtkAlgorithm* shared, vtkAlgorithm* alone, std::span<const char* const> names) {
  for (const double frame : {2.0, 4.0, 1.0}) {
    updateAt(shared, frame);
    alone->UpdateTimeStep(frame);
    const FlowCells mine = cellsOf(shared, names);
    const FlowCells whole = cellsOf(alone, names);
    EXPECT_FALSE(whole.empty());
    EXPECT_EQ(everybody().sum(static_cast<std::int64_t>(mine.size())), static_cast<std::int64_t>(whole.size()));
    for (const auto& [place, values] : mine) {
      const auto found = whole.find(place);
      ASSERT_NE(found, whole.end());
      EXPECT_EQ(values, found->second);
    }
    auto* const table = vtkTable::SafeDownCast(shared->GetOutputDataObject(1));
    auto* const tableAlone = vtkTable::SafeDownCast(alone->GetOutputDataObject(1));
    const bool isFirst = world()->GetLocalProcessId() == 0;
    ASSERT_EQ(table->GetNumberOfRows(), isFirst ? tableAlone->GetNumberOfRows() : 0);
    for (vtkIdType row = 0; row < table->GetNumberOfRows(); ++row) {
      for (vtkIdType column = 0; column < table->GetNumberOfColumns(); ++column) {
        EXPECT_NEAR(table->GetValue(row, column).ToDouble(), tableAlone->GetValue(row, column).ToDouble(), 1e-10);
      }
    }
  }
}

/// Expects of a flow that frame 4 is the same after a checkpoint of frame 2, on as many ranks, each from its own file.
template <class Make>
void expectGoesOn(const Make& make, std::span<const char* const> names) {
  std::string path;
  std::optional<TemporaryFolder> folder;
  if (everybody().rank() == 0) {
    path = folder.emplace() / "state";
  }
  path = everybody().gather(path);
  const auto whole = make();
  whole->SetCheckpointFile(path.c_str());
  updateAt(whole, 2.0);
  whole->SetCheckpointFile("");
  updateAt(whole, 4.0);
  const auto later = make();
  later->SetRestartFrom(path.c_str());
  updateAt(later, 4.0);
  EXPECT_EQ(cellsOf(later, names), cellsOf(whole, names));
  EXPECT_NE(everybody().gather(path), ""); // before the folder goes
}

/// Expects nothing on all ranks, and one message from the first.
inline void expectOneErrorAt(vtkAlgorithm* filter, double time) {
  Messages messages;
  updateAt(filter, time);
  EXPECT_EQ(filter->GetOutputDataObject(0)->GetNumberOfElements(vtkDataObject::CELL), 0);
  EXPECT_EQ(messages.all().size(), world()->GetLocalProcessId() == 0 ? 1U : 0U);
}

} // namespace spanwise::testing
