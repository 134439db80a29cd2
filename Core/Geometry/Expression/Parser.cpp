#include "Core/Geometry/Expression/Parser.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>

namespace spanwise::geometry::detail {

namespace {

using Shape = SetExpression::Shape;

struct Operator {
  char symbol;
  SetOperation operation;
};
/// From the one that binds least.
constexpr std::array<Operator, 4> operators{{{'|', SetOperation::Union}, {'^', SetOperation::SymmetricDifference},
  {'&', SetOperation::Intersection}, {'-', SetOperation::Difference}}};

/// Words for which other languages have no symbol.
const char* symbolOfWord(const std::string& word) {
  static const std::map<std::string, const char*> symbols{{"and", "&"}, {"or", "|"}, {"not", "~"}, {"xor", "^"},
    {"minus", "-"}, {"AND", "&"}, {"OR", "|"}, {"NOT", "~"}, {"XOR", "^"}, {"union", "|"}, {"intersection", "&"},
    {"difference", "-"}, {"complement", "~"}};
  const auto found = symbols.find(word);
  return found == symbols.end() ? nullptr : found->second;
}

std::string listed(const std::vector<std::string>& words, const char* last) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k) {
    text += (k == 0 ? "" : k + 1 == words.size() ? std::string(" ") + last + " " : ", ") + words[k];
  }
  return text;
}

constexpr std::array<std::pair<const char*, Shape>, 6> shapes{{{"box", Shape::Box}, {"ball", Shape::Ball},
  {"diamond", Shape::Diamond}, {"faces", Shape::Faces}, {"edges", Shape::Edges}, {"vertices", Shape::Vertices}}};
constexpr std::array<std::pair<const char*, Connectivity>, 3> connectivities{
  {{"faces", Connectivity::Face}, {"edges", Connectivity::Edge}, {"vertices", Connectivity::Vertex}}};
constexpr std::array<std::pair<const char*, BoundarySide>, 2> sides{
  {{"inner", BoundarySide::Inner}, {"outer", BoundarySide::Outer}}};

template <class Table>
auto findWord(const Table& table, const std::string& word) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.first == word; });
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

bool isWhole(double value) { return value == std::floor(value); }

std::string lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
    [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

/// Whether one insertion, removal or replacement of a character at most, or the case of letters, parts two names.
bool areAlike(std::string a, std::string b) {
  a = lowered(std::move(a));
  b = lowered(std::move(b));
  if (a.size() > b.size()) {
    a.swap(b);
  }
  if (a == b || b.size() - a.size() > 1 || b.size() < 3) {
    return a == b;
  }
  const auto differ = std::mismatch(a.begin(), a.end(), b.begin());
  const auto restOfA = differ.first == a.end() || a.size() < b.size() ? differ.first : differ.first + 1;
  return std::equal(restOfA, a.end(), differ.second + 1, b.end());
}

template <class Names>
std::string hintFor(const std::string& name, const Names& names) {
  const auto alike = std::find_if(names.begin(), names.end(), [&](const auto& other) { return areAlike(name, other); });
  return alike == names.end() ? std::string() : "; did you mean " + writtenName(*alike) + "?";
}

} // namespace

Parser::Nodes Parser::parse() {
  if (tokens_.next().kind == Token::Kind::End) {
    fail("the expression is empty; write a set, for example " +
        (names_.empty() ? std::string("box(0, 10, 0, 10)") : writtenName(names_.front())),
      tokens_.next().where);
  }
  parseBinary(0);
  expectEnd();
  checkFinite();
  return std::move(nodes_); // the whole is like none of its parts, so it is the last one
}

Parser::Part Parser::parseBinary(std::size_t level) {
  if (level == operators.size()) {
    return parseUnary();
  }
  Part left = parseBinary(level + 1);
  while (tokens_.next().is(operators[level].symbol)) {
    const Token symbol = tokens_.take();
    if (tokens_.next().is(symbol.text[0]) && symbol.text[0] != '-') {
      fail("the operator " + symbol.text + " is written once", tokens_.next().where);
    }
    const Part right = parseBinary(level + 1);
    const TextRange where{left.where.begin, right.where.end() - left.where.begin};
    left = {addBinary(operators[level].operation, left, right, where), where};
  }
  return left;
}

Parser::Part Parser::parseUnary() {
  std::vector<TextRange> complements;
  while (tokens_.next().is('~')) {
    complements.push_back(tokens_.take().where);
  }
  Part part = parsePrimary();
  for (; !complements.empty(); complements.pop_back()) {
    const std::size_t begin = complements.back().begin;
    part.where = {begin, part.where.end() - begin};
    Node node;
    node.kind = Kind::Complement;
    node.left = part.node;
    node.where = part.where;
    part.node = add(node);
  }
  return part;
}

