#pragma once

// Ways back through parts of many ranks. Not installed with what users call.

#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/ByRank.hpp"
#include "Core/Runtime/Communicator.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/HostCopy.hpp"
#include "Core/Solvers/Eikonal/Detail/PathPieces.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <vector>

namespace spanwise::eikonal::detail {

/// A path that is to go on on a rank.
template <class Head>
struct PathRequest {
  int home;           ///< the rank that gets the path
  std::int64_t path;  ///< its number there
  std::int64_t piece; ///< so many have been traced
  Head head;
};

/// A part of a path that one rank has traced.
struct PathPiece {
  int home;
  std::int64_t path;
  std::int64_t piece;
  std::int64_t firstPoint;
  std::int64_t numPoints;
  std::int32_t end; ///< PathStop::end
};

/// Traces paths through the parts of all ranks: in each round every rank traces those that are on it to where they
/// stop, and hands on those that are to go on. At the end the pieces of each path come together at its home.
template <class ExecutionSpace, class Tracer>
class PathRounds {
public:
  using Head = typename Tracer::Head;
  using Place = typename Tracer::Place;
  using Request = PathRequest<Head>;
  using Paths = TracedPaths<Place, typename ExecutionSpace::memory_space>;

  PathRounds(const ExecutionSpace& space, const Communicator& communicator, const Tracer& tracer)
    : space_(space), communicator_(communicator), tracer_(tracer) {}

  /// Collective. Traces paths from those on this rank on. `handOn` is collective too: given the requests whose pieces
  /// have stopped on this rank, it returns those that go on on it.
  template <class HandOn>
  void trace(std::vector<Request> requests, const HandOn& handOn) {
    while (communicator_.reduced(ReduceBy::Sum, std::ssize(requests)) > 0) {
      parallel::agree(communicator_, [&] { tracePiecesOf(requests); });
      requests = handOn(requests);
    }
  }

  /// Collective. Sends all pieces home and joins them. paths = those of this rank, of so many; a path without pieces
  /// has no points and no end.
  void collect(std::int64_t numPaths, Paths& paths) {
    std::vector<int> homes;
    homes.reserve(pieces_.size());
    for (const PathPiece& piece : pieces_) {
      homes.push_back(piece.home);
    }
    const auto pieces = parallel::sortedByRank(pieces_, homes, communicator_.size());
    parallel::ByRank<Place> points;
    points.first.assign(1, 0);
    for (int r = 0; r < communicator_.size(); ++r) {
      for (const PathPiece& piece : pieces.of(r)) {
        const auto from = points_.begin() + piece.firstPoint;
        points.values.insert(points.values.end(), from, from + piece.numPoints);
      }
      points.first.push_back(std::ssize(points.values));
    }
    auto piecesHere = parallel::exchanged(communicator_, pieces).values;
    const auto pointsHere = parallel::exchanged(communicator_, points).values;
    parallel::agree(communicator_, [&] { join(numPaths, piecesHere, pointsHere, paths); });
  }

private:
  template <class T>
  void append(std::vector<T>& values, const T* more, std::int64_t count) const {
    const std::size_t before = values.size();
    values.resize(before + static_cast<std::size_t>(count));
    copyToHost(space_, more, count, values.data() + before);
  }

  /// Traces the next piece of each path; keeps those requests whose paths go on.
  void tracePiecesOf(std::vector<Request>& requests) {
    const std::int64_t count = std::ssize(requests);
    Head* const heads = heads_.prepare(count);
    std::uint8_t* const goOn = goOn_.prepare(count);
    std::vector<Head> ends;
    ends.reserve(requests.size());
    for (const Request& request : requests) {
      ends.push_back(request.head);
    }
    copyFromHost(space_, ends.data(), count, heads);
    tracePieces<ExecutionSpace, Tracer>(space_, tracer_, heads, count, goOn, traced_);

    copyToHost(space_, heads, count, ends.data());
    std::vector<std::int64_t> firsts;
    std::vector<std::int32_t> endAt;
    std::vector<std::uint8_t> areOpen;
    append(firsts, traced_.offsets.data(), count + 1);
    append(endAt, traced_.ends.data(), count);
    append(areOpen, goOn, count);
    const std::int64_t before = std::ssize(points_);
    append(points_, traced_.points.data(), traced_.points.count());
    std::vector<Request> open;
    for (std::size_t k = 0; k < requests.size(); ++k) {
      const Request& asked = requests[k];
      pieces_.push_back({asked.home, asked.path, asked.piece, before + firsts[k], firsts[k + 1] - firsts[k], endAt[k]});
      if (areOpen[k] == 1) {
        open.push_back({asked.home, asked.path, asked.piece + 1, ends[k]});
      }
    }
    requests.swap(open);
  }

