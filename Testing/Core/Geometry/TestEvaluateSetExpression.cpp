#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Components.hpp"
#include "Core/Geometry/Detail/SetsOnMasks.hpp"
#include "Core/Geometry/EvaluateSetExpression.hpp"
#include "Core/Geometry/LargestComponent.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Runtime/Error.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace spanwise::testing {
namespace {

/// A set by all cells of the cube [-reach, reach]^Dim, and what is true of every cell outside of it.
template <int Dim>
class Dense {
public:
  explicit Dense(Coordinate reach) : reach_(reach) {
    std::size_t size = 1;
    for (int d = 0; d < Dim; ++d) {
      size *= static_cast<std::size_t>(2 * reach + 1);
    }
    inside_.resize(size, 0);
  }

  bool outside = false; ///< what every other cell is

  [[nodiscard]] std::size_t size() const { return inside_.size(); }
  [[nodiscard]] Coordinate reach() const { return reach_; }
  char& operator[](std::size_t index) { return inside_[index]; }
  char operator[](std::size_t index) const { return inside_[index]; }

  [[nodiscard]] Cell<Dim> cell(std::size_t index) const {
    const auto width = static_cast<std::size_t>(2 * reach_ + 1);
    Cell<Dim> result{};
    for (int d = 0; d < Dim; ++d) {
      result.at[d] = static_cast<Coordinate>(index % width) - reach_;
      index /= width;
    }
    return result;
  }
  /// The index of a cell; size() outside.
  [[nodiscard]] std::size_t index(const Cell<Dim>& cell) const {
    const auto width = static_cast<std::size_t>(2 * reach_ + 1);
    std::size_t index = 0;
    for (int d = Dim - 1; d >= 0; --d) {
      if (cell.at[d] < -reach_ || cell.at[d] > reach_) {
        return size();
      }
      index = index * width + static_cast<std::size_t>(cell.at[d] + reach_);
    }
    return index;
  }
  [[nodiscard]] bool has(const Cell<Dim>& cell) const {
    const std::size_t i = index(cell);
    return i < size() ? inside_[i] != 0 : outside;
  }
  [[nodiscard]] CellList<Dim> cells() const {
    CellList<Dim> result;
    for (std::size_t i = 0; i < size(); ++i) {
      if (inside_[i] != 0) {
        result.insert(result.end(), cell(i));
      }
    }
    return result;
  }

private:
  Coordinate reach_;
  std::vector<char> inside_;
};

template <int Dim>
using Offsets = std::vector<Cell<Dim>>;

template <int Dim>
Cell<Dim> sum(const Cell<Dim>& a, const Cell<Dim>& b) {
  Cell<Dim> result;
  for (int d = 0; d < Dim; ++d) {
    result.at[d] = a.at[d] + b.at[d];
  }
  return result;
}

/// The cells of [-reach, reach]^Dim that pass a test.
template <int Dim>
Offsets<Dim> offsetsIn(Coordinate reach, const std::function<bool(const Cell<Dim>&)>& test) {
  Offsets<Dim> offsets;
  const Dense<Dim> cube(reach);
  for (std::size_t i = 0; i < cube.size(); ++i) {
    if (test(cube.cell(i))) {
      offsets.push_back(cube.cell(i));
    }
  }
  return offsets;
}

template <int Dim>
int numAxes(const Cell<Dim>& cell) {
  return static_cast<int>(std::count_if(cell.at, cell.at + Dim, [](Coordinate at) { return at != 0; }));
}

/// The neighbours of a cell, and the cell.
template <int Dim>
Offsets<Dim> neighbours(int mostAxes) {
  return offsetsIn<Dim>(1, [&](const Cell<Dim>& cell) { return numAxes<Dim>(cell) <= mostAxes; });
}

/// All elements of the tests are symmetric.
template <int Dim>
Dense<Dim> dilated(const Dense<Dim>& a, const Offsets<Dim>& element) {
  Dense<Dim> result = a;
  for (std::size_t i = 0; i < a.size(); ++i) {
    result[i] = static_cast<char>(std::any_of(
      element.begin(), element.end(), [&](const auto& offset) { return a.has(sum<Dim>(a.cell(i), offset)); }));
  }
  return result;
}

template <int Dim>
Dense<Dim> eroded(const Dense<Dim>& a, const Offsets<Dim>& element) {
  Dense<Dim> result = a;
  for (std::size_t i = 0; i < a.size(); ++i) {
    result[i] = static_cast<char>(std::all_of(
      element.begin(), element.end(), [&](const auto& offset) { return a.has(sum<Dim>(a.cell(i), offset)); }));
  }
  return result;
}

template <int Dim, class Operation>
Dense<Dim> combined(const Dense<Dim>& a, const Dense<Dim>& b, const Operation& operation) {
  Dense<Dim> result = a;
  for (std::size_t i = 0; i < a.size(); ++i) {
    result[i] = static_cast<char>(operation(a[i] != 0, b[i] != 0));
  }
  result.outside = operation(a.outside, b.outside);
  return result;
}

template <int Dim>
Dense<Dim> complemented(const Dense<Dim>& a) {
  return combined(a, a, [](bool in, bool) { return !in; });
}

/// The components of the cells, in the order of their first cells; the outside is one of them, at first, if it is in
/// the set.
template <int Dim>
std::vector<Dense<Dim>> components(const Dense<Dim>& a, const Offsets<Dim>& steps) {
  std::vector<Dense<Dim>> found;
  Dense<Dim> left = a;
  const auto flood = [&](std::vector<std::size_t> open, Dense<Dim> component) {
    for (const std::size_t i : open) {
      left[i] = 0;
      component[i] = 1;
    }
    while (!open.empty()) {
      const Cell<Dim> cell = a.cell(open.back());
      open.pop_back();
      for (const Cell<Dim>& step : steps) {
        const std::size_t i = a.index(sum<Dim>(cell, step));
        if (i < a.size() && left[i] != 0) {
          left[i] = 0;
          component[i] = 1;
          open.push_back(i);
        }
      }
    }
    found.push_back(component);
  };
  if (a.outside) {
    std::vector<std::size_t> border;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const Cell<Dim> cell = a.cell(i);
      const bool atBorder =
        std::any_of(cell.at, cell.at + Dim, [&](Coordinate at) { return std::abs(at) == a.reach(); });
      if (atBorder && left[i] != 0) {
        border.push_back(i);
      }
    }
    Dense<Dim> outer(a.reach());
    outer.outside = true;
    flood(border, outer);
  }
  for (std::size_t i = 0; i < a.size(); ++i) { // by row, then x, as cells are ordered
    if (left[i] != 0) {
      flood({i}, Dense<Dim>(a.reach()));
    }
  }
  return found;
}

