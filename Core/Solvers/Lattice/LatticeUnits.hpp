#pragma once

#include "Core/Solvers/Lattice/Collision.hpp"

namespace spanwise::lattice {

/// What a flow is in metres and seconds (or any other units of length and time).
struct PhysicalFlow {
  double spacing;            ///< of cells
  double speed;              ///< the greatest that is expected
  double viscosity;          ///< kinematic
  double latticeSpeed = 0.1; ///< of that speed, in cells a step: errors grow with its square, and time with its inverse
};

/// The same flow in units of the lattice, and what makes one out of the other.
struct LatticeUnits {
  double spacing;
  double timeStep;
  double viscosity;      ///< in cells^2 a step
  double relaxationTime; ///< in steps
  double machNumber;     ///< of the expected speed on the lattice, not of the fluid
  double cellReynolds;   ///< speed times spacing over viscosity

  [[nodiscard]] double velocity(double physical) const { return physical * timeStep / spacing; }
  [[nodiscard]] double physicalVelocity(double cellsAStep) const { return cellsAStep * spacing / timeStep; }
  /// A force on a unit of mass, as gravity.
  [[nodiscard]] double acceleration(double physical) const { return physical * timeStep * timeStep / spacing; }
};

/// The step is such that the expected speed is `latticeSpeed`. Throws InvalidArgument for numbers that are not positive
/// and for a lattice speed above 0.3.
LatticeUnits latticeUnits(const PhysicalFlow& flow);

/// Throws InvalidArgument, with what would help, where a collision is likely to be unstable:
/// Collision::SingleRelaxation and Collision::TwoRelaxation for cell Reynolds numbers above 24 (Krueger et al., The
/// Lattice Boltzmann Method, 2017, 4.4: a relaxation time of at least 1/2 and an eighth of the speed).
void checkStability(const LatticeUnits& units, Collision collision);

} // namespace spanwise::lattice
