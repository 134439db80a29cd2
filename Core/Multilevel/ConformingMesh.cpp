#include "Core/Multilevel/ConformingMesh.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Detail/Parts.hpp"
#include "Core/Geometry/Detail/Scan.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Multilevel/Detail/LeafSplit.hpp"
#include "Core/Multilevel/Detail/MeshPoints.hpp"
#include "Core/Multilevel/LevelPlanes.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Runtime/Error.hpp"

#include <array>
#include <limits>

namespace spanwise {

namespace {

using detail::forCells;
using detail::forEach;
using detail::LeafSplit;
using detail::numPlaces;
using detail::placeOfCentre;
using detail::PointList;
using detail::Range;
using detail::RefinedLevels;
using detail::SplitLeaf;

template <int Dim>
inline constexpr int numCorners = 1 << Dim;

/// Stands for no point, and for one that is not among the corners.
constexpr std::int64_t noPoint = -1;
constexpr std::int64_t extraPoint = -2;

/// The leaves of a level, and their nodes in the list of corners.
template <int Dim>
struct MeshLevel {
  IntervalSetView<Dim> leaves;
  SegmentsView segments;     ///< the leaves' intervals
  const std::int64_t* bases; ///< of nodes of the level (nodeBases())
  std::int64_t* nodeNumbers; ///< of these among the points, or noPoint
  std::int64_t firstLeaf;
  std::int64_t firstOwned; ///< numbers of leaves of the level
  std::int64_t endOwned;
  int level;

  /// The number of corner k of the leaf `along` cells behind the begin of interval i: bit d of k is set on the far side
  /// along axis d.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t corner(std::int64_t i, std::int64_t along, int k) const {
    return nodeNumbers[bases[nodeRowsPerRow<Dim> * i + (k >> 1)] + along + (k & 1)];
  }
};

// --- leaves that are split ---

template <int Dim>
struct MakeSplitLeaves {
  MeshLevel<Dim> level;
  IntervalSetView<Dim> split;
  IntervalSetView<Dim> deep;
  IntervalSetView<Dim> refined;
  int shift; ///< from the level to the finest one
  SplitLeaf<Dim>* records;
  std::int64_t* places;
  std::uint8_t* isSplit; ///< of each leaf

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t /*k*/, std::int64_t s) const {
    const RowKey<Dim> key = split.rowKeys[row];
    const Interval interval = split.intervals[s];
    const std::int64_t leafRow = level.leaves.findRow(key);
    const std::int64_t i = level.leaves.lowerInterval(leafRow, interval.begin);
    const std::int64_t deepRow = deep.numRows > 0 ? deep.findRow(key) : -1;
    constexpr int rowsAround = Dim == 2 ? 3 : 9;
    std::int64_t aroundRows[rowsAround];
    for (int r = 0; r < rowsAround; ++r) {
      aroundRows[r] = refined.findRow(RowKey<Dim>::fromYZ(key.y + r % 3 - 1, key.zOr0() + r / 3 - 1));
    }
    for (Coordinate x = interval.begin; x < interval.end; ++x) {
      const std::int64_t along = std::int64_t{x} - level.leaves.intervals[i].begin;
      const std::int64_t cell = level.leaves.cellOffsets[i] + along;
      const std::int64_t n = split.cellOffsets[s] + (x - interval.begin);
      SplitLeaf<Dim> record{};
      record.lowest = {{std::int64_t{x} * (std::int64_t{1} << shift), std::int64_t{key.y} * (std::int64_t{1} << shift),
        std::int64_t{key.zOr0()} * (std::int64_t{1} << shift)}};
      record.leaf = level.firstLeaf + cell;
      record.level = static_cast<std::uint8_t>(level.level);
      record.deep = deepRow >= 0 && deep.findCellInRow(deepRow, x) >= 0;
      record.owned = level.firstOwned <= cell && cell < level.endOwned;
      std::uint32_t around = 0;
      for (int r = 0; r < rowsAround; ++r) {
        around |= aroundRows[r] < 0 ? 0U : bitsAround(aroundRows[r], x) << (3 * r);
      }
      record.cuts = detail::cutsOf<Dim>(around);
      records[n] = record;
      isSplit[record.leaf] = 1;
      std::int64_t* const placesOfLeaf = places + n * numPlaces<Dim>;
      for (int k = 0; k < numCorners<Dim>; ++k) {
        placesOfLeaf[2 * (k & 1) + 6 * (k >> 1 & 1) + 18 * (k >> 2)] = level.corner(i, along, k);
      }
    }
  }

