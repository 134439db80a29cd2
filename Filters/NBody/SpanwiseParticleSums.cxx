#include "SpanwiseParticleSums.h"

#include "SpanwiseComputeOnSide.h"
#include "SpanwiseParticleUnits.h"
#include "SpanwiseUpload.h"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Core/Solvers/NBody/DirectSums.hpp"
#include "Core/Solvers/NBody/EwaldSums.hpp"
#include "Core/Solvers/NBody/MultipoleSums.hpp"

#include <algorithm>
#include <format>
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

/// Coordinates and charges of this rank's own particles, a column each.
std::vector<std::vector<double>> ownColumns(const ParticleSources& sources, int numCharges) {
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(3 + numCharges));
  for (std::size_t i = 0; i < static_cast<std::size_t>(sources.places.count()); ++i) {
    if (sources.notOwn.empty() || sources.notOwn[i] == isOwn) {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        columns[c].push_back(c < 3 ? sources.places.coordinates[c][i] : sources.charges[c - 3][i]);
      }
    }
  }
  return columns;
}

/// Columns in memory of an execution space, one after the other. Of the first three, which are coordinates, an origin
/// is taken before they are rounded.
template <class Space, class Real>
class Columns {
public:
  Columns() = default;
  explicit Columns(const std::vector<std::vector<double>>& columns, const std::array<double, 3>& origin = {})
    : length_(columns.empty() ? 0 : static_cast<std::int64_t>(columns[0].size())) {
    host_.reserve(columns.size() * static_cast<std::size_t>(length_));
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const double from = c < 3 ? origin[c] : 0.0;
      for (const double value : columns[c]) {
        host_.push_back(static_cast<Real>(value - from));
      }
    }
    if constexpr (!runsOnHost<Space>) {
      upload_ = Upload<Real>(sideOfSpace<Space>, host_);
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
  [[nodiscard]] const Real* data() const { return runsOnHost<Space> ? host_.data() : upload_.data(); }

  std::int64_t length_ = 0;
  std::vector<Real> host_;
  Upload<Real> upload_; // where the space has memory of its own
};

/// The periodic box where the origin is taken from coordinates.
nbody::PeriodicBox boxFromOrigin(const ParticleProblem& problem) {
  nbody::PeriodicBox box = *problem.box;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    box.low[axis] -= problem.origin[axis];
  }
  return box;
}

/// Collective, as its functions are. Sums over the particles of all ranks.
template <class Space, class Real, class Interaction>
class Summation {
public:
  /// `particles` are this rank's own: columns of coordinates, then of charges. They outlive this.
  Summation(const RankGroup& group, const Interaction& interaction, const ParticleProblem& problem,
    const std::vector<std::vector<double>>& particles, nbody::SumMethod method)
    : group_(group), interaction_(interaction), problem_(problem), given_(particles), method_(method),
      numSides_((static_cast<int>(particles.size()) - 3) / nbody::numChargesOf<Interaction>),
      context_(Space(), group.communicator()) {
    group.agree([&] { particles_ = Columns<Space, Real>(particles, problem.origin); });
  }

