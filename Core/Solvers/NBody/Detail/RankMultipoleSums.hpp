#pragma once

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/HostCopy.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Solvers/NBody/Detail/MultipoleSums.hpp"
#include "Core/Solvers/NBody/MultipoleAccuracy.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <limits>
#include <type_traits>
#include <vector>

namespace spanwise::nbody::detail {

/// A call on several ranks, collective from the first line to the last. Points are distributed, and what is essential
/// is found, on the host. Each rank sums in its execution space: sums by teams are of copies there, as on a device.
template <class ExecutionSpace, class Interaction, int Dim, class Real, bool byTeams>
class RankMultipoleCall {
public:
  using Far = FarKernelOf<Interaction>;
  static constexpr bool copies = byTeams || !runsOnHost<ExecutionSpace>;

  RankMultipoleCall(const Context<ExecutionSpace>& context, const SumCall<Interaction, Dim, Real>& call,
    const MultipoleOptions& options, const OrderCase& of, const RankOutputs& outputs,
    MultipoleMemory<Dim, ExecutionSpace>& memory)
    : context_(context), alone_(context.with(singleProcess())), host_(hostSpaceFor(context.space())), call_(call),
      options_(options), outputs_(outputs), order_(orderOfParts(options, of)), memory_(memory),
      ranks_(memory.ranks.template of<Real>()), particles_(ranks_.particles) {
    particles_.begin(context.communicator());
  }
  RankMultipoleCall(const RankMultipoleCall&) = delete;
  RankMultipoleCall& operator=(const RankMultipoleCall&) = delete;
  ~RankMultipoleCall() { particles_.end(); }

  MultipoleReport sum() {
    distribute();
    if (particles_.bounds().numTargets > 0) {
      particles_.startEssential(host_, sums_);
      sumOwn();
      sumOthers();
      bringBack();
    }
    report_.order = order_.order;
    report_.maxInLeaf = order_.maxInLeaf;
    report_.numTargets = particles_.targets().count;
    report_.numSources = particles_.sources().points.count;
    report_.numMoved = particles_.numMoved();
    report_.imbalance = particles_.imbalance();
    report_.numEssentialPoints = particles_.numEssentialPoints();
    report_.numEssentialNodes = particles_.numEssentialNodes();
    report_.messages = particles_.messages();
    return report_;
  }

private:
  static constexpr int numCharges = numChargesOf<Interaction>;

  /// All trees have one root, so none grows.
  static MultipoleOrder orderOfParts(const MultipoleOptions& options, const OrderCase& of) {
    MultipoleOrder order = chooseOrder(options, of);
    order.evenInLeaf = 0;
    return order;
  }

  void distribute() {
    sums_ = {call_.within, Far::ofDipoles, numCharges * options_.numRightHandSides, options_.numRightHandSides,
      order_.order, order_.maxInLeaf, options_.accuracy, std::min(options_.maxInstructions, bestInstructionSet()),
      !Far::ofDipoles || accuracyOfNodes() >= finestAccuracy(std::is_same_v<Real, float>, outputs_.gradients),
      rootSidesOf<typename Far::Type>, options_.box};
    PointsView<Dim, Real> targets = call_.targets;
    SourcesView<Dim, Real> sources = call_.sources;
    if constexpr (copies) {
      parallel::agree(context_.communicator(), [&] {
        const std::int64_t count = sources.points.count;
        ranks_.givenSources.resize(Dim + sums_.numCharges, count);
        for (int c = 0; c < Dim + sums_.numCharges; ++c) {
          const Real* const from =
            c < Dim ? sources.points.coordinates[c] : sources.charges + (c - Dim) * sources.stride;
          copyToHost(context_.space(), from, count, ranks_.givenSources.column(c));
        }
        sources = ranks_.givenSources.template sources<Dim>(0);
        if (call_.within) {
          targets = sources.points;
          return;
        }
        ranks_.givenTargets.resize(Dim, targets.count);
        for (int axis = 0; axis < Dim; ++axis) {
          copyToHost(context_.space(), targets.coordinates[axis], targets.count, ranks_.givenTargets.column(axis));
        }
        targets = ranks_.givenTargets.template points<Dim>(0);
      });
    }
    particles_.distribute(host_, sums_, targets, sources);
  }

