// Hierarchies of other kinds as levels: stock sources, marks of every kind, messages.

#include "Testing/Filters/Multilevel/Levels.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseGridToLevels.h"

#include <vtkAMRBox.h>
#include <vtkAMRGaussianPulseSource.h>
#include <vtkAppendFilter.h>
#include <vtkDataSetTriangleFilter.h>
#include <vtkHyperTreeGrid.h>
#include <vtkHyperTreeGridToUnstructuredGrid.h>
#include <vtkImageData.h>
#include <vtkOverlappingAMR.h>
#include <vtkPolyData.h>
#include <vtkRandomHyperTreeGridSource.h>
#include <vtkStructuredData.h>
#include <vtkTable.h>
#include <vtkUniformGrid.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseGridToLevels;

vtkSmartPointer<vtkPartitionedDataSetCollection> levelsOfData(vtkDataObject* data) {
  vtkNew<Filter> filter;
  filter->SetInputDataObject(data);
  filter->Update();
  return vtkPartitionedDataSetCollection::SafeDownCast(filter->GetOutputDataObject(0));
}

template <int Dim>
void expectOneGridOfManySizes() {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const GridPlacement root{{0.0, 0.0, 0.0}, {0.5, 0.25, 2.0}, 0};
  const auto leaves = randomLeaves<Dim>(random);
  const auto collection = levelsOf<Dim>(hierarchyOf<Dim>(leaves, root));
  vtkNew<vtkAppendFilter> append;
  for (vtkDataSet* part : partsOf(collection)) {
    append->AddInputData(part);
  }
  append->Update();
  expectLevels<Dim>(levelsOfData(append->GetOutput()), leaves, true, root);
  expectLevels<Dim>(levelsOfData(collection), leaves, true, root); // levels stay what they are
}

TEST(GridToLevels, AnUnstructuredGridOfManySizesIsSorted) {
  expectOneGridOfManySizes<2>();
  expectOneGridOfManySizes<3>();
}

// The leaves of a stock source's trees, as many as VTK makes cells of them.
TEST(GridToLevels, TreesGiveTheirLeaves) {
  for (const unsigned int flat : {0U, 1U}) {
    vtkNew<vtkRandomHyperTreeGridSource> source;
    source->SetSeed(7);
    source->SetDimensions(9, 8, flat == 1 ? 1 : 3);
    source->SetOutputBounds(-1.0, 7.0, 0.0, 7.0, 2.0, flat == 1 ? 2.0 : 4.0);
    source->SetMaxDepth(4);
    source->SetSplitFraction(0.5);
    source->SetMaskedFraction(0.3);
    source->Update();
    auto* trees = vtkHyperTreeGrid::SafeDownCast(source->GetOutputDataObject(0));
    ASSERT_EQ(trees->GetBranchFactor(), 2U);
    const auto levels = levelsOfData(trees);
    EXPECT_GE(levels->GetNumberOfPartitionedDataSets(), 3U);
    vtkNew<vtkHyperTreeGridToUnstructuredGrid> stock;
    stock->SetInputDataObject(trees);
    stock->Update();
    EXPECT_EQ(numCellsOf(levels), numCellsOf(stock->GetOutputDataObject(0)));
    std::int64_t compared = 0;
    vtkDataArray* depths = trees->GetCellData()->GetArray("Depth");
    ASSERT_NE(depths, nullptr);
    for (unsigned int k = 0; k < levels->GetNumberOfPartitionedDataSets(); ++k) {
      vtkDataSet* part = levels->GetPartition(k, 0);
      vtkDataArray* depth = part->GetCellData()->GetArray("Depth");
      for (vtkIdType c = 0; c < part->GetNumberOfCells(); ++c, ++compared) {
        ASSERT_EQ(depth->GetComponent(c, 0), k); // the source's own word for the level
      }
    }
    EXPECT_GT(compared, 50);
  }
}

