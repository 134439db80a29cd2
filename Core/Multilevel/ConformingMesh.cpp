#include "Core/Multilevel/ConformingMesh.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Multilevel/Detail/LeafShares.hpp"
#include "Core/Multilevel/Detail/LeafSplit.hpp"
#include "Core/Multilevel/Detail/MeshCells.hpp"
#include "Core/Multilevel/Detail/MeshPoints.hpp"
#include "Core/Multilevel/Detail/SplitLeaves.hpp"
#include "Core/Multilevel/Detail/SplitPoints.hpp"
#include "Core/Multilevel/LevelPlanes.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Scan.hpp"

#include <array>
#include <limits>

namespace spanwise::multilevel {

namespace {

using detail::numPlaces;
using detail::SplitLeaf;

/// Everything that one call works on.
template <class Space, int Dim>
class Mesher {
  using Memory = typename Space::memory_space;
  using Frame = typename Workspace<Memory>::Frame;
  using Set = geometry::IntervalSetOn<Dim, Space>;

public:
  Mesher(const Context<Space>& context, const LeavesOn<Dim, Space>& leaves, const LeafCoverOn<Dim, Space>& cover,
    int finest, ConformingMeshOn<Space>& out, ConformingScratchOn<Dim, Space>& scratch)
    : context_(context.with(Progress())), leaves_(leaves), cover_(cover), mesh_(out), scratch_(scratch),
      frame_(context.workspace()), numLevels_(leaves.size()) {
    split_.refined.finest = mesh_.finest = finest;
    split_.refined.numLevels = static_cast<int>(numLevels_);
    for (std::size_t l = 0; l < numLevels_; ++l) {
      split_.refined.levels[l] = cover.refined[l].view();
      numLeaves_ += leaves[l].numCells();
    }
  }

  void run(const ConformingOptions& options, const Progress& progress) {
    const parallel::PlaneRange& planes = options.planes;
    isPiece_ = !(planes == parallel::PlaneRange());
    findSplitLeaves();
    makeNodeRows(planes);
    table_.corners = detail::mergeNodes<Space, Dim>(
      context_.space(), isPiece_ ? scratch_.ownedRows : scratch_.nodeRows, mesh_.finest, frame_);
    progress.report(0.2);
    auto* const isSplit = array<std::uint8_t>(numLeaves_);
    forEach(SPANWISE_KERNEL("clear marks"), range(numLeaves_), KOKKOS_LAMBDA(std::int64_t n) { isSplit[n] = 0; });
    split_.isSplit = isSplit;
    makeLevels(planes);
    makeSplitLeaves();
    progress.report(0.35);
    makePoints();
    progress.report(0.6);
    makeCells();
    progress.report(0.8);
    if (options.withShares) {
      detail::shareLeaves<Space, Dim>(context_.space(), levels(), split_, table_, frame_, mesh_);
    }
    progress.report(1.0);
  }

private:
  template <class T>
  T* array(std::int64_t count) {
    return frame_.template array<T>(count).data();
  }
  [[nodiscard]] IndexRange<Space> range(std::int64_t count) const {
    return IndexRange<Space>(context_.space(), 0, count);
  }
  [[nodiscard]] detail::MeshLevels<Dim> levels() const { return {levels_.data(), numLevels_}; }
  [[nodiscard]] detail::LevelNodeRows<Dim> nodesOf(std::size_t l) const {
    return {scratch_.nodeRows[l].view(), mesh_.finest - static_cast<int>(l)};
  }

  /// Of each level the leaves beside refined cells, and of these the ones beside refined cells of the next level.
  void findSplitLeaves() {
    scratch_.split.resize(numLevels_);
    scratch_.deep.resize(numLevels_);
    for (std::size_t l = 0; l < numLevels_; ++l) {
      scratch_.split[l].clear();
      scratch_.deep[l].clear();
      if (cover_.refined[l].empty() || leaves_[l].empty()) {
        continue;
      }
      morph<Space, Dim>(
        context_, geometry::MorphologyOperation::Dilate, cover_.refined[l], scratch_.cutting, scratch_.around);
      combine<Space, Dim>(
        context_, geometry::SetOperation::Intersection, leaves_[l], scratch_.around, scratch_.split[l]);
      if (!scratch_.split[l].empty() && !cover_.refined[l + 1].empty()) {
        morph<Space, Dim>(
          context_, geometry::MorphologyOperation::Dilate, cover_.refined[l + 1], scratch_.touching, scratch_.around);
        coarsen<Space, Dim>(context_, Coarsening::Outside, scratch_.around, scratch_.coarse);
        combine<Space, Dim>(
          context_, geometry::SetOperation::Intersection, scratch_.split[l], scratch_.coarse, scratch_.deep[l]);
      }
    }
  }

