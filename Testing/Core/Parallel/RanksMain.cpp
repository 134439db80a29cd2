#include "Core/Parallel/MpiCommunicator.hpp"
#include "Core/Runtime/Runtime.hpp"
#include "Testing/Core/Parallel/World.hpp"

#include <gtest/gtest.h>

#include <memory>

// Every rank runs the same tests; a failure on any of them fails all. Rank 0 tells how it goes, the others what failed.
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  auto ranks = std::make_unique<spanwise::MpiCommunicator>(MPI_COMM_WORLD);
  spanwise::testing::everybody = ranks.get();
  testing::GTEST_FLAG(brief) = ranks->rank() != 0;
  testing::InitGoogleTest(&argc, argv);
  spanwise::startRuntime();
  const int failed = RUN_ALL_TESTS();
  ranks.reset();
  MPI_Finalize();
  return failed;
}
