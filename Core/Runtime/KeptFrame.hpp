#pragma once

#include "Core/Runtime/FrameBytes.hpp"

#include <cstdint>

namespace spanwise {

/// A state of a time-dependent solver from which it can go on: what the solver itself has put in a row (FrameWriter),
/// which nobody else looks into.
struct KeptFrame {
  std::int64_t number = 0;
  double time = 0.0; ///< in the solver's units
  FrameBytes bytes;
};

} // namespace spanwise
