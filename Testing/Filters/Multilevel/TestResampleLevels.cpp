#include "Testing/Core/Multilevel/LevelsReference.hpp"
#include "Testing/Dimensions.hpp"
#include "Testing/Filters/Multilevel/Levels.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseResampleLevels.h"

#include <vtkImageData.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
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

/// The leaf that holds a place, and its level; -1 where there is none.
template <int Dim>
int levelAt(const Leaves<Dim>& leaves, const double place[3], Cell<Dim>& cell) {
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    const GridPlacement placement = placementOfLevel(someRoot, static_cast<int>(k));
    for (int d = 0; d < Dim; ++d) {
      cell.at[d] = static_cast<Coordinate>(std::floor((place[d] - placement.origin[d]) / placement.spacing[d]));
    }
    if (leaves[k].count(cell) != 0) {
      return static_cast<int>(k);
    }
  }
  return -1;
}

/// Expects every point of a data set to have the values of the leaf that holds it, or those of no leaf.
template <int Dim>
void expectSamples(vtkDataSet* data, const Leaves<Dim>& leaves) {
  vtkPointData* values = data->GetPointData();
  for (const char* name : {"place", "level", "Level"}) {
    ASSERT_NE(values->GetArray(name), nullptr) << name;
    ASSERT_EQ(values->GetArray(name)->GetNumberOfTuples(), data->GetNumberOfPoints());
  }
  std::int64_t inside = 0;
  for (vtkIdType p = 0; p < data->GetNumberOfPoints(); ++p) {
    double place[3];
    data->GetPoint(p, place);
    Cell<Dim> cell{};
    const int level = levelAt<Dim>(leaves, place, cell);
    ASSERT_EQ(values->GetArray("Level")->GetComponent(p, 0), level);
    ASSERT_EQ(values->GetArray("level")->GetComponent(p, 0), std::max(level, 0));
    const double found = values->GetArray("place")->GetComponent(p, 0);
    if (level < 0) {
      ASSERT_TRUE(std::isnan(found));
    } else {
      ASSERT_EQ(found, valueAt(centreOf<Dim>(placementOfLevel(someRoot, level), cell)));
      ++inside;
    }
  }
  EXPECT_GT(inside, 0);
}

/// A box that is a little larger than the roots in [-2, 2)^Dim, at no multiple of the cells' sizes.
void setBoxAround(Filter* filter, int dimension, int points) {
  double corner[3] = {0.0, 0.0, 0.5};
  double lengths[3] = {0.0, 0.0, 0.0};
  for (int d = 0; d < dimension; ++d) {
    corner[d] = someRoot.origin[d] - 2.513 * someRoot.spacing[d];
    lengths[d] = 5.031 * someRoot.spacing[d];
  }
  filter->SetCorner(corner);
  filter->SetLengths(lengths);
  filter->SetResolution(points, points + 3, points - 1);
}

