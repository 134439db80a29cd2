#include "Core/Field/BlockSet.hpp"

#include "Core/Field/ForEachCell.hpp"
#include "Core/Geometry/Builders/Cells.hpp"
#include "Core/Geometry/Measures.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/HilbertCurve.hpp"
#include "Core/Runtime/MergeSort.hpp"
#include "Core/Runtime/Scan.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace spanwise::field {

namespace {

/// The block of a coordinate.
template <int Dim>
KOKKOS_FUNCTION geometry::Coordinate blockOf(geometry::Coordinate c) {
  return c >> BlockShape<Dim>::log2Side;
}

/// Writes the blocks of each interval.
template <int Dim>
struct ListBlocks {
  geometry::IntervalSetView<Dim> set;
  geometry::Cell<Dim>* blocks;

  KOKKOS_FUNCTION void operator()(std::int64_t interval, std::int64_t k, std::int64_t p) const {
    const geometry::RowKey<Dim> key = set.rowKeys[set.rowOfInterval(interval)];
    geometry::Cell<Dim> block{};
    block.at[0] = static_cast<geometry::Coordinate>(blockOf<Dim>(set.intervals[interval].begin) + k);
    block.at[1] = blockOf<Dim>(key.y);
    if constexpr (Dim == 3) {
      block.at[2] = blockOf<Dim>(key.z);
    }
    blocks[p] = block;
  }
};

/// Which cells of blocks, in the order of rows, are in a set: for ranges of blocks, interval by interval.
template <int Dim>
struct FindCellsOfBlocks {
  using Shape = BlockShape<Dim>;

  geometry::IntervalSetView<Dim> blocks;
  geometry::IntervalSetView<Dim> set;
  std::uint64_t* cells; ///< of each block

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    std::int64_t i = blocks.intervalOfCell(first);
    std::int64_t row = blocks.rowOfInterval(i);
    for (std::int64_t number = first; number < last; ++i) {
      row += i == blocks.rowOffsets[row + 1] ? 1 : 0;
      const std::int64_t end = Kokkos::min(blocks.cellOffsets[i + 1], last);
      const std::int64_t x = blocks.intervals[i].begin + (number - blocks.cellOffsets[i]);
      findIn(row, x, number, end);
      number = end;
    }
  }

private:
  /// The blocks [number, end), which lie side by side from x on.
  KOKKOS_FUNCTION void findIn(std::int64_t row, std::int64_t x, std::int64_t number, std::int64_t end) const {
    for (std::int64_t b = number; b < end; ++b) {
      cells[b] = 0;
    }
    const geometry::RowKey<Dim> key = blocks.rowKeys[row];
    const std::int64_t left = x * Shape::side;
    const std::int64_t right = left + (end - number) * Shape::side;
    for (int r = 0; r < Shape::numRows; ++r) {
      const std::int64_t found = set.findRow(geometry::RowKey<Dim>::fromYZ(
        key.y * Shape::side + r % Shape::side, key.zOr0() * Shape::side + r / Shape::side));
      if (found < 0) {
        continue;
      }
      const std::int64_t lastInterval = set.rowOffsets[found + 1];
      for (std::int64_t i = set.lowerInterval(found, static_cast<geometry::Coordinate>(left)); i < lastInterval; ++i) {
        std::int64_t begin = Kokkos::max<std::int64_t>(set.intervals[i].begin, left) - left;
        const std::int64_t until = Kokkos::min<std::int64_t>(set.intervals[i].end, right) - left;
        if (begin >= until) {
          break;
        }
        while (begin < until) {
          const std::int64_t block = begin / Shape::side;
          const std::int64_t length = Kokkos::min(until, (block + 1) * Shape::side) - begin;
          const std::uint64_t run = Shape::firstRow >> (Shape::side - length);
          cells[number + block] |= run << (r * Shape::side + begin % Shape::side);
          begin += length;
        }
      }
    }
  }
};

/// A block by where it comes, and its number in the order of rows.
struct OrderedBlock {
  std::uint64_t key;
  std::int64_t number;

  friend KOKKOS_FUNCTION bool operator<(const OrderedBlock& a, const OrderedBlock& b) { return a.key < b.key; }
};

/// Along which curve blocks come, those of a group first if its masks are given.
template <int Dim>
struct KeysOfBlocks {
  BlockOrder order;
  geometry::Box<Dim> box;
  int bits;  ///< of a coordinate in the box
  int shift; ///< lower ones that are left out
  const std::uint64_t* first;
  OrderedBlock* keys;