Parser::Part Parser::parsePrimary() {
  const Token first = tokens_.next();
  if (first.kind == Token::Kind::Name) {
    tokens_.take();
    return !first.quoted && tokens_.next().is('(') ? parseCall(first) : parseInput(first);
  }
  if (!first.is('(')) {
    const std::string found =
      first.kind == Token::Kind::End ? "the text ends" : "there is " + quotedPart(text_, first.where);
    fail("a set is missing: " + found + " where an input, a function or ( should stand", first.where);
  }
  if (++nesting_ > SetExpression::maxNesting) {
    fail("parentheses lie more than " + std::to_string(SetExpression::maxNesting) + " deep in each other", first.where);
  }
  tokens_.take();
  const Part inner = parseBinary(0);
  const std::size_t end = tokens_.next().where.end();
  expectClosing(first.where.begin);
  --nesting_;
  return {inner.node, {first.where.begin, end - first.where.begin}};
}

Parser::Part Parser::parseInput(const Token& name) {
  Node node;
  node.where = name.where;
  if (name.text == "empty" && !name.quoted) {
    return {add(node), name.where};
  }
  const auto found = std::find(names_.begin(), names_.end(), name.text);
  if (found == names_.end()) {
    if (const SetExpressionFunction* function = findSetExpressionFunction(name.text)) {
      fail(name.text + " is a function; its arguments stand in parentheses: " + function->signature, name.where);
    }
    if (const char* symbol = symbolOfWord(name.text)) {
      fail("write " + std::string(symbol) + " for '" + name.text + "'", name.where);
    }
    fail("no input has the name " + quotedPart(text_, name.where) + "; " + listOfInputs() + hintFor(name.text, names_),
      name.where);
  }
  node.kind = Kind::Input;
  node.input = static_cast<int>(found - names_.begin());
  return {add(node), name.where};
}

Parser::Part Parser::parseCall(const Token& name) {
  const SetExpressionFunction* function = findSetExpressionFunction(name.text);
  if (function == nullptr) {
    std::vector<std::string> all;
    for (const SetExpressionFunction& each : setExpressionFunctions()) {
      all.push_back(each.name);
    }
    const char* symbol = symbolOfWord(name.text);
    fail(symbol != nullptr ? "write " + std::string(symbol) + " for '" + name.text + "'"
                           : "there is no function " + quotedPart(text_, name.where) + "; there are " +
          listed(all, "and") + hintFor(name.text, all),
      name.where);
  }
  const Token opening = tokens_.take();
  if (++nesting_ > SetExpression::maxNesting) {
    fail(
      "parentheses lie more than " + std::to_string(SetExpression::maxNesting) + " deep in each other", opening.where);
  }
  Call call{*function, name.where, {}};
  const bool takesSet = name.text != "box";
  int operand = -1;
  if (takesSet) {
    operand = parseBinary(0).node;
  } else {
    call.arguments.push_back(parseArgument());
  }
  while (tokens_.next().is(',')) {
    tokens_.take();
    call.arguments.push_back(parseArgument());
  }
  call.where.length = tokens_.next().where.end() - call.where.begin;
  expectClosing(opening.where.begin);
  --nesting_;

  using enum MorphologyOperation;
  static const std::map<std::string, MorphologyOperation> morphology{
    {"dilate", Dilate}, {"erode", Erode}, {"open", Open}, {"close", Close}};
  Node node;
  if (const auto found = morphology.find(name.text); found != morphology.end()) {
    node = morphNode(call, found->second);
  } else if (name.text == "boundary") {
    node = boundaryNode(call);
  } else if (name.text == "translate") {
    node = cellsNode(call, Kind::Translate, 2, 3);
  } else if (name.text == "box") {
    node = cellsNode(call, Kind::Box, 4, 6);
  } else {
    node = neighbourNode(call, name.text == "largest" ? Kind::Largest : Kind::FillHoles);
  }
  node.left = operand;
  node.where = call.where;
  return {add(node), call.where};
}

Parser::Argument Parser::parseArgument() {
  const Token first = tokens_.next();
  if (first.kind == Token::Kind::Name && !first.quoted) {
    tokens_.take();
    return {first.where, false, 0.0, first.text};
  }
  const bool signedNumber = first.is('-') || first.is('+');
  if (signedNumber) {
    tokens_.take();
  }
  const Token number = tokens_.next();
  if (number.kind != Token::Kind::Number) {
    fail("a number or a word such as ball is missing here", first.where);
  }
  tokens_.take();
  return {{first.where.begin, number.where.end() - first.where.begin}, true,
    first.is('-') ? -number.value : number.value, std::string()};
}

// --- what the arguments say ---

