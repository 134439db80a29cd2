// The analytic cell locator against vtkStaticCellLocator on the exploded grid, and against brute force.

#include "vtkSpanwiseCellLocator.h"

#include "Testing/Dimensions.hpp"
#include "Testing/Filters/DataModel/Twin.h"
#include "Testing/Rooms.hpp"

#include <vtkBoundingBox.h>
#include <vtkBox.h>
#include <vtkCellArray.h>
#include <vtkGenericCell.h>
#include <vtkPlane.h>
#include <vtkPoints.h>
#include <vtkStaticCellLocator.h>

#include <set>

namespace spanwise::testing {
namespace {

template <class D>
class Locator : public ::testing::Test {
protected:
  static constexpr int Dim = D::value;
  Twin<Dim> twin = makeTwin<Dim>(Dim == 2 ? 14 : 6, 0.4);
  vtkNew<vtkUnstructuredGrid> exploded;
  vtkNew<vtkStaticCellLocator> stock;
  vtkAbstractCellLocator* ours = nullptr;
  std::mt19937 random{seed()};
  vtkNew<vtkGenericCell> cell;

  void SetUp() override {
    SCOPED_TRACE("seed " + std::to_string(seed()));
    explode(twin.ours, exploded);
    stock->SetDataSet(exploded);
    stock->BuildLocator();
    ours = twin.ours->GetCellLocator();
    ours->BuildLocator();
  }

