#pragma once

#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <vector>

namespace spanwise::testing {

template <class /*first*/, class... Spaces>
struct TypesAfterFirst {
  using Types = ::testing::Types<Spaces...>;
};

/// Every execution space that Kokkos has, for typed tests.
#define SPANWISE_COMMA_AND(Space) , Space
using AllSpaces = TypesAfterFirst<void SPANWISE_FOR_EACH_SPACE(SPANWISE_COMMA_AND)>::Types;
#undef SPANWISE_COMMA_AND

struct SpaceNames {
  template <class Space>
  static std::string GetName(int /*index*/) {
    return Space::name();
  }
};

/// An instance without threads to wait for where the space has any: there is little to do for each case.
template <class Space>
Space oneThread() {
#ifdef KOKKOS_ENABLE_OPENMP
  if constexpr (std::is_same_v<Space, Kokkos::OpenMP>) {
    return Space(1);
  }
#endif
  return Space();
}

/// From now on all threads of a host, and all teams of a device, take part, however little there is to do.
inline void shareLittleWork() {
  spanwise::detail::littleWork() = {0};
  spanwise::detail::itemsOfOneTeam() = 0;
}

/// Instances with 1, 2 and 3 threads where the space has any, else one: results are to have the same bits on all.
template <class Space>
std::vector<Space> ofSeveralThreads() {
  shareLittleWork();
#ifdef KOKKOS_ENABLE_OPENMP
  if constexpr (std::is_same_v<Space, Kokkos::OpenMP>) {
    return {Space(1), Space(2), Space(3)};
  }
#endif
  return {Space()};
}

} // namespace spanwise::testing
