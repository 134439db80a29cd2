#pragma once

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <cstdint>
#include <string>

namespace spanwise {

/// body(k) for k in [0, count), for items such as the rows of a set, which may differ much in length: the host's
/// threads are dealt them as they come, and a device has a thread for each. Few are done by the calling thread. Waits
/// on the host. For a device the body is a functor, or a lambda of a source that runs there.
template <class ExecutionSpace, class Body>
void forEachUneven(const ExecutionSpace& space, const std::string& label, std::int64_t count, const Body& body) {
  constexpr std::int64_t workOfItem = 64; // in small items
  forEach(label.c_str(), UnevenRange<ExecutionSpace>(space, 0, count), body, Work{workOfItem * count});
  if constexpr (runsOnHost<ExecutionSpace>) {
    space.fence(label);
  }
}

} // namespace spanwise
