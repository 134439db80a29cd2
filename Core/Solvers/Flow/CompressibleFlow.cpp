#include "Core/Solvers/Flow/CompressibleFlow.hpp"

#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Reductions.hpp"
#include "Core/Field/Remap.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/BoxCells.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Copy.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Geometry/StructuringElement.hpp"
#include "Core/Multilevel/LevelFrames.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Flow/Detail/CheckOptions.hpp"

#include <algorithm>
#include <bit>
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

template <int Dim>
parallel::RowCut cutOrShares(
  const Communicator& communicator, const geometry::Box<Dim>& box, const parallel::RowCut& cut) {
  return cut.bounds.empty() ? parallel::equalCut({box.begin[Dim - 1], box.end[Dim - 1]}, communicator.size()) : cut;
}

/// How many cells of a size the fastest waves of a state cross in a unit of time, summed over axes.
template <int Dim>
double speedIn(const IdealGas<double>& gas, const Primitive<double, Dim>& state, const double (&spacing)[Dim]) {
  double speed = 0.0;
  for (int d = 0; d < Dim; ++d) {
    speed += (std::fabs(state.velocity[d]) + gas.soundSpeed(state)) / spacing[d];
  }
  return speed;
}

/// A cell and those that have their upper faces in common with it.
template <int Dim>
geometry::StructuringElement<Dim> cellsAtFaces() {
  using Key = geometry::RowKey<Dim>;
  std::vector<Key> rows{Key::fromYZ(-1, 0), Key::fromYZ(0, 0)};
  std::vector<geometry::Interval> intervals{{0, 1}, {-1, 1}};
  std::vector<std::int64_t> offsets{0, 1, 2};
  if (Dim == 3) {
    rows.insert(rows.begin(), Key::fromYZ(0, -1));
    intervals.insert(intervals.begin(), {0, 1});
    offsets.push_back(3);
  }
  return geometry::StructuringElement<Dim>::of(geometry::fromArrays<Dim>(rows, offsets, intervals));
}

} // namespace

