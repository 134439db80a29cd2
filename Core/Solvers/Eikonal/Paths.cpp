#include "Core/Solvers/Eikonal/Paths.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/HostCopy.hpp"
#include "Core/Solvers/Eikonal/Detail/MeshCrossing.hpp"
#include "Core/Solvers/Eikonal/Detail/MeshTracer.hpp"
#include "Core/Solvers/Eikonal/Detail/PathRounds.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace spanwise::eikonal {

namespace {

using detail::MeshCrossing;
using detail::MeshHead;
using detail::MeshTracer;
using detail::PathSteps;

template <class ExecutionSpace>
void check(const ArrivalTimes<ExecutionSpace>& solution, const PathOptions& options) {
  if (solution.dimension == 0 || solution.trace != Trace::Sources) {
    throw InvalidArgument("paths need arrival times whose sources were traced: solve them with Trace::Sources");
  }
  if (options.maxSteps < 0) {
    throw InvalidArgument("paths of at most " + std::to_string(options.maxSteps) +
      " segments are asked for: the number must not be negative");
  }
}

/// Makes whole paths of joined pieces. A front is nowhere before it was where it came from: points get the times that
/// they have at the least, since linear and factored times disagree where they meet. What comes behind a step of more
/// than half a period is moved by periods, so that lines go on beyond it.
struct FinishPaths {
  const std::int64_t* offsets;
  PathPlace* points;
  double periods[3];

  KOKKOS_FUNCTION void operator()(std::int64_t path) const {
    for (std::int64_t i = offsets[path + 1] - 2; i >= offsets[path]; --i) {
      points[i].time = Kokkos::max(points[i].time, points[i + 1].time);
    }
    for (int axis = 0; axis < 3; ++axis) {
      if (!(periods[axis] > 0.0)) {
        continue;
      }
      for (std::int64_t i = offsets[path] + 1; i < offsets[path + 1]; ++i) {
        const double step = points[i].at[axis] - points[i - 1].at[axis];
        points[i].at[axis] -= periods[axis] * Kokkos::round(step / periods[axis]);
      }
    }
  }
};

/// Collective. Of requests for all targets those that this rank begins: of the ranks that have a simplex around a
/// target the first, of none rank 0.
template <int corners>
std::vector<detail::PathRequest<MeshHead<corners>>> requestsHere(
  const Communicator& communicator, std::vector<detail::PathRequest<MeshHead<corners>>> requests) {
  std::vector<std::int64_t> ranks;
  ranks.reserve(requests.size());
  for (const auto& request : requests) {
    ranks.push_back(request.head.place.simplex >= 0 ? communicator.rank() : communicator.size());
  }
  communicator.reduce(ReduceBy::Minimum, std::span<std::int64_t>(ranks));
  std::replace(ranks.begin(), ranks.end(), std::int64_t{communicator.size()}, std::int64_t{0});
  std::erase_if(requests,
    [&](const auto& request) { return ranks[static_cast<std::size_t>(request.path)] != communicator.rank(); });
  return requests;
}

/// [vertices] 1: other ranks have the vertex too. Valid until `frame` closes.
template <class ExecutionSpace>
const std::uint8_t* markShared(const ExecutionSpace& space, const SharedVertices& shared, std::int64_t numVertices,
  typename Workspace<typename ExecutionSpace::memory_space>::Frame& frame) {
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(numVertices), 0);
  for (const std::int32_t v : shared.vertices) {
    marks[static_cast<std::size_t>(v)] = 1;
  }
  std::uint8_t* const out = frame.template array<std::uint8_t>(numVertices).data();
  copyFromHost(space, marks.data(), numVertices, out);
  return out;
}

template <class ExecutionSpace, int corners, class Real>
void traceIn(const Context<ExecutionSpace>& context, const VertexView<Real>& vertices,
  const SimplexMesh<corners, ExecutionSpace>& simplices, const ArrivalTimes<ExecutionSpace>& solution,
  const Sources& sources, const PathTargets& targets, const PathOptions& options,
  Paths<typename ExecutionSpace::memory_space>& out) {
  const ExecutionSpace& space = context.space();
  const Communicator& communicator = simplices.communicator();
  const SourceNumbers numbers = countSources(communicator, sources);
  const PathSteps<corners, Real> steps{vertices, simplices.view(), solution.factoring.view(), solution.times.data(),
    solution.startTimes.data(), solution.labels.data(), solution.turns.data(), solution.plateauSteps.data(), sources,
    numbers.firstPoint(), numbers.firstTriangle()};
  const IndexRange<ExecutionSpace> all(space, 0, targets.count);
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  MeshTracer<corners, Real> tracer{steps, targets.points, nullptr, options.maxSteps};
  std::optional<MeshCrossing<ExecutionSpace, corners, Real>> crossing; // on several ranks
  typename Workspace<typename ExecutionSpace::memory_space>::template Array<MeshHead<corners>> heads;
  parallel::agree(communicator, [&] {
    const auto simplexOfTarget = frame.template array<std::int32_t>(targets.count);
    heads = frame.template array<MeshHead<corners>>(targets.count);
    locatePoints(context, vertices, simplices.view(), {targets.points, nullptr, targets.count, targets.reach},
      simplexOfTarget.data());
    forEach(SPANWISE_KERNEL("begin paths"), all,
      detail::BeginPaths<corners, Real>{steps, targets.points, simplexOfTarget.data(), heads.data()});
    if (simplices.shared() != nullptr) {
      tracer.isShared = markShared(space, *simplices.shared(), steps.mesh.numVertices, frame);
      crossing.emplace(space, communicator, *simplices.shared(), steps);
    }
  });
  detail::tracePaths(
    context, communicator, tracer, heads,
    [&](const auto& requests) { return requestsHere<corners>(communicator, requests); },
    [&](const auto& atCut) { return (*crossing)(atCut); }, out);
  forEach(SPANWISE_KERNEL("finish paths"), all,
    FinishPaths{
      out.offsets.data(), out.points.data(), {solution.periods[0], solution.periods[1], solution.periods[2]}});
}

} // namespace

template <class ExecutionSpace, MeshReal Real>
void tracePaths(const Context<ExecutionSpace>& context, const VertexView<Real>& vertices,
  const ArrivalTimes<ExecutionSpace>& solution, const Sources& sources, const PathTargets& targets,
  const PathOptions& options, Paths<typename ExecutionSpace::memory_space>& out) {
  SPANWISE_REGION("Eikonal::tracePaths");
  parallel::agree(context.communicator(), [&] { check(solution, options); });
  if (solution.dimension == 3) {
    traceIn<ExecutionSpace, 4>(context, vertices, solution.tetrahedra, solution, sources, targets, options, out);
  } else {
    traceIn<ExecutionSpace, 3>(context, vertices, solution.triangles, solution, sources, targets, options, out);
  }
}

#define SPANWISE_TRACE_PATHS_OF(Space, Real)                                                                           \
  template void tracePaths<Space, Real>(const Context<Space>&, const VertexView<Real>&, const ArrivalTimes<Space>&,    \
    const Sources&, const PathTargets&, const PathOptions&, Paths<Space::memory_space>&);
#define SPANWISE_TRACE_PATHS(Space)                                                                                    \
  SPANWISE_TRACE_PATHS_OF(Space, float)                                                                                \
  SPANWISE_TRACE_PATHS_OF(Space, double)
SPANWISE_FOR_EACH_SPACE(SPANWISE_TRACE_PATHS)

} // namespace spanwise::eikonal