  KOKKOS_FUNCTION void operator()(std::int64_t number, const geometry::Cell<Dim>& block) const {
    std::uint64_t key = 0;
    if (order != BlockOrder::Row) {
      std::uint32_t at[Dim];
      for (int d = 0; d < Dim; ++d) {
        at[d] = static_cast<std::uint32_t>((std::int64_t{block.at[d]} - box.begin[d]) >> shift);
      }
      key = order == BlockOrder::Hilbert ? hilbertNumber(at, Dim, bits) : mortonNumber(at);
    }
    constexpr std::uint64_t later = std::uint64_t{1} << 63;
    keys[number] = {key | (first != nullptr && first[number] == 0 ? later : 0), number};
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION std::uint64_t mortonNumber(const std::uint32_t (&at)[Dim]) const {
    std::uint64_t key = 0;
    for (int bit = 0; bit < bits; ++bit) {
      for (int d = 0; d < Dim; ++d) {
        key |= static_cast<std::uint64_t>(at[d] >> bit & 1U) << (bit * Dim + d);
      }
    }
    return key;
  }
};

/// The blocks around each, from the map of their coordinates.
template <int Dim>
struct FindBlocksAround {
  using Shape = BlockShape<Dim>;
  using Segment = StencilSegment<BoxPattern<Dim>::count>;

  geometry::SegmentsView lengths;
  const Segment* segments;
  const std::int32_t* ofRows;
  std::int32_t* around;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (std::int64_t number = segments[s].cell + begin; number < segments[s].cell + end; ++number) {
        std::int32_t* const to = around + ofRows[number] * std::int64_t{Shape::numAround};
        for (int a = 0, n = 0; a < Shape::numAround; ++a) {
          const bool itself = a == Shape::numAround / 2;
          const std::int32_t distance = itself ? 0 : segments[s].distance[n++];
          to[a] = Segment::isAbsent(distance) ? -1 : ofRows[number + distance];
        }
      }
    });
  }
};

} // namespace

/// Writes the arrays of a block set.
template <class ExecutionSpace, int Dim>
class BlockSetBuilder {
public:
  using Shape = BlockShape<Dim>;
  using Memory = typename ExecutionSpace::memory_space;
  using Set = geometry::IntervalSetOn<Dim, ExecutionSpace>;

  BlockSetBuilder(const Context<ExecutionSpace>& context, BlockSet<Dim, Memory>& out)
    : context_(context), space_(context.space()), frame_(context.workspace()), out_(out) {}

  void build(const Set& set, const Set& subset, const BlockOptions& options) {
    out_.options_ = options;
    out_.numBlocks_ = out_.numBlocksWith_ = out_.numCells_ = out_.numSubsetCells_ = 0;
    listBlocks(set);
    const std::int64_t count = out_.rows_.numCells();
    constexpr std::int64_t maxBlocks = (std::int64_t{1} << 31) / Shape::numCells - 1;
    if (count > maxBlocks) {
      throw InvalidArgument("a set of " + std::to_string(set.numCells()) + " cells has " + std::to_string(count) +
        " blocks: there may be " + std::to_string(maxBlocks));
    }
    std::uint64_t* const cells = cellsOfBlocks(set);
    std::uint64_t* const ofSubset = cellsOfBlocks(subset);
    forEach(
      SPANWISE_KERNEL("subset cells"), IndexRange<ExecutionSpace>(space_, 0, count),
      KOKKOS_LAMBDA(std::int64_t b) { ofSubset[b] &= cells[b]; });
    const OrderedBlock* const sorted = sort(options, ofSubset);
    place(sorted, cells, ofSubset);
    buildStencilMap<BoxPattern<Dim>, ExecutionSpace>(context_, out_.rows_, {BoundaryPolicy::Value}, out_.neighbours_);
    forCells(space_, SPANWISE_KERNEL("blocks around"), count,
      FindBlocksAround<Dim>{
        out_.neighbours_.lengths(), out_.neighbours_.segments(), out_.ofRows_.data(), out_.around_.data()},
      Work{count * Shape::numAround});
    out_.boundingBox_ = geometry::boundingBox<ExecutionSpace, Dim>(context_, set);
    out_.numCells_ = set.numCells();
    out_.numBlocks_ = count;
  }

  // nvcc takes kernels of functions that are not private.

  /// The coordinates of the blocks, as a set.
  void listBlocks(const Set& set) {
    const geometry::IntervalSetView<Dim> view = set.view();
    std::int64_t* const pieces = frame_.template array<std::int64_t>(view.numIntervals + 1).data();
    forEach(
      SPANWISE_KERNEL("count blocks"), IndexRange<ExecutionSpace>(space_, 0, view.numIntervals),
      KOKKOS_LAMBDA(std::int64_t i) {
        pieces[i] = std::int64_t{blockOf<Dim>(view.intervals[i].end - 1)} - blockOf<Dim>(view.intervals[i].begin) + 1;
      });
    const std::int64_t numPieces = exclusiveScan(space_, SPANWISE_KERNEL("scan blocks"), pieces, view.numIntervals);
    const auto blocks = frame_.template array<geometry::Cell<Dim>>(numPieces);
    forEachPart(space_, SPANWISE_KERNEL("list blocks"), pieces, view.numIntervals, numPieces,
      ListBlocks<Dim>{view, blocks.data()});
    geometry::makeFromCells<ExecutionSpace, Dim>(
      context_, Kokkos::View<const geometry::Cell<Dim>*, Memory>(blocks), out_.rows_);
  }