  /// Which of the cells x - 1, x and x + 1 of a row are refined.
  [[nodiscard]] KOKKOS_FUNCTION std::uint32_t bitsAround(std::int64_t row, Coordinate x) const {
    std::uint32_t bits = 0;
    for (std::int64_t i = refined.lowerInterval(row, x - 1);
      i < refined.rowOffsets[row + 1] && refined.intervals[i].begin <= x + 1; ++i) {
      for (int k = 0; k < 3; ++k) {
        const Coordinate at = x - 1 + k;
        bits |= static_cast<std::uint32_t>(refined.intervals[i].begin <= at && at < refined.intervals[i].end) << k;
      }
    }
    return bits;
  }
};

/// Points that are made for a split leaf.
struct PointTotals {
  std::int64_t centres = 0;
  std::int64_t extras = 0; ///< points that are no corners, of which other leaves may be sure, too

  KOKKOS_FUNCTION PointTotals& operator+=(const PointTotals& other) {
    centres += other.centres;
    extras += other.extras;
    return *this;
  }
};

/// Looks the points of split leaves up among the corners.
template <int Dim>
struct FindPlaces {
  const SplitLeaf<Dim>* records;
  RefinedLevels<Dim> refined;
  PointList corners;
  std::int64_t* places;
  PointTotals* totals;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const SplitLeaf<Dim> record = records[n];
    const LeafSplit<Dim> split(record, refined);
    std::int64_t* const placesOfLeaf = places + n * numPlaces<Dim>;
    std::uint32_t used = 0;
    std::int64_t extras = 0;
    split.forPoints([&](const FinePoint& point) {
      const int place = split.placeOf(point);
      used |= place < 0 ? 0U : 1U << place;
      extras += static_cast<std::int64_t>(place < 0 && corners.find(point) < 0);
    });
    for (int place = 0; place < numPlaces<Dim>; ++place) {
      if (detail::middlesOfPlace(place) == 0) {
        continue;
      }
      placesOfLeaf[place] = noPoint;
      if ((used >> place & 1U) != 0) {
        placesOfLeaf[place] = find(split, place, placesOfLeaf);
        extras += static_cast<std::int64_t>(placesOfLeaf[place] == extraPoint);
      }
    }
    totals[n] = record.owned ? PointTotals{1, extras} : PointTotals{};
  }

  /// Between the lowest and the highest corner of the edge or face that a place is in the middle of, if they are there.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t find(
    const LeafSplit<Dim>& split, int place, const std::int64_t* placesOfLeaf) const {
    int lowest = place;
    int highest = place;
    for (int rest = place, step = 1; rest > 0; rest /= 3, step *= 3) {
      lowest -= rest % 3 == 1 ? step : 0;
      highest += rest % 3 == 1 ? step : 0;
    }
    const std::int64_t first = Kokkos::max<std::int64_t>(placesOfLeaf[lowest], 0);
    const std::int64_t last = placesOfLeaf[highest] < 0 ? corners.count - 1 : placesOfLeaf[highest];
    const std::int64_t found = corners.find(split.pointOf(place), first, last);
    return found < 0 ? extraPoint : found;
  }
};

/// Writes the centres of split leaves, and their points that are no corners.
template <int Dim>
struct WriteExtras {
  const SplitLeaf<Dim>* records;
  RefinedLevels<Dim> refined;
  PointList corners;
  std::int64_t* places;
  const PointTotals* before;
  FinePoint* centres;
  FinePoint* extras;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const SplitLeaf<Dim> record = records[n];
    if (!record.owned) {
      return;
    }
    const LeafSplit<Dim> split(record, refined);
    std::int64_t* const placesOfLeaf = places + n * numPlaces<Dim>;
    centres[before[n].centres] = split.centre();
    placesOfLeaf[placeOfCentre<Dim>] = corners.count + before[n].centres;
    std::int64_t at = before[n].extras;
    for (int place = 0; place < numPlaces<Dim>; ++place) {
      if (placesOfLeaf[place] == extraPoint) {
        extras[at++] = split.pointOf(place);
      }
    }
    if (record.deep) {
      split.forPoints([&](const FinePoint& point) {
        if (split.placeOf(point) < 0 && corners.find(point) < 0) {
          extras[at++] = point;
        }
      });
    }
  }
};

