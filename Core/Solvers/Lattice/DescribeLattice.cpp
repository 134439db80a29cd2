#include "Core/Solvers/Lattice/DescribeLattice.hpp"

#include "Core/Geometry/BoxCells.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/PointText.hpp"

#include <algorithm>
#include <cmath>
#include <format>

namespace spanwise::lattice {

namespace {

void check(const char* what, double value, bool isRight, const char* rule) {
  if (!isRight) {
    throw InvalidArgument(std::format("{} is {}; it must be {}", what, value, rule));
  }
}

/// Faster, and populations of the equilibrium become negative.
constexpr double greatestSpeed = 0.3;

template <int Dim>
void checkVelocity(const char* what, const double (&velocity)[Dim]) {
  double square = 0.0;
  for (const double component : velocity) {
    square += component * component;
  }
  check(what, std::sqrt(square), square <= greatestSpeed * greatestSpeed, "at most 0.3 cells a step");
}

} // namespace

template <int Dim>
std::string describe(const LatticeOptions<Dim>& options) {
  constexpr const char* collisions[] = {"single relaxation", "two relaxation", "regularised", "entropic"};
  constexpr const char* storages[] = {"16-bit", "32-bit", "64-bit"};
  std::string at;
  for (int side = 0; side < 2 * Dim; ++side) {
    const SideCondition<Dim>& is = options.sides[static_cast<std::size_t>(side)];
    at += at.empty() ? "" : ", ";
    if (options.repeats[side / 2]) {
      at += "periodic";
    } else if (is.side == Side::Wall) {
      at += std::format("wall of velocity {}", pointText(is.velocity, Dim));
    } else if (is.side == Side::Slip) {
      at += "slip";
    } else if (is.side == Side::Inflow) {
      at += std::format(
        "{} inflow of {}", is.profile == Profile::Parabolic ? "parabolic" : "uniform", pointText(is.velocity, Dim));
    } else {
      at += std::format("outflow of density {}", is.density);
    }
  }
  const LatticeRefinement& levels = options.refinement;
  const std::string refined = levels.numLevels == 1
    ? std::string("one level")
    : std::format("{} levels with a buffer of {}{}{}", levels.numLevels, levels.buffer,
        levels.atWalls ? ", at walls" : "",
        levels.vorticity > 0.0
          ? std::format(", by vorticity above {} every {} steps", levels.vorticity, levels.stepsPerRemesh)
          : std::string());
  return std::format(
    "box {}, sides {}; {}; viscosity {}, force {}, Smagorinsky {}; {} velocities, {} collision (magic {}), "
    "{} populations, {}; ramp of {} steps; {} steps a frame, a record every {} steps",
    toString(options.box), at, refined, options.viscosity, pointText(options.force, Dim), options.smagorinsky,
    options.velocities == Velocities::All ? "all" : "fewest", collisions[static_cast<std::size_t>(options.collision)],
    options.magic, storages[static_cast<std::size_t>(options.storage)],
    options.update == Update::InPlace ? "in place" : "in two fields", options.rampSteps, options.stepsPerFrame,
    options.stepsPerRecord);
}

template <int Dim>
void checkOptions(const LatticeOptions<Dim>& options) {
  if (options.box.empty()) {
    throw InvalidArgument("the box " + toString(options.box) + " has no cells; it must have one along each axis");
  }
  check("the viscosity", options.viscosity, options.viscosity > 0.0 && std::isfinite(options.viscosity),
    "above 0 and finite");
  check("Smagorinsky's constant", options.smagorinsky, options.smagorinsky >= 0.0 && options.smagorinsky < 1.0,
    "at least 0 and below 1");
  check("the magic number", options.magic, options.magic > 0.0 && std::isfinite(options.magic), "above 0 and finite");
  for (const double force : options.force) {
    check("a component of the force", force, std::abs(force) < 0.1, "less than 0.1 in lattice units");
  }
  const LatticeRefinement& levels = options.refinement;
  check("the number of levels", levels.numLevels, levels.numLevels >= 1 && levels.numLevels <= 8, "1 to 8");
  check("the buffer around what is refined", levels.buffer, levels.buffer >= 1, "at least 1 cell");
  check("the difference of velocities that refines", levels.vorticity,
    levels.vorticity >= 0.0 && std::isfinite(levels.vorticity), "at least 0 and finite");
  check("the number of steps from one remeshing to the next", levels.stepsPerRemesh, levels.stepsPerRemesh >= 1,
    "at least 1");
  check("the number of steps of the ramp", options.rampSteps, options.rampSteps >= 0, "at least 0");
  check(
    "the number of steps from one frame to the next", options.stepsPerFrame, options.stepsPerFrame >= 1, "at least 1");
  check("the number of steps from one record to the next", options.stepsPerRecord, options.stepsPerRecord >= 1,
    "at least 1");
  for (int side = 0; side < 2 * Dim; ++side) {
    const SideCondition<Dim>& is = options.sides[static_cast<std::size_t>(side)];
    if (options.repeats[side / 2]) {
      continue;
    }
    if (is.side == Side::Wall) {
      checkVelocity<Dim>("the speed of a wall", is.velocity);
      const double through = is.velocity[side / 2];
      check("the velocity of a wall across itself", through, through == 0.0, "0: walls move along themselves");
    } else if (is.side == Side::Inflow) {
      checkVelocity<Dim>("the speed that flows in", is.velocity);
    } else if (is.side == Side::Outflow) {
      check("the density at an outflow", is.density, is.density > 0.5 && is.density < 1.5, "0.5 to 1.5, near 1");
    }
  }
}

template std::string describe<2>(const LatticeOptions<2>&);
template std::string describe<3>(const LatticeOptions<3>&);
template void checkOptions<2>(const LatticeOptions<2>&);
template void checkOptions<3>(const LatticeOptions<3>&);

} // namespace spanwise::lattice
