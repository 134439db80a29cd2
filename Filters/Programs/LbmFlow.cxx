#include "LbmFlow.h"

#include "LbmDomain.h"
#include "PackedBed.h"

#include "SpanwiseFlowDomain.h"

#include "Core/Geometry/BoxCells.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ProcessMemory.hpp"
#include "Core/Solvers/Lattice/DescribeLattice.hpp"
#include "Core/Solvers/Lattice/FluidValues.hpp"
#include "Core/Solvers/Lattice/LatticeUnits.hpp"

#include <algorithm>
#include <cmath>
#include <format>
#include <numbers>

using namespace spanwise;
using namespace spanwise::geometry;
using namespace spanwise::lattice;

namespace {

template <int Dim>
void setMethod(const LbmOptions& asked, LatticeOptions<Dim>& options) {
  options.smagorinsky = asked.smagorinsky;
  options.velocities = asked.velocities;
  options.collision = asked.collision;
  options.storage = asked.storage;
  options.update = asked.update;
  options.stepsPerFrame = 1;
  options.refinement = {asked.numLevels, asked.buffer, asked.refinesWalls,
    asked.numLevels > 1 ? asked.vorticity * latticeSpeedOf(asked) : 0.0, asked.remeshStride};
}

template <int Dim>
void setSides(const LbmOptions& asked, LatticeOptions<Dim>& options, double latticeSpeed) {
  for (int d = 0; d < Dim; ++d) {
    options.repeats[d] = isBed(asked) || (asked.flow == LbmCase::Porous && d == asked.axis);
  }
  if (asked.flow == LbmCase::Cavity) {
    options.sides[2 * Dim - 1].velocity[0] = latticeSpeed;
  } else if (asked.flow != LbmCase::Porous) {
    for (SideCondition<Dim>& side : options.sides) {
      side.side = asked.isChannel ? Side::Wall : Side::Slip;
    }
    options.sides[0] = {Side::Inflow, {latticeSpeed}, asked.isChannel ? Profile::Parabolic : Profile::Uniform};
    options.sides[1].side = Side::Outflow;
    options.rampSteps = quietRamp(options.box.extent(0));
  }
}

/// A force that is slow enough: even between walls as far apart as the box is long, without anything within, the fluid
/// would stay below the lattice speed.
template <int Dim>
void push(const LbmOptions& asked, LatticeSetup<Dim>& setup, double latticeSpeed) {
  std::int64_t longest = 0;
  for (int d = 0; d < Dim; ++d) {
    longest = std::max(longest, setup.options.box.extent(d));
  }
  const double force = 8.0 * latticeSpeed * setup.units.viscosity / std::pow(static_cast<double>(longest), 2);
  const auto axis = static_cast<std::size_t>(asked.axis);
  setup.options.force[axis] = force;
  setup.acceleration[axis] = force / setup.units.acceleration(1.0);
}

/// Throws InvalidArgument where the obstacle covers all of the side that the stream comes through.
template <int Dim>
void checkInflow(const LatticeSetup<Dim>& setup, std::int64_t numCovered) {
  const double numRows = std::ldexp(static_cast<double>(setup.options.box.numRows()),
    (Dim - 1) * (setup.options.refinement.numLevels - 1)); // of the finest level
  if (setup.options.sides[0].side == Side::Inflow && static_cast<double>(numCovered) == numRows) {
    throw InvalidArgument("the inflow lies in the obstacle, which covers all of that side: nothing can flow in. Leave "
                          "more room upstream or beside (--room)");
  }
}

/// Cells of a set in the lowest plane across x.
template <int Dim>
std::int64_t numInFirstPlane(const HostIntervalSet<Dim>& set, Coordinate x) {
  std::int64_t count = 0;
  const IntervalSetView<Dim> view = set.view();
  for (std::int64_t i = 0; i < view.numIntervals; ++i) {
    count += view.intervals[i].begin <= x && x < view.intervals[i].end ? 1 : 0;
  }
  return count;
}

/// Bytes that a cell with fluid takes at least: populations, density and velocity, the velocity of the last check, and
/// what is written.
template <int Dim>
double bytesOfCell(const LatticeOptions<Dim>& options) {
  const int count = Dim == 2 ? 9 : (options.velocities == Velocities::All ? 27 : 19);
  const int width = options.storage == Storage::Half ? 2 : (options.storage == Storage::Float ? 4 : 8);
  const int fields = options.update == Update::InPlace && options.refinement.numLevels == 1 ? 1 : 2;
  return count * width * fields + 16.0 * (Dim + 1) + 4.0 * Dim + 16.0 * FluidValue<Dim>::count;
}

template <int Dim>
void checkMemory(const RankGroup& group, const LatticeOptions<Dim>& options, double numCells) {
  const double needed = numCells / group.size() * bytesOfCell(options);
  if (const double memory = processMemory(); needed > memory) {
    throw InvalidArgument(std::format("{:.4g} cells with fluid need {:.3g} GB of memory{}; there are {:.3g} GB. Use "
                                      "fewer cells (--size), or --storage half",
      numCells, needed / 1e9, group.alone() ? "" : " on each rank", memory / 1e9));
  }
}

/// At least one, and not more than can be counted.
std::int64_t wholeSteps(double steps) { return std::max<std::int64_t>(1, std::llround(std::min(steps, 1e15))); }

void planSteps(const LbmOptions& asked, int dimension, double passSteps, LbmPlan& plan) {
  const double usual = asked.flow == LbmCase::Cavity ? 100.0
    : asked.flow == LbmCase::Cylinder                ? 150.0
    : asked.flow == LbmCase::Porous                  ? 25.0 // 50 checks
                                                     : 25.0;
  plan.maxSteps = asked.maxSteps.value_or(wholeSteps(usual * passSteps));
  plan.tolerance = asked.tolerance.value_or(asked.flow == LbmCase::Cavity ? 5e-5
      : asked.flow == LbmCase::Porous                                     ? 1e-4
                                                                          : 0.0);
  plan.outputStride =
    asked.outputStride.value_or(dimension == 2 ? wholeSteps(0.1 * static_cast<double>(plan.maxSteps)) : 0);
}

/// What reports have besides forces, and what tells when the flow is steady.
template <int Dim>
void watch(const LbmOptions& asked, const LbmPlan& plan, double passSteps, LatticeSetup<Dim>& setup) {
  LatticeWatch<Dim>& watched = setup.watch.emplace();
  watched.lattice = setup.lattice;
  watched.stepsPerCheck = plan.tolerance > 0.0 ? wholeSteps(0.5 * passSteps) : 0;
  watched.speed = asked.flow == LbmCase::Porous ? 0.0 : latticeSpeedOf(asked);
  for (const std::vector<double>& probe : asked.probes) {
    if (probe.size() != Dim) {
      throw InvalidArgument(std::format("a probe has {} coordinates; in {}D it must have {}", probe.size(), Dim, Dim));
    }
    std::copy_n(probe.begin(), Dim, watched.probes.emplace_back().begin());
  }
}

/// The area of an obstacle as the stream sees it, in cells of level 0: its rows along x, of the finest level.
template <int Dim>
double frontOf(const RankGroup& group, const LbmOptions& asked, const HostIntervalSet<Dim>& cells, int size) {
  const auto rows = static_cast<double>(group.sum(cells.view().numRows));
  switch (asked.flow) {
  case LbmCase::Cylinder:
    return size;
  case LbmCase::Sphere:
    return 0.25 * std::numbers::pi * size * size;
  case LbmCase::File:
    return std::ldexp(rows, (1 - Dim) * (asked.numLevels - 1));
  default:
    return 0.0;
  }
}

/// Puts the spheres of a bed, or what the domain is around, into the setup.
template <int Dim>
void addObstacle(const RankGroup& group, const LbmOptions& asked, const FlowDomain& domain, const InputCells& cells,
  int size, LatticeSetup<Dim>& setup) {
  if constexpr (Dim == 3) {
    if (isBed(asked)) {
      const PackedBed bed{size, asked.numSpheres, asked.porosity, asked.seed};
      setup.surfaces = spheresOf(bed);
      if (group.rank() == 0) {
        setup.cells = cellsOf(bed, setup.surfaces);
      }
      return;
    }
  }
  GridGeometry<Dim> finest = setup.lattice;
  Box<Dim> box = setup.options.box;
  for (int d = 0; d < Dim; ++d) {
    finest.spacing[d] /= asked.finestPerCell();
    box.end[d] *= asked.finestPerCell();
  }
  setup.cells = obstacleOn<Dim>(group, domain, cells, finest, box);
  if (domain.around == FlowAround::Ball) {
    BallSurface<Dim>& surface = setup.surfaces.emplace_back();
    for (int d = 0; d < Dim; ++d) {
      surface.centre[d] =
        (domain.centre[static_cast<std::size_t>(d)] - setup.lattice.origin[d]) / setup.lattice.spacing[d];
    }
    surface.radius = domain.radius / setup.lattice.spacing[0];
  }
}

/// Where the user gives none.
double viscosityOf(const LbmOptions& asked, const LbmPlan& plan) {
  if (asked.flow == LbmCase::Porous) {
    return asked.cellSize ? 1e-6 : 1.0; // that of water
  }
  return plan.speed * plan.length / asked.reynolds.value_or(asked.flow == LbmCase::Cavity ? 400.0 : 100.0);
}

} // namespace

