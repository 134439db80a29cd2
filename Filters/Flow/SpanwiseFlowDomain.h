#ifndef SpanwiseFlowDomain_h
#define SpanwiseFlowDomain_h

// Where a flow is: its box, its cells, and what it goes around. Not wrapped and not installed.

#include "SpanwiseFlowObstacle.h"
#include "SpanwiseInputCells.h"
#include "SpanwiseRankGroup.h"
#include "spanwiseFlowModule.h"

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/Interval.hpp"
#include "Core/Geometry/IntervalSet.hpp"

#include <array>

namespace spanwise {

/// What a flow goes around, in the order of properties.
enum class FlowAround { Nothing, Ball, Set };

/// What properties of a source say of it.
struct FlowDomain {
  int dimension = 2;
  FlowAround around = FlowAround::Ball;
  std::array<double, 3> centre{}; ///< of the ball
  double radius = 0.5;
  bool isGiven = false; ///< whether the box is; always where there is nothing to go around
  std::array<double, 3> corner{};
  std::array<double, 3> lengths{};
  int cellsAlongX = 1; ///< of the coarsest level
  int numLevels = 1;
  double upstream = 2.0; ///< room around an obstacle, in its diameters
  double downstream = 4.0;
  double beside = 3.0;
};

/// Where a flow is.
struct FlowPlace {
  Bounds box;
  double diameter; ///< of the obstacle; 0 without one
};

/// Throws InvalidArgument, with the value and the rule, where a property is out of its range.
SPANWISEFLOW_EXPORT void checkDomain(const FlowDomain& domain);

/// Collective. `obstacle` has the cells of FlowAround::Set.
SPANWISEFLOW_EXPORT FlowPlace placeOf(const RankGroup& group, const FlowDomain& domain, const InputCells& obstacle);

/// The cells of the coarsest level: cubes, as many along x as given, and whole ones along the other axes. Throws
/// InvalidArgument where there are too many.
template <int Dim>
SPANWISEFLOW_EXPORT void layCells(
  const FlowDomain& domain, const FlowPlace& place, geometry::Box<Dim>& box, geometry::GridGeometry<Dim>& lattice);

/// This rank's share of the obstacle's cells, of a lattice of cubes within a box.
template <int Dim>
SPANWISEFLOW_EXPORT geometry::HostIntervalSet<Dim> obstacleOn(const RankGroup& group, const FlowDomain& domain,
  const InputCells& obstacle, const geometry::GridGeometry<Dim>& lattice, const geometry::Box<Dim>& box);

/// z of a 2D flow.
SPANWISEFLOW_EXPORT double planeOf(const FlowDomain& domain, const InputCells& obstacle);

} // namespace spanwise

#endif
