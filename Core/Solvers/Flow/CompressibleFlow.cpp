#include "Core/Solvers/Flow/CompressibleFlow.hpp"

#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/Reductions.hpp"
#include "Core/Field/Remap.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/BoxCells.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Copy.hpp"
#include "Core/Geometry/Crop.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Geometry/StructuringElement.hpp"
#include "Core/Multilevel/LevelFrames.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/Migration.hpp"
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

template <int Dim>
parallel::RowCut cutOrShares(
  const Communicator& communicator, const geometry::Box<Dim>& box, const parallel::RowCut& cut) {
  return cut.bounds.empty() ? parallel::equalCut({box.begin[Dim - 1], box.end[Dim - 1]}, communicator.size()) : cut;
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
    atFaces_(cellsAtFaces<Dim>()), move_(context.communicator()), moveOfObstacle_(context.communicator()),
    history_(options.probes.size()) {
  parallel::agree(domain_.communicator(), [&] { checkOptions(); });
  std::copy(options.sides, options.sides + 2 * Dim, boundary_.sides);
  boundary_.inflow = scheme_.gas().conserved(options.inflow);
  makeRoot();
  makeObstacles(obstacle);
  placeProbes();
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
  checkPositive("the time from one frame to the next", options_.timePerFrame);
  checkCount("the number of steps from one record to the next", options_.stepsPerRecord, 1, manySteps);
  check("the imbalance that is tolerated", options_.toleratedImbalance, options_.toleratedImbalance > 1.0, "above 1");
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
  Set solid;
  migrate<ExecutionSpace, Dim>(context_, domain_.cut(finest), obstacle, solid, moveOfObstacle_);
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
        crop<ExecutionSpace, Dim>(context_, solid, boxOf(l), touched);
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
void CompressibleFlow<ExecutionSpace, Dim>::placeProbes() {
  const double scale = std::ldexp(1.0, options_.numLevels - 1);
  std::vector<geometry::Cell<Dim>> cells;
  parallel::agree(domain_.communicator(), [&] {
    for (const auto& probe : options_.probes) {
      geometry::Cell<Dim> cell{};
      for (int d = 0; d < Dim; ++d) {
        const double position = probe[static_cast<std::size_t>(d)];
        const double root = (position - options_.lattice.origin[d]) / options_.lattice.spacing[d];
        if (!(root >= options_.box.begin[d] && root < options_.box.end[d])) {
          throw InvalidArgument(std::format("probe {} lies at {} along axis {}; it must be in the box, from {} to {}",
            cells.size(), position, d, options_.lattice.face(d, options_.box.begin[d]),
            options_.lattice.face(d, options_.box.end[d])));
        }
        cell.at[d] = static_cast<geometry::Coordinate>(std::floor(root * scale));
      }
      cells.push_back(cell);
    }
    probes_.place(context_, cells);
  });
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::useLevels() {
  // Two cells wide for all schemes: then families of ghost cells are whole, which is faster than half of them.
  buildGhosts(context_, domain_, levels_, {2, true, multilevel::Prolongation::Linear}, ghosts_);
  const int count = ghosts_.numLevels;
  for (Field* const each : {&state_, &next_}) {
    ghosts_.resize(*each);
  }
  for (int l = 0; l < count; ++l) {
    const auto index = static_cast<Level>(l);
    parallel::agree(domain_.communicator(), [&] {
      combine<ExecutionSpace, Dim>(context_, geometry::SetOperation::Difference, levels_.level(l),
        ghosts_.refined[index], solid_.empty() ? leaves_[index] : scratch_[0]);
      if (!solid_.empty()) {
        combine<ExecutionSpace, Dim>(
          context_, geometry::SetOperation::Difference, scratch_[0], solid_[index], leaves_[index]);
        commonCells<ExecutionSpace, Dim>(context_, ghosts_.extended[index], solid_[index], solidCells_[index]);
      }
      commonCells<ExecutionSpace, Dim>(context_, ghosts_.extended[index], leaves_[index], stepped_[index]);
    });
    if (!domain_.endsHere()) {
      domain_.surround(context_, l, 1, leaves_[index], scratch_[0]);
    }
    parallel::agree(domain_.communicator(), [&] {
      morph<ExecutionSpace, Dim>(context_, geometry::MorphologyOperation::Dilate,
        domain_.endsHere() ? leaves_[index] : scratch_[0], atFaces_, scratch_[1]);
      commonCells<ExecutionSpace, Dim>(context_, ghosts_.extended[index], scratch_[1], faceCells_[index]);
      scheme_.useLevel(context_, l, ghosts_.extended[index], stepped_[index], faceCells_[index]);
    });
    if (l + 1 < count) {
      buildJumpFaces(context_, domain_, levels_, ghosts_, l, jumps_[index]);
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
  if (repartition(context_, domain_, levels_, move_, {}, options_.toleratedImbalance)) {
    move_.moveField(context_.space(), own_.front());
    if (!solid_.empty()) {
      makeObstacles(Set(solid_.back()));
    }
  }
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
  // Two steps that are alike rather than a long one and one that may be tiny.
  const double allowed = options_.cfl / fastest;
  const double left = end - time_;
  return left > 2.0 * allowed ? allowed : left > allowed ? 0.5 * left : left;
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::stage(double dt, double kept, Field& in, Field& out) {
  fillGhosts(context_, ghosts_, boundary_, in);
  for (int l = ghosts_.numLevels - 1; l >= 0; --l) {
    const geometry::GridGeometry<Dim> lattice = levels_.lattice(l);
    double ratio[Dim];
    for (int d = 0; d < Dim; ++d) {
      ratio[d] = dt / lattice.spacing[d];
    }
    scheme_.findFluxes(context_, l, in.level(l));
    if (l + 1 < ghosts_.numLevels) {
      scheme_.takeFineFluxes(context_, l, jumps_[static_cast<Level>(l)]);
    }
    scheme_.stage(context_, l, in.level(l), ratio, kept, out.level(l));
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
  if (scheme_.numStages() == 1) {
    stage(dt, 0.0, state_, next_);
    std::swap(state_, next_);
  } else {
    stage(dt, 0.0, state_, next_);
    restrictLevels(context_, ghosts_, next_);
    stage(dt, 0.5, next_, state_);
  }
  restrictLevels(context_, ghosts_, state_);
  time_ = dt == end - time_ ? end : time_ + dt;
  ++report_.steps;
  if (report_.steps % options_.stepsPerRecord == 0) {
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
  fromExtended(context_, ghosts_, state_, own_.front());
  return own_.front();
}

template <class ExecutionSpace, int Dim>
auto CompressibleFlow<ExecutionSpace, Dim>::values() -> const Field& {
  fillGhosts(context_, ghosts_, boundary_, state_);
  ghosts_.resize(values_);
  for (int l = 0; l < ghosts_.numLevels; ++l) {
    scheme_.tell(context_, l, state_.level(l), levels_.lattice(l).spacing, values_.level(l));
    field::remap<ExecutionSpace, double>(
      context_, stepped_[static_cast<Level>(l)], values_.level(l), 0.0, leafValues_.level(l));
  }
  return leafValues_;
}

template <class ExecutionSpace, int Dim>
Kokkos::Array<double, Dim> CompressibleFlow<ExecutionSpace, Dim>::force() {
  double sums[Dim] = {};
  const auto finest = static_cast<Level>(options_.numLevels - 1);
  if (!solid_.empty() && ghosts_.numLevels == options_.numLevels) { // on all ranks
    fillGhosts(context_, ghosts_, boundary_, state_);
    const detail::ForceSum<Dim> mine = scheme_.force(context_, atSolid_[finest], ghosts_.extended[finest],
      state_.level(options_.numLevels - 1), levels_.lattice(options_.numLevels - 1).spacing);
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
    sum += volume *
      field::sum<ExecutionSpace, double>(context_, state_.level(l), component, stepped_[static_cast<Level>(l)]);
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
  FrameWriter to(frame);
  const std::vector<std::int64_t>& bounds = domain_.rootCut().bounds;
  std::copy(bounds.begin(), bounds.end(), to.array<std::int64_t>(static_cast<std::int64_t>(bounds.size())).begin());
  multilevel::storeLevels(levels_, to);
  multilevel::storeField(levels_, state(), to);
  to.number(report_);
}

template <class ExecutionSpace, int Dim>
void CompressibleFlow<ExecutionSpace, Dim>::restore(const KeptFrame& frame, const Progress& /*progress*/) {
  time_ = frame.time;
  FrameReader from(frame);
  parallel::RowCut cut = domain_.rootCut();
  std::ranges::copy(from.array<std::int64_t>(static_cast<std::int64_t>(cut.bounds.size())), cut.bounds.begin());
  if (!(cut == domain_.rootCut())) { // on all ranks
    domain_.setRootCut(cut);
    if (!solid_.empty()) {
      makeObstacles(Set(solid_.back()));
    }
  }
  multilevel::restoreLevels(from, levels_);
  multilevel::restoreField(from, levels_, own_.front());
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