template <class ExecutionSpace, int Dim>
CompressibleFlow<ExecutionSpace, Dim>::CompressibleFlow(const Context<ExecutionSpace>& context,
  const FlowOptions<Dim>& options, const Set& obstacle, const parallel::RowCut& cut)
  : context_(context), options_(options),
    domain_(context, cutOrShares(context.communicator(), options.box, cut), periodsOf(options)), scheme_(options),
    obstacle_(context.communicator()), move_(context.communicator()), history_(options.probes.size()) {
  parallel::agree(domain_.communicator(), [&] {
    detail::checkOptions(options_);
    atFaces_ = cellsAtFaces<Dim>();
    makeRoot();
    placeProbes();
  });
  for (auto& jumps : jumps_) {
    jumps.numComponents = Component<Dim>::count;
  }
  std::copy(options.sides, options.sides + 2 * Dim, boundary_.sides);
  boundary_.inflow = scheme_.gas().conserved(options.inflow);
  obstacle_.build(context_, domain_, options_.box, options_.numLevels, obstacle);
  if (!obstacle_.empty() &&
    domain_.communicator().reduced(ReduceBy::Sum, levels_.level(0).numCells() - obstacle_.solid(0).numCells()) <= 0) {
    throw InvalidArgument("the obstacle fills the box " + toString(options_.box) + "; it must leave cells to the gas");
  }
  start(UniformState<Dim>{options.inflow});
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::makeRoot() {
  levels_.setRootLattice(options_.lattice);
  const geometry::Box<Dim> own = geometry::inPlanes(options_.box, domain_.cut(0).part(domain_.communicator().rank()));
  makeBox<ExecutionSpace, Dim>(context_, own, levels_.level(0));
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::placeProbes() {
  const double scale = std::ldexp(1.0, options_.numLevels - 1);
  std::vector<geometry::Cell<Dim>> cells;
  for (const auto& probe : options_.probes) {
    geometry::Cell<Dim> cell{};
    for (int d = 0; d < Dim; ++d) {
      const double position = probe[static_cast<std::size_t>(d)];
      const double root = (position - options_.lattice.origin[d]) / options_.lattice.spacing[d];
      if (!(root >= options_.box.begin[d] && root < options_.box.end[d])) {
        throw InvalidArgument(
          std::format("probe {} lies at {} along axis {}; it must be in the box, from {} to {}", cells.size(), position,
            d, options_.lattice.face(d, options_.box.begin[d]), options_.lattice.face(d, options_.box.end[d])));
      }
      cell.at[d] = static_cast<geometry::Coordinate>(std::floor(root * scale));
    }
    cells.push_back(cell);
  }
  probes_.place(context_, cells);
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::useLevels() {
  // Two cells wide for all schemes: then families of ghost cells are whole, which is faster than half of them.
  buildGhosts(context_, domain_, levels_, {2, true, multilevel::Prolongation::Linear}, ghosts_);
  const int count = ghosts_.numLevels;
  parallel::agree(domain_.communicator(), [&] {
    for (Field* const each : {&state_, &next_}) {
      ghosts_.resize(*each);
    }
  });
  for (int l = 0; l < count; ++l) {
    const auto index = static_cast<Level>(l);
    const bool hasSolid = !obstacle_.empty();
    parallel::agree(domain_.communicator(), [&] {
      const auto without = [&](const Set& a, const Set& b, Set& out) {
        combine<ExecutionSpace, Dim>(context_, geometry::SetOperation::Difference, a, b, out);
      };
      without(levels_.level(l), ghosts_.refined[index], hasSolid ? scratch_[0] : leaves_[index]);
      if (hasSolid) {
        without(scratch_[0], obstacle_.solid(l), leaves_[index]);
        // Where all cells are stepped, those of which a part is solid are walls as well.
        const Set& solid = isSubcycled(l) ? obstacle_.touched(l) : obstacle_.solid(l);
        commonCells<ExecutionSpace, Dim>(context_, ghosts_.extended[index], solid, solidCells_[index]);
        if (isSubcycled(l)) {
          without(levels_.level(l), solid, scratch_[0]);
        }
      }
      if (isSubcycled(l)) {
        commonCells<ExecutionSpace, Dim>(context_, ghosts_.extended[index], leaves_[index], leafCells_[index]);
        for (Field* const each : {&before_, &between_}) {
          each->level(l).resize(ghosts_.extended[index].numCells(), Component<Dim>::count);
        }
      }
    });
    const Set& stepped = !isSubcycled(l) ? leaves_[index] : hasSolid ? scratch_[0] : levels_.level(l);
    if (!domain_.endsHere()) {
      domain_.surround(context_, l, 1, stepped, scratch_[1]);
    }
    parallel::agree(domain_.communicator(), [&] {
      commonCells<ExecutionSpace, Dim>(context_, ghosts_.extended[index], stepped, stepped_[index]);
      morph<ExecutionSpace, Dim>(context_, geometry::MorphologyOperation::Dilate,
        domain_.endsHere() ? stepped : scratch_[1], atFaces_, scratch_[2]);
      commonCells<ExecutionSpace, Dim>(context_, ghosts_.extended[index], scratch_[2], faceCells_[index]);
      scheme_.useLevel(context_, l, ghosts_.extended[index], stepped_[index], faceCells_[index]);
    });
    if (isSubcycled(l)) {
      buildFluxRegister(context_, domain_, levels_, ghosts_, l, jumps_[index]);
    } else if (l + 1 < count) {
      buildJumpFaces(context_, domain_, levels_, ghosts_, l, jumps_[index]);
    }
  }
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::adapt() {
  static_cast<void>(state()); // into own_
  const auto tag = [&](int l, Set& out) {
    const Field& field = levels_.level(l).empty() ? none_ : own_.front();
    multilevel::LevelValues<ExecutionSpace, Dim, double> values{l, levels_.level(l), field.level(l)};
    if (obstacle_.empty()) {
      tagCells(context_, domain_, values, options_.sensor, out, ofTagging_);
    } else {
      tagCells(context_, domain_, values, options_.sensor, scratch_[0], ofTagging_);
      parallel::agree(domain_.communicator(), [&] {
        combine<ExecutionSpace, Dim>(
          context_, geometry::SetOperation::Difference, scratch_[0], obstacle_.solid(l), scratch_[1]);
        combine<ExecutionSpace, Dim>(context_, geometry::SetOperation::Union, scratch_[1], obstacle_.refined(l), out);
      });
    }
  };
  multilevel::AdaptOptions options{options_.numLevels, options_.buffer};
  options.hasMeans = true;
  adaptation_.adaptBy(context_, domain_, tag, options, levels_, own_);
  keepBalance();
  useLevels();
  toExtended(context_, ghosts_, own_.front(), state_);
  settle();
}

/// Divides the levels, and the state on them, anew among ranks if they have drifted too far.
template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::keepBalance() {
  if (domain_.communicator().alone()) {
    return;
  }
  std::int64_t stepsOfLevels[multilevel::maxNumLevels];
  for (int l = 0; l < multilevel::maxNumLevels; ++l) {
    stepsOfLevels[l] = std::int64_t{1} << numHalvings(l);
  }
  if (repartition(context_, domain_, levels_, move_, stepsOfLevels, options_.toleratedImbalance)) {
    move_.moveField(context_.space(), own_.front());
    obstacle_.rebuild(context_, domain_, options_.box);
  }
}

/// What steps rely on after the levels have changed: cells that are walls are 0 in both fields, and other coarse cells
/// have means.
template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::settle() {
  for (int l = ghosts_.numLevels - 1; l >= 0; --l) {
    if (l + 1 < ghosts_.numLevels) {
      restrictWithin({l, l + 1}, state_);
    }
    if (!obstacle_.empty()) {
      field::fill<ExecutionSpace, double>(context_, state_.level(l), 0.0, solidCells_[static_cast<Level>(l)]);
    }
  }
  for (int l = 0; l < ghosts_.numLevels; ++l) {
    field::copyValues<ExecutionSpace, double>(context_, state_.level(l), next_.level(l));
  }
}

template <class ExecutionSpace, int Dim>
int CompressibleFlow<ExecutionSpace, Dim>::numHalvings(int level) const {
  if (!options_.subcycles) {
    return 0;
  }
  // Not more than the steps to the next remeshing: levels follow the flow between steps of the root.
  const int most = std::bit_width(static_cast<unsigned>(options_.stepsPerRemesh)) - 1;
  return std::max(0, level - std::max(0, options_.numLevels - 1 - most));
}

/// Sees to a level's state before it is stepped. Returns the greatest speed, in cells; NaN where a state is none.
template <class ExecutionSpace, int Dim>
double CompressibleFlow<ExecutionSpace, Dim>::guard(int level) {
  const detail::StateCheck found =
    scheme_.check(context_, leafCells(level), state_.level(level), levels_.lattice(level).spacing);
  if (found.numLow > 0) {
    scheme_.raise(context_, leafCells(level), state_.level(level));
    numRaised_ += found.numLow;
  }
  return found.fastest;
}

/// Puts into the report what has come together on all ranks.
template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::count(std::int64_t cellUpdates) {
  std::int64_t sums[2] = {numRaised_, cellUpdates};
  domain_.communicator().reduce(ReduceBy::Sum, std::span<std::int64_t>(sums));
  report_.raisedCells += sums[0];
  report_.cellUpdates += sums[1];
  numRaised_ = 0;
}

template <class ExecutionSpace, int Dim>
double CompressibleFlow<ExecutionSpace, Dim>::timeStep(double end) {
  double fastest = 0.0;
  std::int64_t cellUpdates = 0;
  const bool flowsIn = std::find(options_.sides, options_.sides + 2 * Dim, Side::Inflow) != options_.sides + 2 * Dim;
  for (int l = 0; l < ghosts_.numLevels; ++l) {
    double here = guard(l);
    if (flowsIn) { // what comes in may be faster than what is there
      here = std::max(here, speedIn<Dim>(scheme_.gas(), options_.inflow, levels_.lattice(l).spacing));
    }
    here = std::ldexp(here, -numHalvings(l));
    fastest = std::isnan(here) || here > fastest ? here : fastest;
    cellUpdates += leaves_[static_cast<Level>(l)].numCells() << numHalvings(l);
  }
  count(cellUpdates);
  fastest = domain_.communicator().reduced(
    ReduceBy::Maximum, std::isfinite(fastest) ? fastest : std::numeric_limits<double>::infinity());
  if (!(fastest > 0.0) || !std::isfinite(fastest)) {
    throw Error(std::format("the flow has no finite speed any more at time {}, after {} steps; a smaller CFL number "
                            "than {} or a more robust scheme may help",
      time_, report_.steps, options_.cfl));
  }
  // Two steps that are alike rather than a long one and one that may be tiny.
  const double allowed = options_.cfl / fastest;
  const double left = end - time_;
  return left > 2.0 * allowed ? allowed : left > allowed ? 0.5 * left : left;
}

/// Fills the ghost cells of a group's levels; `below` is the level below them at the same time.
template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::fillGhostsOf(const Group& group, const LevelField* below, Field& field) {
  for (int l = group.coarsest; l <= group.finest; ++l) {
    fillGhostsOfLevel(
      context_, ghosts_, l, boundary_, l > group.coarsest ? &field.level(l - 1) : below, field.level(l));
  }
}

/// Gives cells with children the mean of these, as far as both are of the group.
template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::restrictWithin(const Group& group, Field& field) {
  for (int l = group.finest; l > group.coarsest; --l) {
    restrictTo<ExecutionSpace, Dim, double>(
      context_, ghosts_.transfer[static_cast<Level>(l)], field.level(l), field.level(l - 1));
  }
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::stage(const Group& group, double dt, double kept, Field& in, Field& out) {
  const double share = dt / scheme_.numStages(); // of a stage's fluxes in the step
  for (int l = group.finest; l >= group.coarsest; --l) {
    const geometry::GridGeometry<Dim> lattice = levels_.lattice(l);
    double ratio[Dim];
    for (int d = 0; d < Dim; ++d) {
      ratio[d] = dt / lattice.spacing[d];
    }
    scheme_.findFluxes(context_, l, in.level(l));
    if (l < group.finest) {
      scheme_.takeFineFluxes(context_, l, jumps_[static_cast<Level>(l)]);
    } else if (isSubcycled(l)) {
      scheme_.addCoarseFluxes(context_, l, share, jumps_[static_cast<Level>(l)]);
    }
    if (l == group.coarsest && l > 0) {
      scheme_.addFineFluxes(context_, l, share, jumps_[static_cast<Level>(l) - 1]);
    }
    scheme_.stage(context_, l, in.level(l), ratio, kept, out.level(l));
  }
}

/// One step of a level, of those above it that take the same one, and as many smaller ones of finer levels as it takes
/// (M. J. Berger, P. Colella, J. Comput. Phys. 82, 1989). Ghost cells are made of the level below at the start of the
/// step and at its end.
template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::stepGroup(
  int coarsest, const LevelField* belowAtBegin, const LevelField* belowAtEnd, double dt) {
  Group group{coarsest, coarsest};
  while (group.finest + 1 < ghosts_.numLevels && !isSubcycled(group.finest)) {
    ++group.finest;
  }
  const bool hasFiner = isSubcycled(group.finest);
  fillGhostsOf(group, belowAtBegin, state_);
  if (hasFiner) {
    field::copyValues<ExecutionSpace, double>(context_, state_.level(group.finest), before_.level(group.finest));
    clear(context_, jumps_[static_cast<Level>(group.finest)]);
  }
  stage(group, dt, 0.0, state_, next_);
  if (scheme_.numStages() == 1) {
    for (int l = group.coarsest; l <= group.finest; ++l) {
      std::swap(state_.level(l), next_.level(l));
    }
  } else {
    restrictWithin(group, next_);
    fillGhostsOf(group, belowAtEnd, next_);
    stage(group, dt, 0.5, next_, state_);
  }
  restrictWithin(group, state_);
  if (hasFiner) {
    fillGhostsOf(group, belowAtEnd, state_);
    stepFiner(group.finest, dt);
    restrictWithin(group, state_);
  }
}

/// Brings finer levels to the end of a level's step, and gives it their means and fluxes.
template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::stepFiner(int level, double dt) {
  const auto index = static_cast<Level>(level);
  const LevelField& before = before_.level(level);
  LevelField& between = between_.level(level);
  LevelField& after = state_.level(level);
  multilevel::interpolateInTime<ExecutionSpace, double>(context_, before, after, 0.5, between);
  stepGroup(level + 1, &before, &between, 0.5 * dt);
  for (int l = level + 1; l < ghosts_.numLevels; ++l) {
    guard(l);
  }
  stepGroup(level + 1, &between, &after, 0.5 * dt);
  restrictWithin({level, level + 1}, state_);
  double size[Dim];
  for (int d = 0; d < Dim; ++d) {
    size[d] = levels_.dx(level, d);
  }
  correct(context_, jumps_[index], size, after);
  if (!obstacle_.empty()) {
    field::fill<ExecutionSpace, double>(context_, after, 0.0, solidCells_[index]);
  }
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::step(double end) {
  SPANWISE_REGION("Flow::step");
  if (options_.numLevels > 1 && report_.steps > 0 && hasPassed(options_.stepsPerRemesh)) {
    adapt();
    ++report_.remeshes;
  }
  const double dt = timeStep(end);
  stepGroup(0, nullptr, nullptr, dt);
  if (numSubsteps() > 1) {
    count(0);
  }
  time_ = dt == end - time_ ? end : time_ + dt;
  report_.steps += numSubsteps();
  if (hasPassed(options_.stepsPerRecord)) {
    record();
  }
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::record() {
  FlowRecord<Dim> record{time_, report_.steps};
  for (int l = 0; l < ghosts_.numLevels; ++l) {
    record.cells += leaves_[static_cast<Level>(l)].numCells();
  }
  record.cells = domain_.communicator().reduced(ReduceBy::Sum, record.cells);
  record.mass = total(Component<Dim>::density);
  record.energy = total(Component<Dim>::energy);
  const auto onObstacle = force();
  std::copy_n(onObstacle.data(), Dim, record.force);
  std::span<const Primitive<double, Dim>> readings;
  if (history_.numProbes() > 0) {
    const int finest = options_.numLevels - 1;
    for (int l = 0; l < ghosts_.numLevels; ++l) {
      const auto index = static_cast<Level>(l);
      probes_.read(
        context_, scheme_.gas(), finest - l, leaves_[index], ghosts_.extended[index], std::as_const(state_).level(l));
    }
    readings = probes_.finish(context_);
  }
  history_.add(record, readings);
}

template <class ExecutionSpace, int Dim>
auto CompressibleFlow<ExecutionSpace, Dim>::state() -> const Field& {
  parallel::agree(domain_.communicator(), [&] { fromExtended(context_, ghosts_, state_, own_.front()); });
  return own_.front();
}

template <class ExecutionSpace, int Dim>
auto CompressibleFlow<ExecutionSpace, Dim>::values() -> const Field& {
  fillGhosts(context_, ghosts_, boundary_, state_);
  parallel::agree(domain_.communicator(), [&] {
    ghosts_.resize(values_);
    for (int l = 0; l < ghosts_.numLevels; ++l) {
      scheme_.tell(context_, l, state_.level(l), levels_.lattice(l).spacing, values_.level(l));
      field::remap<ExecutionSpace, double>(context_, leafCells(l), values_.level(l), 0.0, leafValues_.level(l));
    }
  });
  return leafValues_;
}

template <class ExecutionSpace, int Dim>
Kokkos::Array<double, Dim> CompressibleFlow<ExecutionSpace, Dim>::force() {
  double sums[Dim] = {};
  const int finest = options_.numLevels - 1;
  if (!obstacle_.empty() && ghosts_.numLevels == options_.numLevels) { // on all ranks
    fillGhosts(context_, ghosts_, boundary_, state_);
    const geometry::GridGeometry<Dim> lattice = levels_.lattice(levels_.finest());
    const detail::ForceSum<Dim> mine = scheme_.force(context_, obstacle_.refined(finest),
      ghosts_.extended[static_cast<Level>(finest)], state_.level(finest), lattice.spacing);
    std::copy(mine.along, mine.along + Dim, sums);
  }
  domain_.communicator().reduce(ReduceBy::Sum, std::span<double>(sums));
  Kokkos::Array<double, Dim> result{};
  std::copy(sums, sums + Dim, result.data());
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
    sum += volume * field::sum<ExecutionSpace, double>(context_, state_.level(l), component, leafCells(l));
  }
  return domain_.communicator().reduced(ReduceBy::Sum, sum);
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::advance(const Progress& progress) {
  const double begin = time_;
  const double end = timeOfFrame(std::llround(time_ / options_.timePerFrame) + 1);
  while (time_ < end) {
    parallel::agree(domain_.communicator(), [&] { progress.report((time_ - begin) / (end - begin)); });
    step(end);
  }
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::store(KeptFrame& frame) {
  frame.time = time_;
  const Field& field = state();
  parallel::agree(domain_.communicator(), [&] {
    FrameWriter to(frame);
    const std::vector<std::int64_t>& bounds = domain_.rootCut().bounds;
    std::copy(bounds.begin(), bounds.end(), to.array<std::int64_t>(static_cast<std::int64_t>(bounds.size())).begin());
    multilevel::storeLevels(levels_, to);
    multilevel::storeField(levels_, field, to);
    to.number(report_);
  });
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::restore(const KeptFrame& frame, const Progress& /*progress*/) {
  time_ = frame.time;
  FrameReader from(frame);
  parallel::RowCut cut = domain_.rootCut();
  std::ranges::copy(from.array<std::int64_t>(static_cast<std::int64_t>(cut.bounds.size())), cut.bounds.begin());
  if (!(cut == domain_.rootCut())) { // on all ranks
    domain_.setRootCut(cut);
    obstacle_.rebuild(context_, domain_, options_.box);
  }
  parallel::agree(domain_.communicator(), [&] {
    multilevel::restoreLevels(from, levels_);
    multilevel::restoreField(from, levels_, own_.front());
  });
  numRaised_ = 0;
  report_ = from.number<FlowReport>();
  useLevels();
  toExtended(context_, ghosts_, own_.front(), state_);
  settle();
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::storeHistory(std::int64_t number, FrameWriter& to) const {
  history_.store(timeOfFrame(number), to);
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::restoreHistory(std::int64_t /*number*/, FrameReader& from) {
  history_.restore(from);
}

#define SPANWISE_COMPRESSIBLE_FLOW(Space, Dim) template class CompressibleFlow<Space, Dim>;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_COMPRESSIBLE_FLOW)

} // namespace spanwise::flow
