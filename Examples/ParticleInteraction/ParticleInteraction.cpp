// A user's own interactions of particles: one that depends on the distance alone, summed pair by pair and by
// multipoles, and a general one, from vectors to vectors.

#include <Core/Runtime/Context.hpp>
#include <Core/Runtime/Runtime.hpp>
#include <Core/Solvers/NBody/DirectSums.hpp>
#include <Core/Solvers/NBody/MultipoleSums.hpp>

#include <Kokkos_Random.hpp>

#include <cmath>
#include <cstdio>
#include <string>

namespace nbody = spanwise::nbody;
using nbody::inverseSqrt; // of one number; of several side by side it is found by itself

/// The inverse multiquadric 1 / sqrt(1 + (r / width)^2) of meshless interpolation. `T` is a number or several side by
/// side.
struct InverseMultiquadric {
  double width;

  template <nbody::Parts parts, class T>
  KOKKOS_FUNCTION nbody::RadialTerms<T> terms(T r2) const {
    const T value = inverseSqrt(T(T(1.0) + T(1.0 / (width * width)) * r2));
    return {value, T(-1.0 / (width * width)) * value * value * value};
  }
};

/// The Stokeslet I / r + d d^T / r^3: the flow of a force on a viscous fluid, times 8 pi and the viscosity.
struct Stokeslet {
  static constexpr int numCharges = 3;    ///< of the force
  static constexpr int numPotentials = 3; ///< of the velocity

  template <nbody::Parts parts, int Dim, class T>
  KOKKOS_FUNCTION void add(const T* d, const T& r2, const T* force, T* velocity, T* /*gradients*/) const {
    const T inverseR = inverseSqrt(r2);
    const T along = (force[0] * d[0] + force[1] * d[1] + force[2] * d[2]) * inverseR * inverseR;
    for (int axis = 0; axis < 3; ++axis) {
      velocity[axis] += (force[axis] + along * d[axis]) * inverseR;
    }
  }
};

using Space = Kokkos::DefaultExecutionSpace;
using Points = Kokkos::View<double* [3], Kokkos::LayoutLeft, Space::memory_space>;
using Values = Kokkos::View<double*, Space::memory_space>;

/// The largest difference of two sums, over the largest sum.
double difference(const Values& a, const Values& b) {
  double most = 0.0;
  double size = 0.0;
  Kokkos::parallel_reduce(
    "difference", Kokkos::RangePolicy<Space>(0, static_cast<std::int64_t>(a.extent(0))),
    KOKKOS_LAMBDA(std::int64_t i, double& maxSoFar, double& sizeSoFar) {
      maxSoFar = Kokkos::max(maxSoFar, Kokkos::abs(a(i) - b(i)));
      sizeSoFar = Kokkos::max(sizeSoFar, Kokkos::abs(b(i)));
    },
    Kokkos::Max<double>(most), Kokkos::Max<double>(size));
  return most / size;
}

bool sumRadial(const Space& space, const Points& points, const Values& charges) {
  const InverseMultiquadric interaction{0.2};
  const auto count = static_cast<std::int64_t>(points.extent(0));
  const nbody::SourcesView<3, double> particles{nbody::pointsOf(points), charges.data()};
  const Values exact("exact", count);
  const spanwise::Context context(space);
  const nbody::SumReport direct =
    nbody::sumWithin(context, interaction, particles, nbody::SumsView<double>{exact.data()}, {});

  const Values found("by multipoles", count);
  nbody::MultipoleOptions options;
  options.accuracy = 1e-4;
  nbody::MultipoleMemory<3, Space> memory;
  const nbody::MultipoleReport report =
    nbody::multipolesWithin(context, interaction, particles, nbody::SumsView<double>{found.data()}, options, memory);
  const double error = difference(found, exact);
  std::printf("radial:     %.3g pairs by '%s', of which multipoles take %.0f %%; they differ by %.1e of the largest\n",
    direct.numInteractions, std::string(nbody::variantName(direct.variant)).c_str(),
    100.0 * report.numNear / direct.numInteractions, error);
  return error <= options.accuracy && report.numNear < direct.numInteractions;
}

/// A force F on a fluid makes it flow at the distance r with 2 F / r ahead, and with F / r beside.
bool sumStokeslet(const Space& space) {
  const Points force("place of the force", 1);
  const Points places("places of the flow", 2);
  const Values strength("force", 3);
  Kokkos::parallel_for(
    "places", Kokkos::RangePolicy<Space>(space, 0, 1), KOKKOS_LAMBDA(int) {
      strength(0) = 3.0;
      places(0, 0) = 4.0;
      places(1, 1) = 4.0;
    });
  const Values velocity("velocity", 6); // component by component
  const spanwise::Context context(space);
  nbody::sumBetween(context, Stokeslet(), nbody::pointsOf(places),
    nbody::SourcesView<3, double>{nbody::pointsOf(force), strength.data()}, nbody::SumsView<double>{velocity.data()},
    {});
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), velocity);
  std::printf("Stokeslet:  %g ahead and %g beside\n", host(0), host(1));
  return std::abs(host(0) - 1.5) < 1e-14 && std::abs(host(1) - 0.75) < 1e-14;
}

int main() {
  spanwise::startRuntime();
  const Space space;
  constexpr std::int64_t count = 20000;
  const Points points("places", count);
  const Values charges("charges", count);
  const Kokkos::Random_XorShift64_Pool<Space> random(1);
  Kokkos::fill_random(space, points, random, 1.0);
  Kokkos::fill_random(space, charges, random, 1.0);
  space.fence("the particles are there");
  const bool isRight = sumRadial(space, points, charges) && sumStokeslet(space);
  std::printf("%s", spanwise::toString(spanwise::runtimeReport()).c_str());
  return isRight ? 0 : 1;
}
