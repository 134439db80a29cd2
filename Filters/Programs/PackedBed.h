#ifndef PackedBed_h
#define PackedBed_h

#include "SpanwiseLatticeRun.h"

#include "Core/Geometry/IntervalSet.hpp"

#include <vector>

/// A bed of equal spheres in a cube that repeats along all axes.
struct PackedBed {
  int size = 0; ///< cells along a side
  int numSpheres = 0;
  double porosity = 0.0; ///< the part of the cube that is not in a sphere
  unsigned seed = 0;
};

/// In cells.
double radiusOf(const PackedBed& bed);

/// The spheres, in cells, also those that reach into the cube, or to the cells beside it, by a period. They lie at
/// random and do not overlap by more than a thousandth of their diameters: those that do at first push each other
/// apart. A single one lies in the middle: a cubic array. Throws InvalidArgument where they find no place.
std::vector<spanwise::BallSurface<3>> spheresOf(const PackedBed& bed);

/// The cells whose centres are in a sphere. O(cells of the spheres + cells of the cube).
spanwise::geometry::HostIntervalSet<3> cellsOf(
  const PackedBed& bed, const std::vector<spanwise::BallSurface<3>>& spheres);

#endif
