#include "SpanwiseOwnPoints.h"

#include "SpanwiseSharedExtents.h"
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

/// A point that another piece may have too; those with one key are one.
template <class Key>
struct Candidate {
  Key key;
  std::size_t piece;
  vtkIdType point;
};

NotOwn marked(vtkDataSet* data, int kind, std::int64_t count, const char* what, int duplicates, int hidden) {
  vtkUnsignedCharArray* const ghosts = data == nullptr ? nullptr : data->GetGhostArray(kind);
  if (ghosts == nullptr) {
    return {};
  }
  checkLength(ghosts, count, what);
  NotOwn marks(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const unsigned char ghost = ghosts->GetValue(static_cast<vtkIdType>(i));
    marks[i] = (ghost & hidden) != 0 ? isNobodys : (ghost & duplicates) != 0 ? isElsewhere : isOwn;
  }
  return marks;
}

NotOwn markedPoints(vtkDataSet* data) {
  return marked(data, vtkDataObject::POINT, data == nullptr ? 0 : data->GetNumberOfPoints(), "point",
    vtkDataSetAttributes::DUPLICATEPOINT, vtkDataSetAttributes::HIDDENPOINT);
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
double roundingOf(const RankGroup& ranks, const std::vector<vtkDataSet*>& pieces, const std::vector<Bounds>& bounds) {
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
  ranks.maximum(most);
  double longest = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    longest = std::max(longest, most[axis] + most[3 + axis]);
  }
  return std::isfinite(longest) ? (most[6] > 0.0 ? 1e-6 : 1e-12) * longest : 0.0;
}

