#include "SpanwiseHeldMemory.h"

#include "Core/Runtime/Runtime.hpp"

#include <Kokkos_Core.hpp>

#include <mutex>
#include <unordered_set>

namespace spanwise {

class HeldMemoryRegistry {
public:
  // Never destroyed: holders may go after every static object has gone.
  static HeldMemoryRegistry& instance() {
    static auto* const theRegistry = new HeldMemoryRegistry;
    return *theRegistry;
  }

  void add(HeldMemory* holder) {
    const std::scoped_lock lock(mutex_);
    holders_.insert(holder);
  }

  void remove(HeldMemory* holder) {
    const std::scoped_lock lock(mutex_);
    holders_.erase(holder);
  }

private:
  HeldMemoryRegistry() {
    Kokkos::push_finalize_hook([this] { releaseAll(); });
  }

  void releaseAll() {
    const std::scoped_lock lock(mutex_);
    for (HeldMemory* holder : holders_) {
      holder->releaseMemory();
    }
    holders_.clear();
  }

  std::mutex mutex_;
  std::unordered_set<HeldMemory*> holders_;
};

HeldMemory::HeldMemory() {
  startRuntime();
  HeldMemoryRegistry::instance().add(this);
}

HeldMemory::~HeldMemory() { HeldMemoryRegistry::instance().remove(this); }

} // namespace spanwise
