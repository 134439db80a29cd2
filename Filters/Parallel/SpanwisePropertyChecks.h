#ifndef SpanwisePropertyChecks_h
#define SpanwisePropertyChecks_h

// Properties of filters that are out of range. Not wrapped and not installed.

#include "Core/Runtime/Error.hpp"

#include <cmath>
#include <format>
#include <type_traits>

namespace spanwise {

/// Throws InvalidArgument unless a choice is within 0 and `most`.
inline void checkChoice(const char* what, int value, int most) {
  if (value < 0 || value > most) {
    throw InvalidArgument(std::format("the {} is {}; it must be within 0 and {}", what, value, most));
  }
}

/// Throws InvalidArgument unless a number is finite and `isValid`; `rule` goes on after "finite".
inline void checkNumber(const char* what, double value, bool isValid, const char* rule) {
  if (!isValid || !std::isfinite(value)) {
    throw InvalidArgument(std::format("the {} is {}; it must be finite{}", what, value, rule));
  }
}

inline void checkPositive(const char* what, double value) { checkNumber(what, value, value > 0.0, " and positive"); }

template <class Values>
void checkFinite(const char* what, const Values& values) {
  for (const double value : values) {
    if (!std::isfinite(value)) {
      throw InvalidArgument(std::format("a component of the {} is {}; it must be finite", what, value));
    }
  }
}

/// The least length whose square is a number of a precision with all its digits. Its inverse is about the greatest one.
template <class Real>
inline constexpr double minLength = std::is_same_v<Real, float> ? 1.1e-19 : 1.5e-154;

/// Throws InvalidArgument unless a length that sums take the square of is finite, positive or, where it `mayBeZero`, 0,
/// and its square a number in double precision.
inline void checkLength(const char* what, double value, bool mayBeZero) {
  checkNumber(what, value, mayBeZero ? value >= 0.0 : value > 0.0, mayBeZero ? " and not negative" : " and positive");
  constexpr double most = 1.3e154;
  if (value != 0.0 && !(value >= minLength<double> && value <= most)) {
    throw InvalidArgument(
      std::format("the {} is {}; it must be within {} and {}{}, for sums have its square: use other "
                  "units",
        what, value, minLength<double>, most, mayBeZero ? ", or 0" : ""));
  }
}

} // namespace spanwise

#endif