  /// Points of the host in the execution space's memory; columns are one after the other there as here.
  [[nodiscard]] PointsView<Dim, Real> there(
    const PointsView<Dim, Real>& points, Kokkos::View<Real*, typename ExecutionSpace::memory_space>& copy) const {
    if constexpr (copies) {
      const std::int64_t stride = points.coordinates[1] - points.coordinates[0];
      const std::int64_t length = (Dim - 1) * stride + points.count;
      reserve(copy, length, SPANWISE_LABEL("NBody::pointsOfRanks"));
      copyFromHost(context_.space(), points.coordinates[0], length, copy.data());
      PointsView<Dim, Real> result = points;
      for (int axis = 0; axis < Dim; ++axis) {
        result.coordinates[axis] = copy.data() + axis * stride;
      }
      return result;
    }
    return points;
  }
  [[nodiscard]] SourcesView<Dim, Real> there(const SourcesView<Dim, Real>& sources, int columnsOfCharges,
    Kokkos::View<Real*, typename ExecutionSpace::memory_space>& copy) const {
    if constexpr (copies) {
      const std::int64_t length = (Dim + columnsOfCharges - 1) * sources.stride + sources.points.count;
      reserve(copy, length, SPANWISE_LABEL("NBody::sourcesOfRanks"));
      copyFromHost(context_.space(), sources.points.coordinates[0], length, copy.data());
      SourcesView<Dim, Real> result = sources;
      for (int axis = 0; axis < Dim; ++axis) {
        result.points.coordinates[axis] = copy.data() + axis * sources.stride;
      }
      result.charges = copy.data() + Dim * sources.stride;
      return result;
    }
    return sources;
  }

  [[nodiscard]] int numPotentials() const { return outputs_.potentials ? options_.numRightHandSides : 0; }
  [[nodiscard]] int numGradients() const { return outputs_.gradients ? Dim * options_.numRightHandSides : 0; }
  [[nodiscard]] int numColumns() const { return numPotentials() + numGradients(); }

  /// Where sums at this rank's part of the targets go.
  [[nodiscard]] SumsView<Real> sumsHere() {
    const std::int64_t count = particles_.targets().count;
    Real* first = ranks_.sums.column(0);
    if constexpr (copies) {
      first = ranks_.sumsThere.data();
    }
    return {
      outputs_.potentials ? first : nullptr, outputs_.gradients ? first + numPotentials() * count : nullptr, count};
  }

  void makeRoom() {
    const std::int64_t count = particles_.targets().count;
    ranks_.sums.resize(numColumns(), count);
    std::fill_n(ranks_.sums.column(0), numColumns() * count, Real(0));
    if constexpr (copies) {
      reserve(ranks_.sumsThere, numColumns() * count, SPANWISE_LABEL("NBody::sumsOfRanks"));
      copyFromHost(context_.space(), ranks_.sums.column(0), numColumns() * count, ranks_.sumsThere.data());
    }
  }

  [[nodiscard]] MultipoleOptions optionsOf(Store store) const {
    MultipoleOptions options = options_;
    options.store = store;
    return options;
  }

  void count(const MultipoleReport& report) {
    const double numNear = report_.numNear + report.numNear;
    const double numFar = report_.numFar + report.numFar;
    report_ = report_.numBoxes > 0 ? report_ : report;
    report_.numNear = numNear;
    report_.numFar = numFar;
  }

  // What is sent belongs to the exchange until it has finished, whatever happens meanwhile.
  void sumOwn() {
    std::exception_ptr failure;
    try {
      makeRoom();
      if (call_.within && particles_.targets().count > 0) {
        const auto sources = there(particles_.sources(), sums_.numCharges, ranks_.sourcesThere);
        count(sumOnTree<ExecutionSpace, Interaction, Dim, Real, byTeams>(alone_.part(0.1, 0.7),
          {call_.interaction, sources.points, sources, sumsHere(), true}, optionsOf(Store::Overwrite), order_,
          memory_));
      }
    } catch (...) {
      failure = std::current_exception();
    }
    particles_.finishEssential(host_);
    parallel::agreeOn(context_.communicator(), failure);
  }

