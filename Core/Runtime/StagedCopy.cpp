#include "Core/Runtime/StagedCopy.hpp"

#include <mutex>
#include <optional>

namespace spanwise {

namespace {

constexpr std::size_t bytesOfStage = std::size_t{16} << 20U;

/// The stages of a device, which are kept from copy to copy until Kokkos stops.
template <class ExecutionSpace>
class KeptStages {
  using Copy = detail::StagedCopy<ExecutionSpace, Kokkos::SharedHostPinnedSpace>;
  using Stages = typename Copy::Stages;

public:
  /// copy(stages), unless they are in use or cannot be made.
  template <class Body>
  bool use(const Body& copy) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock() || !make()) {
      return false;
    }
    copy(*stages_);
    return true;
  }

  static KeptStages& ofDevice() {
    static auto* const kept = new KeptStages; // never destroyed: Kokkos stops after static objects have gone
    return *kept;
  }

private:
  bool make() {
    if (stages_) {
      return true;
    }
    if (!releasedAtTheEnd_) {
      Kokkos::push_finalize_hook([this] {
        const std::scoped_lock lock(mutex_);
        stages_.reset();
      });
      releasedAtTheEnd_ = true;
    }
    try {
      const auto queues = Kokkos::Experimental::partition_space(ExecutionSpace(), 1, 1);
      const auto memory = [] {
        return Kokkos::View<char*, Kokkos::SharedHostPinnedSpace>(
          Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Runtime::stage")), bytesOfStage);
      };
      stages_ = Stages{{{queues[0], memory()}, {queues[1], memory()}}};
    } catch (...) { // no memory can be pinned now; the driver copies then, and the next copy tries again
      return false;
    }
    return true;
  }

  std::mutex mutex_;
  std::optional<Stages> stages_;
  bool releasedAtTheEnd_ = false;
};

template <class ExecutionSpace>
using CopyOf = detail::StagedCopy<ExecutionSpace, Kokkos::SharedHostPinnedSpace>;

} // namespace

template <class ExecutionSpace>
bool copyToHostInStages(const void* from, std::size_t bytes, void* to) {
  return KeptStages<ExecutionSpace>::ofDevice().use([&](const auto& stages) {
    CopyOf<ExecutionSpace>(stages, static_cast<const char*>(from), bytes, static_cast<char*>(to)).toHost();
  });
}

template <class ExecutionSpace>
bool copyFromHostInStages(const void* from, std::size_t bytes, void* to) {
  return KeptStages<ExecutionSpace>::ofDevice().use([&](const auto& stages) {
    CopyOf<ExecutionSpace>(stages, static_cast<const char*>(from), bytes, static_cast<char*>(to)).fromHost();
  });
}

#define SPANWISE_STAGED_COPIES(Space)                                                                                  \
  template bool copyToHostInStages<Space>(const void*, std::size_t, void*);                                            \
  template bool copyFromHostInStages<Space>(const void*, std::size_t, void*);
SPANWISE_IF_CUDA(SPANWISE_STAGED_COPIES(Kokkos::Cuda))
SPANWISE_IF_HIP(SPANWISE_STAGED_COPIES(Kokkos::HIP))
SPANWISE_IF_SYCL(SPANWISE_STAGED_COPIES(Kokkos::SYCL))

} // namespace spanwise
