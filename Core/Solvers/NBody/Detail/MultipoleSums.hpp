#pragma once

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/NBody/Detail/ChooseExpansions.hpp"
#include "Core/Solvers/NBody/Detail/EwaldSums.hpp"
#include "Core/Solvers/NBody/Detail/LatticeOperator.hpp"
#include "Core/Solvers/NBody/Detail/LevelsWithFar.hpp"
#include "Core/Solvers/NBody/Detail/MultipoleOrder.hpp"
#include "Core/Solvers/NBody/Detail/MultipoleSteps.hpp"
#include "Core/Solvers/NBody/Detail/MutualNear.hpp"
#include "Core/Solvers/NBody/Detail/NearField.hpp"
#include "Core/Solvers/NBody/Detail/TeamMultipoles.hpp"
#include "Core/Solvers/NBody/MultipoleSums.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <type_traits>

namespace spanwise::nbody {
namespace detail {

template <class ExecutionSpace, class Interaction, int Dim, class Real, bool byTeams>
class RankMultipoleCall; // RankMultipoleSums.hpp

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

/// The targets of all leaves, in tiles.
template <int Dim>
std::int64_t listTiles(const PointTree<Dim, Kokkos::HostSpace>& tree, TargetTile* tiles) {
  std::int64_t count = 0;
  for (int level = 0; level < tree.numLevels(); ++level) {
    for (std::int32_t box = tree.levelBegin[level]; box < tree.levelBegin[level + 1]; ++box) {
      for (std::int64_t begin = tree.targetBegin(box); tree.numChildren(box) == 0 && begin < tree.targetEnd(box);
        begin += targetsInTile) {
        tiles[count++] = {box, level, begin};
      }
    }
  }
  return count;
}

/// How much the largest charge is of all, in magnitude.
struct LargestCharge {
  double dominance = 1.0; ///< over the mean
  double share = 0.0;     ///< over the sum
};

/// Collective. Of the sources of all ranks and the columns that are worst.
template <class ExecutionSpace, int Dim, class Real>
LargestCharge largestCharge(
  const Context<ExecutionSpace>& context, const SourcesView<Dim, Real>& sources, int numColumns) {
  LargestCharge result;
  for (int column = 0; column < numColumns; ++column) {
    const ChargeSums of = sumCharges(context, sources.charges + column * sources.stride, sources.points.count);
    if (of.magnitudes > 0.0) {
      result.share = std::max(result.share, of.largest / of.magnitudes);
      result.dominance = std::max(result.dominance, of.largest / of.magnitudes * of.count);
    }
  }
  return result;
}

/// A call whose tree is there, on the host.
template <class ExecutionSpace, class Interaction, int Dim, class Real>
class MultipoleCall {
public:
  using FarKernel = typename FarKernelOf<Interaction>::Type;
  using Frame = Workspace<Kokkos::HostSpace>::Frame;
  static constexpr int numCharges = numChargesOf<Interaction>;

  MultipoleCall(const Context<ExecutionSpace>& context, const SumCall<Interaction, Dim, Real>& call,
    const MultipoleOptions& options, const MultipoleOrder& order, MultipoleMemory<Dim, ExecutionSpace>& memory,
    MultipoleReport& report)
    : space_(context.space()), workspace_(context.workspace()), call_(call), options_(options), memory_(memory),
      report_(report), frame_(workspace_), table_(nodeTableOf(order.order)), splitsNear_(order.splitsNear) {
    const auto& space = context.space();
    const auto& tree = memory.tree;
    sources_ = gatherPoints(space, call.sources.points, tree.sourceOrder.data(), frame_);
    targets_ = call.within ? sources_ : gatherPoints(space, call.targets, tree.targetOrder.data(), frame_);
    charges_ = frame_.template array<Real>(sources_.count * numCharges).data();
    field_.tree = &tree;
    field_.lists = &memory.lists;
    field_.kernels = chooseExpansions<Dim, Real>(options.maxInstructions);
    report.instructions = field_.kernels.instructions; // and not more for pairs of particles
    field_.order = order.order;
    field_.ofDipoles = FarKernelOf<Interaction>::ofDipoles;
    field_.levels = &farLevels<Real>(FarKernelOf<Interaction>::of(call.interaction), memory.tree, order,
      levelsWithFar(space, memory.tree, memory.lists), memory.levels);
    field_.sources = sources_;
    field_.charges = charges_;
    field_.chargeStride = sources_.count;
    field_.moments = frame_.template array<Real>(tree.numBoxes() * field_.stride()).data();
    field_.coefficients = frame_.template array<Real>(tree.numBoxes() * field_.stride()).data();
    tiles_ = frame_.template array<TargetTile>(targets_.count / targetsInTile + tree.numBoxes()).data();
    numTiles_ = listTiles(tree, tiles_);
    numNear_ = frame_.template array<double>(numTiles_).data();
    lattice_ = latticeOf<Dim>(FarKernelOf<Interaction>::of(call.interaction), tree, memory.levels);
    if (RadialInteraction<Interaction> && call.within) {
      findLeafPairs(tree, memory.lists, memory.pairs);
    }
  }

