#include "Testing/Core/Parallel/World.hpp"

#include "Core/Runtime/Runtime.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace {
std::unique_ptr<spanwise::MpiCommunicator> everybody;
} // namespace

const spanwise::Communicator& spanwise::testing::world() { return *everybody; }

// Every rank runs the same tests; a failure on any of them fails all. Rank 0 tells how it goes, the others what failed.
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  everybody = std::make_unique<spanwise::MpiCommunicator>(MPI_COMM_WORLD);
  testing::GTEST_FLAG(brief) = everybody->rank() != 0;
  testing::InitGoogleTest(&argc, argv);
  spanwise::startRuntime();
  const int failed = RUN_ALL_TESTS();
  everybody.reset();
  MPI_Finalize();
  return failed;
}
