#include "Core/Solvers/Lattice/LatticeFlow.hpp"

#include "Core/Field/ForCells.hpp"
#include "Core/Field/SelectCells.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Multilevel/LevelFrames.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Multilevel/Transfer.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/Cut.hpp"
#include "Core/Parallel/Migration.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Lattice/DescribeLattice.hpp"

#include <algorithm>
#include <cmath>
#include <format>
#include <limits>

namespace spanwise::lattice {

namespace {

/// What a record has of densities and velocities.
template <int Dim>
struct FluidSums {
  double mass = 0.0;
  double velocity[Dim] = {};
  double greatestSquare = 0.0;
};

template <int Dim>
struct SumFluid {
  FieldView<const double> moments;

  KOKKOS_FUNCTION void init(FluidSums<Dim>& value) const { value = {}; }
  KOKKOS_FUNCTION void join(FluidSums<Dim>& value, const FluidSums<Dim>& other) const {
    value.mass += other.mass;
    for (int d = 0; d < Dim; ++d) {
      value.velocity[d] += other.velocity[d];
    }
    value.greatestSquare = greaterOf(value.greatestSquare, other.greatestSquare);
  }
  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last, FluidSums<Dim>& value) const {
    for (std::int64_t cell = first; cell < last; ++cell) {
      value.mass += moments(cell, 0) - 1.0;
      double square = 0.0;
      for (int d = 0; d < Dim; ++d) {
        const double component = moments(cell, d + 1);
        value.velocity[d] += component;
        square += component * component;
      }
      value.greatestSquare = greaterOf(value.greatestSquare, square);
    }
  }

  /// A NaN if one of them is.
  [[nodiscard]] static KOKKOS_FUNCTION double greaterOf(double a, double b) { return b <= a || a != a ? a : b; }
};

template <int Dim>
struct HasVorticity {
  FieldView<const double> values;
  double most;

  KOKKOS_FUNCTION bool operator()(std::int64_t cell) const {
    double square = 0.0;
    for (int c = FluidValue<Dim>::vorticity; c < FluidValue<Dim>::qCriterion; ++c) {
      square += values(cell, c) * values(cell, c);
    }
    return square > most * most;
  }
};

/// This rank's cells of a box that are left to the fluid. Throws InvalidArgument on all ranks where there are none.
template <class ExecutionSpace, int Dim>
void fluidOf(const Context<ExecutionSpace>& context, const geometry::Box<Dim>& box, const parallel::RowCut& cut,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& cells, CellsHold hold,
  geometry::IntervalSetOn<Dim, ExecutionSpace>& out, parallel::CellMove<ExecutionSpace, Dim>& move) {
  const Communicator& ranks = context.communicator();
  geometry::IntervalSetOn<Dim, ExecutionSpace> given;
  migrate<ExecutionSpace, Dim>(context, cut, cells, given, move);
  const bool areFluid = hold == CellsHold::Fluid;
  parallel::agree(ranks, [&] {
    makeBox<ExecutionSpace, Dim>(context, geometry::inPlanes(box, cut.part(ranks.rank())), out);
    combine<ExecutionSpace, Dim>(
      context, areFluid ? geometry::SetOperation::Intersection : geometry::SetOperation::Difference, out, given, out);
  });
  if (ranks.reduced(ReduceBy::Sum, out.numCells()) == 0) {
    throw InvalidArgument(areFluid ? "no cell of the fluid is in the box: some must be"
                                   : "the obstacle fills the whole box: some cells must be left to the fluid");
  }
}

} // namespace

template <class ExecutionSpace, int Dim>
LatticeFlow<ExecutionSpace, Dim>::LatticeFlow(
  const Context<ExecutionSpace>& context, const LatticeOptions<Dim>& options, const Set& cells, CellsHold hold)
  : context_(context), options_(options) {
  checkOptions(options);
  if (options.refinement.numLevels == 1) {
    makeOneLevel(cells, hold);
  } else {
    makeSeveralLevels(cells, hold);
  }
  start(FluidAtRest<Dim>());
}

