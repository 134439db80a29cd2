#include "Core/Field/HaloLayout.hpp"

#include "Core/Runtime/Spaces.hpp"

#include <algorithm>
#include <vector>

namespace spanwise::field {

template <class MemorySpace>
FieldLayout<MemorySpace> haloLayout(const parallel::HaloPlan& plan) {
  std::vector<std::int64_t> bounds{0, plan.numCells};
  for (const auto* const slabs : {&plan.sends, &plan.receives}) {
    for (const parallel::HaloSlab& slab : *slabs) {
      bounds.push_back(slab.firstCell);
      bounds.push_back(slab.firstCell + slab.numCells);
    }
  }
  std::sort(bounds.begin(), bounds.end());
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  std::vector<LabelRun> runs;
  for (std::size_t k = 0; k + 1 < bounds.size(); ++k) {
    runs.push_back({bounds[k + 1] - bounds[k], -static_cast<std::int64_t>(k) - 1});
  }
  return FieldLayout<MemorySpace>::groups(runs);
}

#define SPANWISE_HALO_LAYOUT(Memory) template FieldLayout<Memory> haloLayout<Memory>(const parallel::HaloPlan&);
SPANWISE_HALO_LAYOUT(Kokkos::HostSpace)
SPANWISE_IF_CUDA(SPANWISE_HALO_LAYOUT(Kokkos::CudaSpace))
SPANWISE_IF_HIP(SPANWISE_HALO_LAYOUT(Kokkos::HIPSpace))

} // namespace spanwise::field
