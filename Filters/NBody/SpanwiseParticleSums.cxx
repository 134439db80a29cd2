#include "SpanwiseParticleSums.h"

#include "SpanwiseParticleUnits.h"
#include "SpanwiseUpload.h"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Spaces.hpp"
#include "Core/Solvers/NBody/DirectSums.hpp"
#include "Core/Solvers/NBody/EwaldSums.hpp"
#include "Core/Solvers/NBody/MultipoleSums.hpp"
#include "Core/Solvers/NBody/RankMultipoleSums.hpp"

#include <algorithm>
#include <format>
#include <numeric>
#include <type_traits>

namespace spanwise {

namespace {

/// The particles of all ranks: this rank's, then the others' in the order of ranks.
struct AllSources {
  std::vector<std::vector<double>> columns; ///< three of coordinates, then the charges
  std::int64_t numOwn = 0;

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(columns[0].size()); }
  [[nodiscard]] int numCharges() const { return static_cast<int>(columns.size()) - 3; }
};

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

AllSources gatherSources(const RankGroup& group, const ParticleSources& sources, int numCharges) {
  const auto numColumns = static_cast<std::size_t>(3 + numCharges);
  std::vector<double> mine;
  group.agree([&] {
    const auto columns = ownColumns(sources, numCharges);
    mine.reserve(numColumns * columns[0].size());
    for (std::size_t i = 0; i < columns[0].size(); ++i) {
      for (const auto& column : columns) {
        mine.push_back(column[i]);
      }
    }
  });
  std::vector<std::int64_t> lengths;
  std::vector<double> all = group.gather(mine, &lengths);
  AllSources result;
  group.agree([&] {
    const auto before = std::accumulate(lengths.begin(), lengths.begin() + group.rank(), std::int64_t{0});
    std::rotate(all.begin(), all.begin() + before, all.begin() + before + std::ssize(mine));
    result.columns.assign(numColumns, std::vector<double>(all.size() / numColumns));
    for (std::size_t i = 0; i < all.size(); ++i) {
      result.columns[i % numColumns][i / numColumns] = all[i];
    }
  });
  result.numOwn = static_cast<std::int64_t>(mine.size() / numColumns);
  return result;
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
      upload_ = Upload<Real>(host_);
    }
  }

  /// `Where`: in whose memory, Space or one of the host.
  template <class Where = Space>
  [[nodiscard]] nbody::PointsView<3, Real> points(std::int64_t first, std::int64_t count) const {
    nbody::PointsView<3, Real> points;
    points.count = count;
    for (int axis = 0; axis < 3; ++axis) {
      points.coordinates[axis] = data<Where>() + axis * length_ + first;
    }
    return points;
  }
  /// Charges are the columns after the first three.
  template <class Where = Space>
  [[nodiscard]] nbody::SourcesView<3, Real> sources(std::int64_t first, std::int64_t count) const {
    return {points<Where>(first, count), data<Where>() + 3 * length_ + first, length_};
  }

private:
  template <class Where>
  [[nodiscard]] const Real* data() const {
    return runsOnHost<Where> ? host_.data() : upload_.data();
  }

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

/// What options of both methods have.
template <class Options>
Options optionsOf(const ParticleProblem& problem, int numSides) {
  Options options;
  options.store = nbody::Store::Overwrite;
  options.numRightHandSides = numSides;
  options.potentialFactor = problem.factor;
  options.gradientFactor = -problem.factor;
  if constexpr (std::is_same_v<Options, nbody::MultipoleOptions>) {
    options.accuracy = problem.accuracy;
    if (problem.box) {
      options.box = boxFromOrigin(problem);
    }
  }
  return options;
}

std::string methodOf(const nbody::MultipoleReport& report) {
  return std::format("fast multipole, order {}, {}", report.order, nbody::instructionSetName(report.instructions));
}

/// What a particle with a charge would do to itself.
template <class Interaction>
double selfPotential(const Interaction& interaction, double charge) {
  if constexpr (nbody::RadialInteraction<Interaction>) {
    return charge * interaction.template terms<nbody::Parts::Potential>(0.0).value;
  }
  return 0.0;
}

