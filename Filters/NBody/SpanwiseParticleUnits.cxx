#include "SpanwiseParticleUnits.h"

#include "SpanwisePropertyChecks.h"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <algorithm>
#include <cmath>
#include <format>
#include <limits>
#include <variant>

namespace spanwise {

namespace {

/// The power of two below a number, or 1 where the number is 0 or within `range` of 1.
double unitOf(double size, double range) {
  const bool isUsual = size == 0.0 || (size <= range && size >= 1.0 / range);
  return isUsual ? 1.0 : std::ldexp(1.0, std::max(std::ilogb(size), -1000));
}

/// The least and the greatest of numbers.
struct Range {
  double low = std::numeric_limits<double>::max();
  double high = std::numeric_limits<double>::lowest();
};

struct FindRange {
  using value_type = Range;
  const double* numbers;

  void init(Range& range) const { range = {}; }
  void join(Range& range, const Range& other) const {
    range = {std::min(range.low, other.low), std::max(range.high, other.high)};
  }
  void operator()(std::int64_t k, Range& range) const { join(range, {numbers[k], numbers[k]}); }
};

Range rangeOf(const std::vector<double>& numbers) {
  const IndexRange<HostExecutionSpace> all(HostExecutionSpace(), 0, std::ssize(numbers));
  Range range;
  reduce(SPANWISE_KERNEL("range"), all, FindRange{numbers.data()}, range);
  return range;
}

/// Least and greatest coordinates of all ranks.
struct Bounds {
  std::vector<double> low;
  std::vector<double> high;
};

Bounds boundsOf(const RankGroup& group, const ParticlePlaces& places, const ParticlePlaces* targets) {
  Bounds bounds{std::vector<double>(3, Range().low), std::vector<double>(3, Range().high)};
  for (const ParticlePlaces* of : {&places, targets}) {
    for (std::size_t axis = 0; of != nullptr && axis < 3; ++axis) {
      const Range range = rangeOf(of->coordinates[axis]);
      bounds.low[axis] = std::min(bounds.low[axis], range.low);
      bounds.high[axis] = std::max(bounds.high[axis], range.high);
    }
  }
  group.minimum(bounds.low);
  group.maximum(bounds.high);
  return bounds;
}

double largestCharge(const RankGroup& group, const ParticleSources& sources) {
  std::vector<double> largest{0.0};
  for (const std::vector<double>& column : sources.charges) {
    if (!column.empty()) {
      const Range range = rangeOf(column);
      largest[0] = std::max({largest[0], std::abs(range.low), std::abs(range.high)});
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

double CoordinateInUnits::operator()(double x) const {
  return (edge > 0.0 ? wrapped(x, low, edge) : x) / length - origin;
}

CoordinateInUnits coordinateInUnits(
  const ParticleUnits& units, const ParticleProblem& problem, std::size_t axis, bool fromOrigin) {
  CoordinateInUnits result;
  result.length = units.length;
  result.origin = fromOrigin ? units.origin[axis] / units.length : 0.0;
  if (problem.box && problem.inFloat) {
    result.low = problem.box->low[axis];
    result.edge = problem.box->edges[axis];
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
    if (result.box) {
      result.box->low[axis] /= units.length;
      result.box->edges[axis] /= units.length;
    }
  }
  return result;
}

int powerOfLength(const AnyInteraction& interaction) {
  if (std::holds_alternative<nbody::Dipole<3>>(interaction)) {
    return -2;
  }
  const bool hasNone =
    std::holds_alternative<nbody::Gaussian>(interaction) || std::holds_alternative<nbody::Logarithm>(interaction);
  return hasNone ? 0 : -1;
}

} // namespace spanwise
