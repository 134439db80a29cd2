// Contours are those of the whole mesh without hanging nodes, which TestLevelsToUnstructuredGrid.cpp shows to be
// without cracks.

#include "Testing/Filters/Multilevel/Levels.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseContourLevels.h"
#include "vtkSpanwiseLevelsToUnstructuredGrid.h"

#include <vtkCellData.h>
#include <vtkContourFilter.h>
#include <vtkIntArray.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace spanwise::testing {
namespace {

template <class T>
struct ContourLevels : public RandomTest<T> {};
TYPED_TEST_SUITE(ContourLevels, Dimensions);

using Filter = vtkSpanwiseContourLevels;

/// Leaves with the arrays "place", "level" and "random", of which some values are no numbers.
template <int Dim>
Hierarchy<Dim> withRandomValues(std::mt19937& random, const Leaves<Dim>& leaves, double nan) {
  Hierarchy<Dim> hierarchy = hierarchyOf<Dim>(leaves);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  std::bernoulli_distribution isNan(nan);
  for (RankCells<Dim>& level : hierarchy.leaves) {
    vtkNew<vtkDoubleArray> values;
    values->SetName("random");
    for (std::int64_t c = 0; c < level.set.numCells(); ++c) {
      const double number = std::round(16.0 * value(random)) / 16.0; // contours pass through many leaves' values
      values->InsertNextValue(isNan(random) ? std::nan("") : number);
    }
    level.values->AddArray(values);
  }
  return hierarchy;
}

/// The middle of a polygon's points, the mean of their values, and the value of the cell.
using Polygon = std::array<double, 5>;
using Polygons = std::vector<Polygon>;

Polygons polygonsOf(vtkPolyData* contours) {
  Polygons polygons;
  vtkDataArray* const values = contours->GetPointData()->GetArray("place");
  vtkDataArray* const levels = contours->GetCellData()->GetArray("level");
  for (vtkIdType c = 0; c < contours->GetNumberOfCells(); ++c) {
    vtkIdList* const points = contours->GetCell(c)->GetPointIds();
    Polygon polygon{0.0, 0.0, 0.0, 0.0, levels->GetComponent(c, 0)};
    for (vtkIdType k = 0; k < points->GetNumberOfIds(); ++k) {
      const double* const place = contours->GetPoint(points->GetId(k));
      const double all[] = {place[0], place[1], place[2], values->GetComponent(points->GetId(k), 0)};
      for (std::size_t n = 0; n < 4; ++n) {
        polygon[n] += all[n] / static_cast<double>(points->GetNumberOfIds());
      }
    }
    if (std::isfinite(polygon[0] + polygon[1] + polygon[2])) { // what lies beside values that are no numbers does not
      polygons.push_back(polygon);
    }
  }
  return polygons;
}

/// Expects the same polygons, but for what interpolation along an edge from the one or the other end rounds: VTK has
/// its weights in float.
void expectSame(const Polygons& found, const Polygons& expected) {
  ASSERT_EQ(found.size(), expected.size());
  constexpr double bucket = 1.0 / 64.0;
  const auto bucketOf = [](const Polygon& polygon, int n, int shift) {
    return static_cast<long long>(std::floor(polygon[static_cast<std::size_t>(n)] / bucket)) + shift;
  };
  std::multimap<std::array<long long, 3>, Polygon> left;
  for (const Polygon& polygon : expected) {
    left.insert({{bucketOf(polygon, 0, 0), bucketOf(polygon, 1, 0), bucketOf(polygon, 2, 0)}, polygon});
  }
  constexpr double rounding = 4.0 * std::numeric_limits<float>::epsilon(); // of an edge, no longer than a cell: 2
  const auto isSame = [&](const Polygon& a, const Polygon& b) {
    bool same = a[4] == b[4];
    for (std::size_t n = 0; n < 4; ++n) {
      same = same && std::abs(a[n] - b[n]) <= (n < 3 ? 2.0 : 20400.0) * rounding;
    }
    return same;
  };
  for (const Polygon& polygon : found) {
    bool isFound = false;
    for (int k = 0; k < 27 && !isFound; ++k) {
      const auto [begin, end] = left.equal_range(
        {bucketOf(polygon, 0, k % 3 - 1), bucketOf(polygon, 1, k / 3 % 3 - 1), bucketOf(polygon, 2, k / 9 - 1)});
      const auto at = std::find_if(begin, end, [&](const auto& other) { return isSame(polygon, other.second); });
      isFound = at != end;
      if (isFound) {
        left.erase(at);
      }
    }
    ASSERT_TRUE(isFound) << "at " << polygon[0] << " " << polygon[1] << " " << polygon[2];
  }
}

Polygons ofWholeMesh(vtkDataObject* levels, const char* array, const std::vector<double>& values) {
  vtkNew<vtkSpanwiseLevelsToUnstructuredGrid> mesh;
  mesh->SetInputDataObject(levels);
  vtkNew<vtkContourFilter> contours;
  contours->SetInputConnection(mesh->GetOutputPort());
  contours->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, array);
  contours->ComputeNormalsOff();
  for (std::size_t k = 0; k < values.size(); ++k) {
    contours->SetValue(static_cast<int>(k), values[k]);
  }
  contours->Update();
  return polygonsOf(contours->GetOutput());
}

