#include "Core/Solvers/Eikonal/RankStarts.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace spanwise::eikonal {

namespace {

/// Makes the numbers of a rank's sources those of all ranks'.
struct NumberThrough {
  Sources mine;
  RankSources all;
  std::int32_t* labels;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const {
    const std::int64_t label = labels[v];
    if (label < 0) {
      return;
    }
    const std::int64_t number = label < mine.firstElement() ? label + all.firstVertex
      : label < mine.firstPoint()                           ? label - mine.firstElement() + all.firstElement
                                                            : label - mine.firstPoint() + all.firstPoint();
    labels[v] = static_cast<std::int32_t>(number);
  }
};

/// When a front starts at a vertex, and the source that it comes from.
struct Start {
  double time;
  std::int32_t label;
};

struct Starts {
  double* times;
  std::int32_t* labels; ///< null: not asked for

  [[nodiscard]] KOKKOS_FUNCTION Start get(std::int64_t v) const {
    return {times[v], labels != nullptr ? labels[v] : 0};
  }
  KOKKOS_FUNCTION void set(std::int64_t v, const Start& start) const {
    times[v] = start.time;
    if (labels != nullptr) {
      labels[v] = start.label;
    }
  }
};

struct FirstStart {
  KOKKOS_FUNCTION Start operator()(const Start& a, const Start& b) const {
    return b.time < a.time || (b.time == a.time && b.label < a.label) ? b : a;
  }
};

struct CountReached {
  const double* times;
  const std::int32_t* vertices; ///< null: all

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& count) const {
    count += times[vertices != nullptr ? vertices[i] : i] < notReached ? 1 : 0;
  }
};

/// Collective. Which points are in no rank's simplices.
template <class ExecutionSpace>
void findOutside(const ExecutionSpace& space, const Communicator& communicator, const std::int32_t* simplexOfPoint,
  std::int64_t numPoints, StartReport& report) {
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  const auto count = static_cast<std::size_t>(numPoints);
  std::vector<std::int32_t> simplices(count);
  space.fence(SPANWISE_LABEL("Eikonal::simplexOfPoint"));
  Kokkos::deep_copy(Kokkos::View<std::int32_t*, Kokkos::HostSpace, Unmanaged>(simplices.data(), count),
    Kokkos::View<const std::int32_t*, typename ExecutionSpace::memory_space, Unmanaged>(simplexOfPoint, count));
  std::vector<std::int64_t> isInside(count);
  std::transform(
    simplices.begin(), simplices.end(), isInside.begin(), [](std::int32_t s) { return std::int64_t{s >= 0 ? 1 : 0}; });
  communicator.reduce(ReduceBy::Maximum, std::span<std::int64_t>(isInside));
  report.numOutside = std::count(isInside.begin(), isInside.end(), 0);
  report.firstOutside = std::find(isInside.begin(), isInside.end(), 0) - isInside.begin();
}

} // namespace

RankSources countSources(const Communicator& communicator, const Sources& sources) {
  const std::array<std::int64_t, 4> mine{
    sources.vertices.count, sources.elements.count, sources.points.count, sources.surface.count};
  const auto counts = communicator.gather(mine);
  RankSources all;
  all.numPoints = sources.points.count;
  all.numTriangles = sources.surface.count;
  int rank = 0;
  for (const auto& of : counts) {
    if (of[2] != counts.front()[2] || of[3] != counts.front()[3]) {
      throw InvalidArgument("rank " + std::to_string(rank) + " has " + std::to_string(of[2]) + " source points and " +
        std::to_string(of[3]) + " triangles of a source surface, rank 0 " + std::to_string(counts.front()[2]) +
        " and " + std::to_string(counts.front()[3]) + ": all ranks must have the same");
    }
    if (rank == communicator.rank()) {
      all.firstVertex = all.numVertices;
      all.firstElement = all.numElements;
    }
    all.numVertices += of[0];
    all.numElements += of[1];
    ++rank;
  }
  all.firstElement += all.numVertices;
  if (all.count() >= std::numeric_limits<std::int32_t>::max()) {
    throw InvalidArgument(std::to_string(all.count()) + " sources on all ranks: there must be fewer than 2^31 - 1");
  }
  return all;
}

template <class ExecutionSpace, int corners, MeshReal Real, MeshIndex Index>
StartReport setStartsOnRanks(const Context<ExecutionSpace>& context, SharedExchange<ExecutionSpace>& exchange,
  const MeshView<Real, Index>& mesh, const Speed& speed, const SimplexMeshView<corners>& simplices,
  const Sources& sources, const StartArrays& out) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Eikonal::setStartsOnRanks");
  const Communicator& communicator = exchange.communicator();
  const RankSources all = countSources(communicator, sources);
  StartReport report;
  parallel::agree(communicator, [&] { report = setStarts(context, mesh, speed, simplices, sources, out); });
  const IndexRange<ExecutionSpace> overVertices(space, 0, mesh.vertices.numVertices);
  if (out.labels != nullptr) {
    forEach(SPANWISE_KERNEL("number sources"), overVertices, NumberThrough{sources, all, out.labels});
  }
  exchange.join(space, Starts{out.times, out.labels}, FirstStart());
  std::int64_t numElsewhere = 0;
  reduce(SPANWISE_KERNEL("count starts"), overVertices, CountReached{out.times, nullptr}, report.numStarts);
  reduce(SPANWISE_KERNEL("count starts"), IndexRange<ExecutionSpace>(space, 0, exchange.elsewhere().extent(0)),
    CountReached{out.times, exchange.elsewhere().data()}, numElsewhere);
  report.numStarts = communicator.reduced(ReduceBy::Sum, report.numStarts - numElsewhere);
  report.surfaceCuts = communicator.reduced(ReduceBy::Maximum, std::int64_t{report.surfaceCuts ? 1 : 0}) > 0;
  if (all.numPoints > 0) {
    findOutside(space, communicator, out.simplexOfPoint, all.numPoints, report);
  }
  return report;
}

#define SPANWISE_SET_STARTS_ON_RANKS(Real, Index, Space, corners)                                                      \
  template StartReport setStartsOnRanks<Space, corners, Real, Index>(const Context<Space>&, SharedExchange<Space>&,    \
    const MeshView<Real, Index>&, const Speed&, const SimplexMeshView<corners>&, const Sources&, const StartArrays&);
#define SPANWISE_SET_STARTS_ON_RANKS_OF_BOTH(Space)                                                                    \
  SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_SET_STARTS_ON_RANKS, Space, 3)                                                  \
  SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_SET_STARTS_ON_RANKS, Space, 4)
SPANWISE_FOR_EACH_SPACE(SPANWISE_SET_STARTS_ON_RANKS_OF_BOTH)

} // namespace spanwise::eikonal
