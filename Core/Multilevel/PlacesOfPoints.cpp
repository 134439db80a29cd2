#include "Core/Multilevel/ConformingMesh.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"

namespace spanwise::multilevel {

template <class ExecutionSpace>
void placesOfPoints(const Context<ExecutionSpace>& context, const ConformingMeshOn<ExecutionSpace>& mesh,
  const geometry::GridGeometry<3>& finest, const Kokkos::View<double*, typename ExecutionSpace::memory_space>& places) {
  SPANWISE_REGION("Multilevel::placesOfPoints");
  const FinePoint* const points = mesh.points.data();
  double* const out = places.data();
  forEach(
    SPANWISE_KERNEL("point places"), IndexRange<ExecutionSpace>(context.space(), 0, mesh.points.count()),
    KOKKOS_LAMBDA(std::int64_t p) {
      for (int axis = 0; axis < 3; ++axis) {
        out[3 * p + axis] = finest.face(axis, points[p].at[axis]);
      }
    });
}

#define SPANWISE_PLACES_OF_POINTS(Space)                                                                               \
  template void placesOfPoints<Space>(const Context<Space>&, const ConformingMeshOn<Space>&,                           \
    const geometry::GridGeometry<3>&, const Kokkos::View<double*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_PLACES_OF_POINTS)

} // namespace spanwise::multilevel
