#pragma once

#include "Core/Geometry/Detail/RunVertices.hpp"
#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/Surface/FaceRuns.hpp"
#include "Core/Runtime/Context.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::geometry {

/// How many triangles a RunSurface has. If there are more than `enough`, the number may be less, but more than
/// `enough`, and is found sooner. O(rows + intervals).
template <class ExecutionSpace, int Dim>
std::int64_t countRunTriangles(
  const Context<ExecutionSpace>& context, const SurfaceCells<Dim>& cells, std::int64_t enough);

/// The same surface as that of the cells, with each run of exposed faces along x as one strip of triangles. Every end
/// of a run is a vertex of all strips that it touches, so that no crack shows between them.
///
/// It is counted when it is made, and then written into arrays of the caller, in the memory of the execution space; a
/// device is not waited for. O(rows + intervals); nothing depends on the number of cells. The same for any number of
/// threads. Id: int, long or long long; Real: float or double.
template <class ExecutionSpace, int Dim>
class RunSurface {
public:
  RunSurface(const ExecutionSpace& space, const SurfaceCells<Dim>& cells);

  [[nodiscard]] std::int64_t numTriangles() const { return numTriangles_; }
  [[nodiscard]] std::int64_t numPoints() const { return vertices_.count(); }

  /// points = the positions of all points on a lattice, three numbers each; z in 2D is the lattice's lowest face.
  template <class Real>
  void fillPoints(const GridGeometry<3>& lattice, Real* points) const;

  /// corners[3 t ...] = the points of triangle t, counter-clockwise seen from outside.
  template <class Id>
  void fillTriangles(Id* corners) const;

private:
  using MemorySpace = typename ExecutionSpace::memory_space;

  ExecutionSpace space_;
  FaceRuns<Dim> runs_;
  detail::RunVertices<ExecutionSpace, Dim> vertices_;
  Kokkos::View<std::int64_t*, MemorySpace> triangleOffsets_; // the first triangle of each row, and the number of all
  std::int64_t numTriangles_ = 0;
};

} // namespace spanwise::geometry
