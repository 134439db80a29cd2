#pragma once

#include "Core/Runtime/Progress.hpp"
#include "Core/Solvers/NBody/Detail/DirectSums.hpp"
#include "Core/Solvers/NBody/Detail/MultipoleSteps.hpp"
#include "Core/Solvers/NBody/Detail/TeamNearField.hpp"
#include "Core/Solvers/NBody/MultipoleSums.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace spanwise::nbody::detail {

/// So many boxes as columns of products that `bytes(boxes)` are in a processor's own memory, or the most there are.
template <class Policy, class Bytes>
[[nodiscard]] int columnsThatFit(const Bytes& bytes) {
  constexpr int most = 32;
  for (int columns = most; columns >= 8; columns /= 2) {
    if (bytes(columns) + 64 <= static_cast<std::size_t>(Policy::scratch_size_max(0))) {
      return columns;
    }
  }
  return most;
}

/// Sets the scratch memory of a kernel of teams and launches it.
template <class ExecutionSpace, class Kernel>
void launchTeams(const ExecutionSpace& space, const char* label, std::int64_t numTeams, int teamSize, std::size_t bytes,
  Kernel kernel) {
  if (numTeams > 0) {
    typename Kernel::Policy policy(space, static_cast<int>(numTeams), teamSize);
    kernel.scratchLevel = setScratch(policy, bytes);
    Kokkos::parallel_for(label, policy, kernel);
  }
}

/// Adds up so many numbers.
template <class Number>
struct AddUp {
  const Number* numbers;
  KOKKOS_FUNCTION void operator()(std::int64_t k, Number& sum) const { sum += numbers[k]; }
};

/// A call whose tree is there, by teams of threads in the memory of the execution space.
template <class ExecutionSpace, class Interaction, int Dim, class Real>
class TeamMultipoleCall {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Frame = typename Workspace<Memory>::Frame;
  using FarKernel = typename FarKernelOf<Interaction>::Type;
  static constexpr int numCharges = numChargesOf<Interaction>;
  static constexpr int teamSize = threadsOfProducts<ExecutionSpace>;

  TeamMultipoleCall(const ExecutionSpace& space, const SumCall<Interaction, Dim, Real>& call,
    const MultipoleOptions& options, const MultipoleOrder& order, MultipoleMemory<Dim, Memory>& memory,
    MultipoleReport& report)
    : space_(space), call_(call), options_(options), memory_(memory), report_(report), frame_(memory.workspace),
      levels_(&farLevels<Real>(FarKernelOf<Interaction>::of(call.interaction), memory.tree, order, memory.levels)) {
    const auto& tree = memory.tree;
    report.instructions = InstructionSet::Compiled;
    std::vector<std::shared_ptr<const FarOperators<Dim, Real>>> operators;
    for (const FarLevel<Dim, Real>& level : *levels_) {
      operators.push_back(level.operators);
    }
    memory.operators.template of<Real>().keep(space, operators);
    sources_ = gatherPoints(space, call.sources.points, tree.sourceOrder.data(), frame_);
    targets_ = call.within ? sources_ : gatherPoints(space, call.targets, tree.targetOrder.data(), frame_);
    charges_ = frame_.template array<Real>(sources_.count * numCharges).data();
    field_.tree = treeDataOf(tree, memory.lists);
    field_.tables = memory.operators.template of<Real>().tables(space, order.order);
    field_.order = order.order;
    field_.numCoefficients = Dim == 2 ? order.order * order.order : order.order * order.order * order.order;
    field_.stride = paddedLength<Real>(field_.numCoefficients);
    field_.sources = sources_;
    field_.charges = charges_;
    field_.chargeStride = sources_.count;
    field_.moments = frame_.template array<Real>(tree.numBoxes() * field_.stride).data();
    field_.expansions = frame_.template array<Real>(tree.numBoxes() * field_.stride).data();
    auto* const children = frame_.template array<std::int32_t>(std::int64_t{tree.numBoxes()} << Dim).data();
    field_.children = children;
    const Range<ExecutionSpace> boxes(space, 0, tree.numBoxes());
    forEach(SPANWISE_KERNEL("find children"), boxes, FindChildren<Dim>{field_.tree, children});
    tiles_ = frame_.template array<TargetTile>(targets_.count / targetsOfTeam + tree.numBoxes()).data();
    scan(SPANWISE_KERNEL("place tiles"), boxes, PlaceLeafTiles<Dim>{field_.tree, tiles_}, numTiles_);
  }

  template <Parts parts>
  void sumSide(int side, const Progress& progress) {
    forEach(SPANWISE_KERNEL("gather charges"), Range<ExecutionSpace>(space_, 0, sources_.count * numCharges),
      Gather<Real>{call_.sources.charges + side * numCharges * call_.sources.stride, call_.sources.stride,
        memory_.tree.sourceOrder.data(), sources_.count, charges_});
    findMoments();
    progress.report(0.1);
    for (int level = 2; level < field_.tree.numLevels; ++level) {
      translate(level);
    }
    progress.report(0.4);
    addCoarse();
    for (int level = 3; level < field_.tree.numLevels; ++level) {
      moveHalves(SPANWISE_KERNEL("pass down"), level, true);
    }
    progress.report(0.5);
    sumLeaves<parts>(side);
    progress.report(1.0);
  }

private:
  [[nodiscard]] std::int32_t numBoxes(int level) const {
    return field_.tree.levelBegin[level + 1] - field_.tree.levelBegin[level];
  }