  /// Of nodes for dipoles: charges that cancel but for what dipoles do. A dipole p in a box with the side s is charges
  /// of up to 2 order^2 p / s at its nodes: the largest derivative of a polynomial of that order (A. A. Markov's
  /// inequality). At 1.5 sides, where boxes begin to be far, these do 3 order^2 times what the dipole does, 500 times
  /// with the order 13 that the finest accuracy takes. Rounding and operators' tolerances are parts of that. On 4 ranks
  /// 3,000 to 40,000 dipoles in seven distributions had errors within a tenth of each other with 0.002 and with 0.5, in
  /// double precision. In single precision, 10,000 in few places of a plane had 50 times the error with 0.1, which
  /// sends nodes where 1e-4 is asked for.
  [[nodiscard]] double accuracyOfNodes() const {
    constexpr double cancelled = 0.002;
    return cancelled * options_.accuracy;
  }

  void sumOthers() {
    parallel::agree(context_.communicator(), [&] {
      constexpr std::int64_t none = RankSources<Dim, Real>::numCorners;
      if (particles_.targets().count == 0) {
        return;
      }
      const PointsView<Dim, Real> targets = there(particles_.targets(), ranks_.targetsThere);
      if (particles_.essential().points.count > none) {
        const auto others = there(particles_.essential(), sums_.numCharges, ranks_.sourcesThere);
        count(sumOnTree<ExecutionSpace, Interaction, Dim, Real, byTeams>(alone_.part(call_.within ? 0.7 : 0.1, 0.9),
          {call_.interaction, targets, others, sumsHere(), false}, optionsOf(Store::Add), order_, memory_));
      }
      if constexpr (Far::ofDipoles) {
        if (particles_.essentialNodes().points.count > none) {
          const auto nodes = there(particles_.essentialNodes(), sums_.numSides, ranks_.sourcesThere);
          MultipoleOptions options = optionsOf(Store::Add);
          options.accuracy = accuracyOfNodes();
          options.order = order_.order;
          options.maxInLeaf = order_.maxInLeaf;
          if (options.box) { // nodes of a part are neutral together with those of the others
            options.box->neutralTo = std::numeric_limits<double>::max();
          }
          count(multipoleCall<ExecutionSpace, typename Far::Type, Dim, Real, byTeams>(
            alone_.part(0.9, 0.95), {Far::of(call_.interaction), targets, nodes, sumsHere(), false}, options, memory_));
        }
      }
    });
  }

  void bringBack() {
    const std::int64_t numTargets = call_.targets.count;
    std::vector<Real*> given;
    given.reserve(numColumns());
    for (int c = 0; c < numPotentials(); ++c) {
      given.push_back(call_.sums.potentials + c * call_.sums.stride);
    }
    for (int c = 0; c < numGradients(); ++c) {
      given.push_back(call_.sums.gradients + c * call_.sums.stride);
    }
    const bool adds = options_.store == Store::Add;
    if constexpr (copies) {
      std::vector<Real*> to;
      parallel::agree(context_.communicator(), [&] {
        copyToHost(
          context_.space(), ranks_.sumsThere.data(), numColumns() * particles_.targets().count, ranks_.sums.column(0));
        ranks_.results.resize(numColumns(), numTargets);
        for (int c = 0; c < numColumns(); ++c) {
          to.push_back(ranks_.results.column(c));
          if (adds) {
            copyToHost(context_.space(), given[static_cast<std::size_t>(c)], numTargets, to.back());
          }
        }
      });
      particles_.bringBack(host_, ranks_.sums, to, adds);
      parallel::agree(context_.communicator(), [&] {
        for (int c = 0; c < numColumns(); ++c) {
          copyFromHost(context_.space(), ranks_.results.column(c), numTargets, given[static_cast<std::size_t>(c)]);
        }
      });
    } else {
      particles_.bringBack(host_, ranks_.sums, given, adds);
    }
  }

  const Context<ExecutionSpace>& context_;
  Context<ExecutionSpace> alone_; ///< what this rank does by itself
  HostSpaceFor<ExecutionSpace> host_;
  SumCall<Interaction, Dim, Real> call_;
  MultipoleOptions options_;
  RankOutputs outputs_;
  MultipoleOrder order_;
  RankSums sums_;
  MultipoleMemory<Dim, ExecutionSpace>& memory_;
  RankMemory<Dim, ExecutionSpace, Real>& ranks_;
  RankParticles<HostSpaceFor<ExecutionSpace>, Dim, Real>& particles_;
  MultipoleReport report_;
};

} // namespace spanwise::nbody::detail
