#pragma once

#include <type_traits>

namespace spanwise::nbody::detail {

/// What instructions for Pack that the compiler does not have are derived from, so that the files of their functions
/// compile to none.
struct NoLanes {};

template <class Lanes>
inline constexpr bool isThere = !std::is_base_of_v<NoLanes, Lanes>;

} // namespace spanwise::nbody::detail
