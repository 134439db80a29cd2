#pragma once

#include "Core/Geometry/Interval.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace spanwise::geometry {

/// The most rows that a function makes of few numbers, such as a box or a radius: a slip of the keyboard must not take
/// all memory there is. Sets may have more rows; what combines, moves or cuts them has no such limit.
inline constexpr std::int64_t maxMadeRows = std::int64_t{1} << 30;

/// The product of two counts that are not negative, or maxMadeRows + 1 where it is more than maxMadeRows.
constexpr std::int64_t rowProduct(std::int64_t a, std::int64_t b) {
  return a == 0 || b <= maxMadeRows / a ? a * b : maxMadeRows + 1;
}

/// How many rows a box has, or maxMadeRows + 1 if it has more than maxMadeRows.
template <int Dim>
std::int64_t numRowsUpToLimit(const Box<Dim>& box) {
  return box.empty() ? 0 : rowProduct(box.extent(1), Dim == 2 ? 1 : box.extent(Dim - 1));
}

/// Throws InvalidArgument if so many rows, of what text() says, are more than maxMadeRows. `remedy` says what would be
/// right.
template <class Text>
void checkMadeRows(std::int64_t rows, const Text& text, const char* remedy) {
  if (rows > maxMadeRows) { // only then is there a text: nothing is allocated otherwise
    throw InvalidArgument(text() + " more than 2^30 rows, which no set that is made may have; " + remedy);
  }
}

/// Throws InvalidArgument if a box that is to be filled has more than maxMadeRows rows.
template <int Dim>
void checkMadeRows(const Box<Dim>& box, const char* remedy = "give it fewer cells along y and z") {
  checkMadeRows(numRowsUpToLimit(box), [&] { return "the box " + toString(box) + " has"; }, remedy);
}

} // namespace spanwise::geometry