/// All points by number: corners, then centres, then all others.
struct PointTable {
  PointList corners;
  PointList extras;
  std::int64_t firstExtra;

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t findExtra(const FinePoint& point) const {
    const std::int64_t found = extras.find(point);
    return found < 0 ? noPoint : firstExtra + found;
  }
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t find(const FinePoint& point) const {
    const std::int64_t found = corners.find(point);
    return found < 0 ? findExtra(point) : found;
  }
};

template <int Dim>
struct FindExtras {
  const SplitLeaf<Dim>* records;
  RefinedLevels<Dim> refined;
  PointTable table;
  std::int64_t* places;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const SplitLeaf<Dim> record = records[n];
    const LeafSplit<Dim> split(record, refined);
    std::int64_t* const placesOfLeaf = places + n * numPlaces<Dim>;
    for (int place = 0; place < numPlaces<Dim>; ++place) {
      const bool isMissing = placesOfLeaf[place] == noPoint && detail::middlesOfPlace(place) == 0;
      if (placesOfLeaf[place] == extraPoint || isMissing) {
        placesOfLeaf[place] = table.findExtra(split.pointOf(place));
      }
    }
  }
};

/// Corners of leaves of which no cells are made may be extra points of others.
template <int Dim>
struct FindNodesInExtras {
  detail::LevelNodeRows<Dim> level;
  PointTable table;
  std::int64_t* numbers;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    level.forNodes(first, last, [&](std::int64_t n, const FinePoint& point) {
      numbers[n] = numbers[n] < 0 ? table.findExtra(point) : numbers[n];
    });
  }
};

// --- cells ---

/// Cells, and entries of the connectivity.
struct CellTotals {
  std::int64_t cells = 0;
  std::int64_t entries = 0;

  KOKKOS_FUNCTION CellTotals& operator+=(const CellTotals& other) {
    cells += other.cells;
    entries += other.entries;
    return *this;
  }
};

/// One cell for each leaf of a level that is owned.
template <int Dim>
struct CountWhole {
  std::int64_t firstOwned;
  std::int64_t endOwned;
  CellTotals* totals;
  KOKKOS_FUNCTION void operator()(std::int64_t c) const {
    totals[c] = firstOwned <= c && c < endOwned ? CellTotals{1, numCorners<Dim>} : CellTotals{};
  }
};

template <int Dim>
struct CountSplit {
  const SplitLeaf<Dim>* records;
  RefinedLevels<Dim> refined;
  CellTotals* totals;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const SplitLeaf<Dim> record = records[n];
    if (!record.owned) {
      return;
    }
    CellTotals sum;
    LeafSplit<Dim>(record, refined).forCells([&](MeshCell /*type*/, const FinePoint* /*points*/, int count) {
      sum += {1, count};
    });
    totals[record.leaf] = sum;
  }
};

struct MeshArrays {
  const CellTotals* before; ///< of each leaf, what the leaves before it have
  MeshCell* types;
  std::int64_t* offsets;
  std::int64_t* connectivity;
  std::int64_t* sources;
};

template <int Dim>
struct WriteWhole {
  MeshLevel<Dim> level;
  const std::uint8_t* isSplit;
  MeshArrays mesh;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    level.segments.forPieces(
      first + level.firstOwned, last + level.firstOwned, [&](std::int64_t i, std::int64_t begin, std::int64_t end) {
        for (std::int64_t along = begin; along < end; ++along) {
          const std::int64_t leaf = level.firstLeaf + level.leaves.cellOffsets[i] + along;
          if (isSplit[leaf] == 0) {
            write(leaf, i, along);
          }
        }
      });
  }

  KOKKOS_FUNCTION void write(std::int64_t leaf, std::int64_t i, std::int64_t along) const {
    const CellTotals at = mesh.before[leaf];
    mesh.types[at.cells] = Dim == 2 ? MeshCell::Quadrilateral : MeshCell::Hexahedron;
    mesh.offsets[at.cells] = at.entries;
    mesh.sources[at.cells] = leaf;
    for (int k = 0; k < numCorners<Dim>; ++k) { // around, not row by row
      mesh.connectivity[at.entries + k] = level.corner(i, along, k ^ (k >> 1 & 1));
    }
  }
};