  /// Which cells of the blocks are in a set.
  std::uint64_t* cellsOfBlocks(const Set& set) {
    const std::int64_t count = out_.rows_.numCells();
    std::uint64_t* const cells = frame_.template array<std::uint64_t>(count).data();
    forCells(space_, SPANWISE_KERNEL("cells of blocks"), count,
      FindCellsOfBlocks<Dim>{out_.rows_.view(), set.view(), cells}, Work{count * Shape::numRows});
    return cells;
  }

  const OrderedBlock* sort(const BlockOptions& options, const std::uint64_t* ofSubset) {
    const std::int64_t count = out_.rows_.numCells();
    const geometry::Box<Dim> box = geometry::boundingBox<ExecutionSpace, Dim>(context_, out_.rows_);
    std::int64_t longest = 2;
    for (int d = 0; d < Dim; ++d) {
      longest = std::max(longest, box.extent(d));
    }
    const int needed = std::bit_width(static_cast<std::uint64_t>(longest - 1));
    const int bits = std::min(needed, 63 / Dim);
    OrderedBlock* const keys = frame_.template array<OrderedBlock>(count).data();
    forEachCell(space_, SPANWISE_KERNEL("order blocks"), out_.rows_,
      KeysOfBlocks<Dim>{options.order, box, bits, needed - bits,
        options.grouping == BlockGrouping::Contiguous ? ofSubset : nullptr, keys});
    return sortStably(space_, keys, frame_.template array<OrderedBlock>(count).data(), count, Ascending());
  }

  /// Writes what is known of each block to its place.
  void place(const OrderedBlock* sorted, const std::uint64_t* cells, const std::uint64_t* ofSubset) {
    const std::int64_t count = out_.rows_.numCells();
    reserve(out_.blocks_, count, SPANWISE_LABEL("Field::blocks"));
    reserve(out_.cells_, count, SPANWISE_LABEL("Field::blockCells"));
    reserve(out_.subset_, count, SPANWISE_LABEL("Field::blockSubset"));
    reserve(out_.subsetBefore_, count + 1, SPANWISE_LABEL("Field::blockSubsetBefore"));
    reserve(out_.around_, count * Shape::numAround, SPANWISE_LABEL("Field::blocksAround"));
    reserve(out_.ofRows_, count, SPANWISE_LABEL("Field::blocksOfRows"));
    const IndexRange<ExecutionSpace> overBlocks(space_, 0, count);
    std::int32_t* const ofRows = out_.ofRows_.data();
    std::uint64_t* const cellsOf = out_.cells_.data();
    std::uint64_t* const subsetOf = out_.subset_.data();
    std::int64_t* const before = out_.subsetBefore_.data();
    forEach(
      SPANWISE_KERNEL("place blocks"), overBlocks, KOKKOS_LAMBDA(std::int64_t b) {
        const std::int64_t number = sorted[b].number;
        ofRows[number] = static_cast<std::int32_t>(b);
        cellsOf[b] = cells[number];
        subsetOf[b] = ofSubset[number];
        before[b] = Kokkos::popcount(ofSubset[number]);
      });
    geometry::Cell<Dim>* const blocks = out_.blocks_.data();
    forEachCell(
      space_, SPANWISE_KERNEL("place blocks"), out_.rows_,
      KOKKOS_LAMBDA(std::int64_t number, const geometry::Cell<Dim>& block) { blocks[ofRows[number]] = block; });
    out_.numSubsetCells_ = exclusiveScan(space_, SPANWISE_KERNEL("scan subset"), before, count);
    reduce(
      SPANWISE_KERNEL("blocks with"), overBlocks,
      KOKKOS_LAMBDA(std::int64_t b, std::int64_t& sum) { sum += subsetOf[b] != 0 ? 1 : 0; }, out_.numBlocksWith_);
  }

private:
  const Context<ExecutionSpace>& context_;
  const ExecutionSpace& space_;
  typename Workspace<Memory>::Frame frame_;
  BlockSet<Dim, Memory>& out_;
};

template <class ExecutionSpace, int Dim>
void buildBlocks(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& subset, const BlockOptions& options,
  BlockSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Field::buildBlocks");
  BlockSetBuilder<ExecutionSpace, Dim>(context, out).build(set, subset, options);
}

#define SPANWISE_BUILD_BLOCKS(Space, Dim)                                                                              \
  template void buildBlocks<Space, Dim>(const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&,             \
    const geometry::IntervalSetOn<Dim, Space>&, const BlockOptions&, BlockSetOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_BUILD_BLOCKS)

} // namespace spanwise::field
