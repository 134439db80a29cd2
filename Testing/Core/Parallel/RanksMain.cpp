#include "Core/Parallel/Messenger.hpp"
#include "Core/Parallel/MpiCommunicator.hpp"
#ifdef SPANWISE_NCCL
#include "Core/Parallel/NcclCommunicator.hpp"
#endif
#include "Core/Runtime/Runtime.hpp"
#include "Testing/Core/Parallel/World.hpp"
#include "Testing/LittleWork.hpp"
#include "Testing/RankTurns.hpp"
#include "Testing/Rooms.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

// With --device=Staged or --device=Direct the host's memory goes the way of a device's: through staging memory, or as
// it lies, which is what MPI libraries that take device memory get. With --nccl a device's memory goes by NCCL; each
// rank needs a device of its own.
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  testing::InitGoogleTest(&argc, argv);
  const std::string mode = argc > 1 ? argv[1] : "";
  spanwise::parallel::detail::hostAsDevice() = mode.rfind("--device=", 0) == 0;
  const auto device =
    mode == "--device=Direct" ? spanwise::parallel::MpiDevice::Direct : spanwise::parallel::MpiDevice::Staged;
  spanwise::startRuntime();
  spanwise::testing::restoreLittleWork();
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const auto split = [&](bool isIn) {
    MPI_Comm ranks = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, isIn ? 0 : 1, rank, &ranks);
    std::shared_ptr<spanwise::Communicator> communicator;
#ifdef SPANWISE_NCCL
    if (mode == "--nccl") {
      communicator = std::make_shared<spanwise::parallel::NcclCommunicator>(ranks);
    }
#endif
    if (communicator == nullptr) {
      communicator = std::make_shared<spanwise::parallel::MpiCommunicator>(ranks, device);
    }
    MPI_Comm_free(&ranks);
    return communicator;
  };
  const int failed = spanwise::testing::runInTurns(
    rank, size, split, [](const auto& ranks) { spanwise::testing::everybody = ranks.get(); });
  MPI_Finalize();
  return failed;
}
