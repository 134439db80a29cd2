#pragma once

#include "Core/Solvers/NBody/Detail/ChooseExpansions.hpp"
#include "Core/Solvers/NBody/Detail/EwaldSums.hpp"
#include "Core/Solvers/NBody/Detail/LatticeOperator.hpp"
#include "Core/Solvers/NBody/Detail/MultipoleOrder.hpp"
#include "Core/Solvers/NBody/Detail/MutualNear.hpp"
#include "Core/Solvers/NBody/Detail/NearField.hpp"
#include "Core/Solvers/NBody/MultipoleSums.hpp"

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace spanwise::nbody {
namespace detail {

/// How an interaction scales with the length. A user's own is taken as it is.
template <class Interaction>
inline constexpr Scaling scalingOf = Scaling::None;
template <>
inline constexpr Scaling scalingOf<InverseDistance> = Scaling::Power;
template <>
inline constexpr Scaling scalingOf<Logarithm> = Scaling::AddsLogarithm;

template <class Interaction>
void radialValues(const std::byte* parameters, const double* r2, double* values, std::int64_t count) {
  const Interaction interaction = *reinterpret_cast<const Interaction*>(parameters);
  for (std::int64_t i = 0; i < count; ++i) {
    values[i] = interaction.template terms<Parts::Potential>(r2[i]).value;
  }
}

template <class Interaction>
[[nodiscard]] RadialFunction radialFunctionOf(const Interaction& interaction) {
  RadialFunction function;
  function.type = typeid(Interaction);
  const auto* const bytes = reinterpret_cast<const std::byte*>(&interaction);
  function.parameters.assign(bytes, bytes + sizeof(Interaction));
  function.values = radialValues<Interaction>;
  function.scaling = scalingOf<Interaction>;
  function.degree = -1;
  return function;
}

/// Copies columns in the order of the curve.
template <class Real>
struct Gather {
  const Real* from;
  std::int64_t fromStride;
  const std::int64_t* order;
  std::int64_t count;
  Real* to;

  void operator()(std::int64_t k) const { to[k] = from[k / count * fromStride + order[k % count]]; }
};

/// Points in the order of the curve.
template <class ExecutionSpace, int Dim, class Real>
PointsView<Dim, Real> gatherPoints(const ExecutionSpace& space, const PointsView<Dim, Real>& points,
  const std::int64_t* order, Workspace<Kokkos::HostSpace>::Frame& frame) {
  PointsView<Dim, Real> result;
  result.count = points.count;
  for (int axis = 0; axis < Dim; ++axis) {
    Real* const to = frame.template array<Real>(points.count).data();
    forEach(SPANWISE_KERNEL("gather points"), Range<ExecutionSpace>(space, 0, points.count),
      Gather<Real>{points.coordinates[axis], 0, order, points.count, to});
    result.coordinates[axis] = to;
  }
  return result;
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

template <int Dim, class Real>
std::vector<FarLevel<Dim, Real>> farLevels(
  const RadialFunction& function, const PointTree<Dim, Kokkos::HostSpace>& tree, const MultipoleOrder& order) {
  std::vector<FarLevel<Dim, Real>> levels(tree.numLevels());
  for (int level = tree.isPeriodic ? 1 : 2; level < tree.numLevels(); ++level) {
    const double side = tree.sideOf(level);
    const double madeFor = function.scaling == Scaling::None ? side : 1.0;
    levels[level].operators = farOperators<Dim, Real>(function, order.order, madeFor, order.tolerance);
    levels[level].factor = function.scaling == Scaling::Power ? std::pow(side, function.degree) : 1.0;
    levels[level].logarithm = function.scaling == Scaling::AddsLogarithm ? std::log(side) : 0.0;
  }
  return levels;
}

/// A call whose tree is there.
template <class ExecutionSpace, class Interaction, int Dim, class Real>
class MultipoleCall {
public:
  using FarKernel = typename FarKernelOf<Interaction>::Type;
  using Frame = Workspace<Kokkos::HostSpace>::Frame;
  static constexpr int numCharges = numChargesOf<Interaction>;

  MultipoleCall(const ExecutionSpace& space, const SumCall<Interaction, Dim, Real>& call,
    const MultipoleOptions& options, const MultipoleOrder& order, MultipoleMemory<Dim>& memory, MultipoleReport& report)
    : space_(space), call_(call), options_(options), memory_(memory), report_(report), frame_(memory.workspace),
      table_(order.order), levels_(farLevels<Dim, Real>(
                             radialFunctionOf(FarKernelOf<Interaction>::of(call.interaction)), memory.tree, order)) {
    const auto& tree = memory.tree;
    sources_ = gatherPoints(space, call.sources.points, tree.sourceOrder.data(), frame_);
    targets_ = call.within ? sources_ : gatherPoints(space, call.targets, tree.targetOrder.data(), frame_);
    charges_ = frame_.template array<Real>(sources_.count * numCharges).data();
    field_.tree = &tree;
    field_.lists = &memory.lists;
    field_.kernels = chooseExpansions<Dim, Real>(options.mostInstructions);
    field_.order = order.order;
    field_.ofDipoles = FarKernelOf<Interaction>::ofDipoles;
    field_.levels = &levels_;
    field_.sources = sources_;
    field_.charges = charges_;
    field_.chargeStride = sources_.count;
    field_.moments = frame_.template array<Real>(tree.numBoxes() * field_.stride()).data();
    field_.coefficients = frame_.template array<Real>(tree.numBoxes() * field_.stride()).data();
    tiles_ = frame_.template array<TargetTile>(targets_.count / targetsInTile + tree.numBoxes()).data();
    numTiles_ = listTiles(tree, tiles_);
    numNear_ = frame_.template array<double>(numTiles_).data();
    if constexpr (hasEwald<FarKernel>) {
      if (tree.isPeriodic) {
        const FarKernel kernel = FarKernelOf<Interaction>::of(call.interaction);
        const double edge = scalingOf<FarKernel> == Scaling::None ? tree.side : 1.0;
        lattice_ = latticeOperator<Dim>(radialFunctionOf(kernel), edge, FarImages<FarKernel, Dim>(kernel, edge));
      }
    }
    if (RadialInteraction<Interaction> && call.within) {
      findLeafPairs(tree, memory.lists, memory.pairs);
    }
  }

  template <Parts parts>
  void sumSide(int side, const Progress& progress) {
    forEach(SPANWISE_KERNEL("gather charges"), Range<ExecutionSpace>(space_, 0, sources_.count * numCharges),
      Gather<Real>{call_.sources.charges + side * numCharges * call_.sources.stride, call_.sources.stride,
        memory_.tree.sourceOrder.data(), sources_.count, charges_});
    findMoments(space_, field_);
    progress.report(0.1);
    report_.numFar += static_cast<double>(translateLevels(space_, field_, memory_.workspace));
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
    const double side = memory_.tree.side;
    const std::int64_t count = field_.numCoefficients();
    const std::vector<double> moments(field_.moments, field_.moments + count);
    std::vector<double> coefficients(count, 0.0);
    lattice_->apply(field_.order, moments.data(), coefficients.data());
    const double factor = scalingOf<FarKernel> == Scaling::Power ? 1.0 / side : 1.0;
    for (std::int64_t m = 0; m < count; ++m) {
      field_.coefficients[m] += static_cast<Real>(factor * coefficients[m]);
    }
    if (scalingOf<FarKernel> == Scaling::AddsLogarithm) { // of the images that touch it
      field_.coefficients[0] -= static_cast<Real>(memory_.lists.numOffsets * std::log(side) * moments[0]);
    }
  }

  void addCoarse() {
    using Problem = SumProblem<Interaction, Parts::Potential, Dim, Real, 1>;
    InstructionSet instructions = report_.instructions;
    AddCoarse<Interaction, Dim, Real> add{
      field_, &table_, call_.interaction, chooseTile<Problem>(Variant::RegisterTiles, instructions), 0, 0};
    for (add.level = 2; memory_.lists.coarse.count > 0 && add.level < memory_.tree.numLevels(); ++add.level) {
      add.firstBox = memory_.tree.levelBegin[add.level];
      Kokkos::parallel_for(
        SPANWISE_KERNEL("add coarse"), Tiles(space_, 0, memory_.tree.levelBegin[add.level + 1] - add.firstBox), add);
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
    const auto function = chooseTile<Problem>(Variant::RegisterTiles, report_.instructions);
    const auto ofNodes = chooseTile<FarProblem>(Variant::RegisterTiles, ofFar);
    Frame frame(memory_.workspace);
    Real* ofPairs = nullptr;
    if constexpr (RadialInteraction<Interaction>) {
      if (call_.within) {
        ofPairs = frame.template array<Real>(targets_.count * Problem::Columns::all).data();
        sumNearPairs(space_, problem, memory_.tree, memory_.pairs, report_.instructions, ofPairs);
        report_.numNear += memory_.pairs.numInteractions;
      }
    }
    Kokkos::parallel_for(SPANWISE_KERNEL("sum leaves"), Tiles(space_, 0, numTiles_, Kokkos::ChunkSize(4)),
      SumLeaf<Problem>{problem, field_, &table_, tiles_, function, ofNodes, numNear_, ofPairs});
    space_.fence(SPANWISE_LABEL("NBody::sumLeaves"));
    for (std::int64_t tile = 0; tile < numTiles_; ++tile) {
      report_.numNear += numNear_[tile];
    }
  }

  ExecutionSpace space_;
  SumCall<Interaction, Dim, Real> call_;
  MultipoleOptions options_;
  MultipoleMemory<Dim>& memory_;
  MultipoleReport& report_;
  Frame frame_;
  NodeTable table_;
  std::vector<FarLevel<Dim, Real>> levels_;
  std::shared_ptr<const LatticeOperator<Dim>> lattice_; ///< nullptr: there are no images
  FarField<Dim, Real> field_;
  PointsView<Dim, Real> sources_;
  PointsView<Dim, Real> targets_;
  Real* charges_ = nullptr;
  TargetTile* tiles_ = nullptr;
  std::int64_t numTiles_ = 0;
  double* numNear_ = nullptr;
};

/// Both public functions. Compiled once for this library's own interactions.
template <class ExecutionSpace, class Interaction, int Dim, class Real>
MultipoleReport multipoleCall(const ExecutionSpace& space, SumCall<Interaction, Dim, Real> call,
  const MultipoleOptions& options, MultipoleMemory<Dim>& memory, const Progress& progress) {
  static_assert(runsOnHost<ExecutionSpace>, "sums by multipoles are made on the host");
  SumOptions asDirect;
  asDirect.numRightHandSides = options.numRightHandSides;
  asDirect.potentialFactor = options.potentialFactor;
  asDirect.gradientFactor = options.gradientFactor;
  checkCall(call, asDirect);
  using Far = FarKernelOf<Interaction>;
  const MultipoleOrder order = chooseOrder(options,
    {Dim, std::is_same_v<Real, float>, call.sums.gradients != nullptr, Far::ofDipoles,
      scalingOf<typename Far::Type> != Scaling::None, options.box.has_value()});
  MultipoleReport report;
  report.order = order.order;
  report.mostInLeaf = order.mostInLeaf;
  report.instructions = std::min(options.mostInstructions, bestInstructionSet());
  const PeriodicBox* const box = options.box ? &*options.box : nullptr;
  if (box != nullptr) {
    if (!hasEwald<typename Far::Type>) {
      throw InvalidArgument("a periodic box is for the interactions of this library");
    }
    checkBox(*box, Dim);
    checkIsCube(*box, Dim);
    checkCharges(*box, call.interaction, call.sources.charges, call.sources.stride, call.sources.points.count,
      options.numRightHandSides);
  }
  if (call.targets.count == 0) {
    return report;
  }
  Workspace<Kokkos::HostSpace>::Frame ofPoints(memory.workspace);
  if (box != nullptr) {
    call.sources.points = wrapPoints(space, call.sources.points, *box, ofPoints);
    call.targets = call.within ? call.sources.points : wrapPoints(space, call.targets, *box, ofPoints);
  }
  buildTree(space, call.targets, call.sources.points, order.mostInLeaf, memory.tree, memory.workspace, box);
  buildLists(space, memory.tree, memory.lists, memory.workspace);
  report.numLevels = memory.tree.numLevels();
  report.numBoxes = memory.tree.numBoxes();
  progress.report(0.05);
  MultipoleCall<ExecutionSpace, Interaction, Dim, Real> sums(space, call, options, order, memory, report);
  for (int side = 0; side < options.numRightHandSides; ++side) {
    const Progress ofSide = progress.part(
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

#define SPANWISE_MULTIPOLE_CALL(Space, Interaction, Dim, Real)                                                         \
  template MultipoleReport multipoleCall<Space, Interaction, Dim, Real>(                                               \
    const Space&, SumCall<Interaction, Dim, Real>, const MultipoleOptions&, MultipoleMemory<Dim>&, const Progress&);
#define SPANWISE_MULTIPOLE_CALLS(Space, Interaction, Dim)                                                              \
  SPANWISE_MULTIPOLE_CALL(Space, Interaction, Dim, float)                                                              \
  SPANWISE_MULTIPOLE_CALL(Space, Interaction, Dim, double)
#define SPANWISE_EXTERN_MULTIPOLE_CALLS(Space, Interaction, Dim)                                                       \
  extern SPANWISE_MULTIPOLE_CALL(Space, Interaction, Dim, float) extern SPANWISE_MULTIPOLE_CALL(                       \
    Space, Interaction, Dim, double)
#define SPANWISE_EXTERN_MULTIPOLES(Space) SPANWISE_FOR_EACH_INTERACTION(SPANWISE_EXTERN_MULTIPOLE_CALLS, Space)
SPANWISE_IF_SERIAL(SPANWISE_EXTERN_MULTIPOLES(Kokkos::Serial))
SPANWISE_IF_OPENMP(SPANWISE_EXTERN_MULTIPOLES(Kokkos::OpenMP))
SPANWISE_IF_THREADS(SPANWISE_EXTERN_MULTIPOLES(Kokkos::Threads))

} // namespace detail

template <class ExecutionSpace, class Interaction, int Dim, class Real>
MultipoleReport multipolesBetween(const ExecutionSpace& space, const Interaction& interaction,
  const PointsView<Dim, Real>& targets, const SourcesView<Dim, Real>& sources, const SumsView<Real>& sums,
  const MultipoleOptions& options, MultipoleMemory<Dim>& memory, const Progress& progress) {
  static_assert(hasMultipoles<Interaction>, "multipoles are for radial interactions and dipoles");
  SPANWISE_REGION("NBody::multipolesBetween");
  return detail::multipoleCall(space,
    detail::SumCall<Interaction, Dim, Real>{interaction, targets, sources, sums, false}, options, memory, progress);
}

template <class ExecutionSpace, class Interaction, int Dim, class Real>
MultipoleReport multipolesWithin(const ExecutionSpace& space, const Interaction& interaction,
  const SourcesView<Dim, Real>& particles, const SumsView<Real>& sums, const MultipoleOptions& options,
  MultipoleMemory<Dim>& memory, const Progress& progress) {
  static_assert(hasMultipoles<Interaction>, "multipoles are for radial interactions and dipoles");
  SPANWISE_REGION("NBody::multipolesWithin");
  return detail::multipoleCall(space,
    detail::SumCall<Interaction, Dim, Real>{interaction, particles.points, particles, sums, true}, options, memory,
    progress);
}

} // namespace spanwise::nbody
