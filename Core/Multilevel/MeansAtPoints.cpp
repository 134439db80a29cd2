#include "Core/Multilevel/ConformingMesh.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"

namespace spanwise::multilevel {

namespace {

struct Means {
  const std::int64_t* offsets;
  const LeafShare* shares;
  const double* leafValues;
  double* pointValues;

  KOKKOS_FUNCTION void operator()(std::int64_t p) const {
    double sum = 0.0;
    double weights = 0.0;
    for (std::int64_t s = offsets[p]; s < offsets[p + 1]; ++s) {
      if (s == offsets[p] || !(shares[s] == shares[s - 1])) {
        sum += shares[s].weight() * leafValues[shares[s].leaf()]; // a power of two: the product is exact
        weights += shares[s].weight();
      }
    }
    pointValues[p] = sum / weights;
  }
};

} // namespace

template <class ExecutionSpace>
void meansAtPoints(const ExecutionSpace& space, const ConformingMeshOn<ExecutionSpace>& mesh,
  const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& leafValues,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& pointValues) {
  SPANWISE_REGION("Multilevel::meansAtPoints");
  forEach(SPANWISE_KERNEL("means at points"), IndexRange<ExecutionSpace>(space, 0, mesh.points.count()),
    Means{mesh.shareOffsets.data(), mesh.shares.data(), leafValues.data(), pointValues.data()});
}

#define SPANWISE_MEANS_AT_POINTS(Space)                                                                                \
  template void meansAtPoints<Space>(const Space&, const ConformingMeshOn<Space>&,                                     \
    const Kokkos::View<const double*, Space::memory_space>&, const Kokkos::View<double*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_MEANS_AT_POINTS)

} // namespace spanwise::multilevel