/// What the sums of a rank are made of. In a periodic box direct ones are made on the host only.
template <class Space, class Real, class Interaction>
class Summation {
public:
  Summation(const Interaction& interaction, const ParticleProblem& problem, const AllSources& all, bool byMultipoles)
    : interaction_(interaction), problem_(problem), all_(all), sources_(all.columns, problem.origin),
      numSides_(all.numCharges() / nbody::numChargesOf<Interaction>), byMultipoles_(byMultipoles) {
    if (problem.numChecked > 0) {
      given_ = Columns<Space, double>(all.columns);
    }
  }

  /// At the particles of this rank.
  ParticleSums within(const Progress& progress) {
    const auto own = sources_.points(0, all_.numOwn);
    prepare(own.count);
    if (problem_.box && all_.numOwn < all_.count()) { // only all particles together are neutral
      addBetween(own, 0, all_.count(), progress);
      ParticleSums sums = result(given_, false);
      for (int side = 0; problem_.potential && side < numSides_; ++side) {
        for (std::int64_t i = 0; i < own.count; ++i) {
          sums.potentials[static_cast<std::size_t>(side * own.count + i)] -=
            problem_.factor * selfPotential(interaction_, chargeOf(side, i));
        }
      }
      return sums;
    }
    addBetween(own, all_.numOwn, all_.count() - all_.numOwn, progress.part(0.0, 0.5));
    addWithin(progress.part(0.5, 1.0));
    return result(given_, true);
  }

  /// At any places.
  ParticleSums between(const ParticlePlaces& targets, const Progress& progress) {
    const std::vector<std::vector<double>> columns{std::begin(targets.coordinates), std::end(targets.coordinates)};
    const Columns<Space, Real> places(columns, problem_.origin);
    prepare(targets.count());
    addBetween(places.points(0, targets.count()), 0, all_.count(), progress);
    return result(problem_.numChecked > 0 ? Columns<Space, double>(columns) : Columns<Space, double>(), false);
  }

private:
  using Memory = typename Space::memory_space;

  /// Of a right-hand side; of a dipole any component.
  [[nodiscard]] double chargeOf(int side, std::int64_t i) const {
    return all_
      .columns[static_cast<std::size_t>(3 + side * nbody::numChargesOf<Interaction>)][static_cast<std::size_t>(i)];
  }

  void prepare(std::int64_t numTargets) {
    numTargets_ = numTargets;
    report_ = {};
    const std::int64_t sides = numSides_;
    if (problem_.potential) {
      reserve(potentials_, sides * numTargets, SPANWISE_LABEL("Filters::potentials"));
      Kokkos::deep_copy(potentials_, Real(0));
    }
    if (problem_.field) {
      reserve(gradients_, 3 * sides * numTargets, SPANWISE_LABEL("Filters::gradients"));
      Kokkos::deep_copy(gradients_, Real(0));
    }
  }

  [[nodiscard]] nbody::SumsView<Real> sums() const { return sumsIn(potentials_, gradients_); }
  template <class View>
  [[nodiscard]] nbody::SumsView<Real> sumsIn(const View& potentials, const View& gradients) const {
    return {problem_.potential ? potentials.data() : nullptr, problem_.field ? gradients.data() : nullptr, numTargets_};
  }

  /// Sums are added to zeros or to what other particles do.
  template <class Options>
  [[nodiscard]] Options options() const {
    auto options = optionsOf<Options>(problem_, numSides_);
    options.store = nbody::Store::Add;
    return options;
  }

  void addBetween(
    const nbody::PointsView<3, Real>& targets, std::int64_t first, std::int64_t numSources, const Progress& progress) {
    if (numSources == 0 || targets.count == 0) {
      return;
    }
    const nbody::SourcesView<3, Real> sources = sources_.sources(first, numSources);
    if (byMultipoles_) {
      count(nbody::multipolesBetween<Space, Interaction, 3, Real>(
        Space(), interaction_, targets, sources, sums(), options<nbody::MultipoleOptions>(), memory_, progress));
      return;
    }
    if constexpr (runsOnHost<Space>) {
      if (problem_.box) {
        nbody::ewaldBetween<Space, Interaction, 3, Real>(context_, interaction_, boxFromOrigin(problem_), targets,
          sources, sums(), options<nbody::EwaldOptions>(), progress);
        countEwald(targets.count, numSources);
        return;
      }
    }
    count(nbody::sumBetween<Space, Interaction, 3, Real>(
      context_, interaction_, targets, sources, sums(), options<nbody::SumOptions>(), progress));
  }

