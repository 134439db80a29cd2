#include "Core/Mesh/Orderings.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Fetch.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/MergeSort.hpp"
#include "Core/Runtime/Reduce.hpp"

#include <limits>
#include <string>

namespace spanwise {

namespace {

// What stands for the place of a vertex's parent in the order.
constexpr std::int64_t notReached = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t hasPlace = -1;

/// A vertex of the next level, as it will be sorted: all are different.
struct Candidate {
  std::int64_t parent;
  std::int64_t vertex;
  std::int32_t degree;

  KOKKOS_FUNCTION bool operator<(const Candidate& other) const {
    if (parent != other.parent) {
      return parent < other.parent;
    }
    return degree != other.degree ? degree < other.degree : vertex < other.vertex;
  }
};

template <class Index>
struct Walk {
  ElementView<Index> elements;
  BallView ball;
  Index* order;
  std::int64_t* parents;
  Candidate* candidates;
  Candidate* scratch;
  std::int64_t* numCandidates;
};

/// Finds the vertices next to one of the last level, and for each the first of its parents.
template <class Index>
struct FindChildren {
  Walk<Index> walk;

  KOKKOS_FUNCTION void operator()(std::int64_t place) const {
    const std::int64_t v = walk.order[place];
    const int degree = walk.ball.degrees[v];
    for (int k = 0; k < degree; ++k) {
      const std::int64_t e = BallView::element(walk.ball(v, k));
      const std::int64_t corner = walk.elements.firstCorner(e);
      const int count = numVerticesOf(walk.elements.typeOf(e));
      for (int i = 0; i < count; ++i) {
        const std::int64_t w = walk.elements.vertices[corner + i];
        if (Kokkos::atomic_load(&walk.parents[w]) > place &&
          Kokkos::atomic_fetch_min(&walk.parents[w], place) == notReached) {
          walk.candidates[Kokkos::atomic_fetch_add(walk.numCandidates, std::int64_t{1})].vertex = w;
        }
      }
    }
  }
};

template <class Index>
struct CompleteCandidates {
  Walk<Index> walk;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    Candidate& candidate = walk.candidates[k];
    candidate.parent = walk.parents[candidate.vertex];
    candidate.degree = walk.ball.degrees[candidate.vertex];
  }
};

template <class Index>
struct Place {
  Walk<Index> walk;
  const Candidate* sorted;
  std::int64_t begin;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    walk.order[begin + k] = static_cast<Index>(sorted[k].vertex);
    walk.parents[sorted[k].vertex] = hasPlace;
    if (k == 0) {
      *walk.numCandidates = 0; // of the next level
    }
  }
};

template <class Index>
struct PlaceRoot {
  Walk<Index> walk;
  std::int64_t place;
  std::int64_t root;
  KOKKOS_FUNCTION void operator()(std::int64_t /*once*/) const {
    walk.order[place] = static_cast<Index>(root);
    walk.parents[root] = hasPlace;
    *walk.numCandidates = 0;
  }
};

template <class Index>
struct Forget {
  Walk<Index> walk;
  KOKKOS_FUNCTION void operator()(std::int64_t place) const { walk.parents[walk.order[place]] = notReached; }
};

/// Places the vertices without elements, in the order of their numbers.
template <class Index>
struct PlaceIsolated {
  Walk<Index> walk;
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& sum, bool final) const {
    const bool isIsolated = walk.ball.degrees[v] == 0;
    if (final) {
      walk.parents[v] = isIsolated ? hasPlace : notReached;
      if (isIsolated) {
        walk.order[sum] = static_cast<Index>(v);
      }
    }
    sum += static_cast<std::int64_t>(isIsolated);
  }
};

template <class Index>
struct FirstNotReached {
  Walk<Index> walk;
  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& first) const {
    if (walk.parents[v] == notReached) {
      first = Kokkos::min(first, v);
    }
  }
};

/// The vertex with the fewest elements of a level, and of these that with the least number, in one number.
template <class Index>
struct FindFewest {
  static constexpr int bits = 40; // vertices of a mesh are fewer
  Walk<Index> walk;
  KOKKOS_FUNCTION void operator()(std::int64_t place, std::int64_t& fewest) const {
    const std::int64_t v = walk.order[place];
    const std::int64_t degree = Kokkos::min(walk.ball.degrees[v], 1 << 22);
    fewest = Kokkos::min(fewest, (degree << bits) | v);
  }
};

