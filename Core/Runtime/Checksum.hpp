#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace spanwise {

/// The checksum of bytes that finds a flipped bit or a piece that is missing: XXH64 with seed 0 (Y. Collet, xxHash fast
/// digest algorithm, 2014). O(bytes), about as fast as memory.
[[nodiscard]] std::uint64_t checksum(std::span<const std::byte> bytes);

} // namespace spanwise
