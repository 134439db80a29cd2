// Hierarchies as trees, and back.

#include "Testing/Filters/Multilevel/Levels.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseGridToLevels.h"
#include "vtkSpanwiseLevelsToHyperTreeGrid.h"

#include <vtkHyperTreeGrid.h>
#include <vtkHyperTreeGridNonOrientedCursor.h>
#include <vtkHyperTreeGridToUnstructuredGrid.h>

namespace spanwise::testing {
namespace {

template <class T>
struct LevelsToHyperTreeGrid : public RandomTest<T> {};
TYPED_TEST_SUITE(LevelsToHyperTreeGrid, Dimensions);

using Filter = vtkSpanwiseLevelsToHyperTreeGrid;

vtkSmartPointer<vtkHyperTreeGrid> treesOf(vtkDataObject* levels) {
  vtkNew<Filter> filter;
  filter->SetInputDataObject(levels);
  filter->Update();
  return vtkHyperTreeGrid::SafeDownCast(filter->GetOutputDataObject(0));
}

TYPED_TEST(LevelsToHyperTreeGrid, TreesAreTheLevelsAgain) {
  constexpr int Dim = TypeParam::value;
  for (const double hole : {0.0, 0.2}) {
    RandomLevels how;
    how.hole = hole;
    const auto leaves = randomLeaves<Dim>(this->random, how);
    const auto collection = levelsOf<Dim>(hierarchyOf<Dim>(leaves));
    const auto trees = treesOf(collection);
    EXPECT_EQ(trees->GetDimension(), static_cast<unsigned int>(Dim));
    EXPECT_EQ(trees->GetBranchFactor(), 2U);
    EXPECT_EQ(trees->HasMask(), hole > 0.0);
    const std::int64_t cells = numCellsOf(collection);
    vtkNew<vtkSpanwiseGridToLevels> back;
    back->SetInputDataObject(trees);
    back->Update();
    EXPECT_TRUE(leavesByPlace<Dim>(back->GetOutputDataObject(0)) == leavesByPlace<Dim>(collection));
    // What VTK makes of the trees itself.
    vtkNew<vtkHyperTreeGridToUnstructuredGrid> stock;
    stock->SetInputDataObject(trees);
    stock->Update();
    auto* grid = vtkUnstructuredGrid::SafeDownCast(stock->GetOutputDataObject(0));
    ASSERT_EQ(grid->GetNumberOfCells(), cells);
    EXPECT_TRUE(leavesByPlace<Dim>(grid) == leavesByPlace<Dim>(collection));
  }
}

// Trees that are to be seen down to a depth only end there, for us as for VTK.
TYPED_TEST(LevelsToHyperTreeGrid, TreesEndAtTheirDepthLimit) {
  constexpr int Dim = TypeParam::value;
  for (const double hole : {0.0, 0.2}) {
    RandomLevels how;
    how.hole = hole;
    const auto trees = treesOf(levelsOf<Dim>(hierarchyOf<Dim>(randomLeaves<Dim>(this->random, how))));
    for (const unsigned int depth : {0U, 1U, 2U, 9U}) {
      trees->SetDepthLimiter(depth);
      vtkNew<vtkSpanwiseGridToLevels> back;
      back->SetInputDataObject(trees);
      back->Update();
      auto* levels = vtkPartitionedDataSetCollection::SafeDownCast(back->GetOutputDataObject(0));
      EXPECT_EQ(levels->GetNumberOfPartitionedDataSets(), std::min(depth, 3U) + 1);
      vtkNew<vtkHyperTreeGridToUnstructuredGrid> stock;
      stock->SetInputDataObject(trees);
      stock->Update();
      EXPECT_EQ(numCellsOf(levels), numCellsOf(stock->GetOutputDataObject(0)));
    }
  }
}

// Where all cells below it are there, an inner cell has the mean of their values; of whole numbers the first.
TYPED_TEST(LevelsToHyperTreeGrid, InnerCellsHaveTheMeanOfWhatIsInThem) {
  constexpr int Dim = TypeParam::value;
  Leaves<Dim> leaves(3);
  const double share = 1.0 / (1 << Dim);
  double expected = 0.0; // of the whole root
  Hierarchy<Dim> hierarchy;
  for (int child = 0; child < 1 << Dim; ++child) {
    Cell<Dim> cell{};
    for (int d = 0; d < Dim; ++d) {
      cell.at[d] = -2 + ((child >> d) & 1);
    }
    if (child > 0) {
      leaves[1].insert(cell);
      continue;
    }
    for (int d = 0; d < Dim; ++d) {
      cell.at[d] *= 2;
    }
    leaves[2].insert(cell); // one alone in its parent
  }
  hierarchy = hierarchyOf<Dim>(leaves);
  double weights = 0.0;
  for (std::size_t k = 1; k < 3; ++k) {
    vtkDataArray* place = hierarchy.leaves[k].values->GetArray("place");
    for (vtkIdType c = 0; c < place->GetNumberOfTuples(); ++c) {
      const double weight = k == 1 ? share : share * share;
      expected += weight * place->GetComponent(c, 0);
      weights += weight;
    }
  }
  const auto trees = treesOf(levelsOf<Dim>(hierarchy));
  vtkNew<vtkHyperTreeGridNonOrientedCursor> cursor;
  trees->InitializeNonOrientedCursor(cursor, 0);
  const vtkIdType root = cursor->GetGlobalNodeIndex();
  EXPECT_NEAR(
    trees->GetCellData()->GetArray("place")->GetComponent(root, 0), expected / weights, 1e-9 * std::abs(expected));
  EXPECT_EQ(trees->GetCellData()->GetArray("level")->GetComponent(root, 0), 2.0);
}

TYPED_TEST(LevelsToHyperTreeGrid, NothingGivesNoTrees) {
  constexpr int Dim = TypeParam::value;
  EXPECT_EQ(treesOf(levelsOf<Dim>(hierarchyOf<Dim>(Leaves<Dim>(2))))->GetNumberOfCells(), 0);
}

TYPED_TEST(LevelsToHyperTreeGrid, TooManyRootsAreOneError) {
  constexpr int Dim = TypeParam::value;
  Leaves<Dim> leaves(1);
  leaves[0].insert(Cell<Dim>{});
  Cell<Dim> away{};
  away.at[0] = 1 << 25;
  leaves[0].insert(away);
  vtkNew<Filter> filter;
  filter->SetInputDataObject(levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
  expectOneError(filter, "roots");
}

TYPED_TEST(LevelsToHyperTreeGrid, WorksOnEveryStepOfATimeSeries) {
  constexpr int Dim = TypeParam::value;
  const auto source = deepeningSource<Dim>();
  vtkNew<Filter> filter;
  filter->SetInputConnection(source->GetOutputPort());
  for (const double time : {2.0, 1.0}) {
    filter->UpdateTimeStep(time);
    auto* trees = vtkHyperTreeGrid::SafeDownCast(filter->GetOutputDataObject(0));
    EXPECT_EQ(trees->GetNumberOfCells(), time > 1.5 ? 1 + (1 << Dim) : 1);
  }
}

} // namespace
} // namespace spanwise::testing
