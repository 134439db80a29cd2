#include "Core/Runtime/Runtime.hpp"
#include "Testing/LittleWork.hpp"

#include <gtest/gtest.h>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  spanwise::startRuntime();
  spanwise::testing::restoreLittleWork();
  return RUN_ALL_TESTS();
}
