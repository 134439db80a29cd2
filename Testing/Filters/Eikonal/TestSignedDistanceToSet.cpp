#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseMorphology.h"
#include "vtkSpanwiseSignedDistanceToSet.h"
#include "vtkSpanwiseThresholdToIntervals.h"

#include <vtkDoubleArray.h>
#include <vtkImageData.h>
#include <vtkIntArray.h>

#include <algorithm>
#include <limits>
#include <random>

namespace spanwise::testing {
namespace {

using Filter = vtkSpanwiseSignedDistanceToSet;

constexpr const char* arrayName = "Signed Distance";
constexpr double infinity = std::numeric_limits<double>::infinity();

template <int Dim>
using Values = std::map<Cell<Dim>, double>;

/// The distances by the coordinates of the cells.
template <int Dim>
Values<Dim> distancesOf(vtkUnstructuredGrid* output) {
  Values<Dim> values;
  vtkDataArray* array = output->GetCellData()->GetScalars();
  EXPECT_STREQ(array->GetName(), arrayName);
  vtkIdType k = 0;
  for (const Cell<Dim>& cell : cellsOf<Dim>(output)) {
    values[cell] = array->GetComponent(k++, 0);
  }
  return values;
}

/// The least distance to all cells of the other kind. No axis repeats.
template <int Dim>
double referenceDistance(const CellList<Dim>& set, const Cell<Dim>& cell, const double (&spacing)[3]) {
  const bool inside = set.count(cell) > 0;
  double least = infinity;
  const auto look = [&](const Cell<Dim>& other) {
    double sum = 0.0;
    for (int axis = 0; axis < Dim; ++axis) {
      const double gap = std::max(std::abs(double(cell.at[axis]) - other.at[axis]) - 0.5, 0.0) * spacing[axis];
      sum += gap * gap;
    }
    least = std::min(least, std::sqrt(sum));
  };
  if (!inside) {
    std::for_each(set.begin(), set.end(), look);
    return least;
  }
  for (const Cell<Dim>& member : set) { // the nearest of the others is beside one of the set
    for (int axis = 0; axis < Dim; ++axis) {
      for (const Coordinate step : {-1, 1}) {
        Cell<Dim> other = member;
        other.at[axis] += step;
        if (set.count(other) == 0) {
          look(other);
        }
      }
    }
  }
  return -least;
}

/// Expects the right distances in just these cells.
template <int Dim>
void expectDistances(const Values<Dim>& found, const CellList<Dim>& where, const CellList<Dim>& set,
  const double (&spacing)[3], double sign = 1.0) {
  ASSERT_EQ(found.size(), where.size());
  for (const Cell<Dim>& cell : where) {
    ASSERT_EQ(found.count(cell), 1U);
    ASSERT_NEAR(found.at(cell), sign * referenceDistance<Dim>(set, cell, spacing), 1e-12);
  }
}

template <int Dim>
void expectEveryPlace(std::mt19937& random, Coordinate extent) {
  const GridPlacement placement{{0.5, -1.0, 2.0}, {0.25, 0.4, 0.3}, 0};
  const CellList<Dim> set = randomCells<Dim>(random, extent, 0.7);
  const CellList<Dim> around = allCells<Dim>(-2 * extent, 2 * extent);
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<Dim>(set, placement));
  filter->SetWhere(Filter::CELLS_OF_SET);
  filter->Update();
  expectDistances<Dim>(distancesOf<Dim>(filter->GetOutput()), set, set, placement.spacing);
  EXPECT_NE(filter->GetOutput()->GetCellData()->GetArray("number"), nullptr);

  filter->SetWhere(Filter::BAND);
  filter->SetWidth(0.7);
  filter->Update();
  CellList<Dim> band;
  for (const Cell<Dim>& cell : around) {
    if (std::abs(referenceDistance<Dim>(set, cell, placement.spacing)) <= 0.7) {
      band.insert(cell);
    }
  }
  expectDistances<Dim>(distancesOf<Dim>(filter->GetOutput()), band, set, placement.spacing);