  template <Parts parts>
  void sumSide(int side, const Progress& progress) {
    forEach(SPANWISE_KERNEL("gather charges"), IndexRange<ExecutionSpace>(space_, 0, sources_.count * numCharges),
      Gather<Real>{call_.sources.charges + side * numCharges * call_.sources.stride, call_.sources.stride,
        memory_.tree.sourceOrder.data(), sources_.count, charges_});
    findMoments(space_, field_);
    progress.report(0.1);
    report_.numFar += static_cast<double>(translateLevels(space_, field_, workspace_));
    progress.report(0.4);
    addLattice();
    addCoarse();
    passDown(space_, field_);
    progress.report(0.5);
    sumLeaves<parts>(side);
    progress.report(1.0);
  }

private:
  using Tiles = Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>, Kokkos::Schedule<Kokkos::Dynamic>>;

  /// What images of the root do that do not touch it.
  void addLattice() {
    if (lattice_ == nullptr) {
      return;
    }
    Frame frame(workspace_);
    const std::span<const Real> moments(field_.moments, static_cast<std::size_t>(field_.numCoefficients()));
    const auto added =
      expansionOfLattice<FarKernel, Dim>(*lattice_, memory_.tree.side, field_.order, moments, workspace_, frame);
    for (std::size_t m = 0; m < added.size(); ++m) {
      field_.coefficients[m] += static_cast<Real>(added[m]);
    }
  }

  void addCoarse() {
    using Problem = SumProblem<Interaction, Parts::Potential, Dim, NodeReal<Interaction, Real>, 1>;
    InstructionSet instructions = report_.instructions;
    AddCoarse<Interaction, Dim, Real> add{field_, &table_, call_.interaction, chooseTile<Problem>(instructions), 0, 0};
    for (add.level = 2; memory_.lists.coarse.count > 0 && add.level < memory_.tree.numLevels(); ++add.level) {
      add.firstBox = memory_.tree.levelBegin[add.level];
      forEach(SPANWISE_KERNEL("add coarse"), Tiles(space_, 0, memory_.tree.levelBegin[add.level + 1] - add.firstBox),
        add, Work{64 * (memory_.tree.levelBegin[add.level + 1] - add.firstBox)});
    }
    space_.fence(SPANWISE_LABEL("NBody::addCoarse"));
  }

  template <Parts parts>
  void sumLeaves(int side) {
    using Problem = SumProblem<Interaction, parts, Dim, Real, 1>;
    using FarProblem = SumProblem<FarKernel, parts, Dim, Real, 1>;
    const Problem problem{call_.interaction, targets_, sources_, charges_, sources_.count, call_.within,
      {call_.sums, static_cast<Real>(options_.potentialFactor), static_cast<Real>(options_.gradientFactor),
        options_.store == Store::Add, side}};
    InstructionSet ofFar = report_.instructions;
    const auto function = chooseTile<Problem>(report_.instructions);
    const auto ofNodes = chooseTile<FarProblem>(ofFar);
    Frame frame(workspace_);
    Real* ofPairs = nullptr;
    if constexpr (RadialInteraction<Interaction>) {
      if (call_.within) {
        ofPairs = frame.template array<Real>(targets_.count * Problem::Columns::all).data();
        SplitPoints<Dim> split;
        if constexpr (canBeSplit<Problem>) {
          if (splitsNear_) {
            split = splitPoints(space_, problem, memory_.tree, report_.instructions, frame);
          }
        }
        sumNearPairs(space_, problem, memory_.tree, memory_.pairs, report_.instructions, split, ofPairs);
        report_.numNear += memory_.pairs.numInteractions;
      }
    }
    forEach(SPANWISE_KERNEL("sum leaves"), Tiles(space_, 0, numTiles_, Kokkos::ChunkSize(4)),
      SumLeaf<Problem>{problem, field_, &table_, tiles_, function, ofNodes, numNear_, ofPairs},
      Work{64 * targets_.count});
    space_.fence(SPANWISE_LABEL("NBody::sumLeaves"));
    for (std::int64_t tile = 0; tile < numTiles_; ++tile) {
      report_.numNear += numNear_[tile];
    }
  }

