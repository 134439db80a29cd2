#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Ball.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Detail/MorphInSteps.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <type_traits>

namespace spanwise::testing {
namespace {

using enum MorphologyOperation;

constexpr std::array allOperations{Dilate, Erode, Open, Close, OuterGradient, InnerGradient};

template <class Space>
class Morphology : public ::testing::Test {
protected:
  Space space;
  const Context<Space> context{space};

  template <int Dim, class Element>
  IntervalSetOn<Dim, Space> morphed(
    MorphologyOperation operation, const IntervalSetOn<Dim, Space>& set, const Element& element) {
    IntervalSetOn<Dim, Space> out;
    morph<Space, Dim>(context, operation, set, element, out);
    return out;
  }

  template <int Dim>
  IntervalSetOn<Dim, Space> box(const Box<Dim>& cells) {
    IntervalSetOn<Dim, Space> out;
    makeBox<Space, Dim>(context, cells, out);
    return out;
  }
};
TYPED_TEST_SUITE(Morphology, AllSpaces, SpaceNames);

/// Cells of the cube [-reach, reach]^Dim around an origin as bytes, x fastest.
template <int Dim>
class Dense {
public:
  Dense(const Cell<Dim>& origin, Coordinate reach) : origin_(origin), reach_(reach) {
    std::size_t size = 1;
    for (int d = 0; d < Dim; ++d) {
      size *= static_cast<std::size_t>(2 * reach + 1);
    }
    inside_.resize(size, 0);
  }

  [[nodiscard]] std::size_t size() const { return inside_.size(); }
  char& operator[](std::size_t index) { return inside_[index]; }
  char operator[](std::size_t index) const { return inside_[index]; }

  /// The cell with this index, relative to the origin.
  [[nodiscard]] Cell<Dim> cell(std::size_t index) const {
    Cell<Dim> result{};
    for (int d = 0; d < Dim; ++d) {
      result.at[d] = static_cast<Coordinate>(index % width()) - reach_;
      index /= width();
    }
    return result;
  }
  /// Whether the cell, relative to the origin, is in the set.
  [[nodiscard]] bool has(const Cell<Dim>& cell) const {
    std::size_t index = 0;
    for (int d = Dim - 1; d >= 0; --d) {
      if (cell.at[d] < -reach_ || cell.at[d] > reach_) {
        return false;
      }
      index = index * width() + static_cast<std::size_t>(cell.at[d] + reach_);
    }
    return inside_[index] != 0;
  }
  /// The cells with their own coordinates.
  [[nodiscard]] CellList<Dim> cells() const {
    CellList<Dim> result;
    for (std::size_t i = 0; i < size(); ++i) {
      if (inside_[i] != 0) {
        result.insert(result.end(), sum(cell(i), origin_, 1));
      }
    }
    return result;
  }

  static Cell<Dim> sum(const Cell<Dim>& a, const Cell<Dim>& b, Coordinate sign) {
    Cell<Dim> result;
    for (int d = 0; d < Dim; ++d) {
      result.at[d] = a.at[d] + sign * b.at[d];
    }
    return result;
  }

private:
  [[nodiscard]] std::size_t width() const { return static_cast<std::size_t>(2 * reach_ + 1); }

  Cell<Dim> origin_;
  Coordinate reach_;
  std::vector<char> inside_;
};

template <int Dim>
using Offsets = std::vector<Cell<Dim>>;

/// A structuring element, and its cells by definition.
template <int Dim>
struct TestElement {
  StructuringElement<Dim> element;
  Offsets<Dim> offsets;
};

template <int Dim>
Dense<Dim> dilated(const Dense<Dim>& a, const Offsets<Dim>& element) {
  Dense<Dim> result = a;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Cell<Dim> cell = a.cell(i);
    result[i] = static_cast<char>(std::any_of(element.begin(), element.end(),
      [&](const Cell<Dim>& offset) { return a.has(Dense<Dim>::sum(cell, offset, -1)); }));
  }
  return result;
}

template <int Dim>
Dense<Dim> eroded(const Dense<Dim>& a, const Offsets<Dim>& element) {
  Dense<Dim> result = a;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Cell<Dim> cell = a.cell(i);
    result[i] = static_cast<char>(std::all_of(element.begin(), element.end(),
      [&](const Cell<Dim>& offset) { return a.has(Dense<Dim>::sum(cell, offset, 1)); }));
  }
  return result;
}

template <int Dim>
Dense<Dim> without(Dense<Dim> a, const Dense<Dim>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<char>(a[i] != 0 && b[i] == 0);
  }
  return a;
}