/// Collective. For each piece of this rank the bounds of the others that touch its own.
std::vector<std::vector<Bounds>> neighboursOf(const RankGroup& ranks, const std::vector<Bounds>& mine) {
  std::vector<double> numbers;
  for (const Bounds& bounds : mine) {
    numbers.insert(numbers.end(), bounds.low.begin(), bounds.low.end());
    numbers.insert(numbers.end(), bounds.high.begin(), bounds.high.end());
  }
  std::vector<std::int64_t> lengths;
  const std::vector<double> all = ranks.gather(numbers, &lengths);
  std::size_t firstMine = 0;
  for (int rank = 0; rank < ranks.rank(); ++rank) {
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

/// What a rank tells the ranks after it of points in one place.
struct Standing {
  Place place;
  std::int64_t count; ///< the most that one of its pieces has there
};

/// Points of this rank with one key: `begin` and on of the sorted candidates.
struct Group {
  std::size_t begin;
  std::size_t end;
  Standing standing;
};

template <class Key>
std::vector<Group> groupsOf(std::vector<Candidate<Key>>& candidates, const std::vector<vtkDataSet*>& pieces) {
  const auto orderOf = [](const Candidate<Key>& c) { return std::tie(c.key, c.piece, c.point); };
  std::sort(
    candidates.begin(), candidates.end(), [&](const auto& a, const auto& b) { return orderOf(a) < orderOf(b); });
  candidates.erase(std::unique(candidates.begin(), candidates.end(),
                     [&](const auto& a, const auto& b) { return orderOf(a) == orderOf(b); }),
    candidates.end());
  std::vector<Group> groups;
  std::int64_t ofPiece = 0;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const Candidate<Key>& candidate = candidates[k];
    const bool isFirst = k == 0 || candidate.key != candidates[k - 1].key;
    if (isFirst) {
      groups.push_back({k, k, {placeOf(pieces[candidate.piece], candidate.point), 0}});
    }
    ofPiece = isFirst || candidate.piece != candidates[k - 1].piece ? 1 : ofPiece + 1;
    groups.back().end = k + 1;
    groups.back().standing.count = std::max(groups.back().standing.count, ofPiece);
  }
  return groups;
}

/// Collective. What ranks before this one have of its groups: the place on the first of them, and the most points.
template <class Key>
std::vector<Standing> standingBefore(
  const RankGroup& ranks, const std::vector<Candidate<Key>>& candidates, const std::vector<Group>& groups) {
  SharedVertices shared;
  if constexpr (std::is_same_v<Key, Place>) {
    std::vector<Point> places(groups.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
      std::copy_n(candidates[groups[g].begin].key.begin(), 3, places[g].at);
    }
    shared = findSharedVertices(ranks.communicator(), std::span<const Point>(places));
  } else {
    std::vector<std::int64_t> ids;
    for (const Group& group : groups) {
      ids.push_back(candidates[group.begin].key);
    }
    shared = findSharedVertices(ranks.communicator(), std::span<const std::int64_t>(ids));
  }
  std::vector<Standing> out;
  for (const std::int32_t group : shared.vertices) {
    out.push_back(groups[static_cast<std::size_t>(group)].standing);
  }
  std::vector<Standing> in(out.size());
  std::vector<OutgoingMessage> sends;
  std::vector<IncomingMessage> receives;
  for (std::size_t n = 0; n < shared.ranks.size(); ++n) {
    const std::int64_t first = shared.firstSlot[n];
    const auto bytes = static_cast<std::size_t>(shared.firstSlot[n + 1] - first) * sizeof(Standing);
    if (shared.ranks[n] > ranks.rank()) {
      sends.push_back({shared.ranks[n], out.data() + first, bytes});
    } else {
      receives.push_back({shared.ranks[n], in.data() + first, bytes});
    }
  }
  const auto exchange = ranks.communicator().makeExchange();
  exchange->start(sends, receives);
  exchange->finish();
  std::vector<Standing> before(groups.size(), Standing{{}, 0});
  for (std::size_t slot = 0; slot < in.size(); ++slot) { // of other ranks, in their order
    Standing& known = before[static_cast<std::size_t>(shared.vertices[slot])];
    known = {known.count > 0 ? known.place : in[slot].place, std::max(known.count, in[slot].count)};
  }
  return before;
}

/// Collective. Marks candidates that stand for one point, of this rank and of others, in all pieces but the first.
/// Where a piece has several with one key, as at a seam, as many stay as the piece that has the most there has.
template <class Key>
void markShared(const RankGroup& ranks, std::vector<Candidate<Key>> candidates, const std::vector<vtkDataSet*>& pieces,
  std::vector<NotOwn>& marks, std::vector<std::vector<StandIn>>& standIns) {
  std::vector<Group> groups;
  ranks.agree([&] { groups = groupsOf(candidates, pieces); });
  const std::vector<Standing> before = standingBefore(ranks, candidates, groups);
  ranks.agree([&] {
    std::vector<Place> here; // of the first, second ... in the pieces of this rank
    for (std::size_t g = 0; g < groups.size(); ++g) {
      here.clear();
      std::size_t numOfPiece = 0;
      for (std::size_t k = groups[g].begin; k < groups[g].end; ++k) {
        const auto [key, piece, point] = candidates[k];
        numOfPiece = k > groups[g].begin && candidates[k - 1].piece == piece ? numOfPiece + 1 : 0;
        const bool isBefore = static_cast<std::int64_t>(numOfPiece) < before[g].count;
        if (isBefore || numOfPiece < here.size()) {
          NotOwn& ofPiece = marks[piece];
          ofPiece.resize(static_cast<std::size_t>(pieces[piece]->GetNumberOfPoints()), isOwn);
          ofPiece[static_cast<std::size_t>(point)] = isElsewhere;
          standIns[piece].push_back({point, isBefore ? before[g].place : here[numOfPiece]});
        }
        if (numOfPiece == here.size()) {
          here.push_back(placeOf(pieces[piece], point));
        }
      }
    }
  });
}

/// Collective. Marks what pieces have in common: by their place in one extent, by global ids, or by place.
void findShared(const RankGroup& ranks, const std::vector<vtkDataSet*>& pieces, std::vector<NotOwn>& marks,
  std::vector<std::vector<StandIn>>& standIns) {
  std::vector<Candidate<std::int64_t>> byNumber;
  if (const auto atCuts = pointsAtCuts(ranks, pieces, marks)) {
    for (const PointAtCut& point : *atCuts) {
      byNumber.push_back({point.number, point.piece, point.point});
    }
    markShared(ranks, std::move(byNumber), pieces, marks, standIns);
    return;
  }
  std::vector<Bounds> bounds;
  bool hasIds = true;
  ranks.agree([&] {
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      bounds.push_back(boundsOf(pieces[k], marks[k]));
      hasIds = hasIds && (pieces[k] == nullptr || pieces[k]->GetNumberOfPoints() == 0 || idsOf(pieces[k]) != nullptr);
    }
  });
  const double rounding = roundingOf(ranks, pieces, bounds);
  for (Bounds& ofPiece : bounds) {
    ofPiece.widen(rounding);
  }
  const std::vector<std::vector<Bounds>> neighbours = neighboursOf(ranks, bounds);
  if (ranks.sum(hasIds ? 0 : 1) == 0) {
    ranks.agree([&] {
      forEachNear(pieces, marks, neighbours, [&](std::size_t piece, vtkIdType p, const Place& /*place*/) {
        const double id = pieces[piece]->GetPointData()->GetGlobalIds()->GetComponent(p, 0);
        byNumber.push_back({static_cast<std::int64_t>(id), piece, p});
      });
    });
    markShared(ranks, std::move(byNumber), pieces, marks, standIns);
    return;
  }
  std::vector<Candidate<Place>> byPlace;
  std::vector<Point> places;
  ranks.agree([&] {
    std::vector<std::vector<bool>> belong(pieces.size());
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      belong[k] = neighbours[k].empty() ? std::vector<bool>() : pointsOfCells(pieces[k]);
    }
    forEachNear(pieces, marks, neighbours, [&](std::size_t piece, vtkIdType p, const Place& place) {
      if (belong[piece][static_cast<std::size_t>(p)]) {
        byPlace.push_back({place, piece, p});
        places.push_back({{place[0], place[1], place[2]}});
      }
    });
  });
  places = mergedPlaces(ranks.communicator(), places, rounding);
  for (std::size_t k = 0; k < byPlace.size(); ++k) {
    std::copy_n(places[k].at, 3, byPlace[k].key.begin());
  }
  markShared(ranks, std::move(byPlace), pieces, marks, standIns);
}

} // namespace

std::vector<NotOwn> notOwnPoints(
  const RankGroup& ranks, const std::vector<vtkDataSet*>& pieces, std::vector<std::vector<StandIn>>* standIns) {
  std::vector<NotOwn> marks(pieces.size());
  std::vector<std::vector<StandIn>> found(pieces.size());
  const bool mayShare = ranks.sum(std::ssize(pieces)) > 1;
  ranks.agree([&] {
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      marks[k] = markedPoints(pieces[k]);
    }
  });
  if (mayShare) {
    findShared(ranks, pieces, marks, found);
  }
  if (standIns != nullptr) {
    *standIns = std::move(found);
  }
  return marks;
}

NotOwn notOwnPoints(const RankGroup& ranks, vtkDataSet* piece) {
  return notOwnPoints(ranks, std::vector<vtkDataSet*>{piece})[0];
}

NotOwn notOwnCells(vtkDataSet* piece) {
  return marked(piece, vtkDataObject::CELL, piece == nullptr ? 0 : piece->GetNumberOfCells(), "cell",
    vtkDataSetAttributes::DUPLICATECELL, vtkDataSetAttributes::HIDDENCELL | vtkDataSetAttributes::REFINEDCELL);
}

} // namespace spanwise
