#pragma once

// Sets with their nodes, and surfaces as lists of polygons.

#include "Core/Geometry/Surface/CellSurface.hpp"
#include "Core/Geometry/Surface/RunSurface.hpp"
#include "Core/Runtime/Context.hpp"
#include "Testing/Core/Geometry/Surface/Shapes.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <array>
#include <vector>

namespace spanwise::testing {

/// A set with its nodes.
template <int Dim>
class SurfaceGrid {
public:
  explicit SurfaceGrid(const HostIntervalSet<Dim>& cells) : set_(cells) {
    const Context<HostExecutionSpace> context;
    nodeRowsOf<HostExecutionSpace, Dim>(context, set_, nodeRows_);
    bases_ = Kokkos::View<std::int64_t*, Kokkos::HostSpace>(
      "bases", static_cast<std::size_t>(nodeRowsPerRow<Dim> * set_.numIntervals()));
    nodeBases<HostExecutionSpace, Dim>(context, set_, nodeRows_, bases_);
  }
  explicit SurfaceGrid(const CellList<Dim>& cells) : SurfaceGrid(toHostSet<Dim>(cells)) {}

  [[nodiscard]] CellsAndNodes<Dim> cellsAndNodes() const { return {set_.view(), nodeRows_.view(), bases_.data()}; }
  [[nodiscard]] SurfaceCells<Dim> cells() const { return {cellsAndNodes(), set_.view(), set_.view()}; }

private:
  HostIntervalSet<Dim> set_;
  HostIntervalSet<Dim> nodeRows_;
  Kokkos::View<std::int64_t*, Kokkos::HostSpace> bases_;
};

using Point = std::array<double, 3>;

inline constexpr GridGeometry<3> unitLattice{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};

template <std::size_t corners>
using Polygons = std::vector<std::array<Point, corners>>;

/// Polygons with as many corners each by the points of each.
template <std::size_t corners>
Polygons<corners> polygonsOf(const std::vector<double>& points, const std::vector<int>& ids) {
  Polygons<corners> polygons(ids.size() / corners);
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const double* const point = points.data() + 3 * ids[k];
    polygons[k / corners][k % corners] = {point[0], point[1], point[2]};
  }
  return polygons;
}

/// The quads of a surface on a lattice.
template <int Dim>
Polygons<4> quadsOf(const CellSurface<Dim>& surface, const GridGeometry<3>& lattice = unitLattice) {
  std::vector<double> points(static_cast<std::size_t>(3 * surface.numPoints()));
  std::vector<int> ids(static_cast<std::size_t>(4 * surface.numQuads()));
  surface.template fillPoints<double, int>(lattice, points.data(), nullptr);
  surface.fillQuads(ids.data());
  return polygonsOf<4>(points, ids);
}

/// The triangles of a surface on a lattice.
template <int Dim>
Polygons<3> trianglesOf(const RunSurface<Dim>& surface, const GridGeometry<3>& lattice = unitLattice) {
  std::vector<double> points(static_cast<std::size_t>(3 * surface.numPoints()));
  std::vector<int> ids(static_cast<std::size_t>(3 * surface.numTriangles()));
  surface.fillPoints(lattice, points.data());
  surface.fillTriangles(ids.data());
  return polygonsOf<3>(points, ids);
}

inline Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

inline Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Twice the area of the triangle of a polygon's first corners, times its normal: of a quad, its area.
template <std::size_t corners>
Point normalOf(const std::array<Point, corners>& polygon) {
  return cross(minus(polygon[1], polygon[0]), minus(polygon[2], polygon[0]));
}

} // namespace spanwise::testing
