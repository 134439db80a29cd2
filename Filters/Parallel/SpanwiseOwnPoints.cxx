#include "SpanwiseOwnPoints.h"

#include "SpanwiseValues.h"

#include "Core/Mesh/RankMerge.hpp"
#include "Core/Mesh/SharedVertices.hpp"

#include <vtkCellArray.h>
#include <vtkCellTypeUtilities.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkDataSetAttributes.h>
#include <vtkIdList.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPointSet.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace spanwise {

namespace {

using Place = std::array<double, 3>;

/// A point that another piece may have too.
template <class Key>
struct Candidate {
  Key key;
  std::size_t piece;
  vtkIdType point;
};

NotOwn marked(vtkDataSet* data, int kind, std::int64_t count, const char* what, int others) {
  vtkUnsignedCharArray* const ghosts = data == nullptr ? nullptr : data->GetGhostArray(kind);
  if (ghosts == nullptr) {
    return {};
  }
  checkLength(ghosts, count, what);
  NotOwn marks(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < marks.size(); ++i) {
    marks[i] = (ghosts->GetValue(static_cast<vtkIdType>(i)) & others) != 0 ? 1 : 0;
  }
  return marks;
}

NotOwn markedPoints(vtkDataSet* data) {
  return marked(data, vtkDataObject::POINT, data == nullptr ? 0 : data->GetNumberOfPoints(), "point",
    vtkDataSetAttributes::DUPLICATEPOINT | vtkDataSetAttributes::HIDDENPOINT);
}

Place placeOf(vtkDataSet* data, vtkIdType point) {
  Place place;
  data->GetPoint(point, place.data());
  return place;
}

/// Least and greatest coordinates; with the least above the greatest where there is nothing.
struct Bounds {
  Place low{};
  Place high{};

  Bounds() {
    low.fill(std::numeric_limits<double>::infinity());
    high.fill(-std::numeric_limits<double>::infinity());
  }
  void add(const Place& place) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], place[axis]);
      high[axis] = std::max(high[axis], place[axis]);
    }
  }
  void widen(double length) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] -= length;
      high[axis] += length;
    }
  }
  /// Not where a coordinate is not a number.
  [[nodiscard]] bool contains(const Place& place) const {
    bool isWithin = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      isWithin = isWithin && place[axis] >= low[axis] && place[axis] <= high[axis];
    }
    return isWithin;
  }
  [[nodiscard]] bool touches(const Bounds& other) const {
    bool touch = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      touch = touch && low[axis] <= other.high[axis] && other.low[axis] <= high[axis];
    }
    return touch;
  }
};

/// The bounds of the points of a piece that are not marked.
Bounds boundsOf(vtkDataSet* data, const NotOwn& marks) {
  Bounds bounds;
  if (vtkImageData::SafeDownCast(data) != nullptr && data->GetNumberOfPoints() > 0 && marks.empty()) {
    double ends[6]; // are known
    data->GetBounds(ends);
    bounds.add({ends[0], ends[2], ends[4]});
    bounds.add({ends[1], ends[3], ends[5]});
    return bounds;
  }
  for (vtkIdType p = 0; data != nullptr && p < data->GetNumberOfPoints(); ++p) {
    if (marks.empty() || marks[static_cast<std::size_t>(p)] == 0) {
      bounds.add(placeOf(data, p));
    }
  }
  return bounds;
}

/// Collective. By how much points differ that pieces compute alike, each on its own: what rounding makes of the longest
/// edge around all.
double roundingOf(const Team& team, const std::vector<vtkDataSet*>& pieces, const std::vector<Bounds>& bounds) {
  // coordinates on both sides, and whether some are floats
  std::vector<double> most(7, -std::numeric_limits<double>::max());
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    auto* const points = vtkPointSet::SafeDownCast(pieces[k]);
    const bool inFloat =
      points != nullptr && points->GetPoints() != nullptr && points->GetPoints()->GetDataType() == VTK_FLOAT;
    most[6] = std::max(most[6], inFloat ? 1.0 : 0.0);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      most[axis] = std::max(most[axis], bounds[k].high[axis]);
      most[3 + axis] = std::max(most[3 + axis], -bounds[k].low[axis]);
    }
  }
  team.maximum(most);
  double longest = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    longest = std::max(longest, most[axis] + most[3 + axis]);
  }
  return std::isfinite(longest) ? (most[6] > 0.0 ? 1e-6 : 1e-12) * longest : 0.0;
}