/// The operation, cell by cell.
template <int Dim>
Dense<Dim> reference(MorphologyOperation operation, const Dense<Dim>& a, const Offsets<Dim>& element) {
  switch (operation) {
  case Dilate:
    return dilated(a, element);
  case Erode:
    return eroded(a, element);
  case Open:
    return dilated(eroded(a, element), element);
  case Close:
    return eroded(dilated(a, element), element);
  case OuterGradient:
    return without(dilated(a, element), a);
  case InnerGradient:
    return without(a, eroded(a, element));
  }
  return a;
}

/// The cells of the cube [-reach, reach]^Dim that pass a test.
template <int Dim, class Test>
Offsets<Dim> offsetsIn(Coordinate reach, const Test& test) {
  Offsets<Dim> offsets;
  const Dense<Dim> cube({}, reach);
  for (std::size_t i = 0; i < cube.size(); ++i) {
    if (test(cube.cell(i))) {
      offsets.push_back(cube.cell(i));
    }
  }
  return offsets;
}

/// Random cells with coordinates -extent to extent around a random origin, some of them at the limits that `margin`
/// leaves.
template <int Dim>
Dense<Dim> randomDense(std::mt19937& random, Coordinate extent, Coordinate margin) {
  Cell<Dim> origin;
  const Coordinate reach = extent + margin;
  for (Coordinate& at : origin.at) {
    const std::array<Coordinate, 5> choices{0, -100000, 12345, minCoordinate + reach, maxRowKey - reach};
    at = choices[random() % choices.size()];
  }
  Dense<Dim> dense(origin, reach);
  std::bernoulli_distribution inside(std::array{0.0, 0.05, 0.5, 0.9, 1.0}[random() % 5]);
  for (std::size_t i = 0; i < dense.size(); ++i) {
    const Cell<Dim> cell = dense.cell(i);
    const bool within =
      std::all_of(cell.at, cell.at + Dim, [&](Coordinate at) { return at >= -extent && at <= extent; });
    dense[i] = static_cast<char>(within && inside(random));
  }
  return dense;
}

/// The operation as the space does it, as devices do it, and on intervals and on masks alone.
template <class Space, int Dim>
void expectReference(const IntervalSetOn<Dim, Space>& set, const TestElement<Dim>& by, MorphologyOperation operation,
  const CellList<Dim>& expected, const Context<Space>& context) {
  IntervalSetOn<Dim, Space> out;
  morph<Space, Dim>(context, operation, set, by.element, out);
  expectCells<Space, Dim>(out, expected);
  const Context onOneThread(oneThread<Space>(), context.workspace());
  for (const std::int64_t placesPerRow : {0, 1000}) {
    geometry::detail::MorphInSteps<Space, Dim, true>(onOneThread, set, by.element, 0, placesPerRow).run(operation, out);
    expectCells<Space, Dim>(out, expected);
  }
  for (const std::int64_t wordsPerInterval : {0, 1000}) {
    geometry::detail::MorphInSteps<Space, Dim, true>(onOneThread, set, by.element, wordsPerInterval)
      .run(operation, out);
    expectCells<Space, Dim>(out, expected);
    if constexpr (runsOnHost<Space>) {
      geometry::detail::MorphInSteps<Space, Dim, false>(onOneThread, set, by.element, wordsPerInterval)
        .run(operation, out);
      expectCells<Space, Dim>(out, expected);
    }
  }
}

template <class Space, int Dim, class MakeElement>
void randomAgainstReference(int numCases, Coordinate maxExtent, Coordinate maxReach, const MakeElement& makeElement) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const Context<Space> context;
  for (int k = 0; k < numCases && !::testing::Test::HasFailure(); ++k) {
    const auto extent = static_cast<Coordinate>(random() % static_cast<unsigned>(maxExtent + 1));
    const Dense<Dim> dense = randomDense<Dim>(random, extent, maxReach);
    const auto set = toSet<Space, Dim>(dense.cells());
    const TestElement<Dim> by = makeElement(random);
    for (const MorphologyOperation operation : allOperations) {
      SCOPED_TRACE("case " + std::to_string(k) + ", operation " + std::to_string(static_cast<int>(operation)));
      expectReference<Space, Dim>(set, by, operation, reference(operation, dense, by.offsets).cells(), context);
    }
  }
}

Coordinate upTo(std::mt19937& random, Coordinate most) {
  return static_cast<Coordinate>(random() % static_cast<unsigned>(most + 1));
}

