#include "SpanwiseParticleSums.h"

#include "SpanwiseArrayOnSide.h"
#include "SpanwiseComputeOnSide.h"
#include "SpanwiseParticleUnits.h"
#include "SpanwiseUpload.h"

#include "Core/Field/Field.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/FieldView.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/HostCopy.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Core/Runtime/TuplesView.hpp"
#include "Core/Solvers/NBody/DirectSums.hpp"
#include "Core/Solvers/NBody/EwaldSums.hpp"
#include "Core/Solvers/NBody/MultipoleSums.hpp"

#include <vtkDoubleArray.h>

#include <algorithm>
#include <array>
#include <format>
#include <span>
#include <type_traits>

namespace spanwise {

namespace {

/// How many components charges have on all ranks that have particles.
int agreedComponents(const RankGroup& group, const ParticleSources& sources) {
  const auto mine = static_cast<double>(sources.charges.size());
  constexpr double none = 1e9;
  std::vector<double> least{sources.charges.empty() ? none : mine};
  std::vector<double> most{mine};
  group.minimum(least);
  group.maximum(most);
  if (most[0] > 0.0 && least[0] != most[0]) {
    throw InvalidArgument(std::format("charges have {} on one rank and {} on another; they must be the same "
                                      "array everywhere",
      countText(static_cast<std::int64_t>(least[0]), "component"), most[0]));
  }
  return static_cast<int>(most[0]);
}

/// Places, and charges of particles, a column each.
struct GivenColumns {
  std::array<std::span<const double>, 3> places;
  std::vector<std::span<const double>> charges;

  [[nodiscard]] std::int64_t count() const { return std::ssize(places[0]); }
};

GivenColumns columnsOf(const ParticlePlaces& places) {
  GivenColumns columns;
  std::copy(std::begin(places.coordinates), std::end(places.coordinates), columns.places.begin());
  return columns;
}

/// This rank's own particles.
ParticleSources ownParticles(const ParticleSources& sources) {
  ParticleSources own;
  own.charges.resize(sources.charges.size());
  for (std::size_t i = 0; i < sources.notOwn.size(); ++i) {
    if (sources.notOwn[i] == isOwn) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        own.places.coordinates[axis].push_back(sources.places.coordinates[axis][i]);
      }
      for (std::size_t c = 0; c < own.charges.size(); ++c) {
        own.charges[c].push_back(sources.charges[c][i]);
      }
    }
  }
  return own;
}

/// Columns in memory of an execution space, one after the other, in units: of coordinates, then of charges.
template <class Space, class Real>
class Columns {
public:
  Columns() = default;
  Columns(const GivenColumns& given, std::size_t numCharges, const ParticleUnits& units, const ParticleProblem& problem,
    bool fromOrigin)
    : length_(given.count()) {
    reserve(host_, static_cast<std::int64_t>(3 + numCharges) * length_, SPANWISE_LABEL("Filters::particles"));
    for (std::size_t axis = 0; axis < 3; ++axis) {
      put(axis, given.places[axis], coordinateInUnits(units, problem, axis, fromOrigin));
    }
    for (std::size_t c = 0; c < given.charges.size(); ++c) {
      put(3 + c, given.charges[c], [unit = units.charge](double charge) { return charge / unit; });
    }
    if constexpr (!runsOnHost<Space>) {
      upload_ = Upload<Real>(sideOfSpace<Space>, host_.data(), static_cast<std::int64_t>(3 + numCharges) * length_);
    }
  }

