// Levels as the input of filters for one grid: several levels are refused, one is taken.

#include "Testing/Filters/Multilevel/Levels.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseAdaptiveRefinement.h"
#include "vtkSpanwiseBoundary.h"
#include "vtkSpanwiseCoarsenIntervals.h"
#include "vtkSpanwiseComponents.h"
#include "vtkSpanwiseExtractRegion.h"
#include "vtkSpanwiseFieldStencil.h"
#include "vtkSpanwiseFillHoles.h"
#include "vtkSpanwiseIntervalsToImage.h"
#include "vtkSpanwiseMorphology.h"
#include "vtkSpanwiseRemapField.h"
#include "vtkSpanwiseSetAlgebra.h"
#include "vtkSpanwiseSetExpression.h"

#include <vtkMultiBlockDataSet.h>

namespace spanwise::testing {
namespace {

template <class T>
struct OneGrid : public ::testing::Test {
  static constexpr int Dim = T::value;

  static vtkSmartPointer<vtkPartitionedDataSetCollection> levels(bool coarseToo) {
    Leaves<Dim> leaves(3);
    Cell<Dim> far{};
    far.at[0] = 9;
    if (coarseToo) {
      leaves[0].insert(Cell<Dim>{});
    }
    leaves[2].insert(far);
    return levelsOf<Dim>(hierarchyOf<Dim>(leaves));
  }

  /// Every filter that looks around cells or at several inputs, with these.
  static std::vector<vtkSmartPointer<vtkAlgorithm>> filters(vtkDataObject* input) {
    std::vector<vtkSmartPointer<vtkAlgorithm>> all{vtkSmartPointer<vtkSpanwiseMorphology>::New(),
      vtkSmartPointer<vtkSpanwiseBoundary>::New(), vtkSmartPointer<vtkSpanwiseFillHoles>::New(),
      vtkSmartPointer<vtkSpanwiseComponents>::New(), vtkSmartPointer<vtkSpanwiseSetAlgebra>::New(),
      vtkSmartPointer<vtkSpanwiseSetExpression>::New(), vtkSmartPointer<vtkSpanwiseFieldStencil>::New(),
      vtkSmartPointer<vtkSpanwiseCoarsenIntervals>::New(), vtkSmartPointer<vtkSpanwiseAdaptiveRefinement>::New(),
      vtkSmartPointer<vtkSpanwiseIntervalsToImage>::New()};
    vtkSpanwiseSetExpression::SafeDownCast(all[5])->SetExpression("A");
    for (const auto& filter : all) {
      filter->SetInputDataObject(0, input);
      filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "place");
    }
    return all;
  }
};
TYPED_TEST_SUITE(OneGrid, Dimensions, DimensionNames);

TYPED_TEST(OneGrid, SeveralLevelsAreRefusedWithTheRemedy) {
  for (const auto& filter : this->filters(this->levels(true))) {
    SCOPED_TRACE(filter->GetClassName());
    expectOneError(filter, "Resample Levels");
  }
}

TYPED_TEST(OneGrid, LevelsAmongOtherInputsAreRefused) {
  const auto levels = this->levels(true);
  const auto grid = gridOfCells<TestFixture::Dim>({{}}, someRoot);
  vtkNew<vtkSpanwiseSetAlgebra> algebra;
  algebra->AddInputDataObject(grid);
  algebra->AddInputDataObject(levels);
  expectOneError(algebra, "Resample Levels");
  vtkNew<vtkSpanwiseRemapField> remap;
  remap->SetInputData(grid);
  remap->SetSourceData(levels);
  expectOneError(remap, "Resample Levels");
  vtkNew<vtkSpanwiseExtractRegion> region;
  region->SetInputData(grid);
  region->SetInputData(1, levels);
  region->SetRegion(vtkSpanwiseExtractRegion::SET);
  expectOneError(region, "Resample Levels");
}

TYPED_TEST(OneGrid, TheOnlyLevelWithCellsIsTaken) {
  const auto levels = this->levels(false);
  const auto ofLevels = this->filters(levels);
  const auto ofGrid = this->filters(levels->GetPartition(2, 0));
  for (std::size_t k = 0; k < ofLevels.size(); ++k) {
    SCOPED_TRACE(ofLevels[k]->GetClassName());
    Messages messages;
    ofLevels[k]->Update();
    ofGrid[k]->Update();
    EXPECT_EQ(messages.all().size(), 0U);
    vtkDataObject* const output = ofLevels[k]->GetOutputDataObject(0);
    EXPECT_STREQ(output->GetClassName(), ofGrid[k]->GetOutputDataObject(0)->GetClassName());
    EXPECT_GT(output->GetNumberOfElements(vtkDataObject::CELL), 0);
    EXPECT_EQ(output->GetNumberOfElements(vtkDataObject::CELL),
      ofGrid[k]->GetOutputDataObject(0)->GetNumberOfElements(vtkDataObject::CELL));
  }
}

TYPED_TEST(OneGrid, NoLevelsAreNothing) {
  for (const auto& filter : this->filters(vtkNew<vtkPartitionedDataSetCollection>())) {
    SCOPED_TRACE(filter->GetClassName());
    expectNothing(filter);
  }
}

// An image updates its input when it is asked how large it is: of blocks, whose executive hands over one by one, too.
TYPED_TEST(OneGrid, AnImageOfBlocks) {
  constexpr int Dim = TestFixture::Dim;
  vtkNew<vtkMultiBlockDataSet> blocks;
  blocks->SetBlock(1, gridOfCells<Dim>({{}}, someRoot));
  vtkNew<vtkSpanwiseIntervalsToImage> image;
  image->SetInputData(blocks);
  image->Update();
  EXPECT_EQ(image->GetOutput()->GetNumberOfCells(), 1);
  blocks->SetBlock(2, gridOfCells<Dim>({{}}, someRoot));
  blocks->Modified();
  expectOneError(image, "Merge Blocks");
}

} // namespace
} // namespace spanwise::testing