Parser::Node Parser::morphNode(const Call& call, MorphologyOperation operation) const {
  Node node;
  node.kind = Kind::Morph;
  node.morphology = operation;
  const std::string& name = call.function.name;
  const TextRange closing{call.where.end() - 1, 1};
  std::size_t numRadii = 0;
  for (const Argument& argument : call.arguments) {
    if (argument.isNumber) {
      if (numRadii != static_cast<std::size_t>(&argument - call.arguments.data())) {
        fail("the structuring element is the last argument of " + name, argument.where);
      }
      ++numRadii;
      continue;
    }
    const auto shape = findWord(shapes, argument.word);
    if (!shape) {
      fail("there is no structuring element " + quotedPart(text_, argument.where) +
          "; it is box, ball, diamond, faces, edges or vertices",
        argument.where);
    }
    if (&argument != &call.arguments.back()) {
      fail("the structuring element is the last argument of " + name, argument.where);
    }
    node.shape = *shape;
  }
  if (numRadii == 0) {
    fail(name + " needs a radius in cells, as in " + name + "(S, 2)", closing);
  }
  if (numRadii > 3) {
    fail(name + " takes at most 3 radii, one for each axis", call.arguments[3].where);
  }
  if (numRadii > 1 && node.shape != Shape::Box) {
    fail("only a box has a radius for each axis; this element has one", call.arguments[1].where);
  }
  const bool hasManyRows = node.shape == Shape::Ball;
  const double most = hasManyRows ? SetExpression::maxRowsRadius : std::numeric_limits<Coordinate>::max();
  for (std::size_t k = 0; k < numRadii; ++k) {
    const Argument& radius = call.arguments[k];
    const std::string text = quotedPart(text_, radius.where);
    if (node.shape != Shape::Ball && !isWhole(radius.number)) {
      fail("the radius " + text + " is not a whole number of cells; only a ball may have such a radius", radius.where);
    }
    if (!(radius.number >= 0.0 && radius.number <= most)) {
      fail("the radius is " + text + "; it must be from 0 to " + std::to_string(static_cast<Coordinate>(most)) +
          (hasManyRows ? " for this element" : ""),
        radius.where);
    }
    node.numbers.push_back(radius.number);
  }
  return node;
}

Parser::Node Parser::boundaryNode(const Call& call) const {
  Node node;
  node.kind = Kind::Boundary;
  std::optional<BoundarySide> side;
  std::optional<Connectivity> neighbours;
  for (const Argument& argument : call.arguments) {
    if (argument.isNumber) {
      fail("boundary takes no numbers: it is one cell thick; dilate(S, 2) - S is thicker", argument.where);
    }
    const auto aSide = findWord(sides, argument.word);
    const auto connectivity = findWord(connectivities, argument.word);
    if (!aSide && !connectivity) {
      fail("boundary does not know " + quotedPart(text_, argument.where) +
          "; it takes inner or outer, and faces, edges or vertices",
        argument.where);
    }
    if ((aSide && side) || (connectivity && neighbours)) {
      fail("boundary takes one word for the side and one for the neighbours", argument.where);
    }
    side = aSide ? aSide : side;
    neighbours = connectivity ? connectivity : neighbours;
  }
  node.side = side.value_or(node.side);
  node.connectivity = neighbours.value_or(node.connectivity);
  return node;
}

Parser::Node Parser::neighbourNode(const Call& call, Kind kind) const {
  Node node;
  node.kind = kind;
  for (const Argument& argument : call.arguments) {
    const auto connectivity = argument.isNumber ? std::nullopt : findWord(connectivities, argument.word);
    if (!connectivity || &argument != &call.arguments.front()) {
      fail(call.function.name + " takes the set and one of faces, edges or vertices", argument.where);
    }
    node.connectivity = *connectivity;
  }
  return node;
}

Parser::Node Parser::cellsNode(const Call& call, Kind kind, std::size_t fewest, std::size_t most) const {
  Node node;
  node.kind = kind;
  const TextRange closing{call.where.end() - 1, 1};
  for (const Argument& argument : call.arguments) {
    if (!argument.isNumber) {
      fail(quotedPart(text_, argument.where) + " is no number; write " + call.function.signature, argument.where);
    }
    if (node.numbers.size() == most) {
      fail(call.function.name + " takes at most " + std::to_string(most) + " numbers: " + call.function.signature,
        argument.where);
    }
    if (!isWhole(argument.number) || argument.number < minCoordinate || argument.number > maxIntervalEnd) {
      fail("the number " + quotedPart(text_, argument.where) + " is no whole number of cells in [-2^31, 2^31 - 1]",
        argument.where);
    }
    node.numbers.push_back(argument.number);
  }
  const std::size_t count = node.numbers.size();
  if (count < fewest || (kind == Kind::Box && count % 2 == 1)) {
    fail("a number is missing: write " + call.function.signature + ", in 2D without the last " +
        (kind == Kind::Box ? "two" : "one"),
      closing);
  }
  for (std::size_t k = 0; kind == Kind::Box && k < count; k += 2) {
    if (node.numbers[k + 1] < node.numbers[k]) {
      fail("the box ends at " + quotedPart(text_, call.arguments[k + 1].where) + " before it begins, at " +
          quotedPart(text_, call.arguments[k].where),
        call.arguments[k + 1].where);
    }
  }
  return node;
}