template <int Dim>
Dense<Dim> largest(const Dense<Dim>& a, const Offsets<Dim>& steps) {
  const auto all = components(a, steps);
  if (all.empty() || a.outside) {
    return all.empty() ? a : all.front(); // what has no end has most cells
  }
  std::size_t best = 0;
  for (std::size_t k = 1; k < all.size(); ++k) {
    best = all[k].cells().size() > all[best].cells().size() ? k : best;
  }
  return all[best];
}

/// All from where no way leads out of the cube.
template <int Dim>
Dense<Dim> holesFilled(const Dense<Dim>& a, const Offsets<Dim>& steps) {
  const Dense<Dim> background = complemented(a);
  if (!background.outside) {
    Dense<Dim> everything(a.reach());
    return complemented(everything);
  }
  return complemented(components(background, steps).front());
}

/// A random expression as text, and its value by definition.
template <int Dim>
struct Random {
  std::mt19937& random;
  const std::vector<Dense<Dim>>& inputs;
  Coordinate maxRadius;

  struct Tree {
    std::string text;
    Dense<Dim> value;
  };

  unsigned upTo(unsigned most) { return static_cast<unsigned>(random() % (most + 1)); }
  Coordinate offset() { return static_cast<Coordinate>(upTo(2)) - 1; }

