#include "SpanwiseBodyMotion.h"

#include "SpanwiseComputeOnSide.h"
#include "SpanwiseParticleUnits.h"

#include "Core/Runtime/Checksum.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/FrameArrays.hpp"
#include "Core/Runtime/HostCopy.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Core/Solvers/NBody/BodyForces.hpp"

#include <algorithm>
#include <cmath>
#include <format>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

namespace spanwise {

namespace {

template <class Memory>
using Columns = Kokkos::View<double*, Memory>;

template <class Memory>
Columns<Memory> columnsOf(std::int64_t length) {
  Columns<Memory> columns;
  reserve(columns, length, SPANWISE_LABEL("Filters::bodies"));
  return columns;
}

template <class Memory>
void upload(std::span<const double> from, const Columns<Memory>& to) {
  copyBetween<Kokkos::HostSpace, Memory>(from.data(), std::ssize(from), to.data());
}

template <class Memory>
void download(const Columns<Memory>& from, std::span<double> to) {
  copyBetween<Memory, Kokkos::HostSpace>(static_cast<const double*>(from.data()), std::ssize(to), to.data());
}

template <class Memory>
void download(const Columns<Memory>& from, std::vector<double>& to) {
  to.resize(from.extent(0));
  download(from, std::span(to));
}

std::vector<double> joined(const std::array<std::vector<double>, 3>& columns) {
  std::vector<double> all;
  for (const std::vector<double>& column : columns) {
    all.insert(all.end(), column.begin(), column.end());
  }
  return all;
}

/// The mean distance of the bodies of all ranks: the diagonal of their bounding box / number^(1/3).
double meanDistance(const RankGroup& group, const BodiesAtStart& bodies) {
  std::vector<double> low(3, std::numeric_limits<double>::max());
  std::vector<double> high(3, std::numeric_limits<double>::lowest());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const double x : bodies.places[axis]) {
      low[axis] = std::min(low[axis], x);
      high[axis] = std::max(high[axis], x);
    }
  }
  group.minimum(low);
  group.maximum(high);
  const std::int64_t count = group.sum(bodies.count());
  if (count == 0) {
    return 0.0;
  }
  return std::hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / std::cbrt(static_cast<double>(count));
}

AnyInteraction interactionOf(const MotionSettings& settings, double softening) {
  switch (settings.interaction) {
  case BodyInteraction::Logarithm:
    return nbody::Logarithm{};
  case BodyInteraction::Gaussian:
    return nbody::Gaussian{settings.width};
  case BodyInteraction::Yukawa:
    return nbody::Yukawa{settings.screening};
  case BodyInteraction::InverseDistance:
    break;
  }
  if (softening > 0.0) {
    return nbody::SoftenedInverseDistance{softening};
  }
  return nbody::InverseDistance{};
}

/// Throws InvalidArgument, on all ranks, where lengths, masses or charges are beyond what forces take: a motion has no
/// units of its own, as sums have.
void checkRange(const RankGroup& group, const AnyInteraction& interaction, const BodiesAtStart& start) {
  ParticleProblem problem;
  ParticleSources sources;
  group.agree([&] {
    problem.interaction = interaction;
    std::copy(start.places.begin(), start.places.end(), sources.places.coordinates);
    sources.charges = {start.hasCharges ? start.charges : start.masses};
  });
  const ParticleUnits units = unitsFor(group, problem, sources, nullptr);
  const auto check = [](const char* what, double unit, double most) {
    if (unit != 1.0) {
      throw InvalidArgument(
        std::format("the {} of the bodies are about {:.1g}; they must be within {:g} and {:g}: use other units", what,
          unit, 1.0 / most, most));
    }
  };
  check("distances", units.length, usualLength<double>);
  check(start.hasCharges ? "charges" : "masses", units.charge, usualCharge<double>);
}

} // namespace

BodyFrame bodiesOf(const KeptFrame& frame) {
  const std::int64_t count = static_cast<std::int64_t>(frame.bytes.size()) / bytesPerBody;
  FrameReader reader(frame);
  BodyFrame bodies;
  bodies.places = reader.array<double>(3 * count);
  bodies.velocities = reader.array<double>(3 * count);
  return bodies;
}

/// Bodies where they are computed, with the forces of those of all ranks. Functions that take the group are collective.
class BodyMotion::State {
public:
  virtual ~State() = default;

  /// Puts bodies to places with velocities.
  virtual void set(const RankGroup& group, std::span<const double> places, std::span<const double> velocities,
    const Progress& progress) = 0;
  virtual void move(const RankGroup& group, double timeStep, std::int64_t numSteps, const Progress& progress) = 0;
  /// Writes this rank's bodies.
  virtual void get(FrameWriter& to) const = 0;
  /// What all bodies have.
  [[nodiscard]] virtual nbody::MotionTotals totals(const RankGroup& group) const = 0;
  [[nodiscard]] virtual double largestAcceleration() const = 0;
  [[nodiscard]] virtual const std::string& method() const = 0;
};

