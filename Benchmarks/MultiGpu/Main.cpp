// What several devices do together, one rank a device: mpiexec -n 4 SpanwiseMultiGpu --help. Benchmarks/MultiGpu runs
// it on 1, 2, 4 ... devices and makes tables of its rows. Without a device the host's memory and threads are measured.

#include "Benchmarks/MultiGpu/Run.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/MpiCommunicator.hpp"
#ifdef SPANWISE_NCCL
#include "Core/Parallel/NcclCommunicator.hpp"
#endif
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Runtime.hpp"

#include <CLI/CLI.hpp>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <format>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace spanwise::benchmarks {
namespace {

/// How what lies in a device's memory goes to another rank.
enum class Way { Best, Nccl, Mpi, Staged };

constexpr bool hasNccl =
#ifdef SPANWISE_NCCL
  true;
#else
  false;
#endif

Way chosen(Way way, const Communicator& ranks) {
  if (way == Way::Best) {
    return hasNccl && !ranks.alone() ? Way::Nccl : mpiTakesDeviceMemory().value_or(false) ? Way::Mpi : Way::Staged;
  }
  if (way == Way::Nccl && !hasNccl) {
    throw RuntimeError("this program was built without NCCL: build it for CUDA where NCCL is installed, or use "
                       "--messages mpi or staged");
  }
  if (way == Way::Mpi && !mpiTakesDeviceMemory().value_or(true)) {
    throw RuntimeError("this MPI library does not take the memory of a device: use one that was built for CUDA, or "
                       "--messages nccl or staged");
  }
  return way;
}

std::unique_ptr<Communicator> ranksBy(Way way) {
#ifdef SPANWISE_NCCL
  if (way == Way::Nccl) {
    return std::make_unique<NcclCommunicator>(MPI_COMM_WORLD);
  }
#endif
  return std::make_unique<MpiCommunicator>(MPI_COMM_WORLD, way == Way::Mpi ? MpiDevice::Direct : MpiDevice::Staged);
}

/// Throws, on all ranks, where ranks would have to share a device.
void checkDevices(const Communicator& ranks) {
  const RuntimeReport report = runtimeReport();
  int besides = 0;
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  MPI_Comm_size(host, &besides);
  MPI_Comm_free(&host);
  agree(ranks, [&] {
    if (report.numDevices > 0 && besides > report.numDevices) {
      throw InvalidArgument(std::format(
        "{} ranks are on a machine that has {} devices: each rank needs one of its own", besides, report.numDevices));
    }
  });
}

/// Says what has failed: once where all ranks have failed. Where others go on, the program is ended.
void tell(const Communicator& ranks, const char* what) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  int areHere = 0;
  for (int wait = 0; wait < 500 && areHere == 0; ++wait) {
    MPI_Test(&request, &areHere, MPI_STATUS_IGNORE);
    std::this_thread::sleep_for(std::chrono::milliseconds(areHere == 0 ? 10 : 0));
  }
  if (areHere == 0 || ranks.rank() == 0) {
    std::fprintf(
      stderr, "SpanwiseMultiGpu: %s%s\n", areHere == 0 ? std::format("on rank {}: ", ranks.rank()).c_str() : "", what);
  }
  if (areHere == 0) {
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

void describe(const Communicator& ranks, Way way) {
  const RuntimeReport report = runtimeReport();
  if (ranks.rank() == 0) {
    const std::map<Way, const char*> names{
      {Way::Nccl, "NCCL"}, {Way::Mpi, "MPI that takes device memory"}, {Way::Staged, "MPI, staged through the host"}};
    std::printf("{\"theme\": \"machine\", \"name\": \"%s\", \"ranks\": %d, \"messages by\": \"%s\"}\n",
      report.deviceName.empty() ? report.defaultExecutionSpace.c_str() : report.deviceName.c_str(), ranks.size(),
      names.at(way));
  }
}

} // namespace
} // namespace spanwise::benchmarks

int main(int argc, char** argv) {
  using namespace spanwise::benchmarks;
  using Measure = void (*)(const Run&);
  const std::vector<std::pair<std::string, Measure>> themes{{"messages", measureMessages}, {"lattice", measureLattice},
    {"gas", measureGas}, {"multipoles", measureMultipoles}, {"grid", measureGridTimes}, {"mesh", measureMeshTimes},
    {"sets", measureSets}};
  MPI_Init(&argc, &argv);
  int code = 0;
  {
    const spanwise::parallel::MpiCommunicator everybody(MPI_COMM_WORLD);
    CLI::App app("Measures what several devices do together, one rank a device; each row is a line of JSON");
    std::vector<std::string> asked;
    double scale = 1.0;
    Way way = Way::Best;
    std::unique_ptr<spanwise::Communicator> ranks; // goes on all ranks together, when none has failed alone
    std::vector<std::string> names;
    for (const auto& [name, measure] : themes) {
      names.push_back(name);
    }
    app.add_option("themes", asked, "messages, lattice, gas, multipoles, grid, mesh, sets; all by default")
      ->check(CLI::IsMember(names));
    app.add_option("--scale", scale, "Edges of what is measured are so many times as long")
      ->check(CLI::Range(0.01, 10.0))
      ->capture_default_str();
    app.add_option("--messages", way, "How a device's memory goes to other ranks")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Way>{
        {"best", Way::Best}, {"nccl", Way::Nccl}, {"mpi", Way::Mpi}, {"staged", Way::Staged}}));
    try {
      app.parse(argc, argv);
      spanwise::startRuntime();
      checkDevices(everybody);
      way = chosen(way, everybody);
      ranks = ranksBy(way);
      describe(*ranks, way);
      for (const auto& [name, measure] : themes) {
        if (asked.empty() || std::find(asked.begin(), asked.end(), name) != asked.end()) {
          measure(Run(*ranks, scale)); // with memory of its own
        }
      }
    } catch (const CLI::ParseError& error) {
      code = everybody.rank() == 0 ? app.exit(error) : error.get_exit_code();
    } catch (const std::exception& error) {
      tell(everybody, error.what());
      code = 1;
    }
  }
  MPI_Finalize();
  return code;
}
