#include "Core/Runtime/Runtime.hpp"

#include <gtest/gtest.h>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  // Child processes are forked, and a team of threads does not survive that.
  spanwise::RuntimeSettings settings;
  settings.numThreads = 1;
  spanwise::setRuntimeSettings(settings);
  spanwise::startRuntime();
  return RUN_ALL_TESTS();
}