  /// At some places, or where there are none at the particles, with errors at `numChecked` of each rank's targets.
  ParticleSums at(const ParticlePlaces* targets, std::int64_t numChecked, const Progress& progress) {
    std::vector<std::vector<double>> columns; // of targets
    Columns<Space, Real> places;
    ParticleSums result;
    result.numRightHandSides = numSides_;
    group_.agree([&] {
      if (targets != nullptr) {
        columns.assign(std::begin(targets->coordinates), std::end(targets->coordinates));
        places = Columns<Space, Real>(columns, problem_.origin);
      }
      numTargets_ = targets != nullptr ? places.count() : particles_.count();
      reserve(potentials_, numPotentials(), SPANWISE_LABEL("Filters::potentials"));
      reserve(gradients_, numGradients(), SPANWISE_LABEL("Filters::gradients"));
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
        ? ewaldBetween(
            context, interaction_, boxFromOrigin(problem_), places.points(), particles_.sources(), sums(), options)
        : ewaldWithin(context, interaction_, boxFromOrigin(problem_), particles_.sources(), sums(), options);
      result.numInteractions =
        static_cast<double>(numTargets_) * static_cast<double>(group_.sum(particles_.count())) * numSides_;
      result.method = "Ewald sums";
    } else {
      const auto options = optionsOf<nbody::SumOptions>();
      const nbody::SumReport report = targets != nullptr
        ? sumBetween(context, interaction_, places.points(), particles_.sources(), sums(), options)
        : sumWithin(context, interaction_, particles_.sources(), sums(), options);
      result.numInteractions = report.numInteractions;
      result.method =
        std::format("{}, {}", nbody::variantName(report.variant), nbody::instructionSetName(report.instructions));
    }
    if (numChecked > 0) {
      result.errors = errors(targets != nullptr ? &columns : nullptr, numChecked);
    }
    group_.agree([&] {
      result.potentials = onHost(potentials_, numPotentials());
      result.fields = onHost(gradients_, numGradients());
    });
    return result;
  }

private:
  using Numbers = Kokkos::View<Real*, typename Space::memory_space>;

  [[nodiscard]] std::int64_t numPotentials() const { return problem_.potential ? numSides_ * numTargets_ : 0; }
  [[nodiscard]] std::int64_t numGradients() const { return problem_.field ? 3 * numSides_ * numTargets_ : 0; }
  [[nodiscard]] nbody::SumsView<Real> sums() const {
    return {
      problem_.potential ? potentials_.data() : nullptr, problem_.field ? gradients_.data() : nullptr, numTargets_};
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
        options.box = boxFromOrigin(problem_);
      }
    }
    return options;
  }

  void tell(const nbody::MultipoleReport& report, ParticleSums& result) const {
    result.numInteractions = report.numNear;
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
  [[nodiscard]] nbody::SumErrors errors(
    const std::vector<std::vector<double>>* targets, std::int64_t numChecked) const {
    Columns<Space, double> sources;
    Columns<Space, double> places;
    group_.agree([&] {
      sources = Columns<Space, double>(given_);
      if (targets != nullptr) {
        places = Columns<Space, double>(*targets);
      }
    });
    const nbody::SumsToSample<3, Real, double> of{targets != nullptr ? places.points() : sources.points(),
      sources.sources(), sums(), targets == nullptr, problem_.factor, -problem_.factor, numSides_};
    return problem_.box ? sampleErrors(context_, interaction_, *problem_.box, of, numChecked)
                        : sampleErrors(context_, interaction_, of, numChecked);
  }

  static std::vector<double> onHost(const Numbers& values, std::int64_t count) {
    const auto host = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(), Kokkos::subview(values, std::pair<std::int64_t, std::int64_t>(0, count))); // waits
    return std::vector<double>(host.data(), host.data() + count);
  }

  const RankGroup& group_;
  Interaction interaction_;
  const ParticleProblem& problem_;
  const std::vector<std::vector<double>>& given_;
  nbody::SumMethod method_;
  int numSides_;
  Context<Space> context_;
  Columns<Space, Real> particles_;
  std::int64_t numTargets_ = 0;
  Numbers potentials_;
  Numbers gradients_;
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

/// Puts what stands for own particles and for ghosts, column by column, into the order of all.
std::vector<double> merged(const std::vector<double>& own, const std::vector<double>& ghosts, const NotOwn& notOwn) {
  std::vector<double> all;
  const std::size_t count = notOwn.size();
  const std::size_t numColumns = (own.size() + ghosts.size()) / std::max<std::size_t>(1, count);
  const std::size_t numGhosts = ghosts.size() / std::max<std::size_t>(1, numColumns);
  for (std::size_t c = 0; c < numColumns; ++c) {
    std::size_t nextOwn = c * (count - numGhosts);
    std::size_t nextGhost = c * numGhosts;
    for (const std::uint8_t is : notOwn) {
      all.push_back(is == isOwn ? own[nextOwn++] : ghosts[nextGhost++]);
    }
  }
  return all;
}