template <int Dim>
TestElement<Dim> randomBox(std::mt19937& random, Coordinate maxRadius) {
  Cell<Dim> radius;
  for (Coordinate& alongAxis : radius.at) {
    alongAxis = upTo(random, maxRadius);
  }
  return {StructuringElement<Dim>::box(radius), offsetsIn<Dim>(maxRadius, [&](const Cell<Dim>& cell) {
            for (int d = 0; d < Dim; ++d) {
              if (std::abs(cell.at[d]) > radius.at[d]) {
                return false;
              }
            }
            return true;
          })};
}

template <int Dim>
Coordinate sumOfAxes(const Cell<Dim>& cell) {
  return std::accumulate(
    cell.at, cell.at + Dim, 0, [](Coordinate sum, Coordinate along) { return sum + std::abs(along); });
}

template <int Dim>
TestElement<Dim> randomDiamond(std::mt19937& random, Coordinate maxRadius) {
  const Coordinate radius = upTo(random, maxRadius);
  return {StructuringElement<Dim>::diamond(radius),
    offsetsIn<Dim>(radius, [&](const Cell<Dim>& cell) { return sumOfAxes(cell) <= radius; })};
}

template <int Dim>
TestElement<Dim> randomBall(std::mt19937& random, Coordinate maxRadius) {
  const double radius = maxRadius * (static_cast<double>(random()) / static_cast<double>(std::mt19937::max()));
  return {StructuringElement<Dim>::ball(radius), offsetsIn<Dim>(maxRadius, [&](const Cell<Dim>& cell) {
            return std::inner_product(cell.at, cell.at + Dim, cell.at, 0.0) <= radius * radius;
          })};
}

/// By as many sums of one step as there are iterations.
template <int Dim>
TestElement<Dim> randomNeighbourhood(std::mt19937& random, Coordinate maxIterations) {
  const std::array connectivities{Connectivity::Face, Connectivity::Edge, Connectivity::Vertex};
  const Connectivity connectivity = connectivities[random() % 3];
  const Coordinate maxAxes = connectivity == Connectivity::Face ? 1 : connectivity == Connectivity::Edge ? 2 : 3;
  const Coordinate iterations = upTo(random, maxIterations);
  const Offsets<Dim> step = offsetsIn<Dim>(1, [&](const Cell<Dim>& cell) { return sumOfAxes(cell) <= maxAxes; });
  Dense<Dim> cells({}, maxIterations);
  cells[cells.size() / 2] = 1; // the origin
  for (Coordinate k = 0; k < iterations; ++k) {
    cells = dilated(cells, step);
  }
  return {StructuringElement<Dim>::neighbourhood(connectivity, iterations),
    offsetsIn<Dim>(maxIterations, [&](const Cell<Dim>& cell) { return cells.has(cell); })};
}

/// Any cells, also away from the origin.
template <int Dim>
TestElement<Dim> randomElement(std::mt19937& random, Coordinate reach) {
  std::bernoulli_distribution inside(std::array{0.05, 0.3, 0.9}[random() % 3]);
  const Coordinate side = upTo(random, 1) * 2 - 1;
  const bool oneSided = random() % 2 == 0;
  Offsets<Dim> offsets = offsetsIn<Dim>(reach, [&](const Cell<Dim>& cell) {
    return inside(random) &&
      (!oneSided || std::all_of(cell.at, cell.at + Dim, [&](Coordinate at) { return at * side > 0; }));
  });
  if (offsets.empty()) {
    offsets.push_back({});
  }
  return {StructuringElement<Dim>::of(toHostSet<Dim>({offsets.begin(), offsets.end()})), offsets};
}

TYPED_TEST(Morphology, BoxAgreesWithBruteForce2D) {
  randomAgainstReference<TypeParam, 2>(800, 6, 4, [](std::mt19937& random) { return randomBox<2>(random, 4); });
}

TYPED_TEST(Morphology, BoxAgreesWithBruteForce3D) {
  randomAgainstReference<TypeParam, 3>(200, 3, 2, [](std::mt19937& random) { return randomBox<3>(random, 2); });
}

TYPED_TEST(Morphology, DiamondAgreesWithBruteForce) {
  randomAgainstReference<TypeParam, 2>(200, 6, 7, [](std::mt19937& random) { return randomDiamond<2>(random, 7); });
  randomAgainstReference<TypeParam, 3>(40, 3, 4, [](std::mt19937& random) { return randomDiamond<3>(random, 4); });
}

