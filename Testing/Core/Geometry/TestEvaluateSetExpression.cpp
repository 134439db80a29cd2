#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/EvaluateSetExpression.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/ExpressionReference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace spanwise::testing {
namespace {

template <class Space>
class EvaluateSetExpression : public ::testing::Test {
protected:
  Space space;
  const Context<Space> context{space};

  template <int Dim>
  IntervalSetOn<Dim, Space> value(const std::string& text, const std::vector<IntervalSetOn<Dim, Space>>& inputs) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      names.push_back(defaultInputName(static_cast<int>(k)));
    }
    SetExpressionEvaluator<Space, Dim> evaluator(SetExpression(text, names));
    IntervalSetOn<Dim, Space> out;
    evaluator.evaluate(context, inputs, out);
    return out;
  }

  /// Random trees against their definition on a cube that leaves room for all that grows.
  template <int Dim>
  void randomAgainstReference(int numCases, int depth, Coordinate extent, Coordinate maxRadius) {
    SCOPED_TRACE("seed " + std::to_string(seed()));
    std::mt19937 random(seed());
    const Coordinate reach = extent + depth * (2 * maxRadius + 1) + 1;
    std::size_t numInfinite = 0;
    std::size_t numFilled = 0;
    for (int k = 0; k < numCases && !::testing::Test::HasFailure(); ++k) {
      std::vector<Dense<Dim>> dense;
      std::vector<IntervalSetOn<Dim, Space>> inputs;
      for (int i = 0; i < 3; ++i) {
        const auto cells = randomCells<Dim>(random, extent, std::array{0.1, 0.5, 0.9}[random() % 3]);
        dense.emplace_back(reach);
        for (const Cell<Dim>& cell : cells) {
          dense.back()[dense.back().index(cell)] = 1;
        }
        inputs.push_back(toSet<Space, Dim>(cells));
      }
      RandomExpression<Dim> make{random, dense, maxRadius};
      auto [text, expected] = make.tree(depth);
      SCOPED_TRACE("case " + std::to_string(k) + ": " + text);
      if (expected.outside) {
        EXPECT_THROW(value<Dim>(text, inputs), SetExpressionError);
        ++numInfinite;
        text = "box(" + (Dim == 3 ? std::to_string(-reach) + ", " + std::to_string(reach + 1) + ", " : "") +
          std::to_string(-reach) + ", " + std::to_string(reach + 1) + ", " + std::to_string(-reach) + ", " +
          std::to_string(reach + 1) + ") & " + text;
      }
      const CellList<Dim> cells = expected.cells();
      numFilled += static_cast<std::size_t>(!cells.empty());
      expectCells<Space, Dim>(value<Dim>(text, inputs), cells);
    }
    EXPECT_GT(numInfinite, static_cast<std::size_t>(numCases) / 20);
    EXPECT_GT(numFilled, static_cast<std::size_t>(numCases) / 3);
  }
};
TYPED_TEST_SUITE(EvaluateSetExpression, AllSpaces, SpaceNames);

TYPED_TEST(EvaluateSetExpression, AgreesWithBruteForce2D) { this->template randomAgainstReference<2>(3000, 4, 3, 2); }

TYPED_TEST(EvaluateSetExpression, AgreesWithBruteForce3D) { this->template randomAgainstReference<3>(400, 3, 2, 1); }

/// Pairs of expressions with the same value, whatever the inputs.
template <int Dim>
std::vector<std::pair<std::string, std::string>> laws() {
  const std::string all = Dim == 2 ? "box(-40, 40, -40, 40)" : "box(-40, 40, -40, 40, -40, 40)";
  return {
    {"A - B", "A & ~B"},
    {all + " & ~(A | B)", all + " & ~A & ~B"},
    {all + " & ~(A & B)", all + " & (~A | ~B)"},
    {"~(~A | ~B)", "A & B"},
    {"~(~A & ~B)", "A | B"},
    {"~A ^ ~B", "A ^ B"},
    {"~A - ~B", "B - A"},
    {"~~A", "A"},
    {"~~~~(A | B)", "A | B"},
    {"~(A ^ ~B)", "A ^ B"},
    {"~dilate(~A, 1)", "erode(A, 1)"},
    {"~erode(~A, 2, ball)", "dilate(A, 2, ball)"},
    {"~open(~A, 1, diamond)", "close(A, 1, diamond)"},
    {"~close(~A, 1)", "open(A, 1)"},
    {"boundary(~A)", "boundary(A, outer)"},
    {"boundary(~A, outer, vertices)", "boundary(A, inner, vertices)"},
    {"~largest(~A)", "fill_holes(A)"},
    {"~largest(~A, vertices)", "fill_holes(A, vertices)"},
    {"A & fill_holes(~B)", "A"},
    {"~fill_holes(~A)", "empty"},
    {"A | B & C", "A | (B & C)"},
    {"A ^ B - C & A", "A ^ ((B - C) & A)"},
    {"dilate(A, 1)", "dilate(A, 1, box)"},
    {"dilate(A, 2, faces)", "dilate(dilate(A, 1, faces), 1, diamond)"},
    {"boundary(A)", "A - erode(A, 1, faces)"},
    {"boundary(A, outer)", "dilate(A, 1, faces) - A"},
    {"boundary(A, outer, edges)", "dilate(A, 1, edges) - A"},
    {"boundary(A, vertices)", "A - erode(A, 1)"},
    {"empty", "A - A"},
    {"A ^ A", "empty"},
    {"(A | B) - (A & B)", "A ^ B"},
    {"A | empty", "A"},
  };
}