TYPED_TEST(ResampleLevels, ABoxHasTheValuesOfTheLeaves) {
  constexpr int Dim = TypeParam::value;
  const auto leaves = randomLeaves<Dim>(this->random, {2, 4, 0.5, 0.15});
  vtkNew<Filter> filter;
  filter->SetInputData(levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
  filter->SetSampleOn(Filter::BOX);
  setBoxAround(filter, Dim, 19);
  filter->Update();
  auto* image = vtkImageData::SafeDownCast(filter->GetOutputDataObject(0));
  ASSERT_NE(image, nullptr);
  EXPECT_EQ(image->GetNumberOfPoints(), 19 * 22 * (Dim == 2 ? 1 : 18));
  double bounds[6];
  image->GetBounds(bounds);
  for (int d = 0; d < Dim; ++d) {
    EXPECT_NEAR(bounds[2 * d], filter->GetCorner()[d], 1e-12);
    EXPECT_NEAR(bounds[2 * d + 1], filter->GetCorner()[d] + filter->GetLengths()[d], 1e-12);
  }
  expectSamples<Dim>(image, leaves);
  filter->SetInterpolation(Filter::INTERPOLATE_LINEARLY); // values where there are leaves, and nowhere else
  filter->Update();
  vtkPointData* values = image->GetPointData();
  for (vtkIdType p = 0; p < image->GetNumberOfPoints(); ++p) {
    ASSERT_EQ(
      std::isnan(values->GetArray("place")->GetComponent(p, 0)), values->GetArray("Level")->GetComponent(p, 0) < 0);
  }
}

// The leaves' own array of that name, as Adaptive Refinement makes one, has no place for "no leaf".
TYPED_TEST(ResampleLevels, WhereThereIsNoLeafTheLevelIsMinusOne) {
  constexpr int Dim = TypeParam::value;
  const auto leaves = randomLeaves<Dim>(this->random, {2, 4, 0.5, 0.15});
  auto hierarchy = hierarchyOf<Dim>(leaves);
  for (const double first : {0.0, 7.0}) { // levels, and something else
    for (std::size_t l = 0; l < leaves.size(); ++l) {
      vtkNew<vtkIntArray> level;
      level->SetName("Level");
      level->SetNumberOfTuples(hierarchy.leaves[l].set.numCells());
      level->FillValue(static_cast<int>(first) + static_cast<int>(l));
      hierarchy.leaves[l].values->AddArray(level);
    }
    vtkNew<Filter> filter;
    filter->SetInputData(levelsOf<Dim>(hierarchy));
    filter->SetSampleOn(Filter::BOX);
    setBoxAround(filter, Dim, 19);
    filter->Update();
    auto* image = vtkImageData::SafeDownCast(filter->GetOutputDataObject(0));
    if (first == 0.0) {
      expectSamples<Dim>(image, leaves);
      EXPECT_EQ(image->GetPointData()->GetArray("Level")->GetRange()[0], -1.0);
    } else {
      EXPECT_EQ(image->GetPointData()->GetArray("Level")->GetRange()[0], 0.0);
      EXPECT_GE(image->GetPointData()->GetArray("Level")->GetRange()[1], first);
    }
  }
}

TYPED_TEST(ResampleLevels, PointsOfADataSetHaveTheValuesOfTheLeaves) {
  constexpr int Dim = TypeParam::value;
  const auto leaves = randomLeaves<Dim>(this->random, {2, 4, 0.5, 0.15});
  vtkNew<vtkPolyData> points;
  vtkNew<vtkPoints> places;
  vtkNew<vtkDoubleArray> mine;
  mine->SetName("mine");
  std::uniform_real_distribution<double> at(-3.0, 3.0);
  for (int p = 0; p < 500; ++p) {
    double place[3] = {0.0, 0.0, 77.0}; // in 2D z does not matter
    for (int d = 0; d < Dim; ++d) {
      place[d] = static_cast<float>(someRoot.origin[d] + at(this->random) * someRoot.spacing[d]);
    }
    places->InsertNextPoint(place);
    mine->InsertNextValue(p);
  }
  points->SetPoints(places);
  points->GetPointData()->AddArray(mine);
  vtkNew<Filter> filter;
  filter->SetInputData(0, levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
  filter->SetInputData(1, points);
  filter->SetSampleOn(Filter::POINTS);
  filter->Update();
  auto* output = vtkPolyData::SafeDownCast(filter->GetOutputDataObject(0));
  ASSERT_NE(output, nullptr);
  EXPECT_EQ(output->GetNumberOfPoints(), 500);
  EXPECT_EQ(output->GetPointData()->GetArray("mine")->GetComponent(499, 0), 499.0);
  expectSamples<Dim>(output, leaves);
  EXPECT_EQ(points->GetPointData()->GetNumberOfArrays(), 1); // the input is as it was

  // another kind of data set, and back to cells
  vtkNew<vtkImageData> image;
  image->SetDimensions(7, 5, Dim == 2 ? 1 : 3);
  image->SetOrigin(-1.9, 1.51, 0.51);
  image->SetSpacing(0.37, 0.23, 0.41);
  filter->SetInputData(1, image);
  filter->Update();
  ASSERT_NE(vtkImageData::SafeDownCast(filter->GetOutputDataObject(0)), nullptr);
  expectSamples<Dim>(vtkDataSet::SafeDownCast(filter->GetOutputDataObject(0)), leaves);
  filter->SetSampleOn(Filter::CELLS_OF_A_LEVEL);
  EXPECT_GT(gridOfOutput(filter)->GetNumberOfCells(), 0);
}

TYPED_TEST(ResampleLevels, LinearSamplesOfALinearFunctionAreTheFunction) {
  constexpr int Dim = TypeParam::value;
  const auto leaves = randomLeaves<Dim>(this->random, {2, 4, 0.5, 0.0});
  ASSERT_FALSE(leaves[3].empty());
  vtkNew<Filter> filter;
  filter->SetInputData(levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
  filter->SetSampleOn(Filter::BOX);
  filter->SetInterpolation(Filter::INTERPOLATE_LINEARLY);
  double corner[3] = {0.0, 0.0, 0.5};
  double lengths[3] = {0.0, 0.0, 0.0};
  for (int d = 0; d < Dim; ++d) { // the whole domain, with its boundary
    corner[d] = someRoot.origin[d] - 2.0 * someRoot.spacing[d];
    lengths[d] = 4.0 * someRoot.spacing[d];
  }
  filter->SetCorner(corner);
  filter->SetLengths(lengths);
  filter->SetResolution(33, 21, 12);
  filter->Update();
  auto* image = vtkImageData::SafeDownCast(filter->GetOutputDataObject(0));
  for (vtkIdType p = 0; p < image->GetNumberOfPoints(); ++p) {
    double place[3];
    image->GetPoint(p, place);
    ASSERT_NEAR(image->GetPointData()->GetArray("place")->GetComponent(p, 0),
      valueAt({place[0], place[1], Dim == 2 ? someRoot.origin[2] : place[2]}), 1e-7);
  }
}

TYPED_TEST(ResampleLevels, PiecesOfABoxShareTheirEnds) {
  constexpr int Dim = TypeParam::value;
  const auto leaves = randomLeaves<Dim>(this->random, {2, 3, 0.5, 0.15});
  vtkNew<Filter> filter;
  filter->SetInputData(levelsOf<Dim>(hierarchyOf<Dim>(leaves)));
  filter->SetSampleOn(Filter::BOX);
  setBoxAround(filter, Dim, 9);
  int next = 0;
  for (int piece = 0; piece < 3; ++piece) {
    filter->UpdatePiece(piece, 3, 0);
    auto* image = vtkImageData::SafeDownCast(filter->GetOutputDataObject(0));
    const int* extent = image->GetExtent();
    EXPECT_EQ(extent[2 * Dim - 2], next);
    next = extent[2 * Dim - 1];
    expectSamples<Dim>(image, leaves);
  }
  EXPECT_EQ(next, Dim == 2 ? 11 : 7);
}

TYPED_TEST(ResampleLevels, BadPointsAreOneError) {
  constexpr int Dim = TypeParam::value;
  vtkNew<Filter> filter;
  filter->SetInputData(levelsOf<Dim>(hierarchyOf<Dim>(randomLeaves<Dim>(this->random))));
  filter->SetSampleOn(3);
  expectOneError(filter, "the choice of what to sample on is 3");
  filter->SetSampleOn(Filter::POINTS);
  expectOneError(filter, "there is no second input (Points)");
  filter->SetSampleOn(Filter::BOX);
  filter->SetResolution(4, 0, 4);
  expectOneError(filter, "the resolution along axis 1 is 0");
  filter->SetResolution(40000, 40000, 40000);
  expectOneError(filter, "there may be 2^31 - 1 at most");
  filter->SetResolution(4, 4, 4);
  filter->SetLengths(1.0, -1e-9, 1.0);
  expectOneError(filter, "has the length -1e-09;");
  filter->SetLengths(1.0, 1.0, 1.0);
  filter->SetInterpolation(2);
  expectOneError(filter, "the interpolation is 2");
  Messages messages;
  vtkNew<vtkPartitionedDataSetCollection> nothing;
  filter->SetInterpolation(0);
  filter->SetInputData(nothing);
  filter->Update();
  EXPECT_EQ(messages.all().size(), 0U);
}

} // namespace
} // namespace spanwise::testing
