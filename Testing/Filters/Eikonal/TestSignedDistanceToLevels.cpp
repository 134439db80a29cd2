// Signed Distance To Set on levels of leaf cells.

#include "Testing/Core/Multilevel/RandomLevels.hpp"
#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "SpanwiseHierarchy.h"
#include "Testing/Rooms.hpp"
#include "vtkSpanwiseSignedDistanceToSet.h"

#include <vtkDoubleArray.h>
#include <vtkPartitionedDataSet.h>
#include <vtkPartitionedDataSetCollection.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseSignedDistanceToSet;

constexpr double infinity = std::numeric_limits<double>::infinity();
const GridPlacement rootPlacement{{0.5, -1.0, 2.0}, {0.25, 0.4, 0.3}, 0};

template <int Dim>
vtkSmartPointer<vtkPartitionedDataSetCollection> levelsOf(
  const Leaves<Dim>& leaves, const GridPlacement& root = rootPlacement) {
  Hierarchy<Dim> hierarchy;
  hierarchy.root = root;
  hierarchy.leaves.resize(leaves.size());
  for (std::size_t level = 0; level < leaves.size(); ++level) {
    hierarchy.leaves[level].set = toHostSet<Dim>(leaves[level]);
    vtkNew<vtkDoubleArray> numbers;
    numbers->SetName("number");
    for (std::int64_t k = 0; k < hierarchy.leaves[level].set.numCells(); ++k) {
      numbers->InsertNextValue(100.0 * static_cast<double>(level) + static_cast<double>(k));
    }
    hierarchy.leaves[level].values->AddArray(numbers);
  }
  auto collection = vtkSmartPointer<vtkPartitionedDataSetCollection>::New();
  setLevels<Dim>(collection, hierarchy);
  return collection;
}

/// What leaves cover, on the lattice of level `finest`.
template <int Dim>
CellList<Dim> coveredBy(const Leaves<Dim>& leaves, int finest) {
  CellList<Dim> covered;
  for (std::size_t level = 0; level < leaves.size(); ++level) {
    const auto size = static_cast<Coordinate>(1 << (finest - static_cast<int>(level)));
    for (const Cell<Dim>& leaf : leaves[level]) {
      Box<Dim> box{};
      for (int axis = 0; axis < Dim; ++axis) {
        box.begin[axis] = leaf.at[axis] * size;
        box.end[axis] = box.begin[axis] + size;
      }
      const CellList<Dim> cells = allCells<Dim>(box);
      covered.insert(cells.begin(), cells.end());
    }
  }
  return covered;
}

/// The distance from the centre of a cell of a level to the faces of these cells of level `finest`.
template <int Dim>
double referenceDistance(const CellList<Dim>& covered, int finest, const Cell<Dim>& cell, int level) {
  double centre[Dim];
  for (int axis = 0; axis < Dim; ++axis) { // in cells of level `finest`
    centre[axis] = (cell.at[axis] + 0.5) * static_cast<double>(1 << finest) / static_cast<double>(1 << level);
  }
  const auto distanceTo = [&](const Cell<Dim>& other) {
    double square = 0.0;
    for (int axis = 0; axis < Dim; ++axis) {
      const double away = std::max({other.at[axis] - centre[axis], centre[axis] - (other.at[axis] + 1.0), 0.0}) *
        rootPlacement.spacing[axis] / static_cast<double>(1 << finest);
      square += away * away;
    }
    return std::sqrt(square);
  };
  double inside = infinity;
  double outside = infinity;
  for (const Cell<Dim>& member : covered) {
    outside = std::min(outside, distanceTo(member));
    for (int axis = 0; axis < Dim; ++axis) {
      for (const Coordinate step : {-1, 1}) {
        Cell<Dim> other = member;
        other.at[axis] += step;
        inside = std::min(inside, covered.count(other) > 0 ? infinity : distanceTo(other));
      }
    }
  }
  return outside > 0.0 ? outside : -inside;
}

