#pragma once

// Expressions by their definition, cell by cell, and random ones.

#include "Core/Geometry/Morphology.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Rooms.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace spanwise::testing {

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
Offsets<Dim> neighbours(int maxAxes) {
  return offsetsIn<Dim>(1, [&](const Cell<Dim>& cell) { return numAxes<Dim>(cell) <= maxAxes; });
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
struct RandomExpression {
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

} // namespace spanwise::testing
