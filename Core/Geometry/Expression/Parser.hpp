#pragma once

#include "Core/Geometry/Expression/Functions.hpp"
#include "Core/Geometry/Expression/Tokens.hpp"
#include "Core/Geometry/SetExpression.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace spanwise::geometry::detail {

/// Makes the nodes of a SetExpression by recursive descent.
class Parser {
public:
  using Node = SetExpression::Node;
  using Nodes = std::vector<Node>;

  Parser(std::string_view text, const std::vector<std::string>& names) : text_(text), names_(names), tokens_(text) {}

  /// The nodes of the whole text. Throws SetExpressionError.
  Nodes parse();

private:
  using Kind = SetExpression::Kind;

  /// A part that has been read: its node and all of its text, with the parentheses around it.
  struct Part {
    int node;
    TextRange where;
  };
  /// A number or a word of a function's arguments, behind the set.
  struct Argument {
    TextRange where;
    bool isNumber;
    double number;
    std::string word;
  };
  /// A function that is being read.
  struct Call {
    const SetExpressionFunction& function;
    TextRange where; ///< of the name, in the end of the whole
    std::vector<Argument> arguments;
  };

  Part parseBinary(std::size_t level);
  Part parseUnary();
  Part parsePrimary();
  Part parseCall(const Token& name);
  Part parseInput(const Token& name);
  Argument parseArgument();

  Node morphNode(const Call& call, MorphologyOperation operation) const;
  Node boundaryNode(const Call& call) const;
  Node neighbourNode(const Call& call, Kind kind) const;
  Node cellsNode(const Call& call, Kind kind, std::size_t fewest, std::size_t most) const;

  /// Adds a node unless it is there already.
  int add(Node node);
  int addBinary(SetOperation operation, const Part& left, const Part& right, const TextRange& where);

  void expectEnd() const;
  void expectClosing(std::size_t opened);
  void checkFinite() const;
  [[noreturn]] void fail(const std::string& message, const TextRange& where) const;
  [[nodiscard]] std::string listOfInputs() const;

  std::string_view text_;
  const std::vector<std::string>& names_;
  Tokens tokens_;
  Nodes nodes_;
  std::map<std::string, int> known_;
  int nesting_ = 0;
};

} // namespace spanwise::geometry::detail
