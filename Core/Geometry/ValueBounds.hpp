#pragma once

#include "Core/Geometry/ValueRange.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/PointText.hpp"

#include <Kokkos_Core.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

namespace spanwise::geometry {

/// A range of values in the values' own type where that is an integer, so that 64-bit ones are compared exactly.
template <class T>
struct ValueBounds {
  using Bound = std::conditional_t<std::is_integral_v<T>, T, double>;
  Bound lower;
  Bound upper;

  [[nodiscard]] KOKKOS_FUNCTION bool contains(T value) const { return value >= lower && value <= upper; }
};

/// Throws InvalidArgument unless lower <= upper, which is false for NaN too.
inline void checkRange(const ValueRange& range) {
  if (!(range.lower <= range.upper)) {
    throw InvalidArgument("the range of values is [" + numberText(range.lower) + ", " + numberText(range.upper) +
      "]; its lower bound must not exceed its upper bound, and neither may be NaN");
  }
}

/// Sets the bounds to the same values as `range` has, in the values' type. False if no value can be in it.
template <class T>
bool setBounds(const ValueRange& range, ValueBounds<T>& bounds) {
  if constexpr (std::is_integral_v<T>) {
    using Limits = std::numeric_limits<T>;
    const double beyond = std::ldexp(1.0, Limits::digits); // largest value + 1; a double holds it, not always the value
    const double lower = std::ceil(range.lower);
    const double upper = std::floor(range.upper);
    if (lower >= beyond || upper < static_cast<double>(Limits::min())) {
      return false;
    }
    bounds.lower = lower <= static_cast<double>(Limits::min()) ? Limits::min() : static_cast<T>(lower);
    bounds.upper = upper >= beyond ? Limits::max() : static_cast<T>(upper);
  } else {
    bounds.lower = range.lower;
    bounds.upper = range.upper;
  }
  return bounds.lower <= bounds.upper;
}

} // namespace spanwise::geometry

// What reads values of any type is compiled once for each arithmetic type of VTK's arrays: a file hands its macro
// M(T, ...) to this one. Static analysis, which takes seconds for a type, gets one of each kind.
#ifdef __clang_analyzer__
#define SPANWISE_FOR_EACH_ARRAY_TYPE(M, ...)                                                                           \
  M(unsigned char, __VA_ARGS__)                                                                                        \
  M(long long, __VA_ARGS__)                                                                                            \
  M(float, __VA_ARGS__)
#else
#define SPANWISE_FOR_EACH_ARRAY_TYPE(M, ...)                                                                           \
  M(char, __VA_ARGS__)                                                                                                 \
  M(signed char, __VA_ARGS__)                                                                                          \
  M(unsigned char, __VA_ARGS__)                                                                                        \
  M(short, __VA_ARGS__)                                                                                                \
  M(unsigned short, __VA_ARGS__)                                                                                       \
  M(int, __VA_ARGS__)                                                                                                  \
  M(unsigned, __VA_ARGS__)                                                                                             \
  M(long, __VA_ARGS__)                                                                                                 \
  M(unsigned long, __VA_ARGS__)                                                                                        \
  M(long long, __VA_ARGS__)                                                                                            \
  M(unsigned long long, __VA_ARGS__)                                                                                   \
  M(float, __VA_ARGS__)                                                                                                \
  M(double, __VA_ARGS__)
#endif