TYPED_TEST(Morphology, BallAgreesWithBruteForce) {
  randomAgainstReference<TypeParam, 2>(200, 6, 4, [](std::mt19937& random) { return randomBall<2>(random, 4); });
  randomAgainstReference<TypeParam, 3>(40, 3, 3, [](std::mt19937& random) { return randomBall<3>(random, 3); });
}

TYPED_TEST(Morphology, NeighbourhoodAgreesWithBruteForce) {
  randomAgainstReference<TypeParam, 2>(
    200, 6, 4, [](std::mt19937& random) { return randomNeighbourhood<2>(random, 4); });
  randomAgainstReference<TypeParam, 3>(
    40, 3, 3, [](std::mt19937& random) { return randomNeighbourhood<3>(random, 3); });
}

TYPED_TEST(Morphology, AnyElementAgreesWithBruteForce) {
  randomAgainstReference<TypeParam, 2>(400, 5, 4, [](std::mt19937& random) { return randomElement<2>(random, 3); });
  randomAgainstReference<TypeParam, 3>(100, 3, 2, [](std::mt19937& random) { return randomElement<3>(random, 2); });
}

// Diamonds are put together from crosses of growing size: exactly, whatever the radius.
TYPED_TEST(Morphology, DilatesACellToTheElement) {
  const auto expectElement = [&]<int Dim>(const StructuringElement<Dim>& element, const Offsets<Dim>& offsets) {
    const auto out = this->template morphed<Dim>(Dilate, toSet<TypeParam, Dim>({Cell<Dim>{}}), element);
    expectCells<TypeParam, Dim>(out, {offsets.begin(), offsets.end()});
    const auto inner = this->template morphed<Dim>(Erode, out, element);
    expectCells<TypeParam, Dim>(inner, {Cell<Dim>{}});
  };
  for (Coordinate radius = 0; radius <= 16; ++radius) {
    SCOPED_TRACE("radius " + std::to_string(radius));
    const auto inDiamond = [&](const auto& cell) { return sumOfAxes(cell) <= radius; };
    expectElement(StructuringElement<2>::diamond(radius), offsetsIn<2>(radius, inDiamond));
    expectElement(StructuringElement<3>::diamond(radius), offsetsIn<3>(radius, inDiamond));
    const auto inEdgeSteps = [&](const auto& cell) { return sumOfAxes(cell) <= 2 * radius; }; // and within the cube
    expectElement(StructuringElement<3>::neighbourhood(Connectivity::Edge, radius), offsetsIn<3>(radius, inEdgeSteps));
  }
}

TYPED_TEST(Morphology, TheOriginAloneChangesNothing) {
  std::mt19937 random(seed());
  const CellList<2> cells = randomCells<2>(random, 5, 0.5);
  const auto set = toSet<TypeParam, 2>(cells);
  for (const auto& element : {StructuringElement<2>(), StructuringElement<2>::box({{0, 0}}),
         StructuringElement<2>::diamond(0), StructuringElement<2>::ball(0.5)}) {
    for (const MorphologyOperation operation : {Dilate, Erode, Open, Close}) {
      expectCells<TypeParam, 2>(this->template morphed<2>(operation, set, element), cells);
    }
    EXPECT_TRUE(this->template morphed<2>(OuterGradient, set, element).empty());
    EXPECT_TRUE(this->template morphed<2>(InnerGradient, set, element).empty());
  }
}

TYPED_TEST(Morphology, OfNothingIsNothing) {
  for (const MorphologyOperation operation : allOperations) {
    const auto element = StructuringElement<3>::box({{maxIntervalEnd, 5, 2}});
    EXPECT_TRUE(this->template morphed<3>(operation, {}, element).empty());
  }
}

TYPED_TEST(Morphology, LargeBoxes) {
  const Coordinate far = 1'000'000;
  const auto box = this->template box<2>({{-far, -20}, {far, 21}});
  const auto element = StructuringElement<2>::box({{far, 1000}});
  const auto larger = this->template morphed<2>(Dilate, box, element);
  const auto expected = this->template box<2>({{-2 * far, -1020}, {2 * far, 1021}});
  EXPECT_TRUE((equal<TypeParam, 2>(this->context, larger, expected)));
  EXPECT_TRUE((equal<TypeParam, 2>(this->context, this->template morphed<2>(Erode, larger, element), box)));
  EXPECT_TRUE(this->template morphed<2>(Erode, box, element).empty());
}

