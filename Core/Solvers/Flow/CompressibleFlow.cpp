#include "Core/Solvers/Flow/CompressibleFlow.hpp"

#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Reductions.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/BoxCells.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Crop.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Geometry/StructuringElement.hpp"
#include "Core/Multilevel/LevelFrames.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cmath>
#include <format>
#include <string>
#include <utility>

namespace spanwise::flow {

namespace {

template <int Dim>
geometry::Periods<Dim> periodsOf(const FlowOptions<Dim>& options) {
  geometry::Periods<Dim> periods;
  periods.box = options.box;
  std::copy(options.repeats, options.repeats + Dim, periods.along);
  return periods;
}

void check(const char* what, double value, bool isRight, const char* rule) {
  if (!isRight) {
    throw InvalidArgument(std::format("{} is {}; it must be {}", what, value, rule));
  }
}

void checkPositive(const char* what, double value) {
  check(what, value, value > 0.0 && std::isfinite(value), "above 0 and finite");
}

void checkCount(const char* what, int value, int min, int max) {
  if (value < min || value > max) {
    throw InvalidArgument(std::format("{} is {}; it must be {} to {}", what, value, min, max));
  }
}

} // namespace

template <class ExecutionSpace, int Dim>
CompressibleFlow<ExecutionSpace, Dim>::CompressibleFlow(const Context<ExecutionSpace>& context,
  const FlowOptions<Dim>& options, const Set& obstacle, const parallel::RowCut& cut)
  : context_(context), options_(options), domain_(context, cut, periodsOf(options)), scheme_(options) {
  parallel::agree(domain_.communicator(), [&] { checkOptions(); });
  std::copy(options.sides, options.sides + 2 * Dim, boundary_.sides);
  boundary_.inflow = scheme_.gas().conserved(options.inflow);
  makeRoot();
  makeObstacles(obstacle);
  start(UniformState<Dim>{options.inflow});
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::checkOptions() const {
  check("gamma", options_.gamma, options_.gamma > 1.0 && std::isfinite(options_.gamma), "above 1 and finite");
  checkPositive("the density that flows in", options_.inflow.density);
  checkPositive("the pressure that flows in", options_.inflow.pressure);
  for (const double velocity : options_.inflow.velocity) {
    check("a velocity that flows in", velocity, std::isfinite(velocity), "finite");
  }
  check("the CFL number", options_.cfl, options_.cfl > 0.0 && options_.cfl <= 1.0, "above 0 and at most 1");
  constexpr int manySteps = 1000000000;
  checkCount("the number of levels", options_.numLevels, 1, multilevel::maxNumLevels);
  checkCount("the number of steps from one remeshing to the next", options_.stepsPerRemesh, 1, manySteps);
  checkCount("the number of steps in a frame", options_.stepsPerFrame, 1, manySteps);
  checkCount("the buffer around refined cells", options_.buffer, 2, 64);
  for (const double spacing : options_.lattice.spacing) {
    checkPositive("the size of cells", spacing);
  }
  if (options_.box.empty()) {
    throw InvalidArgument("the box " + toString(options_.box) + " has no cells; it must have one along each axis");
  }
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::makeRoot() {
  levels_.setRootLattice(options_.lattice);
  parallel::agree(domain_.communicator(), [&] {
    const geometry::Box<Dim> own = geometry::inPlanes(options_.box, domain_.cut(0).part(domain_.communicator().rank()));
    makeBox<ExecutionSpace, Dim>(context_, own, levels_.level(0));
  });
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::makeObstacles(const Set& obstacle) {
  if (domain_.communicator().reduced(ReduceBy::Maximum, obstacle.numCells()) == 0) {
    return;
  }
  const int finest = options_.numLevels - 1;
  const auto count = static_cast<std::size_t>(options_.numLevels);
  solid_.resize(count);
  atSolid_.resize(count);
  geometry::Cell<Dim> one{};
  std::fill(one.at, one.at + Dim, 1);
  const auto box = geometry::StructuringElement<Dim>::box(one);
  const auto boxOf = [&](int l) { // this rank's cells of a level that are in the domain
    geometry::Box<Dim> own = domain_.box(l);
    for (int d = 0; d < Dim; ++d) {
      const std::int64_t scale = std::int64_t{1} << l;
      own.begin[d] =
        static_cast<geometry::Coordinate>(std::max<std::int64_t>(own.begin[d], options_.box.begin[d] * scale));
      own.end[d] = static_cast<geometry::Coordinate>(std::min<std::int64_t>(own.end[d], options_.box.end[d] * scale));
    }
    return own;
  };
  Set touched; // cells of a level that hold a part of it
  for (int l = finest; l >= 0; --l) {
    const auto index = static_cast<Level>(l);
    parallel::agree(domain_.communicator(), [&] {
      if (l == finest) {
        crop<ExecutionSpace, Dim>(context_, obstacle, boxOf(l), touched);
        solid_[index] = touched;
      } else {
        coarsen<ExecutionSpace, Dim>(context_, multilevel::Coarsening::Inside, solid_[index + 1], solid_[index]);
        coarsen<ExecutionSpace, Dim>(context_, multilevel::Coarsening::Outside, touched, touched);
      }
    });
    domain_.dilate(context_, l, box, touched, scratch_[0]);
    parallel::agree(domain_.communicator(), [&] {
      crop<ExecutionSpace, Dim>(context_, scratch_[0], boxOf(l), scratch_[1]);
      combine<ExecutionSpace, Dim>(
        context_, geometry::SetOperation::Difference, scratch_[1], solid_[index], atSolid_[index]);
    });
  }
  const std::int64_t free =
    domain_.communicator().reduced(ReduceBy::Sum, levels_.level(0).numCells() - solid_.front().numCells());
  if (free <= 0) {
    throw InvalidArgument("the obstacle fills the box " + toString(options_.box) + "; it must leave cells to the gas");
  }
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::useLevels() {
  buildGhosts(context_, domain_, levels_, {scheme_.width(), true, multilevel::Prolongation::Linear}, ghosts_);
  const int count = ghosts_.numLevels;
  while (static_cast<int>(registers_.size()) + 1 < count) {
    registers_.emplace_back(Component<Dim>::count);
  }
  for (Field* const each : {&state_, &next_}) {
    ghosts_.resize(*each);
  }
  for (int l = 0; l < count; ++l) {
    const auto index = static_cast<Level>(l);
    parallel::agree(domain_.communicator(), [&] {
      if (solid_.empty()) {
        multilevel::leaves<ExecutionSpace, Dim>(context_, levels_, l, leaves_[index]);
      } else {
        multilevel::leaves<ExecutionSpace, Dim>(context_, levels_, l, scratch_[0]);
        combine<ExecutionSpace, Dim>(
          context_, geometry::SetOperation::Difference, scratch_[0], solid_[index], leaves_[index]);
        commonCells<ExecutionSpace, Dim>(context_, ghosts_.extended[index], solid_[index], solidCells_[index]);
      }
      commonCells<ExecutionSpace, Dim>(context_, ghosts_.extended[index], leaves_[index], stepped_[index]);
      scheme_.useLevel(context_, l, ghosts_.extended[index], stepped_[index]);
    });
    if (l + 1 < count) {
      buildFluxRegister(context_, domain_, levels_, ghosts_, l, registers_[index]);
    }
  }
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::adapt() {
  fromExtended(context_, ghosts_, state_, own_.front());
  const auto tag = [&](int l, Set& out) {
    const auto index = static_cast<Level>(l);
    const Field& field = levels_.level(l).empty() ? none_ : own_.front();
    multilevel::LevelValues<ExecutionSpace, Dim, double> values{l, levels_.level(l), field.level(l)};
    if (solid_.empty()) {
      tagCells(context_, domain_, values, options_.sensor, out, ofTagging_);
    } else {
      tagCells(context_, domain_, values, options_.sensor, scratch_[0], ofTagging_);
      parallel::agree(domain_.communicator(), [&] {
        combine<ExecutionSpace, Dim>(
          context_, geometry::SetOperation::Difference, scratch_[0], solid_[index], scratch_[1]);
        combine<ExecutionSpace, Dim>(context_, geometry::SetOperation::Union, scratch_[1], atSolid_[index], out);
      });
    }
  };
  const multilevel::AdaptOptions options{options_.numLevels, options_.buffer};
  adaptation_.adaptBy(context_, domain_, tag, options, levels_, own_);
  useLevels();
  toExtended(context_, ghosts_, own_.front(), state_);
  settle();
}

/// What stages rely on after the levels have changed: coarse cells have means, and solid cells are 0 in both fields.
template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::settle() {
  for (int l = 0; l < ghosts_.numLevels && !solid_.empty(); ++l) {
    field::fill<ExecutionSpace, double>(context_, state_.level(l), 0.0, solidCells_[static_cast<Level>(l)]);
  }
  restrictLevels(context_, ghosts_, state_);
  for (int l = 0; l < ghosts_.numLevels; ++l) {
    field::copyValues<ExecutionSpace, double>(context_, state_.level(l), next_.level(l));
  }
}

template <class ExecutionSpace, int Dim>
double CompressibleFlow<ExecutionSpace, Dim>::timeStep(double end) {
  std::int64_t low = 0;
  double fastest = 0.0;
  std::int64_t numCells = 0;
  for (int l = 0; l < ghosts_.numLevels; ++l) {
    const auto index = static_cast<Level>(l);
    const geometry::GridGeometry<Dim> lattice = levels_.lattice(l);
    const detail::StateCheck found = scheme_.check(context_, stepped_[index], state_.level(l), lattice.spacing);
    if (found.numLow > 0) {
      scheme_.raise(context_, stepped_[index], state_.level(l));
    }
    low += found.numLow;
    fastest = std::isnan(found.fastest) || found.fastest > fastest ? found.fastest : fastest;
    numCells += leaves_[index].numCells();
  }
  std::int64_t sums[2] = {low, numCells};
  domain_.communicator().reduce(ReduceBy::Sum, std::span<std::int64_t>(sums));
  fastest = domain_.communicator().reduced(
    ReduceBy::Maximum, std::isfinite(fastest) ? fastest : std::numeric_limits<double>::infinity());
  report_.raisedCells += sums[0];
  report_.cellUpdates += sums[1];
  if (!(fastest > 0.0) || !std::isfinite(fastest)) {
    throw Error(std::format("the flow has no finite speed any more at time {}, after {} steps; a smaller CFL number "
                            "than {} or a more robust scheme may help",
      time_, report_.steps, options_.cfl));
  }
  return std::min(options_.cfl / fastest, end - time_);
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::stage(double dt, double kept, double weight, Field& in, Field& out) {
  fillGhosts(context_, ghosts_, boundary_, in);
  for (int l = 0; l < ghosts_.numLevels; ++l) {
    const auto index = static_cast<Level>(l);
    const geometry::GridGeometry<Dim> lattice = levels_.lattice(l);
    double ratio[Dim];
    for (int d = 0; d < Dim; ++d) {
      ratio[d] = dt / lattice.spacing[d];
    }
    scheme_.stage(context_, l, in.level(l), ratio, kept, out.level(l));
    if (l + 1 < ghosts_.numLevels) {
      scheme_.addCoarseFluxes(context_, in.level(l), weight * dt, registers_[index]);
    }
    if (l > 0) {
      scheme_.addFineFluxes(context_, in.level(l), weight * dt, registers_[index - 1]);
    }
  }
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::step(double end) {
  SPANWISE_REGION("Flow::step");
  if (options_.numLevels > 1 && report_.steps > 0 && report_.steps % options_.stepsPerRemesh == 0) {
    adapt();
    ++report_.remeshes;
  }
  const double dt = timeStep(end);
  for (int l = 0; l + 1 < ghosts_.numLevels; ++l) {
    clear(context_, registers_[static_cast<Level>(l)]);
  }
  if (scheme_.numStages() == 1) {
    stage(dt, 0.0, 1.0, state_, next_);
    std::swap(state_, next_);
  } else {
    stage(dt, 0.0, 0.5, state_, next_);
    restrictLevels(context_, ghosts_, next_);
    stage(dt, 0.5, 0.5, next_, state_);
  }
  for (int l = 0; l + 1 < ghosts_.numLevels; ++l) {
    const geometry::GridGeometry<Dim> lattice = levels_.lattice(l);
    correct(context_, registers_[static_cast<Level>(l)], lattice.spacing, state_.level(l));
  }
  restrictLevels(context_, ghosts_, state_);
  time_ += dt;
  ++report_.steps;
}

template <class ExecutionSpace, int Dim>
auto CompressibleFlow<ExecutionSpace, Dim>::state() -> const Field& {
  fromExtended(context_, ghosts_, state_, own_.front());
  return own_.front();
}

template <class ExecutionSpace, int Dim>
auto CompressibleFlow<ExecutionSpace, Dim>::measures() -> const Field& {
  fillGhosts(context_, ghosts_, boundary_, state_);
  ghosts_.resize(measures_);
  for (int l = 0; l < ghosts_.numLevels; ++l) {
    field::fill<ExecutionSpace, double>(context_, measures_.level(l), 0.0);
    scheme_.measure(context_, l, state_.level(l), levels_.lattice(l).spacing, measures_.level(l));
  }
  fromExtended(context_, ghosts_, measures_, ownMeasures_);
  return ownMeasures_;
}

template <class ExecutionSpace, int Dim>
Kokkos::Array<double, Dim> CompressibleFlow<ExecutionSpace, Dim>::force() {
  fillGhosts(context_, ghosts_, boundary_, state_);
  std::vector<double> sums(static_cast<Level>(Dim));
  const auto finest = static_cast<Level>(options_.numLevels - 1);
  if (!solid_.empty() && ghosts_.numLevels == options_.numLevels) {
    const detail::ForceSum<Dim> mine = scheme_.force(context_, atSolid_[finest], ghosts_.extended[finest],
      state_.level(options_.numLevels - 1), levels_.lattice(options_.numLevels - 1).spacing);
    std::copy(mine.along, mine.along + Dim, sums.begin());
  }
  domain_.communicator().reduce(ReduceBy::Sum, std::span<double>(sums));
  Kokkos::Array<double, Dim> result{};
  std::copy(sums.begin(), sums.end(), result.data());
  return result;
}

template <class ExecutionSpace, int Dim>
double CompressibleFlow<ExecutionSpace, Dim>::total(int component) const {
  double sum = 0.0;
  for (int l = 0; l < ghosts_.numLevels; ++l) {
    double volume = 1.0;
    for (int d = 0; d < Dim; ++d) {
      volume *= levels_.dx(l, d);
    }
    sum += volume *
      field::sum<ExecutionSpace, double>(context_, state_.level(l), component, stepped_[static_cast<Level>(l)]);
  }
  return domain_.communicator().reduced(ReduceBy::Sum, sum);
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::advance(const Progress& progress) {
  for (int k = 0; k < options_.stepsPerFrame; ++k) {
    progress.report(static_cast<double>(k) / options_.stepsPerFrame);
    step();
  }
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::store(KeptFrame& frame) {
  frame.time = time_;
  FrameWriter to(frame);
  multilevel::storeLevels(levels_, to);
  multilevel::storeField(levels_, state(), to);
  to.number(report_);
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::restore(const KeptFrame& frame, const Progress& /*progress*/) {
  time_ = frame.time;
  FrameReader from(frame);
  multilevel::restoreLevels(from, levels_);
  multilevel::restoreField(from, levels_, own_.front());
  report_ = from.number<FlowReport>();
  useLevels();
  toExtended(context_, ghosts_, own_.front(), state_);
  settle();
}

#define SPANWISE_COMPRESSIBLE_FLOW(Space, Dim) template class CompressibleFlow<Space, Dim>;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_COMPRESSIBLE_FLOW)

} // namespace spanwise::flow
