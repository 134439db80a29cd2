#include "Core/Multilevel/ConformingMesh.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"

namespace spanwise::multilevel {

template <class ExecutionSpace>
void meansAtPoints(const Context<ExecutionSpace>& context, const ConformingMeshOn<ExecutionSpace>& mesh,
  const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& leafValues,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& pointValues) {
  SPANWISE_REGION("Multilevel::meansAtPoints");
  const std::int64_t* const offsets = mesh.shareOffsets.data();
  const LeafShare* const shares = mesh.shares.data();
  const double* const ofLeaves = leafValues.data();
  double* const ofPoints = pointValues.data();
  forEach(
    SPANWISE_KERNEL("means at points"), IndexRange<ExecutionSpace>(context.space(), 0, mesh.points.count()),
    KOKKOS_LAMBDA(std::int64_t p) {
      double sum = 0.0;
      double weights = 0.0;
      for (std::int64_t s = offsets[p]; s < offsets[p + 1]; ++s) {
        if (s == offsets[p] || !(shares[s] == shares[s - 1])) {
          sum += shares[s].weight() * ofLeaves[shares[s].leaf()]; // a power of two: the product is exact
          weights += shares[s].weight();
        }
      }
      ofPoints[p] = sum / weights;
    });
}

#define SPANWISE_MEANS_AT_POINTS(Space)                                                                                \
  template void meansAtPoints<Space>(const Context<Space>&, const ConformingMeshOn<Space>&,                            \
    const Kokkos::View<const double*, Space::memory_space>&, const Kokkos::View<double*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_MEANS_AT_POINTS)

} // namespace spanwise::multilevel
