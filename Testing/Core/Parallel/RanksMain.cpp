#include "Core/Parallel/MpiCommunicator.hpp"
#include "Core/Runtime/Runtime.hpp"
#include "Testing/Core/Parallel/World.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

// Every rank runs the same tests; a failure on any of them fails all. Rank 0 tells how it goes, the others what failed.
// With --device=Staged or --device=Direct the host's memory goes the way of a device's: through staging memory, or as
// it lies, which is what MPI libraries that take device memory get.
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string mode = argc > 1 ? argv[1] : "";
  spanwise::testing::hostAsDevice = mode.rfind("--device=", 0) == 0;
  auto ranks = std::make_unique<spanwise::MpiCommunicator>(
    MPI_COMM_WORLD, mode == "--device=Direct" ? spanwise::MpiDevice::Direct : spanwise::MpiDevice::Staged);
  spanwise::testing::everybody = ranks.get();
  testing::GTEST_FLAG(brief) = ranks->rank() != 0;
  testing::InitGoogleTest(&argc, argv);
  spanwise::startRuntime();
  const int failed = RUN_ALL_TESTS();
  ranks.reset();
  MPI_Finalize();
  return failed;
}