  // In and around the grid; in the plane in 2D.
  std::array<double, 3> somewhere(double reach = 1.3) {
    double bounds[6];
    twin.grid->bounds(bounds);
    std::array<double, 3> x{};
    for (int d = 0; d < 3; ++d) {
      const double middle = 0.5 * (bounds[2 * d] + bounds[2 * d + 1]);
      const double half = 0.5 * reach * (bounds[2 * d + 1] - bounds[2 * d]);
      x[static_cast<std::size_t>(d)] = middle + std::uniform_real_distribution<double>(-1.0, 1.0)(random) * half;
    }
    return x;
  }
};
TYPED_TEST_SUITE(Locator, Dimensions, DimensionNames);

TYPED_TEST(Locator, PassesForTheAbstractClass) {
  EXPECT_STREQ(this->ours->GetClassName(), "vtkAbstractCellLocator");
  EXPECT_NE(vtkSpanwiseCellLocator::SafeDownCast(this->ours), nullptr);
  EXPECT_EQ(vtkSpanwiseCellLocator::SafeDownCast(this->stock.Get()), nullptr);
}

TYPED_TEST(Locator, FindsTheCellsThatStockFinds) {
  for (int k = 0; k < 3000; ++k) {
    auto x = this->somewhere();
    int subId = 0;
    double ofOurs[3];
    double ofStock[3];
    double weightsOfOurs[8];
    double weightsOfStock[8];
    const vtkIdType c = this->ours->FindCell(x.data(), 0.0, this->cell, subId, ofOurs, weightsOfOurs);
    ASSERT_EQ(c, this->stock->FindCell(x.data(), 0.0, this->cell, subId, ofStock, weightsOfStock));
    for (int d = 0; c >= 0 && d < 3; ++d) {
      EXPECT_NEAR(ofOurs[d], ofStock[d], 1e-9);
    }
    for (int w = 0; c >= 0 && w < IntervalGrid<TypeParam::value>::nodesPerCell; ++w) {
      EXPECT_NEAR(weightsOfOurs[w], weightsOfStock[w], 1e-9);
    }
  }
}

// On faces, edges and corners there is a choice; what is found contains the point, and something is found.
TYPED_TEST(Locator, FindsACellOnFacesEdgesAndCorners) {
  constexpr int Dim = TypeParam::value;
  std::uniform_int_distribution<std::int64_t> anyNode(0, this->twin.grid->numNodes() - 1);
  std::uniform_real_distribution<double> part(0.0, 1.0);
  for (int k = 0; k < 3000; ++k) {
    double x[3];
    this->twin.ours->GetPoint(anyNode(this->random), x);
    const int moved = k % (1 << Dim); // along some axes off the node
    for (int d = 0; d < Dim; ++d) {
      x[d] += ((moved >> d) & 1) != 0 ? part(this->random) * twinPlacement.spacing[d] : 0.0;
    }
    int subId = 0;
    double pcoords[3];
    double weights[8];
    const vtkIdType c = this->ours->FindCell(x, 0.0, this->cell, subId, pcoords, weights);
    const vtkIdType byStock = this->stock->FindCell(x, 1e-12, this->cell, subId, pcoords, weights);
    ASSERT_EQ(c < 0, byStock < 0);
    if (c >= 0) {
      vtkBoundingBox box;
      double bounds[6];
      this->exploded->GetCellBounds(c, bounds);
      box.SetBounds(bounds);
      box.Inflate(1e-9);
      EXPECT_TRUE(box.ContainsPoint(x));
    }
  }
}

TYPED_TEST(Locator, FindsTheClosestPoint) {
  for (int k = 0; k < 1000; ++k) {
    auto x = this->somewhere(3.0);
    if (k % 2 == 0) {
      x[2] += 0.4; // off the plane in 2D
    }
    double closestOfOurs[3];
    double closestOfStock[3];
    vtkIdType c = -1;
    vtkIdType byStock = -1;
    int subId = 0;
    double ofOurs = -1.0;
    double ofStock = -2.0;
    this->ours->FindClosestPoint(x.data(), closestOfOurs, this->cell, c, subId, ofOurs);
    this->stock->FindClosestPoint(x.data(), closestOfStock, this->cell, byStock, subId, ofStock);
    ASSERT_GE(c, 0);
    EXPECT_NEAR(ofOurs, ofStock, 1e-9);
    for (int d = 0; d < 3; ++d) {
      EXPECT_NEAR(closestOfOurs[d], closestOfStock[d], 1e-6);
    }
    double bounds[6];
    this->exploded->GetCellBounds(c, bounds);
    vtkBoundingBox box(bounds);
    box.Inflate(1e-9);
    EXPECT_TRUE(box.ContainsPoint(closestOfOurs));
  }
}

TYPED_TEST(Locator, FindsNothingBeyondTheRadius) {
  for (int k = 0; k < 300; ++k) {
    auto x = this->somewhere(3.0);
    double closest[3];
    vtkIdType c = -1;
    int subId = 0;
    int inside = 0;
    double distance2 = 0.0;
    this->ours->FindClosestPoint(x.data(), closest, this->cell, c, subId, distance2);
    const double distance = std::sqrt(distance2);
    EXPECT_EQ(this->ours->FindClosestPointWithinRadius(
                x.data(), distance * 1.001, closest, this->cell, c, subId, distance2, inside),
      1);
    EXPECT_EQ(inside, distance == 0.0 ? 1 : 0);
    if (distance > 0.0) {
      EXPECT_EQ(this->ours->FindClosestPointWithinRadius(
                  x.data(), distance * 0.999, closest, this->cell, c, subId, distance2, inside),
        0);
    }
  }
}

// VTK's cells, one by one: vtkStaticCellLocator and vtkCellLocator miss the first face of one line in a hundred or so,
// as they stop at the first bucket whose cells are hit, wherever the hit is.
TYPED_TEST(Locator, MeetsTheFirstFaceOfAllCells) {
  constexpr int Dim = TypeParam::value;
  int hits = 0;
  for (int k = 0; k < 400; ++k) {
    auto a = this->somewhere(2.0);
    auto b = this->somewhere(2.0);
    if (Dim == 2) { // across the plane
      a[2] -= 0.7;
      b[2] += 0.3;
    }
    double x[3];
    double pcoords[3];
    int subId = 0;
    double expected = 2.0;
    for (vtkIdType c = 0; c < this->exploded->GetNumberOfCells(); ++c) {
      this->exploded->GetCell(c, this->cell);
      double tOfCell = 0.0;
      if (this->cell->IntersectWithLine(a.data(), b.data(), 0.0, tOfCell, x, pcoords, subId) != 0) {
        expected = std::min(expected, tOfCell);
      }
    }
    double t = 2.0;
    vtkIdType c = -1;
    const int hit = this->ours->IntersectWithLine(a.data(), b.data(), 0.0, t, x, pcoords, subId, c, this->cell);
    ASSERT_EQ(hit, expected <= 1.0 ? 1 : 0);
    if (hit != 0) {
      ++hits;
      EXPECT_NEAR(t, expected, 1e-6);
      for (std::size_t d = 0; d < 3; ++d) {
        EXPECT_NEAR(x[d], a[d] + t * (b[d] - a[d]), 1e-9);
      }
      double distance2 = 0.0;
      double weights[8];
      EXPECT_EQ(this->cell->EvaluatePosition(x, nullptr, subId, pcoords, distance2, weights), 1);
    }
  }
  EXPECT_GT(hits, 50);
}

// All cells along a line: those whose boxes it meets, in the order in which it meets them.
TYPED_TEST(Locator, WalksThroughTheCellsOnALine) {
  for (int k = 0; k < 300; ++k) {
    auto a = this->somewhere(2.0);
    auto b = this->somewhere(2.0);
    if (k % 3 == 0) {
      b[1] = a[1]; // along x, or in a plane of constant y
    }
    std::set<vtkIdType> expected;
    for (vtkIdType c = 0; c < this->exploded->GetNumberOfCells(); ++c) {
      double bounds[6];
      this->exploded->GetCellBounds(c, bounds);
      double t1 = 0.0;
      double t2 = 0.0;
      double x1[3];
      double x2[3];
      int plane1 = 0;
      int plane2 = 0;
      if (vtkBox::IntersectWithLine(bounds, a.data(), b.data(), t1, t2, x1, x2, plane1, plane2) != 0) {
        expected.insert(c);
      }
    }
    vtkNew<vtkIdList> cells;
    vtkNew<vtkPoints> points;
    this->ours->IntersectWithLine(a.data(), b.data(), 0.0, points, cells, nullptr);
    EXPECT_EQ(std::set<vtkIdType>(cells->begin(), cells->end()), expected);
    EXPECT_EQ(static_cast<std::size_t>(cells->GetNumberOfIds()), expected.size());
    ASSERT_EQ(points->GetNumberOfPoints(), cells->GetNumberOfIds());
    double last = -1.0;
    for (vtkIdType p = 0; p < points->GetNumberOfPoints(); ++p) {
      double x[3];
      points->GetPoint(p, x);
      const double distance = std::hypot(x[0] - a[0], x[1] - a[1], x[2] - a[2]);
      EXPECT_GE(distance, last - 1e-9);
      last = distance;
    }
    vtkNew<vtkIdList> along;
    this->ours->FindCellsAlongLine(a.data(), b.data(), 0.0, along);
    EXPECT_TRUE(std::equal(along->begin(), along->end(), cells->begin(), cells->end()));
  }
}

TYPED_TEST(Locator, FindsTheCellsInABox) {
  for (int k = 0; k < 300; ++k) {
    const auto a = this->somewhere(1.5);
    const auto b = this->somewhere(1.5);
    double box[6];
    for (std::size_t d = 0; d < 3; ++d) {
      box[2 * d] = std::min(a[d], b[d]);
      box[2 * d + 1] = std::max(a[d], b[d]);
    }
    std::vector<vtkIdType> expected;
    for (vtkIdType c = 0; c < this->exploded->GetNumberOfCells(); ++c) {
      double bounds[6];
      this->exploded->GetCellBounds(c, bounds);
      if (vtkBoundingBox(bounds).Intersects(vtkBoundingBox(box)) != 0) {
        expected.push_back(c);
      }
    }
    vtkNew<vtkIdList> cells;
    this->ours->FindCellsWithinBounds(box, cells);
    EXPECT_EQ(std::vector<vtkIdType>(cells->begin(), cells->end()), expected);
  }
}

TYPED_TEST(Locator, FindsTheCellsOnAPlane) {
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (int k = 0; k < 100; ++k) {
    auto origin = this->somewhere();
    double normal[3] = {any(this->random), any(this->random), any(this->random)};
    if (k % 5 == 0) {
      normal[k % 2] = 0.0;
    }
    std::vector<vtkIdType> expected;
    for (vtkIdType c = 0; c < this->exploded->GetNumberOfCells(); ++c) {
      double bounds[6];
      this->exploded->GetCellBounds(c, bounds);
      if (vtkBox::IntersectWithPlane(bounds, origin.data(), normal) != 0) {
        expected.push_back(c);
      }
    }
    vtkNew<vtkIdList> cells;
    this->ours->FindCellsAlongPlane(origin.data(), normal, 0.0, cells);
    EXPECT_EQ(std::vector<vtkIdType>(cells->begin(), cells->end()), expected);
  }
}

TYPED_TEST(Locator, GoesOnWithOtherPoints) {
  vtkUnstructuredGrid* grid = this->twin.ours;
  vtkNew<vtkPoints> moved;
  moved->SetDataType(VTK_DOUBLE);
  moved->DeepCopy(grid->GetPoints());
  for (vtkIdType p = 0; p < moved->GetNumberOfPoints(); ++p) {
    double x[3];
    moved->GetPoint(p, x);
    moved->SetPoint(p, x[0] + 100.0, x[1], x[2]);
  }
  grid->SetPoints(moved);
  double bounds[6];
  this->exploded->GetCellBounds(5, bounds);
  double x[3] = {0.5 * (bounds[0] + bounds[1]) + 100.0, 0.5 * (bounds[2] + bounds[3]), 0.5 * (bounds[4] + bounds[5])};
  EXPECT_EQ(this->ours->FindCell(x), 5);
}

TYPED_TEST(Locator, AGridAndItsLocatorGoTogether) {
  constexpr int Dim = TypeParam::value;
  auto grid = IntervalGrid<Dim>::make(toHostSet<Dim>(holedBall<Dim>(5, 0.2)), twinPlacement);
  const std::weak_ptr<const IntervalGrid<Dim>> watched = grid;
  {
    vtkNew<vtkUnstructuredGrid> data;
    setGrid<Dim>(data, grid);
    data->GetCellLocator()->BuildLocator();
    grid.reset();
    EXPECT_FALSE(watched.expired());
  }
  EXPECT_TRUE(watched.expired());
}

// Two cells 4 billion cells apart: no walk over what is between.
TEST(LocatorFarApart, QueriesDoNotDependOnDistance) {
  const auto grid = IntervalGrid<3>::make(
    toHostSet<3>({{{minCoordinate, 0, 0}}, {{maxRowKey, maxRowKey, maxRowKey}}}), GridPlacement{});
  vtkNew<vtkUnstructuredGrid> data;
  setGrid<3>(data, grid);
  vtkAbstractCellLocator* locator = data->GetCellLocator();
  const double a[3] = {-2147483648.0, 0.5, 0.5};
  const double b[3] = {2147483646.5, 2147483646.5, 2147483646.5};
  vtkNew<vtkIdList> cells;
  locator->FindCellsAlongLine(a, b, 0.0, cells);
  EXPECT_EQ(cells->GetNumberOfIds(), 2);
  double everything[6] = {-1e300, 1e300, -1e300, 1e300, -1e300, 1e300};
  locator->FindCellsWithinBounds(everything, cells);
  EXPECT_EQ(cells->GetNumberOfIds(), 2);
  double closest[3];
  vtkIdType c = -1;
  int subId = 0;
  double distance2 = 0.0;
  locator->FindClosestPoint(b, closest, c, subId, distance2);
  EXPECT_EQ(c, 1);
  EXPECT_EQ(distance2, 0.0);
}

} // namespace
} // namespace spanwise::testing
