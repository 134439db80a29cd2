#include "Core/Solvers/Eikonal/ArrivalTimes.hpp"

#include "Core/Geometry/Detail/PointText.hpp"
#include "Core/Geometry/Detail/Range.hpp"
#include "Core/Mesh/MergeVertices.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Solvers/Eikonal/NearestSources.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"

#include <string>
#include <utility>

namespace spanwise::eikonal {

namespace {

using spanwise::detail::fetch;
using spanwise::detail::forEach;
using spanwise::detail::Range;

/// How many elements are flat and solid.
struct Dimensions {
  std::int64_t numFlat = 0;
  std::int64_t numSolid = 0;

  KOKKOS_FUNCTION Dimensions& operator+=(const Dimensions& other) {
    numFlat += other.numFlat;
    numSolid += other.numSolid;
    return *this;
  }
};

template <class Index>
struct CountDimensions {
  using value_type = Dimensions;
  ElementView<Index> elements;

  KOKKOS_FUNCTION void init(Dimensions& sum) const { sum = Dimensions(); }
  KOKKOS_FUNCTION void join(Dimensions& sum, const Dimensions& other) const { sum += other; }
  KOKKOS_FUNCTION void operator()(std::int64_t e, Dimensions& sum) const {
    const int dimension = dimensionOf(elements.typeOf(e));
    sum.numFlat += dimension == 2 ? 1 : 0;
    sum.numSolid += dimension == 3 ? 1 : 0;
  }
};

/// Lists of vertices with those that stand for them. Vertices that do not exist are left for others to find.
template <class Index>
struct MapCorners {
  const Index* vertices;
  const std::int32_t* representatives;
  std::int64_t numVertices;
  Index* out;

  KOKKOS_FUNCTION void operator()(std::int64_t corner) const {
    const Index v = vertices[corner];
    out[corner] = v >= 0 && v < numVertices ? static_cast<Index>(representatives[v]) : v;
  }
};

/// Vertices without a time.
struct Unreached {
  std::int64_t inSimplices = 0;
  std::int64_t unused = 0;
};

/// Gives vertices the times of those that stand for them, and counts those without.
struct Finish {
  using value_type = Unreached;
  const std::int32_t* representatives; // null: each stands for itself
  const std::int32_t* degrees;
  double* times;
  std::int32_t* labels; // null: there are none

  KOKKOS_FUNCTION void init(Unreached& sum) const { sum = Unreached(); }
  KOKKOS_FUNCTION void join(Unreached& sum, const Unreached& other) const {
    sum.inSimplices += other.inSimplices;
    sum.unused += other.unused;
  }
  KOKKOS_FUNCTION void operator()(std::int64_t v, Unreached& sum) const {
    const std::int64_t from = representatives != nullptr ? representatives[v] : v;
    if (from != v) {
      times[v] = times[from];
      if (labels != nullptr) {
        labels[v] = labels[from];
      }
    }
    if (!(times[v] < notReached)) {
      ++(degrees[from] > 0 ? sum.inSimplices : sum.unused);
    }
  }
};

struct CopyTimes {
  const double* from;
  double* to;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const { to[v] = from[v]; }
};

struct Replace {
  double* times;
  double value;