TYPED_TEST(Morphology, RefusesToLeaveTheCoordinateRange) {
  const auto low = this->template box<2>({{minCoordinate + 3, 0}, {0, 1}});
  const auto high = this->template box<2>({{0, maxRowKey - 2}, {maxIntervalEnd - 3, maxRowKey - 1}});
  for (const MorphologyOperation operation : {Dilate, Close, OuterGradient}) {
    EXPECT_NO_THROW(this->template morphed<2>(operation, low, StructuringElement<2>::box({{3, 3}})));
    EXPECT_THROW(this->template morphed<2>(operation, low, StructuringElement<2>::box({{4, 0}})), CoordinateOverflow);
    EXPECT_NO_THROW(this->template morphed<2>(operation, high, StructuringElement<2>::box({{3, 2}})));
    EXPECT_THROW(this->template morphed<2>(operation, high, StructuringElement<2>::box({{4, 0}})), CoordinateOverflow);
    EXPECT_THROW(this->template morphed<2>(operation, high, StructuringElement<2>::box({{0, 3}})), CoordinateOverflow);
  }
}

TYPED_TEST(Morphology, ErodesWhatReachesTheLimits) {
  constexpr Coordinate low = minCoordinate;
  constexpr Coordinate high = maxIntervalEnd;
  for (const MorphologyOperation operation : {Erode, Open, InnerGradient}) {
    const auto atHigh = this->template box<3>({{low, high - 7, high - 5}, {high, high, high}});
    const auto atLow = this->template box<3>({{low, low, low}, {high, low + 7, low + 5}});
    const auto element = StructuringElement<3>::box({{10, 2, 1}});
    const std::int64_t all = 35 * ((std::int64_t{1} << 32) - 1);
    const std::int64_t eroded = 9 * ((std::int64_t{1} << 32) - 21);
    const std::int64_t expected = operation == Erode ? eroded : operation == Open ? all : all - eroded;
    for (const auto& set : {atHigh, atLow}) {
      const auto out = this->template morphed<3>(operation, set, element);
      EXPECT_EQ(out.numCells(), expected);
      EXPECT_EQ(validate(this->context, out), "");
    }
  }
}

TYPED_TEST(Morphology, RefusesElementsAwayFromTheOriginAtTheLimits) {
  const auto high = this->template box<2>({{0, 0}, {maxIntervalEnd - 3, 2}});
  const auto left = StructuringElement<2>::of(toHostSet<2>(CellList<2>{Cell<2>{{-4, 0}}, Cell<2>{{-5, 0}}}));
  EXPECT_EQ(this->template morphed<2>(Dilate, high, left).numCells(), high.numCells() + 2);
  EXPECT_THROW(this->template morphed<2>(Erode, high, left), CoordinateOverflow);
}

constexpr Coordinate huge = 2'000'000'000;

