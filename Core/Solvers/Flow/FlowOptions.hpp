#pragma once

#include "Core/Geometry/GridGeometry.hpp"
#include "Core/Geometry/Interval.hpp"
#include "Core/Multilevel/Tagging.hpp"
#include "Core/Solvers/Flow/FlowBoundary.hpp"
#include "Core/Solvers/Flow/IdealGas.hpp"

#include <array>
#include <vector>

namespace spanwise::flow {

/// How fluxes through faces are computed.
enum class Riemann {
  Rusanov, ///< robust, and the most diffusive (RusanovFlux)
  Hllc,    ///< keeps contacts sharp (HllcFlux)
};

/// What is known of the state within a cell.
enum class Reconstruction {
  Constant, ///< first order in space, and one stage in time
  Minmod,   ///< second order, robust; two stages in time
  VanLeer,  ///< second order, sharper
};

/// A flow in a box of cells.
template <int Dim>
struct FlowOptions {
  geometry::Box<Dim> box{};              ///< the cells of the root
  geometry::GridGeometry<Dim> lattice{}; ///< where they lie
  bool repeats[Dim] = {};                ///< along these axes the box has no sides
  Side sides[2 * Dim] = {};              ///< lower and upper along x, along y, along z

  double gamma = 1.4; ///< ratio of specific heats, above 1
  /// What flows in. In units in which density and pressure of air at rest are 1, the speed of sound is sqrt(gamma).
  Primitive<double, Dim> inflow{1.0, {}, 1.0};

  Riemann riemann = Riemann::Hllc;
  Reconstruction reconstruction = Reconstruction::VanLeer;
  /// Time steps are this part of the least time in which a wave crosses a cell, above 0 and at most 1.
  double cfl = 0.4;

  double timePerFrame = 1.0; ///< of Stepper, above 0; the step before a frame is as long as is left

  /// Steps are those of the finest level. The history gets a record after so many, at least 1, at the next step of the
  /// root.
  int stepsPerRecord = 10;
  std::vector<std::array<double, Dim>> probes; ///< positions in the box where records read the state

  int numLevels = 1;       ///< with the root, 1 to 16
  int stepsPerRemesh = 10; ///< levels follow the flow after so many steps, at least 1
  /// Whether a level takes two steps where the level below takes one: the same CFL number for all of them. Levels all
  /// take the same step otherwise. The root takes at most as many steps of the finest level at once as lie between two
  /// remeshings, so that the finest levels alone are subcycled where there are many. Steps are chosen for all of those
  /// ahead: a CFL number near 1 leaves no room for a flow that becomes faster meanwhile.
  bool subcycles = false;
  int buffer = 2; ///< cells around those where the sensor answers that are refined too, at least 2
  /// Ranks divide the cells anew when one of them has this many times the mean after a remeshing, above 1.
  double toleratedImbalance = 1.2;
  multilevel::Tagging sensor{multilevel::TagCriterion::Gradient, 0.05}; ///< of the density
};

/// One state everywhere.
template <int Dim>
struct UniformState {
  Primitive<double, Dim> state;

  KOKKOS_FUNCTION Primitive<double, Dim> operator()(const double (& /*position*/)[Dim]) const { return state; }
};

} // namespace spanwise::flow