  /// `points` of a rank follow those of the rank before it, in the order of its pieces.
  void join(
    std::int64_t numPaths, std::vector<PathPiece>& pieces, const std::vector<Place>& points, Paths& paths) const {
    std::int64_t first = 0;
    for (PathPiece& piece : pieces) {
      piece.firstPoint = first;
      first += piece.numPoints;
    }
    std::sort(pieces.begin(), pieces.end(),
      [](const PathPiece& a, const PathPiece& b) { return std::tie(a.path, a.piece) < std::tie(b.path, b.piece); });
    std::vector<std::int64_t> offsets(static_cast<std::size_t>(numPaths) + 1, 0);
    std::vector<std::int32_t> ends(static_cast<std::size_t>(numPaths), -1);
    std::vector<Place> joined;
    joined.reserve(points.size());
    for (const PathPiece& piece : pieces) {
      const auto from = points.begin() + piece.firstPoint;
      joined.insert(joined.end(), from, from + piece.numPoints);
      offsets[static_cast<std::size_t>(piece.path) + 1] += piece.numPoints;
      ends[static_cast<std::size_t>(piece.path)] = piece.end; // at the end that of the last piece
    }
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    copyFromHost(space_, offsets.data(), numPaths + 1, paths.offsets.prepare(numPaths + 1));
    copyFromHost(space_, joined.data(), std::ssize(joined), paths.points.prepare(std::ssize(joined)));
    copyFromHost(space_, ends.data(), numPaths, paths.ends.prepare(numPaths));
  }

  const ExecutionSpace& space_;
  const Communicator& communicator_;
  Tracer tracer_;
  geometry::ListOn<Head, ExecutionSpace> heads_;
  geometry::ListOn<std::uint8_t, ExecutionSpace> goOn_;
  Paths traced_;
  std::vector<PathPiece> pieces_;
  std::vector<Place> points_;
};

/// Collective. paths = the ways back from these heads, which are this rank's. One rank has all that they go through, so
/// that they end in one round; there nothing is allocated but in `paths` and the workspace. On several ranks, given
/// requests for all heads, `begin` returns those that begin on this rank, and `handOn` is that of PathRounds::trace(),
/// both collective; paths come to be on the rank that has their heads at first.
template <class ExecutionSpace, class Tracer, class Begin, class HandOn>
void tracePaths(const Context<ExecutionSpace>& context, const Communicator& communicator, const Tracer& tracer,
  const typename Workspace<typename ExecutionSpace::memory_space>::template Array<typename Tracer::Head>& heads,
  const Begin& begin, const HandOn& handOn,
  TracedPaths<typename Tracer::Place, typename ExecutionSpace::memory_space>& paths) {
  const ExecutionSpace& space = context.space();
  const auto numPaths = static_cast<std::int64_t>(heads.extent(0));
  if (communicator.alone()) {
    typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
    std::uint8_t* const goOn = frame.template array<std::uint8_t>(numPaths).data();
    tracePieces<ExecutionSpace, Tracer>(space, tracer, heads.data(), numPaths, goOn, paths);
    return;
  }
  using Rounds = PathRounds<ExecutionSpace, Tracer>;
  std::vector<typename Tracer::Head> from(heads.extent(0));
  parallel::agree(communicator, [&] { copyToHost(space, heads.data(), numPaths, from.data()); });
  std::vector<typename Rounds::Request> requests;
  requests.reserve(from.size());
  for (const typename Tracer::Head& head : from) {
    requests.push_back({communicator.rank(), std::ssize(requests), 0, head});
  }
  Rounds rounds(space, communicator, tracer);
  rounds.trace(begin(requests), handOn);
  rounds.collect(numPaths, paths);
}

} // namespace spanwise::eikonal::detail
