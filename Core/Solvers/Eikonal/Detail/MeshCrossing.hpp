#pragma once

// Ways back from one rank's part of a mesh to another's. Not installed with what users call.

#include "Core/Mesh/SharedVertices.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/ByRank.hpp"
#include "Core/Runtime/Communicator.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/HostCopy.hpp"
#include "Core/Solvers/Eikonal/Detail/MeshTracer.hpp"
#include "Core/Solvers/Eikonal/Detail/PathRounds.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace spanwise::eikonal::detail {

/// A place between vertices, in the numbers of one rank or in those that two ranks share.
template <int corners>
struct PlaceBetween {
  std::int32_t vertices[corners]; ///< -1: with no weight
  double weights[corners];
  double time;
  Turn last;
};

/// How fast a way on is: to a source point, else by a face, else by a vertex.
struct Offer {
  double bestEnd = notReached;
  double best = notReached;
  double bestVertex = notReached;

  [[nodiscard]] bool isBefore(const Offer& other) const {
    return std::tie(bestEnd, best, bestVertex) < std::tie(other.bestEnd, other.best, other.bestVertex);
  }
};

/// Where a path would go on with a rank.
template <int corners>
struct Answer {
  Offer offer;
  MeshPlace<corners> place;
};

/// Looks around places that paths of this or other ranks have come to.
template <int corners, class Real>
struct AnswerPlaces {
  PathSteps<corners, Real> steps;
  const PlaceBetween<corners>* places;
  Answer<corners>* answers;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    Answer<corners> answer;
    MeshPlace<corners> place;
    if (find(places[i], place) || findAcross(places[i], place)) {
      const Around<corners> around = steps.lookAround(place);
      answer.offer = {around.bestEnd, around.next.simplex >= 0 ? around.best : notReached, around.bestVertex};
      answer.place = around.first();
    }
    answers[i] = answer;
  }

private:
  [[nodiscard]] KOKKOS_FUNCTION static std::int32_t firstOf(const PlaceBetween<corners>& between) {
    int k = 0;
    while (between.vertices[k] < 0) {
      ++k;
    }
    return between.vertices[k];
  }

  /// A simplex that the place is in.
  KOKKOS_FUNCTION bool find(const PlaceBetween<corners>& between, MeshPlace<corners>& place) const {
    const std::int32_t first = firstOf(between);
    for (int b = 0; b < steps.mesh.ball.degrees[first]; ++b) {
      place = {};
      place.simplex = BallView::element(steps.mesh.ball(first, b));
      if (steps.mesh.isJoin(place.simplex)) {
        return false; // they are the last
      }
      place.time = between.time;
      place.last = between.last;
      int missing = 0;
      for (int j = 0; j < corners; ++j) {
        bool found = between.vertices[j] < 0;
        for (int k = 0; k < corners && !found; ++k) {
          if (steps.vertexAt(place.simplex, k) == between.vertices[j]) {
            place.weights[k] = between.weights[j];
            found = true;
          }
        }
        missing += found ? 0 : 1;
      }
      if (missing == 0) {
        return true;
      }
    }
    return false;
  }

  /// The same on the other side of a seam.
  KOKKOS_FUNCTION bool findAcross(const PlaceBetween<corners>& between, MeshPlace<corners>& place) const {
    const std::int32_t first = firstOf(between);
    bool found = false;
    steps.mesh.forTwins(first, [&](std::int32_t to) {
      PlaceBetween<corners> across = between;
      bool isThere = !found;
      for (int j = 0; j < corners && isThere; ++j) {
        if (between.vertices[j] >= 0) {
          across.vertices[j] = steps.twinAcross(between.vertices[j], first, to);
          isThere = across.vertices[j] >= 0;
        }
      }
      found = found || (isThere && find(across, place));
    });
    return found;
  }
};