  filter->SetWhere(Filter::BOX);
  filter->SetMargin(0.8); // 4, 2 and 3 cells
  filter->Update();
  Box<Dim> box{};
  for (int axis = 0; axis < Dim; ++axis) {
    const auto before = [&](const Cell<Dim>& a, const Cell<Dim>& b) { return a.at[axis] < b.at[axis]; };
    const Coordinate margin[] = {4, 2, 3};
    box.begin[axis] = std::min_element(set.begin(), set.end(), before)->at[axis] - margin[axis];
    box.end[axis] = std::max_element(set.begin(), set.end(), before)->at[axis] + 1 + margin[axis];
  }
  expectDistances<Dim>(distancesOf<Dim>(filter->GetOutput()), allCells<Dim>(box), set, placement.spacing);

  const CellList<Dim> where = randomCells<Dim>(random, extent + 3, 0.2);
  CellList<Dim> shifted;
  for (Cell<Dim> cell : where) {
    cell.at[0] += 6; // its lattice has another origin
    shifted.insert(cell);
  }
  filter->SetInputData(1, gridOfCells<Dim>(where, {{2.0, -1.0, 2.0}, {0.25, 0.4, 0.3}, 0}));
  filter->SetWhere(Filter::CELLS_OF_SECOND_INPUT);
  filter->SetSign(Filter::POSITIVE_INSIDE);
  filter->Update();
  expectDistances<Dim>(distancesOf<Dim>(filter->GetOutput()), shifted, set, placement.spacing, -1.0);
  EXPECT_NE(filter->GetOutput()->GetCellData()->GetArray("number"), nullptr);
}

TEST(SignedDistanceToSet, IsRightInEveryPlace) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  expectEveryPlace<2>(random, 9);
  expectEveryPlace<3>(random, 4);
}

/// The cells whose distance to the first input is in a range.
template <int Dim>
vtkSmartPointer<vtkUnstructuredGrid> cellsWithin(vtkUnstructuredGrid* set, double low, double high, double margin) {
  vtkNew<Filter> filter;
  filter->SetInputData(set);
  filter->SetMargin(margin);
  vtkNew<vtkSpanwiseThresholdToIntervals> kept;
  kept->SetInputConnection(filter->GetOutputPort());
  kept->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, arrayName);
  kept->SetLowerThreshold(low);
  kept->SetUpperThreshold(high);
  kept->Update();
  vtkSmartPointer<vtkUnstructuredGrid> output = kept->GetOutput();
  return output;
}

template <int Dim>
CellList<Dim> morphed(int operation, vtkUnstructuredGrid* set, vtkUnstructuredGrid* element) {
  vtkNew<vtkSpanwiseMorphology> filter;
  filter->SetInputData(0, set);
  filter->SetInputData(1, element);
  filter->SetOperation(operation);
  filter->SetElement(vtkSpanwiseMorphology::CELLS);
  filter->SetElementOrigin(0.1, 0.1, 0.1);
  filter->Update();
  return cellsOf<Dim>(filter->GetOutput());
}

template <int Dim>
CellList<Dim> morphedByBall(int operation, vtkUnstructuredGrid* set, double radius) {
  vtkNew<vtkSpanwiseMorphology> filter;
  filter->SetInputData(set);
  filter->SetOperation(operation);
  filter->SetElement(vtkSpanwiseMorphology::BALL);
  filter->SetRadius(radius);
  filter->Update();
  return cellsOf<Dim>(filter->GetOutput());
}

template <int Dim>
bool isPart(const CellList<Dim>& a, const CellList<Dim>& b) {
  return std::includes(b.begin(), b.end(), a.begin(), a.end());
}

