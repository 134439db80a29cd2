#pragma once

#include "Core/Runtime/KeptFrame.hpp"

#include <algorithm>
#include <cstddef>
#include <random>

namespace spanwise::testing {

/// A frame of random bytes.
inline KeptFrame randomFrame(std::mt19937& random, std::int64_t number, std::size_t numBytes) {
  KeptFrame frame{number, 0.25 * static_cast<double>(number), FrameBytes(numBytes)};
  std::generate(frame.bytes.begin(), frame.bytes.end(), [&] { return static_cast<std::byte>(random()); });
  return frame;
}

} // namespace spanwise::testing
