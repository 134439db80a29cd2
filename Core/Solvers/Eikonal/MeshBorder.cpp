#include "Core/Solvers/Eikonal/MeshBorder.hpp"

#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Eikonal/Detail/Fronts.hpp"

#include <algorithm>
#include <string>

namespace spanwise::eikonal {

namespace {

/// Puts times into the links to the neighbours that have the same vertices: those that fell, or all there are.
template <class Outbox>
struct CollectTimes {
  const std::int32_t* touched; ///< [vertices]: 1: the time of a vertex fell; nullptr: all count
  const double* times;
  const std::int32_t* vertices;
  const std::int32_t* neighbours;
  const std::int64_t* firstSlot;
  Outbox outbox;

  KOKKOS_FUNCTION void operator()(std::int64_t slot) const {
    const std::int32_t v = vertices[slot];
    if (touched != nullptr ? touched[v] != 0 : times[v] < notReached) {
      const std::int32_t n = neighbours[slot];
      outbox.add(n, static_cast<std::int32_t>(slot - firstSlot[n]), times[v]);
    }
  }
};

/// Lowers times to what came from a neighbour, whose slots begin with the pointer here.
struct LowerTimes {
  fronts::Fronts fronts;
  const std::int32_t* vertices;
  const std::int32_t* places;
  const double* times;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { fronts.lower(vertices[places[i]], times[i]); }
};

/// The same before the iteration begins.
struct LowerStarts {
  const std::int32_t* vertices;
  const std::int32_t* places;
  const double* from;
  double* times;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    Kokkos::atomic_fetch_min(&times[vertices[places[i]]], from[i]);
  }
};

struct CountReached {
  const std::int32_t* vertices;
  const double* times;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const {
    count += times[vertices[i]] < notReached ? 1 : 0;
  }
};

template <class Memory, class T>
Kokkos::View<T*, Memory> copied(const std::vector<T>& values) {
  const Kokkos::View<T*, Memory> view(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Eikonal::MeshBorder")), values.size());
  Kokkos::deep_copy(view,
    Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(values.data(), values.size()));
  return view;
}

std::vector<std::int32_t> neighboursOfSlots(const SharedVertices& shared) {
  std::vector<std::int32_t> neighbours;
  for (std::size_t n = 0; n < shared.ranks.size(); ++n) {
    neighbours.resize(static_cast<std::size_t>(shared.firstSlot[n + 1]), static_cast<std::int32_t>(n));
  }
  return neighbours;
}

/// Vertices that a rank before this one has, each once.
std::vector<std::int32_t> verticesElsewhere(const SharedVertices& shared, int rank) {
  std::vector<std::int32_t> elsewhere;
  for (std::size_t n = 0; n < shared.ranks.size(); ++n) {
    if (shared.ranks[n] < rank) {
      const auto slots = shared.vertices.begin();
      elsewhere.insert(elsewhere.end(), slots + shared.firstSlot[n], slots + shared.firstSlot[n + 1]);
    }
  }
  std::sort(elsewhere.begin(), elsewhere.end());
  elsewhere.erase(std::unique(elsewhere.begin(), elsewhere.end()), elsewhere.end());
  return elsewhere;
}

template <class ExecutionSpace>
std::vector<typename ChangedTimes<ExecutionSpace>::Link> linksOf(const SharedVertices& shared) {
  std::vector<typename ChangedTimes<ExecutionSpace>::Link> links;
  links.reserve(shared.ranks.size());
  for (std::size_t n = 0; n < shared.ranks.size(); ++n) {
    links.push_back({shared.ranks[n], shared.firstSlot[n + 1] - shared.firstSlot[n]});
  }
  return links;
}

} // namespace

template <class ExecutionSpace>
MeshBorder<ExecutionSpace>::Slots::Slots(const SharedVertices& shared)
  : vertices(copied<Memory>(shared.vertices)), neighbours(copied<Memory>(neighboursOfSlots(shared))),
    first(copied<Memory>(shared.firstSlot)) {}

template <class ExecutionSpace>
MeshBorder<ExecutionSpace>::MeshBorder(
  const ExecutionSpace& space, const Communicator& communicator, const SharedVertices& shared)
  : slots_(shared), firstSlot_(shared.firstSlot),
    elsewhere_(copied<Memory>(verticesElsewhere(shared, communicator.rank()))),
    changed_(space, communicator, linksOf<ExecutionSpace>(shared), linksOf<ExecutionSpace>(shared)),
    progress_(communicator) {
  for (const std::int32_t v : shared.vertices) {
    lastVertex_ = std::max(lastVertex_, v);
  }
}

template <class ExecutionSpace>
void MeshBorder<ExecutionSpace>::check(std::int64_t numVertices) const {
  if (lastVertex_ >= numVertices) {
    throw InvalidArgument("vertex " + std::to_string(lastVertex_) + " is shared with other ranks, and the mesh has " +
      std::to_string(numVertices) + ": the border is that of another mesh");
  }
}

template <class ExecutionSpace>
template <class Take>
std::int64_t MeshBorder<ExecutionSpace>::bring(
  const ExecutionSpace& space, const std::int32_t* touched, const double* times, const Take& take) {
  using Collect = CollectTimes<typename ChangedTimes<ExecutionSpace>::Outbox>;
  changed_.clear(space);
  forEach(SPANWISE_KERNEL("collect times"), IndexRange<ExecutionSpace>(space, 0, numSlots()),
    Collect{touched, times, slots_.vertices.data(), slots_.neighbours.data(), slots_.first.data(), changed_.outbox()});
  changed_.exchange(space);
  std::int64_t come = 0;
  for (std::size_t n = 0; n < changed_.numIncoming(); ++n) {
    const auto arrived = changed_.arrived(n);
    take(slots_.vertices.data() + firstSlot_[n], arrived);
    come += arrived.count;
  }
  return come;
}

template <class ExecutionSpace>
void MeshBorder<ExecutionSpace>::join(const ExecutionSpace& space, double* times) {
  bring(space, nullptr, times, [&](const std::int32_t* vertices, const auto& arrived) {
    forEach(SPANWISE_KERNEL("lower starts"), IndexRange<ExecutionSpace>(space, 0, arrived.count),
      LowerStarts{vertices, arrived.places, arrived.times, times});
  });
}

template <class ExecutionSpace>
std::int64_t MeshBorder<ExecutionSpace>::exchange(const ExecutionSpace& space, const fronts::Fronts& fronts) {
  return bring(space, fronts.touched, fronts.next, [&](const std::int32_t* vertices, const auto& arrived) {
    forEach(SPANWISE_KERNEL("lower times"), IndexRange<ExecutionSpace>(space, 0, arrived.count),
      LowerTimes{fronts, vertices, arrived.places, arrived.times});
  });
}

template <class ExecutionSpace>
std::int64_t MeshBorder<ExecutionSpace>::countedElsewhere(const ExecutionSpace& space, const double* times) const {
  std::int64_t count = 0;
  reduce(SPANWISE_KERNEL("count reached"), IndexRange<ExecutionSpace>(space, 0, elsewhere_.extent(0)),
    CountReached{elsewhere_.data(), times}, count);
  return count;
}

#define SPANWISE_RANK_BORDER(Space) template class MeshBorder<Space>;
SPANWISE_FOR_EACH_SPACE(SPANWISE_RANK_BORDER)

} // namespace spanwise::eikonal
