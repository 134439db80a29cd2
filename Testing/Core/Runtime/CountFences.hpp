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
  std::uint32_t instance; ///< its number on the device, or that of all of them
};

/// The instance as Kokkos reports it with fences. It does not tell apart those on the host. Fences name the first
/// device on any of several.
inline std::uint32_t instanceOf(std::uint32_t device) {
  return Kokkos::Tools::Experimental::identifier_from_devid(device).instance_id;
}
template <class ExecutionSpace>
std::uint32_t instanceOf(const ExecutionSpace& space) {
  return instanceOf(Kokkos::Tools::Experimental::device_id(space));
}

/// Records fences from now on; one at a time.
class FencesOf {
public:
  FencesOf() : before_(Kokkos::Tools::Experimental::get_callbacks()) {
    recorded().clear();
    Kokkos::Tools::Experimental::set_begin_fence_callback(
      [](const char* label, std::uint32_t device, std::uint64_t* /*id*/) {
        recorded().push_back({label, instanceOf(device)});
      });
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