  void makeNodeRows(const parallel::PlaneRange& planes) {
    scratch_.nodeRows.resize(numLevels_);
    scratch_.owned.resize(numLevels_);
    scratch_.ownedRows.resize(numLevels_);
    for (std::size_t l = 0; l < numLevels_; ++l) {
      nodeRowsOf<Space, Dim>(context_, leaves_[l], scratch_.nodeRows[l], scratch_.ofNodeRows);
      if (isPiece_) {
        restrictRows<Space, Dim>(context_, leaves_[l], planesOfLevel(planes, static_cast<int>(l)), scratch_.owned[l]);
        nodeRowsOf<Space, Dim>(context_, scratch_.owned[l], scratch_.ownedRows[l], scratch_.ofNodeRows);
      }
    }
  }

  void makeLevels(const parallel::PlaneRange& planes) {
    std::int64_t firstLeaf = 0;
    for (std::size_t l = 0; l < numLevels_; ++l) {
      const Set& set = leaves_[l];
      const Set& rows = scratch_.nodeRows[l];
      detail::MeshLevel<Dim>& level = levels_[l];
      level = {};
      level.leaves = set.view();
      level.level = static_cast<int>(l);
      level.firstLeaf = firstLeaf;
      firstLeaf += set.numCells();
      if (set.empty()) {
        continue;
      }
      const geometry::Slab slab = slabOf<Space, Dim>(context_, set, planesOfLevel(planes, level.level));
      level.firstOwned = slab.firstCell;
      level.endOwned = slab.endCell;
      const std::int64_t chunks = ((set.numCells() - 1) >> geometry::SegmentsView::mostChunkBits) + 1;
      auto* const ofChunk = array<std::int64_t>(chunks + 1);
      level.segments = {level.leaves.cellOffsets, ofChunk, set.numIntervals(), set.numCells()};
      forEach(SPANWISE_KERNEL("leaf chunks"), range(chunks + 1),
        geometry::detail::FindSegmentOfChunk{level.segments, ofChunk});
      const std::int64_t numBases = geometry::nodeRowsPerRow<Dim> * set.numIntervals();
      const Kokkos::View<std::int64_t*, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>> bases(
        array<std::int64_t>(numBases), static_cast<std::size_t>(numBases));
      nodeBases<Space, Dim>(context_, set, rows, bases);
      level.bases = bases.data();
      level.nodeNumbers = array<std::int64_t>(numNodes(rows.view()));
      detail::numberNodes<Space, Dim>(context_.space(), nodesOf(l), table_.corners, level.nodeNumbers);
    }
  }

  void makeSplitLeaves() {
    for (const Set& set : scratch_.split) {
      split_.count += set.numCells();
    }
    split_.records = array<SplitLeaf<Dim>>(split_.count);
    split_.places = array<std::int64_t>(split_.count * numPlaces<Dim>);
    std::int64_t first = 0;
    for (std::size_t l = 0; l < numLevels_; ++l) {
      const geometry::IntervalSetView<Dim> split = scratch_.split[l].view();
      if (split.numCells > 0) {
        forEachPart(context_.space(), SPANWISE_KERNEL("split leaves"), split.rowOffsets, split.numRows,
          split.numIntervals,
          detail::MakeSplitLeaves<Dim>{levels_[l], split, scratch_.deep[l].view(), cover_.refined[l].view(),
            mesh_.finest - static_cast<int>(l), split_.records + first, split_.places + first * numPlaces<Dim>,
            split_.isSplit});
        first += split.numCells;
      }
    }
  }

  void makePoints() {
    const Space& space = context_.space();
    auto* const totals = array<detail::PointTotals>(split_.count + 1);
    forEach(
      SPANWISE_KERNEL("find places"), range(split_.count), detail::FindPlaces<Dim>{split_, table_.corners, totals});
    const detail::PointTotals sum = exclusiveScan(space, SPANWISE_KERNEL("scan points"), totals, split_.count);
    auto* const centres = array<FinePoint>(sum.centres);
    auto* const extras = array<FinePoint>(sum.extras);
    forEach(SPANWISE_KERNEL("write extras"), range(split_.count),
      detail::WriteExtras<Dim>{split_, table_.corners, totals, centres, extras});
    const FinePoint* const sorted = sortStably(space, extras, array<FinePoint>(sum.extras), sum.extras, Ascending());
    table_.extras = detail::keepPoints(space, sorted, sum.extras, frame_);
    table_.firstExtra = table_.corners.count + sum.centres;
    FinePoint* const points = mesh_.points.prepare(table_.firstExtra + table_.extras.count);
    detail::copyPoints(space, table_.corners, points);
    detail::copyPoints(space, {centres, sum.centres}, points + table_.corners.count);
    detail::copyPoints(space, table_.extras, points + table_.firstExtra);
    detail::findExtras(space, split_, table_);
    for (std::size_t l = 0; l < numLevels_ && isPiece_; ++l) {
      detail::findNodesInExtras(space, nodesOf(l), table_, levels_[l].nodeNumbers);
    }
  }

