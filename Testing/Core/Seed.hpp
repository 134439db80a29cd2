#pragma once

#include <cstdlib>

namespace spanwise::testing {

/// The seed of this run: SPANWISE_TEST_SEED if it is set, otherwise a fixed one. Tests print it through SCOPED_TRACE.
inline unsigned seed() {
  const char* text = std::getenv("SPANWISE_TEST_SEED");
  return text != nullptr ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : 20240229U;
}

} // namespace spanwise::testing
