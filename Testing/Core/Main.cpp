#include "Core/Runtime/Runtime.hpp"

#include <gtest/gtest.h>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  spanwise::startRuntime();
  return RUN_ALL_TESTS();
}
