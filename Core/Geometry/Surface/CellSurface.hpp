#pragma once

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/Surface/FaceRuns.hpp"
#include "Core/Geometry/Surface/UsedNodes.hpp"
#include "Core/Runtime/Context.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::geometry {

/// How many quads a CellSurface has. In 2D O(1), in 3D O(rows + intervals).
template <class ExecutionSpace, int Dim>
std::int64_t countQuads(const Context<ExecutionSpace>& context, const SurfaceCells<Dim>& cells);

/// The surface on which every cell can be told: one quad for each exposed face of each cell, in 2D for each cell.
/// Points are shared.
///
/// It is counted when it is made, and then written into arrays of the caller, in the memory of the execution space.
/// Beside these it takes a quarter of a byte for each node of the grid and 8 bytes for each row. O(rows + intervals +
/// nodes / 64) to count, O(quads + points) to write, which a device is not waited for. The same for any number of
/// threads. Id: int, long or long long; Real: float or double.
template <class ExecutionSpace, int Dim>
class CellSurface {
public:
  CellSurface(const ExecutionSpace& space, const SurfaceCells<Dim>& cells);

  [[nodiscard]] std::int64_t numQuads() const { return numQuads_; }
  [[nodiscard]] std::int64_t numPoints() const { return numPoints_; }

  /// Whether quad q shows cell q and point p is node p: in 2D, of all cells of the grid. Their values can be shared.
  [[nodiscard]] bool keepsNumbers() const { return Dim == 2 && cells_.all(); }

  /// points = the positions of all points on a lattice, three numbers each; z in 2D is the lattice's lowest face.
  /// nodes[p] = the grid's node at point p, in ascending order; not if `nodes` is null.
  template <class Real, class Id>
  void fillPoints(const GridGeometry<3>& lattice, Real* points, Id* nodes) const;

  /// corners[4 q ...] = the points of quad q, counter-clockwise seen from outside.
  template <class Id>
  void fillQuads(Id* corners) const;

  /// cells[q] = the grid's cell that quad q shows.
  template <class Id>
  void fillCells(Id* cells) const;

private:
  using MemorySpace = typename ExecutionSpace::memory_space;

  ExecutionSpace space_;
  SurfaceCells<Dim> cells_;
  FaceRuns<Dim> runs_;
  Kokkos::View<std::int64_t*, MemorySpace> quadOffsets_; // the first quad of each row, and the number of all
  std::int64_t numQuads_ = 0;
  UsedNodes<MemorySpace> used_; // none if numbers are kept
  std::int64_t numPoints_;
};

} // namespace spanwise::geometry
