#include "Core/Runtime/MemoryCounter.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>

namespace spanwise {

namespace {

namespace Tools = Kokkos::Tools::Experimental;

struct Account {
  Kokkos_Profiling_SpaceHandle space{};
  std::size_t now = 0;
  std::size_t peak = 0;
  std::size_t allocations = 0;
};

// Fixed in size: the counter must not allocate while it counts allocations. Kokkos has fewer memory spaces than this.
struct Counter {
  std::mutex mutex;
  std::array<Account, 16> accounts;
  std::size_t numAccounts = 0;
  std::size_t toDevice = 0;
  std::size_t toHost = 0;
  Tools::EventSet before{}; // the callbacks of a tool that was there first
  bool counting = false;
};

// Never destroyed: Views may be given back while static objects go.
Counter& counter() {
  static auto* const theCounter = new Counter;
  return *theCounter;
}

// The account of a space; the caller holds the mutex.
Account* accountOf(Counter& state, const Kokkos_Profiling_SpaceHandle& space) {
  const auto end = state.accounts.begin() + static_cast<std::ptrdiff_t>(state.numAccounts);
  auto found = std::find_if(state.accounts.begin(), end,
    [&](const Account& account) { return std::strcmp(account.space.name, space.name) == 0; });
  if (found != end) {
    return &*found;
  }
  if (state.numAccounts == state.accounts.size()) {
    return nullptr;
  }
  Account& fresh = state.accounts[state.numAccounts++];
  fresh.space = space;
  return &fresh;
}

void onAllocate(Kokkos_Profiling_SpaceHandle space, const char* label, const void* pointer, std::uint64_t bytes) {
  Counter& state = counter();
  {
    const std::scoped_lock lock(state.mutex);
    if (Account* account = accountOf(state, space)) {
      account->now += bytes;
      account->peak = std::max(account->peak, account->now);
      account->allocations += bytes > 0 ? 1 : 0; // a launch of teams on a device tells of scratch memory of no bytes
    }
  }
  if (state.before.allocate_data != nullptr) {
    state.before.allocate_data(space, label, pointer, bytes);
  }
}

void onDeallocate(Kokkos_Profiling_SpaceHandle space, const char* label, const void* pointer, std::uint64_t bytes) {
  Counter& state = counter();
  {
    const std::scoped_lock lock(state.mutex);
    if (Account* account = accountOf(state, space)) {
      account->now -= std::min<std::size_t>(account->now, bytes); // what was taken before the count began
    }
  }
  if (state.before.deallocate_data != nullptr) {
    state.before.deallocate_data(space, label, pointer, bytes);
  }
}

void onBeginCopy(Kokkos_Profiling_SpaceHandle target, const char* targetLabel, const void* targetPointer,
  Kokkos_Profiling_SpaceHandle source, const char* sourceLabel, const void* sourcePointer, std::uint64_t bytes) {
  Counter& state = counter();
  {
    const std::scoped_lock lock(state.mutex);
    const char* const device = Kokkos::DefaultExecutionSpace::memory_space::name();
    const bool toDevice = std::strcmp(target.name, device) == 0;
    const bool fromDevice = std::strcmp(source.name, device) == 0;
    if (toDevice && !fromDevice) {
      state.toDevice += bytes;
    } else if (fromDevice && !toDevice) { // to the host's usual memory or to pinned memory
      state.toHost += bytes;
    }
  }
  if (state.before.begin_deep_copy != nullptr) {
    state.before.begin_deep_copy(target, targetLabel, targetPointer, source, sourceLabel, sourcePointer, bytes);
  }
}

} // namespace

void countMemory() {
  Counter& state = counter();
  {
    const std::scoped_lock lock(state.mutex);
    if (state.counting) {
      return;
    }
    state.counting = true;
  }
  state.before = Tools::get_callbacks();
  Tools::set_allocate_data_callback(onAllocate);
  Tools::set_deallocate_data_callback(onDeallocate);
  Tools::set_begin_deep_copy_callback(onBeginCopy);
}

void restartMemoryPeaks() {
  Counter& state = counter();
  const std::scoped_lock lock(state.mutex);
  for (Account& account : state.accounts) {
    account.peak = account.now;
  }
}

void reportMemory(RuntimeReport& report) {
  Counter& state = counter();
  const std::scoped_lock lock(state.mutex);
  for (std::size_t k = 0; k < state.numAccounts; ++k) {
    const Account& account = state.accounts[k];
    report.memory.push_back({account.space.name, account.now, account.peak, account.allocations});
  }
  report.bytesToDevice = state.toDevice;
  report.bytesToHost = state.toHost;
}

} // namespace spanwise
