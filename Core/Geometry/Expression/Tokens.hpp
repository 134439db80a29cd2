#pragma once

#include "Core/Geometry/Expression/SetExpressionError.hpp"

#include <string>
#include <string_view>

namespace spanwise::geometry::detail {

/// A name, a number or a symbol of an expression.
struct Token {
  enum class Kind { End, Name, Number, Symbol };

  Kind kind = Kind::End;
  TextRange where;
  std::string text;   ///< of a name without its quotes
  double value = 0.0; ///< of a number
  bool quoted = false;

  [[nodiscard]] bool is(char symbol) const { return kind == Kind::Symbol && text.size() == 1 && text[0] == symbol; }
};

/// Whether a name may stand without quotes: letters, digits and underscores, no digit first. All that is not ASCII
/// counts as letters.
bool isPlainName(std::string_view name);

/// Cuts a text into tokens. Space, ends of lines, and what follows a # up to the end of the line part them.
class Tokens {
public:
  explicit Tokens(std::string_view text);

  /// The token that comes next; of kind End for ever after the last one.
  [[nodiscard]] const Token& next() const { return next_; }
  /// The next token, which is then behind. Throws SetExpressionError if the one after it is none.
  Token take();

private:
  void read();
  void readNumber();
  void readQuoted();

  std::string_view text_;
  std::size_t at_ = 0;
  Token next_;
};

} // namespace spanwise::geometry::detail