template <int Dim>
void expectDistances(vtkDataObject* output, const Leaves<Dim>& leaves, const CellList<Dim>& covered, int finest) {
  auto* const collection = vtkPartitionedDataSetCollection::SafeDownCast(output);
  ASSERT_NE(collection, nullptr);
  ASSERT_EQ(collection->GetNumberOfPartitionedDataSets(), leaves.size());
  for (std::size_t level = 0; level < leaves.size(); ++level) {
    auto* const grid = vtkUnstructuredGrid::SafeDownCast(collection->GetPartition(static_cast<unsigned>(level), 0U));
    ASSERT_NE(grid, nullptr);
    ASSERT_EQ(grid->GetNumberOfCells(), std::ssize(leaves[level]));
    if (leaves[level].empty()) {
      continue;
    }
    ASSERT_NE(grid->GetCellData()->GetArray("number"), nullptr);
    vtkDataArray* const distances = grid->GetCellData()->GetScalars();
    ASSERT_STREQ(distances->GetName(), "Signed Distance");
    vtkIdType k = 0;
    for (const Cell<Dim>& cell : cellsOf<Dim>(grid)) {
      ASSERT_NEAR(
        distances->GetComponent(k++, 0), referenceDistance<Dim>(covered, finest, cell, static_cast<int>(level)), 1e-12)
        << "level " << level;
    }
  }
}

template <int Dim>
Leaves<Dim> someLeaves(std::mt19937& random) {
  RandomLevels how;
  how.extent = 2;
  how.levels = 3;
  how.hole = 0.2;
  return randomLeaves<Dim>(random, how);
}

template <int Dim>
void expectInLeaves() {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const Leaves<Dim> leaves = someLeaves<Dim>(random);
  const CellList<Dim> covered = coveredBy<Dim>(leaves, 2);
  vtkNew<Filter> filter;
  filter->SetInputDataObject(0, levelsOf<Dim>(leaves));
  filter->SetWhere(Filter::CELLS_OF_SET);
  filter->Update();
  expectDistances<Dim>(filter->GetOutputDataObject(0), leaves, covered, 2);

  const Leaves<Dim> others = someLeaves<Dim>(random);
  filter->SetInputDataObject(1, levelsOf<Dim>(others));
  filter->SetWhere(Filter::CELLS_OF_SECOND_INPUT);
  filter->Update();
  expectDistances<Dim>(filter->GetOutputDataObject(0), others, covered, 2);

  // from levels to a grid, and from a grid to levels
  const CellList<Dim> cells = randomCells<Dim>(random, 3, 0.5);
  filter->SetInputDataObject(0, gridOfCells<Dim>(cells, rootPlacement));
  filter->Update();
  expectDistances<Dim>(filter->GetOutputDataObject(0), others, cells, 0);
  filter->SetInputDataObject(0, levelsOf<Dim>(leaves));
  filter->SetInputDataObject(1, gridOfCells<Dim>(cells, rootPlacement));
  filter->Update();
  auto* const grid = vtkUnstructuredGrid::SafeDownCast(filter->GetOutputDataObject(0));
  ASSERT_NE(grid, nullptr);
  ASSERT_EQ(grid->GetNumberOfCells(), std::ssize(cells));
  vtkIdType k = 0;
  for (const Cell<Dim>& cell : cellsOf<Dim>(grid)) {
    ASSERT_NEAR(
      grid->GetCellData()->GetScalars()->GetComponent(k++, 0), referenceDistance<Dim>(covered, 2, cell, 0), 1e-12);
  }
}

TEST(SignedDistanceToLevels, IsRightInLeaves) {
  expectInLeaves<2>();
  expectInLeaves<3>();
}

