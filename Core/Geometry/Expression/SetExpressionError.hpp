#pragma once

#include "Core/Runtime/Error.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace spanwise::geometry {

/// A part of a text, in bytes.
struct TextRange {
  std::size_t begin = 0;
  std::size_t length = 0;

  [[nodiscard]] std::size_t end() const { return begin + length; }
};

/// An expression (SetExpression) breaks a rule at a place of its text.
///
/// what() says where and why, and shows the line with a caret under the place:
///
///     column 5: no input has the name 'D'; the inputs are A, B and C
///         A | D
///             ^
///
/// Lines and columns count from 1, columns in characters of UTF-8. Of a long line the part around the place is shown.
class SetExpressionError : public InvalidArgument {
public:
  SetExpressionError(const std::string& message, std::string_view text, const TextRange& where);

  /// The first line of what(), without the place.
  [[nodiscard]] const std::string& message() const { return message_; }
  /// The place as a part of the text; of length 0 at its end.
  [[nodiscard]] const TextRange& where() const { return where_; }
  [[nodiscard]] std::size_t line() const { return line_; }
  [[nodiscard]] std::size_t column() const { return column_; }
  /// The line with a caret under the place, on two lines, with so many characters on both sides of the place at most.
  [[nodiscard]] std::string caret(int charactersAround) const;

private:
  std::string message_;
  TextRange where_;
  std::string lineText_;
  std::size_t line_;
  std::size_t lineAt_; ///< of the place in its line, in bytes
  std::size_t column_;
};

/// A part of a text in quotes, on one line and not too long, for messages.
std::string quotedPart(std::string_view text, const TextRange& where);

} // namespace spanwise::geometry