// --- nodes ---

int Parser::add(Node node) {
  const auto isInfinite = [&](int operand) { return nodes_[static_cast<std::size_t>(operand)].infinite; };
  switch (node.kind) {
  case Kind::Complement:
    node.infinite = !isInfinite(node.left);
    break;
  case Kind::Combine: {
    const unsigned bit = (isInfinite(node.left) ? 1U : 0U) + (isInfinite(node.right) ? 2U : 0U);
    node.infinite = (static_cast<unsigned>(node.operation) >> bit & 1U) != 0U; // what it is far away from all inputs
    break;
  }
  case Kind::Boundary:
  case Kind::Input:
  case Kind::Empty:
  case Kind::Box:
    break;
  default:
    node.infinite = isInfinite(node.left);
  }
  std::ostringstream key;
  key.precision(17);
  key << static_cast<int>(node.kind) << ' ' << node.left << ' ' << node.right << ' ' << node.input << ' '
      << static_cast<int>(node.operation) << ' ' << static_cast<int>(node.morphology) << ' '
      << static_cast<int>(node.shape) << ' ' << static_cast<int>(node.side) << ' '
      << static_cast<int>(node.connectivity);
  for (const double number : node.numbers) {
    key << ' ' << number;
  }
  const auto [place, isNew] = known_.emplace(key.str(), static_cast<int>(nodes_.size()));
  if (isNew) {
    nodes_.push_back(std::move(node));
  }
  return place->second;
}

int Parser::addBinary(SetOperation operation, const Part& left, const Part& right, const TextRange& where) {
  Node node;
  node.kind = Kind::Combine;
  node.operation = operation;
  node.left = left.node;
  node.right = right.node;
  node.where = where;
  return add(std::move(node));
}

// --- errors ---

void Parser::fail(const std::string& message, const TextRange& where) const {
  throw SetExpressionError(message, text_, where);
}

std::string Parser::listOfInputs() const {
  constexpr std::size_t maxNames = 12;
  std::vector<std::string> shown;
  for (std::size_t k = 0; k < std::min(names_.size(), maxNames); ++k) {
    shown.push_back(writtenName(names_[k]));
  }
  if (names_.size() > maxNames) {
    shown.push_back(std::to_string(names_.size() - maxNames) + " more");
  }
  return names_.empty()  ? "there are no inputs"
    : names_.size() == 1 ? "the only input is " + shown.front()
                         : "the inputs are " + listed(shown, "and");
}

void Parser::expectEnd() const {
  const Token& next = tokens_.next();
  if (next.kind == Token::Kind::End) {
    return;
  }
  if (next.is(')')) {
    fail("there is no ( for this )", next.where);
  }
  if (next.is(',')) {
    fail("a comma stands between the arguments of a function only", next.where);
  }
  if (next.is('+')) {
    fail("'+' means nothing here; the union is |", next.where);
  }
  if (next.kind == Token::Kind::Number) {
    fail("a comma or an operator is missing before " + quotedPart(text_, next.where), next.where);
  }
  const char* symbol = next.kind == Token::Kind::Name ? symbolOfWord(next.text) : nullptr;
  fail(symbol != nullptr
      ? "write " + std::string(symbol) + " for '" + next.text + "'"
      : "an operator is missing before " + quotedPart(text_, next.where) + "; the operators are ~ - & ^ |",
    next.where);
}

void Parser::expectClosing(std::size_t opened) {
  if (tokens_.next().is(')')) {
    tokens_.take();
    return;
  }
  const Token& next = tokens_.next();
  if (next.kind == Token::Kind::End) {
    fail("the ( has no )", {opened, 1});
  }
  expectEnd();
}

void Parser::checkFinite() const {
  int root = static_cast<int>(nodes_.size()) - 1;
  if (!nodes_[static_cast<std::size_t>(root)].infinite) {
    return;
  }
  // Down to the complement that it is because of.
  const auto node = [&](int k) -> const Node& { return nodes_[static_cast<std::size_t>(k)]; };
  while (!(node(root).kind == Kind::Complement && !node(node(root).left).infinite)) {
    const Node& here = node(root);
    root = here.kind == Kind::Combine && !node(here.left).infinite ? here.right : here.left;
  }
  fail("the result has no end, because of " + quotedPart(text_, node(root).where) +
      ": intersect it with something finite, as in box(...) & ~A or A & ~B",
    node(root).where);
}

} // namespace spanwise::geometry::detail