  Tree leaf() {
    const unsigned k = upTo(static_cast<unsigned>(inputs.size()) + 1);
    if (k < inputs.size()) {
      return {defaultInputName(static_cast<int>(k)), inputs[k]};
    }
    Dense<Dim> value(inputs.front().reach());
    if (k == inputs.size()) {
      return {"empty", value};
    }
    std::string text = "box(";
    std::array<Coordinate, 2 * Dim> ends{};
    for (std::size_t d = 0; d < Dim; ++d) {
      ends[2 * d] = static_cast<Coordinate>(upTo(4)) - 2;
      ends[2 * d + 1] = ends[2 * d] + static_cast<Coordinate>(upTo(3));
      text += (d > 0 ? ", " : "") + std::to_string(ends[2 * d]) + ", " + std::to_string(ends[2 * d + 1]);
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
      const Cell<Dim> cell = value.cell(i);
      bool in = true;
      for (std::size_t d = 0; d < Dim; ++d) {
        in = in && cell.at[d] >= ends[2 * d] && cell.at[d] < ends[2 * d + 1];
      }
      value[i] = static_cast<char>(in);
    }
    return {text + ")", value};
  }

  Tree binary(int depth) {
    const Tree a = tree(depth - 1);
    const Tree b = tree(depth - 1);
    const unsigned k = upTo(3);
    const std::array<std::function<bool(bool, bool)>, 4> operations{[](bool x, bool y) { return x || y; },
      [](bool x, bool y) { return x && y; }, [](bool x, bool y) { return x && !y; },
      [](bool x, bool y) { return x != y; }};
    return {"(" + a.text + " " + "|&-^"[k] + " " + b.text + ")", combined(a.value, b.value, operations[k])};
  }

  Tree morphological(int depth) {
    const Tree a = tree(depth - 1);
    auto radius = static_cast<Coordinate>(upTo(static_cast<unsigned>(maxRadius)));
    std::string arguments = std::to_string(radius);
    Offsets<Dim> element;
    const auto lengthTo = [](const Cell<Dim>& cell, auto norm) {
      double length = 0.0;
      for (const Coordinate at : cell.at) {
        length += norm(static_cast<double>(at));
      }
      return length;
    };
    switch (upTo(4)) {
    case 0:
      element = offsetsIn<Dim>(radius, [](const auto&) { return true; });
      arguments += upTo(1) == 0 ? "" : upTo(1) == 0 ? ", box" : ", vertices";
      break;
    case 1: {
      Cell<Dim> radii{};
      arguments.clear();
      for (Coordinate& at : radii.at) {
        at = static_cast<Coordinate>(upTo(static_cast<unsigned>(maxRadius)));
        arguments += (arguments.empty() ? "" : ", ") + std::to_string(at);
      }
      element = offsetsIn<Dim>(maxRadius, [&](const Cell<Dim>& cell) {
        bool in = true;
        for (int d = 0; d < Dim; ++d) {
          in = in && std::abs(cell.at[d]) <= radii.at[d];
        }
        return in;
      });
      break;
    }
    case 2:
      element = offsetsIn<Dim>(
        radius, [&](const auto& cell) { return lengthTo(cell, [](double x) { return std::abs(x); }) <= radius; });
      arguments += upTo(1) == 0 ? ", diamond" : ", faces";
      break;
    case 3:
      radius = std::min(radius, 1);
      arguments = std::to_string(radius) + ", edges";
      element = radius == 0 ? Offsets<Dim>{Cell<Dim>{}} : neighbours<Dim>(2);
      break;
    default:
      element = offsetsIn<Dim>(
        radius, [&](const auto& cell) { return lengthTo(cell, [](double x) { return x * x; }) <= radius * radius; });
      arguments += upTo(1) == 0 ? ", ball" : ".0, ball";
    }
    switch (upTo(3)) {
    case 0:
      return {"dilate(" + a.text + ", " + arguments + ")", dilated(a.value, element)};
    case 1:
      return {"erode(" + a.text + ", " + arguments + ")", eroded(a.value, element)};
    case 2:
      return {"open(" + a.text + ", " + arguments + ")", dilated(eroded(a.value, element), element)};
    default:
      return {"close(" + a.text + ", " + arguments + ")", eroded(dilated(a.value, element), element)};
    }
  }

  Tree neighbouring(int depth) {
    const Tree a = tree(depth - 1);
    const unsigned which = upTo(2);
    const std::string word = std::array{"faces", "edges", "vertices"}[which];
    const Offsets<Dim> steps = neighbours<Dim>(static_cast<int>(which) + 1);
    const bool isDefault = which == 0 && upTo(1) == 0;
    const std::string last = isDefault ? ")" : ", " + word + ")";
    switch (upTo(3)) {
    case 0:
      return {"boundary(" + a.text + (upTo(1) == 0 ? ", inner" : "") + last,
        combined(a.value, eroded(a.value, steps), [](bool x, bool y) { return x && !y; })};
    case 1:
      return {"boundary(" + a.text + ", outer" + last,
        combined(dilated(a.value, steps), a.value, [](bool x, bool y) { return x && !y; })};
    case 2:
      return {"largest(" + a.text + last, largest(a.value, steps)};
    default:
      return {"fill_holes(" + a.text + last, holesFilled(a.value, steps)};
    }
  }

