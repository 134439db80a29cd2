#pragma once

#include <cstdlib>

namespace spanwise::testing {

/// Whether tests of many cases that take long each take all of them: if SPANWISE_TEST_ALL is set. Otherwise they take
/// some of every kind.
inline bool isExhaustive() { return std::getenv("SPANWISE_TEST_ALL") != nullptr; }

} // namespace spanwise::testing
