#include "Core/Runtime/Runtime.hpp"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/MemoryCounter.hpp"
#include "Core/Runtime/WaitingThreads.hpp"

#include <Kokkos_Core.hpp>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <mutex>

namespace spanwise {

namespace {

std::mutex settingsMutex;
RuntimeSettings chosen;

void start() {
  Kokkos::InitializationSettings settings;
  settings.set_disable_warnings(true); // OMP_PROC_BIND advice is noise in a user's Output window
  if (chosen.numThreads) {
    settings.set_num_threads(*chosen.numThreads);
  }
  if (chosen.deviceId) {
    const int numDevices = Kokkos::num_devices(); // -1 in a build for the host alone, which any index suits
    if (numDevices >= 0 && *chosen.deviceId >= numDevices) {
      throw RuntimeError("the device index is " + std::to_string(*chosen.deviceId) +
        "; it must be less than the number " + "of devices, " + std::to_string(numDevices));
    }
    settings.set_device_id(*chosen.deviceId);
  }
  Kokkos::initialize(settings);
  letThreadsSleep();
  // Kokkos must stop before the static objects of its own library go, and after those of the caller's libraries that
  // hold Views: an exit handler that is set now runs before the former. No View may live in a static object of ours.
  std::atexit([] {
    if (Kokkos::is_initialized()) {
      Kokkos::finalize();
    }
  });
}

// Kokkos takes memory from the driver's pool if it was built so. The pool gives what is free back to the device at each
// fence unless it may keep it. Half of the device is left to others.
void keepFreedMemory() {
#if defined(KOKKOS_ENABLE_CUDA) && defined(KOKKOS_ENABLE_IMPL_CUDA_MALLOC_ASYNC)
  const Kokkos::Cuda device;
  cudaMemPool_t pool = nullptr;
  if (cudaDeviceGetDefaultMemPool(&pool, device.cuda_device()) == cudaSuccess) {
    std::uint64_t kept = device.cuda_device_prop().totalGlobalMem / 2;
    static_cast<void>(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept)); // slower without
  }
#endif
}

} // namespace

void setRuntimeSettings(const RuntimeSettings& settings) {
  if (settings.numThreads && *settings.numThreads < 1) {
    throw RuntimeError("the number of threads is " + std::to_string(*settings.numThreads) + "; it must be at least 1");
  }
  if (settings.deviceId && *settings.deviceId < 0) {
    throw RuntimeError("the device index is " + std::to_string(*settings.deviceId) + "; it must be at least 0");
  }
  const std::scoped_lock lock(settingsMutex);
  if (runtimeStarted() && (settings.numThreads != chosen.numThreads || settings.deviceId != chosen.deviceId)) {
    throw RuntimeError("threads and device cannot change any more: the runtime has started; restart the application");
  }
  chosen = settings;
}

bool runtimeStarted() { return Kokkos::is_initialized(); }

void startRuntime() {
  static std::atomic<bool> ready{
    false}; // Kokkos says that it runs before it does, so other threads do not ask it first
  if (ready && Kokkos::is_initialized()) {
    return;
  }
  const std::scoped_lock lock(settingsMutex);
  if (Kokkos::is_finalized()) {
    throw RuntimeError("Kokkos was stopped before Spanwise was used; it cannot be started a second time");
  }
  if (!Kokkos::is_initialized()) { // otherwise the application has started it and will stop it
    start();
  }
  keepFreedMemory();
  countMemory(); // after Kokkos has loaded the user's tool, if there is one
  ready = true;
}

} // namespace spanwise