TEST(GridToLevels, BlocksGiveWhatFinerOnesDoNotCover) {
  vtkNew<vtkAMRGaussianPulseSource> source;
  source->Update();
  auto* blocks = vtkOverlappingAMR::SafeDownCast(source->GetOutputDataObject(0));
  const auto levels = levelsOfData(blocks);
  ASSERT_EQ(levels->GetNumberOfPartitionedDataSets(), blocks->GetNumberOfLevels());
  double volume = 0.0; // together the leaves are level 0
  for (vtkDataSet* part : partsOf(levels)) {
    const auto grid = gridOf<2>(part) != nullptr ? gridOf<2>(part)->placement() : gridOf<3>(part)->placement();
    const int dimension = gridOf<2>(part) != nullptr ? 2 : 3;
    volume += static_cast<double>(part->GetNumberOfCells()) * grid.spacing[0] * grid.spacing[1] *
      (dimension == 3 ? grid.spacing[2] : 1.0);
    EXPECT_NE(part->GetCellData()->GetArray("Gaussian-Pulse"), nullptr);
  }
  double expected = 0.0;
  double spacing[3];
  blocks->GetSpacing(0, spacing);
  for (unsigned int b = 0; b < blocks->GetNumberOfBlocks(0); ++b) {
    const auto cells = static_cast<double>(blocks->GetDataSetAsImageData(0, b)->GetNumberOfCells());
    expected += cells * spacing[0] * spacing[1] * (gridOf<3>(partsOf(levels)[0]) != nullptr ? spacing[2] : 1.0);
  }
  EXPECT_NEAR(volume, expected, 1e-9 * expected);
}

/// A block of cells [low, high) along x and y, on a level whose cells have this size.
struct Block {
  int low;
  int high;
  double size;
};

// Blocks, one a level, without any marks.
vtkSmartPointer<vtkOverlappingAMR> blocksOf(const std::vector<Block>& levels) {
  auto blocks = vtkSmartPointer<vtkOverlappingAMR>::New();
  blocks->Initialize(std::vector<unsigned int>(levels.size(), 1));
  blocks->SetGridDescription(vtkStructuredData::VTK_STRUCTURED_XY_PLANE);
  const double origin[3] = {1.0, 2.0, 3.0};
  blocks->SetOrigin(origin);
  for (unsigned int l = 0; l < levels.size(); ++l) {
    const auto& [low, high, size] = levels[l];
    const double spacing[3] = {size, size, size};
    blocks->SetSpacing(l, spacing);
    const int first[3] = {low, low, 0};
    const int last[3] = {high - 1, high - 1, -1};
    blocks->SetAMRBox(l, 0, vtkAMRBox(first, last));
    vtkNew<vtkUniformGrid> block;
    block->SetOrigin(origin[0] + low * size, origin[1] + low * size, origin[2]);
    block->SetSpacing(spacing);
    block->SetDimensions(high - low + 1, high - low + 1, 1);
    vtkNew<vtkDoubleArray> values;
    values->SetName("level");
    values->SetNumberOfValues(block->GetNumberOfCells());
    values->Fill(l);
    block->GetCellData()->AddArray(values);
    blocks->SetDataSet(l, 0, block);
  }
  return blocks;
}

// Level 0: 8 x 8 cells; the finer block covers 2 x 2 of them.
vtkSmartPointer<vtkOverlappingAMR> twoBlocks(int ratio) {
  return blocksOf({{0, 8, 1.0}, {2 * ratio, 4 * ratio, 1.0 / ratio}});
}

// Of level 0 the blocks cover 2 x 2 and 3 x 3 cells, and one of them both.
TEST(GridToLevels, BlocksNeedNotBeNested) {
  const auto levels = levelsOfData(blocksOf({{0, 8, 1.0}, {4, 8, 0.5}, {12, 24, 0.25}}));
  ASSERT_EQ(levels->GetNumberOfPartitionedDataSets(), 3U);
  EXPECT_EQ(levels->GetPartition(0, 0)->GetNumberOfCells(), 64 - 4 - 9 + 1);
  EXPECT_EQ(levels->GetPartition(1, 0)->GetNumberOfCells(), 16 - 4);
  EXPECT_EQ(levels->GetPartition(2, 0)->GetNumberOfCells(), 144);
}

