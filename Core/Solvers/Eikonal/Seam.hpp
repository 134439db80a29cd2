#pragma once

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/List.hpp"
#include "Core/Geometry/Periods.hpp"
#include "Core/Multilevel/FinePoint.hpp"
#include "Core/Runtime/Context.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

/// Where axes of a mesh close on themselves. A mesh keeps the vertices on both sides, so that all that is said of
/// places stays as it is; fronts go from one vertex of a pair to the other in no time.
struct Seam {
  const std::int32_t* pairs = nullptr; ///< [count][2]: vertices that are one, in the memory of the execution space
  std::int64_t count = 0;
  double periods[3] = {}; ///< the length of one period along each axis of space; 0: it does not repeat
};

/// The pairs of a seam. Keeps its memory.
template <class MemorySpace>
struct SeamPairs {
  geometry::List<std::int32_t, MemorySpace> vertices; ///< [count][2]
  double periods[3] = {};

  [[nodiscard]] Seam view() const {
    return {vertices.data(), vertices.count() / 2, {periods[0], periods[1], periods[2]}};
  }
};

/// out = pairs that join the points which are one where axes repeat: those on the first and the last plane of the
/// period. Of several that are one all others are paired with that of the least number. `points` [numPoints] of the
/// lattice of level `finest` lie within the period, both ends included; `periods` is in cells of level 0, which lie in
/// `root`. O(points + points on the seam * log of these). Waits.
template <class ExecutionSpace, int Dim>
void joinSeam(const Context<ExecutionSpace>& context, const multilevel::FinePoint* points, std::int64_t numPoints,
  const geometry::Periods<Dim>& periods, int finest, const geometry::GridGeometry<Dim>& root,
  SeamPairs<typename ExecutionSpace::memory_space>& out);

} // namespace spanwise::eikonal