template <int Dim>
LbmFlow<Dim> makeLbmFlow(const RankGroup& group, const LbmOptions& asked, const LbmFile& file) {
  const InputCells& cells = file.cells;
  LbmFlow<Dim> flow;
  LatticeSetup<Dim>& setup = flow.setup;
  LatticeOptions<Dim>& options = setup.options;
  LbmPlan& plan = flow.plan;
  const int size = sizeOf(asked, Dim);
  const double latticeSpeed = latticeSpeedOf(asked);
  const bool isPorous = asked.flow == LbmCase::Porous;
  // Bounds of a file say how long it is; the length of other flows is known before.
  const double known = scaleOf(asked, cells, {}, size).length;
  FlowDomain domain = domainOf(asked, Dim, known > 0.0 ? known : 1.0);
  const FlowPlace place = placeOf(group, domain, cells);
  double magnification = 1.0;
  group.agree([&] {
    if (isPorous && asked.axis >= Dim) {
      throw InvalidArgument("the pores are 2D: it can flow along x or y, not along z");
    }
    const LbmScale scale = scaleOf(asked, cells, place, size);
    domain.cellsAlongX = static_cast<int>(std::clamp((place.box[1] - place.box[0]) / scale.spacing + 0.5, 1.0, 2e9));
    layCells<Dim>(domain, place, options.box, setup.lattice);
    plan.size = static_cast<int>(std::lround(scale.length / setup.lattice.spacing[0]));
    // Images often do not know how large their cells are: the user does.
    magnification = isPorous ? asked.cellSize.value_or(setup.lattice.spacing[0]) / setup.lattice.spacing[0] : 1.0;
    const double spacing = magnification * setup.lattice.spacing[0];
    plan.length = magnification * scale.length;
    plan.speed = isPorous ? 0.0 : asked.speed.value_or(1.0);
    setup.viscosity = asked.viscosity.value_or(viscosityOf(asked, plan));
    // In pores the viscosity is 1/6 of a cell squared a step, as good as any.
    const double fastest = isPorous ? 6.0 * latticeSpeed * setup.viscosity / spacing : plan.speed;
    setup.units = latticeUnits({spacing, fastest, setup.viscosity, latticeSpeed});
    checkStability(setup.units, asked.collision);
    options.viscosity = setup.units.viscosity;
    setMethod<Dim>(asked, options);
    setSides<Dim>(asked, options, latticeSpeed);
    setup.hold = isPorous && !isBed(asked) ? CellsHold::Fluid : CellsHold::Solid;
    setup.stream[isPorous ? static_cast<std::size_t>(asked.axis) : 0] = 1.0;
    setup.plane = planeOf(domain, cells);
    plan.numBoxCells = static_cast<double>(numCells(options.box));
    if (isPorous) {
      push<Dim>(asked, setup, latticeSpeed);
    }
    if (setup.hold == CellsHold::Solid) {
      // Before the cells of the obstacle are made, of which there are few.
      checkMemory<Dim>(group, options, plan.numBoxCells * (isBed(asked) ? asked.porosity : 0.9));
    }
  });
  if (file.surface && file.surface->dimension == Dim) {
    setWalls<Dim>(group, *file.surface, setup);
  } else {
    group.agree([&] { addObstacle<Dim>(group, asked, domain, cells, size, setup); });
  }
  group.agree([&] {
    for (int d = 0; d < Dim; ++d) {
      setup.lattice.origin[d] *= magnification;
      setup.lattice.spacing[d] *= magnification;
    }
  });
  const std::int64_t numGiven = group.sum(setup.cells.numCells());
  const std::int64_t numCovered = group.sum(numInFirstPlane<Dim>(setup.cells, options.box.begin[0]));
  // Of levels as if all were of level 0: the least that there are.
  const auto given = static_cast<double>(numGiven);
  const double least = setup.hold == CellsHold::Fluid
    ? given
    : static_cast<double>(numCells(options.box)) - std::ldexp(given, -Dim * (asked.numLevels - 1));
  plan.area = frontOf<Dim>(group, asked, setup.cells, size) * std::pow(setup.lattice.spacing[0], Dim - 1);
  group.agree([&] {
    checkMemory<Dim>(group, options, least);
    checkInflow<Dim>(setup, numCovered);
    // What pores need to change goes with the square of their width; an eighth of the box is a wide one.
    const double passSteps =
      isPorous ? 2.0 * std::max(50.0, std::pow(plan.size / 8.0, 2) / options.viscosity) : plan.size / latticeSpeed;
    planSteps(asked, Dim, passSteps, plan);
    options.stepsPerRecord = static_cast<int>(std::min<std::int64_t>(wholeSteps(0.05 * passSteps), 1 << 20));
    watch<Dim>(asked, plan, passSteps, setup);
  });
  return flow;
}