/// In the memory of an execution space.
template <class Space>
class BodyMotion::StateOn final : public State {
public:
  StateOn(const RankGroup& group, const MotionSettings& settings, const AnyInteraction& interaction,
    const BodiesAtStart& start)
    : count_(start.count()) {
    group.agree([&] {
      places_ = columnsOf<Memory>(3 * count_);
      velocities_ = columnsOf<Memory>(3 * count_);
      accelerations_ = columnsOf<Memory>(3 * count_);
      potentials_ = columnsOf<Memory>(count_);
      masses_ = columnsOf<Memory>(count_);
      upload(start.masses, masses_);
      if (start.hasCharges) {
        charges_ = columnsOf<Memory>(count_);
        upload(start.charges, charges_);
      }
    });
    nbody::ForceOptions options;
    options.factor = settings.factor;
    options.accuracy = settings.accuracy;
    options.method = settings.method;
    std::visit(
      [&]<class Interaction>(const Interaction& of) {
        if constexpr (nbody::RadialInteraction<Interaction>) {
          using Forces = nbody::BodyForces<Space, Interaction, 3>;
          accelerate_ = [this, forces = std::make_shared<Forces>(of, options)](
                          const Context<Space>& context, Potentials potentials) {
            (*forces)(
              context, view(), accelerations_.data(), potentials == Potentials::Yes ? potentials_.data() : nullptr);
            const auto instructions = nbody::instructionSetName(forces->instructions());
            method_ = forces->order() > 0 ? std::format("fast multipole, order {}, {}", forces->order(), instructions)
                                          : std::format("{}, {}", nbody::variantName(forces->variant()), instructions);
          };
        }
      },
      interaction);
  }

  void set(const RankGroup& group, std::span<const double> places, std::span<const double> velocities,
    const Progress& progress) override {
    group.agree([&] {
      upload(places, places_);
      upload(velocities, velocities_);
      progress.report(0.0);
    });
    accelerate_(contextOf(group, progress), Potentials::Yes);
  }

  void move(const RankGroup& group, double timeStep, std::int64_t numSteps, const Progress& progress) override {
    nbody::leapfrog(contextOf(group, progress), view(), accelerations_.data(), timeStep, numSteps,
      [&](bool last, const Context<Space>& context) { accelerate_(context, last ? Potentials::Yes : Potentials::No); });
  }

  void get(FrameWriter& to) const override {
    download(places_, to.array<double>(3 * count_));
    download(velocities_, to.array<double>(3 * count_));
  }

  [[nodiscard]] nbody::MotionTotals totals(const RankGroup& group) const override {
    return nbody::motionTotals(contextOf(group, {}), view(), potentials_.data());
  }

  [[nodiscard]] double largestAcceleration() const override {
    std::vector<double> all;
    download(accelerations_, all);
    double largest = 0.0;
    const auto count = static_cast<std::size_t>(count_);
    for (std::size_t i = 0; i < count; ++i) {
      largest = std::max(largest, std::hypot(all[i], all[count + i], all[2 * count + i]));
    }
    return largest;
  }
  [[nodiscard]] const std::string& method() const override { return method_; }

private:
  using Memory = typename Space::memory_space;
  enum class Potentials { Yes, No };

  /// Each request has ranks of its own.
  [[nodiscard]] Context<Space> contextOf(const RankGroup& group, const Progress& progress) const {
    return context_.with(group.communicator()).with(progress);
  }
  [[nodiscard]] nbody::BodiesView<3> view() const {
    nbody::BodiesView<3> bodies;
    bodies.count = count_;
    bodies.masses = masses_.data();
    bodies.charges = charges_.data(); // null where there are none
    for (int axis = 0; axis < 3; ++axis) {
      bodies.positions[axis] = places_.data() + axis * count_;
      bodies.velocities[axis] = velocities_.data() + axis * count_;
    }
    return bodies;
  }

  std::int64_t count_;
  Columns<Memory> places_, velocities_, accelerations_, potentials_, masses_, charges_;
  Context<Space> context_;
  std::function<void(const Context<Space>&, Potentials)> accelerate_;
  std::string method_;
};

