#pragma once

// 2D and 3D are equals: most tests run for both.

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

namespace spanwise::testing {

template <int Dim>
using Dimension = std::integral_constant<int, Dim>;
using Dimensions = ::testing::Types<Dimension<2>, Dimension<3>>;

struct DimensionNames {
  template <class D>
  static std::string GetName(int /*index*/) {
    return std::to_string(D::value) + "D";
  }
};

} // namespace spanwise::testing
