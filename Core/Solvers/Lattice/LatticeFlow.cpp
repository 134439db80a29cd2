#include "Core/Solvers/Lattice/LatticeFlow.hpp"

#include "Core/Field/ForCells.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Builders/Box.hpp"
#include "Core/Geometry/Crop.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/Cut.hpp"
#include "Core/Parallel/Migration.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Lattice/DescribeLattice.hpp"

#include <algorithm>
#include <cmath>
#include <format>

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
    value.greatestSquare = Kokkos::max(value.greatestSquare, other.greatestSquare);
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
      // A NaN stays.
      value.greatestSquare = square <= value.greatestSquare ? value.greatestSquare : square;
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
LatticeFlow<ExecutionSpace, Dim>::LatticeFlow(
  const Context<ExecutionSpace>& context, const LatticeOptions<Dim>& options, const Set& cells, CellsHold hold)
  : context_(context), options_(options) {
  const Communicator& ranks = context.communicator();
  checkOptions(options);
  const parallel::PlaneRange planes{options.box.begin[Dim - 1], options.box.end[Dim - 1]};
  cut_ = parallel::equalCut(planes, ranks.size());
  const parallel::PlaneRange ownPlanes = planes.within(cut_.part(ranks.rank()));
  geometry::Box<Dim> own = options.box;
  own.begin[Dim - 1] = static_cast<geometry::Coordinate>(ownPlanes.begin);
  own.end[Dim - 1] = static_cast<geometry::Coordinate>(ownPlanes.end);
  Set box;
  makeBox<ExecutionSpace, Dim>(context, own, box);
  parallel::CellMove<ExecutionSpace, Dim> move(ranks);
  Set given;
  migrate<ExecutionSpace, Dim>(context, cut_, cells, given, move);
  const bool areFluid = hold == CellsHold::Fluid;
  combine<ExecutionSpace, Dim>(
    context, areFluid ? geometry::SetOperation::Intersection : geometry::SetOperation::Difference, box, given, box);
  if (ranks.reduced(ReduceBy::Sum, box.numCells()) == 0) {
    throw InvalidArgument(areFluid ? "no cell of the fluid is in the box: some must be"
                                   : "the obstacle fills the whole box: some cells must be left to the fluid");
  }
  cut_ = balance<ExecutionSpace, Dim>(context, box, cells_, move);
  parallel::Halo halo(ranks.alone() ? 0 : 1); // one rank finds neighbours beyond a period itself
  if (options.repeats[Dim - 1] && !ranks.alone()) {
    halo.period = planes;
  }
  addHalo<ExecutionSpace, Dim>(context, cut_, halo, cells_, held_.set, move);
  held_.plan = parallel::makeHaloPlan<ExecutionSpace, Dim>(context, cut_, halo, held_.set);
  populations_ = detail::makePopulations<ExecutionSpace, Dim>(context, options, held_);
  moments_.setName("moments");
  values_.setName("fluid values");
  start(FluidAtRest<Dim>());
}

template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::begin() {
  populations_->start(context_, moments_);
  steps_ = 0;
  history_.clear();
}

template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::step() {
  const double s =
    steps_ < options_.rampSteps ? static_cast<double>(steps_ + 1) / static_cast<double>(options_.rampSteps) : 1.0;
  populations_->step(context_, s * s * (3.0 - 2.0 * s));
  ++steps_;
}

template <class ExecutionSpace, int Dim>
auto LatticeFlow<ExecutionSpace, Dim>::moments() -> const Field& {
  populations_->moments(context_, moments_);
  return moments_;
}

template <class ExecutionSpace, int Dim>
auto LatticeFlow<ExecutionSpace, Dim>::values() -> const Field& {
  if (!derivatives_) {
    derivatives_.emplace();
    derivatives_->build(context_, held_.set, held_.plan, options_, populations_->boundary());
  }
  derivatives_->find(context_, moments(), values_);
  return values_;
}

template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::findLinks() {
  if (!hasLinks_) {
    populations_->findLinks(context_);
    hasLinks_ = true;
  }
}

template <class ExecutionSpace, int Dim>
WallForce<Dim> LatticeFlow<ExecutionSpace, Dim>::force(const double (&about)[Dim]) {
  findLinks();
  WallForce<Dim> sum = populations_->force(context_, cells_.view(), about);
  const Communicator& ranks = context_.communicator();
  for (double& value : sum.force) {
    value = ranks.reduced(ReduceBy::Sum, value);
  }
  for (double& value : sum.torque) {
    value = ranks.reduced(ReduceBy::Sum, value);
  }
  return sum;
}

template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::record() {
  const Communicator& ranks = context_.communicator();
  FluidSums<Dim> sums;
  field::reduceCells(context_.space(), SPANWISE_KERNEL("sums of fluid"), cells_.numCells(),
    SumFluid<Dim>{std::as_const(moments()).view()}, sums);
  LatticeRecord<Dim> made;
  made.steps = steps_;
  made.massBeyondRest = ranks.reduced(ReduceBy::Sum, sums.mass);
  double volume = 1.0;
  for (int d = 0; d < Dim; ++d) {
    volume *= static_cast<double>(options_.box.extent(d));
  }
  for (int d = 0; d < Dim; ++d) {
    made.meanVelocity[d] = ranks.reduced(ReduceBy::Sum, sums.velocity[d]) / volume;
  }
  made.greatestSpeed = std::sqrt(ranks.reduced(ReduceBy::Maximum, sums.greatestSquare));
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
  FrameWriter to(frame);
  populations_->store(context_, to);
}

template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::restore(const KeptFrame& frame, const Progress& /*progress*/) {
  steps_ = std::llround(frame.time);
  FrameReader from(frame);
  populations_->restore(context_, from);
}

template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::storeHistory(std::int64_t number, FrameWriter& to) const {
  history_.store(number * options_.stepsPerFrame, to);
}

template <class ExecutionSpace, int Dim>
void LatticeFlow<ExecutionSpace, Dim>::restoreHistory(std::int64_t /*number*/, FrameReader& from) {
  history_.restore(from);
}

#define SPANWISE_LATTICE_FLOW(Space, Dim) template class LatticeFlow<Space, Dim>;
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_LATTICE_FLOW)

} // namespace spanwise::lattice
