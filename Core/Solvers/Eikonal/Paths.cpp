#include "Core/Solvers/Eikonal/Paths.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Solvers/Eikonal/Detail/CheckPaths.hpp"
#include "Core/Solvers/Eikonal/Detail/PathSteps.hpp"
#include "Core/Solvers/Eikonal/Detail/PathWork.hpp"
#include "Core/Solvers/Eikonal/Detail/SharedPaths.hpp"
#include "Core/Solvers/Eikonal/Detail/UnwrapPaths.hpp"

namespace spanwise::eikonal {

namespace {

using detail::PathSteps;
using detail::Place;

/// Where paths are written to; a first round only counts.
struct PathArrays {
  std::int64_t* begins; ///< in the first round the numbers of points
  double* points;       ///< null: the first round
  double* times;
  std::int32_t* sources;
};

template <int corners, class Real>
struct TracePath {
  PathSteps<corners, Real> steps;
  PathTargets targets;
  const std::int32_t* simplexOfTarget;
  std::int64_t maxSteps;
  PathArrays out;

  KOKKOS_FUNCTION void operator()(std::int64_t path, std::int64_t& numAtSources) const {
    std::int64_t length = 0;
    const double* target = targets.points + 3 * path;
    const Point start{{target[0], target[1], target[2]}};
    std::int32_t source = -1;
    if (simplexOfTarget[path] < 0) {
      write(path, length, start, notReached);
    } else {
      Place<corners> place = steps.placeOf(simplexOfTarget[path], start);
      write(path, length, steps.pointOf(place), place.time);
      for (std::int64_t step = 0; source < 0; ++step) {
        source = steps.endAt(place);
        if (source >= 0) {
          Point end;
          double time = 0.0;
          if (steps.endOf(place, source, end, time)) {
            write(path, length, end, time);
          }
        } else if (step == maxSteps || !steps.advance(place)) {
          break;
        } else if (place.source < 0) { // a source is written as the end
          write(path, length, steps.pointOf(place), place.time);
        }
      }
    }
    if (out.points == nullptr) {
      out.begins[path] = length;
    } else {
      detail::raiseTimes(out.times + out.begins[path], length);
      out.sources[path] = source;
      numAtSources += source >= 0 ? 1 : 0;
    }
  }

private:
  KOKKOS_FUNCTION void write(std::int64_t path, std::int64_t& length, const Point& point, double time) const {
    if (out.points != nullptr) {
      const std::int64_t at = out.begins[path] + length;
      out.times[at] = time;
      for (int axis = 0; axis < 3; ++axis) {
        out.points[3 * at + axis] = point[axis];
      }
    }
    ++length;
  }
};

template <class ExecutionSpace, int corners, class Real>
void traceHere(const Context<ExecutionSpace>& context, const PathSteps<corners, Real>& steps,
  const PathTargets& targets, const PathOptions& options, Paths<typename ExecutionSpace::memory_space>& out) {
  const ExecutionSpace& space = context.space();
  const std::int64_t count = targets.count;
  TracePath<corners, Real> trace{
    steps, targets, out.simplices.data(), options.maxSteps, {out.begins.data(), nullptr, nullptr, nullptr}};
  const IndexRange<ExecutionSpace> all(space, 0, count);
  reduce(SPANWISE_KERNEL("count paths"), all, trace, out.numAtSources, detail::workOfPaths(count));
  out.numPoints = exclusiveScan(space, SPANWISE_KERNEL("scan paths"), out.begins.data(), count);
  reserve(out.points, 3 * out.numPoints, SPANWISE_LABEL("Eikonal::pathPoints"));
  reserve(out.times, out.numPoints, SPANWISE_LABEL("Eikonal::pathTimes"));
  trace.out = {out.begins.data(), out.points.data(), out.times.data(), out.sources.data()};
  reduce(SPANWISE_KERNEL("write paths"), all, trace, out.numAtSources, detail::workOfPaths(count));
}

template <class ExecutionSpace, int corners, class Real>
void traceIn(const Context<ExecutionSpace>& context, const VertexView<Real>& vertices,
  const SimplexMesh<corners, ExecutionSpace>& simplices, const ArrivalTimes<ExecutionSpace>& solution,
  const Sources& sources, const PathTargets& targets, const PathOptions& options,
  Paths<typename ExecutionSpace::memory_space>& out) {
  const Communicator& communicator = simplices.communicator();
  const SourceNumbers numbers = countSources(communicator, sources);
  parallel::agree(communicator, [&] {
    locatePoints(context, vertices, simplices.view(), {targets.points, nullptr, targets.count, targets.reach},
      out.simplices.data());
  });
  const PathSteps<corners, Real> steps{vertices, simplices.view(), solution.factoring.view(), solution.times.data(),
    solution.startTimes.data(), solution.labels.data(), solution.turns.data(), solution.plateauSteps.data(), sources,
    numbers.firstPoint(), numbers.firstTriangle()};
  if (communicator.alone()) {
    traceHere<ExecutionSpace, corners, Real>(context, steps, targets, options, out);
  } else {
    sharedpaths::trace<ExecutionSpace, corners, Real>(context, vertices, simplices, steps, targets, options, out);
  }
}

} // namespace

template <class ExecutionSpace, MeshReal Real>
void tracePaths(const Context<ExecutionSpace>& context, const VertexView<Real>& vertices,
  const ArrivalTimes<ExecutionSpace>& solution, const Sources& sources, const PathTargets& targets,
  const PathOptions& options, Paths<typename ExecutionSpace::memory_space>& out) {
  SPANWISE_REGION("Eikonal::tracePaths");
  parallel::agree(context.communicator(), [&] { detail::preparePaths(solution, targets, options, out); });
  if (solution.dimension == 3) {
    traceIn<ExecutionSpace, 4>(context, vertices, solution.tetrahedra, solution, sources, targets, options, out);
  } else {
    traceIn<ExecutionSpace, 3>(context, vertices, solution.triangles, solution, sources, targets, options, out);
  }
  out.count = targets.count;
  detail::unwrapPaths(context.space(), solution.periods, out.count, out);
}

#define SPANWISE_TRACE_PATHS_OF(Space, Real)                                                                           \
  template void tracePaths<Space, Real>(const Context<Space>&, const VertexView<Real>&, const ArrivalTimes<Space>&,    \
    const Sources&, const PathTargets&, const PathOptions&, Paths<Space::memory_space>&);
#define SPANWISE_TRACE_PATHS(Space)                                                                                    \
  SPANWISE_TRACE_PATHS_OF(Space, float)                                                                                \
  SPANWISE_TRACE_PATHS_OF(Space, double)
SPANWISE_FOR_EACH_SPACE(SPANWISE_TRACE_PATHS)

} // namespace spanwise::eikonal
