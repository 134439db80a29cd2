#include "SpanwiseParticleUnits.h"

#include "SpanwisePropertyChecks.h"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cmath>
#include <format>
#include <limits>
#include <type_traits>
#include <variant>

namespace spanwise {

namespace {

/// The power of two below a number, or 1 where the number is 0 or within `range` of 1.
double unitOf(double size, double range) {
  const bool isUsual = size == 0.0 || (size <= range && size >= 1.0 / range);
  return isUsual ? 1.0 : std::ldexp(1.0, std::max(std::ilogb(size), -1000));
}

/// Least and greatest coordinates of all ranks.
struct Bounds {
  std::vector<double> low;
  std::vector<double> high;
};

Bounds boundsOf(const RankGroup& group, const ParticlePlaces& places, const ParticlePlaces* targets) {
  Bounds bounds{std::vector<double>(3, std::numeric_limits<double>::max()),
    std::vector<double>(3, std::numeric_limits<double>::lowest())};
  for (const ParticlePlaces* of : {&places, targets}) {
    for (std::size_t axis = 0; of != nullptr && axis < 3; ++axis) {
      for (const double x : of->coordinates[axis]) {
        bounds.low[axis] = std::min(bounds.low[axis], x);
        bounds.high[axis] = std::max(bounds.high[axis], x);
      }
    }
  }
  group.minimum(bounds.low);
  group.maximum(bounds.high);
  return bounds;
}

double largestCharge(const RankGroup& group, const ParticleSources& sources) {
  std::vector<double> largest{0.0};
  for (const std::vector<double>& column : sources.charges) {
    for (const double charge : column) {
      largest[0] = std::max(largest[0], std::abs(charge));
    }
  }
  group.maximum(largest);
  return largest[0];
}

/// The length of an interaction; 0: it has none.
double lengthOf(const AnyInteraction& interaction) {
  if (const auto* const softened = std::get_if<nbody::SoftenedInverseDistance>(&interaction)) {
    return softened->epsilon;
  }
  if (const auto* const gaussian = std::get_if<nbody::Gaussian>(&interaction)) {
    return gaussian->sigma;
  }
  return 0.0;
}

/// Sums go as the length to this power, for a unit charge.
template <class Interaction>
constexpr int powerOfLength = std::is_same_v<Interaction, nbody::Dipole<3>>                       ? -2
  : std::is_same_v<Interaction, nbody::Gaussian> || std::is_same_v<Interaction, nbody::Logarithm> ? 0
                                                                                                  : -1;

/// A place of a periodic box, for one in any of its images.
double wrapped(double x, double low, double edge) {
  const double offset = std::fmod(x - low, edge);
  return low + (offset < 0.0 ? offset + edge : offset);
}

} // namespace

ParticleUnits unitsFor(const RankGroup& group, const ParticleProblem& problem, const ParticleSources& sources,
  const ParticlePlaces* targets) {
  ParticleUnits units;
  const Bounds bounds = boundsOf(group, sources.places, targets);
  double extent = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double low = problem.box ? problem.box->low[axis] : bounds.low[axis];
    const double size = problem.box ? problem.box->edges[axis] : 2.0 * (0.5 * bounds.high[axis] - 0.5 * low);
    if (size >= 0.0) { // there are places
      units.origin[axis] = !problem.inFloat ? 0.0 : problem.box ? low : low + 0.5 * size;
      extent = std::max(extent, std::min(size, std::numeric_limits<double>::max()));
    }
  }
  units.charge = unitOf(largestCharge(group, sources), problem.inFloat ? usualCharge<float> : usualCharge<double>);
  const double least = problem.inFloat ? minLength<float> : minLength<double>;
  const char* const precision = problem.inFloat ? "single" : "double";
  const char* const remedy = problem.inFloat ? "use double precision" : "use other units";
  if (std::holds_alternative<nbody::Logarithm>(problem.interaction)) {
    if (extent > 0.0 && (extent < least || extent > 1.0 / least)) {
      throw InvalidArgument(std::format(
        "particles and targets lie within a box of the length {}; sums of ln r in {} precision take lengths "
        "from {} to {}: {}",
        extent, precision, least, 1.0 / least, remedy));
    }
    return units;
  }
  units.length =
    unitOf(std::max(extent, lengthOf(problem.interaction)), problem.inFloat ? usualLength<float> : usualLength<double>);
  const auto check = [&](const char* what, double length) {
    if (length < least * units.length) {
      throw InvalidArgument(
        std::format("the {} is {}, and particles and targets lie within a box of the length {}; sums in {} precision "
                    "have its square, so it must be at least {}: {}",
          what, length, extent, precision, least * units.length, remedy));
    }
  };
  if (const double length = lengthOf(problem.interaction); length > 0.0) {
    check(std::holds_alternative<nbody::Gaussian>(problem.interaction) ? "width" : "softening", length);
  }
  if (const auto* const yukawa = std::get_if<nbody::Yukawa>(&problem.interaction); yukawa && yukawa->kappa > 0.0) {
    check("screening length", 1.0 / yukawa->kappa);
  }
  return units;
}

ParticlePlaces inUnits(const ParticlePlaces& places, const ParticleUnits& units, const ParticleProblem& problem) {
  ParticlePlaces result = places;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (double& x : result.coordinates[axis]) {
      if (problem.box && problem.inFloat) {
        x = wrapped(x, problem.box->low[axis], problem.box->edges[axis]);
      }
      x /= units.length;
    }
  }
  return result;
}

ParticleSources inUnits(const ParticleSources& sources, const ParticleUnits& units, const ParticleProblem& problem) {
  ParticleSources result;
  result.places = inUnits(sources.places, units, problem);
  result.charges = sources.charges;
  result.notOwn = sources.notOwn;
  for (std::vector<double>& column : result.charges) {
    for (double& charge : column) {
      charge /= units.charge;
    }
  }
  return result;
}

ParticleProblem inUnits(const ParticleProblem& problem, const ParticleUnits& units) {
  ParticleProblem result = problem;
  result.factor = 1.0;
  if (auto* const softened = std::get_if<nbody::SoftenedInverseDistance>(&result.interaction)) {
    softened->epsilon /= units.length;
  } else if (auto* const gaussian = std::get_if<nbody::Gaussian>(&result.interaction)) {
    gaussian->sigma /= units.length;
  } else if (auto* const yukawa = std::get_if<nbody::Yukawa>(&result.interaction)) {
    yukawa->kappa *= units.length;
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    result.origin[axis] = units.origin[axis] / units.length;
    if (result.box) {
      result.box->low[axis] /= units.length;
      result.box->edges[axis] /= units.length;
    }
  }
  return result;
}

void giveBack(const ParticleUnits& units, const ParticleProblem& problem, ParticleSums& sums) {
  const int power =
    std::visit([]<class Interaction>(const Interaction& /*interaction*/) { return powerOfLength<Interaction>; },
      problem.interaction);
  const auto bring = [&](std::vector<double>& values, int powerOfValues) {
    // One after the other: the unit of the sums may be out of range where they are not.
    for (double& value : values) {
      value *= problem.factor;
      value *= units.charge;
      for (int k = powerOfValues; k < 0; ++k) {
        value /= units.length;
      }
    }
  };
  bring(sums.potentials, power);
  bring(sums.fields, power - 1);
}

} // namespace spanwise