vtkNew<Filter> filterOf(vtkDataObject* levels, const char* array, const std::vector<double>& values) {
  vtkNew<Filter> filter;
  filter->SetInputDataObject(levels);
  filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, array);
  for (std::size_t k = 0; k < values.size(); ++k) {
    filter->SetValue(static_cast<int>(k), values[k]);
  }
  return filter;
}

vtkPolyData* contoursOf(Filter* filter) {
  filter->Update();
  return vtkPolyData::SafeDownCast(filter->GetOutputDataObject(0));
}

TYPED_TEST(ContourLevels, AreThoseOfTheWholeMesh) {
  constexpr int Dim = TypeParam::value;
  std::size_t count = 0;
  for (int round = 0; round < (Dim == 2 ? 40 : 9); ++round) {
    RandomLevels how;
    how.extent = Dim == 2 ? 3 : 2;
    how.levels = 2 + round % (Dim == 2 ? 5 : 3);
    how.hole = round % 2 == 0 ? 0.0 : 0.2;
    const auto leaves = randomLeaves<Dim>(this->random, how);
    const auto levels = levelsOf<Dim>(withRandomValues<Dim>(this->random, leaves, round % 3 == 0 ? 0.02 : 0.0));
    for (const std::vector<double>& values : {std::vector{0.0}, std::vector{-0.125, 0.3}, std::vector{5.0}}) {
      const Polygons found = polygonsOf(contoursOf(filterOf(levels, "random", values)));
      ASSERT_NO_FATAL_FAILURE(expectSame(found, ofWholeMesh(levels, "random", values))) << "round " << round;
      count += found.size();
    }
    // a plane, which passes few leaves
    const std::vector<double> plane{valueAt({-0.9, 2.1, 0.7})};
    expectSame(polygonsOf(contoursOf(filterOf(levels, "place", plane))), ofWholeMesh(levels, "place", plane));
  }
  EXPECT_GT(count, 3000U);
}

TYPED_TEST(ContourLevels, PiecesAreTheWholeTogether) {
  constexpr int Dim = TypeParam::value;
  const auto leaves = randomLeaves<Dim>(this->random);
  const auto filter = filterOf(levelsOf<Dim>(withRandomValues<Dim>(this->random, leaves, 0.0)), "random", {0.1});
  const Polygons whole = polygonsOf(contoursOf(filter));
  Polygons together;
  for (int piece = 0; piece < 3; ++piece) {
    filter->UpdatePiece(piece, 3, 0);
    const Polygons part = polygonsOf(vtkPolyData::SafeDownCast(filter->GetOutputDataObject(0)));
    together.insert(together.end(), part.begin(), part.end());
  }
  expectSame(together, whole);
}

TEST(ContourLevelsInput, ColoursAreLeftToPeople) {
  const auto hierarchy = hierarchyOf<2>({{{{0, 0}}, {{1, 0}}}});
  hierarchy.leaves[0].values->SetActiveScalars("place");
  const auto filter = filterOf(levelsOf<2>(hierarchy), "place", {valueAt({-0.5, 2.125, 0.5})});
  vtkPolyData* const contours = contoursOf(filter);
  EXPECT_EQ(contours->GetNumberOfCells(), 1);
  EXPECT_EQ(contours->GetPointData()->GetScalars(), nullptr);
  EXPECT_EQ(contours->GetCellData()->GetScalars(), nullptr);
}

TEST(ContourLevelsInput, NothingToContourIsNothing) {
  const auto levels = levelsOf<2>(hierarchyOf<2>({{{{0, 0}}, {{1, 0}}}}));
  EXPECT_EQ(contoursOf(filterOf(levels, "place", {}))->GetNumberOfCells(), 0);
  EXPECT_EQ(contoursOf(filterOf(levelsOf<2>(hierarchyOf<2>({{}})), "place", {0.0}))->GetNumberOfCells(), 0);
}

TEST(ContourLevelsInput, ValuesAreKept) {
  vtkNew<Filter> filter;
  filter->SetValue(1, 0.5);
  EXPECT_EQ(filter->GetNumberOfContours(), 2);
  EXPECT_EQ(filter->GetValue(0), 0.0);
  EXPECT_EQ(filter->GetValue(1), 0.5);
  EXPECT_EQ(filter->GetValue(2), 0.0);
  filter->SetValue(-1, 1.0);
  filter->SetNumberOfContours(-1);
  EXPECT_EQ(filter->GetNumberOfContours(), 0);
}

TEST(ContourLevelsInput, BadInputIsOneError) {
  const auto hierarchy = hierarchyOf<2>({{{{0, 0}}, {{1, 0}}}});
  vtkNew<vtkDoubleArray> vectors;
  vectors->SetName("vectors");
  vectors->SetNumberOfComponents(3);
  vectors->SetNumberOfTuples(2);
  vectors->FillValue(0.0);
  hierarchy.leaves[0].values->AddArray(vectors);
  const auto levels = levelsOf<2>(hierarchy);
  const auto expectError = [&](const char* array, double value, const std::string& text) {
    expectOneError(filterOf(levels, array, {value}), text.c_str());
  };
  expectError("absent", 0.0, "the input has no cell array 'absent' to contour");
  expectError("", 0.0, "no cell array was chosen to contour");
  expectError("vectors", 0.0, "the array 'vectors' has 3 components; contours are of arrays with one");
  expectError("place", std::numeric_limits<double>::infinity(), "a contour's value is inf; it must be finite");
}

} // namespace
} // namespace spanwise::testing
