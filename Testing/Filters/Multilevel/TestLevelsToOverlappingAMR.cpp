// Hierarchies as blocks, and back.

#include "Testing/Filters/Multilevel/Levels.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseGridToLevels.h"
#include "vtkSpanwiseLevelsToOverlappingAMR.h"

#include <vtkImageData.h>
#include <vtkOverlappingAMR.h>
#include <vtkUnsignedCharArray.h>

namespace spanwise::testing {
namespace {

template <class T>
struct LevelsToOverlappingAMR : public RandomTest<T> {};
TYPED_TEST_SUITE(LevelsToOverlappingAMR, Dimensions);

using Filter = vtkSpanwiseLevelsToOverlappingAMR;

vtkSmartPointer<vtkOverlappingAMR> blocksOf(vtkDataObject* levels) {
  vtkNew<Filter> filter;
  filter->SetInputDataObject(levels);
  filter->Update();
  return vtkOverlappingAMR::SafeDownCast(filter->GetOutputDataObject(0));
}

vtkSmartPointer<vtkDataObject> levelsOfBlocks(vtkOverlappingAMR* blocks) {
  vtkNew<vtkSpanwiseGridToLevels> back;
  back->SetInputDataObject(blocks);
  back->Update();
  return back->GetOutputDataObject(0);
}

TYPED_TEST(LevelsToOverlappingAMR, BlocksAreTheLevelsAgain) {
  constexpr int Dim = TypeParam::value;
  for (const double hole : {0.0, 0.2}) {
    RandomLevels how;
    how.hole = hole;
    const auto leaves = randomLeaves<Dim>(this->random, how);
    const auto collection = levelsOf<Dim>(hierarchyOf<Dim>(leaves));
    const auto blocks = blocksOf(collection);
    ASSERT_EQ(blocks->GetNumberOfLevels(), leaves.size());
    EXPECT_TRUE(blocks->CheckValidity());
    std::int64_t visible = 0;
    for (unsigned int l = 0; l < blocks->GetNumberOfLevels(); ++l) {
      for (unsigned int b = 0; b < blocks->GetNumberOfBlocks(l); ++b) {
        vtkImageData* block = blocks->GetDataSetAsImageData(l, b);
        for (vtkIdType c = 0; c < block->GetNumberOfCells(); ++c) {
          visible += static_cast<std::int64_t>(block->IsCellVisible(c));
        }
      }
    }
    EXPECT_EQ(visible, numCellsOf(collection));
    const auto expected = leavesByPlace<Dim>(collection);
    EXPECT_TRUE(leavesByPlace<Dim>(levelsOfBlocks(blocks)) == expected);
    if (hole == 0.0) { // where nothing is missing, what lies below says what is covered
      for (unsigned int l = 0; l < blocks->GetNumberOfLevels(); ++l) {
        for (unsigned int b = 0; b < blocks->GetNumberOfBlocks(l); ++b) {
          blocks->GetDataSetAsImageData(l, b)->GetCellData()->RemoveArray(vtkDataSetAttributes::GhostArrayName());
        }
      }
      EXPECT_TRUE(leavesByPlace<Dim>(levelsOfBlocks(blocks)) == expected);
    }
  }
}

// VTK's own search finds the level of a leaf at its centre.
TYPED_TEST(LevelsToOverlappingAMR, StockSearchFindsLeaves) {
  constexpr int Dim = TypeParam::value;
  const auto leaves = randomLeaves<Dim>(this->random);
  const auto blocks = blocksOf(levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
  blocks->GenerateParentChildInformation();
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    for (const Cell<Dim>& cell : leaves[k]) {
      auto place = centreOf<Dim>(placementOfLevel(someRoot, static_cast<int>(k)), cell);
      unsigned int level = 99;
      unsigned int block = 0;
      ASSERT_TRUE(blocks->FindGrid(place.data(), level, block));
      ASSERT_EQ(level, k);
    }
  }
}

// A block is as large as equal runs allow.
TYPED_TEST(LevelsToOverlappingAMR, EqualRunsBecomeOneBlock) {
  constexpr int Dim = TypeParam::value;
  Leaves<Dim> leaves(2);
  leaves[0] = randomCells<Dim>(this->random, 4, 1.0); // a box
  Cell<Dim> coarse{};
  leaves[0].erase(coarse);
  for (int child = 0; child < 1 << Dim; ++child) {
    Cell<Dim> cell{};
    for (int d = 0; d < Dim; ++d) {
      cell.at[d] = (child >> d) & 1;
    }
    leaves[1].insert(cell);
  }
  const auto blocks = blocksOf(levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
  ASSERT_EQ(blocks->GetNumberOfLevels(), 2U);
  EXPECT_EQ(blocks->GetNumberOfBlocks(0), 1U); // with a refined cell
  EXPECT_EQ(blocks->GetNumberOfBlocks(1), 1U);
}

TYPED_TEST(LevelsToOverlappingAMR, NothingGivesNoBlocks) {
  constexpr int Dim = TypeParam::value;
  EXPECT_EQ(blocksOf(levelsOf<Dim>(hierarchyOf<Dim>(Leaves<Dim>(2))))->GetNumberOfBlocks(), 0U);
}

TYPED_TEST(LevelsToOverlappingAMR, IndicesBeyondIntAreOneError) {
  constexpr int Dim = TypeParam::value;
  Leaves<Dim> leaves(1);
  Cell<Dim> first{};
  first.at[0] = -2000000000;
  Cell<Dim> last{};
  last.at[0] = 2000000000;
  leaves[0] = {first, last};
  vtkNew<Filter> filter;
  filter->SetInputDataObject(levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
  expectOneError(filter, "2^31 - 1");
}

TYPED_TEST(LevelsToOverlappingAMR, WorksOnEveryStepOfATimeSeries) {
  constexpr int Dim = TypeParam::value;
  const auto source = deepeningSource<Dim>();
  vtkNew<Filter> filter;
  filter->SetInputConnection(source->GetOutputPort());
  for (const double time : {2.0, 1.0}) {
    filter->UpdateTimeStep(time);
    EXPECT_EQ(
      vtkOverlappingAMR::SafeDownCast(filter->GetOutputDataObject(0))->GetNumberOfLevels(), time > 1.5 ? 2U : 1U);
  }
}

} // namespace
} // namespace spanwise::testing