  void findMoments() {
    using Kernel = MomentsOfLeaf<ExecutionSpace, Dim, Real>;
    launchTeams(space_, SPANWISE_KERNEL("find moments"), memory_.tree.numBoxes(), runsOnHost<ExecutionSpace> ? 1 : 128,
      Kernel::scratchBytes(field_.order), Kernel{field_, FarKernelOf<Interaction>::ofDipoles, 0});
    for (int level = field_.tree.numLevels - 2; level >= 0; --level) {
      moveHalves(SPANWISE_KERNEL("pass up"), level, false);
    }
  }

  void moveHalves(const char* label, int level, bool isDown) {
    using Kernel = MoveHalves<ExecutionSpace, Dim, Real>;
    launchTeams(space_, label, numBoxes(level), runsOnHost<ExecutionSpace> ? 1 : 128,
      Kernel::scratchBytes(field_.numCoefficients), Kernel{field_, field_.tree.levelBegin[level], isDown, 0});
  }

  void translate(int level) {
    using ToBasis = MomentsInBasis<ExecutionSpace, Dim, Real>;
    using Translate = TranslateBoxes<ExecutionSpace, Dim, Real>;
    const auto operators = memory_.operators.template of<Real>().data((*levels_)[level].operators);
    const std::int32_t first = field_.tree.levelBegin[level];
    const std::int32_t count = numBoxes(level);
    Frame frame(memory_.workspace);
    auto* const boxes = frame.template array<std::int32_t>(std::int64_t{count} << Dim).data();
    auto* const inBasis = frame.template array<Real>(std::int64_t{count} * operators.basis).data();
    PlaceCounts<Dim> counts;
    scan(SPANWISE_KERNEL("count places"), Range<ExecutionSpace>(space_, 0, count),
      CountPlaces<Dim>{field_.tree, first, count, boxes}, counts);

    const auto bytesToBasis = [&](int columns) { return ToBasis::scratchBytes(operators.basis, columns); };
    const int ofBasis = columnsThatFit<typename ToBasis::Policy>(bytesToBasis);
    launchTeams(space_, SPANWISE_KERNEL("to basis"), (count + ofBasis - 1) / ofBasis, teamSize, bytesToBasis(ofBasis),
      ToBasis{field_, operators, first, first + count, ofBasis, inBasis, 0});

    const auto bytes = [&](
                         int columns) { return Translate::scratchBytes(operators.basis, operators.mostRank, columns); };
    const int atOnce = columnsThatFit<typename Translate::Policy>(bytes);
    std::int64_t numTeams = 0;
    for (const std::int32_t ofPlace : counts.of) {
      numTeams += (ofPlace + atOnce - 1) / atOnce;
    }
    auto* const numPairs = frame.template array<std::int64_t>(numTeams).data();
    launchTeams(space_, SPANWISE_KERNEL("translate"), numTeams, teamSize, bytes(atOnce),
      Translate{field_, operators, first, count, counts, boxes, atOnce, static_cast<Real>((*levels_)[level].factor),
        static_cast<Real>((*levels_)[level].logarithm), inBasis, numPairs, 0});
    std::int64_t total = 0;
    reduce(
      SPANWISE_KERNEL("count pairs"), Range<ExecutionSpace>(space_, 0, numTeams), AddUp<std::int64_t>{numPairs}, total);
    report_.numFar += static_cast<double>(total);
  }

  void addCoarse() {
    using Kernel = AddCoarseByTeam<ExecutionSpace, Interaction, Dim, Real>;
    if (memory_.lists.coarse.count > 0 && field_.tree.numLevels > 2) {
      const std::int32_t first = field_.tree.levelBegin[2];
      launchTeams(space_, SPANWISE_KERNEL("add coarse"), memory_.tree.numBoxes() - first,
        runsOnHost<ExecutionSpace> ? 1 : 128, Kernel::scratchBytes(field_.numCoefficients),
        Kernel{field_, call_.interaction, first, 0});
    }
  }

  template <Parts parts>
  void sumLeaves(int side) {
    using Problem = SumProblem<Interaction, parts, Dim, Real, 1>;
    using Kernel = SumLeafByTeam<ExecutionSpace, Problem>;
    const Problem problem{call_.interaction, targets_, sources_, charges_, sources_.count, call_.within,
      {call_.sums, static_cast<Real>(options_.potentialFactor), static_cast<Real>(options_.gradientFactor),
        options_.store == Store::Add, side}};
    const bool hasFine = memory_.lists.fine.count > 0;
    Frame frame(memory_.workspace);
    auto* const numNear = frame.template array<double>(numTiles_).data();
    launchTeams(space_, SPANWISE_KERNEL("sum leaves"), numTiles_, threadsOfLeaves<ExecutionSpace>,
      Kernel::scratchBytes(field_.order, field_.numCoefficients, hasFine),
      Kernel{problem, FarKernelOf<Interaction>::of(call_.interaction), field_, tiles_, numNear, 0, hasFine});
    double total = 0.0; // of whole numbers
    reduce(SPANWISE_KERNEL("count near"), Range<ExecutionSpace>(space_, 0, numTiles_), AddUp<double>{numNear}, total);
    report_.numNear += total;
  }

  ExecutionSpace space_;
  SumCall<Interaction, Dim, Real> call_;
  MultipoleOptions options_;
  MultipoleMemory<Dim, Memory>& memory_;
  MultipoleReport& report_;
  Frame frame_;
  const std::vector<FarLevel<Dim, Real>>* levels_;
  TeamField<Dim, Real> field_;
  PointsView<Dim, Real> sources_;
  PointsView<Dim, Real> targets_;
  Real* charges_ = nullptr;
  TargetTile* tiles_ = nullptr;
  std::int64_t numTiles_ = 0;
};

} // namespace spanwise::nbody::detail