BodyMotion::BodyMotion(
  const RankGroup& group, const MotionSettings& settings, BodiesAtStart start, const Progress& progress)
  : settings_(settings), start_(std::move(start)), numRanks_(group.size()) {
  const double distance = meanDistance(group, start_);
  if (settings.interaction == BodyInteraction::InverseDistance) {
    softening_ = settings.softeningIsAutomatic ? distance / 30.0 : settings.softening;
  }
  checkRange(group, interactionOf(settings, softening_), start_);
  computeOnSide(group, motionInReport,
    workOnPairs(start_.count(), group.sum(start_.count()), settings.method != nbody::SumMethod::Direct),
    [&]<ComputeSide side>(const SideContext<side>& /*context*/) {
      this->makeState<SpaceOf<side>>(group, progress);
      isOnHost_ = side == ComputeSide::Host;
    });
  timeStep_ = settings.timeStep;
  if (timeStep_ == 0.0) {
    std::vector<double> largest(1);
    group.agree([&] { largest[0] = state_->largestAcceleration(); });
    group.maximum(largest);
    const double soft = settings.interaction == BodyInteraction::Gaussian ? settings.width : softening_;
    const double step = soft > 0.0 ? 0.2 * std::sqrt(soft / largest[0]) : 0.02 * std::sqrt(distance / largest[0]);
    timeStep_ = std::isfinite(step) && step > 0.0 ? step : 1.0;
  }
}

BodyMotion::~BodyMotion() = default;

template <class ExecutionSpace>
void BodyMotion::makeState(const RankGroup& group, const Progress& progress) {
  auto made = std::make_unique<StateOn<ExecutionSpace>>(group, settings_, interactionOf(settings_, softening_), start_);
  made->set(group, joined(start_.places), joined(start_.velocities), progress);
  state_ = std::move(made); // what there was stays where this fails
}

bool BodyMotion::putOnHost(const RankGroup& group, const Progress& progress) {
  if (isOnHost_) {
    return false;
  }
  this->makeState<HostExecutionSpace>(group, progress);
  isOnHost_ = true;
  return true;
}

bool BodyMotion::isOf(const RankGroup& group, const MotionSettings& settings, const BodiesAtStart& start) const {
  std::vector<double> isSame{
    group.size() == numRanks_ && settings == settings_ && start == start_ ? 1.0 : 0.0}; // of a rank; then of all
  group.minimum(isSame);
  return isSame[0] == 1.0;
}

void BodyMotion::advance(const RankGroup& group, const Progress& progress) {
  state_->move(group, timeStep_, settings_.stepsPerFrame, progress);
}

void BodyMotion::store(const RankGroup& group, KeptFrame& frame) {
  group.agree([&] {
    FrameWriter writer(frame, static_cast<std::size_t>(bytesPerBody * start_.count()));
    state_->get(writer);
    totals_.resize(static_cast<std::size_t>(frame.number) + 1);
  });
  frame.time = timeOf(frame.number);
  totals_.back() = state_->totals(group);
}

void BodyMotion::restore(const RankGroup& group, const KeptFrame& frame, const Progress& progress) {
  const BodyFrame bodies = bodiesOf(frame);
  state_->set(group, bodies.places, bodies.velocities, progress);
}

// The totals of all frames so far, and the time step: chosen by itself, it may differ in the last bit elsewhere.
void BodyMotion::storeHistory(std::int64_t number, FrameWriter& to) const {
  to.number(timeStep_);
  const auto totals = to.array<nbody::MotionTotals>(number + 1);
  std::copy_n(totals_.begin(), totals.size(), totals.begin());
}

void BodyMotion::restoreHistory(std::int64_t number, FrameReader& from) {
  timeStep_ = from.number<double>();
  const auto totals = from.array<nbody::MotionTotals>(number + 1);
  totals_.assign(totals.begin(), totals.end());
}

std::string BodyMotion::run(const RankGroup& group) const {
  std::vector<std::uint64_t> sums;
  const auto add = [&](
                     const std::vector<double>& column) { sums.push_back(checksum(std::as_bytes(std::span(column)))); };
  std::for_each(start_.places.begin(), start_.places.end(), add);
  std::for_each(start_.velocities.begin(), start_.velocities.end(), add);
  add(start_.masses);
  add(start_.charges);
  sums = group.communicator().gather(checksum(std::as_bytes(std::span(sums))));
  constexpr const char* interactions[] = {"inverse distance", "logarithm", "Gaussian", "Yukawa"};
  constexpr const char* methods[] = {"automatic", "direct", "multipoles"};
  const MotionSettings& s = settings_;
  return std::format(
    "N-body motion of {} bodies (checksum {:016x}): {}, softening {}, width {}, screening {}, factor {}, "
    "{} sums, accuracy {}, time step {}, {} a frame",
    group.sum(start_.count()), checksum(std::as_bytes(std::span(sums))),
    interactions[static_cast<std::size_t>(s.interaction)], softening_, s.width, s.screening, s.factor,
    methods[static_cast<std::size_t>(s.method)], s.accuracy,
    s.timeStep > 0.0 ? std::format("{}", s.timeStep) : "automatic", s.stepsPerFrame);
}

std::string BodyMotion::method() const { return state_->method(); }

} // namespace spanwise
