// Hierarchies as collections, and collections as hierarchies.

#include "Testing/Dimensions.hpp"
#include "Testing/Filters/Multilevel/Levels.hpp"

#include "Core/Runtime/Error.hpp"
#include "Testing/Rooms.hpp"

#include <vtkDataAssembly.h>
#include <vtkInformation.h>
#include <vtkThreshold.h>
#include <vtkUnsignedCharArray.h>

namespace spanwise::testing {
namespace {

template <class T>
struct HierarchyIn : public RandomTest<T> {};
TYPED_TEST_SUITE(HierarchyIn, Dimensions);

template <int Dim>
Hierarchy<Dim> read(vtkDataObject* data) {
  return std::get<Hierarchy<Dim>>(readLevels(RankGroup(), data, InputValues::All));
}

template <int Dim>
void expectRead(const Hierarchy<Dim>& hierarchy, const Leaves<Dim>& leaves, const GridPlacement& root = someRoot) {
  expectLevels<Dim>(levelsOf<Dim>(hierarchy), leaves, true, root);
}

template <int Dim>
void expectRefused(vtkDataObject* data, const std::string& text) {
  try {
    read<Dim>(data);
    ADD_FAILURE() << "no message with '" << text << "'";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

TYPED_TEST(HierarchyIn, ACollectionShowsEachLevelOnceUnderItsName) {
  constexpr int Dim = TypeParam::value;
  const auto leaves = randomLeaves<Dim>(this->random);
  const auto collection = levelsOf<Dim>(hierarchyOf<Dim>(leaves));
  expectLevels<Dim>(collection, leaves);
  vtkDataAssembly* assembly = collection->GetDataAssembly();
  ASSERT_NE(assembly, nullptr);
  for (unsigned int k = 0; k < leaves.size(); ++k) {
    const std::string name = "Level" + std::to_string(k);
    EXPECT_STREQ(collection->GetMetaData(k)->Get(vtkCompositeDataSet::NAME()), name.c_str());
    const int node = assembly->GetFirstNodeByPath(("/Levels/" + name).c_str());
    EXPECT_EQ(assembly->GetDataSetIndices(node), std::vector<unsigned int>{k});
  }
  double volume = 0.0; // every place counts once
  double expected = 0.0;
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    const auto count = static_cast<double>(leaves[k].size());
    expected += count * std::pow(0.5, Dim * static_cast<double>(k));
    volume += static_cast<double>(collection->GetPartition(static_cast<unsigned int>(k), 0)->GetNumberOfCells()) *
      std::pow(0.5, Dim * static_cast<double>(k));
  }
  EXPECT_EQ(volume, expected);
}

TYPED_TEST(HierarchyIn, ACollectionComesBackWithoutACopy) {
  constexpr int Dim = TypeParam::value;
  for (int round = 0; round < 5; ++round) {
    const auto leaves = randomLeaves<Dim>(this->random);
    const auto collection = levelsOf<Dim>(hierarchyOf<Dim>(leaves));
    const Hierarchy<Dim> hierarchy = read<Dim>(collection);
    expectRead<Dim>(hierarchy, leaves);
    for (unsigned int k = 0; k < leaves.size(); ++k) {
      vtkDataSet* part = collection->GetPartition(k, 0);
      EXPECT_EQ(hierarchy.leaves[k].set.host().view().intervals, gridOf<Dim>(part)->set().view().intervals);
      EXPECT_EQ(hierarchy.leaves[k].values->GetArray("place"), part->GetCellData()->GetArray("place"));
    }
  }
}

TYPED_TEST(HierarchyIn, EmptyLevelsAreLevels) {
  constexpr int Dim = TypeParam::value;
  Leaves<Dim> leaves(5);
  Cell<Dim> cell{};
  cell.at[0] = -7;
  leaves[1].insert(cell);
  leaves[3].insert(Cell<Dim>{});
  const auto collection = levelsOf<Dim>(hierarchyOf<Dim>(leaves));
  const Hierarchy<Dim> hierarchy = read<Dim>(collection);
  expectRead<Dim>(hierarchy, leaves);
  EXPECT_EQ(hierarchy.leaves[0].values->GetNumberOfArrays(), 2); // also where there are no cells
  const Hierarchy<Dim> nothing = read<Dim>(levelsOf<Dim>(hierarchyOf<Dim>(Leaves<Dim>(2))));
  EXPECT_EQ(nothing.numCells(), 0);
  EXPECT_EQ(std::get<Hierarchy<2>>(readLevels(RankGroup(), nullptr, InputValues::All)).numCells(), 0);
}

TYPED_TEST(HierarchyIn, AGridIsTheLeavesOfItsLevel) {
  constexpr int Dim = TypeParam::value;
  GridPlacement placement = placementOfLevel(someRoot, 3);
  const auto cells = randomCells<Dim>(this->random, 4, 0.5);
  const Hierarchy<Dim> hierarchy = read<Dim>(gridOfCells<Dim>(cells, placement));
  ASSERT_EQ(hierarchy.numLevels(), 4);
  EXPECT_TRUE(toCells(hierarchy.leaves[3].set.host()) == cells);
  EXPECT_EQ(hierarchy.root.spacing[0], someRoot.spacing[0]);
}

// What stock filters leave of a hierarchy is explicit cells.
TYPED_TEST(HierarchyIn, ExplicitCellsOfSeveralSizesAreSorted) {
  constexpr int Dim = TypeParam::value;
  const GridPlacement root{{0.0, 0.0, 0.0}, {0.5, 0.25, 2.0}, 0};
  auto leaves = randomLeaves<Dim>(this->random);
  ASSERT_FALSE(leaves[0].empty());
  const auto collection = levelsOf<Dim>(hierarchyOf<Dim>(leaves, root));
  vtkNew<vtkThreshold> all;
  all->SetInputData(collection);
  all->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "level");
  all->SetLowerThreshold(0.0);
  all->SetUpperThreshold(10.0);
  all->Update();
  expectRead<Dim>(read<Dim>(all->GetOutputDataObject(0)), leaves, root);
}

TYPED_TEST(HierarchyIn, CellsMarkedAsCopiesAreLeftOut) {
  constexpr int Dim = TypeParam::value;
  auto leaves = randomLeaves<Dim>(this->random);
  const auto collection = levelsOf<Dim>(hierarchyOf<Dim>(leaves));
  vtkDataSet* part = collection->GetPartition(2, 0);
  ASSERT_GT(part->GetNumberOfCells(), 1);
  vtkNew<vtkUnsignedCharArray> ghosts;
  ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
  ghosts->SetNumberOfTuples(part->GetNumberOfCells());
  ghosts->Fill(0.0);
  ghosts->SetValue(0, vtkDataSetAttributes::DUPLICATECELL);
  part->GetCellData()->AddArray(ghosts);
  leaves[2].erase(leaves[2].begin());
  expectRead<Dim>(read<Dim>(collection), leaves);
}

TYPED_TEST(HierarchyIn, OnlyArraysOfAllLevelsAreKept) {
  constexpr int Dim = TypeParam::value;
  const auto leaves = randomLeaves<Dim>(this->random);
  const auto collection = levelsOf<Dim>(hierarchyOf<Dim>(leaves));
  ASSERT_FALSE(leaves[3].empty());
  collection->GetPartition(3, 0)->GetCellData()->RemoveArray("level");
  for (const RankCells<Dim>& level : read<Dim>(collection).leaves) {
    EXPECT_EQ(level.values->GetNumberOfArrays(), 1);
    EXPECT_NE(level.values->GetArray("place"), nullptr);
  }
}

TYPED_TEST(HierarchyIn, WhatIsNoHierarchyIsRefused) {
  constexpr int Dim = TypeParam::value;
  Leaves<Dim> leaves(3);
  leaves[0].insert(Cell<Dim>{});
  Cell<Dim> inside{};
  inside.at[1] = 3;
  leaves[2].insert(inside); // in the cell (0, 0) of level 0
  expectRefused<Dim>(levelsOf<Dim>(hierarchyOf<Dim>(leaves)), "covered twice");
  inside.at[1] = 4; // beside it
  leaves[2] = {inside};
  expectRead<Dim>(read<Dim>(levelsOf<Dim>(hierarchyOf<Dim>(leaves))), leaves);

  const auto with = [&](const GridPlacement& placement) {
    const auto collection = levelsOf<Dim>(hierarchyOf<Dim>(leaves));
    collection->SetPartition(2, 0, gridOfCells<Dim>(leaves[2], placement));
    return collection;
  };
  GridPlacement placement = placementOfLevel(someRoot, 2);
  placement.spacing[1] *= 1.5;
  expectRefused<Dim>(with(placement), "spacing");
  placement = placementOfLevel(someRoot, 2);
  placement.origin[0] += placement.spacing[0]; // a whole cell of level 2, but not of level 0
  expectRefused<Dim>(with(placement), "origin");
  placement.origin[0] += 3.0 * placement.spacing[0];
  leaves[2] = {Cell<Dim>{}};
  EXPECT_EQ(read<Dim>(with(placement)).numCells(), 2); // whole cells of level 0 are only counted from elsewhere

  const auto twice = levelsOf<Dim>(hierarchyOf<Dim>(leaves));
  twice->SetPartition(0, 1, gridOfCells<Dim>(leaves[0], someRoot));
  expectRefused<Dim>(twice, "twice");

  const auto mixed = levelsOf<Dim>(hierarchyOf<Dim>(leaves));
  mixed->SetPartition(1, 0, gridOfCells<5 - Dim>({Cell<5 - Dim>{}}, placementOfLevel(someRoot, 1)));
  expectRefused<Dim>(mixed, "one dimension");
}

// Levels at the end of the coordinates.
TYPED_TEST(HierarchyIn, CoordinatesReachTheirLimits) {
  constexpr int Dim = TypeParam::value;
  Leaves<Dim> leaves(2);
  Cell<Dim> first{};
  first.at[0] = minCoordinate / 2;
  leaves[0].insert(first);
  Cell<Dim> last{};
  last.at[0] = maxRowKey;
  leaves[1].insert(last);
  expectRead<Dim>(read<Dim>(levelsOf<Dim>(hierarchyOf<Dim>(leaves))), leaves);
  last.at[0] = minCoordinate; // in the first one
  leaves[1] = {last};
  expectRefused<Dim>(levelsOf<Dim>(hierarchyOf<Dim>(leaves)), "covered twice");
}

// Parts that are asked for one by one are cut along planes of level 0, and are the whole together.
TYPED_TEST(HierarchyIn, PiecesAreCutAlongPlanesOfLevel0) {
  constexpr int Dim = TypeParam::value;
  const auto leaves = randomLeaves<Dim>(this->random);
  vtkNew<vtkInformation> request;
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  for (const int pieces : {1, 2, 3, 20}) {
    Leaves<Dim> found(leaves.size());
    std::int64_t next = PlaneRange().begin;
    for (int piece = 0; piece < pieces; ++piece) {
      request->Set(Pipeline::UPDATE_NUMBER_OF_PIECES(), pieces);
      request->Set(Pipeline::UPDATE_PIECE_NUMBER(), piece);
      Hierarchy<Dim> part = hierarchyOf<Dim>(leaves);
      const PlaneRange planes = distributeLevels(RankGroup::ofRequest(nullptr, request), part);
      EXPECT_EQ(planes.begin, next);
      next = planes.end;
      for (std::size_t k = 0; k < leaves.size(); ++k) {
        for (const Cell<Dim>& cell : toCells(part.leaves[k].set.host())) {
          EXPECT_TRUE(planes.contains(cell.at[Dim - 1] >> k));
          EXPECT_TRUE(found[k].insert(cell).second);
        }
        EXPECT_EQ(part.leaves[k].values->GetNumberOfTuples(), part.leaves[k].set.numCells());
      }
    }
    EXPECT_EQ(next, PlaneRange().end);
    EXPECT_TRUE(found == leaves);
  }
}

} // namespace
} // namespace spanwise::testing
