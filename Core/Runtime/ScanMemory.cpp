#include "Core/Runtime/ScanMemory.hpp"

#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <map>
#include <mutex>

namespace spanwise::detail {

namespace {

template <class ExecutionSpace>
class ScanMemories {
public:
  using Memory = Kokkos::View<char*, typename ExecutionSpace::memory_space>;

  Memory of(const ExecutionSpace& space) {
    const std::scoped_lock lock(mutex_);
    if (memories_.empty()) {
      Kokkos::push_finalize_hook([this] {
        const std::scoped_lock locked(mutex_);
        memories_.clear();
      });
    }
    Memory& memory = memories_[Kokkos::Tools::Experimental::device_id(space)];
    if (memory.extent(0) == 0) {
      memory = Memory(SPANWISE_LABEL("Runtime::sums of teams"), maxBytesOfSum * (maxTeamsOfScan + 1)); // zeros
    }
    return memory;
  }

private:
  std::mutex mutex_;
  std::map<std::uint32_t, Memory> memories_;
};

} // namespace

template <class ExecutionSpace>
ScanMemory scanMemory(const ExecutionSpace& space) {
  static auto* const memories = new ScanMemories<ExecutionSpace>; // never destroyed: Kokkos stops after static objects
  char* const bytes = memories->of(space).data();
  return {reinterpret_cast<int*>(bytes), bytes + maxBytesOfSum};
}

#define SPANWISE_SCAN_MEMORY(Space) template ScanMemory scanMemory<Space>(const Space&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_SCAN_MEMORY)

} // namespace spanwise::detail
