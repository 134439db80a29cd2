#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Progress.hpp"
#include "Core/Runtime/SetAll.hpp"
#include "Core/Solvers/NBody/Detail/DirectSums.hpp"
#include "Core/Solvers/NBody/Detail/LatticeOperator.hpp"
#include "Core/Solvers/NBody/Detail/LevelsWithFar.hpp"
#include "Core/Solvers/NBody/Detail/MultipoleSteps.hpp"
#include "Core/Solvers/NBody/Detail/SourceParts.hpp"
#include "Core/Solvers/NBody/Detail/TeamNearField.hpp"
#include "Core/Solvers/NBody/Detail/TeamTranslations.hpp"
#include "Core/Solvers/NBody/MultipoleSums.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace spanwise::nbody::detail {

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

/// A call whose tree is there, by teams of threads in the memory of the execution space. The host has a code of its
/// own (MultipoleSums.hpp): this one takes 13 to 20 times as long there (figures: NBody/README.md).
template <class ExecutionSpace, class Interaction, int Dim, class Real>
class TeamMultipoleCall {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Frame = typename Workspace<Memory>::Frame;
  using FarKernel = typename FarKernelOf<Interaction>::Type;
  static constexpr int numCharges = numChargesOf<Interaction>;
  static constexpr int numPlaces = 1 << Dim;
  static constexpr int numDirections = StackBegins<Dim>::numDirections;
  /// So many numbers that are on their way between boxes are kept at once.
  static constexpr std::int64_t maxResults = std::int64_t{1} << 26;

  TeamMultipoleCall(const Context<ExecutionSpace>& context, const SumCall<Interaction, Dim, Real>& call,
    const MultipoleOptions& options, const MultipoleOrder& order, MultipoleMemory<Dim, ExecutionSpace>& memory,
    MultipoleReport& report)
    : space_(context.space()), workspace_(context.workspace()), call_(call), options_(options), memory_(memory),
      report_(report), frame_(workspace_),
      levels_(&farLevels<Real>(FarKernelOf<Interaction>::of(call.interaction), memory.tree, order,
        levelsWithFar(space_, memory.tree, memory.lists), memory.levels)) {
    const auto& space = context.space();
    const auto& tree = memory.tree;
    report.instructions = InstructionSet::Compiled;
    memory.operators.template of<Real>().keep(space, *levels_);
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
    lattice_ = latticeOf<Dim>(FarKernelOf<Interaction>::of(call.interaction), tree, memory.levels);
    const IndexRange<ExecutionSpace> boxes(space, 0, tree.numBoxes());
    const auto numbers = frame_.template array<std::int32_t>(std::int64_t{tree.numBoxes()} << Dim);
    setAll(space, numbers, std::int32_t{-1});
    numbers_ = numbers.data();
    tiles_ = frame_.template array<TargetTile>(targets_.count / targetsOfTeam + tree.numBoxes()).data();
    scan(SPANWISE_KERNEL("place tiles"), boxes, PlaceLeafTiles<Dim>{field_.tree, tiles_}, numTiles_);
  }