  KOKKOS_FUNCTION void operator()(std::int64_t v, std::int64_t& count) const {
    if (!(times[v] < notReached)) {
      times[v] = value;
      ++count;
    }
  }
};

template <class ExecutionSpace>
void checkStarts(const ExecutionSpace& space, const StartReport& starts, const Sources& sources) {
  if (starts.numOutside > 0) {
    double point[3];
    for (int axis = 0; axis < 3; ++axis) {
      point[axis] = fetch(space, sources.points.points, 3 * starts.firstOutside + axis);
    }
    throw InvalidArgument("source point " + std::to_string(starts.firstOutside) + " at " +
      spanwise::detail::pointText(point, 3) + " is outside of the mesh, as " + std::to_string(starts.numOutside) +
      " of " + std::to_string(sources.points.count) +
      " points are: a source point must be in an element that fronts go through");
  }
  if (sources.surface.count > 0 && !starts.surfaceCuts) {
    throw InvalidArgument("the source surface is outside of the mesh: none of its " +
      std::to_string(sources.surface.count) + " triangles cuts an element that fronts go through");
  }
  if (starts.numStarts == 0) {
    throw InvalidArgument("there is no source: fronts start at one vertex at least");
  }
}

/// What depends on the dimension.
template <class ExecutionSpace, int corners, class Real, class Index>
void solveIn(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const Speed& speed, const Sources& sources,
  const ArrivalOptions& options, const std::int32_t* representatives,
  SimplexMesh<corners, typename ExecutionSpace::memory_space>& simplices,
  ArrivalTimes<typename ExecutionSpace::memory_space>& out, Workspace<typename ExecutionSpace::memory_space>& workspace,
  const Progress& progress, ArrivalReport& report) {
  buildSimplexMesh<ExecutionSpace, corners>(space, mesh, speed, simplices, workspace);
  report.dimension = corners - 1;
  report.degenerate = simplices.degenerate();
  report.inverted = simplices.inverted();
  report.walls = simplices.walls();
  report.numSimplices = simplices.numSimplices();
  report.occupancy = simplices.occupancy();
  report.meshBytes = simplices.bytes();
  if (report.walls.count > 0 && options.zeroSpeed == ZeroSpeed::Error) {
    throw InvalidArgument("the speed of element " + std::to_string(report.walls.first) + " is 0, as that of " +
      std::to_string(report.walls.count) + " elements is: speeds must be positive, unless 0 is said to be a wall");
  }
  progress.report(0.2);
  reserve(out.simplexOfPoint, sources.points.count, SPANWISE_LABEL("Eikonal::simplexOfPoint"));
  const bool traced = options.trace == Trace::Sources;
  const std::int64_t numVertices = simplices.numVertices();
  if (traced) {
    reserve(out.labels, numVertices, SPANWISE_LABEL("Eikonal::labels"));
    reserve(out.startTimes, numVertices, SPANWISE_LABEL("Eikonal::startTimes"));
  }
  std::int32_t* const labels = traced ? out.labels.data() : nullptr;
  const StartArrays starts{out.times.data(), labels, out.simplexOfPoint.data(), representatives};
  report.starts = setStarts(space, mesh, speed, simplices.view(), sources, starts, workspace);
  checkStarts(space, report.starts, sources);
  setFactoring(space, mesh, speed, simplices.view(), sources, starts, options.factoring, out.factoring);
  report.numFactored = out.factoring.numFactored;
  if (traced) {
    forEach(SPANWISE_KERNEL("keep starts"), Range<ExecutionSpace>(space, 0, numVertices),
      CopyTimes{out.times.data(), out.startTimes.data()});
  }
  progress.report(0.25);
  report.iteration = iterateTimes<ExecutionSpace, corners>(
    space, simplices, options.iteration, out.times, workspace, progress.part(0.25, 1.0), out.factoring.view());
  if (traced) {
    labelNearestSources(
      space, simplices.view(), out.factoring.view(), out.times.data(), out.startTimes.data(), labels, workspace);
  }
  out.trace = options.trace;
  out.dimension = report.dimension;
  Unreached unreached;
  reduce(SPANWISE_KERNEL("finish"), Range<ExecutionSpace>(space, 0, numVertices),
    Finish{representatives, simplices.view().ball.degrees, out.times.data(), labels}, unreached);
  report.numUnreached = unreached.inSimplices;
  report.numUnused = unreached.unused;
}

} // namespace

template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
ArrivalReport solveArrivalTimes(const ExecutionSpace& space, const MeshView<Real, Index>& mesh, const Speed& speed,
  const Sources& sources, const ArrivalOptions& options, ArrivalTimes<typename ExecutionSpace::memory_space>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace, const Progress& progress) {
  SPANWISE_REGION("Eikonal::solveArrivalTimes");
  using Memory = typename ExecutionSpace::memory_space;
  const std::int64_t numVertices = mesh.vertices.numVertices;
  const std::int64_t numElements = mesh.elements.numElements;
  out.dimension = 0;
  try {
    if (sources.count() == 0) {
      throw InvalidArgument("there is no source: fronts start at a vertex, an element, a point or a surface");
    }
    ArrivalReport report;
    if (static_cast<std::int64_t>(out.times.extent(0)) != numVertices) {
      out.times = {};
    }
    reserve(out.times, numVertices, SPANWISE_LABEL("Eikonal::times"));
    typename Workspace<Memory>::Frame frame(workspace);
    MeshView<Real, Index> merged = mesh;
    const std::int32_t* representatives = nullptr;
    if (options.mergeDistance >= 0.0) {
      reserve(out.representatives, numVertices, SPANWISE_LABEL("Eikonal::representatives"));
      report.numMerged = mergeVertices(space, mesh.vertices, options.mergeDistance, out.representatives, workspace);
    }
    if (report.numMerged > 0) {
      const ElementView<Index>& elements = mesh.elements;
      const std::int64_t numCorners = elements.offsets != nullptr
        ? std::int64_t{fetch(space, elements.offsets, numElements)}
        : numElements * numVerticesOf(elements.type);
      const auto vertices = frame.template array<Index>(numCorners);
      representatives = out.representatives.data();
      forEach(SPANWISE_KERNEL("map corners"), Range<ExecutionSpace>(space, 0, numCorners),
        MapCorners<Index>{elements.vertices, representatives, numVertices, vertices.data()});
      merged.elements.vertices = vertices.data();
    }
    Dimensions dimensions;
    reduce(SPANWISE_KERNEL("dimensions"), Range<ExecutionSpace>(space, 0, numElements),
      CountDimensions<Index>{mesh.elements}, dimensions);
    const bool solid =
      options.frontsIn == FrontsIn::Solid || (options.frontsIn == FrontsIn::Highest && dimensions.numSolid > 0);
    if ((solid ? dimensions.numSolid : dimensions.numFlat) == 0) {
      throw InvalidArgument(std::string("the mesh has no ") + (solid ? "solid" : "flat") + " elements among its " +
        std::to_string(numElements) + ": fronts go through triangles, quadrilaterals, tetrahedra, pyramids, prisms " +
        "and hexahedra");
    }
    if (solid) {
      solveIn<ExecutionSpace, 4>(
        space, merged, speed, sources, options, representatives, out.tetrahedra, out, workspace, progress, report);
    } else {
      solveIn<ExecutionSpace, 3>(
        space, merged, speed, sources, options, representatives, out.triangles, out, workspace, progress, report);
    }
    return report;
  } catch (const Error&) {
    out.times = {};
    out.dimension = 0;
    throw;
  }
}

template <class ExecutionSpace>
std::int64_t replaceUnreached(const ExecutionSpace& space,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times, double value) {
  SPANWISE_REGION("Eikonal::replaceUnreached");
  std::int64_t count = 0;
  reduce(SPANWISE_KERNEL("replace"), Range<ExecutionSpace>(space, 0, static_cast<std::int64_t>(times.extent(0))),
    Replace{times.data(), value}, count);
  return count;
}

#define SPANWISE_SOLVE_ARRIVAL_TIMES(Real, Index, Space)                                                               \
  template ArrivalReport solveArrivalTimes<Space, Real, Index>(const Space&, const MeshView<Real, Index>&,             \
    const Speed&, const Sources&, const ArrivalOptions&, ArrivalTimes<Space::memory_space>&,                           \
    Workspace<Space::memory_space>&, const Progress&);
#define SPANWISE_SOLVE_ARRIVAL_TIMES_OF_ALL(Space)                                                                     \
  SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_SOLVE_ARRIVAL_TIMES, Space)                                                     \
  template std::int64_t replaceUnreached<Space>(                                                                       \
    const Space&, const Kokkos::View<double*, Space::memory_space>&, double);
SPANWISE_FOR_EACH_SPACE(SPANWISE_SOLVE_ARRIVAL_TIMES_OF_ALL)

} // namespace spanwise::eikonal
