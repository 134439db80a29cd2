#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"

#include <array>

namespace spanwise::testing {
namespace {

using enum MorphologyOperation;

constexpr std::array allOperations{Dilate, Erode, Open, Close, OuterGradient, InnerGradient};

template <class Space>
class Morphology : public ::testing::Test {
protected:
  Space space;
  Workspace<typename Space::memory_space> workspace;

  template <int Dim, class Element>
  IntervalSetOn<Dim, Space> morphed(
    MorphologyOperation operation, const IntervalSetOn<Dim, Space>& set, const Element& element) {
    IntervalSetOn<Dim, Space> out;
    morph<Space, Dim>(space, operation, set, element, out, workspace);
    return out;
  }

  template <int Dim>
  IntervalSetOn<Dim, Space> box(const Box<Dim>& cells) {
    IntervalSetOn<Dim, Space> out;
    makeBox<Space, Dim>(space, cells, out);
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

template <int Dim>
Offsets<Dim> offsetsOf(const BoxElement<Dim>& element) {
  Offsets<Dim> offsets;
  const Coordinate last = Dim == 3 ? element.radius[Dim - 1] : 0;
  for (Coordinate z = -last; z <= last; ++z) {
    for (Coordinate y = -element.radius[1]; y <= element.radius[1]; ++y) {
      for (Coordinate x = -element.radius[0]; x <= element.radius[0]; ++x) {
        if constexpr (Dim == 2) {
          offsets.push_back({{x, y}});
        } else {
          offsets.push_back({{x, y, z}});
        }
      }
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

template <class Space, int Dim, class MakeElement>
void randomAgainstReference(int numCases, Coordinate maxExtent, Coordinate maxReach, const MakeElement& makeElement) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const Space space;
  Workspace<typename Space::memory_space> workspace;
  IntervalSetOn<Dim, Space> out;
  for (int k = 0; k < numCases && !::testing::Test::HasFailure(); ++k) {
    const auto extent = static_cast<Coordinate>(random() % static_cast<unsigned>(maxExtent + 1));
    const Dense<Dim> dense = randomDense<Dim>(random, extent, maxReach);
    const auto set = toSet<Space, Dim>(dense.cells());
    const auto element = makeElement(random);
    const Offsets<Dim> offsets = offsetsOf(element);
    for (const MorphologyOperation operation : allOperations) {
      SCOPED_TRACE("case " + std::to_string(k) + ", operation " + std::to_string(static_cast<int>(operation)));
      morph<Space, Dim>(space, operation, set, element, out, workspace);
      expectCells<Space, Dim>(out, reference(operation, dense, offsets).cells());
    }
  }
}

template <int Dim>
BoxElement<Dim> randomBox(std::mt19937& random, Coordinate maxRadius) {
  BoxElement<Dim> element;
  for (Coordinate& radius : element.radius) {
    radius = static_cast<Coordinate>(random() % static_cast<unsigned>(maxRadius + 1));
  }
  return element;
}

TYPED_TEST(Morphology, BoxAgreesWithBruteForce2D) {
  randomAgainstReference<TypeParam, 2>(4000, 6, 4, [](std::mt19937& random) { return randomBox<2>(random, 4); });
}

TYPED_TEST(Morphology, BoxAgreesWithBruteForce3D) {
  randomAgainstReference<TypeParam, 3>(1000, 3, 2, [](std::mt19937& random) { return randomBox<3>(random, 2); });
}

TYPED_TEST(Morphology, BoxOfRadiusZeroChangesNothing) {
  std::mt19937 random(seed());
  const CellList<2> cells = randomCells<2>(random, 5, 0.5);
  const auto set = toSet<TypeParam, 2>(cells);
  for (const MorphologyOperation operation : {Dilate, Erode, Open, Close}) {
    expectCells<TypeParam, 2>(this->template morphed<2>(operation, set, BoxElement<2>{{0, 0}}), cells);
  }
  EXPECT_TRUE(this->template morphed<2>(OuterGradient, set, BoxElement<2>{{0, 0}}).empty());
  EXPECT_TRUE(this->template morphed<2>(InnerGradient, set, BoxElement<2>{{0, 0}}).empty());
}

TYPED_TEST(Morphology, OfNothingIsNothing) {
  for (const MorphologyOperation operation : allOperations) {
    const BoxElement<3> element{{maxIntervalEnd, 5, 2}};
    EXPECT_TRUE(this->template morphed<3>(operation, {}, element).empty());
  }
}

TYPED_TEST(Morphology, LargeBoxes) {
  const Coordinate far = 1'000'000;
  const auto box = this->template box<2>({{-far, -20}, {far, 21}});
  const BoxElement<2> element{{far, 1000}};
  const auto larger = this->template morphed<2>(Dilate, box, element);
  const auto expected = this->template box<2>({{-2 * far, -1020}, {2 * far, 1021}});
  EXPECT_TRUE((equal<TypeParam, 2>(this->space, larger, expected)));
  EXPECT_TRUE((equal<TypeParam, 2>(this->space, this->template morphed<2>(Erode, larger, element), box)));
  EXPECT_TRUE(this->template morphed<2>(Erode, box, element).empty());
}

TYPED_TEST(Morphology, RefusesToLeaveTheCoordinateRange) {
  const auto low = this->template box<2>({{minCoordinate + 3, 0}, {0, 1}});
  const auto high = this->template box<2>({{0, maxRowKey - 2}, {maxIntervalEnd - 3, maxRowKey - 1}});
  for (const MorphologyOperation operation : {Dilate, Close, OuterGradient}) {
    EXPECT_NO_THROW(this->template morphed<2>(operation, low, BoxElement<2>{{3, 3}}));
    EXPECT_THROW(this->template morphed<2>(operation, low, BoxElement<2>{{4, 0}}), CoordinateOverflow);
    EXPECT_NO_THROW(this->template morphed<2>(operation, high, BoxElement<2>{{3, 2}}));
    EXPECT_THROW(this->template morphed<2>(operation, high, BoxElement<2>{{4, 0}}), CoordinateOverflow);
    EXPECT_THROW(this->template morphed<2>(operation, high, BoxElement<2>{{0, 3}}), CoordinateOverflow);
  }
}

TYPED_TEST(Morphology, ErodesWhatReachesTheLimits) {
  constexpr Coordinate low = minCoordinate;
  constexpr Coordinate high = maxIntervalEnd;
  for (const MorphologyOperation operation : {Erode, Open, InnerGradient}) {
    const auto atHigh = this->template box<3>({{low, high - 7, high - 5}, {high, high, high}});
    const auto atLow = this->template box<3>({{low, low, low}, {high, low + 7, low + 5}});
    const BoxElement<3> element{{10, 2, 1}};
    const std::int64_t all = 35 * ((std::int64_t{1} << 32) - 1);
    const std::int64_t eroded = 9 * ((std::int64_t{1} << 32) - 21);
    const std::int64_t expected = operation == Erode ? eroded : operation == Open ? all : all - eroded;
    for (const auto& set : {atHigh, atLow}) {
      const auto out = this->template morphed<3>(operation, set, element);
      EXPECT_EQ(out.numCells(), expected);
      EXPECT_EQ(validate(this->space, out), "");
    }
  }
}

TYPED_TEST(Morphology, RefusesNegativeRadii) {
  EXPECT_THROW(this->template morphed<2>(Dilate, {}, BoxElement<2>{{1, -1}}), InvalidArgument);
}

template <class Space, int Dim>
void expectLaws(const BoxElement<Dim>& element, const BoxElement<Dim>& twice) {
  const Space space;
  Workspace<typename Space::memory_space> workspace;
  using Set = IntervalSetOn<Dim, Space>;
  const auto op = [&](MorphologyOperation operation, const Set& set, const BoxElement<Dim>& by) {
    Set out;
    morph<Space, Dim>(space, operation, set, by, out, workspace);
    EXPECT_EQ(validate(space, out), "");
    return out;
  };
  const auto same = [&](const Set& left, const Set& right) { return equal<Space, Dim>(space, left, right); };
  const auto isPart = [&](const Set& part, const Set& whole) {
    Set out;
    combine<Space, Dim>(space, SetOperation::Difference, part, whole, out, workspace);
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
  const Box<Dim> around = boundingBox<Space, Dim>(space, op(Dilate, a, twice));
  const Box<Dim> inner = boundingBox<Space, Dim>(space, a);
  Set outside;
  complement<Space, Dim>(space, a, around, outside, workspace);
  Set within;
  makeBox<Space, Dim>(space, inner, within);
  Set shrunkOutside;
  combine<Space, Dim>(space, SetOperation::Intersection, op(Erode, outside, element), within, shrunkOutside, workspace);
  Set outsideOfGrown;
  complement<Space, Dim>(space, dilated, inner, outsideOfGrown, workspace);
  EXPECT_TRUE(same(shrunkOutside, outsideOfGrown));
}

TYPED_TEST(Morphology, LawsHoldOnLargeSets) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  expectLaws<TypeParam, 2>({{3, 2}}, {{6, 4}});
  expectLaws<TypeParam, 2>({{1, 0}}, {{2, 0}});
  expectLaws<TypeParam, 2>({{0, 20}}, {{0, 40}});
  expectLaws<TypeParam, 3>({{1, 1, 1}}, {{2, 2, 2}});
  expectLaws<TypeParam, 3>({{2, 0, 5}}, {{4, 0, 10}});
}

} // namespace
} // namespace spanwise::testing