template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::makeOneLevel(const Set& given, CellsHold hold) {
  const Communicator& ranks = context_.communicator();
  const parallel::PlaneRange planes{options_.box.begin[Dim - 1], options_.box.end[Dim - 1]};
  cut_ = parallel::equalCut(planes, ranks.size());
  Set fluid;
  parallel::CellMove<ExecutionSpace, Dim> move(ranks);
  fluidOf(context_, options_.box, cut_, given, hold, fluid, move);
  cut_ = balance<ExecutionSpace, Dim>(context_, fluid, cells_, move);
  parallel::Halo halo(ranks.alone() ? 0 : 1); // one rank finds neighbours beyond a period itself
  if (options_.repeats[Dim - 1] && !ranks.alone()) {
    halo.period = planes;
  }
  addHalo<ExecutionSpace, Dim>(context_, cut_, halo, cells_, held_.set, move);
  held_.plan = parallel::makeHaloPlan<ExecutionSpace, Dim>(context_, cut_, halo, held_.set);
  momentsExchange_ = std::make_unique<parallel::HaloExchange<ExecutionSpace>>(ranks, held_.plan);
  levels_.resize(1);
  makeLevel(0, held_);
}

template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::makeSeveralLevels(const Set& given, CellsHold hold) {
  const int finest = options_.refinement.numLevels - 1;
  const geometry::Box<Dim> box = detail::optionsOfLevel(options_, finest).box;
  const parallel::RowCut cut =
    parallel::equalCut({box.begin[Dim - 1], box.end[Dim - 1]}, context_.communicator().size());
  Set fluid;
  parallel::CellMove<ExecutionSpace, Dim> move(context_.communicator());
  fluidOf(context_, box, cut, given, hold, fluid, move);
  Set solid = given;
  if (hold == CellsHold::Fluid) {
    parallel::agree(context_.communicator(), [&] {
      makeBox<ExecutionSpace, Dim>(context_, geometry::inPlanes(box, cut.part(context_.communicator().rank())), solid);
      combine<ExecutionSpace, Dim>(context_, geometry::SetOperation::Difference, solid, fluid, solid);
    });
  }
  refined_ = std::make_unique<detail::LatticeLevels<ExecutionSpace, Dim>>(context_, options_, solid);
  useLevels();
}

/// Makes the populations and moments of a level of these cells, with nothing in them.
template <class ExecutionSpace, int Dim>
template <class Cells>
void LatticeFlow<ExecutionSpace, Dim>::makeLevel(int l, const Cells& held) {
  parallel::agree(context_.communicator(), [&] {
    of(l).populations =
      detail::makePopulations<ExecutionSpace, Dim>(context_, detail::optionsOfLevel(options_, l), held);
    of(l).moments.resize(cells(l).numCells(), Dim + 1); // all their memory: each rank finds them alone
  });
}

/// Makes the levels as they are now, with nothing in them.
template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::useLevels() {
  hasValues_ = false;
  levels_.clear();
  levels_.resize(static_cast<std::size_t>(refined_->numLevels()));
  for (int l = 0; l < numLevels(); ++l) {
    makeLevel(l, refined_->cells(l));
    if (l > 0) {
      of(l).populations->attach(context_, *of(l - 1).populations);
    }
  }
  if (cutLinks_) {
    cutLinks_(*this);
  }
}

template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::begin() {
  for (Level& level : levels_) {
    level.populations->start(context_, level.moments);
  }
  steps_ = 0;
  hasValues_ = false;
  history_.clear();
}

/// How much of their velocities inflows and walls have in the step that comes.
template <class ExecutionSpace, int Dim>
double LatticeFlow<ExecutionSpace, Dim>::partOfVelocities() const {
  const double s =
    steps_ < options_.rampSteps ? static_cast<double>(steps_ + 1) / static_cast<double>(options_.rampSteps) : 1.0;
  return s * s * (3.0 - 2.0 * s);
}

template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::step() {
  const double part = partOfVelocities();
  if (!refined_) {
    of(0).populations->step(context_, part);
  } else {
    if (options_.refinement.vorticity > 0.0 && steps_ > 0 && steps_ % options_.refinement.stepsPerRemesh == 0) {
      adapt();
    }
    stepLevel(0, part, false);
  }
  hasValues_ = false;
  ++steps_;
}

/// One step of a level, and two of the finer one.
template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::stepLevel(int level, double part, bool isFirst) {
  const bool hasFiner = level + 1 < numLevels();
  if (hasFiner) {
    of(level + 1).populations->explode(context_);
    stepLevel(level + 1, part, true);
    stepLevel(level + 1, part, false);
  }
  of(level).populations->stepLevel(context_, part, isFirst, hasFiner ? of(level + 1).populations.get() : nullptr);
}

