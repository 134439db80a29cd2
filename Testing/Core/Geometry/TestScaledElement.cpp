#include "Core/Geometry/Morphology.hpp"
#include "Core/Geometry/ScaledElement.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/MessageOf.hpp"
#include "Testing/Dimensions.hpp"
#include "Testing/Rooms.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace spanwise::testing {
namespace {

template <class D>
class ScaledElement : public RandomTest<D> {};
TYPED_TEST_SUITE(ScaledElement, Dimensions, DimensionNames);

enum class Shape { Box, Diamond, Ball };
constexpr std::array allShapes{Shape::Box, Shape::Diamond, Shape::Ball};

template <int Dim>
StructuringElement<Dim> elementOf(Shape shape, double radius, const Lengths<Dim>& cell) {
  switch (shape) {
  case Shape::Box: {
    Lengths<Dim> radii{};
    std::fill_n(radii.along, Dim, radius);
    return scaledBox(radii, cell);
  }
  case Shape::Diamond:
    return scaledDiamond(radius, cell);
  default:
    return scaledBall(radius, cell);
  }
}

/// The cells of an element: the dilation of the cell at the origin.
template <int Dim>
CellList<Dim> cellsOf(const StructuringElement<Dim>& element) {
  const Context<HostExecutionSpace> context;
  HostIntervalSet<Dim> out;
  morph<HostExecutionSpace, Dim>(context, MorphologyOperation::Dilate, toHostSet<Dim>({Cell<Dim>{}}), element, out);
  return toCells(out);
}

/// The cells of [-10, 10]^Dim that are at most so far from the origin, one by one.
template <int Dim>
CellList<Dim> cellsWithin(Shape shape, double distance, const Lengths<Dim>& side) {
  CellList<Dim> cells = allCells<Dim>(-10, 11);
  std::erase_if(cells, [&](const Cell<Dim>& cell) {
    double largest = 0.0;
    double sum = 0.0;
    double length = 0.0;
    for (int d = 0; d < Dim; ++d) {
      const double along = std::abs(cell.at[d]) * side.along[d];
      largest = std::max(largest, along);
      sum += along;
      length = std::hypot(length, along);
    }
    return (shape == Shape::Box ? largest : shape == Shape::Diamond ? sum : length) > distance;
  });
  return cells;
}

TYPED_TEST(ScaledElement, HasTheCellsWithinItsRadius) {
  constexpr int dim = TypeParam::value;
  std::uniform_real_distribution<double> sides(0.5, 2.0);
  std::uniform_real_distribution<double> radii(0.0, 4.5);
  for (int turn = 0; turn < 30; ++turn) {
    Lengths<dim> cell{};
    for (double& side : cell.along) {
      side = turn % 3 == 0 ? 0.75 : sides(this->random);
    }
    const double radius = radii(this->random);
    for (const Shape shape : allShapes) {
      EXPECT_TRUE(cellsOf(elementOf(shape, radius, cell)) == cellsWithin(shape, radius + 1e-6 * cell.along[0], cell))
        << "shape " << static_cast<int>(shape) << ", radius " << radius;
    }
  }
}

// 0.3 / 0.1 is less than 3 in double.
TYPED_TEST(ScaledElement, ReachesWholeCellsInSpiteOfRoundOff) {
  constexpr int dim = TypeParam::value;
  constexpr std::array thin{0.1, 0.05, 0.15};
  for (const bool cubes : {true, false}) {
    Lengths<dim> cell{};
    for (std::size_t d = 0; d < dim; ++d) {
      cell.along[d] = cubes ? 0.1 : thin[d];
    }
    for (const Shape shape : allShapes) {
      EXPECT_TRUE(cellsOf(elementOf(shape, 0.3, cell)) == cellsWithin(shape, 0.3 + 1e-9, cell))
        << "shape " << static_cast<int>(shape);
    }
  }
}

TYPED_TEST(ScaledElement, OfCubesIsTheElementOfCells) {
  constexpr int dim = TypeParam::value;
  Lengths<dim> ones{};
  std::fill_n(ones.along, dim, 1.0);
  EXPECT_TRUE(cellsOf(elementOf(Shape::Diamond, 5.0, ones)) == cellsOf<dim>(StructuringElement<dim>::diamond(5)));
  EXPECT_TRUE(cellsOf(elementOf(Shape::Ball, 5.5, ones)) == cellsOf<dim>(StructuringElement<dim>::ball(5.5)));
  Lengths<dim> radii{};
  Cell<dim> cells{};
  for (int d = 0; d < dim; ++d) {
    radii.along[d] = cells.at[d] = d + 1;
  }
  EXPECT_TRUE(cellsOf(scaledBox(radii, ones)) == cellsOf<dim>(StructuringElement<dim>::box(cells)));
}

TYPED_TEST(ScaledElement, RefusesRadiiThatNoElementHas) {
  constexpr int dim = TypeParam::value;
  Lengths<dim> cell{};
  std::fill_n(cell.along, dim, 0.5);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Shape shape : allShapes) {
    const auto message = [&](double radius) { return messageOf([&] { elementOf(shape, radius, cell); }); };
    EXPECT_NE(message(-1.0).find("the radius is -2 cells; it must be from 0"), std::string::npos);
    EXPECT_NE(message(nan).find("nan"), std::string::npos);
    EXPECT_NE(message(1e10).find("it must be from 0"), std::string::npos);
  }
  const auto ofDiamond = [&] { scaledDiamond(15000.5, cell); };
  const auto ofBall = [&] { scaledBall(dim == 2 ? 15000.5 : 500.5, cell); };
  EXPECT_NE(messageOf(ofDiamond).find("from 0 to 30000"), std::string::npos);
  EXPECT_NE(messageOf(ofBall).find(dim == 2 ? "from 0 to 30000" : "from 0 to 1000"), std::string::npos);
  // Numbers as they were typed.
  Lengths<dim> ones{};
  std::fill_n(ones.along, dim, 1.0);
  const auto tooLarge = [&] { scaledBall(30001.0, ones); };
  EXPECT_NE(messageOf(tooLarge).find(dim == 2 ? "the radius is 30001 cells; it must be from 0 to 30000"
                                              : "the radius is 30001 cells; it must be from 0 to 1000"),
    std::string::npos)
    << messageOf(tooLarge);
  EXPECT_EQ(messageOf(tooLarge).find(".0"), std::string::npos) << messageOf(tooLarge);
  EXPECT_EQ(scaledDiamond(15000.0, cell).last().at[0], 30000);
  cell.along[0] = 0.6;
  EXPECT_NE(messageOf(ofDiamond).find(dim == 2 ? "from 0 to 30000" : "from 0 to 1000"), std::string::npos);
}

} // namespace
} // namespace spanwise::testing