template <int Dim>
struct WriteSplit {
  const SplitLeaf<Dim>* records;
  RefinedLevels<Dim> refined;
  PointTable table;
  const std::int64_t* places;
  MeshArrays mesh;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const SplitLeaf<Dim> record = records[n];
    if (!record.owned) {
      return;
    }
    const LeafSplit<Dim> split(record, refined);
    const std::int64_t* const placesOfLeaf = places + n * numPlaces<Dim>;
    CellTotals at = mesh.before[record.leaf];
    split.forCells([&](MeshCell type, const FinePoint* points, int count) {
      mesh.types[at.cells] = type;
      mesh.offsets[at.cells] = at.entries;
      mesh.sources[at.cells] = record.leaf;
      for (int k = 0; k < count; ++k) {
        const int place = split.placeOf(points[k]);
        mesh.connectivity[at.entries + k] = place < 0 ? table.find(points[k]) : placesOfLeaf[place];
      }
      at += {1, count};
    });
  }
};

struct EndOffsets {
  CellTotals end;
  std::int64_t* offsets;
  KOKKOS_FUNCTION void operator()(std::int64_t /*one*/) const { offsets[end.cells] = end.entries; }
};

struct CopyPoints {
  const FinePoint* from;
  FinePoint* to;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const { to[k] = from[k]; }
};

// --- leaves at points ---

struct Clear {
  std::int64_t* values;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const { values[k] = 0; }
};

struct ClearMarks {
  std::uint8_t* marks;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const { marks[k] = 0; }
};

struct CopyNumbers {
  const std::int64_t* from;
  std::int64_t* to;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const { to[k] = from[k]; }
};

/// Counts the leaves at points, or writes them where there is room.
struct AddShare {
  std::int64_t* counts; ///< or where the next share of each point goes
  LeafShare* shares;    ///< null: count

  KOKKOS_FUNCTION void operator()(std::int64_t point, std::int64_t leaf, int level, int log2Orthants) const {
    if (point < 0) {
      return;
    }
    const std::int64_t at = Kokkos::atomic_fetch_add(&counts[point], std::int64_t{1});
    if (shares != nullptr) {
      shares[at] = LeafShare(leaf, level, log2Orthants);
    }
  }
};

template <int Dim>
struct ShareWhole {
  MeshLevel<Dim> level;
  const std::uint8_t* isSplit;
  AddShare add;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    level.segments.forPieces(first, last, [&](std::int64_t i, std::int64_t begin, std::int64_t end) {
      for (std::int64_t along = begin; along < end; ++along) {
        const std::int64_t leaf = level.firstLeaf + level.leaves.cellOffsets[i] + along;
        for (int k = 0; k < numCorners<Dim> && isSplit[leaf] == 0; ++k) {
          add(level.corner(i, along, k), leaf, level.level, 0);
        }
      }
    });
  }
};

template <int Dim>
struct ShareSplit {
  const SplitLeaf<Dim>* records;
  RefinedLevels<Dim> refined;
  PointTable table;
  const std::int64_t* places;
  AddShare add;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const SplitLeaf<Dim> record = records[n];
    const LeafSplit<Dim> split(record, refined);
    for (int place = 0; place < numPlaces<Dim>; ++place) {
      add(places[n * numPlaces<Dim> + place], record.leaf, record.level, detail::middlesOfPlace(place));
    }
    if (record.deep) {
      split.forPoints([&](const FinePoint& point) {
        if (split.placeOf(point) < 0) {
          add(table.find(point), record.leaf, record.level, split.middlesOf(point));
        }
      });
    }
  }
};

struct SortShares {
  const std::int64_t* offsets;
  LeafShare* shares;
  KOKKOS_FUNCTION void operator()(std::int64_t p) const {
    detail::insertionSort(shares + offsets[p], offsets[p + 1] - offsets[p], detail::Ascending());
  }
};

struct Means {
  const std::int64_t* offsets;
  const LeafShare* shares;
  const double* leafValues;
  double* pointValues;

  KOKKOS_FUNCTION void operator()(std::int64_t p) const {
    double sum = 0.0;
    double weights = 0.0;
    for (std::int64_t s = offsets[p]; s < offsets[p + 1]; ++s) {
      if (s == offsets[p] || !(shares[s] == shares[s - 1])) {
        sum += shares[s].weight() * leafValues[shares[s].leaf()]; // a power of two: the product is exact
        weights += shares[s].weight();
      }
    }
    pointValues[p] = sum / weights;
  }
};

