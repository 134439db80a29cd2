#pragma once

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Solvers/NBody/Points.hpp"

#include <cmath>
#include <cstdint>
#include <format>

namespace spanwise::nbody {

/// Bodies where they lie in the execution space's memory, component by component: position `axis` of body i is
/// positions[axis][i]. They carry charges, by which they act on each other, and masses, by which they resist.
template <int Dim>
struct BodiesView {
  double* positions[Dim] = {};
  double* velocities[Dim] = {};
  const double* masses = nullptr;
  const double* charges = nullptr; ///< nullptr: the masses, as gravity has it
  std::int64_t count = 0;

  [[nodiscard]] KOKKOS_FUNCTION const double* acting() const { return charges != nullptr ? charges : masses; }
  [[nodiscard]] SourcesView<Dim, double> sources() const {
    SourcesView<Dim, double> result;
    result.points.count = count;
    result.charges = acting();
    for (int axis = 0; axis < Dim; ++axis) {
      result.points.coordinates[axis] = positions[axis];
    }
    return result;
  }
};

/// What bodies without forces from outside keep.
struct MotionTotals {
  double kinetic = 0.0;   ///< sum m v^2 / 2
  double potential = 0.0; ///< sum q phi / 2, of the charges in each other's potentials
  double momentum[3] = {};
  double momentumSize = 0.0;        ///< sum m |v|, which errors of momentum are relative to
  double angularMomentum[3] = {};   ///< about the origin; in 2D the last component
  double angularMomentumSize = 0.0; ///< sum m |x| |v|

  [[nodiscard]] double energy() const { return kinetic + potential; }
  KOKKOS_FUNCTION MotionTotals& operator+=(const MotionTotals& other) {
    kinetic += other.kinetic;
    potential += other.potential;
    momentumSize += other.momentumSize;
    angularMomentumSize += other.angularMomentumSize;
    for (int axis = 0; axis < 3; ++axis) {
      momentum[axis] += other.momentum[axis];
      angularMomentum[axis] += other.angularMomentum[axis];
    }
    return *this;
  }
};

/// Adds `kickTime` times the accelerations [axis * count + i] to velocities, then `driftTime` times these to positions.
/// Does not wait. O(count).
template <class ExecutionSpace, int Dim>
void kickAndDrift(const Context<ExecutionSpace>& context, const BodiesView<Dim>& bodies, const double* accelerations,
  double kickTime, double driftTime);

/// Makes accelerations [axis * count + i] of forces on unit charges: times the charge through the mass of each body.
/// Where charges are the masses, nothing is done. Does not wait. O(count).
template <class ExecutionSpace, int Dim>
void accelerateByCharges(const Context<ExecutionSpace>& context, const BodiesView<Dim>& bodies, double* accelerations);

/// Collective. Energies and momenta of the bodies of all ranks; without potentials [count] the potential energy is 0.
/// Waits for the result, which on the host has the same bits for any number of threads. O(count); on one rank allocates
/// nothing.
template <class ExecutionSpace, int Dim>
MotionTotals motionTotals(
  const Context<ExecutionSpace>& context, const BodiesView<Dim>& bodies, const double* potentials);

/// Collective. Moves the bodies of all ranks by `numSteps` steps of the length `timeStep`, in each of which velocities
/// are kicked by half of it, positions drift, and velocities are kicked by the other half: the leapfrog, or velocity
/// Verlet, of second order (L. Verlet, Phys. Rev. 159, 1967). It is symplectic, so that errors of the energy stay
/// bounded where forces come from a potential, and it goes back the same way, but for rounding, when the step is
/// negative.
///
/// `accelerate(last, context)` puts accelerations at the bodies' positions into `accelerations` [axis * count + i], on
/// the same instance of the space; `last` says that the step is the last one, at whose end a caller may want more, such
/// as potentials. Accelerations at the first positions must be there already, and those at the last are afterwards.
///
/// Waits for the result. Throws, on all ranks alike, InvalidArgument if numSteps < 0 or the step is not finite, what
/// `accelerate` throws, and Cancelled if the context's progress says so on any rank; bodies are then somewhere on their
/// way. O(numSteps (count + accelerate)); on one rank allocates nothing.
template <class ExecutionSpace, int Dim, class Accelerate>
void leapfrog(const Context<ExecutionSpace>& context, const BodiesView<Dim>& bodies, const double* accelerations,
  double timeStep, std::int64_t numSteps, const Accelerate& accelerate) {
  if (numSteps < 0) {
    throw InvalidArgument(std::format("leapfrog: the number of steps is {}; it must not be negative", numSteps));
  }
  if (!std::isfinite(timeStep)) {
    throw InvalidArgument(std::format("leapfrog: the time step is {}; it must be finite", timeStep));
  }
  for (std::int64_t step = 0; step < numSteps; ++step) {
    const auto share = [&](std::int64_t steps) { return static_cast<double>(steps) / static_cast<double>(numSteps); };
    parallel::agree(context.communicator(), [&] { context.progress().report(share(step)); });
    kickAndDrift(context, bodies, accelerations, 0.5 * timeStep, timeStep);
    accelerate(step + 1 == numSteps, context.part(share(step), share(step + 1)));
    kickAndDrift(context, bodies, accelerations, 0.5 * timeStep, 0.0);
  }
  context.space().fence(SPANWISE_LABEL("NBody::leapfrog"));
}

} // namespace spanwise::nbody
