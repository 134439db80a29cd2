#include "Core/Solvers/NBody/Leapfrog.hpp"

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <algorithm>
#include <array>

namespace spanwise::nbody {

namespace {

template <int Dim>
struct KickAndDrift {
  BodiesView<Dim> bodies;
  const double* accelerations;
  double kickTime, driftTime;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    for (int axis = 0; axis < Dim; ++axis) {
      double& velocity = bodies.velocities[axis][i];
      velocity += kickTime * accelerations[axis * bodies.count + i];
      if (driftTime != 0.0) {
        bodies.positions[axis][i] += driftTime * velocity;
      }
    }
  }
};

template <int Dim>
struct ScaleByChargeOverMass {
  BodiesView<Dim> bodies;
  double* accelerations;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const double ratio = bodies.charges[i] / bodies.masses[i];
    for (int axis = 0; axis < Dim; ++axis) {
      accelerations[axis * bodies.count + i] *= ratio;
    }
  }
};

template <int Dim>
struct AddTotals {
  using value_type = MotionTotals;
  BodiesView<Dim> bodies;
  const double* potentials;

  KOKKOS_FUNCTION void operator()(std::int64_t i, MotionTotals& totals) const {
    const double m = bodies.masses[i];
    double x[3] = {};
    double v[3] = {};
    for (int axis = 0; axis < Dim; ++axis) {
      x[axis] = bodies.positions[axis][i];
      v[axis] = bodies.velocities[axis][i];
    }
    const double v2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    const double x2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    totals.kinetic += 0.5 * m * v2;
    if (potentials != nullptr) {
      totals.potential += 0.5 * bodies.acting()[i] * potentials[i];
    }
    totals.momentumSize += m * Kokkos::sqrt(v2);
    totals.angularMomentumSize += m * Kokkos::sqrt(x2) * Kokkos::sqrt(v2);
    for (int axis = 0; axis < 3; ++axis) {
      const int next = (axis + 1) % 3;
      const int last = (axis + 2) % 3;
      totals.momentum[axis] += m * v[axis];
      totals.angularMomentum[axis] += m * (x[next] * v[last] - x[last] * v[next]);
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void kickAndDrift(const Context<ExecutionSpace>& context, const BodiesView<Dim>& bodies, const double* accelerations,
  double kickTime, double driftTime) {
  SPANWISE_REGION("NBody::kickAndDrift");
  forEach(SPANWISE_KERNEL("kick and drift"), IndexRange<ExecutionSpace>(context.space(), 0, bodies.count),
    KickAndDrift<Dim>{bodies, accelerations, kickTime, driftTime});
}

template <class ExecutionSpace, int Dim>
void accelerateByCharges(const Context<ExecutionSpace>& context, const BodiesView<Dim>& bodies, double* accelerations) {
  SPANWISE_REGION("NBody::accelerateByCharges");
  if (bodies.charges != nullptr) {
    forEach(SPANWISE_KERNEL("charge to mass"), IndexRange<ExecutionSpace>(context.space(), 0, bodies.count),
      ScaleByChargeOverMass<Dim>{bodies, accelerations});
  }
}

template <class ExecutionSpace, int Dim>
MotionTotals motionTotals(
  const Context<ExecutionSpace>& context, const BodiesView<Dim>& bodies, const double* potentials) {
  SPANWISE_REGION("NBody::motionTotals");
  MotionTotals totals;
  reduce(SPANWISE_KERNEL("motion totals"), IndexRange<ExecutionSpace>(context.space(), 0, bodies.count),
    AddTotals<Dim>{bodies, potentials}, totals);
  std::array<double, 10> all{totals.kinetic, totals.potential, totals.momentumSize, totals.angularMomentumSize};
  std::copy_n(totals.momentum, 3, &all[4]);
  std::copy_n(totals.angularMomentum, 3, &all[7]);
  context.communicator().reduce(ReduceBy::Sum, all);
  MotionTotals ofRanks{all[0], all[1], {}, all[2], {}, all[3]};
  std::copy_n(&all[4], 3, ofRanks.momentum);
  std::copy_n(&all[7], 3, ofRanks.angularMomentum);
  return ofRanks;
}

#define SPANWISE_LEAPFROG(Space, Dim)                                                                                  \
  template void kickAndDrift(const Context<Space>&, const BodiesView<Dim>&, const double*, double, double);            \
  template void accelerateByCharges(const Context<Space>&, const BodiesView<Dim>&, double*);                           \
  template MotionTotals motionTotals(const Context<Space>&, const BodiesView<Dim>&, const double*);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_LEAPFROG)

} // namespace spanwise::nbody
