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
using detail::RefinedLevels;
using detail::SplitLeaf;

struct ClearMarks {
  std::uint8_t* marks;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const { marks[k] = 0; }
};

/// Everything that one call works on.
template <class Space, int Dim>
class Mesher {
  using Memory = typename Space::memory_space;
  using Frame = typename Workspace<Memory>::Frame;
  using Set = geometry::IntervalSetOn<Dim, Space>;

public:
  Mesher(const Context<Space>& context, const LeavesOn<Dim, Space>& leaves, const LeafCoverOn<Dim, Space>& cover,
    int finest, ConformingMeshOn<Space>& out, ConformingScratchOn<Dim, Space>& scratch)
    : context_(context), leaves_(leaves), cover_(cover), mesh_(out), scratch_(scratch), frame_(context.workspace()),
      numLevels_(leaves.size()) {
    refined_.finest = mesh_.finest = finest;
    refined_.numLevels = static_cast<int>(numLevels_);
    for (std::size_t l = 0; l < numLevels_; ++l) {
      refined_.levels[l] = cover.refined[l].view();
      numLeaves_ += leaves[l].numCells();
    }
  }

  void run(const parallel::PlaneRange& planes, const Progress& progress) {
    isPiece_ = !(planes == parallel::PlaneRange());
    findSplitLeaves();
    makeNodeRows(planes);
    table_.corners = detail::mergeNodes<Space, Dim>(
      context_.space(), isPiece_ ? scratch_.ownedRows : scratch_.nodeRows, mesh_.finest, frame_);
    progress.report(0.2);
    isSplit_ = array<std::uint8_t>(numLeaves_);
    forEach(SPANWISE_KERNEL("clear marks"), range(numLeaves_), ClearMarks{isSplit_});
    makeLevels(planes);
    makeSplitLeaves();
    progress.report(0.35);
    makePoints();
    progress.report(0.6);
    makeCells();
    progress.report(0.8);
    shareLeaves();
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
      const std::int64_t chunks =
        (set.numCells() + geometry::SegmentsView::cellsPerChunk - 1) / geometry::SegmentsView::cellsPerChunk;
      auto* const ofChunk = array<std::int64_t>(chunks + 1);
      level.segments = {level.leaves.cellOffsets, ofChunk, set.numIntervals(), set.numCells()};
      forEach(SPANWISE_KERNEL("leaf chunks"), range(chunks + 1),
        geometry::detail::FindSegmentOfChunk{level.segments, ofChunk});
      const std::int64_t numBases = geometry::nodeRowsPerRow<Dim> * set.numIntervals();
      const Kokkos::View<std::int64_t*, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>> bases(
        array<std::int64_t>(numBases), static_cast<std::size_t>(numBases));
      nodeBases<Space, Dim>(context_, set, rows, bases);
      level.bases = bases.data();
      const std::int64_t count = numNodes(rows.view());
      auto* const numbers = array<std::int64_t>(count);
      field::forCells(context_.space(), SPANWISE_KERNEL("number nodes"), count,
        detail::NumberNodesIn<Dim>{{rows.view(), mesh_.finest - level.level}, table_.corners, numbers});
      level.nodeNumbers = numbers;
    }
  }

  void makeSplitLeaves() {
    for (const Set& set : scratch_.split) {
      numSplit_ += set.numCells();
    }
    records_ = array<SplitLeaf<Dim>>(numSplit_);
    places_ = array<std::int64_t>(numSplit_ * numPlaces<Dim>);
    std::int64_t first = 0;
    for (std::size_t l = 0; l < numLevels_; ++l) {
      const geometry::IntervalSetView<Dim> split = scratch_.split[l].view();
      if (split.numCells > 0) {
        forEachPart(context_.space(), SPANWISE_KERNEL("split leaves"), split.rowOffsets, split.numRows,
          split.numIntervals,
          detail::MakeSplitLeaves<Dim>{levels_[l], split, scratch_.deep[l].view(), cover_.refined[l].view(),
            mesh_.finest - static_cast<int>(l), records_ + first, places_ + first * numPlaces<Dim>, isSplit_});
        first += split.numCells;
      }
    }
  }

  void makePoints() {
    auto* const totals = array<detail::PointTotals>(numSplit_ + 1);
    forEach(SPANWISE_KERNEL("find places"), range(numSplit_),
      detail::FindPlaces<Dim>{records_, refined_, table_.corners, places_, totals});
    const detail::PointTotals sum = exclusiveScan(context_.space(), SPANWISE_KERNEL("scan points"), totals, numSplit_);
    auto* const centres = array<FinePoint>(sum.centres);
    auto* const extras = array<FinePoint>(sum.extras);
    forEach(SPANWISE_KERNEL("write extras"), range(numSplit_),
      detail::WriteExtras<Dim>{records_, refined_, table_.corners, places_, totals, centres, extras});
    const FinePoint* const sorted =
      sortStably(context_.space(), extras, array<FinePoint>(sum.extras), sum.extras, Ascending());
    table_.extras = detail::keepPoints(context_.space(), sorted, sum.extras, frame_);
    table_.firstExtra = table_.corners.count + sum.centres;
    FinePoint* const points = mesh_.points.prepare(table_.firstExtra + table_.extras.count);
    const auto append = [&](const FinePoint* from, std::int64_t count, std::int64_t first) {
      forEach(SPANWISE_KERNEL("copy points"), range(count), detail::CopyPoints{from, points + first});
    };
    append(table_.corners.points, table_.corners.count, 0);
    append(centres, sum.centres, table_.corners.count);
    append(table_.extras.points, table_.extras.count, table_.firstExtra);
    forEach(
      SPANWISE_KERNEL("find extras"), range(numSplit_), detail::FindExtras<Dim>{records_, refined_, table_, places_});
    for (std::size_t l = 0; l < numLevels_ && isPiece_; ++l) {
      const geometry::IntervalSetView<Dim> rows = scratch_.nodeRows[l].view();
      field::forCells(context_.space(), SPANWISE_KERNEL("nodes in extras"), numNodes(rows),
        detail::FindNodesInExtras<Dim>{{rows, mesh_.finest - static_cast<int>(l)}, table_, levels_[l].nodeNumbers});
    }
  }

  void makeCells() {
    auto* const totals = array<detail::CellTotals>(numLeaves_ + 1);
    for (std::size_t l = 0; l < numLevels_; ++l) {
      const detail::MeshLevel<Dim>& level = levels_[l];
      forEach(SPANWISE_KERNEL("count whole"), range(level.leaves.numCells),
        detail::CountWhole<Dim>{level.firstOwned, level.endOwned, totals + level.firstLeaf});
    }
    forEach(SPANWISE_KERNEL("count split"), range(numSplit_), detail::CountSplit<Dim>{records_, refined_, totals});
    const detail::CellTotals sum = exclusiveScan(context_.space(), SPANWISE_KERNEL("scan cells"), totals, numLeaves_);
    const detail::MeshArrays arrays{totals, mesh_.types.prepare(sum.cells), mesh_.offsets.prepare(sum.cells + 1),
      mesh_.connectivity.prepare(sum.entries), mesh_.sources.prepare(sum.cells)};
    for (std::size_t l = 0; l < numLevels_; ++l) {
      field::forCells(context_.space(), SPANWISE_KERNEL("write whole"), levels_[l].endOwned - levels_[l].firstOwned,
        detail::WriteWhole<Dim>{levels_[l], isSplit_, arrays});
    }
    forEach(SPANWISE_KERNEL("write split"), range(numSplit_),
      detail::WriteSplit<Dim>{records_, refined_, table_, places_, arrays});
    forEach(SPANWISE_KERNEL("end offsets"), range(1), detail::EndOffsets{sum, arrays.offsets});
  }

  void addShares(const detail::AddShare& add) {
    for (std::size_t l = 0; l < numLevels_; ++l) {
      field::forCells(context_.space(), SPANWISE_KERNEL("share whole"), levels_[l].leaves.numCells,
        detail::ShareWhole<Dim>{levels_[l], isSplit_, add});
    }
    forEach(SPANWISE_KERNEL("share split"), range(numSplit_),
      detail::ShareSplit<Dim>{records_, refined_, table_, places_, add});
  }

  void shareLeaves() {
    const std::int64_t numPoints = mesh_.points.count();
    std::int64_t* const offsets = mesh_.shareOffsets.prepare(numPoints + 1);
    forEach(SPANWISE_KERNEL("clear counts"), range(numPoints + 1), detail::ClearNumbers{offsets});
    addShares({offsets, nullptr});
    const std::int64_t sum = exclusiveScan(context_.space(), SPANWISE_KERNEL("scan shares"), offsets, numPoints);
    auto* const next = array<std::int64_t>(numPoints);
    forEach(SPANWISE_KERNEL("copy offsets"), range(numPoints), detail::CopyNumbers{offsets, next});
    LeafShare* const shares = mesh_.shares.prepare(sum);
    addShares({next, shares});
    forEach(SPANWISE_KERNEL("sort shares"), range(numPoints), detail::SortShares{offsets, shares});
  }

  const Context<Space>& context_;
  const LeavesOn<Dim, Space>& leaves_;
  const LeafCoverOn<Dim, Space>& cover_;
  ConformingMeshOn<Space>& mesh_;
  ConformingScratchOn<Dim, Space>& scratch_;
  Frame frame_;
  std::size_t numLevels_;
  bool isPiece_ = false; ///< whether cells are made of some of the leaves only
  RefinedLevels<Dim> refined_;
  std::array<detail::MeshLevel<Dim>, RefinedLevels<Dim>::maxLevels> levels_{};
  detail::PointTable table_{};
  std::int64_t numLeaves_ = 0;
  std::int64_t numSplit_ = 0;
  std::uint8_t* isSplit_ = nullptr;
  SplitLeaf<Dim>* records_ = nullptr;
  std::int64_t* places_ = nullptr;
};

