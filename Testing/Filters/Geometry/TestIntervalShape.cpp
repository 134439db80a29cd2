#include "Testing/Filters/Geometry/Pipelines.hpp"

#include "Testing/Rooms.hpp"
#include "vtkSpanwiseIntervalShape.h"

#include <vtkImplicitBoolean.h>
#include <vtkMath.h>
#include <vtkPlane.h>
#include <vtkQuadric.h>
#include <vtkSphere.h>
#include <vtkTransform.h>

#include <limits>

namespace spanwise::testing {
namespace {

using Shape = vtkSpanwiseIntervalShape;

/// The cells near 0 whose centres, on a lattice, fulfil a test.
template <int Dim, class Test>
CellList<Dim> cellsWhere(int extent, const double origin[3], const double spacing[3], const Test& test) {
  CellList<Dim> cells;
  for (int z = Dim == 3 ? -extent : 0; z < (Dim == 3 ? extent : 1); ++z) {
    for (int y = -extent; y < extent; ++y) {
      for (int x = -extent; x < extent; ++x) {
        const double centre[3] = {origin[0] + (x + 0.5) * spacing[0], origin[1] + (y + 0.5) * spacing[1],
          Dim == 3 ? origin[2] + (z + 0.5) * spacing[2] : origin[2]};
        if (test(centre)) {
          if constexpr (Dim == 2) {
            cells.insert({{x, y}});
          } else {
            cells.insert({{x, y, z}});
          }
        }
      }
    }
  }
  return cells;
}

vtkNew<Shape> shapeOnLattice(int dimension, int kind, double spacing) {
  vtkNew<Shape> shape;
  shape->SetDimension(dimension);
  shape->SetShape(kind);
  shape->SetSpacing(spacing, spacing, spacing);
  return shape;
}

template <int Dim>
void expectBall(const double spacing[3]) {
  const double origin[3] = {0.3, -0.2, Dim == 3 ? 0.1 : 0.4};
  vtkNew<Shape> shape;
  shape->SetDimension(Dim);
  shape->SetShape(Shape::BALL);
  shape->SetSpacing(spacing);
  shape->SetOrigin(origin);
  shape->SetCenter(0.05, 0.1, 0.4);
  shape->SetRadius(1.7);
  shape->Update();
  const auto inside = [&](const double* c) { return std::hypot(c[0] - 0.05, c[1] - 0.1, c[2] - 0.4) <= 1.7; };
  EXPECT_TRUE(cellsOf<Dim>(shape->GetOutput()) == cellsWhere<Dim>(30, origin, spacing, inside));
}

TEST(IntervalShape, ABallHasTheCellsWhoseCentresAreWithinItsRadius) {
  const double cubes[3] = {0.11, 0.11, 0.11};
  const double boxes[3] = {0.11, 0.2, 0.3};
  expectBall<2>(cubes);
  expectBall<3>(cubes);
  expectBall<2>(boxes);
  expectBall<3>(boxes);
}

TEST(IntervalShape, ByDefaultItIsTheUnitBallWith64CellsAcross) {
  vtkNew<Shape> shape;
  shape->Update();
  const auto grid = carriedGrid<3>(shape->GetOutput());
  EXPECT_EQ(grid->box(), (Box<3>{{0, 0, 0}, {64, 64, 64}}));
  EXPECT_DOUBLE_EQ(grid->placement().origin[2], -0.5);
  EXPECT_DOUBLE_EQ(grid->placement().spacing[1], 1.0 / 64);
  EXPECT_NEAR(static_cast<double>(grid->set().numCells()), vtkMath::Pi() / 6 * 64 * 64 * 64, 600.0);
}

TEST(IntervalShape, AShapeOfAnySizeHasAsManyCellsAlongItsLongestSide) {
  for (const double size : {1e-6, 1.0, 1e9}) {
    for (const int dimension : {2, 3}) {
      vtkNew<Shape> shape;
      shape->SetDimension(dimension);
      shape->SetShape(Shape::BOX);
      shape->SetCorner(3.0 * size, -size, 0.5 * size);
      shape->SetLengths(0.5 * size, size, dimension == 2 ? 7.0 * size : 0.25 * size);
      shape->SetResolution(20);
      shape->Update();
      EXPECT_EQ(shape->GetOutput()->GetNumberOfCells(), 10 * 20 * (dimension == 2 ? 1 : 5));
      double bounds[6];
      shape->GetOutput()->GetBounds(bounds);
      EXPECT_NEAR(bounds[0], 3.0 * size, 1e-12 * size);
      EXPECT_NEAR(bounds[3], 0.0, 1e-12 * size);
    }
  }
}

TEST(IntervalShape, AGivenSpacingGoesBeforeTheResolution) {
  vtkNew<Shape> shape;
  shape->SetResolution(1000);
  shape->SetSpacing(0.25, 0.25, 0.25);
  shape->SetOrigin(10.0, 0.0, 0.0);
  shape->SetShape(Shape::BOX);
  shape->Update();
  EXPECT_EQ(carriedGrid<3>(shape->GetOutput())->box(), (Box<3>{{-42, -2, -2}, {-38, 2, 2}}));
  shape->SetSpacing(0.0, 0.0, 0.0);
  shape->SetResolution(10);
  shape->Update();
  EXPECT_EQ(carriedGrid<3>(shape->GetOutput())->box(), (Box<3>{{0, 0, 0}, {10, 10, 10}}));
}

TEST(IntervalShape, BoxesSideBySideShareNoCellAndLeaveNoGap) {
  std::set<Cell<2>> all;
  std::size_t sum = 0;
  const double ends[] = {-1.25, -0.1875, 0.125, 0.4375, 1.25}; // some of them on centres of cells
  for (int k = 0; k < 4; ++k) {
    auto shape = shapeOnLattice(2, Shape::BOX, 0.125);
    shape->SetCorner(ends[k], -0.5, 0.0);
    shape->SetLengths(ends[k + 1] - ends[k], 1.0, 0.0);
    shape->Update();
    const auto cells = cellsOf<2>(shape->GetOutput());
    sum += cells.size();
    all.insert(cells.begin(), cells.end());
  }
  EXPECT_EQ(all.size(), 20U * 8U);
  EXPECT_EQ(sum, 20U * 8U);
}

TEST(IntervalShape, ABoxHasTheCellsWhoseCentresLieInIt) {
  auto shape = shapeOnLattice(3, Shape::BOX, 0.5);
  shape->SetCorner(-1.3, 0.0, 0.25);
  shape->SetLengths(2.0, 0.3, 1.0);
  shape->Update();
  const double origin[3] = {0.0, 0.0, 0.0};
  const double spacing[3] = {0.5, 0.5, 0.5};
  const auto inside = [](const double* c) {
    return c[0] >= -1.3 && c[0] < 0.7 && c[1] >= 0.0 && c[1] < 0.3 && c[2] >= 0.25 && c[2] < 1.25;
  };
  EXPECT_TRUE(cellsOf<3>(shape->GetOutput()) == cellsWhere<3>(8, origin, spacing, inside));
}

TEST(IntervalShape, AFlatShapeLiesInItsPlane) {
  vtkNew<vtkSphere> sphere;
  vtkNew<Shape> shape;
  shape->SetDimension(2);
  shape->SetOrigin(0.0, 0.0, 0.25);
  shape->SetImplicitFunction(sphere);
  for (const int kind : {Shape::BOX, Shape::BALL, Shape::IMPLICIT_FUNCTION}) {
    for (const double spacing : {0.0, 1.0 / 64}) { // from the resolution, and given
      shape->SetShape(kind);
      shape->SetSpacing(spacing, spacing, spacing);
      shape->Update();
      EXPECT_GT(shape->GetOutput()->GetNumberOfCells(), 1000);
      double bounds[6];
      shape->GetOutput()->GetBounds(bounds);
      EXPECT_EQ(bounds[4], 0.25);
      EXPECT_EQ(bounds[5], 0.25);
    }
  }
}

template <int Dim>
void expectFunction(vtkImplicitFunction* function, bool invert) {
  auto shape = shapeOnLattice(Dim, Shape::IMPLICIT_FUNCTION, 0.125);
  shape->SetCorner(-1.0, -1.0, -1.0);
  shape->SetLengths(2.0, 2.0, 2.0);
  shape->SetImplicitFunction(function);
  shape->SetInvert(invert);
  shape->Update();
  const double origin[3] = {0.0, 0.0, 0.0};
  const double spacing[3] = {0.125, 0.125, 0.125};
  const auto inside = [&](const double* c) { return (function->FunctionValue(c) < 0.0) != invert; };
  EXPECT_TRUE(cellsOf<Dim>(shape->GetOutput()) == cellsWhere<Dim>(8, origin, spacing, inside));
}

TEST(IntervalShape, AnImplicitFunctionHasTheCellsWhereItIsNegative) {
  vtkNew<vtkSphere> sphere;
  sphere->SetRadius(0.9);
  vtkNew<vtkPlane> plane; // its zero lies on centres of cells
  plane->SetOrigin(0.0625, 0.0, 0.0);
  plane->SetNormal(1.0, 0.0, 0.0);
  vtkNew<vtkQuadric> quadric;
  quadric->SetCoefficients(2.0, 1.0, 1.0, 0.3, 0.0, 0.0, 0.0, 0.1, 0.0, -1.0);
  vtkNew<vtkTransform> turn;
  turn->RotateZ(30.0);
  quadric->SetTransform(turn);
  vtkNew<vtkImplicitBoolean> both;
  both->SetOperationTypeToDifference();
  both->AddFunction(sphere);
  both->AddFunction(plane);
  for (vtkImplicitFunction* function :
    {static_cast<vtkImplicitFunction*>(sphere), static_cast<vtkImplicitFunction*>(plane),
      static_cast<vtkImplicitFunction*>(quadric), static_cast<vtkImplicitFunction*>(both)}) {
    for (const bool invert : {false, true}) {
      expectFunction<2>(function, invert);
      expectFunction<3>(function, invert);
    }
  }
}

TEST(IntervalShape, AnImplicitFunctionIsEvaluatedInBlocksOfAnyProportion) {
  vtkNew<vtkSphere> sphere;
  sphere->SetRadius(1e5);
  auto shape = shapeOnLattice(2, Shape::IMPLICIT_FUNCTION, 1.0);
  shape->SetCorner(-4e5, 0.0, 0.0); // a row has more cells than a block
  shape->SetLengths(8e5, 3.0, 0.0);
  shape->SetImplicitFunction(sphere);
  shape->Update();
  EXPECT_EQ(shape->GetOutput()->GetNumberOfCells(), 3 * 200000);
}

TEST(IntervalShape, AChangeOfTheFunctionChangesTheShape) {
  vtkNew<vtkSphere> sphere;
  sphere->SetRadius(0.5);
  auto shape = shapeOnLattice(3, Shape::IMPLICIT_FUNCTION, 0.1);
  shape->SetImplicitFunction(sphere);
  shape->Update();
  const vtkIdType before = shape->GetOutput()->GetNumberOfCells();
  sphere->SetRadius(0.3);
  shape->Update();
  EXPECT_LT(shape->GetOutput()->GetNumberOfCells(), before);
}

TEST(IntervalShape, ALevelHalvesTheCells) {
  vtkNew<Shape> shape;
  shape->SetShape(Shape::BOX);
  shape->SetResolution(4);
  shape->SetLevel(2);
  shape->Update();
  const auto grid = carriedGrid<3>(shape->GetOutput());
  EXPECT_EQ(grid->placement().level, 2);
  EXPECT_EQ(grid->placement().spacing[0], 1.0 / 16);
  EXPECT_EQ(grid->set().numCells(), 16 * 16 * 16);
}

TEST(IntervalShape, PiecesPartitionTheWhole) {
  vtkNew<Shape> shape;
  shape->SetResolution(20);
  expectPiecesMakeTheWhole(shape, nullptr, 3, 0.07);
}

TEST(IntervalShape, BadInputIsOneError) {
  vtkNew<Shape> shape;
  shape->SetDimension(4);
  expectOneError(shape, "the dimension is 4");
  shape->SetDimension(3);
  shape->SetRadius(-2.0);
  expectOneError(shape, "the radius is -2");
  shape->SetRadius(std::numeric_limits<double>::quiet_NaN());
  expectOneError(shape, "radius is nan");
  shape->SetRadius(1.0);
  shape->SetResolution(0);
  expectOneError(shape, "the resolution is 0");
  shape->SetResolution(10);
  shape->SetLevel(31);
  expectOneError(shape, "the level is 31; it must be in [0, 30]");
  shape->SetLevel(0);
  shape->SetSpacing(1.0, -1.0, 1.0);
  expectOneError(shape, "the spacing along axis 1 is -1");
  shape->SetSpacing(1.0, 0.0, 1.0);
  expectOneError(shape, "the spacing along axis 1 is 0; it must be positive and finite, or 0 along all axes");
  shape->SetSpacing(0.0, std::numeric_limits<double>::quiet_NaN(), 0.0);
  expectOneError(shape, "the spacing along axis 0 is 0");
  shape->SetSpacing(1e-12, 1e-12, 1e-12);
  expectOneError(shape, "beyond the cells");
  shape->SetSpacing(1.0, 1.0, 1.0);
  shape->SetShape(Shape::IMPLICIT_FUNCTION);
  expectOneError(shape, "no implicit function");
  shape->SetShape(7);
  expectOneError(shape, "the shape is 7");
  shape->SetShape(Shape::BOX);
  shape->SetLengths(1.0, -1.0, 1.0);
  expectOneError(shape, "along axis 1 is -1");
  shape->SetLengths(1.0, 1.0, 1.0);
  shape->Update();
  EXPECT_GT(shape->GetOutput()->GetNumberOfCells(), 0); // and it goes on
}

} // namespace
} // namespace spanwise::testing
