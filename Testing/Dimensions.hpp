#pragma once

// 2D and 3D are equals: most tests run for both.

#include "Testing/Core/Geometry/Reference.hpp"

#include <gtest/gtest.h>

#include <random>
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

/// A test of both with random input; the seed stands beside what fails.
template <class D>
struct RandomTest : public ::testing::Test {
  static constexpr int dim = D::value;
  std::mt19937 random{seed()};
  ::testing::ScopedTrace trace{__FILE__, __LINE__, "seed " + std::to_string(seed())};
};

} // namespace spanwise::testing