template <class ExecutionSpace>
void clearMesh(ConformingMeshOn<ExecutionSpace>& mesh) {
  mesh.points.clear();
  mesh.types.clear();
  mesh.connectivity.clear();
  mesh.sources.clear();
  mesh.shares.clear();
}

} // namespace

template <class ExecutionSpace, int Dim>
void makeConformingMesh(const Context<ExecutionSpace>& context, const LeavesOn<Dim, ExecutionSpace>& leaves,
  const LeafCoverOn<Dim, ExecutionSpace>& cover, int finest, const parallel::PlaneRange& planes,
  ConformingMeshOn<ExecutionSpace>& out, ConformingScratchOn<Dim, ExecutionSpace>& scratch, const Progress& progress) {
  SPANWISE_REGION("Multilevel::conforming");
  clearMesh<ExecutionSpace>(out);
  if (finest < 0 || finest >= RefinedLevels<Dim>::maxLevels || leaves.size() > RefinedLevels<Dim>::maxLevels) {
    throw InvalidArgument("a mesh of " + std::to_string(leaves.size()) + " levels with the finest level " +
      std::to_string(finest) + " was asked for; there may be " + std::to_string(RefinedLevels<Dim>::maxLevels));
  }
  for (std::size_t l = static_cast<std::size_t>(finest) + 1; l < leaves.size(); ++l) {
    if (!leaves[l].empty()) {
      throw InvalidArgument(
        "level " + std::to_string(l) + " has leaves, but the finest level is said to be " + std::to_string(finest));
    }
  }
  try {
    Mesher<ExecutionSpace, Dim>(context, leaves, cover, finest, out, scratch).run(planes, progress);
  } catch (...) {
    clearMesh<ExecutionSpace>(out);
    throw;
  }
}

#define SPANWISE_CONFORMING_MESH(Space, Dim)                                                                           \
  template void makeConformingMesh<Space, Dim>(const Context<Space>&, const LeavesOn<Dim, Space>&,                     \
    const LeafCoverOn<Dim, Space>&, int, const parallel::PlaneRange&, ConformingMeshOn<Space>&,                        \
    ConformingScratchOn<Dim, Space>&, const Progress&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_CONFORMING_MESH)

} // namespace spanwise::multilevel
