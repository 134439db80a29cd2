#pragma once

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/NBody/MultipoleAccuracy.hpp"
#include "Core/Solvers/NBody/RankMultipoleSums.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace spanwise::nbody {
namespace detail {

/// Which sums all ranks make: those that any rank with targets has an array for.
struct RankOutputs {
  bool potentials = false;
  bool gradients = false;
};

/// Collective. Throws InvalidArgument, on all ranks, where one with targets has other arrays than others have.
template <class Real>
RankOutputs agreedOutputs(const Communicator& communicator, const SumsView<Real>& sums, bool hasTargets) {
  std::array<std::int64_t, 2> wanted{static_cast<std::int64_t>(hasTargets && sums.potentials != nullptr),
    static_cast<std::int64_t>(hasTargets && sums.gradients != nullptr)};
  communicator.reduce(ReduceBy::Maximum, wanted);
  const RankOutputs outputs{wanted[0] != 0, wanted[1] != 0};
  parallel::agree(communicator, [&] {
    const auto require = [&](bool isWanted, bool isThere, const char* what) {
      if (hasTargets && isWanted && !isThere) {
        throw InvalidArgument("rank " + std::to_string(communicator.rank()) + " has no array for " + what +
          ", which another rank has; all must ask for the same sums");
      }
    };
    require(outputs.potentials, sums.potentials != nullptr, "potentials");
    require(outputs.gradients, sums.gradients != nullptr, "gradients");
  });
  return outputs;
}

/// A call on several ranks, collective from the first line to the last.
template <class ExecutionSpace, class Interaction, int Dim, class Real>
class RankMultipoleCall {
public:
  using Far = FarKernelOf<Interaction>;
  using Memory = RankMultipoleMemory<ExecutionSpace, Dim, Real>;

  RankMultipoleCall(const ExecutionSpace& space, const SumCall<Interaction, Dim, Real>& call,
    const MultipoleOptions& options, Memory& memory)
    : space_(space), call_(call), options_(options), memory_(memory), communicator_(memory.particles.communicator()) {}

  RankMultipoleReport sum(const Progress& progress) {
    const parallel::MessageReport before = memory_.particles.messages();
    prepare();
    if (memory_.particles.bounds().numTargets > 0) {
      memory_.particles.startEssential(space_, sums_);
      progress_ = progress;
      sumOwn();
      sumOthers();
      bringBack();
    }
    report_.sums.order = sums_.order;
    report_.sums.maxInLeaf = sums_.maxInLeaf;
    report_.numEssentialPoints = memory_.particles.numEssentialPoints();
    report_.numEssentialNodes = memory_.particles.numEssentialNodes();
    report_.messages = memory_.particles.messages() - before;
    return report_;
  }

private:
  /// Throws where the box is not one for multipoles, or the charges of all ranks do not go with it; on all ranks alike.
  void checkPeriodic() {
    if constexpr (!hasEwald<typename Far::Type>) {
      throw InvalidArgument(notForPeriodicBoxes);
    } else {
      const PeriodicBox& box = *options_.box;
      checkBox(box, Dim);
      checkIsCube(box, Dim);
      for (int side = 0; side < options_.numRightHandSides && needsNeutral(call_.interaction); ++side) {
        const ChargeSums mine =
          sumCharges(space_, call_.sources.charges + side * call_.sources.stride, call_.sources.points.count);
        std::array<double, 2> all{mine.sum, mine.magnitudes};
        communicator_.reduce(ReduceBy::Sum, all);
        checkNeutral(box, all[0], all[1]);
      }
    }
  }