  void addWithin(const Progress& progress) {
    const nbody::SourcesView<3, Real> own = sources_.sources(0, all_.numOwn);
    if (byMultipoles_) {
      count(nbody::multipolesWithin<Space, Interaction, 3, Real>(
        Space(), interaction_, own, sums(), options<nbody::MultipoleOptions>(), memory_, progress));
      return;
    }
    if constexpr (runsOnHost<Space>) {
      if (problem_.box) {
        nbody::ewaldWithin<Space, Interaction, 3, Real>(
          context_, interaction_, boxFromOrigin(problem_), own, sums(), options<nbody::EwaldOptions>(), progress);
        countEwald(all_.numOwn, all_.numOwn);
        return;
      }
    }
    count(nbody::sumWithin<Space, Interaction, 3, Real>(
      context_, interaction_, own, sums(), options<nbody::SumOptions>(), progress));
  }

  void count(const nbody::SumReport& report) {
    report_.numInteractions += report.numInteractions;
    report_.method =
      std::format("{}, {}", nbody::variantName(report.variant), nbody::instructionSetName(report.instructions));
  }
  void count(const nbody::MultipoleReport& report) {
    report_.numInteractions += report.numNear;
    report_.method = methodOf(report);
    report_.byMultipoles = true;
  }

  void countEwald(std::int64_t numTargets, std::int64_t numSources) {
    report_.numInteractions += static_cast<double>(numTargets) * static_cast<double>(numSources) * numSides_;
    report_.method = "Ewald sums";
  }

  /// Targets are the first of some columns, which are there where errors are looked at.
  [[nodiscard]] ParticleSums result(const Columns<Space, double>& targets, bool within) {
    if (problem_.numChecked > 0) {
      report_.errors = problem_.box ? errorsInBox(targets, within) : errors(targets, within);
    }
    report_.potentials = onHost(potentials_, problem_.potential ? numSides_ * numTargets_ : 0);
    report_.fields = onHost(gradients_, problem_.field ? 3 * numSides_ * numTargets_ : 0);
    report_.numRightHandSides = numSides_;
    return report_;
  }

  template <class Where>
  [[nodiscard]] nbody::SumsToSample<3, Real, double> sampled(
    const Columns<Space, double>& targets, const nbody::SumsView<Real>& sums, bool within) const {
    return {targets.template points<Where>(0, numTargets_), given_.template sources<Where>(0, all_.count()), sums,
      within, problem_.factor, -problem_.factor, numSides_};
  }

  [[nodiscard]] nbody::SumErrors errors(const Columns<Space, double>& targets, bool within) {
    return nbody::sampleErrors(context_, interaction_, sampled<Space>(targets, sums(), within), problem_.numChecked);
  }

  /// Against Ewald's sums, which are made on the host.
  [[nodiscard]] nbody::SumErrors errorsInBox(const Columns<Space, double>& targets, bool within) const {
    const auto potentials = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), potentials_); // waits
    const auto gradients = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), gradients_);
    const Context<HostExecutionSpace> context;
    return nbody::sampleErrors(context, interaction_, *problem_.box,
      sampled<HostExecutionSpace>(targets, sumsIn(potentials, gradients), within), problem_.numChecked);
  }

  static std::vector<double> onHost(const Kokkos::View<Real*, Memory>& values, std::int64_t count) {
    const auto host = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(), Kokkos::subview(values, std::pair<std::int64_t, std::int64_t>(0, count))); // waits
    return std::vector<double>(host.data(), host.data() + count);
  }

  Interaction interaction_;
  const ParticleProblem& problem_;
  const AllSources& all_;
  Columns<Space, Real> sources_;
  Columns<Space, double> given_; ///< the sources before they are rounded, where errors are looked at
  int numSides_;
  bool byMultipoles_;
  std::int64_t numTargets_ = 0;
  Kokkos::View<Real*, Memory> potentials_;
  Kokkos::View<Real*, Memory> gradients_;
  Context<Space> context_;
  nbody::MultipoleMemory<3, Memory> memory_;
  ParticleSums report_;
};

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