TEST(GridToLevels, ARatioOf4SkipsALevel) {
  for (const int ratio : {2, 4}) {
    const auto levels = levelsOfData(twoBlocks(ratio));
    const unsigned int finest = ratio == 2 ? 1 : 2;
    ASSERT_EQ(levels->GetNumberOfPartitionedDataSets(), finest + 1);
    EXPECT_EQ(levels->GetPartition(0, 0)->GetNumberOfCells(), 64 - 4);
    EXPECT_EQ(levels->GetPartition(finest, 0)->GetNumberOfCells(), 4 * ratio * ratio);
    EXPECT_EQ(numCellsOf(levels), 60 + 4 * ratio * ratio);
    EXPECT_EQ(levels->GetPartition(finest, 0)->GetCellData()->GetArray("level")->GetComponent(0, 0), 1.0);
  }
}

TEST(GridToLevels, MarkedCellsOfBlocksAreLeftOut) {
  for (const unsigned char mark :
    {vtkDataSetAttributes::DUPLICATECELL, vtkDataSetAttributes::HIDDENCELL, vtkDataSetAttributes::REFINEDCELL}) {
    const auto blocks = twoBlocks(2);
    vtkNew<vtkUnsignedCharArray> ghosts;
    ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
    ghosts->SetNumberOfValues(64);
    ghosts->Fill(0.0);
    ghosts->SetValue(0, mark);
    blocks->GetDataSetAsImageData(0, 0)->GetCellData()->AddArray(ghosts);
    EXPECT_EQ(numCellsOf(levelsOfData(blocks)), 59 + 16);
  }
}

/// A block of 4 cells along each axis with its corner at `first`, a random mark on each cell, and their places.
template <int Dim>
vtkSmartPointer<vtkUniformGrid> markedBlock(std::mt19937& random, const Cell<Dim>& first, double size) {
  auto block = vtkSmartPointer<vtkUniformGrid>::New();
  block->SetOrigin(first.at[0] * size, first.at[1] * size, Dim == 3 ? first.at[Dim - 1] * size : 0.0);
  block->SetSpacing(size, size, size);
  block->SetDimensions(5, 5, Dim == 3 ? 5 : 1);
  vtkNew<vtkDoubleArray> places;
  places->SetName("place");
  vtkNew<vtkUnsignedCharArray> marks;
  marks->SetName(vtkDataSetAttributes::GhostArrayName());
  for (vtkIdType c = 0; c < block->GetNumberOfCells(); ++c) {
    double bounds[6];
    block->GetCellBounds(c, bounds);
    places->InsertNextValue(bounds[0] + 100.0 * bounds[2] + 10000.0 * bounds[4]);
    marks->InsertNextValue(random() % 4 == 0 ? vtkDataSetAttributes::HIDDENCELL : 0);
  }
  block->GetCellData()->AddArray(places);
  block->GetCellData()->AddArray(marks);
  return block;
}

