#pragma once

#include <cstdint>
#include <string>

namespace spanwise {

/// A number with the noun that it counts, as messages say it: "1 component", "3 components".
inline std::string countText(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

} // namespace spanwise
