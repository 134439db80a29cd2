#include "Core/Geometry/Expression/SetExpressionError.hpp"

#include <algorithm>

namespace spanwise::geometry {

namespace {

/// Whether a byte begins a character of UTF-8.
bool beginsCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

std::size_t countCharacters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), beginsCharacter));
}

std::size_t lineBegin(std::string_view text, std::size_t at) {
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

std::string_view lineAt(std::string_view text, std::size_t at) {
  const std::size_t begin = lineBegin(text, at);
  return text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
}

/// What has no picture of its own is shown as a question mark; a tabulator as a space, so that the caret stands right.
char shown(char byte) {
  const auto code = static_cast<unsigned char>(byte);
  if (byte == '\t') {
    return ' ';
  }
  return code < 0x20U || code == 0x7FU ? '?' : byte;
}

/// Moves a position by so many characters, within the text.
std::size_t moved(std::string_view text, std::size_t at, int characters) {
  for (; characters > 0 && at < text.size(); --characters) {
    for (++at; at < text.size() && !beginsCharacter(text[at]);) {
      ++at;
    }
  }
  for (; characters < 0 && at > 0; ++characters) {
    for (--at; at > 0 && !beginsCharacter(text[at]);) {
      --at;
    }
  }
  return at;
}

/// The line and, under it, a caret with a tail as long as the place. Each begins with `margin`.
std::string withCaret(
  std::string_view line, std::size_t at, std::size_t length, int charactersAround, const std::string& margin) {
  const std::size_t begin = moved(line, at, -charactersAround);
  const std::size_t end = moved(line, at, charactersAround);
  std::string text = margin + (begin > 0 ? "..." : "");
  const std::size_t left = countCharacters(line.substr(begin, at - begin)) + (begin > 0 ? 3 : 0);
  std::transform(line.begin() + static_cast<std::ptrdiff_t>(begin), line.begin() + static_cast<std::ptrdiff_t>(end),
    std::back_inserter(text), shown);
  text += end < line.size() ? "..." : "";
  const std::size_t tail = countCharacters(line.substr(at, std::min(length, end - at)));
  return text + "\n" + margin + std::string(left, ' ') + "^" + std::string(tail > 1 ? tail - 1 : 0, '~');
}

std::string described(const std::string& message, std::string_view text, const TextRange& where) {
  constexpr int charactersAround = 60;
  const std::string_view line = lineAt(text, where.begin);
  const std::size_t at = where.begin - lineBegin(text, where.begin);
  const bool isOneLine = text.find('\n') == std::string_view::npos;
  const auto number = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(where.begin), '\n');
  return (isOneLine ? std::string() : "line " + std::to_string(number) + ", ") + "column " +
    std::to_string(countCharacters(line.substr(0, at)) + 1) + ": " + message + "\n" +
    withCaret(line, at, where.length, charactersAround, "    ");
}

TextRange within(std::string_view text, const TextRange& where) {
  const std::size_t begin = std::min(where.begin, text.size());
  return {begin, std::min(where.length, text.size() - begin)};
}

} // namespace

SetExpressionError::SetExpressionError(const std::string& message, std::string_view text, const TextRange& where)
  : InvalidArgument(described(message, text, within(text, where))), message_(message), where_(within(text, where)),
    lineText_(lineAt(text, where_.begin)), line_(1 +
                                             static_cast<std::size_t>(std::count(text.begin(),
                                               text.begin() + static_cast<std::ptrdiff_t>(where_.begin), '\n'))),
    lineAt_(where_.begin - lineBegin(text, where_.begin)),
    column_(1 + countCharacters(std::string_view(lineText_).substr(0, lineAt_))) {}

std::string SetExpressionError::caret(int charactersAround) const {
  return withCaret(lineText_, lineAt_, where_.length, charactersAround, std::string());
}

std::string quotedPart(std::string_view text, const TextRange& where) {
  constexpr int maxCharacters = 40;
  const TextRange part = within(text, where);
  const std::string_view whole = text.substr(part.begin, part.length);
  const std::size_t length = moved(whole, 0, maxCharacters);
  std::string result = "'";
  std::transform(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length), std::back_inserter(result),
    [](char byte) { return byte == '\n' || byte == '\r' ? ' ' : shown(byte); });
  return result + (length < whole.size() ? "...'" : "'");
}

} // namespace spanwise::geometry