/// A band and a box are those of the grid that the leaves make on the finest level.
TEST(SignedDistanceToLevels, AroundThemIsThatAroundTheirCells) {
  std::mt19937 random(seed());
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const Leaves<2> leaves = someLeaves<2>(random);
  vtkNew<Filter> ofLevels;
  vtkNew<Filter> ofGrid;
  ofLevels->SetInputDataObject(0, levelsOf<2>(leaves));
  GridPlacement finest = placementOfLevel(rootPlacement, 2);
  ofGrid->SetInputDataObject(0, gridOfCells<2>(coveredBy<2>(leaves, 2), finest));
  for (const int where : {Filter::BAND, Filter::BOX}) {
    for (Filter* filter : {ofLevels.Get(), ofGrid.Get()}) {
      filter->SetWhere(where);
      filter->SetWidth(0.3);
      filter->SetMargin(0.5);
      filter->Update();
    }
    ASSERT_GT(ofGrid->GetOutput()->GetNumberOfCells(), 0);
    ASSERT_EQ(cellsOf<2>(ofLevels->GetOutput()), cellsOf<2>(ofGrid->GetOutput()));
    for (vtkIdType k = 0; k < ofGrid->GetOutput()->GetNumberOfCells(); ++k) {
      ASSERT_NEAR(ofLevels->GetOutput()->GetCellData()->GetScalars()->GetComponent(k, 0),
        ofGrid->GetOutput()->GetCellData()->GetScalars()->GetComponent(k, 0), 1e-13);
    }
  }
}

/// A strip across the period has no boundary along it; the period is what cells of level 0 cover.
TEST(SignedDistanceToLevels, GoesAroundPeriods) {
  Leaves<2> leaves(2);
  leaves[0] = {{{0, 0}}, {{2, 0}}};
  leaves[1] = {{{2, 0}}, {{3, 0}}, {{2, 1}}, {{3, 1}}};
  vtkNew<Filter> filter;
  filter->SetInputDataObject(0, levelsOf<2>(leaves));
  filter->SetWhere(Filter::CELLS_OF_SET);
  filter->SetPeriodicX(true);
  filter->SetSign(Filter::UNSIGNED);
  filter->Update();
  auto* const output = vtkPartitionedDataSetCollection::SafeDownCast(filter->GetOutputDataObject(0));
  for (const int leaf : {0, 1}) {
    EXPECT_NEAR(output->GetPartition(0, 0)->GetCellData()->GetScalars()->GetComponent(leaf, 0), 0.2, 1e-14);
  }
  EXPECT_NEAR(output->GetPartition(1, 0)->GetCellData()->GetScalars()->GetComponent(0, 0), 0.1, 1e-14);
}

TEST(SignedDistanceToLevels, OfNothingIsNothingOrInfinite) {
  vtkNew<Filter> filter;
  filter->SetInputDataObject(0, levelsOf<2>(Leaves<2>(2)));
  filter->SetWhere(Filter::CELLS_OF_SET);
  Messages messages;
  filter->Update();
  const Leaves<3> one{{{{0, 0, 0}}}};
  filter->SetInputDataObject(1, levelsOf<3>(one));
  filter->SetWhere(Filter::CELLS_OF_SECOND_INPUT);
  filter->Update();
  EXPECT_TRUE(messages.all().empty());
  auto* const output = vtkPartitionedDataSetCollection::SafeDownCast(filter->GetOutputDataObject(0));
  EXPECT_EQ(output->GetPartition(0, 0)->GetCellData()->GetScalars()->GetComponent(0, 0), infinity);
}

TEST(SignedDistanceToLevels, SaysWhatIsWrong) {
  vtkNew<Filter> filter;
  const Leaves<3> solid{{{{0, 0, 0}}}};
  const Leaves<2> flat{{{{0, 0}}}};
  filter->SetInputDataObject(0, levelsOf<3>(solid));
  filter->SetWhere(Filter::CELLS_OF_SECOND_INPUT);
  expectOneError(filter, "there is none");
  filter->SetInputDataObject(1, levelsOf<2>(flat));
  expectOneError(filter, "the set is 3D and the second input (Cells Input) 2D");
  GridPlacement above = rootPlacement;
  above.origin[2] = 7.0;
  filter->SetInputDataObject(0, levelsOf<2>(flat, above));
  expectOneError(filter, "the set lies at z = 7 and the second input (Cells Input) at z = 2");
}

} // namespace
} // namespace spanwise::testing
