#pragma once

// What the ranks have together, compared with what one process has alone.

#include "Testing/Filters/Geometry/Pipelines.hpp"
#include "Testing/RankTurns.hpp"

#include "SpanwiseRankGroup.h"
#include "Testing/Rooms.hpp"

#include <vtkAbstractArray.h>
#include <vtkMultiProcessController.h>
#include <vtkTable.h>

#include <algorithm>
#include <bit>
#include <numeric>

namespace spanwise::testing {

inline vtkMultiProcessController* world() { return vtkMultiProcessController::GetGlobalController(); }
inline RankGroup everybody() { return RankGroup::ofAll(world()); }

inline std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccdULL;
  return hash ^ (hash >> 33);
}

inline std::uint64_t bitsOf(double value) { return std::isnan(value) ? 1 : std::bit_cast<std::uint64_t>(value + 0.0); }

inline std::vector<std::string> sortedNames(vtkFieldData* data) {
  std::vector<std::string> names;
  for (int k = 0; k < data->GetNumberOfArrays(); ++k) {
    if (data->GetArray(k) != nullptr) {
      names.emplace_back(data->GetArrayName(k));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

inline std::uint64_t hashOfValues(vtkFieldData* data, vtkIdType tuple) {
  std::uint64_t hash = 0;
  for (const std::string& name : sortedNames(data)) {
    vtkDataArray* array = data->GetArray(name.c_str());
    for (const char letter : name) {
      hash = mixed(hash, static_cast<std::uint64_t>(letter));
    }
    for (int c = 0; c < array->GetNumberOfComponents(); ++c) {
      hash = mixed(hash, bitsOf(array->GetComponent(tuple, c)));
    }
  }
  return hash;
}

/// Cells (or lines of a table) and a sum over them that depends on every place and value, but not on their order.
struct Summary {
  std::int64_t cells = 0;
  std::int64_t checksum = 0;
  friend bool operator==(const Summary& a, const Summary& b) { return a.cells == b.cells && a.checksum == b.checksum; }
};

inline Summary summaryOf(vtkDataObject* data) {
  Summary summary;
  std::uint64_t sum = 0;
  if (auto* dataset = vtkDataSet::SafeDownCast(data)) {
    summary.cells = dataset->GetNumberOfCells();
    for (vtkIdType c = 0; c < dataset->GetNumberOfCells(); ++c) {
      std::uint64_t hash = hashOfValues(dataset->GetCellData(), c);
      for (const long long place : placeOfCell(dataset, c)) {
        hash = mixed(hash, static_cast<std::uint64_t>(place));
      }
      sum += hash;
    }
  } else if (auto* table = vtkTable::SafeDownCast(data)) {
    summary.cells = table->GetNumberOfRows();
    for (vtkIdType r = 0; r < table->GetNumberOfRows(); ++r) {
      sum += hashOfValues(table->GetRowData(), r);
    }
  }
  summary.checksum = static_cast<std::int64_t>(sum);
  return summary;
}

/// What all ranks have together.
inline Summary together(const Summary& mine) {
  std::vector<std::int64_t> sums{mine.cells, mine.checksum};
  everybody().sum(sums);
  return {sums[0], sums[1]};
}

template <class Algorithm>
vtkDataObject* updateTogether(Algorithm* algorithm) {
  algorithm->UpdatePiece(world()->GetLocalProcessId(), world()->GetNumberOfProcesses(), 0);
  return algorithm->GetOutputDataObject(0);
}

/// Whether a rank's cells may differ so much from the mean.
enum class Balance { Even, Any };

/// Expects nothing on all ranks, and one message from the first.
inline void expectOneErrorTogether(vtkAlgorithm* algorithm, const std::string& text) {
  Messages messages;
  updateTogether(algorithm);
  EXPECT_EQ(messages.all().size(), world()->GetLocalProcessId() == 0 ? 1U : 0U);
  if (!messages.all().empty()) {
    EXPECT_NE(messages.all()[0].find(text), std::string::npos) << messages.all()[0];
  }
  EXPECT_EQ(algorithm->GetOutputDataObject(0)->GetNumberOfElements(vtkDataObject::CELL), 0);
}

inline void expectEven(std::int64_t cells) {
  const auto all = everybody().gather(std::vector<std::int64_t>{cells});
  const double mean =
    static_cast<double>(std::accumulate(all.begin(), all.end(), std::int64_t{0})) / static_cast<double>(all.size());
  EXPECT_LE(static_cast<double>(*std::max_element(all.begin(), all.end())), 1.2 * mean);
  EXPECT_GE(static_cast<double>(*std::min_element(all.begin(), all.end())), 0.8 * mean);
}

/// Each rank's planes are its own, and those of all ranks follow each other.
template <int Dim>
void expectOneCut(const IntervalGridPointer<Dim>& grid) {
  const auto ends = everybody().gather(std::vector<std::int64_t>{grid->owned().begin, grid->owned().end});
  EXPECT_EQ(ends.front(), parallel::PlaneRange().begin);
  EXPECT_EQ(ends.back(), parallel::PlaneRange().end);
  for (std::size_t k = 1; k + 1 < ends.size(); k += 2) {
    EXPECT_EQ(ends[k], ends[k + 1]);
  }
  for (std::int64_t r = 0; r < grid->cells().numRows; ++r) {
    const std::int64_t plane = Dim == 2 ? grid->cells().rowKeys[r].y : grid->cells().rowKeys[r].zOr0();
    EXPECT_TRUE(grid->owned().begin <= plane && plane < grid->owned().end);
  }
}

/// Expects that ranks together make what one process makes. `make(controller)` gives the algorithm at the end of a
/// pipeline that works with this controller, or alone.
template <class Make>
void expectSameAsAlone(const Make& make, Balance balance = Balance::Even) {
  const auto namesOf = [](vtkDataObject* data) {
    vtkFieldData* arrays = data->GetAttributesAsFieldData(
      vtkTable::SafeDownCast(data) != nullptr ? vtkDataObject::ROW : vtkDataObject::CELL);
    return sortedNames(arrays);
  };
  const auto& [expected, names] = keptForLaterTurns([&] {
    const auto alone = make(nullptr);
    alone->Update();
    vtkDataObject* const data = alone->GetOutputDataObject(0);
    return std::pair(summaryOf(data), namesOf(data));
  });
  const auto shared = make(world());
  vtkDataObject* mine = updateTogether(shared.Get());
  const Summary found = together(summaryOf(mine));
  EXPECT_EQ(found.cells, expected.cells);
  EXPECT_EQ(found.checksum, expected.checksum);
  EXPECT_GT(expected.cells, 0);
  if (balance == Balance::Even) {
    expectEven(summaryOf(mine).cells);
  }
  if (const auto grid = gridOf<2>(mine)) {
    expectOneCut<2>(grid);
  } else if (const auto solid = gridOf<3>(mine)) {
    expectOneCut<3>(solid);
  }
  EXPECT_EQ(namesOf(mine), names); // ranks without cells, too
}

/// Expects that all ranks tell alike what their fronts sent to each other: nothing where one rank has all cells.
/// `cells` is how many this one has.
inline void expectSent(vtkDataObject* mine, std::int64_t cells) {
  const bool isShared = everybody().sum(cells > 0 ? 1 : 0) > 1;
  for (const char* name : {"Eikonal Messages", "Eikonal Bytes Sent"}) {
    vtkDataArray* const array = mine->GetFieldData()->GetArray(name);
    EXPECT_NE(array, nullptr) << name;
    const double sent = array != nullptr ? array->GetComponent(0, 0) : -1.0;
    EXPECT_EQ(sent > 0.0, isShared) << name << ": " << sent;
    for (const std::int64_t others : everybody().gather(std::vector{static_cast<std::int64_t>(sent)})) {
      EXPECT_EQ(others, static_cast<std::int64_t>(sent)) << name;
    }
  }
}

} // namespace spanwise::testing
