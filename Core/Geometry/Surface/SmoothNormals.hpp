#pragma once

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/Surface/SurfaceCells.hpp"
#include "Core/Runtime/Context.hpp"

#include <span>

namespace spanwise::geometry {

/// normals[3 p ...] = the outward unit normal, at point p of a surface of cells on a lattice, of the smooth surface
/// that the cells stand for. nodes[p] is the grid's node at point p, in ascending order, as CellSurface gives them.
///
/// It is minus the gradient of the occupancy, which is 1 in the cells of cells.hiding and 0 elsewhere, smoothed by a
/// Gaussian over the cells up to three away along each axis. Where that is 0 the normal is +z. The same bits for any
/// number of threads. All arrays lie in the memory of the execution space; a device is not waited for. O(points + 36
/// rows of nodes log rows). Id: int, long or long long.
template <class ExecutionSpace, class Id>
void smoothNormals(const Context<ExecutionSpace>& context, const SurfaceCells<3>& cells, const GridGeometry<3>& lattice,
  std::span<const Id> nodes, float* normals);

} // namespace spanwise::geometry
