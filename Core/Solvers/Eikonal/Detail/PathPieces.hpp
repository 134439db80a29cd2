#pragma once

// Pieces of ways back, as far as one rank's part goes. Not installed with what users call.

#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Solvers/Eikonal/TracedPaths.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::eikonal::detail {

/// What so many paths take, of some hundred steps each.
inline Work workOfPaths(std::int64_t numPaths) { return {512 * numPaths}; }

/// How a piece of a path stops.
struct PathStop {
  bool goesOn;      ///< from its head, maybe on another rank
  std::int32_t end; ///< what it ended at; -1: nothing
};

/// Counts the points of pieces from their heads on. A Tracer has a Head, where a path is, a Place, what is written of a
/// point, and PathStop trace(Head& head, visit), which calls visit(place) for each point from the head on and moves the
/// head to where the piece stops.
template <class Tracer>
struct CountPoints {
  Tracer tracer;
  const typename Tracer::Head* heads;
  std::int64_t* counts;

  KOKKOS_FUNCTION void operator()(std::int64_t path) const {
    std::int64_t count = 0;
    typename Tracer::Head head = heads[path];
    tracer.trace(head, [&](const typename Tracer::Place&) { ++count; });
    counts[path] = count;
  }
};

/// Writes points and ends, and which paths go on at their heads.
template <class Tracer>
struct WritePoints {
  Tracer tracer;
  typename Tracer::Head* heads;
  const std::int64_t* offsets;
  typename Tracer::Place* points;
  std::int32_t* ends;
  std::uint8_t* goOn; ///< 1: the path goes on

  KOKKOS_FUNCTION void operator()(std::int64_t path) const {
    typename Tracer::Place* to = points + offsets[path];
    const PathStop stop = tracer.trace(heads[path], [&](const typename Tracer::Place& place) { *to++ = place; });
    ends[path] = stop.end;
    goOn[path] = stop.goesOn ? 1 : 0;
  }
};

/// Traces pieces of paths from their heads, each by a thread: once to count their points and once to write them. Heads
/// are where the pieces stop then, and goOn says which go on there. Waits for the count.
template <class ExecutionSpace, class Tracer>
void tracePieces(const ExecutionSpace& space, const Tracer& tracer, typename Tracer::Head* heads, std::int64_t numPaths,
  std::uint8_t* goOn, TracedPaths<typename Tracer::Place, typename ExecutionSpace::memory_space>& pieces) {
  const IndexRange<ExecutionSpace> range(space, 0, numPaths);
  const Work work = workOfPaths(numPaths);
  std::int64_t* const offsets = pieces.offsets.prepare(numPaths + 1);
  forEach(SPANWISE_KERNEL("count points"), range, CountPoints<Tracer>{tracer, heads, offsets}, work);
  const std::int64_t total = exclusiveScan(space, SPANWISE_KERNEL("scan points"), offsets, numPaths);
  forEach(SPANWISE_KERNEL("write points"), range,
    WritePoints<Tracer>{tracer, heads, offsets, pieces.points.prepare(total), pieces.ends.prepare(numPaths), goOn},
    work);
}

} // namespace spanwise::eikonal::detail
