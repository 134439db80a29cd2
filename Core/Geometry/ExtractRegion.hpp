#pragma once

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::geometry {

/// An axis-aligned box in space. Ends may be infinite. One that ends before it begins has no point.
template <int Dim>
struct BoxRegion {
  double low[Dim];
  double high[Dim];
};

/// A disk (2D) or ball (3D) in space.
template <int Dim>
struct BallRegion {
  double centre[Dim];
  double radius;
};

/// Which cells belong to a region.
enum class RegionCells {
  WithCentre, ///< cells whose centre lies in it: low <= c < high in a box, |c - centre| <= radius in a ball
  Touching, ///< cells that it reaches into: a point between the cell's faces, not on them, lies in it or on its surface
};

/// What is kept of a set.
enum class RegionSide {
  Inside,  ///< the cells that belong to the region
  Outside, ///< all others
};

/// Which cells are kept, by a region.
struct RegionChoice {
  RegionCells cells = RegionCells::WithCentre;
  RegionSide side = RegionSide::Inside;
};

/// out = the cells of `set`, which lie on `lattice`, inside or outside of a region. Positions and distances are
/// computed in double, each operation rounded, so the cells are the same on every machine.
///
/// Whatever the region's size, O(rows + intervals of the set, and log(cells of a row) for each row). `out` may not
/// share arrays with `set`. A repeated call allocates nothing. Throws InvalidArgument if a number of the region is NaN,
/// the centre of a ball is not finite, or its radius is negative or not finite.
template <class ExecutionSpace, int Dim>
void extractRegion(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const GridGeometry<Dim>& lattice, const BoxRegion<Dim>& box, const RegionChoice& choice,
  IntervalSetOn<Dim, ExecutionSpace>& out);

/// The same for a ball.
template <class ExecutionSpace, int Dim>
void extractRegion(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const GridGeometry<Dim>& lattice, const BallRegion<Dim>& ball, const RegionChoice& choice,
  IntervalSetOn<Dim, ExecutionSpace>& out);

} // namespace spanwise::geometry
