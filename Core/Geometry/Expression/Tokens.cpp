#include "Core/Geometry/Expression/Tokens.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace spanwise::geometry::detail {

namespace {

// Of ASCII, whatever the locale.
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool beginsName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80U;
}
bool isInName(char c) { return beginsName(c) || isDigit(c); }

/// What people write who know another notation.
const char* remedyFor(char symbol) {
  switch (symbol) {
  case '+':
    return "; the union is |";
  case '*':
    return "; the intersection is &";
  case '\\':
  case '/':
    return "; the difference is -";
  case '!':
    return "; the complement is ~";
  default:
    return "; the operators are ~ - & ^ |";
  }
}

} // namespace

bool isPlainName(std::string_view name) {
  return !name.empty() && beginsName(name.front()) && std::all_of(name.begin(), name.end(), isInName);
}

Tokens::Tokens(std::string_view text) : text_(text) { read(); }

Token Tokens::take() {
  Token taken = std::move(next_);
  read();
  return taken;
}

void Tokens::read() {
  while (at_ < text_.size() && (isSpace(text_[at_]) || text_[at_] == '#')) {
    at_ = text_[at_] == '#' ? std::min(text_.find('\n', at_), text_.size()) : at_ + 1;
  }
  next_ = Token();
  next_.where.begin = at_;
  if (at_ == text_.size()) {
    return;
  }
  const char first = text_[at_];
  if (isDigit(first) || (first == '.' && at_ + 1 < text_.size() && isDigit(text_[at_ + 1]))) {
    readNumber();
  } else if (first == '\'' || first == '"' || first == '`') {
    readQuoted();
  } else if (beginsName(first)) {
    next_.kind = Token::Kind::Name;
    while (at_ < text_.size() && isInName(text_[at_])) {
      next_.text += text_[at_++];
    }
  } else if (std::string_view("~-&^|(),+").find(first) != std::string_view::npos) {
    next_.kind = Token::Kind::Symbol; // a plus may be the sign of a number
    next_.text = first;
    ++at_;
  } else {
    throw SetExpressionError(quotedPart(text_, {at_, 1}) + " means nothing here" + remedyFor(first), text_, {at_, 1});
  }
  next_.where.length = at_ - next_.where.begin;
}

void Tokens::readNumber() {
  next_.kind = Token::Kind::Number;
  const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), next_.value);
  const std::size_t begin = at_;
  at_ = static_cast<std::size_t>(end - text_.data());
  const TextRange where{begin, at_ - begin};
  if (error != std::errc()) {
    throw SetExpressionError("the number " + quotedPart(text_, where) + " is too large", text_, where);
  }
  if (at_ < text_.size() && isInName(text_[at_])) {
    while (at_ < text_.size() && isInName(text_[at_])) {
      ++at_;
    }
    const TextRange word{begin, at_ - begin};
    throw SetExpressionError(
      quotedPart(text_, word) + " is neither a number nor a name; a name that begins with a digit stands in quotes",
      text_, word);
  }
  next_.text = text_.substr(begin, at_ - begin);
}

void Tokens::readQuoted() {
  next_.kind = Token::Kind::Name;
  next_.quoted = true;
  const std::size_t begin = at_;
  const char quote = text_[at_++];
  while (true) {
    if (at_ == text_.size() || text_[at_] == '\n') {
      throw SetExpressionError(
        std::string("the name has no closing ") + quote + " on its line", text_, {begin, at_ - begin});
    }
    if (text_[at_] == quote) {
      ++at_;
      if (at_ == text_.size() || text_[at_] != quote) {
        return;
      }
      // two quotes are one of the name
    }
    next_.text += text_[at_++];
  }
}

} // namespace spanwise::geometry::detail
