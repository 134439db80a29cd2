#pragma once

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Solvers/Lattice/Detail/StreamMap.hpp"
#include "Core/Solvers/Lattice/Detail/StreamRows.hpp"
#include "Core/Solvers/Lattice/Detail/WalledRows.hpp"

#include <cstdint>

namespace spanwise::lattice::detail {

/// How a segment is stepped.
enum class SegmentKind : std::uint8_t { InStreamRow, BeginsWalledRow, InWalledRow };

/// Finds which segments are the ends of rows.
template <class Set>
struct SegmentsInRow {
  geometry::SegmentsView lengths;
  const StreamSegment<Set>* segments;

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t length(std::int64_t s) const {
    return lengths.offsets[s + 1] - lengths.offsets[s];
  }

  /// Whether segment s is the last cell of the row before it.
  [[nodiscard]] KOKKOS_FUNCTION bool isLast(std::int64_t s) const {
    return s > 0 && length(s) == 1 && length(s - 1) > 1 && continues(s, 1);
  }
  /// Whether segment s is the first cell of the row after it.
  [[nodiscard]] KOKKOS_FUNCTION bool isFirst(std::int64_t s) const {
    return s + 1 < lengths.count && length(s) == 1 && length(s + 1) > 1 && !isLast(s) && continues(s + 1, -1);
  }
  [[nodiscard]] KOKKOS_FUNCTION bool beginsRow(std::int64_t s) const {
    return !isLast(s) && !(s > 0 && isFirst(s - 1));
  }

private:
  /// Whether segment s goes on where the one before ends, in all populations but those that go the other way along the
  /// first axis.
  [[nodiscard]] KOKKOS_FUNCTION bool continues(std::int64_t s, int along) const {
    const StreamSegment<Set>& a = segments[s - 1];
    const StreamSegment<Set>& b = segments[s];
    const std::int64_t distance = length(s - 1);
    bool does = b.own == a.own + distance && b.ownStride == a.ownStride;
    unrolled<Set::count - 1>([&](auto n) {
      constexpr int q = decltype(n)::value + 1;
      does = does && (alongRow<Set, q> == -along || b.source[n] == a.source[n] + distance);
    });
    return does;
  }
};

/// Chooses how the segments of some cells are stepped: as rows among walls where other rows would be short.
template <class Set>
struct SortSegments {
  /// Of so many cells at once, and the rest of the last segment: few, as one thread does it.
  static constexpr std::int64_t cellsOfThread = 64;
  /// A cell of a row among walls reads 4 bytes of its own and a part of 88 (D3Q19); a StreamRow has 240.
  static constexpr std::int64_t leastCellsPerStreamRow = 16;

  SegmentsInRow<Set> in;
  bool swapped;
  SegmentKind* kinds;

  KOKKOS_FUNCTION void operator()(std::int64_t s) const {
    if (!begins(s)) {
      return;
    }
    std::int64_t numStreamRows = 0;
    std::int64_t end = s;
    GrowingRow<Set> row(in.segments[s]);
    bool fits = true;
    do {
      numStreamRows += in.beginsRow(end) ? 1 : 0;
      const std::int64_t length = in.length(end);
      std::uint32_t walls = 0;
      kinds[end] = end == s ? SegmentKind::BeginsWalledRow : SegmentKind::InWalledRow;
      if (fits && !row.add(in.segments[end], length, swapped, walls)) {
        kinds[end] = SegmentKind::BeginsWalledRow;
        row = GrowingRow<Set>(in.segments[end]);
        fits = row.add(in.segments[end], length, swapped, walls);
      }
      ++end;
    } while (end < in.lengths.count && !begins(end));
    if (!fits || in.lengths.offsets[end] - in.lengths.offsets[s] >= leastCellsPerStreamRow * numStreamRows) {
      for (std::int64_t k = s; k < end; ++k) {
        kinds[k] = SegmentKind::InStreamRow;
      }
    }
  }

private:
  /// Whether segment s is the first of its cells: each thread finds that by itself. A StreamRow is never parted.
  [[nodiscard]] KOKKOS_FUNCTION bool begins(std::int64_t s) const {
    return s == 0 || (in.segments[s].own / cellsOfThread != in.segments[s - 1].own / cellsOfThread && in.beginsRow(s));
  }
};

/// What StepRows counts of each segment, and then how much of it there is before.
struct SegmentCounts {
  std::int64_t* ownRows;
  std::int64_t* streamRows;
  std::int64_t* streamCells;
  std::int64_t* walledRows;
  std::int64_t* walledCells;
};

/// Counts the rows of segments, or writes them.
template <class Set>
struct MakeRows {
  SegmentsInRow<Set> in;
  bool swapped;
  const SegmentKind* kinds;
  SegmentCounts counts;
  std::int64_t bytesOfValue = 0;
  OwnRow* ownRows = nullptr; ///< null: they are counted
  std::int64_t* ownOffsets = nullptr;
  StreamRow<Set>* streamRows = nullptr;
  std::int64_t* streamOffsets = nullptr;
  WalledRow<Set>* walledRows = nullptr;
  std::int64_t* walledOffsets = nullptr;
  std::uint32_t* walls = nullptr;