/// Has levels follow the vorticity.
template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::adapt() {
  const double most = options_.refinement.vorticity;
  typename detail::LatticeLevels<ExecutionSpace, Dim>::Tags tags(
    static_cast<std::size_t>(options_.refinement.numLevels - 1));
  const auto tag = [&](int l, double size, Set& out) { // where velocities differ over so long a way
    field::selectCells<ExecutionSpace, Dim>(
      context_, cells(l), HasVorticity<Dim>{std::as_const(of(l).values).view(), most / size}, out);
  };
  findValues();
  multilevel::MultilevelFieldOn<double, ExecutionSpace> numbers("populations");
  Field ofLeaves("populations", 0, 1);
  const auto& levels = refined_->levels();
  parallel::agree(context_.communicator(), [&] {
    for (int l = 0; l < numLevels(); ++l) {
      const double size = std::ldexp(1.0, -l);
      if (l + 1 < options_.refinement.numLevels) {
        Set& own = tags[static_cast<std::size_t>(l)];
        tag(l, size, own);
      }
      if (l > 0) { // cells that their parents would be divided for again
        Set kept;
        tag(l, 2.0 * size, kept);
        Set parents;
        multilevel::coarsen<ExecutionSpace, Dim>(context_, multilevel::Coarsening::Outside, kept, parents);
        Set& below = tags[static_cast<std::size_t>(l) - 1];
        combine<ExecutionSpace, Dim>(context_, geometry::SetOperation::Union, below, parents, below);
      }
      of(l).populations->get(context_, ofLeaves);
      geometry::CommonCells<typename ExecutionSpace::memory_space> common;
      commonCells<ExecutionSpace, Dim>(context_, cells(l), levels.level(l), common);
      remap<ExecutionSpace, double>(context_, common, ofLeaves, 0.0, numbers.level(l));
    }
  });
  numbers.setNumComponents(ofLeaves.numComponents());
  std::vector<Set> before;
  before.reserve(static_cast<std::size_t>(numLevels()));
  for (int l = 0; l < numLevels(); ++l) {
    before.push_back(levels.level(l));
  }
  refined_->adapt(context_, tags, numbers);
  bool isOther = levels.numLevels() != numLevels();
  parallel::agree(context_.communicator(), [&] {
    for (int l = 0; l < numLevels() && !isOther; ++l) {
      isOther = !geometry::equal<ExecutionSpace, Dim>(context_, before[static_cast<std::size_t>(l)], levels.level(l));
    }
  });
  numLevelChanges_ += context_.communicator().reduced(ReduceBy::Maximum, static_cast<std::int64_t>(isOther ? 1 : 0));
  useLevels();
  for (int l = 0; l < numLevels(); ++l) {
    parallel::agree(context_.communicator(), [&] {
      geometry::CommonCells<typename ExecutionSpace::memory_space> common;
      commonCells<ExecutionSpace, Dim>(context_, levels.level(l), cells(l), common);
      remap<ExecutionSpace, double>(context_, common, numbers.level(l), 0.0, ofLeaves);
    });
    of(l).populations->put(context_, ofLeaves);
  }
}

template <class ExecutionSpace, int Dim>
auto LatticeFlow<ExecutionSpace, Dim>::moments(int level) -> const Field& {
  of(level).populations->moments(context_, of(level).moments);
  return of(level).moments;
}

template <class ExecutionSpace, int Dim>
auto LatticeFlow<ExecutionSpace, Dim>::values(int level) -> const Field& {
  findValues();
  return of(level).values;
}

template <class ExecutionSpace, int Dim>
auto LatticeFlow<ExecutionSpace, Dim>::wallShear(int level) -> const Field& {
  findValues();
  Level& at = of(level);
  const LatticeOptions<Dim> options = detail::optionsOfLevel(options_, level);
  if (at.wallShear == nullptr) {
    if (level + 1 == numLevels()) {
      findLinks(level); // the level of all obstacles
    }
    auto made = std::make_unique<detail::WallShear<ExecutionSpace, Dim>>();
    parallel::agree(context_.communicator(), [&] {
      made->build(context_, heldOn(level), cells(level), options, at.populations->links());
      at.shear.resize(cells(level).numCells(), Dim);
    });
    at.wallShear = std::move(made); // on all ranks or on none
    if (findNormals_ && level + 1 == numLevels()) {
      findNormals_(*this);
    }
  }
  const double viscosity = std::ldexp(options_.viscosity, level); // for slopes in cells of the root
  at.wallShear->find(context_, at.derivatives->moments(), partOfVelocities(), viscosity, at.shear);
  return at.shear;
}

