#ifndef SpanwisePropertyChecks_h
#define SpanwisePropertyChecks_h

// Properties of the filters for particles that are out of range. Not wrapped and not installed.

#include "Core/Runtime/Error.hpp"

#include <cmath>
#include <format>

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

/// Throws InvalidArgument unless a length that sums take the square of is finite, positive or, where it `mayBeZero`, 0,
/// and its square a number of their precision.
inline void checkLength(const char* what, double value, bool mayBeZero, bool inFloat) {
  checkNumber(what, value, mayBeZero ? value >= 0.0 : value > 0.0, mayBeZero ? " and not negative" : " and positive");
  const double least = inFloat ? 1.1e-19 : 1.5e-154;
  const double most = inFloat ? 1.8e19 : 1.3e154;
  if (value != 0.0 && !(value >= least && value <= most)) {
    throw InvalidArgument(std::format("the {} is {}; it must be within {} and {}{}, for sums in {} precision have its "
                                      "square: use other units",
      what, value, least, most, mayBeZero ? ", or 0" : "", inFloat ? "single" : "double"));
  }
}

} // namespace spanwise

#endif
