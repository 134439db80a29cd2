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

} // namespace spanwise

#endif