template <int Dim>
std::string tellFlow(const LbmOptions& asked, const LbmFlow<Dim>& flow) {
  const LatticeSetup<Dim>& setup = flow.setup;
  const LbmPlan& plan = flow.plan;
  std::string cells;
  for (int d = 0; d < Dim; ++d) {
    cells += std::format("{}{}", d == 0 ? "" : " x ", setup.options.box.extent(d));
  }
  const auto numCells = static_cast<double>(plan.numCells);
  std::string text = std::format("{} cells of {:.4g}, ", cells, setup.lattice.spacing[0]);
  text += asked.numLevels > 1
    ? std::format("on {} levels, the finest of {:.4g}; {} with fluid at the start", asked.numLevels,
        setup.lattice.spacing[0] / asked.finestPerCell(), plan.numCells)
    : std::format("{} of them with fluid ({:.3g} of the box)", plan.numCells, numCells / plan.numBoxCells);
  text += std::format(", which take {:.3g} MB. ", numCells * bytesOfCell(setup.options) / 1e6);
  if (plan.speed > 0.0) {
    text += std::format("Reynolds number {:.4g} (speed {:.4g}, length {:.4g} or {} cells, viscosity {:.4g}); ",
      plan.speed * plan.length / setup.viscosity, plan.speed, plan.length, plan.size, setup.viscosity);
  } else {
    text += std::format("Acceleration {:.4g} along {}, viscosity {:.4g}; ",
      setup.acceleration[static_cast<std::size_t>(asked.axis)], "xyz"[asked.axis], setup.viscosity);
  }
  text += std::format("time step {:.4g}, Mach number on the lattice {}{:.3g}, relaxation time {:.6g}. ",
    setup.units.timeStep, plan.speed > 0.0 ? "" : "below ", setup.units.machNumber, setup.units.relaxationTime);
  text += std::format(
    "At most {} steps, time {:.4g}", plan.maxSteps, static_cast<double>(plan.maxSteps) * setup.units.timeStep);
  if (plan.tolerance > 0.0) {
    text += std::format("; or until the velocity changes by less than {:g} of the speed in {} steps", plan.tolerance,
      setup.watch->stepsPerCheck);
  }
  return text + ".\n" + describe(setup.options) + "; " + describe(*setup.watch) + ".";
}

#define SPANWISE_LBM_FLOW(Dim)                                                                                         \
  template LbmFlow<Dim> makeLbmFlow<Dim>(const RankGroup&, const LbmOptions&, const LbmFile&);                         \
  template std::string tellFlow<Dim>(const LbmOptions&, const LbmFlow<Dim>&);
SPANWISE_LBM_FLOW(2)
SPANWISE_LBM_FLOW(3)
