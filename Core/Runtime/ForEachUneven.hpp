#pragma once

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <cstdint>
#include <string>

namespace spanwise {

/// body(k) for k in [0, count) on the host's threads, for items such as the rows of a set: they may differ much in
/// length, so they are dealt out as threads come. Few are done by the calling thread. Waits.
template <class Body>
void forEachUneven(const HostExecutionSpace& space, const std::string& label, std::int64_t count, const Body& body) {
  constexpr std::int64_t workOfItem = 64; // in small items
  forEach(label.c_str(), UnevenRange<HostExecutionSpace>(space, 0, count), body, Work{workOfItem * count});
  space.fence(label);
}

} // namespace spanwise