  void prepare() {
    SumOptions asDirect;
    asDirect.numRightHandSides = options_.numRightHandSides;
    asDirect.potentialFactor = options_.potentialFactor;
    asDirect.gradientFactor = options_.gradientFactor;
    parallel::agree(communicator_, [&] { checkCall(call_, asDirect); });
    outputs_ = agreedOutputs(communicator_, call_.sums, call_.targets.count > 0);
    const LargestCharge largest =
      largestCharge(communicator_, space_, call_.sources, numChargesOf<Interaction> * options_.numRightHandSides);
    parallel::agree(communicator_, [&] {
      const MultipoleOrder order = chooseOrder(options_,
        {Dim, std::is_same_v<Real, float>, outputs_.gradients, Far::ofDipoles,
          scalingOf<typename Far::Type> != Scaling::None, options_.box.has_value(), largest.dominance, largest.share});
      sums_ = {call_.within, Far::ofDipoles, numChargesOf<Interaction> * options_.numRightHandSides,
        options_.numRightHandSides, order.order, order.maxInLeaf, options_.accuracy,
        std::min(options_.maxInstructions, bestInstructionSet()),
        !Far::ofDipoles || accuracyOfNodes() >= finestAccuracy(std::is_same_v<Real, float>, outputs_.gradients),
        rootSidesOf<typename Far::Type>, options_.box};
    });
    if (options_.box) {
      checkPeriodic();
    }
    memory_.particles.distribute(space_, sums_, call_.targets, call_.sources);
    targets_ = memory_.particles.targets();
    report_.numTargets = targets_.count;
    report_.numSources = memory_.particles.sources().points.count;
    report_.numMoved = memory_.particles.numMoved();
    report_.imbalance = memory_.particles.imbalance();
  }

  /// Where sums at this rank's part of the targets go.
  [[nodiscard]] SumsView<Real> here() {
    SumsView<Real> view;
    view.potentials = outputs_.potentials ? memory_.sums.column(0) : nullptr;
    view.gradients = outputs_.gradients ? memory_.sums.column(numPotentials()) : nullptr;
    view.stride = targets_.count;
    return view;
  }
  [[nodiscard]] int numPotentials() const { return outputs_.potentials ? options_.numRightHandSides : 0; }
  [[nodiscard]] int numGradients() const { return outputs_.gradients ? Dim * options_.numRightHandSides : 0; }

  [[nodiscard]] MultipoleOptions optionsHere(Store store) const {
    MultipoleOptions options = options_;
    options.order = sums_.order;
    options.maxInLeaf = sums_.maxInLeaf;
    options.store = store;
    if (options.box) { // charges of a part are neutral together with those of the others
      options.box->neutralTo = std::numeric_limits<double>::max();
    }
    return options;
  }

  void count(const MultipoleReport& report) {
    const double numNear = report_.sums.numNear + report.numNear;
    const double numFar = report_.sums.numFar + report.numFar;
    report_.sums = report_.sums.numBoxes > 0 ? report_.sums : report;
    report_.sums.numNear = numNear;
    report_.sums.numFar = numFar;
  }

  // What is sent belongs to the exchange until it has finished, whatever happens meanwhile.
  void sumOwn() {
    std::exception_ptr failure;
    try {
      memory_.sums.resize(numPotentials() + numGradients(), targets_.count);
      for (int c = 0; c < memory_.sums.numColumns(); ++c) {
        std::fill_n(memory_.sums.column(c), targets_.count, Real(0));
      }
      if (call_.within && targets_.count > 0) {
        count(multipolesWithin(space_, call_.interaction, memory_.particles.sources(), here(),
          optionsHere(Store::Overwrite), memory_.memory, progress_.part(0.1, 0.7)));
      }
    } catch (...) {
      failure = std::current_exception();
    }
    memory_.particles.finishEssential(space_);
    parallel::agreeOn(communicator_, failure);
  }

  /// Of nodes for dipoles: charges that cancel but for what dipoles do, which is less by their distance in nodes.
  [[nodiscard]] double accuracyOfNodes() const { return 0.002 * options_.accuracy; }