  [[nodiscard]] std::int64_t count() const { return length_; }
  [[nodiscard]] nbody::PointsView<3, Real> points() const {
    nbody::PointsView<3, Real> points;
    points.count = length_;
    for (int axis = 0; axis < 3; ++axis) {
      points.coordinates[axis] = data() + axis * length_;
    }
    return points;
  }
  /// Charges are the columns after the first three.
  [[nodiscard]] nbody::SourcesView<3, Real> sources() const { return {points(), data() + 3 * length_, length_}; }

private:
  template <class InUnits>
  void put(std::size_t column, std::span<const double> from, const InUnits& inUnits) {
    Real* const to = host_.data() + static_cast<std::int64_t>(column) * length_;
    const double* const given = from.data();
    forEach(SPANWISE_KERNEL("in units"), IndexRange<HostExecutionSpace>(HostExecutionSpace(), 0, length_),
      [=](std::int64_t i) { to[i] = static_cast<Real>(inUnits(given[i])); });
    HostExecutionSpace().fence(SPANWISE_LABEL("Filters::particles"));
  }
  [[nodiscard]] const Real* data() const { return runsOnHost<Space> ? host_.data() : upload_.data(); }

  std::int64_t length_ = 0;
  Kokkos::View<Real*, Kokkos::HostSpace> host_;
  Upload<Real> upload_; // where the space has memory of its own
};

/// Sums at targets where they were computed, column by column, in the units of sums.
template <class Space, class Real>
struct Sums {
  using Numbers = Kokkos::View<Real*, typename Space::memory_space>;

  std::int64_t numTargets = 0;
  Numbers potentials; ///< [right-hand side][target]
  Numbers fields;     ///< [right-hand side][axis][target]
};

/// What brings sums back from their units: one after the other, as the unit of the sums may be out of range where they
/// are not.
struct FromUnits {
  double factor = 1.0;
  double charge = 1.0;
  double length = 1.0;
  int power = 0; ///< of the length, 0 or less

  KOKKOS_FUNCTION double operator()(double value) const {
    value *= factor;
    value *= charge;
    for (int k = power; k < 0; ++k) {
      value /= length;
    }
    return value;
  }
};

/// A number of a target, in the units that were given: of the own particles' sums, or of those of ghosts.
template <class Real>
struct SumAt {
  const Real* own = nullptr; ///< columns
  std::int64_t numOwn = 0;
  const std::int64_t* from = nullptr; ///< the place of a target among them, or -1 - that among ghosts; null: its number
  const Real* ghosts = nullptr;
  std::int64_t numGhosts = 0;
  const double* ofThemselves = nullptr; ///< what each ghost does to itself, in columns; null: nothing
  FromUnits fromUnits;

  KOKKOS_FUNCTION double operator()(std::int64_t target, int column) const {
    const std::int64_t place = from == nullptr ? target : from[target];
    if (place >= 0) {
      return fromUnits(static_cast<double>(own[column * numOwn + place]));
    }
    const std::int64_t at = column * numGhosts + (-1 - place);
    return fromUnits(static_cast<double>(ghosts[at]) - (ofThemselves != nullptr ? ofThemselves[at] : 0.0));
  }
};

template <class Real>
struct PutSums {
  SumAt<Real> sum;
  std::int64_t first;
  FieldView<double> to;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    for (int c = 0; c < to.numComponents; ++c) {
      to(k, c) = sum(first + k, c);
    }
  }
};

template <class Real>
struct CountNotFinite {
  using value_type = std::int64_t;
  SumAt<Real> sum;
  int numComponents;

  KOKKOS_FUNCTION void operator()(std::int64_t target, std::int64_t& count) const {
    for (int c = 0; c < numComponents; ++c) {
      count += Kokkos::isfinite(sum(target, c)) ? 0 : 1;
    }
  }
};

