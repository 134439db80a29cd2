#pragma once

#include "Core/Geometry/Connectivity.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Geometry/SetDomain.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>
#include <limits>

namespace spanwise::geometry {

/// Which holes of a set are filled.
struct Holes {
  /// That of the ways that lead out of what is no hole; the set is taken to have the opposite one (Face with Vertex).
  Connectivity ways;
  /// Holes of more cells stay.
  std::int64_t largest;

  // Of a connectivity too: most fill all holes.
  Holes(Connectivity waysOut, // NOLINT(google-explicit-constructor)
    std::int64_t largestHole = std::numeric_limits<std::int64_t>::max())
    : ways(waysOut), largest(largestHole) {}
};

/// The box whose cells decide about holes: one period along the axes that repeat, along each other axis a cell more on
/// both sides than `cells`, the bounding box of a set that is not empty. Then all cells of the border along these axes
/// are outside, and the first and the last cell of the box are in all components of the background that are: in two
/// where there is one such axis and the set closes it, otherwise in one. Throws CoordinateOverflow if `cells` reaches
/// the coordinate limits along such an axis, and InvalidArgument if all axes repeat: then nothing is outside.
template <int Dim>
Box<Dim> boxOfHoles(const Box<Dim>& cells, const Periods<Dim>& periods);

/// Collective. out = `set` and its holes: the cells around which there is no way out, a way being a chain of neighbours
/// that are not in the set. Each rank gives and gets the cells in the planes that it owns.
///
/// Along axes that repeat, the first and the last cell of the period are neighbours, and no way leads out along them: a
/// hole is a component of the complement that is bounded along all other axes, also if it goes around a periodic one.
/// So at least one axis must not repeat.
///
/// O(intervals + rows of the bounding box, or of the period), and what connectedComponents() sends; allocates. `out`
/// may be `set` itself. Throws, with `out` empty, on all ranks, as checkDomain() and boxOfHoles().
template <class ExecutionSpace, int Dim>
void fillHoles(const Context<ExecutionSpace>& context, const Holes& holes,
  const IntervalSetOn<Dim, ExecutionSpace>& set, IntervalSetOn<Dim, ExecutionSpace>& out,
  const SetDomain<Dim>& domain = {});

} // namespace spanwise::geometry
