#pragma once

#include "Core/Field/StencilMap.hpp"
#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/Periods.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Solvers/Eikonal/EdgeTimes.hpp"
#include "Core/Solvers/Eikonal/GridView.hpp"
#include "Core/Solvers/Eikonal/Speed.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace spanwise::eikonal {

/// What the speeds of cells are like: of a set, or of the sets of all ranks.
struct SpeedSurvey {
  EdgeTimes times;             ///< the least to a neighbour along an axis, of cells that are no walls
  std::int64_t numCoupled = 0; ///< cells whose tensor couples axes
};

/// Looks at the speeds of so many cells. Throws InvalidArgument as buildGrid() does. O(cells).
template <class ExecutionSpace, int Dim>
SpeedSurvey surveySpeeds(
  const ExecutionSpace& space, std::int64_t numCells, const geometry::GridGeometry<Dim>& lattice, const Speed& speed);

/// How many planes the vectors go across, along the slowest axis, that the tensors of so many cells are decomposed
/// into; at least 1. O(cells).
template <class ExecutionSpace, int Dim>
std::int64_t planesAcross(
  const ExecutionSpace& space, std::int64_t numCells, const geometry::GridGeometry<Dim>& lattice, const Speed& speed);

/// The neighbours of each cell of a set, and for tensors that couple axes the directions that they are decomposed into.
/// Refers to the arrays of the speeds. Keeps its memory.
template <int Dim, class MemorySpace>
class GridNeighbours {
public:
  using View = GridView<Dim>;

  [[nodiscard]] const View& view() const { return view_; }
  [[nodiscard]] std::size_t bytes() const {
    return segmentOfCell_.span() * sizeof(std::int32_t) + map_.bytes() +
      firstCells_.span() * sizeof(geometry::Cell<Dim>) + directions_.span() * sizeof(typename View::Direction) +
      dependentOffsets_.span() * sizeof(std::int64_t) + dependents_.span() * sizeof(std::int32_t);
  }

  /// Finds them. With `hasDirections` along the vectors of tensors. Throws InvalidArgument as buildGrid() does.
  template <class ExecutionSpace>
  void find(const Context<ExecutionSpace>& context, const geometry::IntervalSet<Dim, MemorySpace>& set,
    const geometry::GridGeometry<Dim>& lattice, const geometry::Periods<Dim>& periods, const Speed& speed,
    bool hasDirections);

private:
  field::StencilMap<typename View::Pattern, MemorySpace> map_;
  Kokkos::View<std::int32_t*, MemorySpace> segmentOfCell_;
  Kokkos::View<geometry::Cell<Dim>*, MemorySpace> firstCells_;
  Kokkos::View<typename View::Direction*, MemorySpace> directions_;
  Kokkos::View<std::int64_t*, MemorySpace> dependentOffsets_;
  Kokkos::View<std::int32_t*, MemorySpace> dependents_;
  View view_;
};

} // namespace spanwise::eikonal