  Tree translated(int depth) {
    const Tree a = tree(depth - 1);
    Cell<Dim> by{};
    std::string text = "translate(" + a.text;
    for (Coordinate& at : by.at) {
      at = offset();
      text += ", " + std::to_string(at);
    }
    Dense<Dim> value = a.value;
    for (std::size_t i = 0; i < value.size(); ++i) {
      Cell<Dim> from = value.cell(i);
      for (int d = 0; d < Dim; ++d) {
        from.at[d] -= by.at[d];
      }
      value[i] = static_cast<char>(a.value.has(from));
    }
    return {text + ")", value};
  }

  Tree tree(int depth) {
    if (depth == 0) {
      return leaf();
    }
    switch (upTo(9)) {
    case 0:
      return leaf();
    case 1:
    case 2: {
      const Tree a = tree(depth - 1);
      return {"~" + a.text, complemented(a.value)};
    }
    case 3:
    case 4:
      return morphological(depth);
    case 5:
      return neighbouring(depth);
    case 6:
      return translated(depth);
    default:
      return binary(depth);
    }
  }
};

/// Ranks that compute an expression together, one after the other: where they need all planes they stop, and in the
/// next round go on with what their planes have given.
template <class Space, int Dim>
class RanksInTurn final : public WholeSetOperations<Space, Dim> {
public:
  using Set = IntervalSetOn<Dim, Space>;
  using Reach = SetExpression::Reach;

  void fillHoles(Connectivity connectivity, const Set& set, const Reach& reach, Set& out) override {
    together(set, reach, out, [=, this](const Set& whole, Set& result) {
      spanwise::fillHoles<Space, Dim>(space_, connectivity, whole, result, workspace_);
    });
  }
  void largestComponent(Connectivity connectivity, const Set& set, const Reach& reach, Set& out) override {
    together(set, reach, out, [=, this](const Set& whole, Set& result) {
      spanwise::largestComponent<Space, Dim>(space_, connectivity, whole, result, workspace_);
    });
  }
  void agree(const std::function<void()>& work) override { work(); }

  /// Runs the work of a rank; whether it stopped.
  template <class Work>
  bool stops(const PlaneRange& mine, const Work& work) {
    mine_ = mine;
    next_ = 0;
    try {
      work();
      return false;
    } catch (const Stop&) {
      return true;
    }
  }
  [[nodiscard]] bool finished() const { return numStopped_ == 0; }
  /// Whether there is one.
  bool nextRound() {
    if (finished()) {
      return false;
    }
    EXPECT_EQ(numStopped_, 3) << "all ranks must come to the same operation";
    results_.emplace_back();
    operation_(operand_, results_.back());
    operand_.clear();
    numStopped_ = 0;
    return true;
  }

private:
  struct Stop {};
  using Operation = std::function<void(const Set&, Set&)>;

  void together(const Set& set, const Reach& reach, Set& out, const Operation& operation) {
    if (next_ < results_.size()) {
      restrictRows<Space, Dim>(space_, results_[next_++], reach.of(mine_), out);
      return;
    }
    Set mine;
    Set all;
    restrictRows<Space, Dim>(space_, set, mine_, mine);
    combine<Space, Dim>(space_, SetOperation::Union, operand_, mine, all, workspace_);
    operand_ = all;
    operation_ = operation;
    ++numStopped_;
    throw Stop();
  }

  Space space_;
  Workspace<typename Space::memory_space> workspace_;
  PlaneRange mine_;
  std::size_t next_ = 0;
  std::vector<Set> results_;
  Set operand_;
  Operation operation_;
  int numStopped_ = 0;
};

template <class Space>
class EvaluateSetExpression : public ::testing::Test {
protected:
  Space space;
  Workspace<typename Space::memory_space> workspace;

