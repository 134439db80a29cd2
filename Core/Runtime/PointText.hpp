#pragma once

#include "Core/Runtime/Fetch.hpp"

#include <array>
#include <charconv>
#include <string>

namespace spanwise {

/// A number as messages show it: as many digits as tell it from all others.
inline std::string numberText(double number) {
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

/// "(0, 0.5, -2)".
inline std::string pointText(const double* point, int dimension) {
  std::string text = "(";
  for (int d = 0; d < dimension; ++d) {
    text.append(d == 0 ? "" : ", ").append(numberText(point[d]));
  }
  return text + ")";
}

/// Point i of a View of points in the memory of `space`.
template <class ExecutionSpace, class Points>
std::string pointText(const ExecutionSpace& space, const Points& points, std::int64_t i) {
  std::array<double, Points::static_extent(1)> point{};
  for (std::size_t d = 0; d < point.size(); ++d) {
    const auto place = static_cast<std::size_t>(i) * points.stride(0) + d * points.stride(1);
    point[d] = fetch(space, points.data(), static_cast<std::int64_t>(place));
  }
  return pointText(point.data(), static_cast<int>(point.size()));
}

} // namespace spanwise