// What is within a distance of a set is the set dilated by what is within it of one cell, and what is deeper the set
// eroded by that. A ball of centres lies between the two such elements whose radii differ by half a cell's edge and
// diagonal.
template <int Dim>
void expectMorphology(std::mt19937& random, Coordinate extent) {
  const auto set = gridOfCells<Dim>(randomCells<Dim>(random, extent, 0.8));
  const auto one = gridOfCells<Dim>({Cell<Dim>{}});
  for (const double t : {0.5, 1.0, 1.6, 2.5}) {
    const CellList<Dim> within = cellsOf<Dim>(cellsWithin<Dim>(set, -infinity, t, t + 1.0));
    const CellList<Dim> deeper = cellsOf<Dim>(cellsWithin<Dim>(set, -infinity, std::nextafter(-t, -infinity), 0.0));
    const auto element = cellsWithin<Dim>(one, -infinity, t, t + 1.0);
    EXPECT_TRUE(within == morphed<Dim>(vtkSpanwiseMorphology::DILATE, set, element)) << t;
    EXPECT_TRUE(deeper == morphed<Dim>(vtkSpanwiseMorphology::ERODE, set, element)) << t;
    const double diagonal = 0.5 * std::sqrt(double(Dim));
    EXPECT_TRUE(isPart<Dim>(morphedByBall<Dim>(vtkSpanwiseMorphology::DILATE, set, t + 0.5), within)) << t;
    EXPECT_TRUE(isPart<Dim>(within, morphedByBall<Dim>(vtkSpanwiseMorphology::DILATE, set, t + diagonal))) << t;
    EXPECT_TRUE(isPart<Dim>(deeper, morphedByBall<Dim>(vtkSpanwiseMorphology::ERODE, set, t + 0.5))) << t;
    EXPECT_TRUE(isPart<Dim>(morphedByBall<Dim>(vtkSpanwiseMorphology::ERODE, set, t + diagonal), deeper)) << t;
  }
}

TEST(SignedDistanceToSet, HasTheDilationsAndErosionsAsThresholds) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  expectMorphology<2>(random, 12);
  expectMorphology<3>(random, 5);
}

// Walls that repeat: halfway between two of them it is half a period, less half a wall.
TEST(SignedDistanceToSet, GoesAroundPeriods) {
  CellList<3> wall;
  for (const Cell<3>& cell : allCells<3>(0, 8)) {
    if (cell.at[2] == 1) {
      wall.insert(cell);
    }
  }
  vtkNew<Filter> filter;
  filter->SetInputData(gridOfCells<3>(wall, {{0, 0, 0}, {1.0, 1.0, 0.5}, 0}));
  filter->SetPeriodicX(true);
  filter->SetPeriodicY(true);
  filter->SetPeriodicZ(true);
  filter->SetPeriodBox(Filter::GIVEN_BOUNDS);
  filter->SetPeriodBounds(0.0, 8.0, 0.0, 8.0, 0.0, 4.0);
  filter->SetWidth(1.2);
  for (const int where : {Filter::BOX, Filter::BAND}) {
    filter->SetWhere(where);
    filter->Update();
    const auto found = distancesOf<3>(filter->GetOutput());
    EXPECT_EQ(found.size(), where == Filter::BOX ? 512U : 5U * 64U);
    const double expected[] = {0.25, -0.25, 0.25, 0.75, 1.25, 1.75, 1.25, 0.75};
    for (const auto& [cell, distance] : found) {
      EXPECT_DOUBLE_EQ(distance, expected[cell.at[2]]) << cell.at[2];
    }
  }
  filter->SetWhere(Filter::CELLS_OF_SET); // all of the period in x and y
  filter->Update();
  EXPECT_DOUBLE_EQ(distancesOf<3>(filter->GetOutput()).begin()->second, -0.25);
  filter->SetPeriodBox(Filter::BOX_OF_INPUT); // there is nothing but the set
  filter->Update();
  EXPECT_EQ(distancesOf<3>(filter->GetOutput()).begin()->second, -infinity);
  filter->SetWhere(Filter::BAND);
  expectNothing(filter);
}

TEST(SignedDistanceToSet, TakesImagesAndSigns) {
  vtkNew<vtkImageData> image;
  image->SetExtent(0, 3, 0, 3, 0, 3);
  image->SetSpacing(2.0, 2.0, 2.0);
  vtkNew<Filter> filter;
  filter->SetInputData(image);
  filter->SetMargin(0.0);
  filter->SetSign(Filter::UNSIGNED);
  filter->Update();
  const auto unsignedValues = distancesOf<3>(filter->GetOutput());
  EXPECT_EQ(unsignedValues.size(), 27U);
  EXPECT_EQ(unsignedValues.at({{1, 1, 1}}), 3.0);
  filter->SetSign(Filter::POSITIVE_INSIDE);
  filter->SetResultArrayName("depth");
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetCellData()->GetArray("depth")->GetComponent(13, 0), 3.0);
}