  template <int Dim>
  IntervalSetOn<Dim, Space> value(const std::string& text, const std::vector<IntervalSetOn<Dim, Space>>& inputs) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      names.push_back(defaultInputName(static_cast<int>(k)));
    }
    SetExpressionEvaluator<Space, Dim> evaluator(SetExpression(text, names));
    IntervalSetOn<Dim, Space> out;
    evaluator.evaluate(space, inputs, out, workspace);
    return out;
  }

  /// Random trees, whole and in slabs, against their definition on a cube that leaves room for all that grows.
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
      Random<Dim> make{random, dense, maxRadius};
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
      expectInSlabs<Dim>(text, inputs, cells, random);
    }
    EXPECT_GT(numInfinite, static_cast<std::size_t>(numCases) / 20);
    EXPECT_GT(numFilled, static_cast<std::size_t>(numCases) / 3);
  }

  /// What ranks with some planes each compute from the inputs that they need for them.
  template <int Dim>
  void expectInSlabs(const std::string& text, const std::vector<IntervalSetOn<Dim, Space>>& inputs,
    const CellList<Dim>& cells, std::mt19937& random) {
    SetExpressionEvaluator<Space, Dim> evaluator(SetExpression(text, {"A", "B", "C"}));
    const auto cut = static_cast<Coordinate>(random() % 7) - 3;
    const std::array<PlaneRange, 3> parts{
      PlaneRange{PlaneRange().begin, cut}, PlaneRange{cut, cut + 2}, PlaneRange{cut + 2, PlaneRange().end}};
    RanksInTurn<Space, Dim> ranks;
    do {
      CellList<Dim> found;
      for (const PlaneRange& mine : parts) {
        const PlaneRange needed = evaluator.expression().reach(Dim).of(mine);
        auto restricted = inputs;
        for (auto& input : restricted) {
          const auto whole = input;
          restrictRows<Space, Dim>(space, whole, needed, input);
        }
        IntervalSetOn<Dim, Space> out;
        IntervalSetOn<Dim, Space> owned;
        if (ranks.stops(mine, [&] { evaluator.evaluate(space, restricted, out, workspace, needed, {}, &ranks); })) {
          EXPECT_TRUE(out.empty());
          continue;
        }
        restrictRows<Space, Dim>(space, out, mine, owned);
        const CellList<Dim> part = toCells(owned);
        found.insert(part.begin(), part.end());
      }
      if (ranks.finished()) {
        EXPECT_TRUE(found == cells);
      }
    } while (ranks.nextRound());
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
      EXPECT_EQ(validate(this->space, a), "");
      EXPECT_TRUE((equal<TypeParam, Dim>(this->space, a, this->template value<Dim>(right, inputs))));
    }
  };
  expectLaws.template operator()<2>(laws<2>());
  expectLaws.template operator()<3>(laws<3>());
}

