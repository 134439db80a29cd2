#pragma once

#include "Core/Field/StencilMap.hpp"
#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/Periods.hpp"
#include "Core/Solvers/Eikonal/Speed.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal {

/// What kernels see of a grid.
template <int Dim>
struct GridView {
  using Pattern = field::StarPattern<Dim, 2>;
  using Segment = field::StencilSegment<Pattern::count>;
  /// The directions of a decomposed tensor: the pairs of a superbase.
  static constexpr int numDirections = Dim == 2 ? 3 : 6;

  /// A direction of a decomposed tensor at a cell x: the cells x - 2 e, x - e, x + e, x + 2 e, -1 where there is none
  /// or a wall stands between, and the weight of the squared difference along e.
  struct Direction {
    double weight = 0.0;
    std::int32_t cells[4] = {-1, -1, -1, -1};
    std::int32_t step[Dim] = {}; ///< e, in cells
  };

  const std::int32_t* segmentOfCell = nullptr;     ///< [numCells]
  const Segment* segments = nullptr;               ///< the neighbours along the axes
  const geometry::Cell<Dim>* firstCells = nullptr; ///< [segments] the coordinates of their first cells
  // Only where tensors are not diagonal:
  const Direction* directions = nullptr;          ///< [numCells][numDirections]
  const std::int64_t* dependentOffsets = nullptr; ///< [numCells + 1]
  const std::int32_t* dependents = nullptr;       ///< cells that read a cell; ~cell: in second order only

  Speed speed;
  geometry::GridGeometry<Dim> lattice{};
  geometry::Periods<Dim> periods;
  std::int64_t numCells = 0;

  [[nodiscard]] KOKKOS_FUNCTION geometry::Cell<Dim> coordinates(std::int64_t cell) const {
    const std::int32_t s = segmentOfCell[cell];
    geometry::Cell<Dim> at = firstCells[s];
    at.at[0] += static_cast<geometry::Coordinate>(cell - segments[s].cell);
    return at;
  }

  /// M of a cell, of which 2D uses xx, yy and xy.
  [[nodiscard]] KOKKOS_FUNCTION SymmetricTensor tensor(std::int64_t cell) const {
    SymmetricTensor m = speed.ofElement<std::int32_t>(cell, nullptr, 0);
    if constexpr (Dim == 2) {
      m.zz = 1.0;
      m.yz = m.xz = 0.0;
    }
    return m;
  }

  /// Whether the speed of a cell is 0.
  [[nodiscard]] KOKKOS_FUNCTION bool isWall(std::int64_t cell) const {
    return speed.kind == Speed::Kind::OfElements && speed.values[cell] == 0.0;
  }

  /// The length after which an axis repeats.
  [[nodiscard]] KOKKOS_FUNCTION double period(int axis) const {
    return static_cast<double>(periods.box.extent(axis)) * lattice.spacing[axis];
  }

  /// The vector from a place to the centre of a cell, the shortest one where axes repeat.
  KOKKOS_FUNCTION void vectorFrom(
    const double (&place)[Dim], const geometry::Cell<Dim>& cell, double (&vector)[Dim]) const {
    for (int axis = 0; axis < Dim; ++axis) {
      vector[axis] = lattice.centre(axis, cell.at[axis]) - place[axis];
      if (periods.along[axis]) {
        const double length = period(axis);
        vector[axis] -= length * Kokkos::floor(vector[axis] / length + 0.5);
      }
    }
  }
};

} // namespace spanwise::eikonal