/// Collective. For each piece of this rank the bounds of the others that touch its own.
std::vector<std::vector<Bounds>> neighboursOf(const Team& team, const std::vector<Bounds>& mine) {
  std::vector<double> numbers;
  for (const Bounds& bounds : mine) {
    numbers.insert(numbers.end(), bounds.low.begin(), bounds.low.end());
    numbers.insert(numbers.end(), bounds.high.begin(), bounds.high.end());
  }
  std::vector<std::int64_t> lengths;
  const std::vector<double> all = team.gather(numbers, &lengths);
  std::size_t firstMine = 0;
  for (int rank = 0; rank < team.rank(); ++rank) {
    firstMine += static_cast<std::size_t>(lengths[static_cast<std::size_t>(rank)]) / 6;
  }
  std::vector<std::vector<Bounds>> neighbours(mine.size());
  for (std::size_t k = 0; 6 * k < all.size(); ++k) {
    Bounds bounds;
    std::copy_n(&all[6 * k], 3, bounds.low.begin());
    std::copy_n(&all[6 * k + 3], 3, bounds.high.begin());
    for (std::size_t piece = 0; piece < mine.size(); ++piece) {
      if (k != firstMine + piece && bounds.touches(mine[piece])) {
        neighbours[piece].push_back(bounds);
      }
    }
  }
  return neighbours;
}

/// The global ids of a piece's points; null where they are none, or not different.
vtkDataArray* idsOf(vtkDataSet* data) {
  vtkDataArray* const ids = data->GetPointData()->GetGlobalIds();
  if (ids == nullptr || ids->GetNumberOfComponents() != 1 || ids->GetNumberOfTuples() != data->GetNumberOfPoints()) {
    return nullptr;
  }
  std::vector<double> sorted(static_cast<std::size_t>(ids->GetNumberOfTuples()));
  for (std::size_t p = 0; p < sorted.size(); ++p) {
    sorted[p] = ids->GetComponent(static_cast<vtkIdType>(p), 0);
  }
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end() ? ids : nullptr;
}

/// Whether points belong to a line, a face or a solid.
std::vector<bool> pointsOfCells(vtkDataSet* data) {
  std::vector<bool> belong(static_cast<std::size_t>(data->GetNumberOfPoints()), true);
  if (vtkPolyData::SafeDownCast(data) == nullptr && vtkUnstructuredGrid::SafeDownCast(data) == nullptr) {
    return belong; // of images and structured grids all do
  }
  const vtkIdType numCells = data->GetNumberOfCells();
  const auto isPart = [&](vtkIdType cell) { return vtkCellTypeUtilities::GetDimension(data->GetCellType(cell)) > 0; };
  vtkIdType first = 0;
  while (first < numCells && isPart(first)) {
    ++first;
  }
  if (first == numCells && numCells > 0) {
    return belong; // it is a mesh; its cells are not looked at one by one
  }
  belong.assign(belong.size(), false);
  vtkNew<vtkIdList> points;
  for (vtkIdType cell = 0; cell < numCells; ++cell) {
    if (isPart(cell)) {
      data->GetCellPoints(cell, points);
      for (vtkIdType k = 0; k < points->GetNumberOfIds(); ++k) {
        belong[static_cast<std::size_t>(points->GetId(k))] = true;
      }
    }
  }
  return belong;
}

/// Calls use(piece, point, place) for all points that are not marked and within bounds of other pieces.
template <class Use>
void forEachNear(const std::vector<vtkDataSet*>& pieces, const std::vector<NotOwn>& marks,
  const std::vector<std::vector<Bounds>>& neighbours, const Use& use) {
  for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
    for (vtkIdType p = 0; !neighbours[piece].empty() && p < pieces[piece]->GetNumberOfPoints(); ++p) {
      const Place place = placeOf(pieces[piece], p);
      const auto isWithin = [&](const Bounds& bounds) { return bounds.contains(place); };
      if ((marks[piece].empty() || marks[piece][static_cast<std::size_t>(p)] == 0) &&
        std::any_of(neighbours[piece].begin(), neighbours[piece].end(), isWithin)) {
        use(piece, p, place);
      }
    }
  }
}

void mark(vtkDataSet* data, vtkIdType point, NotOwn& marks) {
  if (marks.empty()) {
    marks.assign(static_cast<std::size_t>(data->GetNumberOfPoints()), 0);
  }
  marks[static_cast<std::size_t>(point)] = 1;
}

/// Marks what pieces of this rank have in common, in all but the first of them, and returns what may be on other ranks.
template <class Key>
std::vector<Candidate<Key>> firstOnThisRank(
  std::vector<Candidate<Key>> candidates, const std::vector<vtkDataSet*>& pieces, std::vector<NotOwn>& marks) {
  const auto orderOf = [](const Candidate<Key>& c) { return std::tie(c.key, c.piece, c.point); };
  std::sort(
    candidates.begin(), candidates.end(), [&](const auto& a, const auto& b) { return orderOf(a) < orderOf(b); });
  std::vector<Candidate<Key>> firsts;
  std::size_t end = 0;
  for (std::size_t begin = 0; begin < candidates.size(); begin = end) {
    bool isTwiceInAPiece = false;
    for (end = begin + 1; end < candidates.size() && candidates[end].key == candidates[begin].key; ++end) {
      isTwiceInAPiece = isTwiceInAPiece || candidates[end].piece == candidates[end - 1].piece;
    }
    if (!isTwiceInAPiece) {
      firsts.push_back(candidates[begin]);
      for (std::size_t k = begin + 1; k < end; ++k) {
        mark(pieces[candidates[k].piece], candidates[k].point, marks[candidates[k].piece]);
      }
    }
  }
  return firsts;
}