/// The sums of targets from `first` to `last`, as an array on a side. Arrays on a device have not more components than
/// fields; those of more come to the host.
template <ComputeSide side, class Real>
vtkSmartPointer<vtkDataArray> arrayOf(
  const char* name, const SumAt<Real>& sum, int numComponents, std::int64_t first, std::int64_t last) {
  using Space = SpaceOf<side>;
  const IndexRange<Space> all(Space(), 0, last - first);
  if (numComponents <= field::maxComponents) {
    ArrayOnSide<side, double> array(name, last - first, numComponents);
    forEach(SPANWISE_KERNEL("put sums"), all, PutSums<Real>{sum, first, array.values().view()});
    return array.array();
  }
  const auto array = vtkSmartPointer<vtkDoubleArray>::New();
  array->SetName(name);
  array->SetNumberOfComponents(numComponents);
  array->SetNumberOfTuples(last - first);
  const std::int64_t length = (last - first) * numComponents;
  Kokkos::View<double*, typename Space::memory_space> there; // where kernels cannot write to the array
  if (!runsOnHost<Space>) {
    reserve(there, length, SPANWISE_LABEL("Filters::sums"));
  }
  double* const tuples = runsOnHost<Space> ? array->GetPointer(0) : there.data();
  forEach(SPANWISE_KERNEL("put sums"), all, PutSums<Real>{sum, first, tuplesView(tuples, last - first, numComponents)});
  Space().fence(SPANWISE_LABEL("Filters::sums"));
  if (!runsOnHost<Space>) {
    copyToHost(Space(), static_cast<const double*>(tuples), length, array->GetPointer(0));
  }
  return array;
}

/// The periodic box in units, where the origin is taken from coordinates.
nbody::PeriodicBox boxFromOrigin(const ParticleProblem& problem, const ParticleUnits& units) {
  nbody::PeriodicBox box = *problem.box;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    box.low[axis] -= units.origin[axis] / units.length;
  }
  return box;
}

/// Collective, as its functions are. Sums over the particles of all ranks.
template <class Space, class Real, class Interaction>
class Summation {
public:
  /// `particles` are this rank's own, `problem` is in the units. All outlive this.
  Summation(const RankGroup& group, const Interaction& interaction, const ParticleProblem& problem,
    const ParticleUnits& units, const GivenColumns& particles, int numCharges, nbody::SumMethod method)
    : group_(group), interaction_(interaction), problem_(problem), units_(units), given_(particles),
      numCharges_(static_cast<std::size_t>(numCharges)), method_(method),
      numSides_(numCharges / nbody::numChargesOf<Interaction>), context_(Space(), group.communicator()) {
    group.agree([&] { particles_ = columns<Real>(particles, numCharges_); });
  }

  /// At some places, or where there are none at the particles, with errors at `numChecked` of each rank's targets.
  /// What was done is added to `result`.
  Sums<Space, Real> at(
    const ParticlePlaces* targets, std::int64_t numChecked, const Progress& progress, ParticleSums& result) {
    Columns<Space, Real> places;
    result.numRightHandSides = numSides_;
    sums_ = {};
    group_.agree([&] {
      if (targets != nullptr) {
        places = columns<Real>(columnsOf(*targets), 0);
      }
      sums_.numTargets = targets != nullptr ? places.count() : particles_.count();
      reserve(sums_.potentials, numPotentials(), SPANWISE_LABEL("Filters::potentials"));
      reserve(sums_.fields, numGradients(), SPANWISE_LABEL("Filters::gradients"));
    });
    const Context<Space> context = context_.with(progress);
    if (method_ == nbody::SumMethod::FastMultipole) {
      const auto options = optionsOf<nbody::MultipoleOptions>();
      tell(targets != nullptr
          ? multipolesBetween(context, interaction_, places.points(), particles_.sources(), sums(), options, memory_)
          : multipolesWithin(context, interaction_, particles_.sources(), sums(), options, memory_),
        result);
    } else if (problem_.box) {
      const auto options = optionsOf<nbody::EwaldOptions>();
      targets != nullptr
        ? ewaldBetween(context, interaction_, boxFromOrigin(problem_, units_), places.points(), particles_.sources(),
            sums(), options)
        : ewaldWithin(context, interaction_, boxFromOrigin(problem_, units_), particles_.sources(), sums(), options);
      result.numInteractions +=
        static_cast<double>(sums_.numTargets) * static_cast<double>(group_.sum(particles_.count())) * numSides_;
      result.method = "Ewald sums";
    } else {
      const auto options = optionsOf<nbody::SumOptions>();
      const nbody::SumReport report = targets != nullptr
        ? sumBetween(context, interaction_, places.points(), particles_.sources(), sums(), options)
        : sumWithin(context, interaction_, particles_.sources(), sums(), options);
      result.numInteractions += report.numInteractions;
      result.method =
        std::format("{}, {}", nbody::variantName(report.variant), nbody::instructionSetName(report.instructions));
    }
    if (numChecked > 0) {
      result.errors = errors(targets, numChecked);
    }
    return sums_;
  }

private:
  [[nodiscard]] std::int64_t numPotentials() const { return problem_.potential ? numSides_ * sums_.numTargets : 0; }
  [[nodiscard]] std::int64_t numGradients() const { return problem_.field ? 3 * numSides_ * sums_.numTargets : 0; }
  [[nodiscard]] nbody::SumsView<Real> sums() const {
    return {problem_.potential ? sums_.potentials.data() : nullptr, problem_.field ? sums_.fields.data() : nullptr,
      sums_.numTargets};
  }

