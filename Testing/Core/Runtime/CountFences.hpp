#pragma once

// Records what is waited for: the fences that Kokkos reports.

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace spanwise::testing {

struct Fence {
  std::string label;
  std::uint32_t device; ///< what Kokkos calls the instance, or the whole device
};

/// The instance as Kokkos reports it. It does not tell apart those on the host.
template <class ExecutionSpace>
std::uint32_t deviceOf(const ExecutionSpace& space) {
  return Kokkos::Tools::Experimental::device_id(space);
}

/// Records fences from now on; one at a time.
class FencesOf {
public:
  FencesOf() : before_(Kokkos::Tools::Experimental::get_callbacks()) {
    recorded().clear();
    Kokkos::Tools::Experimental::set_begin_fence_callback(
      [](const char* label, std::uint32_t device, std::uint64_t* /*id*/) { recorded().push_back({label, device}); });
  }
  ~FencesOf() { Kokkos::Tools::Experimental::set_begin_fence_callback(before_.begin_fence); }
  FencesOf(const FencesOf&) = delete;
  FencesOf& operator=(const FencesOf&) = delete;

  [[nodiscard]] static std::vector<Fence> fences() { return recorded(); }

private:
  static std::vector<Fence>& recorded() {
    static std::vector<Fence> fences;
    return fences;
  }

  Kokkos::Tools::Experimental::EventSet before_;
};

} // namespace spanwise::testing