/// What a rank and those beside it call the vertices that they share. With itself a rank shares all.
class SharedNumbers {
public:
  SharedNumbers(const Communicator& communicator, const SharedVertices& shared)
    : shared_(shared), ranks_(shared.ranks), me_(communicator.rank()) {
    ranks_.insert(std::lower_bound(ranks_.begin(), ranks_.end(), me_), me_);
    for (std::size_t n = 0; n < shared.ranks.size(); ++n) {
      for (std::int64_t slot = shared.firstSlot[n]; slot < shared.firstSlot[n + 1]; ++slot) {
        numbers_.push_back({shared.vertices[static_cast<std::size_t>(slot)], shared.ranks[n],
          static_cast<std::int32_t>(slot - shared.firstSlot[n])});
      }
    }
    std::sort(numbers_.begin(), numbers_.end());
  }

  /// This rank and those beside it, ascending.
  [[nodiscard]] const std::vector<int>& ranks() const { return ranks_; }

  /// The number of a vertex among those that are shared with a rank; -1: it is not.
  [[nodiscard]] std::int32_t sharedNumber(std::int32_t vertex, int rank) const {
    if (rank == me_) {
      return vertex;
    }
    const auto at = std::lower_bound(numbers_.begin(), numbers_.end(), Number{vertex, rank, 0});
    return at != numbers_.end() && std::get<0>(*at) == vertex && std::get<1>(*at) == rank ? std::get<2>(*at) : -1;
  }

  /// The vertex that has this number.
  [[nodiscard]] std::int32_t vertex(std::int32_t number, int rank) const {
    if (rank == me_) {
      return number;
    }
    const auto n = std::lower_bound(shared_.ranks.begin(), shared_.ranks.end(), rank) - shared_.ranks.begin();
    return shared_.vertices[static_cast<std::size_t>(shared_.firstSlot[static_cast<std::size_t>(n)] + number)];
  }

private:
  using Number = std::tuple<std::int32_t, int, std::int32_t>; ///< of a vertex with a rank

  const SharedVertices& shared_;
  std::vector<int> ranks_;
  int me_;
  std::vector<Number> numbers_; ///< sorted
};

/// Where paths at cuts go on: each asks all ranks that have the place that it came to, this one too, and goes on with
/// the one that has the fastest way, of equal ones the first.
template <class ExecutionSpace, int corners, class Real>
class MeshCrossing {
public:
  using Request = PathRequest<MeshHead<corners>>;
  using Between = PlaceBetween<corners>;

  MeshCrossing(const ExecutionSpace& space, const Communicator& communicator, const SharedVertices& shared,
    const PathSteps<corners, Real>& steps)
    : space_(space), communicator_(communicator), numbers_(communicator, shared), steps_(steps) {}

  /// Collective. Those paths that go on on this rank, of those that have stopped at cuts. A path for which no rank has
  /// a way has ended: all around it is later.
  [[nodiscard]] std::vector<Request> operator()(const std::vector<Request>& atCut) const {
    std::vector<Between> asks;
    std::vector<int> askedRanks;
    std::vector<std::vector<std::size_t>> pathsOf(static_cast<std::size_t>(communicator_.size())); // the asks to a rank
    for (std::size_t q = 0; q < atCut.size(); ++q) {
      for (const int rank : numbers_.ranks()) {
        Between ask;
        if (isShared(atCut[q].head, rank, ask)) {
          asks.push_back(ask);
          askedRanks.push_back(rank);
          pathsOf[static_cast<std::size_t>(rank)].push_back(q);
        }
      }
    }
    const auto asked =
      parallel::exchanged(communicator_, parallel::sortedByRank(asks, askedRanks, communicator_.size()));
    std::vector<Answer<corners>> answers;
    parallel::agree(communicator_, [&] { answers = answersTo(asked); });
    const std::vector<Choice> choices = choose(atCut.size(), asked.first, answers, pathsOf);

    std::vector<Transfer> transfers;
    std::vector<int> ranks;
    for (std::size_t q = 0; q < atCut.size(); ++q) {
      if (choices[q].rank >= 0) {
        transfers.push_back({choices[q].ask, atCut[q]});
        ranks.push_back(choices[q].rank);
      }
    }
    const auto transferred =
      parallel::exchanged(communicator_, parallel::sortedByRank(transfers, ranks, communicator_.size()));
    std::vector<Request> here;
    for (int r = 0; r < communicator_.size(); ++r) {
      const std::int64_t first = asked.first[static_cast<std::size_t>(r)];
      for (const Transfer& transfer : transferred.of(r)) {
        here.push_back(transfer.path);
        here.back().head.place = answers[static_cast<std::size_t>(first + transfer.ask)].place;
        ++here.back().head.numSteps;
      }
    }
    return here;
  }

private:
  struct Transfer {
    std::int64_t ask; ///< which one of the sender's to this rank it follows
    Request path;
  };
  struct Choice {
    int rank = -1; ///< nobody has a way
    std::int64_t ask = -1;
    Offer offer;
  };

