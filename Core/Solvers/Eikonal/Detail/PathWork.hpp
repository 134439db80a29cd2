#pragma once

#include "Core/Runtime/Reduce.hpp"

#include <cstdint>

namespace spanwise::eikonal::detail {

/// What so many paths take, of some hundred steps each.
inline Work workOfPaths(std::int64_t numPaths) { return {512 * numPaths}; }

} // namespace spanwise::eikonal::detail