  /// Coordinates from the origin, for numbers that are rounded.
  template <class Number>
  [[nodiscard]] Columns<Space, Number> columns(const GivenColumns& given, std::size_t numCharges) const {
    return {given, numCharges, units_, problem_, true};
  }

  /// What options of all methods have.
  template <class Options>
  [[nodiscard]] Options optionsOf() const {
    Options options;
    options.numRightHandSides = numSides_;
    options.potentialFactor = problem_.factor;
    options.gradientFactor = -problem_.factor;
    if constexpr (std::is_same_v<Options, nbody::MultipoleOptions>) {
      options.accuracy = problem_.accuracy;
      if (problem_.box) {
        options.box = boxFromOrigin(problem_, units_);
      }
    }
    return options;
  }

  void tell(const nbody::MultipoleReport& report, ParticleSums& result) const {
    result.numInteractions += report.numNear;
    result.method =
      std::format("fast multipole, order {}, {}", report.order, nbody::instructionSetName(report.instructions));
    result.byMultipoles = true;
    if (!group_.alone()) {
      result.share = {static_cast<double>(report.numTargets), static_cast<double>(report.numSources),
        static_cast<double>(report.numEssentialPoints), static_cast<double>(report.numEssentialNodes),
        static_cast<double>(report.messages.messages), static_cast<double>(report.messages.bytes), report.numNear};
      result.imbalance = report.imbalance;
    }
  }

  /// Against sums of the numbers before they are rounded.
  [[nodiscard]] nbody::SumErrors errors(const ParticlePlaces* targets, std::int64_t numChecked) const {
    Columns<Space, double> sources;
    Columns<Space, double> places;
    group_.agree([&] {
      sources = {given_, numCharges_, units_, problem_, false};
      if (targets != nullptr) {
        places = {columnsOf(*targets), 0, units_, problem_, false};
      }
    });
    const nbody::SumsToSample<3, Real, double> of{targets != nullptr ? places.points() : sources.points(),
      sources.sources(), sums(), targets == nullptr, problem_.factor, -problem_.factor, numSides_};
    return problem_.box ? sampleErrors(context_, interaction_, *problem_.box, of, numChecked)
                        : sampleErrors(context_, interaction_, of, numChecked);
  }

  const RankGroup& group_;
  Interaction interaction_;
  const ParticleProblem& problem_;
  const ParticleUnits& units_;
  const GivenColumns& given_;
  std::size_t numCharges_;
  nbody::SumMethod method_;
  int numSides_;
  Context<Space> context_;
  Columns<Space, Real> particles_;
  Sums<Space, Real> sums_;
  nbody::MultipoleMemory<3, Space> memory_;
};

/// What a particle with a charge would do to itself.
template <class Interaction>
double selfPotential(const Interaction& interaction, double charge) {
  if constexpr (nbody::RadialInteraction<Interaction>) {
    return charge * interaction.template terms<nbody::Parts::Potential>(0.0).value;
  }
  return 0.0;
}

/// The particles of this rank that are elsewhere, or hidden.
ParticlePlaces ghostPlaces(const ParticleSources& sources) {
  ParticlePlaces ghosts;
  for (std::size_t i = 0; i < sources.notOwn.size(); ++i) {
    for (int axis = 0; sources.notOwn[i] != isOwn && axis < 3; ++axis) {
      ghosts.coordinates[axis].push_back(sources.places.coordinates[axis][i]);
    }
  }
  return ghosts;
}

