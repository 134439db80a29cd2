#include "Core/Solvers/Eikonal/ArrivalTimes.hpp"

#include "Core/Mesh/MergeVertices.hpp"
#include "Core/Mesh/SharedExchange.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/Alike.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/CountText.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Reserve.hpp"
#include "Core/Solvers/Eikonal/FastIterative.hpp"
#include "Core/Solvers/Eikonal/NearestSources.hpp"
#include "Core/Solvers/Eikonal/SimplexUpdate.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <utility>

namespace spanwise::eikonal {

namespace {

/// How many elements are flat and solid, and how many there are.
struct Dimensions {
  std::int64_t numFlat = 0;
  std::int64_t numSolid = 0;
  std::int64_t numAll = 0;

  KOKKOS_FUNCTION Dimensions& operator+=(const Dimensions& other) {
    numFlat += other.numFlat;
    numSolid += other.numSolid;
    numAll += other.numAll;
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
    sum.numAll += dimension > 0 ? 1 : 0;
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

/// The vertices that stand for those of a region to stop at; numbers that no vertex has are left for others to find.
struct MapRegion {
  const std::int64_t* region;
  const std::int32_t* representatives;
  std::int64_t numVertices;
  std::int64_t* out;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const std::int64_t v = region[i];
    out[i] = v >= 0 && v < numVertices ? std::int64_t{representatives[v]} : v;
  }
};

/// The speeds of elements from those of their own vertices, before these are merged; one that must not be stays.
template <class Index>
struct SpeedsOfElements {
  ElementView<Index> elements;
  Speed speed;
  std::int64_t numVertices;
  double* out;

  KOKKOS_FUNCTION void operator()(std::int64_t e) const {
    const int count = numVerticesOf(elements.typeOf(e));
    const Index* const vertices = elements.vertices + elements.firstCorner(e);
    out[e] = 1.0;
    for (int k = 0; k < count; ++k) {
      if (vertices[k] < 0 || vertices[k] >= numVertices) {
        return;
      }
      if (!Speed::isSpeed(speed.values[vertices[k]])) {
        out[e] = speed.values[vertices[k]];
        return;
      }
    }
    if (count > 0) {
      out[e] = Kokkos::sqrt(speed.ofElement(e, vertices, count).xx);
    }
  }
};

/// Vertices without a time.
struct Unreached {
  std::int64_t inSimplices = 0;
  std::int64_t unused = 0;
};

/// Which vertices are in simplices, of any rank, and which ones another rank counts.
struct MarkVertices {
  const std::int32_t* degrees;
  std::uint8_t* marks;