/// Everything that one call works on.
template <class Space, int Dim>
class Mesher {
  using Memory = typename Space::memory_space;
  using Frame = typename Workspace<Memory>::Frame;
  using Set = IntervalSetOn<Dim, Space>;

public:
  Mesher(const Space& space, const LeavesOn<Dim, Space>& leaves, const LeafCoverOn<Dim, Space>& cover, int finest,
    ConformingMeshOn<Space>& out, ConformingScratchOn<Dim, Space>& scratch, Workspace<Memory>& workspace)
    : space_(space), leaves_(leaves), cover_(cover), mesh_(out), scratch_(scratch), workspace_(workspace),
      frame_(workspace), numLevels_(leaves.size()) {
    refined_.finest = mesh_.finest = finest;
    refined_.numLevels = static_cast<int>(numLevels_);
    for (std::size_t l = 0; l < numLevels_; ++l) {
      refined_.levels[l] = cover.refined[l].view();
      numLeaves_ += leaves[l].numCells();
    }
  }

  void run(const PlaneRange& planes, const Progress& progress) {
    isPiece_ = !(planes == PlaneRange());
    findSplitLeaves();
    makeNodeRows(planes);
    table_.corners =
      detail::mergeNodes<Space, Dim>(space_, isPiece_ ? scratch_.ownedRows : scratch_.nodeRows, mesh_.finest, frame_);
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
  [[nodiscard]] Range<Space> range(std::int64_t count) const { return Range<Space>(space_, 0, count); }

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
        space_, MorphologyOperation::Dilate, cover_.refined[l], scratch_.cutting, scratch_.around, workspace_);
      combine<Space, Dim>(
        space_, SetOperation::Intersection, leaves_[l], scratch_.around, scratch_.split[l], workspace_);
      if (!scratch_.split[l].empty() && !cover_.refined[l + 1].empty()) {
        morph<Space, Dim>(
          space_, MorphologyOperation::Dilate, cover_.refined[l + 1], scratch_.touching, scratch_.around, workspace_);
        coarsen<Space, Dim>(space_, Coarsening::Outside, scratch_.around, scratch_.coarse, workspace_);
        combine<Space, Dim>(
          space_, SetOperation::Intersection, scratch_.split[l], scratch_.coarse, scratch_.deep[l], workspace_);
      }
    }
  }

  void makeNodeRows(const PlaneRange& planes) {
    scratch_.nodeRows.resize(numLevels_);
    scratch_.owned.resize(numLevels_);
    scratch_.ownedRows.resize(numLevels_);
    for (std::size_t l = 0; l < numLevels_; ++l) {
      nodeRowsOf<Space, Dim>(space_, leaves_[l], scratch_.nodeRows[l], scratch_.ofNodeRows, workspace_);
      if (isPiece_) {
        restrictRows<Space, Dim>(space_, leaves_[l], planesOfLevel(planes, static_cast<int>(l)), scratch_.owned[l]);
        nodeRowsOf<Space, Dim>(space_, scratch_.owned[l], scratch_.ownedRows[l], scratch_.ofNodeRows, workspace_);
      }
    }
  }

  void makeLevels(const PlaneRange& planes) {
    std::int64_t firstLeaf = 0;
    for (std::size_t l = 0; l < numLevels_; ++l) {
      const Set& set = leaves_[l];
      const Set& rows = scratch_.nodeRows[l];
      MeshLevel<Dim>& level = levels_[l];
      level = {};
      level.leaves = set.view();
      level.level = static_cast<int>(l);
      level.firstLeaf = firstLeaf;
      firstLeaf += set.numCells();
      if (set.empty()) {
        continue;
      }
      const Slab slab = slabOf<Space, Dim>(space_, set, planesOfLevel(planes, level.level));
      level.firstOwned = slab.firstCell;
      level.endOwned = slab.endCell;
      const std::int64_t chunks = (set.numCells() + SegmentsView::cellsPerChunk - 1) / SegmentsView::cellsPerChunk;
      auto* const ofChunk = array<std::int64_t>(chunks + 1);
      level.segments = {level.leaves.cellOffsets, ofChunk, set.numIntervals(), set.numCells()};
      forEach(SPANWISE_KERNEL("leaf chunks"), range(chunks + 1), detail::FindSegmentOfChunk{level.segments, ofChunk});
      const std::int64_t numBases = nodeRowsPerRow<Dim> * set.numIntervals();
      const Kokkos::View<std::int64_t*, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>> bases(
        array<std::int64_t>(numBases), static_cast<std::size_t>(numBases));
      nodeBases<Space, Dim>(space_, set, rows, bases);
      level.bases = bases.data();
      const std::int64_t count = numNodes(rows.view());
      auto* const numbers = array<std::int64_t>(count);
      forCells(space_, SPANWISE_KERNEL("number nodes"), count,
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
      const IntervalSetView<Dim> split = scratch_.split[l].view();
      if (split.numCells > 0) {
        detail::forEachPart(space_, SPANWISE_KERNEL("split leaves"), split.rowOffsets, split.numRows,
          split.numIntervals,
          MakeSplitLeaves<Dim>{levels_[l], split, scratch_.deep[l].view(), cover_.refined[l].view(),
            mesh_.finest - static_cast<int>(l), records_ + first, places_ + first * numPlaces<Dim>, isSplit_});
        first += split.numCells;
      }
    }
  }

  void makePoints() {
    auto* const totals = array<PointTotals>(numSplit_ + 1);
    forEach(SPANWISE_KERNEL("find places"), range(numSplit_),
      FindPlaces<Dim>{records_, refined_, table_.corners, places_, totals});
    const PointTotals sum = detail::exclusiveScan(space_, SPANWISE_KERNEL("scan points"), totals, numSplit_);
    auto* const centres = array<FinePoint>(sum.centres);
    auto* const extras = array<FinePoint>(sum.extras);
    forEach(SPANWISE_KERNEL("write extras"), range(numSplit_),
      WriteExtras<Dim>{records_, refined_, table_.corners, places_, totals, centres, extras});
    const FinePoint* const sorted =
      detail::sortStably(space_, extras, array<FinePoint>(sum.extras), sum.extras, detail::Ascending());
    table_.extras = detail::keepPoints(space_, sorted, sum.extras, frame_);
    table_.firstExtra = table_.corners.count + sum.centres;
    FinePoint* const points = mesh_.points.prepare(table_.firstExtra + table_.extras.count);
    const auto append = [&](const FinePoint* from, std::int64_t count, std::int64_t first) {
      forEach(SPANWISE_KERNEL("copy points"), range(count), CopyPoints{from, points + first});
    };
    append(table_.corners.points, table_.corners.count, 0);
    append(centres, sum.centres, table_.corners.count);
    append(table_.extras.points, table_.extras.count, table_.firstExtra);
    forEach(SPANWISE_KERNEL("find extras"), range(numSplit_), FindExtras<Dim>{records_, refined_, table_, places_});
    for (std::size_t l = 0; l < numLevels_ && isPiece_; ++l) {
      const IntervalSetView<Dim> rows = scratch_.nodeRows[l].view();
      forCells(space_, SPANWISE_KERNEL("nodes in extras"), numNodes(rows),
        FindNodesInExtras<Dim>{{rows, mesh_.finest - static_cast<int>(l)}, table_, levels_[l].nodeNumbers});
    }
  }

  void makeCells() {
    auto* const totals = array<CellTotals>(numLeaves_ + 1);
    for (std::size_t l = 0; l < numLevels_; ++l) {
      const MeshLevel<Dim>& level = levels_[l];
      forEach(SPANWISE_KERNEL("count whole"), range(level.leaves.numCells),
        CountWhole<Dim>{level.firstOwned, level.endOwned, totals + level.firstLeaf});
    }
    forEach(SPANWISE_KERNEL("count split"), range(numSplit_), CountSplit<Dim>{records_, refined_, totals});
    const CellTotals sum = detail::exclusiveScan(space_, SPANWISE_KERNEL("scan cells"), totals, numLeaves_);
    const MeshArrays arrays{totals, mesh_.types.prepare(sum.cells), mesh_.offsets.prepare(sum.cells + 1),
      mesh_.connectivity.prepare(sum.entries), mesh_.sources.prepare(sum.cells)};
    for (std::size_t l = 0; l < numLevels_; ++l) {
      forCells(space_, SPANWISE_KERNEL("write whole"), levels_[l].endOwned - levels_[l].firstOwned,
        WriteWhole<Dim>{levels_[l], isSplit_, arrays});
    }
    forEach(
      SPANWISE_KERNEL("write split"), range(numSplit_), WriteSplit<Dim>{records_, refined_, table_, places_, arrays});
    forEach(SPANWISE_KERNEL("end offsets"), range(1), EndOffsets{sum, arrays.offsets});
  }

  void addShares(const AddShare& add) {
    for (std::size_t l = 0; l < numLevels_; ++l) {
      forCells(
        space_, SPANWISE_KERNEL("share whole"), levels_[l].leaves.numCells, ShareWhole<Dim>{levels_[l], isSplit_, add});
    }
    forEach(
      SPANWISE_KERNEL("share split"), range(numSplit_), ShareSplit<Dim>{records_, refined_, table_, places_, add});
  }

  void shareLeaves() {
    const std::int64_t numPoints = mesh_.points.count();
    std::int64_t* const offsets = mesh_.shareOffsets.prepare(numPoints + 1);
    forEach(SPANWISE_KERNEL("clear counts"), range(numPoints + 1), Clear{offsets});
    addShares({offsets, nullptr});
    const std::int64_t sum = detail::exclusiveScan(space_, SPANWISE_KERNEL("scan shares"), offsets, numPoints);
    auto* const next = array<std::int64_t>(numPoints);
    forEach(SPANWISE_KERNEL("copy offsets"), range(numPoints), CopyNumbers{offsets, next});
    LeafShare* const shares = mesh_.shares.prepare(sum);
    addShares({next, shares});
    forEach(SPANWISE_KERNEL("sort shares"), range(numPoints), SortShares{offsets, shares});
  }

  const Space& space_;
  const LeavesOn<Dim, Space>& leaves_;
  const LeafCoverOn<Dim, Space>& cover_;
  ConformingMeshOn<Space>& mesh_;
  ConformingScratchOn<Dim, Space>& scratch_;
  Workspace<Memory>& workspace_;
  Frame frame_;
  std::size_t numLevels_;
  bool isPiece_ = false; ///< whether cells are made of some of the leaves only
  RefinedLevels<Dim> refined_;
  std::array<MeshLevel<Dim>, RefinedLevels<Dim>::maxLevels> levels_{};
  PointTable table_{};
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
void makeConformingMesh(const ExecutionSpace& space, const LeavesOn<Dim, ExecutionSpace>& leaves,
  const LeafCoverOn<Dim, ExecutionSpace>& cover, int finest, const PlaneRange& planes,
  ConformingMeshOn<ExecutionSpace>& out, ConformingScratchOn<Dim, ExecutionSpace>& scratch,
  Workspace<typename ExecutionSpace::memory_space>& workspace, const Progress& progress) {
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
    Mesher<ExecutionSpace, Dim>(space, leaves, cover, finest, out, scratch, workspace).run(planes, progress);
  } catch (...) {
    clearMesh<ExecutionSpace>(out);
    throw;
  }
}