  ExecutionSpace space_;
  Workspace<Kokkos::HostSpace>& workspace_;
  SumCall<Interaction, Dim, Real> call_;
  MultipoleOptions options_;
  MultipoleMemory<Dim, ExecutionSpace>& memory_;
  MultipoleReport& report_;
  Frame frame_;
  const NodeTable& table_;
  bool splitsNear_;
  std::shared_ptr<const LatticeOperator<Dim>> lattice_; ///< nullptr: there are no images
  FarField<Dim, Real> field_;
  PointsView<Dim, Real> sources_;
  PointsView<Dim, Real> targets_;
  Real* charges_ = nullptr;
  TargetTile* tiles_ = nullptr;
  std::int64_t numTiles_ = 0;
  double* numNear_ = nullptr;
};

template <class ExecutionSpace, class Interaction, int Dim, class Real, bool byTeams>
using MultipoleCallOf = std::conditional_t<byTeams, TeamMultipoleCall<ExecutionSpace, Interaction, Dim, Real>,
  MultipoleCall<ExecutionSpace, Interaction, Dim, Real>>;

/// Sums of this process alone, of arguments that have been checked, by an order that was chosen.
template <class ExecutionSpace, class Interaction, int Dim, class Real, bool byTeams>
MultipoleReport sumOnTree(const Context<ExecutionSpace>& context, SumCall<Interaction, Dim, Real> call,
  const MultipoleOptions& options, const MultipoleOrder& order, MultipoleMemory<Dim, ExecutionSpace>& memory) {
  using Far = FarKernelOf<Interaction>;
  const ExecutionSpace& space = context.space();
  MultipoleReport report;
  report.order = order.order;
  report.maxInLeaf = order.maxInLeaf;
  report.numTargets = call.targets.count;
  report.numSources = call.sources.points.count;
  if (call.targets.count == 0) {
    return report;
  }
  const PeriodicBox* const box = options.box ? &*options.box : nullptr;
  typename Workspace<typename ExecutionSpace::memory_space>::Frame ofPoints(context.workspace());
  if (box != nullptr) {
    call.sources.points = wrapPoints(space, call.sources.points, *box, ofPoints);
    call.targets = call.within ? call.sources.points : wrapPoints(space, call.targets, *box, ofPoints);
  }
  const bool mayGrow = !byTeams && scalingOf<typename Far::Type> != Scaling::None && order.evenInLeaf > 0;
  buildTree(context, call.targets, call.sources.points, order.maxInLeaf, memory.tree, box,
    RootShape{rootSidesOf<typename Far::Type>,
      mayGrow ? std::max(call.targets.count, call.sources.points.count) / order.evenInLeaf : 0});
  buildLists(context, memory.tree, memory.lists);
  report.numLevels = memory.tree.numLevels();
  report.numBoxes = memory.tree.numBoxes();
  context.progress().report(0.05);
  MultipoleCallOf<ExecutionSpace, Interaction, Dim, Real, byTeams> sums(context, call, options, order, memory, report);
  for (int side = 0; side < options.numRightHandSides; ++side) {
    const Progress ofSide = context.progress().part(
      0.05 + 0.95 * side / options.numRightHandSides, 0.05 + 0.95 * (side + 1) / options.numRightHandSides);
    if (call.sums.gradients == nullptr) {
      sums.template sumSide<Parts::Potential>(side, ofSide);
    } else if (call.sums.potentials == nullptr) {
      sums.template sumSide<Parts::Gradient>(side, ofSide);
    } else {
      sums.template sumSide<Parts::Both>(side, ofSide);
    }
  }
  return report;
}

/// Collective. Throws where the box is not one for multipoles, or the charges of all ranks do not go with it.
template <class ExecutionSpace, class Interaction, int Dim, class Real>
void checkPeriodic(const Context<ExecutionSpace>& context, const SumCall<Interaction, Dim, Real>& call,
  const PeriodicBox& box, int numSides) {
  if constexpr (!hasEwald<typename FarKernelOf<Interaction>::Type>) {
    throw InvalidArgument("a periodic box is for the interactions of this library");
  } else {
    checkBox(box, Dim);
    checkIsCube(box, Dim);
    checkCharges(context, box, call.interaction, call.sources, numSides);
  }
}

/// Both public functions. Compiled once for this library's own interactions. On a device by teams; on the host those
/// are for tests.
template <class ExecutionSpace, class Interaction, int Dim, class Real, bool byTeams>
MultipoleReport multipoleCall(const Context<ExecutionSpace>& context, SumCall<Interaction, Dim, Real> call,
  const MultipoleOptions& options, MultipoleMemory<Dim, ExecutionSpace>& memory) {
  using Far = FarKernelOf<Interaction>;
  const Communicator& communicator = context.communicator();
  parallel::agree(communicator, [&] { checkCall(call, asDirectSums(options)); });
  const RankOutputs outputs = agreedOutputs(communicator, call.sums, call.targets.count > 0);
  const LargestCharge largest =
    largestCharge(context, call.sources, numChargesOf<Interaction> * options.numRightHandSides);
  const OrderCase of{Dim, std::is_same_v<Real, float>, outputs.gradients, Far::ofDipoles,
    scalingOf<typename Far::Type> != Scaling::None, options.box.has_value(), largest.dominance, largest.share};
  const MultipoleOrder order = chooseOrder(options, of);
  if (options.box) {
    checkPeriodic(context, call, *options.box, options.numRightHandSides);
  }
  if (communicator.alone()) {
    return sumOnTree<ExecutionSpace, Interaction, Dim, Real, byTeams>(context, call, options, order, memory);
  }
  return RankMultipoleCall<ExecutionSpace, Interaction, Dim, Real, byTeams>(context, call, options, of, outputs, memory)
    .sum();
}

#define SPANWISE_MULTIPOLE_CALL(Space, Interaction, Dim, Real)                                                         \
  template MultipoleReport multipoleCall<Space, Interaction, Dim, Real, !runsOnHost<Space>>(                           \
    const Context<Space>&, SumCall<Interaction, Dim, Real>, const MultipoleOptions&, MultipoleMemory<Dim, Space>&);
#define SPANWISE_MULTIPOLE_CALLS(Space, Interaction, Dim)                                                              \
  SPANWISE_MULTIPOLE_CALL(Space, Interaction, Dim, float)                                                              \
  SPANWISE_MULTIPOLE_CALL(Space, Interaction, Dim, double)
#define SPANWISE_EXTERN_MULTIPOLE_CALLS(Space, Interaction, Dim)                                                       \
  extern SPANWISE_MULTIPOLE_CALL(Space, Interaction, Dim, float) extern SPANWISE_MULTIPOLE_CALL(                       \
    Space, Interaction, Dim, double)
#define SPANWISE_EXTERN_MULTIPOLES(Space) SPANWISE_FOR_EACH_INTERACTION(SPANWISE_EXTERN_MULTIPOLE_CALLS, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_EXTERN_MULTIPOLES)

} // namespace detail

template <class ExecutionSpace, class Interaction, int Dim, class Real>
MultipoleReport multipolesBetween(const Context<ExecutionSpace>& context, const Interaction& interaction,
  const PointsView<Dim, Real>& targets, const SourcesView<Dim, Real>& sources, const SumsView<Real>& sums,
  const MultipoleOptions& options, MultipoleMemory<Dim, ExecutionSpace>& memory) {
  static_assert(hasMultipoles<Interaction>, "multipoles are for radial interactions and dipoles");
  SPANWISE_REGION("NBody::multipolesBetween");
  return detail::multipoleCall<ExecutionSpace, Interaction, Dim, Real, !runsOnHost<ExecutionSpace>>(
    context, detail::SumCall<Interaction, Dim, Real>{interaction, targets, sources, sums, false}, options, memory);
}

template <class ExecutionSpace, class Interaction, int Dim, class Real>
MultipoleReport multipolesWithin(const Context<ExecutionSpace>& context, const Interaction& interaction,
  const SourcesView<Dim, Real>& particles, const SumsView<Real>& sums, const MultipoleOptions& options,
  MultipoleMemory<Dim, ExecutionSpace>& memory) {
  static_assert(hasMultipoles<Interaction>, "multipoles are for radial interactions and dipoles");
  SPANWISE_REGION("NBody::multipolesWithin");
  return detail::multipoleCall<ExecutionSpace, Interaction, Dim, Real, !runsOnHost<ExecutionSpace>>(context,
    detail::SumCall<Interaction, Dim, Real>{interaction, particles.points, particles, sums, true}, options, memory);
}

} // namespace spanwise::nbody

#include "Core/Solvers/NBody/Detail/RankMultipoleSums.hpp"
