// Hierarchies on several ranks: whatever part each of them has, together they make what one process makes.

#include "Testing/Dimensions.hpp"
#include "Testing/Filters/Parallel/RankHierarchies.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseContourLevels.h"
#include "vtkSpanwiseGridToLevels.h"
#include "vtkSpanwiseLevelsToHyperTreeGrid.h"
#include "vtkSpanwiseLevelsToOverlappingAMR.h"
#include "vtkSpanwiseLevelsToUnstructuredGrid.h"

#include <vtkHyperTreeGrid.h>
#include <vtkOverlappingAMR.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>

namespace spanwise::testing {
namespace {

template <class T>
struct RankLevels : public RandomTest<T> {};
TYPED_TEST_SUITE(RankLevels, Dimensions);

TYPED_TEST(RankLevels, LevelsAreCutTogether) {
  constexpr int Dim = TypeParam::value;
  const auto leaves = randomLeaves<Dim>(this->random, manyPlanes(Dim));
  const Summary expected = summaryOfParts(levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
  for (const Split split : allSplits) {
    const auto filter = filterOn<vtkSpanwiseGridToLevels>(sharedLevels<Dim>(leaves, split, world()), world());
    vtkDataObject* output = updateTogether(filter.Get());
    EXPECT_TRUE(together(summaryOfParts(output)) == expected);
    if (world()->GetNumberOfProcesses() < 4) {
      expectEven(numCellsOf(output));
    }
    auto* collection = vtkPartitionedDataSetCollection::SafeDownCast(output);
    ASSERT_EQ(collection->GetNumberOfPartitionedDataSets(), leaves.size()); // also on ranks without leaves
    for (unsigned int k = 0; k < leaves.size(); ++k) {
      const auto grid = gridOf<Dim>(collection->GetPartition(k, 0));
      ASSERT_NE(grid, nullptr);
      expectOneCut<Dim>(grid);
      EXPECT_EQ(collection->GetPartition(k, 0)->GetCellData()->GetNumberOfArrays(), 2);
    }
  }
}

// A value at each place, whoever has it.
std::map<std::array<double, 3>, double> valuesAtPoints(vtkDataObject* data) {
  std::map<std::array<double, 3>, double> values;
  auto* grid = vtkUnstructuredGrid::SafeDownCast(data);
  for (vtkIdType p = 0; p < grid->GetNumberOfPoints(); ++p) {
    const double* place = grid->GetPoint(p);
    values[{place[0], place[1], place[2]}] = grid->GetPointData()->GetArray("place")->GetComponent(p, 0);
  }
  return values;
}

TYPED_TEST(RankLevels, TheConformingMeshIsThatOfOneRank) {
  constexpr int Dim = TypeParam::value;
  using Filter = vtkSpanwiseLevelsToUnstructuredGrid;
  RandomLevels how = manyPlanes(Dim);
  how.extent = Dim == 2 ? 8 : 4;
  how.levels = 4;
  for (const double hole : {0.0, 0.2}) {
    how.hole = hole;
    const auto leaves = randomLeaves<Dim>(this->random, how);
    const auto& [expected, expectedValues] = keptForLaterTurns([&] {
      const auto alone = filterOn<Filter>(sharedLevels<Dim>(leaves, Split::OneRank, nullptr), nullptr);
      alone->Update();
      return std::pair(summaryOf(alone->GetOutputDataObject(0)), valuesAtPoints(alone->GetOutputDataObject(0)));
    });
    for (const Split split : allSplits) {
      const auto filter = filterOn<Filter>(sharedLevels<Dim>(leaves, split, world()), world());
      vtkDataObject* output = updateTogether(filter.Get());
      EXPECT_TRUE(together(summaryOf(output)) == expected);
      for (const auto& [place, value] : valuesAtPoints(output)) {
        const auto found = expectedValues.find(place);
        ASSERT_NE(found, expectedValues.end());
        ASSERT_EQ(found->second, value); // bit for bit
      }
    }
  }
}

/// Ends of what a data set fills, which are negative where they are low ends; as if far away where it is empty.
std::vector<double> endsOf(vtkDataObject* data) {
  auto* const contours = vtkPolyData::SafeDownCast(data);
  double bounds[6];
  contours->GetBounds(bounds);
  std::vector<double> ends;
  for (int k = 0; k < 6; ++k) {
    ends.push_back(contours->GetNumberOfCells() == 0 ? -1e300 : k % 2 == 0 ? -bounds[k] : bounds[k]);
  }
  return ends;
}

TYPED_TEST(RankLevels, ContoursAreThoseOfOneRank) {
  constexpr int Dim = TypeParam::value;
  RandomLevels how = manyPlanes(Dim);
  how.extent = Dim == 2 ? 8 : 4;
  how.hole = 0.05;
  const auto leaves = randomLeaves<Dim>(this->random, how);
  const auto onRanks = [&](Split split, vtkMultiProcessController* ranks) {
    const auto filter = filterOn<vtkSpanwiseContourLevels>(sharedLevels<Dim>(leaves, split, ranks), ranks);
    filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "place");
    filter->SetValue(0, valueAt(centreOf<Dim>(someRoot, Cell<Dim>{})));
    return filter;
  };
  const auto& [expected, expectedEnds] = keptForLaterTurns([&] {
    const auto alone = onRanks(Split::OneRank, nullptr);
    alone->Update();
    return std::pair(numCellsOf(alone->GetOutputDataObject(0)), endsOf(alone->GetOutputDataObject(0)));
  });
  EXPECT_GT(expected, 10);
  for (const Split split : allSplits) {
    const auto filter = onRanks(split, world());
    vtkDataObject* const output = updateTogether(filter.Get());
    EXPECT_EQ(everybody().sum(numCellsOf(output)), expected);
    std::vector<double> ends = endsOf(output);
    everybody().maximum(ends);
    for (std::size_t k = 0; k < ends.size(); ++k) {
      EXPECT_NEAR(ends[k], expectedEnds[k], 1e-6);
    }
  }
}

template <class Filter, int Dim>
void expectSameBack(const Leaves<Dim>& leaves, const std::function<std::int64_t(vtkDataObject*)>& count) {
  const std::int64_t expected = keptForLaterTurns([&] {
    const auto alone = filterOn<Filter>(sharedLevels<Dim>(leaves, Split::OneRank, nullptr), nullptr);
    alone->Update();
    return count(alone->GetOutputDataObject(0));
  });
  const Summary expectedLevels = summaryOfParts(levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
  for (const Split split : allSplits) {
    const auto filter = filterOn<Filter>(sharedLevels<Dim>(leaves, split, world()), world());
    vtkDataObject* output = updateTogether(filter.Get());
    EXPECT_EQ(everybody().sum(count(output)), expected);
    const auto back = filterOn<vtkSpanwiseGridToLevels>(output, world());
    const Summary found = together(summaryOfParts(updateTogether(back.Get())));
    EXPECT_TRUE(found == expectedLevels);
  }
}

TYPED_TEST(RankLevels, TreesAndBlocksAreThoseOfOneRank) {
  constexpr int Dim = TypeParam::value;
  const auto leaves = randomLeaves<Dim>(this->random, manyPlanes(Dim));
  expectSameBack<vtkSpanwiseLevelsToHyperTreeGrid, Dim>(
    leaves, [](vtkDataObject* data) { return vtkHyperTreeGrid::SafeDownCast(data)->GetNumberOfCells(); });
  expectSameBack<vtkSpanwiseLevelsToOverlappingAMR, Dim>(leaves, [](vtkDataObject* data) {
    auto* blocks = vtkOverlappingAMR::SafeDownCast(data);
    EXPECT_TRUE(blocks->CheckValidity()); // everybody knows where all blocks are
    std::int64_t cells = 0;
    for (vtkDataSet* block : partsOf(blocks)) {
      cells += block->GetNumberOfCells();
    }
    return cells;
  });
}

// Leaves of two levels that overlap on different ranks.
TYPED_TEST(RankLevels, AnOverlapBetweenRanksIsOneError) {
  constexpr int Dim = TypeParam::value;
  Leaves<Dim> leaves(2);
  const int rank = world()->GetLocalProcessId();
  if (rank == 0) {
    leaves[0].insert(Cell<Dim>{});
  }
  if (rank == world()->GetNumberOfProcesses() - 1) {
    leaves[1].insert(Cell<Dim>{});
  }
  const auto filter = filterOn<vtkSpanwiseGridToLevels>(levelsOf<Dim>(hierarchyOf<Dim>(leaves)), world());
  Messages messages;
  vtkDataObject* output = updateTogether(filter.Get());
  EXPECT_EQ(messages.all().size(), rank == 0 ? 1U : 0U);
  EXPECT_EQ(numCellsOf(output), 0);
}

} // namespace
} // namespace spanwise::testing