/// What derivatives on a level take, and its moments.
template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::prepareValues(int l) {
  Level& level = of(l);
  if (level.derivatives == nullptr) {
    auto made = std::make_unique<Derivatives>();
    const Set& held = heldOn(l);
    made->build(context_, held, cells(l), detail::optionsOfLevel(options_, l), level.populations->boundary());
    if (l > 0) {
      const Set& below = refined_->cells(l - 1).held;
      multilevel::buildProlongation<ExecutionSpace, Dim>(
        context_, below, held, refined_->cells(l).ghosts, multilevel::Prolongation::Linear, level.toBelow);
      multilevel::buildRestriction<ExecutionSpace, Dim>(context_, below, held, refined_->covered(l - 1), level.toBelow);
    }
    level.derivatives = std::move(made); // where all of it has memory
  }
  level.derivatives->put(context_, moments(l));
}

/// Finds the values of all levels, if there are none of this state. Where another level begins, differences are to the
/// mean of finer cells, and to what slopes make of coarser ones.
template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::findValues() {
  if (hasValues_) {
    return;
  }
  parallel::agree(context_.communicator(), [&] {
    for (int l = 0; l < numLevels(); ++l) {
      prepareValues(l);
    }
  });
  const auto fillHalo = [&](int l) {
    if (!refined_) {
      momentsExchange_->exchange(context_.space(), of(l).derivatives->moments().view());
    } else if (refined_->cells(l).halo != nullptr) {
      refined_->cells(l).halo->fill(context_.space(), of(l).derivatives->moments());
    }
  };
  for (int l = numLevels() - 1; l > 0; --l) {
    multilevel::restrictTo<ExecutionSpace, Dim, double>(
      context_, of(l).toBelow, of(l).derivatives->moments(), of(l - 1).derivatives->moments());
  }
  for (int l = 0; l < numLevels(); ++l) {
    if (l > 0) {
      multilevel::prolong<ExecutionSpace, Dim, double>(
        context_, of(l).toBelow, of(l - 1).derivatives->moments(), of(l).derivatives->moments());
    }
    fillHalo(l);
  }
  parallel::agree(context_.communicator(), [&] {
    for (int l = 0; l < numLevels(); ++l) {
      of(l).derivatives->find(context_, std::ldexp(1.0, l), of(l).values);
    }
  });
  hasValues_ = true;
}

template <class ExecutionSpace, int Dim>
parallel::MessageReport LatticeFlow<ExecutionSpace, Dim>::messages() const {
  parallel::MessageReport sum;
  for (const Level& level : levels_) {
    sum += level.populations->messages();
  }
  return sum;
}

template <class ExecutionSpace, int Dim>
std::size_t LatticeFlow<ExecutionSpace, Dim>::bytes() const {
  std::size_t sum = 0;
  for (const Level& level : levels_) {
    sum += level.populations->bytes();
  }
  return sum;
}

template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::findLinks(int level) {
  if (!of(level).hasLinks) { // on all ranks
    parallel::agree(context_.communicator(), [&] { of(level).populations->findLinks(context_); });
    of(level).hasLinks = true;
  }
}

template <class ExecutionSpace, int Dim>
WallForce<Dim> LatticeFlow<ExecutionSpace, Dim>::force(const double (&about)[Dim]) {
  const int finest = numLevels() - 1; // the level of all obstacles
  findLinks(finest);
  const double scale = std::ldexp(1.0, finest); // cells of the root are so many times as large
  double scaledAbout[Dim];
  std::transform(about, about + Dim, scaledAbout, [&](double x) { return x * scale; });
  WallForce<Dim> sum = of(finest).populations->force(context_, cells(finest).view(), scaledAbout);
  const Communicator& ranks = context_.communicator();
  const double unit = std::pow(scale, 1 - Dim);
  for (double& value : sum.force) {
    value = unit * ranks.reduced(ReduceBy::Sum, value);
  }
  for (double& value : sum.torque) {
    value = unit / scale * ranks.reduced(ReduceBy::Sum, value);
  }
  return sum;
}