/// Joins the sums at own particles with those at ghosts. A ghost is among all particles, unless it is hidden; what it
/// does to itself is taken away.
template <class Interaction>
ParticleSums withGhosts(const Interaction& interaction, const ParticleProblem& problem, const ParticleSources& sources,
  const ParticleSums& own, const ParticleSums& ghosts) {
  ParticleSums all = own;
  std::vector<double> potentials = ghosts.potentials;
  std::size_t next = 0;
  for (std::size_t side = 0; problem.potential && side < static_cast<std::size_t>(own.numRightHandSides); ++side) {
    for (std::size_t i = 0; i < sources.notOwn.size(); ++i) {
      if (sources.notOwn[i] == isElsewhere) {
        potentials[next] -= problem.factor * selfPotential(interaction, sources.charges[side][i]);
      }
      next += sources.notOwn[i] != isOwn ? 1 : 0;
    }
  }
  all.potentials = merged(own.potentials, potentials, sources.notOwn);
  all.fields = merged(own.fields, ghosts.fields, sources.notOwn);
  all.numInteractions += ghosts.numInteractions;
  return all;
}

/// Collective. With the sums of ghosts, where there are any.
template <class Space, class Real, class Interaction>
ParticleSums sumsOf(const RankGroup& group, const Interaction& interaction, const ParticleProblem& problem,
  const ParticleSources& sources, const ParticlePlaces* targets, nbody::SumMethod method, const Progress& progress) {
  const int numCharges = agreedComponents(group, sources);
  std::vector<std::vector<double>> columns;
  ParticlePlaces ghosts;
  group.agree([&] {
    columns = ownColumns(sources, numCharges);
    ghosts = ghostPlaces(sources);
  });
  Summation<Space, Real, Interaction> summation(group, interaction, problem, columns, method);
  if (targets != nullptr || group.sum(ghosts.count()) == 0) {
    return summation.at(targets, problem.numChecked, progress);
  }
  const ParticleSums own = summation.at(nullptr, problem.numChecked, progress.part(0.0, 0.9));
  const ParticleSums atGhosts = summation.at(&ghosts, 0, progress.part(0.9, 1.0));
  return ghosts.count() == 0 ? own : withGhosts(interaction, problem, sources, own, atGhosts);
}

/// Collective. sumParticles() in the units that are given.
ParticleSums sumInUnits(const RankGroup& group, const ParticleProblem& problem, const ParticleSources& sources,
  const ParticlePlaces* targets, const Progress& progress) {
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
      const auto sum = [&]<class Space>(const Context<Space>& /*context*/) {
        const nbody::SumMethod method = nbody::chooseMethod<Interaction>({.asked = problem.method,
          .onHost = runsOnHost<Space>,
          .sums = nbody::SumsAre::Few,
          .inFloat = problem.inFloat,
          .withGradients = problem.field,
          .isPeriodic = problem.box.has_value(),
          .isCube = problem.box && nbody::isCube(*problem.box, 3),
          .accuracy = problem.accuracy,
          .numPairs = static_cast<double>(numTargets) * static_cast<double>(numSources)});
        sums = problem.inFloat ? sumsOf<Space, float>(group, interaction, problem, sources, targets, method, progress)
                               : sumsOf<Space, double>(group, interaction, problem, sources, targets, method, progress);
      };
      const SideWork work = workOnPairs(
        targets != nullptr ? targets->count() : numOwn, numSources, problem.method != nbody::SumMethod::Direct);
      computeOnSide(group, "Sums of particles", work, sum);
      return sums;
    },
    problem.interaction);
}

} // namespace

ParticleSums sumParticles(const RankGroup& group, const ParticleProblem& problem, const ParticleSources& sources,
  const ParticlePlaces* targets, const Progress& progress) {
  const ParticleUnits units = unitsFor(group, problem, sources, targets);
  if (units.areOwn() && !problem.inFloat) {
    return sumInUnits(group, problem, sources, targets, progress);
  }
  ParticleProblem scaled;
  ParticleSources scaledSources;
  ParticlePlaces scaledTargets;
  group.agree([&] {
    scaled = inUnits(problem, units);
    scaledSources = inUnits(sources, units, problem);
    if (targets != nullptr) {
      scaledTargets = inUnits(*targets, units, problem);
    }
  });
  ParticleSums sums = sumInUnits(group, scaled, scaledSources, targets != nullptr ? &scaledTargets : nullptr, progress);
  giveBack(units, problem, sums);
  return sums;
}

} // namespace spanwise
