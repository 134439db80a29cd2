#include "Readers/Meshb/TextMesh.hpp"

#include "Readers/Hdf5/Utf8.hpp"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <charconv>
#include <format>

namespace spanwise::meshb {

namespace {

constexpr std::string_view spaces = " \t\r\n\v\f";

bool isLetter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

} // namespace

TextMesh::TextMesh(const std::string& path) : MeshSource(path) {
  bytes_ = file_.read(0, file_.size(), "the file");
  text_ = {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
  if (word() != "MeshVersionFormatted") {
    throw FileError("it is no mesh: it begins neither with MeshVersionFormatted nor as a binary file does");
  }
  version_ = number<int>("MeshVersionFormatted");
  if (word() != "Dimension") {
    throw FileError("it has no Dimension after its version");
  }
  dimension_ = number<int>("Dimension");
  checkHead();
  for (std::string_view next = word(); !next.empty(); next = word()) {
    const int keyword = isLetter(next.front()) ? keywordOf(next) : 0;
    if (keyword == End) {
      break;
    }
    if (keyword == 0 || keyword == FloatingPointPrecision || keyword == Dimension) {
      continue; // numbers have as many digits as they have
    }
    Section section;
    section.keyword = keyword;
    section.lines = number<std::uint64_t>(nameOf(keyword));
    if (keyword == SolAtVertices) {
      const auto kinds = number<std::uint64_t>(nameOf(keyword));
      for (std::uint64_t k = 0; k < kinds; ++k) { // each takes a word of the file
        section.solutions.push_back(number<int>(nameOf(keyword)));
      }
    }
    section.position = at_;
    section.end = text_.size();
    addSection(std::move(section));
  }
}

std::string_view TextMesh::word() {
  for (;;) {
    at_ = std::min(text_.find_first_not_of(spaces, at_), text_.size());
    if (at_ == text_.size() || text_[at_] != '#') {
      break;
    }
    at_ = std::min(text_.find('\n', at_), text_.size());
  }
  const std::size_t begin = at_;
  at_ = std::min(text_.find_first_of(spaces, at_), text_.size());
  return text_.substr(begin, at_ - begin);
}

template <class T>
T TextMesh::number(const std::string& what) {
  const std::string_view found = word();
  const std::string_view digits = found.starts_with('+') ? found.substr(1) : found;
  T value{};
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size()) {
    throw FileError(what + " has " + hdf5::quotedName(found) + " where a number must be");
  }
  return value;
}

void TextMesh::read(
  const Section& section, LineShape shape, std::vector<double>& reals, std::vector<std::int64_t>& integers) {
  const std::string name = nameOf(section.keyword);
  const auto inLine = static_cast<std::uint64_t>(shape.reals + shape.integers);
  const std::uint64_t most = (section.end - section.position + 1) / 2; // a number and a space
  if (section.lines > most / std::max<std::uint64_t>(inLine, 1)) {
    throw FileError(std::format("it has {} {} of {} numbers, and {} bytes after that", section.lines, name, inLine,
      section.end - section.position));
  }
  reals.clear();
  integers.clear();
  reals.reserve(static_cast<std::size_t>(section.lines) * static_cast<std::size_t>(shape.reals));
  integers.reserve(static_cast<std::size_t>(section.lines) * static_cast<std::size_t>(shape.integers));
  at_ = static_cast<std::size_t>(section.position);
  for (std::uint64_t line = 0; line < section.lines; ++line) {
    for (int k = 0; k < shape.reals; ++k) {
      reals.push_back(number<double>(name));
    }
    for (int k = 0; k < shape.integers; ++k) {
      integers.push_back(number<std::int64_t>(name));
    }
  }
}

} // namespace spanwise::meshb