// Blocks in random order, of which one has an array that the others have not, and one no cells that count.
template <int Dim>
void expectCellsOfManyBlocks() {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const double size = 0.5;
  std::vector<Cell<Dim>> corners;
  for (const Cell<Dim>& tile : randomCells<Dim>(random, 4, 0.6)) {
    Cell<Dim> corner{};
    for (int d = 0; d < Dim; ++d) {
      corner.at[d] = 4 * tile.at[d];
    }
    corners.push_back(corner);
  }
  std::shuffle(corners.begin(), corners.end(), random);
  vtkNew<vtkOverlappingAMR> blocks;
  blocks->Initialize(std::vector<unsigned int>{static_cast<unsigned int>(corners.size())});
  blocks->SetGridDescription(
    Dim == 3 ? vtkStructuredData::VTK_STRUCTURED_XYZ_GRID : vtkStructuredData::VTK_STRUCTURED_XY_PLANE);
  const double origin[3] = {0.0, 0.0, 0.0};
  const double spacing[3] = {size, size, size};
  blocks->SetOrigin(origin);
  blocks->SetSpacing(0, spacing);
  std::map<double, int> expected; // how often each place is there
  for (std::size_t b = 0; b < corners.size(); ++b) {
    const auto block = markedBlock<Dim>(random, corners[b], size);
    vtkUnsignedCharArray* marks = block->GetCellGhostArray();
    if (b == 1) {
      vtkNew<vtkDoubleArray> rare;
      rare->SetName("rare");
      rare->SetNumberOfValues(block->GetNumberOfCells());
      block->GetCellData()->AddArray(rare);
    }
    if (b == 2) {
      marks->Fill(vtkDataSetAttributes::HIDDENCELL);
      block->GetCellData()->RemoveArray("place");
    }
    for (vtkIdType c = 0; c < block->GetNumberOfCells() && b != 2; ++c) {
      if (marks->GetValue(c) == 0) {
        ++expected[block->GetCellData()->GetArray("place")->GetComponent(c, 0)];
      }
    }
    int low[3] = {corners[b].at[0], corners[b].at[1], Dim == 3 ? corners[b].at[Dim - 1] : 0};
    int high[3] = {low[0] + 3, low[1] + 3, Dim == 3 ? low[2] + 3 : -1};
    blocks->SetAMRBox(0, static_cast<unsigned int>(b), vtkAMRBox(low, high));
    blocks->SetDataSet(0, static_cast<unsigned int>(b), block);
  }
  const auto levels = levelsOfData(blocks);
  ASSERT_EQ(levels->GetNumberOfPartitionedDataSets(), 1U);
  vtkDataSet* cells = levels->GetPartition(0, 0);
  EXPECT_EQ(cells->GetCellData()->GetNumberOfArrays(), 1); // the marks are left out, too
  vtkDataArray* places = cells->GetCellData()->GetArray("place");
  ASSERT_NE(places, nullptr);
  std::map<double, int> found;
  for (vtkIdType c = 0; c < cells->GetNumberOfCells(); ++c) {
    double bounds[6];
    cells->GetCellBounds(c, bounds);
    const double place = bounds[0] + 100.0 * bounds[2] + 10000.0 * bounds[4];
    ASSERT_EQ(places->GetComponent(c, 0), place);
    ++found[place];
  }
  EXPECT_TRUE(found == expected);
}

TEST(GridToLevels, ManyBlocksAreOneSet) {
  expectCellsOfManyBlocks<2>();
  expectCellsOfManyBlocks<3>();
}

TEST(GridToLevels, BlocksThatOverlapOnALevelAreAnError) {
  const auto blocks = blocksOf({{0, 8, 1.0}});
  vtkNew<vtkOverlappingAMR> twice;
  twice->Initialize(std::vector<unsigned int>{2});
  twice->SetGridDescription(vtkStructuredData::VTK_STRUCTURED_XY_PLANE);
  twice->SetOrigin(blocks->GetOrigin());
  const double spacing[3] = {1.0, 1.0, 1.0};
  twice->SetSpacing(0, spacing);
  for (unsigned int b = 0; b < 2; ++b) {
    twice->SetAMRBox(0, b, blocks->GetAMRBox(0, 0));
    twice->SetDataSet(0, b, vtkUniformGrid::SafeDownCast(blocks->GetDataSetAsImageData(0, 0)));
  }
  vtkNew<Filter> filter;
  filter->SetInputDataObject(twice);
  expectOneError(filter, "cells of one level twice");
}

TEST(GridToLevels, AnImageIsLevel0) {
  vtkNew<vtkImageData> image;
  image->SetExtent(-2, 3, 1, 4, 0, 2);
  const auto levels = levelsOfData(image);
  ASSERT_EQ(levels->GetNumberOfPartitionedDataSets(), 1U);
  EXPECT_EQ(carriedGrid<3>(levels->GetPartition(0, 0))->box(), (Box<3>{{-2, 1, 0}, {3, 4, 2}}));
}