  KOKKOS_FUNCTION void operator()(std::int64_t v) const { marks[v] = degrees[v] > 0 ? 1 : 0; }
};

constexpr std::uint8_t isUsed = 1;
constexpr std::uint8_t isCountedElsewhere = 2;

struct MarkElsewhere {
  const std::int32_t* vertices;
  std::uint8_t* marks;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const { marks[vertices[i]] |= isCountedElsewhere; }
};

struct AnyMark {
  KOKKOS_FUNCTION std::uint8_t operator()(std::uint8_t a, std::uint8_t b) const { return a | b; }
};

/// Collective. Brings the marks of shared vertices together.
template <class ExecutionSpace>
void joinMarks(const ExecutionSpace& space, SharedExchange<ExecutionSpace>& exchange, std::uint8_t* marks) {
  exchange.join(space, VertexValues<std::uint8_t>{marks}, AnyMark());
  const auto& elsewhere = exchange.elsewhere();
  forEach(SPANWISE_KERNEL("mark elsewhere"), IndexRange<ExecutionSpace>(space, 0, elsewhere.extent(0)),
    MarkElsewhere{elsewhere.data(), marks});
}

/// Gives vertices the times of those that stand for them, and counts those without.
struct Finish {
  using value_type = Unreached;
  const std::int32_t* representatives; // null: each stands for itself
  const std::uint8_t* marks;
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
    if (!(times[v] < notReached) && (marks[v] & isCountedElsewhere) == 0) {
      ++((marks[from] & isUsed) != 0 ? sum.inSimplices : sum.unused);
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

/// What merging may have to do with sources that are outside of the mesh.
std::string mergingText(double distance, std::int64_t numDegenerate) {
  return distance > 0.0 && numDegenerate > 0 ? "; vertices within the merge distance " + numberText(distance) +
      " of each other are one, and fronts do not go through the " + countText(numDegenerate, "element") +
      " without extent: it must be below the lengths of edges"
                                             : "";
}

/// Collective. Throws on all ranks where sources are not in the mesh.
template <class ExecutionSpace>
void checkStarts(const ExecutionSpace& space, const Communicator& communicator, const StartReport& starts,
  const Sources& sources, double mergeDistance, std::int64_t numDegenerate) {
  numDegenerate = communicator.reduced(ReduceBy::Sum, numDegenerate);
  if (starts.numOutside > 0) {
    double point[3];
    for (int axis = 0; axis < 3; ++axis) {
      point[axis] = fetch(space, sources.points.points, 3 * starts.firstOutside + axis);
    }
    throw InvalidArgument("source point " + std::to_string(starts.firstOutside) + " at " + pointText(point, 3) +
      " is outside of the mesh, as " + std::to_string(starts.numOutside) + " of " +
      std::to_string(sources.points.count) +
      " points are: a source point must be in an element that fronts go through" +
      mergingText(mergeDistance, numDegenerate));
  }
  if (sources.surface.count > 0 && !starts.surfaceCuts) {
    throw InvalidArgument("the source surface is outside of the mesh: none of its " +
      std::to_string(sources.surface.count) + " triangles cuts an element that fronts go through" +
      mergingText(mergeDistance, numDegenerate));
  }
  if (starts.numStarts == 0) {
    throw InvalidArgument("there is no source: fronts start at one vertex at least");
  }
}

/// Throws on all ranks where they want something else.
void checkAlike(const Communicator& communicator, const ArrivalOptions& options) {
  const std::int64_t words[7] = {static_cast<std::int64_t>(options.frontsIn),
    static_cast<std::int64_t>(options.zeroSpeed), static_cast<std::int64_t>(options.trace),
    static_cast<std::int64_t>(options.factoring.by), std::bit_cast<std::int64_t>(options.factoring.radius),
    std::bit_cast<std::int64_t>(options.mergeDistance), options.order};
  if (!parallel::areAlike(communicator, words)) {
    throw InvalidArgument("ranks solve with other options than each other: all must have the same");
  }
}

/// Solves once more from the start, factored by the sources that times came from.
template <class ExecutionSpace, int corners, class Real, class Index>
void solveByLabels(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh, const Speed& speed,
  const Sources& sources, const SourceNumbers& numbers, const IterationOptions& options,
  const std::int32_t* representatives, SimplexMesh<corners, ExecutionSpace>& simplices,
  ArrivalTimes<ExecutionSpace>& out, IterationReport& report) {
  const ExecutionSpace& space = context.space();
  const std::int64_t numVertices = mesh.vertices.numVertices;
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const auto startTimes = frame.template array<double>(numVertices);
  const auto turns = frame.template array<double>(numVertices);
  const auto labels = frame.template array<std::int32_t>(numVertices);
  const auto plateauSteps = frame.template array<std::int32_t>(numVertices);
  setStarts(context, mesh, speed, simplices, sources,
    StartArrays{startTimes.data(), labels.data(), out.simplexOfPoint.data(), representatives});
  labelNearestSources(context, mesh.vertices, simplices, out.factoring.view(), out.times.data(), startTimes.data(),
    labels.data(), turns.data(), plateauSteps.data());
  factorByLabels(space, simplices.view(), labels.data(), numbers.firstPoint(), out.factoring);
  forEach(SPANWISE_KERNEL("start again"), IndexRange<ExecutionSpace>(space, 0, numVertices),
    CopyTimes{startTimes.data(), out.times.data()});
  report += iterateTimes<ExecutionSpace, corners>(context, simplices, options, out.times, out.factoring.view());
}

/// What depends on the dimension.
template <class ExecutionSpace, int corners, class Real, class Index>
void solveIn(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh, const Speed& speed,
  const Sources& sources, const ArrivalOptions& options, const SharedVertices* shared,
  const std::int32_t* representatives, SimplexMesh<corners, ExecutionSpace>& simplices,
  ArrivalTimes<ExecutionSpace>& out, ArrivalReport& report) {
  const ExecutionSpace& space = context.space();
  const Communicator& communicator = context.communicator();
  const bool traced = options.trace == Trace::Sources;
  const bool second = options.order == 2;
  const std::int64_t numVertices = mesh.vertices.numVertices;
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const auto startTimes = frame.template array<double>(second ? numVertices : 0);
  report.dimension = corners - 1;
  buildSimplexMesh<ExecutionSpace, corners>(context, mesh, speed, simplices, options.seam, shared);
  parallel::agree(communicator, [&] {
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
    context.progress().report(0.2);
    reserve(out.simplexOfPoint, sources.points.count, SPANWISE_LABEL("Eikonal::simplexOfPoint"));
    if (traced) {
      reserve(out.labels, numVertices, SPANWISE_LABEL("Eikonal::labels"));
      reserve(out.turns, numVertices, SPANWISE_LABEL("Eikonal::turns"));
      reserve(out.plateauSteps, numVertices, SPANWISE_LABEL("Eikonal::plateauSteps"));
      reserve(out.startTimes, numVertices, SPANWISE_LABEL("Eikonal::startTimes"));
    }
  });
  std::int32_t* const labels = traced ? out.labels.data() : nullptr;
  const StartArrays starts{out.times.data(), labels, out.simplexOfPoint.data(), representatives};
  report.starts = setStarts(context, mesh, speed, simplices, sources, starts);
  checkStarts(space, communicator, report.starts, sources, options.mergeDistance, report.degenerate.count);
  FactoringOptions factoring = options.factoring;
  std::copy_n(options.seam.periods, 3, factoring.periods);
  setFactoring(context, mesh, speed, simplices, sources, starts, factoring, out.factoring);
  report.numFactored = out.factoring.numFactored;
  if (traced) {
    forEach(SPANWISE_KERNEL("keep starts"), IndexRange<ExecutionSpace>(space, 0, numVertices),
      CopyTimes{out.times.data(), out.startTimes.data()});
  }
  if (second) {
    forEach(SPANWISE_KERNEL("keep starts"), IndexRange<ExecutionSpace>(space, 0, numVertices),
      CopyTimes{out.times.data(), startTimes.data()});
  }
  parallel::agree(communicator, [&] { context.progress().report(0.25); });
  const double iterated = second ? 0.7 : 1.0;
  const double iteratedOnce = out.factoring.hasSeveralMedia ? 0.5 * (0.25 + iterated) : iterated;
  report.iteration = iterateTimes<ExecutionSpace, corners>(
    context.part(0.25, iteratedOnce), simplices, options.iteration, out.times, out.factoring.view());
  if (out.factoring.hasSeveralMedia) {
    solveByLabels(context.part(iteratedOnce, iterated), mesh, speed, sources, report.sources, options.iteration,
      representatives, simplices, out, report.iteration);
    report.numFactored = out.factoring.numFactored;
  }
  if (traced) {
    labelNearestSources(context, mesh.vertices, simplices, out.factoring.view(), out.times.data(),
      out.startTimes.data(), labels, out.turns.data(), out.plateauSteps.data());
  }
  if (second) {
    report.secondOrder =
      toSecondOrder(context, mesh, speed, simplices, out.factoring.view(), startTimes.data(), out.times.data());
    parallel::agree(communicator, [&] { context.progress().report(1.0); });
  }
  out.trace = options.trace;
  std::copy_n(options.seam.periods, 3, out.periods);
  out.dimension = report.dimension;
  const auto marks = frame.template array<std::uint8_t>(numVertices);
  const IndexRange<ExecutionSpace> all(space, 0, numVertices);
  forEach(SPANWISE_KERNEL("mark vertices"), all, MarkVertices{simplices.view().ball.degrees, marks.data()});
  if (!communicator.alone()) {
    joinMarks(space, simplices.exchange(), marks.data());
  }
  Unreached unreached;
  reduce(SPANWISE_KERNEL("finish"), all, Finish{representatives, marks.data(), out.times.data(), labels}, unreached);
  report.numUnreached = unreached.inSimplices;
  report.numUnused = unreached.unused;
}

/// Adds up what ranks count for themselves.
void sumReports(const Communicator& communicator, ArrivalReport& report) {
  std::int64_t sums[14] = {report.degenerate.count, report.inverted.count, report.walls.count, report.numSimplices,
    report.numFactored, report.numMerged, report.numUnreached, report.numUnused, report.occupancy.numEntries,
    report.occupancy.numInBase, report.occupancy.numEmptySlots, static_cast<std::int64_t>(report.meshBytes),
    report.secondOrder.numSecond, report.secondOrder.numFirst};
  communicator.reduce(ReduceBy::Sum, std::span<std::int64_t>(sums));
  report.degenerate.count = sums[0];
  report.inverted.count = sums[1];
  report.walls.count = sums[2];
  report.numSimplices = sums[3];
  report.numFactored = sums[4];
  report.numMerged = sums[5];
  report.numUnreached = sums[6];
  report.numUnused = sums[7];
  report.occupancy = {sums[8], sums[9], sums[10]};
  report.meshBytes = static_cast<std::size_t>(sums[11]);
  report.secondOrder.numSecond = sums[12];
  report.secondOrder.numFirst = sums[13];
}

} // namespace

template <class ExecutionSpace, MeshReal Real, MeshIndex Index>
ArrivalReport solveArrivalTimes(const Context<ExecutionSpace>& context, const MeshView<Real, Index>& mesh,
  const Speed& speed, const Sources& sources, const ArrivalOptions& options, ArrivalTimes<ExecutionSpace>& out,
  const SharedVertices* shared) {
  SPANWISE_REGION("Eikonal::solveArrivalTimes");
  using Memory = typename ExecutionSpace::memory_space;
  const ExecutionSpace& space = context.space();
  const Communicator& communicator = context.communicator();
  const std::int64_t numVertices = mesh.vertices.numVertices;
  const std::int64_t numElements = mesh.elements.numElements;
  out.dimension = 0;
  try {
    ArrivalReport report;
    checkAlike(communicator, options);
    report.sources = countSources(communicator, sources);
    if (report.sources.count() == 0) {
      throw InvalidArgument("there is no source: fronts start at a vertex, an element, a point or a surface");
    }
    if (options.order != 1 && options.order != 2) {
      throw InvalidArgument("the order of times is " + std::to_string(options.order) + ": it must be 1 or 2");
    }
    typename Workspace<Memory>::Frame frame(context.workspace());
    MeshView<Real, Index> merged = mesh;
    Speed speedOfMerged = speed;
    ArrivalOptions merging = options;
    const std::int32_t* representatives = nullptr;
    Dimensions dimensions;
    parallel::agree(communicator, [&] {
      if (static_cast<std::int64_t>(out.times.extent(0)) != numVertices) {
        out.times = {};
      }
      reserve(out.times, numVertices, SPANWISE_LABEL("Eikonal::times"));
      if (options.seam.count > 0 && !(options.mergeDistance < 0.0)) {
        throw InvalidArgument("vertices are to be merged in a mesh that closes on itself: there they are not");
      }
      if (!(options.mergeDistance < 0.0)) { // so that what is not a number is an error
        reserve(out.representatives, numVertices, SPANWISE_LABEL("Eikonal::representatives"));
        report.numMerged = mergeVertices(context, mesh.vertices, options.mergeDistance, out.representatives);
      }
      if (report.numMerged > 0) {
        const ElementView<Index>& elements = mesh.elements;
        const std::int64_t numCorners = elements.offsets != nullptr
          ? std::int64_t{fetch(space, elements.offsets, numElements)}
          : numElements * numVerticesOf(elements.type);
        const auto vertices = frame.template array<Index>(numCorners);
        representatives = out.representatives.data();
        forEach(SPANWISE_KERNEL("map corners"), IndexRange<ExecutionSpace>(space, 0, numCorners),
          MapCorners<Index>{elements.vertices, representatives, numVertices, vertices.data()});
        merged.elements.vertices = vertices.data();
        if (speed.kind == Speed::Kind::OfVertices) {
          const auto speeds = frame.template array<double>(numElements);
          forEach(SPANWISE_KERNEL("element speeds"), IndexRange<ExecutionSpace>(space, 0, numElements),
            SpeedsOfElements<Index>{elements, speed, numVertices, speeds.data()});
          speedOfMerged = Speed::ofElements(speeds.data());
        }
        const std::int64_t numInRegion = options.iteration.numStopVertices;
        const auto region = frame.template array<std::int64_t>(numInRegion);
        forEach(SPANWISE_KERNEL("map region"), IndexRange<ExecutionSpace>(space, 0, numInRegion),
          MapRegion{options.iteration.stopVertices, representatives, numVertices, region.data()});
        merging.iteration.stopVertices = region.data();
      }
      reduce(SPANWISE_KERNEL("dimensions"), IndexRange<ExecutionSpace>(space, 0, numElements),
        CountDimensions<Index>{mesh.elements}, dimensions);
    });
    std::int64_t counts[3] = {dimensions.numFlat, dimensions.numSolid, dimensions.numAll};
    communicator.reduce(ReduceBy::Sum, std::span<std::int64_t>(counts));
    const bool solid = options.frontsIn == FrontsIn::Solid || (options.frontsIn == FrontsIn::Highest && counts[1] > 0);
    if ((solid ? counts[1] : counts[0]) == 0) {
      throw InvalidArgument(std::string("the mesh has no ") + (solid ? "solid" : "flat") + " elements among its " +
        std::to_string(counts[2]) + ": fronts go through triangles, quadrilaterals, tetrahedra, pyramids, prisms " +
        "and hexahedra");
    }
    if (solid) {
      solveIn<ExecutionSpace, 4>(
        context, merged, speedOfMerged, sources, merging, shared, representatives, out.tetrahedra, out, report);
    } else {
      solveIn<ExecutionSpace, 3>(
        context, merged, speedOfMerged, sources, merging, shared, representatives, out.triangles, out, report);
    }
    sumReports(communicator, report);
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
  reduce(SPANWISE_KERNEL("replace"), IndexRange<ExecutionSpace>(space, 0, static_cast<std::int64_t>(times.extent(0))),
    Replace{times.data(), value}, count);
  return count;
}

#define SPANWISE_SOLVE_ARRIVAL_TIMES(Real, Index, Space)                                                               \
  template ArrivalReport solveArrivalTimes<Space, Real, Index>(const Context<Space>&, const MeshView<Real, Index>&,    \
    const Speed&, const Sources&, const ArrivalOptions&, ArrivalTimes<Space>&, const SharedVertices*);
#define SPANWISE_SOLVE_ARRIVAL_TIMES_OF_ALL(Space)                                                                     \
  SPANWISE_FOR_EACH_MESH_TYPE(SPANWISE_SOLVE_ARRIVAL_TIMES, Space)                                                     \
  template std::int64_t replaceUnreached<Space>(                                                                       \
    const Space&, const Kokkos::View<double*, Space::memory_space>&, double);
SPANWISE_FOR_EACH_SPACE(SPANWISE_SOLVE_ARRIVAL_TIMES_OF_ALL)

} // namespace spanwise::eikonal