/// Where the sums of all particles are: as SumAt takes it.
std::vector<std::int64_t> placesOfSums(const NotOwn& notOwn) {
  std::vector<std::int64_t> from;
  std::int64_t numOwn = 0;
  for (const std::uint8_t is : notOwn) {
    from.push_back(is == isOwn ? numOwn : numOwn - 1 - std::ssize(from));
    numOwn += is == isOwn ? 1 : 0;
  }
  return from;
}

/// What ghosts do to themselves, in units: a ghost is among all particles, unless it is hidden.
template <class Interaction>
std::vector<double> potentialsOfThemselves(const Interaction& interaction, const ParticleProblem& problem,
  const ParticleUnits& units, const ParticleSources& sources, int numSides) {
  std::vector<double> ofThemselves;
  for (std::size_t side = 0; side < static_cast<std::size_t>(numSides); ++side) {
    for (std::size_t i = 0; i < sources.notOwn.size(); ++i) {
      if (sources.notOwn[i] != isOwn) {
        ofThemselves.push_back(sources.notOwn[i] == isElsewhere
            ? problem.factor * selfPotential(interaction, sources.charges[side][i] / units.charge)
            : 0.0);
      }
    }
  }
  return ofThemselves;
}

/// What sums are asked for: the problem as it was given, and in units.
struct Asked {
  const ParticleProblem& given;
  ParticleProblem inUnits;
  ParticleUnits units;
  bool inUnitsOfTheirOwn = false; ///< then sums are brought back
  const ParticleSources& sources;
  const ParticlePlaces* targets;
  const std::vector<std::int64_t>& firsts;
};

/// Makes the arrays.
template <ComputeSide side, class Real, class Interaction>
void putArrays(const Interaction& interaction, const Asked& asked, const Sums<SpaceOf<side>, Real>& own,
  const Sums<SpaceOf<side>, Real>& ghosts, ParticleSums& result) {
  using Space = SpaceOf<side>;
  const bool hasGhosts = ghosts.numTargets > 0;
  std::vector<std::int64_t> places;
  std::vector<double> ofThemselves;
  if (hasGhosts) {
    places = placesOfSums(asked.sources.notOwn);
    ofThemselves =
      potentialsOfThemselves(interaction, asked.inUnits, asked.units, asked.sources, result.numRightHandSides);
  }
  const Upload<std::int64_t> from(side, places);
  const Upload<double> potentialsOfGhosts(side, ofThemselves);
  const int power = powerOfLength(asked.given.interaction);
  const auto put = [&](const char* name, const auto& ofOwn, const auto& ofGhosts, const double* taken, int powerOfThese,
                     int numComponents, std::vector<vtkSmartPointer<vtkDataArray>>& arrays) {
    SumAt<Real> sum{ofOwn.data(), own.numTargets, from.data(), ofGhosts.data(), ghosts.numTargets, taken, {}};
    if (asked.inUnitsOfTheirOwn) {
      sum.fromUnits = {asked.given.factor, asked.units.charge, asked.units.length, powerOfThese};
    }
    for (std::size_t piece = 0; piece + 1 < asked.firsts.size(); ++piece) {
      arrays.push_back(arrayOf<side, Real>(name, sum, numComponents, asked.firsts[piece], asked.firsts[piece + 1]));
    }
    std::int64_t notFinite = 0;
    reduce(SPANWISE_KERNEL("not finite"), IndexRange<Space>(Space(), 0, asked.firsts.back()),
      CountNotFinite<Real>{sum, numComponents}, notFinite);
    result.numNotFinite += notFinite;
  };
  if (asked.given.potential) {
    put("Potential", own.potentials, ghosts.potentials, potentialsOfGhosts.data(), power, result.numRightHandSides,
      result.potentials);
  }
  if (asked.given.field) {
    put("Field", own.fields, ghosts.fields, nullptr, power - 1, 3 * result.numRightHandSides, result.fields);
  }
}

