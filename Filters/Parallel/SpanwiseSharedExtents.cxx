#include "SpanwiseSharedExtents.h"

#include <vtkImageData.h>
#include <vtkRectilinearGrid.h>
#include <vtkStructuredGrid.h>

#include <algorithm>
#include <array>
#include <limits>

namespace spanwise {

namespace {

/// Least and greatest indices of points, axis by axis; with the least above the greatest where there is nothing.
struct Extent {
  std::array<std::int64_t, 3> low{};
  std::array<std::int64_t, 3> high{-1, -1, -1};

  [[nodiscard]] bool empty() const { return high[0] < low[0] || high[1] < low[1] || high[2] < low[2]; }
  [[nodiscard]] std::int64_t size(std::size_t axis) const { return high[axis] - low[axis] + 1; }
  /// Of point i, j, k when those of the extent are counted along x first.
  [[nodiscard]] std::int64_t number(const std::array<std::int64_t, 3>& at) const {
    return at[0] - low[0] + size(0) * (at[1] - low[1] + size(1) * (at[2] - low[2]));
  }
};

Extent common(const Extent& a, const Extent& b) {
  Extent both;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    both.low[axis] = std::max(a.low[axis], b.low[axis]);
    both.high[axis] = std::min(a.high[axis], b.high[axis]);
  }
  return both;
}

template <class Use>
void forEachPoint(const Extent& extent, const Use& use) {
  for (std::int64_t k = extent.low[2]; k <= extent.high[2]; ++k) {
    for (std::int64_t j = extent.low[1]; j <= extent.high[1]; ++j) {
      for (std::int64_t i = extent.low[0]; i <= extent.high[0]; ++i) {
        use(std::array<std::int64_t, 3>{i, j, k});
      }
    }
  }
}

template <class Structured>
bool readExtent(vtkDataSet* data, Extent& extent) {
  auto* const structured = Structured::SafeDownCast(data);
  if (structured == nullptr) {
    return false;
  }
  int ends[6];
  structured->GetExtent(ends);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    extent.low[axis] = ends[2 * axis];
    extent.high[axis] = ends[2 * axis + 1];
  }
  return structured->GetNumberOfPoints() == (extent.empty() ? 0 : extent.number(extent.high) + 1);
}

/// Of a piece's points; whether it is structured.
bool readExtent(vtkDataSet* data, Extent& extent) {
  return data == nullptr || data->GetNumberOfPoints() == 0 || readExtent<vtkImageData>(data, extent) ||
    readExtent<vtkRectilinearGrid>(data, extent) || readExtent<vtkStructuredGrid>(data, extent);
}

/// The extent of the points that are not marked.
Extent unmarked(const Extent& all, const NotOwn& marks) {
  if (marks.empty() || all.empty()) {
    return all;
  }
  Extent extent{all.high, all.low};
  forEachPoint(all, [&](const std::array<std::int64_t, 3>& at) {
    if (marks[static_cast<std::size_t>(all.number(at))] == isOwn) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        extent.low[axis] = std::min(extent.low[axis], at[axis]);
        extent.high[axis] = std::max(extent.high[axis], at[axis]);
      }
    }
  });
  return extent;
}

/// Whether some indices of cells are those of both; of flat pieces, whether they are in one plane.
bool haveCellsInCommon(const Extent& a, const Extent& b) {
  const Extent both = common(a, b);
  bool all = !both.empty();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    all = all && (both.size(axis) > 1 || (a.size(axis) == 1 && b.size(axis) == 1));
  }
  return all;
}

std::vector<Extent> extentsOfAll(const RankGroup& group, const std::vector<Extent>& mine) {
  std::vector<std::int64_t> numbers;
  for (const Extent& extent : mine) {
    numbers.insert(numbers.end(), extent.low.begin(), extent.low.end());
    numbers.insert(numbers.end(), extent.high.begin(), extent.high.end());
  }
  numbers = group.gather(numbers);
  std::vector<Extent> all(numbers.size() / 6);
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::copy_n(&numbers[6 * k], 3, all[k].low.begin());
    std::copy_n(&numbers[6 * k + 3], 3, all[k].high.begin());
  }
  return all;
}

/// The extent that holds all, if its points can be counted.
std::optional<Extent> wholeOf(const std::vector<Extent>& all) {
  Extent whole;
  double count = 1.0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    whole.low[axis] = std::numeric_limits<int>::max();
    whole.high[axis] = std::numeric_limits<int>::min();
    for (const Extent& extent : all) {
      whole.low[axis] = extent.empty() ? whole.low[axis] : std::min(whole.low[axis], extent.low[axis]);
      whole.high[axis] = extent.empty() ? whole.high[axis] : std::max(whole.high[axis], extent.high[axis]);
    }
    count *= static_cast<double>(whole.size(axis));
  }
  return count < 9e18 ? std::optional(whole) : std::nullopt;
}

} // namespace

std::optional<std::vector<PointAtCut>> pointsAtCuts(
  const RankGroup& group, const std::vector<vtkDataSet*>& pieces, const std::vector<NotOwn>& marks) {
  std::vector<Extent> all(pieces.size());
  std::vector<Extent> own(pieces.size());
  bool areStructured = true;
  for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
    areStructured = readExtent(pieces[piece], all[piece]) && areStructured;
    own[piece] = unmarked(all[piece], marks[piece]);
  }
  if (group.sum(areStructured ? 0 : 1) > 0) {
    return std::nullopt;
  }
  const std::vector<Extent> ofAll = extentsOfAll(group, own);
  for (std::size_t a = 0; a < ofAll.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (haveCellsInCommon(ofAll[a], ofAll[b])) {
        return std::nullopt;
      }
    }
  }
  const std::optional<Extent> whole = wholeOf(ofAll);
  if (!whole) {
    return std::nullopt;
  }
  const auto counts = group.gather(std::vector<std::int64_t>{std::ssize(pieces)});
  std::int64_t first = 0; // this rank's in those of all
  for (int rank = 0; rank < group.rank(); ++rank) {
    first += counts[static_cast<std::size_t>(rank)];
  }
  std::vector<PointAtCut> points;
  for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
    for (std::size_t other = 0; other < ofAll.size(); ++other) {
      if (other == static_cast<std::size_t>(first) + piece) {
        continue;
      }
      forEachPoint(common(own[piece], ofAll[other]), [&](const std::array<std::int64_t, 3>& at) {
        const std::int64_t point = all[piece].number(at);
        if (marks[piece].empty() || marks[piece][static_cast<std::size_t>(point)] == isOwn) {
          points.push_back({piece, point, whole->number(at)});
        }
      });
    }
  }
  return points;
}

} // namespace spanwise