/// Collective. Marks what ranks before this one have too.
template <class Key>
void markOfOtherRanks(const Team& team, const std::vector<Candidate<Key>>& firsts,
  const std::vector<vtkDataSet*>& pieces, std::vector<NotOwn>& marks) {
  SharedVertices shared;
  if constexpr (std::is_same_v<Key, Place>) {
    std::vector<Point> places(firsts.size());
    for (std::size_t k = 0; k < firsts.size(); ++k) {
      std::copy_n(firsts[k].key.begin(), 3, places[k].at);
    }
    shared = findSharedVertices(team.communicator(), std::span<const Point>(places));
  } else {
    std::vector<std::int64_t> ids;
    for (const Candidate<Key>& first : firsts) {
      ids.push_back(first.key);
    }
    shared = findSharedVertices(team.communicator(), std::span<const std::int64_t>(ids));
  }
  for (std::size_t n = 0; n < shared.ranks.size() && shared.ranks[n] < team.rank(); ++n) {
    for (std::int64_t slot = shared.firstSlot[n]; slot < shared.firstSlot[n + 1]; ++slot) {
      const auto vertex = static_cast<std::size_t>(shared.vertices[static_cast<std::size_t>(slot)]);
      mark(pieces[firsts[vertex].piece], firsts[vertex].point, marks[firsts[vertex].piece]);
    }
  }
}

} // namespace

std::vector<NotOwn> notOwnPoints(const Team& team, const std::vector<vtkDataSet*>& pieces) {
  std::vector<NotOwn> marks(pieces.size());
  const bool mayShare = team.sum(std::ssize(pieces)) > 1;
  std::vector<Bounds> bounds;
  bool hasIds = true;
  team.agree([&] {
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      marks[k] = markedPoints(pieces[k]);
      if (mayShare) {
        bounds.push_back(boundsOf(pieces[k], marks[k]));
        hasIds = hasIds && (pieces[k] == nullptr || pieces[k]->GetNumberOfPoints() == 0 || idsOf(pieces[k]) != nullptr);
      }
    }
  });
  if (!mayShare) {
    return marks;
  }
  const double rounding = roundingOf(team, pieces, bounds);
  for (Bounds& ofPiece : bounds) {
    ofPiece.widen(rounding);
  }
  const std::vector<std::vector<Bounds>> neighbours = neighboursOf(team, bounds);
  if (team.sum(hasIds ? 0 : 1) == 0) {
    std::vector<Candidate<std::int64_t>> firsts;
    team.agree([&] {
      forEachNear(pieces, marks, neighbours, [&](std::size_t piece, vtkIdType p, const Place& /*place*/) {
        const double id = pieces[piece]->GetPointData()->GetGlobalIds()->GetComponent(p, 0);
        firsts.push_back({static_cast<std::int64_t>(id), piece, p});
      });
      firsts = firstOnThisRank(std::move(firsts), pieces, marks);
    });
    markOfOtherRanks(team, firsts, pieces, marks);
    return marks;
  }
  std::vector<Candidate<Place>> firsts;
  std::vector<Point> places;
  team.agree([&] {
    std::vector<std::vector<bool>> belong(pieces.size());
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      belong[k] = neighbours[k].empty() ? std::vector<bool>() : pointsOfCells(pieces[k]);
    }
    forEachNear(pieces, marks, neighbours, [&](std::size_t piece, vtkIdType p, const Place& place) {
      if (belong[piece][static_cast<std::size_t>(p)]) {
        firsts.push_back({place, piece, p});
        places.push_back({{place[0], place[1], place[2]}});
      }
    });
  });
  places = mergedPlaces(team.communicator(), places, rounding);
  team.agree([&] {
    for (std::size_t k = 0; k < firsts.size(); ++k) {
      std::copy_n(places[k].at, 3, firsts[k].key.begin());
    }
    firsts = firstOnThisRank(std::move(firsts), pieces, marks);
  });
  markOfOtherRanks(team, firsts, pieces, marks);
  return marks;
}

NotOwn notOwnPoints(const Team& team, vtkDataSet* piece) {
  return notOwnPoints(team, std::vector<vtkDataSet*>{piece})[0];
}

NotOwn notOwnCells(vtkDataSet* piece) {
  return marked(piece, vtkDataObject::CELL, piece == nullptr ? 0 : piece->GetNumberOfCells(), "cell",
    vtkDataSetAttributes::DUPLICATECELL | vtkDataSetAttributes::HIDDENCELL | vtkDataSetAttributes::REFINEDCELL);
}

} // namespace spanwise