TYPED_TEST(EvaluateSetExpression, LawsHoldOnLargeSets) {
  const auto expectLaws = [&]<int Dim>(const std::vector<std::pair<std::string, std::string>>& pairs) {
    SCOPED_TRACE("seed " + std::to_string(seed()));
    std::vector<IntervalSetOn<Dim, TypeParam>> inputs;
    for (unsigned k = 0; k < 3; ++k) {
      inputs.push_back(noiseOn<TypeParam, Dim>(seed() + k));
    }
    for (const auto& [left, right] : pairs) {
      SCOPED_TRACE(left + " = " + right);
      const auto a = this->template value<Dim>(left, inputs);
      EXPECT_EQ(validate(this->context, a), "");
      EXPECT_TRUE((equal<TypeParam, Dim>(this->context, a, this->template value<Dim>(right, inputs))));
    }
  };
  expectLaws.template operator()<2>(laws<2>());
  expectLaws.template operator()<3>(laws<3>());
}

TYPED_TEST(EvaluateSetExpression, TheExampleOfThePage) {
  const auto a = toSet<TypeParam, 2>({{{0, 0}}, {{1, 0}}, {{2, 0}}, {{3, 0}}});
  const auto b = toSet<TypeParam, 2>({{{9, 9}}});
  const auto c = toSet<TypeParam, 2>({{{5, 0}}});
  expectCells<TypeParam, 2>(
    this->template value<2>("(A | B) & ~dilate(C, 2)", {a, b, c}), {{{0, 0}}, {{1, 0}}, {{2, 0}}, {{9, 9}}});
}

TYPED_TEST(EvaluateSetExpression, AnErrorInTheWorkHasAPlace) {
  IntervalSetOn<2, TypeParam> high;
  makeBox<TypeParam, 2>(this->context, {{maxIntervalEnd - 3, 0}, {maxIntervalEnd, 2}}, high);
  const auto expectError = [&](const std::string& text, std::size_t column, const std::string& message) {
    SetExpressionEvaluator<TypeParam, 2> evaluator(SetExpression(text, {"A"}));
    IntervalSetOn<2, TypeParam> out = high;
    try {
      evaluator.evaluate(this->context, {high}, out);
      ADD_FAILURE() << "no error in " << text;
    } catch (const SetExpressionError& error) {
      EXPECT_EQ(error.column(), column);
      EXPECT_NE(error.message().find(message), std::string::npos) << error.message();
    }
    EXPECT_TRUE(out.empty());
  };
  expectError("A | dilate(A, 1)", 5, "may pass the coordinate limits");
  expectError("A & ~erode(~A, 1)", 6, "may pass the coordinate limits");
  expectError("translate(A, 1, 0)", 1, "coordinate");
  expectError("A | box(0, 1, -2000000000, 2000000000)", 5, "more than 2^30 rows");
}

