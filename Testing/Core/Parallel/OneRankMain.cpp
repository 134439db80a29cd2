#include "Testing/Core/Parallel/World.hpp"

#include "Core/Runtime/Runtime.hpp"

#include <gtest/gtest.h>

const spanwise::Communicator& spanwise::testing::world() {
  static const SingleProcess process;
  return process;
}

// Where there is no MPI: the same tests on one rank, whose halo is its own other end.
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  spanwise::startRuntime();
  return RUN_ALL_TESTS();
}