/// Whether sums are made by multipoles. `numPairs` are those of all ranks.
template <class Interaction>
bool goesByMultipoles(const ParticleProblem& problem, double numPairs) {
  return nbody::chooseMethod<Interaction>({.asked = problem.method,
           .onHost = runsOnHost<Kokkos::DefaultExecutionSpace>,
           .sums = nbody::SumsAre::Few,
           .inFloat = problem.inFloat,
           .withGradients = problem.field,
           .isPeriodic = problem.box.has_value(),
           .isCube = problem.box && nbody::isCube(*problem.box, 3),
           .accuracy = problem.accuracy,
           .numPairs = numPairs}) == nbody::SumMethod::FastMultipole;
}

/// What is summed, and where: at the particles if there are no targets.
struct SumsAsked {
  const ParticleProblem& problem;
  const ParticleSources& sources;
  const ParticlePlaces* targets;
  int numCharges; ///< of a particle
};

template <class Space, class Real, class Interaction>
ParticleSums sumsOf(const Interaction& interaction, const SumsAsked& asked, const AllSources& all, bool byMultipoles,
  const Progress& progress) {
  const ParticleProblem& problem = asked.problem;
  Summation<Space, Real, Interaction> summation(interaction, problem, all, byMultipoles);
  if (asked.targets != nullptr) {
    return summation.between(*asked.targets, progress);
  }
  ParticleSums own = summation.within(progress.part(0.0, 0.9));
  const ParticlePlaces places = ghostPlaces(asked.sources);
  if (places.count() == 0) {
    return own;
  }
  return withGhosts(interaction, problem, asked.sources, own, summation.between(places, progress.part(0.9, 1.0)));
}

/// Collective. Sums by multipoles of which each rank makes a part: no rank has all particles.
template <class Real, class Interaction>
class SharedSummation {
public:
  SharedSummation(const RankGroup& group, const Interaction& interaction, const ParticleProblem& problem,
    const std::vector<std::vector<double>>& particles)
    : group_(group), interaction_(interaction), problem_(problem), given_(particles),
      particles_(particles, problem.origin), count_(static_cast<std::int64_t>(particles[0].size())),
      numSides_((static_cast<int>(particles.size()) - 3) / nbody::numChargesOf<Interaction>),
      memory_(group.communicator()) {}

  /// At other places, or where there are none at the particles. With errors at `numChecked` of each rank's targets.
  ParticleSums sum(const ParticlePlaces* targets, std::int64_t numChecked, const Progress& progress) {
    const std::int64_t numTargets = targets != nullptr ? targets->count() : count_;
    std::vector<Real> potentials;
    std::vector<Real> fields;
    Columns<HostExecutionSpace, Real> places;
    group_.agree([&] {
      potentials.resize(problem_.potential ? static_cast<std::size_t>(numSides_ * numTargets) : 0);
      fields.resize(problem_.field ? static_cast<std::size_t>(3 * numSides_ * numTargets) : 0);
      if (targets != nullptr) {
        places = Columns<HostExecutionSpace, Real>(
          {std::begin(targets->coordinates), std::end(targets->coordinates)}, problem_.origin);
      }
    });
    const nbody::SumsView<Real> sums{
      problem_.potential ? potentials.data() : nullptr, problem_.field ? fields.data() : nullptr, numTargets};
    const auto options = optionsOf<nbody::MultipoleOptions>(problem_, numSides_);
    const nbody::SourcesView<3, Real> sources = particles_.sources(0, count_);
    const nbody::RankMultipoleReport report = targets != nullptr
      ? nbody::rankMultipolesBetween(
          HostExecutionSpace(), interaction_, places.points(0, numTargets), sources, sums, options, memory_, progress)
      : nbody::rankMultipolesWithin(HostExecutionSpace(), interaction_, sources, sums, options, memory_, progress);
    ParticleSums result;
    if (numChecked > 0) {
      Columns<HostExecutionSpace, double> givenSources;
      Columns<HostExecutionSpace, double> givenTargets;
      group_.agree([&] {
        givenSources = Columns<HostExecutionSpace, double>(given_);
        if (targets != nullptr) {
          givenTargets =
            Columns<HostExecutionSpace, double>({std::begin(targets->coordinates), std::end(targets->coordinates)});
        }
      });
      const auto at = targets != nullptr ? givenTargets.points(0, numTargets) : givenSources.points(0, count_);
      result.errors = errors(
        {at, givenSources.sources(0, count_), sums, targets == nullptr, problem_.factor, -problem_.factor, numSides_},
        numChecked);
    }
    group_.agree([&] {
      result.potentials.assign(potentials.begin(), potentials.end());
      result.fields.assign(fields.begin(), fields.end());
    });
    result.numRightHandSides = numSides_;
    result.numInteractions = report.sums.numNear;
    result.method = methodOf(report.sums);
    result.byMultipoles = true;
    result.share = {static_cast<double>(report.numTargets), static_cast<double>(report.numSources),
      static_cast<double>(report.numEssentialPoints), static_cast<double>(report.numEssentialNodes),
      static_cast<double>(report.messages.messages), static_cast<double>(report.messages.bytes), report.sums.numNear};
    result.imbalance = report.imbalance;
    return result;
  }

private:
  nbody::SumErrors errors(const nbody::SumsToSample<3, Real, double>& of, std::int64_t numChecked) {
    const HostExecutionSpace space;
    if (problem_.box) {
      return nbody::rankSampleErrors(context_, group_.communicator(), interaction_, *problem_.box, of, numChecked);
    }
    return nbody::rankSampleErrors(space, group_.communicator(), interaction_, of, numChecked);
  }