template <class Index>
struct Reverse {
  Index* order;
  std::int64_t count;
  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    const Index first = order[k];
    order[k] = order[count - 1 - k];
    order[count - 1 - k] = first;
  }
};

/// The levels of a connected part.
struct Levels {
  std::int64_t numLevels = 0;
  std::int64_t lastBegin = 0;
  std::int64_t end = 0;
};

/// Orders the part of the mesh that has `root`, from `begin` on.
template <class Space, class Index>
Levels walkFrom(const Space& space, const Walk<Index>& walk, std::int64_t root, std::int64_t begin) {
  using Range = IndexRange<Space>;
  forEach(SPANWISE_KERNEL("place root"), Range(space, 0, 1), PlaceRoot<Index>{walk, begin, root});
  Levels levels{1, begin, begin + 1};
  while (true) {
    forEach(SPANWISE_KERNEL("find children"), Range(space, levels.lastBegin, levels.end), FindChildren<Index>{walk});
    const auto count = fetch(space, walk.numCandidates, 0);
    if (count == 0) {
      return levels;
    }
    forEach(SPANWISE_KERNEL("complete"), Range(space, 0, count), CompleteCandidates<Index>{walk});
    const Candidate* const sorted = sortStably(space, walk.candidates, walk.scratch, count, Ascending());
    forEach(SPANWISE_KERNEL("place"), Range(space, 0, count), Place<Index>{walk, sorted, levels.end});
    levels = {levels.numLevels + 1, levels.end, levels.end + count};
  }
}

} // namespace

template <class ExecutionSpace, MeshIndex Index>
void orderVerticesByCuthillMcKee(const ExecutionSpace& space, const ElementView<Index>& elements, const BallView& ball,
  const Kokkos::View<Index*, typename ExecutionSpace::memory_space>& order,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Mesh::orderVerticesByCuthillMcKee");
  using Range = IndexRange<ExecutionSpace>;
  const std::int64_t numVertices = ball.numVertices;
  if (order.extent(0) != static_cast<std::size_t>(numVertices)) {
    throw InvalidArgument("an order of " + std::to_string(numVertices) + " vertices was asked for in an array of " +
      std::to_string(order.extent(0)));
  }
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(workspace);
  const Walk<Index> walk{elements, ball, order.data(), frame.template array<std::int64_t>(numVertices).data(),
    frame.template array<Candidate>(numVertices).data(), frame.template array<Candidate>(numVertices).data(),
    frame.template array<std::int64_t>(1).data()};
  std::int64_t placed = 0;
  scan(SPANWISE_KERNEL("place isolated"), Range(space, 0, numVertices), PlaceIsolated<Index>{walk}, placed);
  for (std::int64_t from = 0; placed < numVertices;) {
    std::int64_t root = 0;
    reduceMin(SPANWISE_KERNEL("find root"), Range(space, from, numVertices), FirstNotReached<Index>{walk}, root);
    from = root + 1;
    // A vertex of the last level lies far out, if not as far as there are: the walk starts again from there for as long
    // as that makes it longer.
    Levels levels = walkFrom(space, walk, root, placed);
    while (true) {
      std::int64_t fewest = 0;
      reduceMin(
        SPANWISE_KERNEL("find fewest"), Range(space, levels.lastBegin, levels.end), FindFewest<Index>{walk}, fewest);
      forEach(SPANWISE_KERNEL("forget"), Range(space, placed, levels.end), Forget<Index>{walk});
      const Levels longer = walkFrom(space, walk, fewest & ((std::int64_t{1} << FindFewest<Index>::bits) - 1), placed);
      const bool isLonger = longer.numLevels > levels.numLevels;
      levels = longer;
      if (!isLonger) {
        break;
      }
    }
    placed = levels.end;
  }
  forEach(SPANWISE_KERNEL("reverse"), Range(space, 0, numVertices / 2), Reverse<Index>{order.data(), numVertices});
}

#define SPANWISE_CUTHILL_MCKEE(Space)                                                                                  \
  template void orderVerticesByCuthillMcKee<Space, std::int32_t>(const Space&, const ElementView<std::int32_t>&,       \
    const BallView&, const Kokkos::View<std::int32_t*, Space::memory_space>&, Workspace<Space::memory_space>&);        \
  template void orderVerticesByCuthillMcKee<Space, std::int64_t>(const Space&, const ElementView<std::int64_t>&,       \
    const BallView&, const Kokkos::View<std::int64_t*, Space::memory_space>&, Workspace<Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_CUTHILL_MCKEE)

} // namespace spanwise