TYPED_TEST(EvaluateSetExpression, ARadiusThatMakesTooManyRowsHasAPlace) {
  const auto a = toSet<TypeParam, 3>({{{0, 0, 0}}, {{5, -2, 0}}});
  for (const auto& [text, column] : std::vector<std::pair<std::string, std::size_t>>{
         {"A | dilate(A, 0, 2000000000, 0)", 5}, {"A & ~(A | close(A, 2000000000, edges))", 11},
         {"dilate(A, 2000000000, diamond)", 1}, {"A & ~erode(~A, 2000000000)", 6}, {"A & open(~A, 2000000000)", 5}}) {
    SetExpressionEvaluator<TypeParam, 3> evaluator(SetExpression(text, {"A"}));
    IntervalSetOn<3, TypeParam> out = a;
    try {
      evaluator.evaluate(this->context, {a}, out);
      ADD_FAILURE() << "no error in " << text;
    } catch (const SetExpressionError& error) {
      EXPECT_EQ(error.column(), column);
      EXPECT_NE(error.message().find("more than 2^30 rows"), std::string::npos) << error.message();
    }
    EXPECT_TRUE(out.empty());
  }
  EXPECT_TRUE(this->template value<3>("erode(A, 2000000000) | open(A, 0, 0, 2000000000)", {a}).empty());
  EXPECT_TRUE((equal<TypeParam, 3>(this->context, this->template value<3>("A & ~dilate(~A, 2000000000)", {a}),
    this->template value<3>("empty", {a}))));
}

TYPED_TEST(EvaluateSetExpression, NumbersMustBeThoseOfTheDimension) {
  using TwoD = SetExpressionEvaluator<TypeParam, 2>;
  using ThreeD = SetExpressionEvaluator<TypeParam, 3>;
  const SetExpression flat("translate(A, 1, 0)", {"A"});
  EXPECT_NO_THROW(TwoD{flat});
  EXPECT_THROW(ThreeD{flat}, SetExpressionError);
  TwoD evaluator(flat);
  IntervalSetOn<2, TypeParam> out;
  EXPECT_THROW(evaluator.evaluate(this->context, {}, out), InvalidArgument);
}

TYPED_TEST(EvaluateSetExpression, KnowsNoAxesThatRepeat) {
  SetExpressionEvaluator<TypeParam, 2> evaluator(SetExpression("dilate(A, 1)", {"A"}));
  const auto a = toSet<TypeParam, 2>({{{0, 0}}});
  auto out = a;
  const Periods<2> periods{{{0, 0}, {4, 4}}, {true, false}};
  EXPECT_THROW(evaluator.evaluate(this->context, {a}, out, periods), InvalidArgument);
  EXPECT_TRUE(out.empty());
}

TYPED_TEST(EvaluateSetExpression, StopsWhenAsked) {
  const auto a = noiseOn<TypeParam, 2>(seed());
  SetExpressionEvaluator<TypeParam, 2> evaluator(SetExpression("dilate(A, 1) - erode(A, 1) | boundary(A)", {"A"}));
  IntervalSetOn<2, TypeParam> whole;
  std::vector<double> fractions;
  evaluator.evaluate(this->context.with(Progress([&](double fraction) {
    fractions.push_back(fraction);
    return true;
  })),
    {a}, whole, {});
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_EQ(fractions.back(), 1.0);
  for (std::size_t stop = 0; stop < fractions.size(); ++stop) {
    IntervalSetOn<2, TypeParam> out;
    std::size_t calls = 0;
    EXPECT_THROW(evaluator.evaluate(this->context.with(Progress([&](double) { return calls++ < stop; })), {a}, out, {}),
      Cancelled);
    EXPECT_TRUE(out.empty());
  }
  IntervalSetOn<2, TypeParam> again;
  evaluator.evaluate(this->context, {a}, again);
  EXPECT_TRUE((equal<TypeParam, 2>(this->context, whole, again)));
}

// Each step of a chain writes over what the one before the last has left.
TYPED_TEST(EvaluateSetExpression, KeepsNoMoreSetsThanAreNeededAtOnce) {
  std::string chain = "A";
  for (int k = 0; k < 20; ++k) {
    chain = "dilate(" + chain + ", 1)";
  }
  const auto a = toSet<TypeParam, 2>({{{0, 0}}});
  EXPECT_EQ(this->template value<2>(chain, {a}).numCells(), 41 * 41);
  EXPECT_TRUE(this->template value<2>(chain + " - dilate(A, 20)", {a}).empty());
  const auto numSets = [](const std::string& text) {
    return SetExpressionEvaluator<TypeParam, 2>(SetExpression(text, {"A"})).numSetsBetween();
  };
  EXPECT_EQ(numSets("A"), 0U);
  EXPECT_EQ(numSets("~(~A & ~A)"), 0U);
  EXPECT_EQ(numSets("dilate(A, 1)"), 0U);
  EXPECT_EQ(numSets(chain), 2U);
  EXPECT_EQ(numSets(chain + " - dilate(A, 20)"), 2U);
  EXPECT_EQ(numSets("(dilate(A, 1) - A) | (dilate(A, 2) - A) | (dilate(A, 3) - A)"), 3U);
}

} // namespace
} // namespace spanwise::testing