TEST(SignedDistanceToSet, PiecesMakeTheWhole) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  vtkNew<Filter> filter;
  filter->SetInputData(0, gridOfCells<3>(randomCells<3>(random, 8, 0.8)));
  filter->SetInputData(1, gridOfCells<3>(randomCells<3>(random, 9, 0.5)));
  for (int where = Filter::CELLS_OF_SET; where <= Filter::CELLS_OF_SECOND_INPUT; ++where) {
    filter->SetWhere(where);
    expectPiecesMakeTheWhole(filter, arrayName, 3, 0.1);
  }
}

TEST(SignedDistanceToSet, OfNothingIsNothingOrInfinite) {
  vtkNew<vtkUnstructuredGrid> nothing;
  vtkNew<Filter> filter;
  filter->SetInputData(0, nothing);
  for (const int where : {Filter::CELLS_OF_SET, Filter::BAND, Filter::BOX}) {
    filter->SetWhere(where);
    expectNothing(filter);
  }
  filter->SetWhere(Filter::CELLS_OF_SECOND_INPUT);
  filter->SetInputData(1, gridOfCells<3>({{{1, 2, 3}}, {{4, 2, 3}}}));
  filter->Update();
  EXPECT_EQ(distancesOf<3>(filter->GetOutput()), (Values<3>{{{{1, 2, 3}}, infinity}, {{{4, 2, 3}}, infinity}}));
  filter->SetInputData(0, gridOfCells<2>({{{1, 2}}}));
  filter->SetInputData(1, nothing);
  expectNothing(filter);
}

TEST(SignedDistanceToSet, SaysWhatIsWrong) {
  vtkNew<Filter> filter;
  filter->SetInputData(0, gridOfCells<3>({{{0, 0, 0}}, {{99, 99, 99}}}));
  filter->SetWhere(4);
  expectOneError(filter, "it must be within 0 and 3");
  filter->SetWhere(Filter::CELLS_OF_SECOND_INPUT);
  expectOneError(filter, "there is none");
  filter->SetInputData(1, gridOfCells<2>({{{0, 0}}}));
  expectOneError(filter, "the set is 3D and the second input (Cells Input) 2D");
  filter->SetInputData(1, gridOfCells<3>({{{0, 0, 0}}}, {{0, 0, 0}, {2.0, 1.0, 1.0}, 0}));
  expectOneError(filter, "second input (Cells Input): the spacings");
  filter->SetWhere(Filter::BAND);
  filter->SetWidth(-1.0);
  expectOneError(filter, "the width of the band is -1");
  filter->SetWidth(1.0);
  filter->SetMargin(std::numeric_limits<double>::quiet_NaN());
  expectOneError(filter, "the margin of the box is nan");
  filter->SetMargin(0.0);
  filter->SetWhere(Filter::BOX);
  filter->SetMemoryLimit(7); // 100^3 cells of 8 bytes
  expectOneError(filter, "take 8 MiB, and the limit is 7");
  filter->SetWhere(Filter::CELLS_OF_SET);
  expectOneError(filter, "and the limit is 7");
  filter->SetMemoryLimit(100);
  filter->SetResultArrayName("");
  expectOneError(filter, "no name");
  filter->SetResultArrayName("distance");
  filter->SetPeriodicX(true);
  filter->SetPeriodBox(Filter::GIVEN_BOUNDS);
  expectOneError(filter, "period");
  filter->SetPeriodicX(false);
  Messages messages;
  filter->Update();
  EXPECT_TRUE(messages.all().empty());
  EXPECT_EQ(filter->GetOutput()->GetNumberOfCells(), 2);
}

} // namespace
} // namespace spanwise::testing