  const RankGroup& group_;
  Interaction interaction_;
  const ParticleProblem& problem_;
  const std::vector<std::vector<double>>& given_;
  Columns<HostExecutionSpace, Real> particles_;
  std::int64_t count_;
  int numSides_;
  nbody::RankMultipoleMemory<HostExecutionSpace, 3, Real> memory_;
  Context<HostExecutionSpace> context_;
};

template <class Real, class Interaction>
ParticleSums sharedSumsOf(
  const RankGroup& group, const Interaction& interaction, const SumsAsked& asked, const Progress& progress) {
  const ParticleProblem& problem = asked.problem;
  const ParticlePlaces* const targets = asked.targets;
  std::vector<std::vector<double>> columns;
  ParticlePlaces ghosts;
  group.agree([&] {
    columns = ownColumns(asked.sources, asked.numCharges);
    ghosts = ghostPlaces(asked.sources);
  });
  SharedSummation<Real, Interaction> summation(group, interaction, problem, columns);
  if (targets != nullptr || group.sum(ghosts.count()) == 0) {
    return summation.sum(targets, problem.numChecked, progress);
  }
  const ParticleSums own = summation.sum(nullptr, problem.numChecked, progress.part(0.0, 0.9));
  const ParticleSums atGhosts = summation.sum(&ghosts, 0, progress.part(0.9, 1.0));
  return ghosts.count() == 0 ? own : withGhosts(interaction, problem, asked.sources, own, atGhosts);
}

/// Collective. sumParticles() in the units that are given.
ParticleSums sumInUnits(const RankGroup& group, const ParticleProblem& problem, const ParticleSources& sources,
  const ParticlePlaces* targets, const Progress& progress) {
  const int numCharges = agreedComponents(group, sources);
  const SumsAsked asked{problem, sources, targets, numCharges};
  const auto numOwn = sources.places.count() -
    std::count_if(sources.notOwn.begin(), sources.notOwn.end(), [](std::uint8_t is) { return is != isOwn; });
  const std::int64_t numSources = group.sum(numOwn);
  const std::int64_t numTargets = group.sum(targets != nullptr ? targets->count() : numOwn);
  const double numPairs = static_cast<double>(numTargets) * static_cast<double>(numSources);
  ParticleSums sums;
  std::visit(
    [&]<class Interaction>(const Interaction& interaction) {
      if (numSources == 0) {
        return;
      }
      const bool byMultipoles = goesByMultipoles<Interaction>(problem, numPairs);
      if (byMultipoles && !group.alone()) {
        sums = problem.inFloat ? sharedSumsOf<float>(group, interaction, asked, progress)
                               : sharedSumsOf<double>(group, interaction, asked, progress);
        return;
      }
      const AllSources all = gatherSources(group, sources, numCharges);
      group.agree([&] {
        const auto sum = [&]<class Space, class Real>(Space /*where*/, Real /*precision*/) {
          sums = sumsOf<Space, Real, Interaction>(interaction, asked, all, byMultipoles, progress);
        };
        const auto inPrecision = [&](auto space) { problem.inFloat ? sum(space, 0.0F) : sum(space, 0.0); };
        const bool byEwald = problem.box && !byMultipoles; // on the host only
        byEwald ? inPrecision(HostExecutionSpace()) : inPrecision(Kokkos::DefaultExecutionSpace());
      });
    },
    problem.interaction);
  return sums;
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