/// Collective. With the sums of ghosts, where there are any.
template <ComputeSide side, class Real, class Interaction>
ParticleSums sumsOf(const RankGroup& group, const Interaction& interaction, const Asked& asked, nbody::SumMethod method,
  const Progress& progress) {
  using Space = SpaceOf<side>;
  const int numCharges = agreedComponents(group, asked.sources);
  ParticleSources own;
  ParticlePlaces ghosts;
  GivenColumns columns;
  group.agree([&] {
    const bool all = asked.sources.notOwn.empty();
    if (!all) {
      own = ownParticles(asked.sources);
      ghosts = ghostPlaces(asked.sources);
    }
    const ParticleSources& from = all ? asked.sources : own;
    columns = columnsOf(from.places);
    columns.charges.assign(from.charges.begin(), from.charges.end());
  });
  Summation<Space, Real, Interaction> summation(
    group, interaction, asked.inUnits, asked.units, columns, numCharges, method);
  ParticleSums result;
  Sums<Space, Real> ofOwn;
  Sums<Space, Real> ofGhosts;
  const std::int64_t numChecked = asked.given.numChecked;
  if (asked.targets != nullptr || group.sum(ghosts.count()) == 0) {
    ofOwn = summation.at(asked.targets, numChecked, progress, result);
  } else {
    ofOwn = summation.at(nullptr, numChecked, progress.part(0.0, 0.9), result);
    ParticleSums ofThese;
    ofGhosts = summation.at(&ghosts, 0, progress.part(0.9, 1.0), ofThese);
    result.numInteractions += ghosts.count() == 0 ? 0.0 : ofThese.numInteractions;
  }
  group.agree([&] { putArrays<side, Real>(interaction, asked, ofOwn, ofGhosts, result); });
  return result;
}

} // namespace

ParticleSums sumParticles(const RankGroup& group, const ParticleProblem& problem, const ParticleSources& sources,
  const ParticlePlaces* targets, const std::vector<std::int64_t>& firsts, const Progress& progress) {
  Asked asked{problem, problem, unitsFor(group, problem, sources, targets), false, sources, targets, firsts};
  asked.inUnitsOfTheirOwn = !asked.units.areOwn() || problem.inFloat;
  if (asked.inUnitsOfTheirOwn) {
    asked.inUnits = inUnits(problem, asked.units);
  }
  const auto numOwn = sources.places.count() -
    std::count_if(sources.notOwn.begin(), sources.notOwn.end(), [](std::uint8_t is) { return is != isOwn; });
  const std::int64_t numSources = group.sum(numOwn);
  const std::int64_t numTargets = group.sum(targets != nullptr ? targets->count() : numOwn);
  if (numSources == 0) {
    return {};
  }
  return std::visit(
    [&]<class Interaction>(const Interaction& interaction) {
      ParticleSums sums;
      const auto sum = [&]<ComputeSide side>(const SideContext<side>& /*context*/) {
        const nbody::SumMethod method = nbody::chooseMethod<Interaction>({.asked = problem.method,
          .onHost = runsOnHost<SpaceOf<side>>,
          .sums = nbody::SumsAre::Few,
          .inFloat = problem.inFloat,
          .withGradients = problem.field,
          .isPeriodic = problem.box.has_value(),
          .isCube = problem.box && nbody::isCube(*problem.box, 3),
          .accuracy = problem.accuracy,
          .numPairs = static_cast<double>(numTargets) * static_cast<double>(numSources)});
        sums = problem.inFloat ? sumsOf<side, float>(group, interaction, asked, method, progress)
                               : sumsOf<side, double>(group, interaction, asked, method, progress);
      };
      const SideWork work = workOnPairs(
        targets != nullptr ? targets->count() : numOwn, numSources, problem.method != nbody::SumMethod::Direct);
      computeOnSide(group, "Sums of particles", work, sum);
      return sums;
    },
    asked.inUnits.interaction);
}

} // namespace spanwise
