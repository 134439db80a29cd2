#include "Core/Geometry/SetExpression.hpp"

#include "Core/Geometry/Expression/Parser.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace spanwise::geometry {

namespace {

using Node = SetExpression::Node;
using Kind = SetExpression::Kind;

void checkNames(const std::vector<std::string>& names) {
  std::vector<std::string> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  if (!sorted.empty() && sorted.front().empty()) {
    throw InvalidArgument("an input has an empty name; each needs one");
  }
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    throw InvalidArgument("two inputs have the name '" + *twice + "'; each needs one of its own");
  }
}

/// How far the result of a morphological operation depends on planes below and above.
std::int64_t reachOf(const Node& node) {
  const bool isTwice = node.morphology == MorphologyOperation::Open || node.morphology == MorphologyOperation::Close;
  return (isTwice ? 2 : 1) * static_cast<std::int64_t>(std::floor(node.numbers.back()));
}

/// Whether each cell of the result depends on all cells of the operand.
bool isOfAll(const Node& node) { return node.kind == Kind::FillHoles || node.kind == Kind::Largest; }

SetExpression::Reach united(const SetExpression::Reach& a, const SetExpression::Reach& b) {
  return {std::min(a.first, b.first), std::max(a.last, b.last)};
}

} // namespace

SetExpression::SetExpression(std::string text, std::vector<std::string> names)
  : text_(std::move(text)), names_(std::move(names)) {
  checkNames(names_);
  if (text_.size() > maxBytes) {
    throw SetExpressionError(
      "the expression has " + std::to_string(text_.size()) + " bytes; it may have " + std::to_string(maxBytes), text_,
      {maxBytes, 0});
  }
  nodes_ = detail::Parser(text_, names_).parse();
}

bool SetExpression::givesCells(int input) const {
  // Per node, whether more cells in it may make more cells of the result, or fewer.
  std::vector<char> gives(nodes_.size(), 0);
  std::vector<char> takes(nodes_.size(), 0);
  gives.back() = 1;
  for (std::size_t k = nodes_.size(); k-- > 0;) {
    const Node& node = nodes_[k];
    if (node.kind == Kind::Input && node.input == input && gives[k] != 0) {
      return true;
    }
    const auto pass = [&](int operand, bool same, bool opposite) {
      if (operand < 0) {
        return;
      }
      const auto to = static_cast<std::size_t>(operand);
      gives[to] = static_cast<char>(gives[to] != 0 || (same && gives[k] != 0) || (opposite && takes[k] != 0));
      takes[to] = static_cast<char>(takes[to] != 0 || (same && takes[k] != 0) || (opposite && gives[k] != 0));
    };
    const bool isXor = node.kind == Kind::Combine && node.operation == SetOperation::SymmetricDifference;
    const bool isBoth = isXor || node.kind == Kind::Boundary;
    const bool isComplement = node.kind == Kind::Complement;
    const bool isDifference = node.kind == Kind::Combine && node.operation == SetOperation::Difference;
    pass(node.left, !isComplement, isBoth || isComplement);
    pass(node.right, !isDifference, isBoth || isDifference);
  }
  return false;
}

void SetExpression::checkDimension(int dimension) const {
  const auto expected = static_cast<std::size_t>(dimension);
  for (const Node& node : nodes_) {
    const std::size_t count = node.numbers.size();
    const bool fits = node.kind == Kind::Morph ? count == 1 || count == expected
      : node.kind == Kind::Translate           ? count == expected
      : node.kind == Kind::Box                 ? count == 2 * expected
                                               : true;
    if (!fits) {
      const std::size_t needed = node.kind == Kind::Box ? 2 * expected : expected;
      throw SetExpressionError("there are " + std::to_string(count) + " numbers, and the inputs are " +
          std::to_string(dimension) + "D; " + (node.kind == Kind::Morph ? "write one radius, or " : "write ") +
          std::to_string(needed),
        text_, node.where);
    }
  }
}

std::vector<SetExpression::Reach> SetExpression::reaches(int dimension) const {
  std::vector<Reach> reaches(nodes_.size());
  std::vector<char> needed(nodes_.size(), 0);
  needed.back() = 1;
  for (std::size_t k = nodes_.size(); k-- > 0;) {
    const Node& node = nodes_[k];
    Reach reach = isOfAll(node) ? Reach() : reaches[k];
    if (node.kind == Kind::Morph || node.kind == Kind::Boundary) {
      const std::int64_t more = node.kind == Kind::Morph ? reachOf(node) : 1;
      reach = {reach.first - more, reach.last + more};
    } else if (node.kind == Kind::Translate) {
      const auto offset = static_cast<std::int64_t>(node.numbers[static_cast<std::size_t>(dimension) - 1]);
      reach = {reach.first - offset, reach.last - offset};
    }
    for (const int operand : {node.left, node.right}) {
      if (operand >= 0 && needed[k] != 0) {
        const auto to = static_cast<std::size_t>(operand);
        reaches[to] = needed[to] != 0 ? united(reaches[to], reach) : reach;
        needed[to] = 1;
      }
    }
  }
  return reaches;
}

SetExpression::Reach SetExpression::reach(int dimension) const {
  const std::vector<Reach> ofNodes = reaches(dimension);
  std::optional<Reach> reach;
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    if (nodes_[k].left < 0) {
      reach = reach ? united(*reach, ofNodes[k]) : ofNodes[k];
    }
  }
  return reach.value_or(Reach());
}

bool SetExpression::dependsOnAll() const { return std::any_of(nodes_.begin(), nodes_.end(), isOfAll); }

parallel::PlaneRange SetExpression::Reach::of(const parallel::PlaneRange& planes) const {
  return {planes.moved(first).begin, planes.moved(last).end};
}

std::string defaultInputName(int number) {
  std::string name;
  for (int rest = number + 1; rest > 0; rest = (rest - 1) / 26) {
    name.insert(name.begin(), static_cast<char>('A' + (rest - 1) % 26));
  }
  return name;
}

std::string writtenName(const std::string& name) {
  if (detail::isPlainName(name) && name != "empty") {
    return name;
  }
  std::string written = "'";
  for (const char c : name) {
    written += c == '\'' ? std::string("''") : std::string(1, c);
  }
  return written + "'";
}

} // namespace spanwise::geometry