  /// Makes the ask to a rank, if it has all vertices that the place is between.
  bool isShared(const MeshHead<corners>& head, int rank, Between& ask) const {
    ask.time = head.place.time;
    ask.last = head.place.last;
    for (int k = 0; k < corners; ++k) {
      ask.weights[k] = head.place.weights[k];
      ask.vertices[k] = ask.weights[k] > 0.0 ? numbers_.sharedNumber(head.vertices[k], rank) : -1;
      if (ask.weights[k] > 0.0 && ask.vertices[k] < 0) {
        return false;
      }
    }
    return true;
  }

  /// What this rank has to offer around the places that ranks ask for.
  std::vector<Answer<corners>> answersTo(const parallel::ByRank<Between>& asked) const {
    std::vector<Between> places = asked.values;
    for (int r = 0; r < communicator_.size(); ++r) {
      for (auto k = asked.first[static_cast<std::size_t>(r)]; k < asked.first[static_cast<std::size_t>(r) + 1]; ++k) {
        for (std::int32_t& vertex : places[static_cast<std::size_t>(k)].vertices) {
          vertex = vertex >= 0 ? numbers_.vertex(vertex, r) : -1;
        }
      }
    }
    const std::int64_t count = std::ssize(places);
    geometry::ListOn<Between, ExecutionSpace> placesThere;
    geometry::ListOn<Answer<corners>, ExecutionSpace> answersThere;
    copyFromHost(space_, places.data(), count, placesThere.prepare(count));
    forEach(SPANWISE_KERNEL("answer"), IndexRange<ExecutionSpace>(space_, 0, count),
      AnswerPlaces<corners, Real>{steps_, placesThere.data(), answersThere.prepare(count)});
    std::vector<Answer<corners>> answers(places.size());
    copyToHost(space_, answersThere.data(), count, answers.data());
    return answers;
  }

  /// Collective. The best offer for each of this rank's paths.
  std::vector<Choice> choose(std::size_t numPaths, const std::vector<std::int64_t>& firstAsked,
    const std::vector<Answer<corners>>& answers, const std::vector<std::vector<std::size_t>>& pathsOf) const {
    parallel::ByRank<Offer> offers{{}, firstAsked};
    for (const Answer<corners>& answer : answers) {
      offers.values.push_back(answer.offer);
    }
    const auto offered = parallel::exchanged(communicator_, offers);
    std::vector<Choice> choices(numPaths);
    for (const int rank : numbers_.ranks()) {
      const auto& paths = pathsOf[static_cast<std::size_t>(rank)];
      for (std::size_t k = 0; k < paths.size(); ++k) {
        const Offer& offer = offered.of(rank)[k];
        if (offer.isBefore(choices[paths[k]].offer)) {
          choices[paths[k]] = {rank, static_cast<std::int64_t>(k), offer};
        }
      }
    }
    return choices;
  }

  const ExecutionSpace& space_;
  const Communicator& communicator_;
  SharedNumbers numbers_;
  PathSteps<corners, Real> steps_;
};

} // namespace spanwise::eikonal::detail