  void sumOthers() {
    parallel::agree(communicator_, [&] {
      const SourcesView<Dim, Real> others = memory_.particles.essential();
      constexpr std::int64_t none = RankSources<Dim, Real>::numCorners;
      if (targets_.count > 0 && others.points.count > none) {
        count(multipolesBetween(space_, call_.interaction, targets_, others, here(), optionsHere(Store::Add),
          memory_.memory, progress_.part(call_.within ? 0.7 : 0.1, 0.9)));
      }
      if constexpr (Far::ofDipoles) {
        const SourcesView<Dim, Real> nodes = memory_.particles.essentialNodes();
        if (targets_.count > 0 && nodes.points.count > none) {
          MultipoleOptions options = optionsHere(Store::Add);
          options.accuracy = accuracyOfNodes();
          count(multipolesBetween(space_, Far::of(call_.interaction), targets_, nodes, here(), options, memory_.memory,
            progress_.part(0.9, 0.95)));
        }
      }
    });
  }

  void bringBack() {
    std::vector<Real*> to;
    for (int c = 0; c < numPotentials(); ++c) {
      to.push_back(call_.sums.potentials + c * call_.sums.stride);
    }
    for (int c = 0; c < numGradients(); ++c) {
      to.push_back(call_.sums.gradients + c * call_.sums.stride);
    }
    memory_.particles.bringBack(space_, memory_.sums, to, options_.store == Store::Add);
  }

  ExecutionSpace space_;
  SumCall<Interaction, Dim, Real> call_;
  MultipoleOptions options_;
  Memory& memory_;
  const Communicator& communicator_;
  Progress progress_;
  RankOutputs outputs_;
  RankSums sums_;
  PointsView<Dim, Real> targets_;
  RankMultipoleReport report_;
};

template <class ExecutionSpace, class Interaction, int Dim, class Real>
RankMultipoleReport rankMultipoleCall(const ExecutionSpace& space, const SumCall<Interaction, Dim, Real>& call,
  const MultipoleOptions& options, RankMultipoleMemory<ExecutionSpace, Dim, Real>& memory, const Progress& progress) {
  static_assert(runsOnHost<ExecutionSpace>, "sums by multipoles are made on the host");
  static_assert(hasMultipoles<Interaction>, "multipoles are for radial interactions and dipoles");
  if (memory.particles.communicator().alone()) {
    RankMultipoleReport report;
    report.sums =
      multipoleCall<ExecutionSpace, Interaction, Dim, Real, false>(space, call, options, memory.memory, progress);
    report.numTargets = call.targets.count;
    report.numSources = call.sources.points.count;
    return report;
  }
  return RankMultipoleCall<ExecutionSpace, Interaction, Dim, Real>(space, call, options, memory).sum(progress);
}

} // namespace detail

template <class ExecutionSpace, class Interaction, int Dim, class Real>
RankMultipoleReport rankMultipolesBetween(const ExecutionSpace& space, const Interaction& interaction,
  const PointsView<Dim, Real>& targets, const SourcesView<Dim, Real>& sources, const SumsView<Real>& sums,
  const MultipoleOptions& options, RankMultipoleMemory<ExecutionSpace, Dim, Real>& memory, const Progress& progress) {
  SPANWISE_REGION("NBody::rankMultipolesBetween");
  return detail::rankMultipoleCall(space,
    detail::SumCall<Interaction, Dim, Real>{interaction, targets, sources, sums, false}, options, memory, progress);
}

template <class ExecutionSpace, class Interaction, int Dim, class Real>
RankMultipoleReport rankMultipolesWithin(const ExecutionSpace& space, const Interaction& interaction,
  const SourcesView<Dim, Real>& particles, const SumsView<Real>& sums, const MultipoleOptions& options,
  RankMultipoleMemory<ExecutionSpace, Dim, Real>& memory, const Progress& progress) {
  SPANWISE_REGION("NBody::rankMultipolesWithin");
  return detail::rankMultipoleCall(space,
    detail::SumCall<Interaction, Dim, Real>{interaction, particles.points, particles, sums, true}, options, memory,
    progress);
}

} // namespace spanwise::nbody
