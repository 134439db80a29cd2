#include "Core/Mesh/RankMerge.hpp"

#include "Core/Mesh/MergeVertices.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/Alike.hpp"
#include "Core/Parallel/ByRank.hpp"
#include "Core/Runtime/ArrayLength.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace spanwise {

namespace {

using Host = HostExecutionSpace;

bool isPlace(const Point& point) { return !(std::isnan(point[0]) || std::isnan(point[1]) || std::isnan(point[2])); }

bool isBefore(const Point& a, const Point& b) { return std::lexicographical_compare(a.at, a.at + 3, b.at, b.at + 3); }

/// A box in space; empty where low is above high.
struct Box3 {
  double low[3];
  double high[3];
};

Box3 boxOf(std::span<const Point> places) {
  constexpr double most = std::numeric_limits<double>::infinity();
  Box3 box{{most, most, most}, {-most, -most, -most}};
  for (const Point& place : places) {
    for (int axis = 0; axis < 3 && isPlace(place); ++axis) {
      box.low[axis] = std::min(box.low[axis], place[axis]);
      box.high[axis] = std::max(box.high[axis], place[axis]);
    }
  }
  return box;
}

/// Whether a place may be within a distance of something in a box.
bool isNear(const Box3& box, const Point& place, double distance) {
  for (int axis = 0; axis < 3; ++axis) {
    const double rounding =
      1e-15 * (std::abs(box.low[axis]) + std::abs(box.high[axis]) + std::abs(place[axis]) + distance);
    const double reach = distance + 4.0 * rounding;
    if (!(place[axis] >= box.low[axis] - reach && place[axis] <= box.high[axis] + reach)) {
      return false;
    }
  }
  return true;
}

/// The numbers of vertices that other ranks are told of.
parallel::ByRank<std::int64_t> toldOf(
  const Communicator& communicator, const std::vector<Box3>& boxes, std::span<const Point> places, double distance) {
  parallel::ByRank<std::int64_t> told;
  told.first.assign(1, 0);
  for (int r = 0; r < communicator.size(); ++r) {
    for (std::size_t v = 0; v < places.size() && r != communicator.rank(); ++v) {
      if (isNear(boxes[static_cast<std::size_t>(r)], places[v], distance)) {
        told.values.push_back(static_cast<std::int64_t>(v));
      }
    }
    told.first.push_back(static_cast<std::int64_t>(told.values.size()));
  }
  return told;
}

/// Places of numbered vertices, for the same ranks.
parallel::ByRank<Point> placesOf(const parallel::ByRank<std::int64_t>& vertices, const std::vector<Point>& places) {
  parallel::ByRank<Point> result;
  result.first = vertices.first;
  result.values.reserve(vertices.values.size());
  for (const std::int64_t v : vertices.values) {
    result.values.push_back(places[static_cast<std::size_t>(v)]);
  }
  return result;
}

/// The vertex that stands for each one.
std::vector<std::int32_t> representativesOf(const std::vector<Point>& places, double distance) {
  static_assert(sizeof(Point) == 3 * sizeof(double));
  const auto count = static_cast<std::int64_t>(places.size());
  const Context<Host> context;
  const Kokkos::View<std::int32_t*, Host::memory_space> found(
    SPANWISE_LABEL("Mesh::representatives"), arrayLength<std::int32_t>(count));
  mergeVertices<Host, double>(
    context, VertexView<double>::interleaved(places.empty() ? nullptr : places.front().at, count), distance, found);
  Host().fence(SPANWISE_LABEL("Mesh::representatives"));
  return {found.data(), found.data() + count};
}

} // namespace

std::vector<Point> mergedPlaces(const Communicator& communicator, std::span<const Point> places, double distance) {
  const std::array<std::int64_t, 1> words{std::bit_cast<std::int64_t>(distance)};
  if (!parallel::areAlike(communicator, words)) {
    throw InvalidArgument("ranks merge vertices within other distances than each other: all must have the same");
  }
  const std::vector<Box3> boxes = communicator.gather(boxOf(places));
  parallel::ByRank<std::int64_t> told;
  std::vector<Point> all(places.begin(), places.end()); // own vertices, and then those of others
  parallel::ByRank<Point> sent;
  parallel::agree(communicator, [&] {
    told = toldOf(communicator, boxes, places, distance);
    sent = placesOf(told, all);
  });
  const parallel::ByRank<Point> theirs = parallel::exchanged(communicator, sent);
  all.insert(all.end(), theirs.values.begin(), theirs.values.end());
  std::vector<std::int32_t> representatives;
  parallel::agree(communicator, [&] { representatives = representativesOf(all, distance); });

  // Groups learn from each other across ranks: of what stands for the same vertex here and there the first counts.
  std::vector<Point> standing = all; // of those that stand for others: where what is known to stand for them lies
  const auto at = [&](std::size_t v) -> Point& { return standing[static_cast<std::size_t>(representatives[v])]; };
  for (std::int64_t changed = 1; changed > 0; changed = communicator.reduced(ReduceBy::Maximum, changed)) {
    for (std::size_t i = 0; i < sent.values.size(); ++i) {
      sent.values[i] = at(static_cast<std::size_t>(told.values[i]));
    }
    const parallel::ByRank<Point> known = parallel::exchanged(communicator, sent);
    changed = 0;
    for (std::size_t i = 0; i < known.values.size(); ++i) {
      Point& mine = at(places.size() + i);
      if (isBefore(known.values[i], mine)) {
        mine = known.values[i];
        changed = 1;
      }
    }
  }
  std::vector<Point> merged;
  merged.reserve(places.size());
  for (std::size_t v = 0; v < places.size(); ++v) {
    merged.push_back(at(v));
  }
  return merged;
}

} // namespace spanwise