  KOKKOS_FUNCTION void operator()(std::int64_t s) const {
    const bool isOwn = beginsOwnRow(s);
    const bool isStream = kinds[s] == SegmentKind::InStreamRow && in.beginsRow(s);
    const bool isWalled = kinds[s] == SegmentKind::BeginsWalledRow;
    if (ownRows == nullptr) {
      counts.ownRows[s] = isOwn ? 1 : 0;
      counts.streamRows[s] = isStream ? 1 : 0;
      counts.walledRows[s] = isWalled ? 1 : 0;
      counts.streamCells[s] = kinds[s] == SegmentKind::InStreamRow ? in.length(s) : 0;
      counts.walledCells[s] = kinds[s] == SegmentKind::InStreamRow ? 0 : in.length(s);
      return;
    }
    if (isOwn) {
      ownRows[counts.ownRows[s]] = {in.segments[s].own * bytesOfValue, in.segments[s].ownStride * bytesOfValue};
      ownOffsets[counts.ownRows[s]] = in.lengths.offsets[s];
    }
    if (isStream) {
      writeStreamRow(s);
    }
    if (isWalled) {
      writeWalledRow(s);
    }
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION bool beginsOwnRow(std::int64_t s) const {
    return s == 0 || in.segments[s].own != in.segments[s - 1].own + in.length(s - 1) ||
      in.segments[s].ownStride != in.segments[s - 1].ownStride;
  }

  KOKKOS_FUNCTION void writeStreamRow(std::int64_t s) const {
    const std::int64_t inner = in.isFirst(s) ? s + 1 : s;
    const bool hasLast = inner + 1 < in.lengths.count && in.isLast(inner + 1);
    const std::int64_t lengthBefore = in.lengths.offsets[inner] - in.lengths.offsets[s];
    const std::int64_t length = in.lengths.offsets[inner + (hasLast ? 2 : 1)] - in.lengths.offsets[s];
    StreamRow<Set> row;
    row.own = in.segments[s].own * bytesOfValue;
    row.ownStride = in.segments[s].ownStride * bytesOfValue;
    unrolled<Set::count - 1>([&](auto n) {
      constexpr int q = decltype(n)::value + 1;
      const std::int64_t source = in.segments[inner].source[n] - lengthBefore;
      row.source[n] = source * bytesOfValue;
      if constexpr (alongRow<Set, q> == 1) {
        constexpr int k = numberAlong<Set>(q);
        row.first[k] = in.segments[s].source[n] * bytesOfValue;
      } else if constexpr (alongRow<Set, q> == -1) {
        constexpr int k = numberAlong<Set>(q);
        row.last[k] = (hasLast ? in.segments[inner + 1].source[n] : source + length - 1) * bytesOfValue;
      }
    });
    streamRows[counts.streamRows[s]] = row;
    streamOffsets[counts.streamRows[s]] = counts.streamCells[s];
  }

  KOKKOS_FUNCTION void writeWalledRow(std::int64_t s) const {
    const std::int64_t number = counts.walledRows[s];
    walledOffsets[number] = counts.walledCells[s];
    GrowingRow<Set> row(in.segments[s]);
    do {
      const std::int64_t length = in.length(s);
      std::uint32_t ofCell = 0;
      row.add(in.segments[s], length, swapped, ofCell);
      std::uint32_t* const to = walls + counts.walledCells[s];
      for (std::int64_t k = 0; k < length; ++k) {
        to[k] = ofCell;
      }
      ++s;
    } while (s < in.lengths.count && kinds[s] == SegmentKind::InWalledRow);
    walledRows[number] = row.row(bytesOfValue);
  }
};

/// The cells of a StreamMap in rows. Each cell is in an OwnRow, and in a StreamRow or a WalledRow. Keeps its memory;
/// copies share it.
template <class Set, class MemorySpace>
class StepRows {
public:
  [[nodiscard]] const Rows<OwnRow, MemorySpace>& own() const { return own_; }
  [[nodiscard]] const Rows<StreamRow<Set>, MemorySpace>& stream() const { return stream_; }
  [[nodiscard]] const Rows<WalledRow<Set>, MemorySpace>& walled() const { return walled_; }
  [[nodiscard]] WalledRowsView<Set> walledView() const { return {walled_.view(), walls_.data()}; }
  [[nodiscard]] std::size_t bytes() const {
    return own_.bytes() + stream_.bytes() + walled_.bytes() + walls_.span() * sizeof(std::uint32_t);
  }