template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::record() {
  const Communicator& ranks = context_.communicator();
  LatticeRecord<Dim> made;
  made.steps = steps_;
  double squareOfRank = 0.0;
  double box = 1.0;
  for (int d = 0; d < Dim; ++d) {
    box *= static_cast<double>(options_.box.extent(d));
  }
  for (int l = 0; l < numLevels(); ++l) {
    FluidSums<Dim> sums;
    field::reduceCells(context_.space(), SPANWISE_KERNEL("sums of fluid"), cells(l).numCells(),
      SumFluid<Dim>{std::as_const(moments(l)).view()}, sums);
    const double volume = std::ldexp(1.0, -l * Dim);
    made.massBeyondRest += volume * ranks.reduced(ReduceBy::Sum, sums.mass);
    for (int d = 0; d < Dim; ++d) {
      made.meanVelocity[d] += volume * ranks.reduced(ReduceBy::Sum, sums.velocity[d]) / box;
    }
    squareOfRank = SumFluid<Dim>::greaterOf(squareOfRank, sums.greatestSquare);
  }
  made.greatestSpeed = std::sqrt(ranks.reduced(ReduceBy::Maximum, squareOfRank));
  const WallForce<Dim> wall = force();
  std::copy(wall.force, wall.force + Dim, made.force);
  if (!std::isfinite(made.massBeyondRest) || !(made.greatestSpeed < 1.0)) {
    throw Error(std::format("the flow has become unstable before step {}: the greatest speed is {:.3g} cells a step, "
                            "and must stay below 0.3. Use the entropic collision, smaller cells, or a lower lattice "
                            "speed",
      steps_, made.greatestSpeed));
  }
  history_.add(made);
}

template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::recordStart() {
  if (history_.upTo(steps_).empty()) {
    record();
  }
}

template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::advance(const Progress& progress) {
  recordStart();
  for (int k = 0; k < options_.stepsPerFrame; ++k) {
    parallel::agree(context_.communicator(),
      [&] { progress.report(static_cast<double>(k) / static_cast<double>(options_.stepsPerFrame)); });
    step();
    if (steps_ % options_.stepsPerRecord == 0 || k + 1 == options_.stepsPerFrame) {
      record();
    }
  }
}

template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::store(KeptFrame& frame) {
  recordStart();
  frame.time = static_cast<double>(steps_);
  parallel::agree(context_.communicator(), [&] {
    FrameWriter to(frame);
    if (refined_) {
      const std::vector<std::int64_t>& bounds = refined_->cut().bounds;
      std::ranges::copy(bounds, to.array<std::int64_t>(static_cast<std::int64_t>(bounds.size())).begin());
      multilevel::storeLevels(refined_->levels(), to);
      to.number(numLevelChanges_);
    }
    for (const Level& level : levels_) {
      level.populations->store(context_, to);
    }
  });
}

template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::restore(const KeptFrame& frame, const Progress& /*progress*/) {
  steps_ = std::llround(frame.time);
  FrameReader from(frame);
  if (refined_) {
    parallel::RowCut cut = refined_->cut();
    std::ranges::copy(from.array<std::int64_t>(static_cast<std::int64_t>(cut.bounds.size())), cut.bounds.begin());
    multilevel::MultilevelSetOn<Dim, ExecutionSpace> levels;
    parallel::agree(context_.communicator(), [&] { multilevel::restoreLevels(from, levels); });
    numLevelChanges_ = from.number<std::int64_t>();
    refined_->use(context_, levels, cut);
    useLevels();
  }
  for (Level& level : levels_) {
    level.populations->restore(context_, from);
  }
  hasValues_ = false;
}

template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::storeHistory(std::int64_t number, FrameWriter& to) const {
  history_.store(stepsOfFrame(number), to);
}

template <class ExecutionSpace, int Dim>
std::int64_t LatticeFlow<ExecutionSpace, Dim>::stepsOfFrame(std::int64_t number) const {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() / options_.stepsPerFrame - 1;
  return std::min(number, most) * options_.stepsPerFrame;
}

template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::restoreHistory(std::int64_t /*number*/, FrameReader& from) {
  history_.restore(from);
}

#define SPANWISE_LATTICE_FLOW(Space, Dim) template class LatticeFlow<Space, Dim>;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_LATTICE_FLOW)

} // namespace spanwise::lattice