  template <Parts parts>
  void sumSide(int side, const Progress& progress) {
    forEach(SPANWISE_KERNEL("gather charges"), IndexRange<ExecutionSpace>(space_, 0, sources_.count * numCharges),
      Gather<Real>{call_.sources.charges + side * numCharges * call_.sources.stride, call_.sources.stride,
        memory_.tree.sourceOrder.data(), sources_.count, charges_});
    findMoments();
    progress.report(0.1);
    for (int level = field_.tree.firstFarLevel(); level < field_.tree.numLevels; ++level) {
      translate(level);
    }
    progress.report(0.4);
    setLattice();
    addCoarse();
    for (int level = field_.tree.isPeriodic ? 1 : 3; level < field_.tree.numLevels; ++level) {
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

  template <class Kernel>
  void multiply(const char* label, Kernel kernel) {
    using Tile = typename Kernel::Tile;
    const std::int64_t numTeams = kernel.numTeams();
    launchTeams(space_, label, numTeams, Tile::teamSize, Tile::scratchBytes, kernel);
  }

  [[nodiscard]] PlaceLists<Dim> listByPlace(
    Frame& frame, std::int32_t firstBox, std::int32_t count, std::int32_t* numbers) {
    auto* const boxes = frame.template array<std::int32_t>(std::int64_t{count} << Dim).data();
    PlaceLists<Dim> lists{{}, count, boxes};
    scan(SPANWISE_KERNEL("list by place"), IndexRange<ExecutionSpace>(space_, 0, count),
      ListByPlace<Dim>{field_.tree, firstBox, count, boxes, numbers}, lists.counts);
    return lists;
  }

  void translate(int number) {
    const auto& store = memory_.operators.template of<Real>();
    const auto& of = (*levels_)[number].operators;
    const std::int32_t count = numBoxes(number);
    Frame frame(workspace_);
    TranslationLevel<Dim, Real> level{
      field_, store.data(of), field_.tree.levelBegin[number], count, {}, {}, numbers_, nullptr, nullptr};
    level.sources = listByPlace(frame, level.firstBox, count, numbers_);
    level.targets = listByPlace(frame, level.firstBox, count, nullptr);
    level.inBasis = frame.template array<Real>(std::int64_t{count} * level.operators.basis).data();
    level.reached = frame.template array<Real>(std::int64_t{count} * level.operators.basis).data();
    auto* const charges = frame.template array<Real>(count).data();
    std::int64_t numPairs = 0;
    reduce(SPANWISE_KERNEL("count far"), IndexRange<ExecutionSpace>(space_, 0, count),
      CountFar<Dim, Real>{level, charges}, numPairs);
    report_.numFar += static_cast<double>(numPairs);
    multiply(SPANWISE_KERNEL("to basis"), MomentsInBasis<ExecutionSpace, Dim, Real>{level, 0});
    translateInBasis(level, store.rowBegins(of), store.columnBegins(of));
    multiply(SPANWISE_KERNEL("from basis"),
      ExpansionsFromBasis<ExecutionSpace, Dim, Real>{level, static_cast<Real>((*levels_)[number].factor),
        static_cast<Real>((*levels_)[number].logarithm), charges, 0});
  }

  /// As many directions at once as there is room for what is on its way.
  void translateInBasis(
    const TranslationLevel<Dim, Real>& level, const StackBegins<Dim>& rows, const StackBegins<Dim>& columns) {
    const auto resultsOf = [&](int first, int end) {
      std::int64_t sum = 0;
      for (int place = 0; place < numPlaces; ++place) {
        sum += std::int64_t{rows.of(place, end) - rows.of(place, first)} * level.sources.counts.of[place];
      }
      return sum;
    };
    for (int first = 0, end = 0; first < numDirections; first = end) {
      for (end = first + 1; end < numDirections && resultsOf(first, end + 1) <= maxResults;) {
        ++end;
      }
      Frame frame(workspace_);
      auto* const results = frame.template array<Real>(resultsOf(first, end)).data();
      RowRanges<Dim> ranges{};
      TranslateToTargets<ExecutionSpace, Dim, Real> toTargets{level, {}, {}, results, {}, {}, 1, nullptr, 0};
      for (std::int64_t place = 0, offset = 0; place < numPlaces; ++place) {
        const int p = static_cast<int>(place);
        ranges.begin[p] = rows.of(p, first);
        ranges.beginOfPlace[p] = rows.of(p, first) - rows.of(p, 0);
        ranges.count[p] = rows.of(p, end) - rows.of(p, first);
        ranges.offset[p] = offset;
        offset += std::int64_t{ranges.count[p]} * level.sources.counts.of[p];
        toTargets.columnBegin[p] = columns.of(p, first);
        toTargets.columnEnd[p] = columns.of(p, end);
      }
      toTargets.rows = ranges;
      multiply(
        SPANWISE_KERNEL("translate out"), TranslateSources<ExecutionSpace, Dim, Real>{level, ranges, {}, results, 0});
      translateToTargets(toTargets, first > 0, frame);
    }
  }

  void translateToTargets(TranslateToTargets<ExecutionSpace, Dim, Real> kernel, bool adds, Frame& frame) {
    constexpr std::int64_t wantedTeams = 1024; // some for each of a GPU's 132 processors or more
    constexpr std::int64_t minColumns = 128;
    const auto& level = kernel.level;
    const std::int64_t count = std::int64_t{level.numBoxes} * level.operators.basis;
    kernel.numberTiles();
    if (kernel.tiles.count() == 0) {
      return;
    }
    std::int64_t maxColumns = 0;
    for (int place = 0; place < numPlaces; ++place) {
      maxColumns = std::max<std::int64_t>(maxColumns, kernel.columnEnd[place] - kernel.columnBegin[place]);
    }
    kernel.numParts = numSourceParts(kernel.tiles.count(), maxColumns, wantedTeams, minColumns);
    const bool isJoined = adds || kernel.numParts > 1;
    kernel.reached = isJoined ? frame.template array<Real>(kernel.numParts * count).data() : level.reached;
    multiply(SPANWISE_KERNEL("translate in"), kernel);
    if (isJoined) {
      forEach(SPANWISE_KERNEL("join reached"), IndexRange<ExecutionSpace>(space_, 0, count),
        JoinReached<Dim, Real>{level, kernel.reached, kernel.numParts, adds});
    }
  }

  /// Sets the expansion of a root that is repeated: on the host, for it is a few hundred numbers.
  void setLattice() {
    if (lattice_ == nullptr) {
      return;
    }
    using Numbers = Kokkos::View<Real*, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    using HostNumbers = Kokkos::View<Real*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    const auto count = static_cast<std::size_t>(field_.numCoefficients);
    std::vector<Real> numbers(count);
    Kokkos::deep_copy(space_, HostNumbers(numbers.data(), count), Numbers(field_.moments, count));
    space_.fence(SPANWISE_LABEL("NBody::momentsOfRoot"));
    Workspace<Kokkos::HostSpace> workspace;
    Workspace<Kokkos::HostSpace>::Frame frame(workspace);
    const auto expansion = expansionOfLattice<FarKernel, Dim>(
      *lattice_, memory_.tree.side, field_.order, std::span<const Real>(numbers), workspace, frame);
    std::copy(expansion.begin(), expansion.end(), numbers.begin());
    Kokkos::deep_copy(space_, Numbers(field_.expansions, count), HostNumbers(numbers.data(), count));
    space_.fence(SPANWISE_LABEL("NBody::expansionOfRoot"));
  }

  void addCoarse() {
    using Kernel = AddCoarseByTeam<ExecutionSpace, Interaction, Dim, Real>;
    if (memory_.lists.coarse.count > 0 && field_.tree.numLevels > 2) {
      const std::int32_t first = field_.tree.levelBegin[2];
      launchTeams(space_, SPANWISE_KERNEL("add coarse"), memory_.tree.numBoxes() - first,
        runsOnHost<ExecutionSpace> ? 1 : 128, Kernel::scratchBytes(field_.numCoefficients),
        Kernel{field_, memory_.operators.template of<NodeReal<Interaction, Real>>().tables(space_, field_.order),
          call_.interaction, first, 0});
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
    Frame frame(workspace_);
    auto* const numNear = frame.template array<double>(numTiles_).data();
    launchTeams(space_, SPANWISE_KERNEL("sum leaves"), numTiles_, threadsOfLeaves<ExecutionSpace>,
      Kernel::scratchBytes(field_.order, field_.numCoefficients, hasFine),
      Kernel{problem, FarKernelOf<Interaction>::of(call_.interaction), field_, tiles_, numNear, 0, hasFine});
    double total = 0.0; // of whole numbers
    reduce(
      SPANWISE_KERNEL("count near"), IndexRange<ExecutionSpace>(space_, 0, numTiles_), AddUp<double>{numNear}, total);
    report_.numNear += total;
  }

  ExecutionSpace space_;
  Workspace<Memory>& workspace_;
  SumCall<Interaction, Dim, Real> call_;
  MultipoleOptions options_;
  MultipoleMemory<Dim, ExecutionSpace>& memory_;
  MultipoleReport& report_;
  Frame frame_;
  const std::vector<FarLevel<Dim, Real>>* levels_;
  std::shared_ptr<const LatticeOperator<Dim>> lattice_; ///< nullptr: there are no images
  TeamField<Dim, Real> field_;
  PointsView<Dim, Real> sources_;
  PointsView<Dim, Real> targets_;
  Real* charges_ = nullptr;
  TargetTile* tiles_ = nullptr;
  std::int32_t* numbers_ = nullptr; ///< of ListByPlace
  std::int64_t numTiles_ = 0;
};

} // namespace spanwise::nbody::detail