  /// Of fields of values of so many bytes, which are `swapped` as the map's; in pieces of one cell or two. Without rows
  /// among walls, StreamRows have the order of the map. O(segments).
  template <class ExecutionSpace>
  void build(const Context<ExecutionSpace>& context, const StreamMap<Set, MemorySpace>& map, bool swapped,
    int bytesOfValue, int cellsPerPiece, bool hasWalledRows) {
    const ExecutionSpace& space = context.space();
    const geometry::SegmentsView segments = map.lengths();
    typename Workspace<MemorySpace>::Frame frame(context.workspace());
    const auto array = [&] { return frame.template array<std::int64_t>(segments.count + 1).data(); };
    const auto kinds = frame.template array<SegmentKind>(segments.count);
    const SegmentsInRow<Set> in{segments, map.segments()};
    const IndexRange<ExecutionSpace> all(space, 0, segments.count);
    if (hasWalledRows) {
      forEach(SPANWISE_KERNEL("sort segments"), all, SortSegments<Set>{in, swapped, kinds.data()});
    } else {
      Kokkos::deep_copy(space, kinds, SegmentKind::InStreamRow);
    }
    MakeRows<Set> make{in, swapped, kinds.data(), {array(), array(), array(), array(), array()}, bytesOfValue};
    forEach(SPANWISE_KERNEL("count rows"), all, make);
    const auto sum = [&](std::int64_t* counts) {
      return exclusiveScan(space, SPANWISE_KERNEL("scan rows"), counts, segments.count);
    };
    const std::int64_t numOwn = sum(make.counts.ownRows);
    const std::int64_t numStream = sum(make.counts.streamRows);
    const std::int64_t numStreamCells = sum(make.counts.streamCells);
    const std::int64_t numWalled = sum(make.counts.walledRows);
    const std::int64_t numWalledCells = sum(make.counts.walledCells);
    own_.prepare(numOwn);
    stream_.prepare(numStream);
    walled_.prepare(numWalled);
    reserve(walls_, numWalledCells, SPANWISE_LABEL("Lattice::walls"));
    make.ownRows = own_.rows();
    make.ownOffsets = own_.offsets();
    make.streamRows = stream_.rows();
    make.streamOffsets = stream_.offsets();
    make.walledRows = walled_.rows();
    make.walledOffsets = walled_.offsets();
    make.walls = walls_.data();
    forEach(SPANWISE_KERNEL("make rows"), all, make);
    own_.finish(context, numOwn, segments.numCells, bytesOfValue, cellsPerPiece);
    stream_.finish(context, numStream, numStreamCells, bytesOfValue, cellsPerPiece);
    walled_.finish(context, numWalled, numWalledCells, bytesOfValue, 1);
    space.fence(SPANWISE_LABEL("StepRows::build"));
  }

private:
  Rows<OwnRow, MemorySpace> own_;
  Rows<StreamRow<Set>, MemorySpace> stream_;
  Rows<WalledRow<Set>, MemorySpace> walled_;
  Kokkos::View<std::uint32_t*, MemorySpace> walls_;
};

} // namespace spanwise::lattice::detail
