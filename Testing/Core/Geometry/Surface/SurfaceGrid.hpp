#pragma once

// Sets with their nodes, and surfaces as lists of polygons.

#include "Core/Geometry/Surface/CellSurface.hpp"
#include "Core/Geometry/Surface/RunSurface.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/HostCopy.hpp"
#include "Testing/Core/Geometry/Arrays.hpp"
#include "Testing/Core/Geometry/Surface/Shapes.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

#include <array>
#include <vector>

namespace spanwise::testing {

/// An array in the memory of a space.
template <class T, class Space>
using ArrayOn = Kokkos::View<T*, typename Space::memory_space>;

template <class T, class Space>
ArrayOn<T, Space> newArray(std::int64_t count) {
  return ArrayOn<T, Space>("Testing::new array", static_cast<std::size_t>(count));
}

/// What kernels of a space wrote.
template <class Space, class T>
std::vector<T> onHost(const Space& space, const ArrayOn<T, Space>& array) {
  std::vector<T> values(array.extent(0));
  copyToHost(space, array.data(), static_cast<std::int64_t>(values.size()), values.data());
  return values;
}

/// A set with its nodes.
template <class Space, int Dim>
class SurfaceGrid {
public:
  explicit SurfaceGrid(const IntervalSetOn<Dim, Space>& cells) : set_(cells) {
    const Context<Space> context;
    nodeRowsOf<Space, Dim>(context, set_, nodeRows_);
    bases_ = newArray<std::int64_t, Space>(nodeRowsPerRow<Dim> * set_.numIntervals());
    nodeBases<Space, Dim>(context, set_, nodeRows_, bases_);
    context.space().fence("Testing::nodes");
  }
  explicit SurfaceGrid(const CellList<Dim>& cells) : SurfaceGrid(toSet<Space, Dim>(cells)) {}

  [[nodiscard]] const IntervalSetOn<Dim, Space>& set() const { return set_; }
  [[nodiscard]] CellsAndNodes<Dim> cellsAndNodes() const { return {set_.view(), nodeRows_.view(), bases_.data()}; }
  [[nodiscard]] SurfaceCells<Dim> cells() const { return {cellsAndNodes(), set_.view(), set_.view()}; }

private:
  IntervalSetOn<Dim, Space> set_;
  IntervalSetOn<Dim, Space> nodeRows_;
  ArrayOn<std::int64_t, Space> bases_;
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
template <class Space, int Dim>
Polygons<4> quadsOf(
  const Space& space, const CellSurface<Space, Dim>& surface, const GridGeometry<3>& lattice = unitLattice) {
  const ArrayOn<double, Space> points = newArray<double, Space>(3 * surface.numPoints());
  const ArrayOn<int, Space> ids = newArray<int, Space>(4 * surface.numQuads());
  surface.template fillPoints<double, int>(lattice, points.data(), nullptr);
  surface.fillQuads(ids.data());
  return polygonsOf<4>(onHost<Space, double>(space, points), onHost<Space, int>(space, ids));
}

/// The triangles of a surface on a lattice.
template <class Space, int Dim>
Polygons<3> trianglesOf(
  const Space& space, const RunSurface<Space, Dim>& surface, const GridGeometry<3>& lattice = unitLattice) {
  const ArrayOn<double, Space> points = newArray<double, Space>(3 * surface.numPoints());
  const ArrayOn<int, Space> ids = newArray<int, Space>(3 * surface.numTriangles());
  surface.fillPoints(lattice, points.data());
  surface.fillTriangles(ids.data());
  return polygonsOf<3>(onHost<Space, double>(space, points), onHost<Space, int>(space, ids));
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
