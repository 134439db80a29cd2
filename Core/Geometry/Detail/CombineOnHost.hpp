#pragma once

#include "Core/Geometry/Detail/MergeRows.hpp"
#include "Core/Geometry/Detail/MergeRowsOnHost.hpp"
#include "Core/Geometry/Detail/WordInstructions.hpp"
#include "Core/Geometry/HostParts.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Workspace.hpp"

#include <algorithm>

namespace spanwise::geometry::detail {

// One merging pass on the host, over as many parts as there are threads (HostParts.hpp). Rows of noise are merged by
// words where the processor has instructions for it (WordInstructions.hpp).

/// A part of both inputs: rows [beginA, endA) and [beginB, endB) whose keys lie in one range.
struct RowParts {
  std::int64_t beginA;
  std::int64_t endA;
  std::int64_t beginB;
  std::int64_t endB;
};

/// Merges one part. Row offsets and cell offsets of the output start at 0.
template <int Dim>
SetTotals mergePart(unsigned truthTable, const IntervalSetView<Dim>& a, const IntervalSetView<Dim>& b,
  const RowParts& part, const WritableIntervalSet<Dim>& out) {
  auto* const endpoints = reinterpret_cast<Coordinate*>(out.intervals);
  const WordInstructions* const words = wordInstructions();
  SetTotals done;
  std::int64_t ra = part.beginA;
  std::int64_t rb = part.beginB;
  const IntervalRow none(nullptr, 0);
  while (ra < part.endA || rb < part.endB) {
    const bool takeA = ra < part.endA && (rb == part.endB || !(b.rowKeys[rb] < a.rowKeys[ra]));
    const bool takeB = rb < part.endB && (ra == part.endA || !(a.rowKeys[ra] < b.rowKeys[rb]));
    const RowKey<Dim> key = takeA ? a.rowKeys[ra] : b.rowKeys[rb];
    const IntervalRow rowA = takeA ? a.row(ra) : none;
    const IntervalRow rowB = takeB ? b.row(rb) : none;
    Coordinate* const rowBegin = endpoints + 2 * done.intervals;
    Coordinate* rowEnd = nullptr;
    if (rowA.size() <= 4 && rowB.size() <= 4) {
      rowEnd = mergeApart(truthTable, rowA, rowB, rowBegin);
    } else if (words != nullptr && isNoise(rowA, rowB)) {
      rowEnd = words->mergeRows(truthTable, rowA, rowB, rowBegin);
    }
    if (rowEnd == nullptr) {
      EndpointWriter writer(rowBegin);
      mergeRows(truthTable, rowA.cursor(), rowB.cursor(), writer);
      rowEnd = writer.end();
    }
    ra += static_cast<std::int64_t>(takeA);
    rb += static_cast<std::int64_t>(takeB);
    endRow(key, rowEnd, out, done);
  }
  return done;
}

/// Writes A op B into `target`, which has room for the rows and intervals of both, and one interval more, and returns
/// what is in it. Waits for it.
template <class Space, int Dim>
SetTotals combineOnHost(const Context<Space>& context, unsigned truthTable, const IntervalSetView<Dim>& a,
  const IntervalSetView<Dim>& b, const WritableIntervalSet<Dim>& target) {
  const Space& space = context.space();

  const int numParts = partsOnHost(space, a.numIntervals + b.numIntervals);
  // The larger set leads, so that parts are about equal.
  const bool leadA = a.numIntervals >= b.numIntervals;

  typename Workspace<typename Space::memory_space>::Frame frame(context.workspace());
  const auto parts = frame.template array<RowParts>(numParts);
  const auto outputs = frame.template array<WritableIntervalSet<Dim>>(numParts);
  const auto counts = frame.template array<SetTotals>(numParts);

  RowParts previous{0, 0, 0, 0};
  for (int p = 0; p < numParts; ++p) {
    RowParts part{previous.endA, a.numRows, previous.endB, b.numRows};
    if (p + 1 < numParts && leadA) {
      part.endA = std::max(part.beginA, partBegin(a, p + 1, numParts));
      // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): two sets without rows are one part
      part.endB = part.endA < a.numRows ? b.lowerRow(a.rowKeys[part.endA]) : b.numRows;
    } else if (p + 1 < numParts) {
      part.endB = std::max(part.beginB, partBegin(b, p + 1, numParts));
      // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker)
      part.endA = part.endB < b.numRows ? a.lowerRow(b.rowKeys[part.endB]) : a.numRows;
    }
    parts(p) = part;
    previous = part;
    if (p == 0) {
      outputs(p) = target;
      continue;
    }
    const std::int64_t rows = part.endA - part.beginA + part.endB - part.beginB;
    const auto intervalsOf = [](const IntervalSetView<Dim>& set, std::int64_t begin, std::int64_t end) {
      return begin < end ? set.rowOffsets[end] - set.rowOffsets[begin] : 0;
    };
    const std::int64_t intervals = intervalsOf(a, part.beginA, part.endA) + intervalsOf(b, part.beginB, part.endB);
    outputs(p) = scratchSet<Dim>(frame, rows, intervals);
  }

  doPartsOnHost(space, SPANWISE_KERNEL("merge parts"), numParts,
    [&](int p) { counts(p) = mergePart(truthTable, a, b, parts(p), outputs(p)); });
  return joinParts(space, outputs.data(), counts.data(), numParts, target, frame);
}

} // namespace spanwise::geometry::detail