  void makeCells() {
    auto* const totals = array<detail::CellTotals>(numLeaves_ + 1);
    detail::countCells<Space, Dim>(context_.space(), levels(), split_, totals);
    const detail::CellTotals sum = exclusiveScan(context_.space(), SPANWISE_KERNEL("scan cells"), totals, numLeaves_);
    detail::MeshArrays arrays{totals, sum, mesh_.types.prepare(sum.cells), mesh_.offsets.prepare(sum.cells + 1),
      mesh_.connectivity.prepare(sum.entries), mesh_.sources.prepare(sum.cells), {}};
    std::int64_t others = 0;
    for (std::size_t l = 0; l < numLevels_; ++l) {
      arrays.othersBefore[l] = others + levels_[l].firstOwned;
      others += levels_[l].leaves.numCells - (levels_[l].endOwned - levels_[l].firstOwned);
    }
    detail::writeCells<Space, Dim>(context_.space(), levels(), split_, table_, arrays);
  }

  Context<Space> context_; ///< that reports to nobody
  const LeavesOn<Dim, Space>& leaves_;
  const LeafCoverOn<Dim, Space>& cover_;
  ConformingMeshOn<Space>& mesh_;
  ConformingScratchOn<Dim, Space>& scratch_;
  Frame frame_;
  std::size_t numLevels_;
  bool isPiece_ = false; ///< whether cells are made of some of the leaves only
  std::array<detail::MeshLevel<Dim>, detail::maxMeshLevels> levels_{};
  detail::PointTable table_{};
  std::int64_t numLeaves_ = 0;
  detail::SplitLeaves<Dim> split_;
};

template <class ExecutionSpace>
void clearMesh(ConformingMeshOn<ExecutionSpace>& mesh) {
  mesh.points.clear();
  mesh.types.clear();
  mesh.connectivity.clear();
  mesh.sources.clear();
  mesh.shareOffsets.clear();
  mesh.shares.clear();
}

} // namespace

template <class ExecutionSpace, int Dim>
void makeConformingMesh(const Context<ExecutionSpace>& context, const LeavesOn<Dim, ExecutionSpace>& leaves,
  const LeafCoverOn<Dim, ExecutionSpace>& cover, const ConformingOptions& options,
  ConformingMeshOn<ExecutionSpace>& out, ConformingScratchOn<Dim, ExecutionSpace>& scratch) {
  SPANWISE_REGION("Multilevel::conforming");
  clearMesh<ExecutionSpace>(out);
  const int finest = options.finest;
  if (finest < 0 || finest >= detail::maxMeshLevels || leaves.size() > detail::maxMeshLevels) {
    throw InvalidArgument("a mesh of " + std::to_string(leaves.size()) + " levels with the finest level " +
      std::to_string(finest) + " was asked for; there may be " + std::to_string(detail::maxMeshLevels));
  }
  for (std::size_t l = static_cast<std::size_t>(finest) + 1; l < leaves.size(); ++l) {
    if (!leaves[l].empty()) {
      throw InvalidArgument(
        "level " + std::to_string(l) + " has leaves, but the finest level is said to be " + std::to_string(finest));
    }
  }
  try {
    Mesher<ExecutionSpace, Dim>(context, leaves, cover, finest, out, scratch).run(options, context.progress());
  } catch (...) {
    clearMesh<ExecutionSpace>(out);
    throw;
  }
}

#define SPANWISE_CONFORMING_MESH(Space, Dim)                                                                           \
  template void makeConformingMesh<Space, Dim>(const Context<Space>&, const LeavesOn<Dim, Space>&,                     \
    const LeafCoverOn<Dim, Space>&, const ConformingOptions&, ConformingMeshOn<Space>&,                                \
    ConformingScratchOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_CONFORMING_MESH)

} // namespace spanwise::multilevel
