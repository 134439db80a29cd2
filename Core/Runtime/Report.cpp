#include "Core/Runtime/KernelTimes.hpp"
#include "Core/Runtime/MemoryCounter.hpp"
#include "Core/Runtime/Runtime.hpp"
#include "Core/Runtime/WaitingThreads.hpp"

#include <Kokkos_Core.hpp>

#include <iomanip>
#include <sstream>

namespace spanwise {

namespace {

std::vector<std::string> enabledSpaces() {
  std::vector<std::string> names{Kokkos::DefaultExecutionSpace::name()};
  const auto add = [&](const std::string& name) {
    if (name != names.front()) {
      names.push_back(name);
    }
  };
#ifdef KOKKOS_ENABLE_CUDA
  add(Kokkos::Cuda::name());
#endif
#ifdef KOKKOS_ENABLE_HIP
  add(Kokkos::HIP::name());
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  add(Kokkos::OpenMP::name());
#endif
#ifdef KOKKOS_ENABLE_THREADS
  add(Kokkos::Threads::name());
#endif
#ifdef KOKKOS_ENABLE_SERIAL
  add(Kokkos::Serial::name());
#endif
  return names;
}

void describeDevice(RuntimeReport& report) {
  report.numDevices = Kokkos::num_devices() > 0 ? Kokkos::num_devices() : 0;
#if defined(KOKKOS_ENABLE_CUDA)
  report.deviceId = Kokkos::device_id();
  report.deviceName = Kokkos::Cuda().cuda_device_prop().name;
  for (int k = 0; k < report.numDevices; ++k) {
    cudaDeviceProp properties;
    report.devices.emplace_back(
      cudaGetDeviceProperties(&properties, k) == cudaSuccess ? properties.name : "unknown device");
  }
#elif defined(KOKKOS_ENABLE_HIP)
  report.deviceId = Kokkos::device_id();
  report.deviceName = Kokkos::HIP().hip_device_prop().name;
  for (int k = 0; k < report.numDevices; ++k) {
    hipDeviceProp_t properties;
    report.devices.emplace_back(
      hipGetDeviceProperties(&properties, k) == hipSuccess ? properties.name : "unknown device");
  }
#endif
}

std::string bytesText(std::size_t bytes) {
  static constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024.0 && unit + 1 < std::size(units)) {
    value /= 1024.0;
    ++unit;
  }
  std::ostringstream text;
  text << std::fixed << std::setprecision(unit == 0 ? 0 : 1) << value << ' ' << units[unit];
  return text.str();
}

} // namespace

RuntimeReport runtimeReport() {
  RuntimeReport report;
  report.started = runtimeStarted();
  report.executionSpaces = enabledSpaces();
  report.defaultExecutionSpace = Kokkos::DefaultExecutionSpace::name();
  report.hostExecutionSpace = Kokkos::DefaultHostExecutionSpace::name();
  if (report.started) {
    report.hostThreads = Kokkos::DefaultHostExecutionSpace().concurrency();
    report.waitingThreads = waitingThreads();
    describeDevice(report);
  }
  reportMemory(report);
  report.kernels = kernelTimesNow();
  return report;
}

std::string toString(const RuntimeReport& report) {
  std::ostringstream text;
  text << "execution spaces:";
  for (const std::string& name : report.executionSpaces) {
    text << ' ' << name;
  }
  text << "\ndefault: " << report.defaultExecutionSpace << ", host: " << report.hostExecutionSpace;
  if (!report.started) {
    text << "\nnot started yet\n";
    return text.str();
  }
  text << "\nhost threads: " << report.hostThreads << "\nbetween kernels: " << report.waitingThreads << "\ndevice: ";
  if (report.deviceId >= 0) {
    text << report.deviceName << " (index " << report.deviceId << " of " << report.numDevices << ")";
  } else {
    text << "none";
  }
  for (std::size_t k = 0; k < report.devices.size(); ++k) {
    text << "\ndevice " << k << ": " << report.devices[k];
  }
  for (const MemoryAccount& account : report.memory) {
    text << "\nmemory in " << account.space << ": " << bytesText(account.bytesNow) << " now, "
         << bytesText(account.bytesPeak) << " at most, taken " << account.allocations << " times";
  }
  text << "\ncopied to the device: " << bytesText(report.bytesToDevice)
       << ", to the host: " << bytesText(report.bytesToHost) << '\n';
  if (!report.kernels.empty()) {
    text << toString(report.kernels);
  }
  return text.str();
}

} // namespace spanwise