TEST(GridToLevels, WorksOnEveryStepOfATimeSeries) {
  vtkNew<StepSource> source;
  source->type = "vtkOverlappingAMR";
  source->steps = {2.0, 4.0};
  source->fill = [](double time, vtkDataObject* output) { output->ShallowCopy(twoBlocks(static_cast<int>(time))); };
  vtkNew<Filter> filter;
  filter->SetInputConnection(source->GetOutputPort());
  for (const double time : {4.0, 2.0}) {
    filter->UpdateTimeStep(time);
    EXPECT_EQ(numCellsOf(filter->GetOutputDataObject(0)), 60 + 4 * static_cast<int>(time * time));
  }
}

// Grids of intervals that both say level 0, with cells of size 1 and 0.5: the message says which level is right.
TEST(GridToLevels, GridsOfOneLevelAndOfTwoSizesAreToldTheirLevel) {
  const auto gridOfSize = [](double size, int level) {
    auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
    const CellList<3> cells = {Cell<3>{{2, 0, 0}}};
    setGrid<3>(grid, IntervalGrid<3>::make(toHostSet<3>(cells), {{0.0, 0.0, 0.0}, {size, size, size}, level}));
    return grid;
  };
  const auto expectMessage = [&](vtkDataObject* first, vtkDataObject* second, const char* text) {
    vtkNew<vtkPartitionedDataSetCollection> both;
    both->SetPartition(0, 0, first);
    both->SetPartition(1, 0, second);
    vtkNew<Filter> filter;
    filter->SetInputDataObject(both);
    expectOneError(filter, text);
  };
  const auto coarse = gridOfSize(1.0, 0);
  expectMessage(coarse, gridOfSize(0.5, 0),
    "cells of size 0.5, but by another grid cells of level 0 have the size 1: "
    "its Level must be 1 ");
  expectMessage(gridOfSize(0.5, 0), coarse, "the Level of the other must be 1 more");
  expectMessage(coarse, gridOfSize(0.5, 2), "its Level must be 1 ");
  expectMessage(coarse, gridOfSize(0.3, 0), "spacings"); // no power of 2
  vtkNew<vtkPartitionedDataSetCollection> right;
  right->SetPartition(0, 0, coarse);
  right->SetPartition(1, 0, gridOfSize(0.5, 1));
  EXPECT_EQ(numCellsOf(levelsOfData(right)), 2);
}

TEST(GridToLevels, BadInputIsOneError) {
  const auto expectError = [](vtkDataObject* data, const char* text) {
    vtkNew<Filter> filter;
    filter->SetInputDataObject(data);
    expectOneError(filter, text);
  };
  expectError(twoBlocks(3), "spacing");
  vtkNew<vtkImageData> image;
  image->SetDimensions(3, 3, 3);
  vtkNew<vtkDataSetTriangleFilter> tetrahedra;
  tetrahedra->SetInputData(image);
  tetrahedra->Update();
  expectError(tetrahedra->GetOutput(), "cell 0");
  vtkNew<vtkRandomHyperTreeGridSource> source;
  source->SetDimensions(3, 3, 3);
  source->Update();
  auto* trees = vtkHyperTreeGrid::SafeDownCast(source->GetOutputDataObject(0));
  vtkNew<vtkDoubleArray> uneven;
  for (const double x : {0.0, 1.0, 3.0}) {
    uneven->InsertNextValue(x);
  }
  trees->SetXCoordinates(uneven);
  expectError(trees, "of one size");
  vtkNew<vtkHyperTreeGrid> threes;
  threes->SetDimensions(2, 2, 2);
  threes->SetBranchFactor(3);
  vtkNew<vtkDoubleArray> even;
  even->InsertNextValue(0.0);
  even->InsertNextValue(1.0);
  threes->SetXCoordinates(even);
  threes->SetYCoordinates(even);
  threes->SetZCoordinates(even);
  expectError(threes, "by 3");
  vtkNew<vtkTable> table;
  expectError(table, "vtkTable");
}

} // namespace
} // namespace spanwise::testing
