#include "Testing/Core/Multilevel/LevelsReference.hpp"
#include "Testing/Dimensions.hpp"
#include "Testing/Filters/Multilevel/Levels.hpp"

#include "vtkSpanwiseResampleLevels.h"

#include <vtkSphereSource.h>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseResampleLevels;

template <class T>
struct ResampleLevels : public RandomTest<T> {};
TYPED_TEST_SUITE(ResampleLevels, Dimensions);

// By brute force: every leaf as cells of the finest level, and means over those.
TYPED_TEST(ResampleLevels, EveryLevelHasTheMeansOfWhatIsThere) {
  constexpr int Dim = TypeParam::value;
  for (int round = 0; round < 3; ++round) {
    const auto leaves = randomLeaves<Dim>(this->random, {2, 4, 0.5, 0.15});
    vtkNew<Filter> filter;
    filter->SetInputData(levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
    filter->SetLevelMode(Filter::GIVEN_LEVEL);
    for (int level = 0; level < 4; ++level) {
      std::map<Cell<Dim>, std::pair<double, double>> sums; // of values times volumes, and of volumes
      for (int l = 0; l < 4; ++l) {
        for (const Cell<Dim>& leaf : leaves[static_cast<std::size_t>(l)]) {
          const double value = valueAt(centreOf<Dim>(placementOfLevel(someRoot, l), leaf));
          CellList<Dim> cells{leaf};
          for (int k = l; k < level; ++k) {
            cells = childrenOf(cells);
          }
          for (int k = l; k > level; --k) {
            cells = parentsOf(cells);
          }
          const double volume = std::ldexp(1.0, Dim * std::min(level - l, 0));
          for (const Cell<Dim>& cell : cells) {
            sums[cell].first += volume * value;
            sums[cell].second += volume;
          }
        }
      }
      filter->SetLevel(level);
      const auto found = valuesOf<Dim>(gridOfOutput(filter), "place");
      ASSERT_EQ(found.size(), sums.size());
      for (const auto& [cell, sum] : sums) {
        ASSERT_NEAR(found.at(cell), sum.first / sum.second, 1e-9 * 20000.0);
      }
      const auto placement = carriedGrid<Dim>(filter->GetOutputDataObject(0))->placement();
      EXPECT_EQ(placement.level, level);
      EXPECT_EQ(placement.spacing[0], std::ldexp(someRoot.spacing[0], -level));
      EXPECT_EQ(placement.origin[1], someRoot.origin[1]);
    }
  }
}

TYPED_TEST(ResampleLevels, SlopesReachAcrossLevels) {
  constexpr int Dim = TypeParam::value;
  const auto leaves = randomLeaves<Dim>(this->random, {3, 4, 0.4, 0.0});
  ASSERT_FALSE(leaves[3].empty());
  vtkNew<Filter> filter;
  filter->SetInputData(levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
  filter->SetProlongation(Filter::LINEAR);
  vtkUnstructuredGrid* output = gridOfOutput(filter);
  EXPECT_EQ(output->GetNumberOfCells(), static_cast<vtkIdType>(std::pow(6 * 8, Dim)));
  const auto grid = carriedGrid<Dim>(output);
  EXPECT_EQ(grid->placement().level, 3);
  for (vtkIdType c = 0; c < output->GetNumberOfCells(); ++c) { // "place" is linear
    ASSERT_NEAR(output->GetCellData()->GetArray("place")->GetComponent(c, 0),
      valueAt(centreOf<Dim>(grid->placement(), grid->cellAt(c))), 1e-7);
  }
}

TYPED_TEST(ResampleLevels, PiecesPartitionTheWhole) {
  constexpr int Dim = TypeParam::value;
  vtkNew<Filter> filter;
  filter->SetInputData(levelsOf<Dim>(hierarchyOf<Dim>(randomLeaves<Dim>(this->random, {4, 3, 0.4, 0.1}))));
  for (const int method : {Filter::INJECTION, Filter::MONOTONIZED_CENTRAL}) {
    filter->SetProlongation(method);
    filter->UpdatePiece(0, 1, 0);
    const auto whole = valuesOf<Dim>(gridOfOutput(filter), "place");
    std::map<Cell<Dim>, double> all;
    for (int piece = 0; piece < 3; ++piece) {
      filter->UpdatePiece(piece, 3, 0);
      const auto part = valuesOf<Dim>(vtkUnstructuredGrid::SafeDownCast(filter->GetOutputDataObject(0)), "place");
      for (const auto& [cell, value] : part) {
        EXPECT_TRUE(all.emplace(cell, value).second);
      }
    }
    EXPECT_EQ(all, whole);
    filter->UpdatePiece(0, 1, 0);
  }
}

TYPED_TEST(ResampleLevels, TakesGridsAndEmptyHierarchies) {
  constexpr int Dim = TypeParam::value;
  const auto cells = randomCells<Dim>(this->random, 3, 0.5);
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<Dim>(cells, placementOfLevel(someRoot, 2)));
  EXPECT_TRUE(cellsOf<Dim>(gridOfOutput(filter)) == cells);
  filter->SetLevelMode(Filter::GIVEN_LEVEL);
  filter->SetLevel(1);
  EXPECT_TRUE(cellsOf<Dim>(gridOfOutput(filter)) == parentsOf(cells));
  Messages messages;
  vtkNew<vtkPartitionedDataSetCollection> nothing;
  filter->SetInputData(nothing);
  EXPECT_EQ(gridOfOutput(filter)->GetNumberOfCells(), 0);
  EXPECT_EQ(messages.all().size(), 0U);
}

TYPED_TEST(ResampleLevels, BadInputIsOneError) {
  constexpr int Dim = TypeParam::value;
  Leaves<Dim> leaves(2);
  leaves[0].insert(Cell<Dim>{});
  vtkNew<Filter> filter;
  filter->SetInputData(levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
  filter->SetLevelMode(Filter::GIVEN_LEVEL);
  filter->SetLevel(31);
  expectOneError(filter, "the level is 31; it must be in [0, 30]");
  filter->SetLevel(0);
  filter->SetProlongation(-1);
  expectOneError(filter, "the prolongation is -1");
  filter->SetProlongation(Filter::LINEAR);
  leaves[1].insert(Cell<Dim>{});
  filter->SetInputData(levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
  expectOneError(filter, "covered twice");
  vtkNew<vtkSphereSource> sphere;
  sphere->Update();
  filter->SetInputData(sphere->GetOutput());
  expectOneError(filter, "cell");
}

} // namespace
} // namespace spanwise::testing
