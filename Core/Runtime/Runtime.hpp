#pragma once

#include "Core/Runtime/KernelTimes.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace spanwise {

/// What can be chosen before the runtime starts; afterwards it is fixed for the life of the process.
struct RuntimeSettings {
  std::optional<int> numThreads; ///< host threads; default: Kokkos's own choice
  std::optional<int> deviceId;   ///< the device by index; default: Kokkos's own choice
};

/// Sets what startRuntime() will use. Throws RuntimeError if the runtime has started with other settings, or a number
/// is not valid (threads >= 1, device >= 0).
void setRuntimeSettings(const RuntimeSettings& settings);

/// Starts Kokkos unless it has been started, and has it stopped at the end of the process. Every class that uses Core
/// calls this first; it is cheap and may be called from several threads. Throws RuntimeError after Kokkos was stopped.
/// Where Kokkos takes a device's memory from CUDA's pool (Kokkos_ENABLE_IMPL_CUDA_MALLOC_ASYNC), the pool keeps what is
/// free, up to half of the device's memory.
void startRuntime();

/// Whether Kokkos runs.
bool runtimeStarted();

/// One memory space's account: what Kokkos allocations (sets, fields, workspaces) hold.
struct MemoryAccount {
  std::string space;
  std::size_t bytesNow = 0;
  std::size_t bytesPeak = 0;   ///< the most since the start, or since restartMemoryPeaks()
  std::size_t allocations = 0; ///< how often memory was taken since the start
};

/// What runs where, how much memory it holds, what was copied, and what kernels took.
struct RuntimeReport {
  bool started = false;
  std::vector<std::string> executionSpaces; ///< enabled ones, the default one first
  std::string defaultExecutionSpace;
  std::string hostExecutionSpace;
  int hostThreads = 0;
  std::string waitingThreads; ///< what host threads do between kernels
  int numDevices = 0;
  int deviceId = -1; ///< -1: none
  std::string deviceName;
  std::vector<std::string> devices; ///< all that there are by their index, the `deviceId` of the settings
  std::vector<MemoryAccount> memory;
  std::size_t bytesToDevice = 0;
  std::size_t bytesToHost = 0;
  std::vector<KernelTime> kernels; ///< what KernelTimes measures, if one lives; what took longest comes first
};

/// The report now. Does not start the runtime.
RuntimeReport runtimeReport();

/// Counts the most bytes of each memory space (MemoryAccount::bytesPeak) anew, from what it holds now.
void restartMemoryPeaks();

/// The report as lines for people.
std::string toString(const RuntimeReport& report);

} // namespace spanwise