template <int Dim>
std::vector<StructuringElement<Dim>> hugeElements() {
  Cell<Dim> alongY{};
  alongY.at[1] = huge;
  std::vector<StructuringElement<Dim>> elements{
    StructuringElement<Dim>::box(alongY),
    StructuringElement<Dim>::diamond(huge),
    StructuringElement<Dim>::neighbourhood(Connectivity::Face, huge),
    StructuringElement<Dim>::neighbourhood(Connectivity::Edge, huge),
    StructuringElement<Dim>::neighbourhood(Connectivity::Vertex, huge),
  };
  if (Dim == 3) { // no axis alone has too many rows
    Cell<Dim> plane{};
    plane.at[1] = 40'000;
    plane.at[Dim - 1] = 40'000;
    elements.push_back(StructuringElement<Dim>::box(plane));
    elements.push_back(StructuringElement<Dim>::diamond(40'000));
  }
  return elements;
}

template <class Space, int Dim>
void expectTooManyRows(
  MorphologyOperation operation, const IntervalSetOn<Dim, Space>& set, const StructuringElement<Dim>& element) {
  const Context<Space> context;
  IntervalSetOn<Dim, Space> out;
  try {
    morph<Space, Dim>(context, operation, set, element, out);
    ADD_FAILURE() << "made " << out.numRows() << " rows";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("more than 2^30 rows"), std::string::npos) << error.what();
  }
}

TYPED_TEST(Morphology, RefusesMoreRowsThanAreMade) {
  const auto expectRefused = [&]<int Dim>() {
    const auto set = toSet<TypeParam, Dim>({Cell<Dim>{}, Cell<Dim>{{3, 1}}});
    for (const auto& element : hugeElements<Dim>()) {
      for (const MorphologyOperation operation : {Dilate, Close, OuterGradient}) {
        expectTooManyRows<TypeParam, Dim>(operation, set, element);
      }
    }
  };
  expectRefused.template operator()<2>();
  expectRefused.template operator()<3>();
  // also those that are given row by row
  CellList<2> apart;
  for (Coordinate y = 0; y < 40'000; ++y) {
    apart.insert({{0, 40'000 * y - 800'000'000}});
  }
  const auto set = this->template box<2>({{0, 0}, {1, 40'000}});
  expectTooManyRows<TypeParam, 2>(Dilate, set, StructuringElement<2>::of(toHostSet<2>(apart)));
}

// What has few rows is made, however far they are apart: the box around them says little.
TYPED_TEST(Morphology, MakesFewRowsFarApart) {
  const auto pair = toSet<TypeParam, 2>(CellList<2>{{{0, -huge / 2}}, {{0, huge / 2}}});
  const auto ofPair = StructuringElement<2>::of(toHostSet<2>(CellList<2>{{{0, -huge / 2}}, {{0, huge / 2}}}));
  expectCells<TypeParam, 2>(
    this->template morphed<2>(Dilate, pair, ofPair), CellList<2>{{{0, -huge}}, {{0, 0}}, {{0, huge}}});
  EXPECT_EQ(this->template morphed<2>(Dilate, pair, StructuringElement<2>::box({{0, 1000}})).numRows(), 2 * 2001);

  IntervalSetOn<3, TypeParam> plates;
  combine<TypeParam, 3>(this->context, SetOperation::Union,
    this->template box<3>({{0, -huge, -huge}, {1, 150 - huge, 150 - huge}}),
    this->template box<3>({{0, huge, huge}, {1, huge + 150, huge + 150}}), plates);
  const auto element = StructuringElement<3>::box({{0, 100, 100}}); // its rows times those of the set are 1.8e9
  EXPECT_EQ(this->template morphed<3>(Dilate, plates, element).numRows(), 2 * 350 * 350);
}

TYPED_TEST(Morphology, ErodesByHugeElementsAtOnce) {
  const auto expectEroded = [&]<int Dim>(const IntervalSetOn<Dim, TypeParam>& set) {
    for (const auto& element : hugeElements<Dim>()) {
      EXPECT_TRUE(this->template morphed<Dim>(Erode, set, element).empty());
      EXPECT_TRUE(this->template morphed<Dim>(Open, set, element).empty());
      EXPECT_TRUE(
        (equal<TypeParam, Dim>(this->context, this->template morphed<Dim>(InnerGradient, set, element), set)));
    }
  };
  expectEroded.template operator()<2>(noiseOn<TypeParam, 2>(seed()));
  expectEroded.template operator()<3>(noiseOn<TypeParam, 3>(seed()));
}

TEST(StructuringElement, RefusesBallsWithTooManyRows) {
  EXPECT_EQ(StructuringElement<2>::ball(30'000.0).last(), (Cell<2>{{30'000, 30'000}}));
  EXPECT_THROW(StructuringElement<2>::ball(30'001.0), InvalidArgument);
  EXPECT_EQ(StructuringElement<3>::ball(1'000.0).last(), (Cell<3>{{1'000, 1'000, 1'000}}));
  EXPECT_THROW(StructuringElement<3>::ball(1'001.0), InvalidArgument);
  EXPECT_THROW(StructuringElement<3>::ball(1e300), InvalidArgument);
}

TEST(StructuringElement, IsASumOfFewFactors) {
  EXPECT_LE(StructuringElement<2>::diamond(huge).factors().size(), 40U);
  EXPECT_LE(StructuringElement<3>::diamond(huge).factors().size(), 80U);
  EXPECT_LE(StructuringElement<3>::neighbourhood(Connectivity::Edge, huge).factors().size(), 80U);
}

TEST(StructuringElement, ReachesAsFarAsThereAreCoordinates) {
  const auto reach = reachOf<2>(Close, StructuringElement<2>::box({{huge, 7}}));
  EXPECT_EQ(reach.below, (Cell<2>{{maxIntervalEnd, 14}}));
  EXPECT_EQ(reach.above, (Cell<2>{{maxIntervalEnd, 14}}));
  const auto farthest = StructuringElement<2>::of(toHostSet<2>(CellList<2>{{{minCoordinate, minCoordinate}}}));
  EXPECT_EQ(reachOf<2>(Erode, farthest).below, (Cell<2>{{maxIntervalEnd, maxIntervalEnd}}));
}

TEST(StructuringElement, RefusesWhatIsNone) {
  EXPECT_THROW(StructuringElement<2>::box({{1, -1}}), InvalidArgument);
  EXPECT_THROW(StructuringElement<3>::diamond(-1), InvalidArgument);
  EXPECT_THROW(StructuringElement<3>::neighbourhood(Connectivity::Edge, -1), InvalidArgument);
  EXPECT_THROW(StructuringElement<2>::ball(-0.5), InvalidArgument);
  EXPECT_THROW(StructuringElement<2>::ball(std::numeric_limits<double>::quiet_NaN()), InvalidArgument);
  EXPECT_THROW(StructuringElement<2>::of({}), InvalidArgument);
}

TEST(StructuringElement, KnowsItsReach) {
  EXPECT_EQ(StructuringElement<3>::diamond(9).first(), (Cell<3>{{-9, -9, -9}}));
  EXPECT_EQ(StructuringElement<3>::neighbourhood(Connectivity::Edge, 3).last(), (Cell<3>{{3, 3, 3}}));
  EXPECT_EQ(StructuringElement<2>::ball(2.9).last(), (Cell<2>{{2, 2}}));
  const auto any = StructuringElement<2>::of(toHostSet<2>(CellList<2>{Cell<2>{{5, -3}}, Cell<2>{{7, 1}}}));
  EXPECT_EQ(any.first(), (Cell<2>{{5, -3}}));
  EXPECT_EQ(any.last(), (Cell<2>{{7, 1}}));
}

// Cells by their neighbours, one by one.
TYPED_TEST(Morphology, BoundaryIsWhereNeighboursDiffer) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const std::array connectivities{Connectivity::Face, Connectivity::Edge, Connectivity::Vertex};
  for (int k = 0; k < 200; ++k) {
    const Dense<3> dense = randomDense<3>(random, upTo(random, 3), 1);
    const auto set = toSet<TypeParam, 3>(dense.cells());
    for (Coordinate maxAxes = 1; maxAxes <= 3; ++maxAxes) {
      Dense<3> inner = dense;
      Dense<3> outer = dense;
      for (std::size_t i = 0; i < dense.size(); ++i) {
        const Offsets<3> others = offsetsIn<3>(1, [&](const Cell<3>& offset) {
          return sumOfAxes(offset) <= maxAxes && dense.has(Dense<3>::sum(dense.cell(i), offset, 1)) != (dense[i] != 0);
        });
        inner[i] = static_cast<char>(dense[i] != 0 && !others.empty());
        outer[i] = static_cast<char>(dense[i] == 0 && !others.empty());
      }
      const Connectivity connectivity = connectivities[static_cast<std::size_t>(maxAxes - 1)];
      IntervalSetOn<3, TypeParam> out;
      boundary<TypeParam, 3>(this->context, BoundarySide::Inner, connectivity, set, out);
      expectCells<TypeParam, 3>(out, inner.cells());
      boundary<TypeParam, 3>(this->context, BoundarySide::Outer, connectivity, set, out);
      expectCells<TypeParam, 3>(out, outer.cells());
    }
  }
}

template <class Space, int Dim>
void expectLaws(const StructuringElement<Dim>& element, const StructuringElement<Dim>& twice) {
  const Space space;
  const Context context(space);
  using Set = IntervalSetOn<Dim, Space>;
  const auto op = [&](MorphologyOperation operation, const Set& set, const StructuringElement<Dim>& by) {
    Set out;
    morph<Space, Dim>(context, operation, set, by, out);
    EXPECT_EQ(validate(context, out), "");
    return out;
  };
  const auto same = [&](const Set& left, const Set& right) { return equal<Space, Dim>(context, left, right); };
  const auto isPart = [&](const Set& part, const Set& whole) {
    Set out;
    combine<Space, Dim>(context, SetOperation::Difference, part, whole, out);
    return out.empty();
  };
  const Set a = noiseOn<Space, Dim>(seed());
  const Set opened = op(Open, op(Dilate, a, element), twice);
  const Set closed = op(Close, a, element);
  EXPECT_TRUE(same(op(Dilate, op(Dilate, a, element), element), op(Dilate, a, twice)));
  EXPECT_TRUE(same(op(Erode, op(Erode, closed, element), element), op(Erode, closed, twice)));
  EXPECT_TRUE(same(op(Open, opened, twice), opened));
  EXPECT_TRUE(same(op(Close, closed, element), closed));
  EXPECT_TRUE(isPart(op(Open, a, element), a));
  EXPECT_TRUE(isPart(a, closed));
  // A dilated lies in X just where A lies in X eroded.
  const Set dilated = op(Dilate, a, element);
  EXPECT_TRUE(isPart(a, op(Erode, dilated, element)));
  EXPECT_TRUE(same(op(Dilate, op(Erode, dilated, element), element), dilated));

  // The complement within a box, which is cut where the border of the box would be seen.
  const Box<Dim> around = boundingBox<Space, Dim>(context, op(Dilate, a, twice));
  const Box<Dim> inner = boundingBox<Space, Dim>(context, a);
  Set outside;
  complement<Space, Dim>(context, a, around, outside);
  Set within;
  makeBox<Space, Dim>(context, inner, within);
  Set shrunkOutside;
  combine<Space, Dim>(context, SetOperation::Intersection, op(Erode, outside, element), within, shrunkOutside);
  Set outsideOfGrown;
  complement<Space, Dim>(context, dilated, inner, outsideOfGrown);
  EXPECT_TRUE(same(shrunkOutside, outsideOfGrown));
}

TYPED_TEST(Morphology, LawsHoldOnLargeSets) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectLaws<TypeParam, 2>(StructuringElement<2>::box({{3, 2}}), StructuringElement<2>::box({{6, 4}}));
  expectLaws<TypeParam, 2>(StructuringElement<2>::box({{1, 0}}), StructuringElement<2>::box({{2, 0}}));
  expectLaws<TypeParam, 2>(StructuringElement<2>::box({{0, 20}}), StructuringElement<2>::box({{0, 40}}));
  expectLaws<TypeParam, 3>(StructuringElement<3>::box({{1, 1, 1}}), StructuringElement<3>::box({{2, 2, 2}}));
  expectLaws<TypeParam, 3>(StructuringElement<3>::box({{2, 0, 5}}), StructuringElement<3>::box({{4, 0, 10}}));
  expectLaws<TypeParam, 2>(StructuringElement<2>::diamond(2), StructuringElement<2>::diamond(4));
  expectLaws<TypeParam, 3>(StructuringElement<3>::neighbourhood(Connectivity::Edge, 1),
    StructuringElement<3>::neighbourhood(Connectivity::Edge, 2));
}

// Sets of which every thread gets a part: whichever way they go, the cells are the same.
TYPED_TEST(Morphology, EveryWayMakesTheSameOfLargeSets) {
  if constexpr (runsOnHost<TypeParam>) {
    SCOPED_TRACE("seed " + std::to_string(seed()));
    IntervalSetOn<3, TypeParam> shell;
    IntervalSetOn<3, TypeParam> inner;
    IntervalSetOn<3, TypeParam> ball;
    makeBall<TypeParam, 3>(this->context, {{0.5, -3.0, 2.0}, 60.0}, ball);
    makeBall<TypeParam, 3>(this->context, {{0.5, -3.0, 2.0}, 57.0}, inner);
    combine<TypeParam, 3>(this->context, SetOperation::Difference, ball, inner, shell);
    const auto apart = StructuringElement<3>::of(
      toHostSet<3>(CellList<3>{Cell<3>{{-2, 7, 0}}, Cell<3>{{-1, 7, 0}}, Cell<3>{{3, -4, -2}}, Cell<3>{{0, 0, 5}}}));
    for (const auto& element :
      {StructuringElement<3>::diamond(3), StructuringElement<3>::ball(2.5), StructuringElement<3>::box({{1, 1, 1}}),
        StructuringElement<3>::neighbourhood(Connectivity::Edge, 2), apart}) {
      for (const auto& set : {ball, shell, noiseOn<TypeParam, 3>(seed())}) {
        for (const MorphologyOperation operation : {Dilate, Erode, Close}) {
          IntervalSetOn<3, TypeParam> expected;
          geometry::detail::MorphInSteps<TypeParam, 3, true>(this->context, set, element, 0, 0)
            .run(operation, expected);
          IntervalSetOn<3, TypeParam> byTable;
          geometry::detail::MorphInSteps<TypeParam, 3, true>(this->context, set, element, 0, 100)
            .run(operation, byTable);
          EXPECT_EQ(validate(this->context, byTable), "");
          EXPECT_TRUE((equal<TypeParam, 3>(this->context, byTable, expected)));
          for (const std::int64_t wordsPerInterval : {0, 100}) {
            IntervalSetOn<3, TypeParam> out;
            geometry::detail::MorphInSteps<TypeParam, 3, false>(this->context, set, element, wordsPerInterval)
              .run(operation, out);
            EXPECT_EQ(validate(this->context, out), "");
            EXPECT_TRUE((equal<TypeParam, 3>(this->context, out, expected)));
          }
        }
      }
    }
  }
}

} // namespace
} // namespace spanwise::testing