// Chains of set algebra on noise go through masks: with each part written so that it is done alone, they do not.
TYPED_TEST(EvaluateSetExpression, ChainsOfNoiseAreTheSameOnMasks) {
  SCOPED_TRACE("seed " + std::to_string(seed()));
  const auto expectSame = [&]<int Dim>() {
    std::vector<IntervalSetOn<Dim, TypeParam>> inputs;
    for (unsigned k = 0; k < 3; ++k) {
      inputs.push_back(noiseOn<TypeParam, Dim>(seed() + k));
    }
    Box<Dim> box{};
    ASSERT_TRUE((detail::areNoise<TypeParam, Dim>(this->space, inputs, box)));
    const std::string same = Dim == 2 ? ", 0, 0)" : ", 0, 0, 0)";
    const auto alone = [&](const std::string& text) { return "translate(" + text + same; };
    for (const auto& [chain, steps] : std::vector<std::pair<std::string, std::string>>{
           {"A | B | C", alone("A | B") + " | C"}, {"(A | B) & ~C", alone("A | B") + " - C"},
           {"~(~A & ~B) ^ C", alone("A | B") + " ^ C"}, {"A - (B - (C - A))", "A - " + alone("B - " + alone("C - A"))},
           {"A & B | B & C | A & C", alone(alone("A & B") + " | " + alone("B & C")) + " | " + alone("A & C")},
           {"dilate(A & B | C, 1) - (A & B)", "dilate(" + alone(alone("A & B") + " | C") + ", 1) - " + alone("A & B")},
           {"~(A | B | C) & dilate(A, 2)", "dilate(A, 2) - " + alone(alone("A | B") + " | C")},
           {"A ^ B ^ C ^ (A ^ B ^ C)", "empty"}}) {
      SCOPED_TRACE(chain);
      const auto out = this->template value<Dim>(chain, inputs);
      EXPECT_EQ(validate(this->space, out), "");
      EXPECT_TRUE((equal<TypeParam, Dim>(this->space, out, this->template value<Dim>(steps, inputs))));
    }
  };
  expectSame.template operator()<2>();
  expectSame.template operator()<3>();
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
  makeBox<TypeParam, 2>(this->space, {{maxIntervalEnd - 3, 0}, {maxIntervalEnd, 2}}, high);
  const auto expectError = [&](const std::string& text, std::size_t column, const std::string& message) {
    SetExpressionEvaluator<TypeParam, 2> evaluator(SetExpression(text, {"A"}));
    IntervalSetOn<2, TypeParam> out = high;
    try {
      evaluator.evaluate(this->space, {high}, out, this->workspace);
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
      evaluator.evaluate(this->space, {a}, out, this->workspace);
      ADD_FAILURE() << "no error in " << text;
    } catch (const SetExpressionError& error) {
      EXPECT_EQ(error.column(), column);
      EXPECT_NE(error.message().find("more than 2^30 rows"), std::string::npos) << error.message();
    }
    EXPECT_TRUE(out.empty());
  }
  EXPECT_TRUE(this->template value<3>("erode(A, 2000000000) | open(A, 0, 0, 2000000000)", {a}).empty());
  EXPECT_TRUE((equal<TypeParam, 3>(
    this->space, this->template value<3>("A & ~dilate(~A, 2000000000)", {a}), this->template value<3>("empty", {a}))));
}

TYPED_TEST(EvaluateSetExpression, NumbersMustBeThoseOfTheDimension) {
  using TwoD = SetExpressionEvaluator<TypeParam, 2>;
  using ThreeD = SetExpressionEvaluator<TypeParam, 3>;
  const SetExpression flat("translate(A, 1, 0)", {"A"});
  EXPECT_NO_THROW(TwoD{flat});
  EXPECT_THROW(ThreeD{flat}, SetExpressionError);
  TwoD evaluator(flat);
  IntervalSetOn<2, TypeParam> out;
  EXPECT_THROW(evaluator.evaluate(this->space, {}, out, this->workspace), InvalidArgument);
}

TYPED_TEST(EvaluateSetExpression, OneRankAloneDoesNotKnowTheHoles) {
  SetExpressionEvaluator<TypeParam, 2> evaluator(SetExpression("dilate(fill_holes(A), 1)", {"A"}));
  const auto a = toSet<TypeParam, 2>({{{0, 0}}});
  auto out = a;
  EXPECT_THROW(evaluator.evaluate(this->space, {a}, out, this->workspace, {0, 4}), InvalidArgument);
  EXPECT_TRUE(out.empty());
  EXPECT_NO_THROW(evaluator.evaluate(this->space, {a}, out, this->workspace));
}

TYPED_TEST(EvaluateSetExpression, StopsWhenAsked) {
  const auto a = noiseOn<TypeParam, 2>(seed());
  SetExpressionEvaluator<TypeParam, 2> evaluator(SetExpression("dilate(A, 1) - erode(A, 1) | boundary(A)", {"A"}));
  IntervalSetOn<2, TypeParam> whole;
  std::vector<double> fractions;
  evaluator.evaluate(this->space, {a}, whole, this->workspace, {}, Progress([&](double fraction) {
    fractions.push_back(fraction);
    return true;
  }));
  EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
  EXPECT_EQ(fractions.back(), 1.0);
  for (std::size_t stop = 0; stop < fractions.size(); ++stop) {
    IntervalSetOn<2, TypeParam> out;
    std::size_t calls = 0;
    EXPECT_THROW(
      evaluator.evaluate(this->space, {a}, out, this->workspace, {}, Progress([&](double) { return calls++ < stop; })),
      Cancelled);
    EXPECT_TRUE(out.empty());
  }
  IntervalSetOn<2, TypeParam> again;
  evaluator.evaluate(this->space, {a}, again, this->workspace);
  EXPECT_TRUE((equal<TypeParam, 2>(this->space, whole, again)));
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
