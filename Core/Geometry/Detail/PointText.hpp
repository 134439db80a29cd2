#pragma once

#include "Core/Geometry/Detail/Fetch.hpp"

#include <array>
#include <charconv>
#include <string>

namespace spanwise::detail {

/// "(0, 0.5, -2)", for messages: as many digits as tell the numbers from all others.
inline std::string pointText(const double* point, int dimension) {
  std::string text = "(";
  for (int d = 0; d < dimension; ++d) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), point[d]).ptr;
    text.append(d == 0 ? "" : ", ").append(digits.data(), end);
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

} // namespace spanwise::detail