template <class ExecutionSpace>
void meansAtPoints(const ExecutionSpace& space, const ConformingMeshOn<ExecutionSpace>& mesh,
  const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& leafValues,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& pointValues) {
  SPANWISE_REGION("Multilevel::meansAtPoints");
  forEach(SPANWISE_KERNEL("means at points"), Range<ExecutionSpace>(space, 0, mesh.points.count()),
    Means{mesh.shareOffsets.data(), mesh.shares.data(), leafValues.data(), pointValues.data()});
}

#define SPANWISE_CONFORMING_MESH(Space, Dim)                                                                           \
  template void makeConformingMesh<Space, Dim>(const Space&, const LeavesOn<Dim, Space>&,                              \
    const LeafCoverOn<Dim, Space>&, int, const PlaneRange&, ConformingMeshOn<Space>&,                                  \
    ConformingScratchOn<Dim, Space>&, Workspace<Space::memory_space>&, const Progress&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_CONFORMING_MESH)

#define SPANWISE_MEANS_AT_POINTS(Space)                                                                                \
  template void meansAtPoints<Space>(const Space&, const ConformingMeshOn<Space>&,                                     \
    const Kokkos::View<const double*, Space::memory_space>&, const Kokkos::View<double*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_MEANS_AT_POINTS)

} // namespace spanwise
