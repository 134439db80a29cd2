#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Runtime.hpp"
#include "Testing/Rooms.hpp"

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace spanwise::testing {
namespace {

const MemoryAccount* accountOf(const RuntimeReport& report, const std::string& space) {
  const auto found =
    std::find_if(report.memory.begin(), report.memory.end(), [&](const MemoryAccount& a) { return a.space == space; });
  return found == report.memory.end() ? nullptr : &*found;
}

TEST(Runtime, StartsOnceFromAnyThread) {
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([] { startRuntime(); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_TRUE(runtimeStarted());
}

TEST(Runtime, RefusesOtherSettingsOnceItRuns) {
  startRuntime();
  RuntimeSettings settings;
  settings.numThreads = 7;
  EXPECT_THROW(setRuntimeSettings(settings), RuntimeError);
  EXPECT_NO_THROW(setRuntimeSettings({}));
}

TEST(Runtime, RefusesSettingsThatMeanNothing) {
  RuntimeSettings settings;
  settings.numThreads = 0;
  EXPECT_THROW(setRuntimeSettings(settings), RuntimeError);
  settings = {};
  settings.deviceId = -1;
  EXPECT_THROW(setRuntimeSettings(settings), RuntimeError);
}

TEST(Runtime, AccountsForMemory) {
  startRuntime();
  const std::string space = Kokkos::HostSpace::name();
  const auto bytesNow = [&] {
    const RuntimeReport report = runtimeReport();
    const MemoryAccount* account = accountOf(report, space);
    return account == nullptr ? std::size_t{0} : account->bytesNow;
  };
  const std::size_t before = bytesNow();
  {
    const Kokkos::View<double*, Kokkos::HostSpace> view("Runtime test", 1000);
    EXPECT_GE(bytesNow(), before + 8000);
  }
  EXPECT_EQ(bytesNow(), before);
  const RuntimeReport report = runtimeReport();
  ASSERT_NE(accountOf(report, space), nullptr);
  EXPECT_GE(accountOf(report, space)->bytesPeak, before + 8000);
}

TEST(Runtime, CountsBytesThatCross) {
  startRuntime();
  using DeviceMemory = Kokkos::DefaultExecutionSpace::memory_space;
  const Kokkos::View<char*, DeviceMemory> device("device", 4096);
  const Kokkos::View<char*, Kokkos::HostSpace> host("host", 4096);
  const RuntimeReport before = runtimeReport();
  Kokkos::deep_copy(device, host);
  Kokkos::deep_copy(host, device);
  const RuntimeReport after = runtimeReport();
  const std::size_t expected = std::is_same_v<DeviceMemory, Kokkos::HostSpace> ? 0 : 4096;
  EXPECT_EQ(after.bytesToDevice - before.bytesToDevice, expected);
  EXPECT_EQ(after.bytesToHost - before.bytesToHost, expected);
}

TEST(Runtime, ListsDevicesByTheirIndex) {
  startRuntime();
  RuntimeReport report = runtimeReport();
  EXPECT_EQ(static_cast<int>(report.devices.size()), report.numDevices);
  if (report.deviceId >= 0) {
    EXPECT_EQ(report.devices[static_cast<std::size_t>(report.deviceId)], report.deviceName);
  }
  report.devices = {"one of a kind", "another"};
  EXPECT_NE(toString(report).find("\ndevice 0: one of a kind\ndevice 1: another\n"), std::string::npos);
}

TEST(Runtime, ReportsInLines) {
  startRuntime();
  const std::string text = toString(runtimeReport());
  EXPECT_NE(text.find(Kokkos::DefaultExecutionSpace::name()), std::string::npos);
  EXPECT_NE(text.find("host threads: "), std::string::npos);
  EXPECT_NE(text.find("\nbetween kernels: "), std::string::npos);
}

} // namespace
} // namespace spanwise::testing
