#include "Core/Solvers/Eikonal/GridPaths.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/ByRank.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Solvers/Eikonal/Detail/GridTracer.hpp"
#include "Core/Solvers/Eikonal/Detail/PathWork.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

namespace spanwise::eikonal {

namespace {

/// The heads of paths at their starts.
template <int Dim, class Place>
struct BeginPaths {
  const Place* starts;
  PathHead<Dim>* heads;

  KOKKOS_FUNCTION void operator()(std::int64_t path) const {
    PathHead<Dim> head;
    for (int axis = 0; axis < Dim; ++axis) {
      head.at[axis] = starts[path].at[axis];
    }
    heads[path] = head;
  }
};

/// Traces paths through own cells, from their heads on; these are where they stop then, and goOn says which go on
/// there.
template <class ExecutionSpace, int Dim>
void traceHere(const ExecutionSpace& space, const Tracer<Dim>& tracer, PathHead<Dim>* heads, std::int64_t numPaths,
  std::uint8_t* goOn, GridPaths<Dim, typename ExecutionSpace::memory_space>& paths) {
  using Place = typename GridPaths<Dim, typename ExecutionSpace::memory_space>::Place;
  const IndexRange<ExecutionSpace> range(space, 0, numPaths);
  const Work work = detail::workOfPaths(numPaths);
  std::int64_t* const offsets = paths.offsets.prepare(numPaths + 1);
  forEach(SPANWISE_KERNEL("count points"), range, CountPoints<Dim>{tracer, heads, offsets}, work);
  const std::int64_t total = exclusiveScan(space, SPANWISE_KERNEL("scan points"), offsets, numPaths);
  forEach(SPANWISE_KERNEL("write points"), range,
    WritePoints<Dim, Place>{
      tracer, heads, offsets, paths.points.prepare(total), paths.triangles.prepare(numPaths), goOn},
    work);
}

/// Asks a rank to go on with a path.
template <int Dim>
struct PathRequest {
  int rank;           ///< which has its start
  std::int64_t path;  ///< its number on that rank
  std::int64_t piece; ///< so many have been traced
  PathHead<Dim> head;
};

/// A part of a path that one rank has traced.
struct Piece {
  int rank;
  std::int64_t path;
  std::int64_t piece;
  std::int64_t firstPoint;
  std::int64_t numPoints;
  std::int32_t triangle; ///< PathStop::triangle
};

template <class T>
using HostArray = Kokkos::View<T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

template <class T, class View>
void append(std::vector<T>& values, const View& more) {
  const std::size_t before = values.size();
  values.resize(before + more.extent(0));
  Kokkos::deep_copy(HostArray<T>(values.data() + before, more.extent(0)), more);
}

/// The paths of all ranks, on one of them.
template <class ExecutionSpace, int Dim>
class SharedPaths {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Paths = GridPaths<Dim, Memory>;
  using Place = typename Paths::Place;
  using Request = PathRequest<Dim>;

  SharedPaths(const ExecutionSpace& space, const Grid<Dim, ExecutionSpace>& grid, const Tracer<Dim>& tracer)
    : space_(space), grid_(grid), communicator_(grid.communicator()), cut_(grid.domain().cut()), tracer_(tracer) {}

  /// Collective. Traces paths from these heads, wherever they go.
  void trace(const std::vector<PathHead<Dim>>& heads) {
    std::vector<Request> requests;
    requests.reserve(heads.size());
    for (const PathHead<Dim>& head : heads) {
      requests.push_back({communicator_.rank(), std::ssize(requests), 0, head});
    }
    while (communicator_.reduced(ReduceBy::Sum, std::ssize(requests)) > 0) {
      std::vector<int> owners;
      owners.reserve(requests.size());
      for (const Request& request : requests) {
        owners.push_back(ownerOf(request.head));
      }
      const auto mine =
        parallel::exchanged(communicator_, parallel::sortedByRank(requests, owners, communicator_.size()));
      parallel::agree(communicator_, [&] { requests = answer(mine.values); });
    }
  }

  /// Sends all pieces to where their starts are, and joins them.
  void collect(std::int64_t numPaths, Paths& paths) {
    std::vector<int> ranks;
    ranks.reserve(pieces_.size());
    for (const Piece& piece : pieces_) {
      ranks.push_back(piece.rank);
    }
    const auto pieces = parallel::sortedByRank(pieces_, ranks, communicator_.size());
    parallel::ByRank<Place> points;
    points.first.assign(1, 0);
    for (int r = 0; r < communicator_.size(); ++r) {
      for (const Piece& piece : pieces.of(r)) {
        const auto from = points_.begin() + piece.firstPoint;
        points.values.insert(points.values.end(), from, from + piece.numPoints);
      }
      points.first.push_back(static_cast<std::int64_t>(points.values.size()));
    }
    auto piecesHere = parallel::exchanged(communicator_, pieces).values;
    const auto pointsHere = parallel::exchanged(communicator_, points).values;
    parallel::agree(communicator_, [&] { join(numPaths, piecesHere, pointsHere, paths); });
  }

private:
  /// The rank whose planes a place is in; this one where there is no such plane.
  [[nodiscard]] int ownerOf(const PathHead<Dim>& place) const {
    constexpr int axis = Dim - 1;
    const GridView<Dim>& view = grid_.view();
    const double at = std::floor((place.at[axis] - view.lattice.origin[axis]) / view.lattice.spacing[axis]);
    if (!(std::abs(at) < 1e10)) {
      return communicator_.rank();
    }
    auto plane = static_cast<std::int64_t>(at);
    if (view.periods.along[axis]) {
      const std::int64_t length = view.periods.box.extent(axis);
      const std::int64_t past = (plane - view.periods.box.begin[axis]) % length;
      plane = view.periods.box.begin[axis] + (past < 0 ? past + length : past);
    }
    return cut_.owner(plane);
  }

  /// Traces paths through the rank's own cells; returns those that go on elsewhere.
  std::vector<Request> answer(const std::vector<Request>& requests) {
    const auto count = static_cast<std::int64_t>(requests.size());
    const Kokkos::View<PathHead<Dim>*, Memory> heads(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Eikonal::paths")), requests.size());
    const Kokkos::View<std::uint8_t*, Memory> goOn(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Eikonal::paths")), requests.size());
    std::vector<PathHead<Dim>> ends;
    ends.reserve(requests.size());
    for (const Request& request : requests) {
      ends.push_back(request.head);
    }
    Kokkos::deep_copy(heads, HostArray<const PathHead<Dim>>(ends.data(), ends.size()));
    traceHere<ExecutionSpace, Dim>(space_, tracer_, heads.data(), count, goOn.data(), traced_);
    space_.fence(SPANWISE_LABEL("Eikonal::paths"));

    ends.clear();
    std::vector<std::int64_t> firsts;
    std::vector<std::int32_t> endOn;
    std::vector<std::uint8_t> areOpen;
    append(ends, heads);
    append(firsts, traced_.offsets.view());
    append(endOn, traced_.triangles.view());
    append(areOpen, goOn);
    const std::int64_t before = std::ssize(points_);
    append(points_, traced_.points.view());
    std::vector<Request> next;
    for (std::size_t k = 0; k < requests.size(); ++k) {
      const Request& asked = requests[k];
      pieces_.push_back({asked.rank, asked.path, asked.piece, before + firsts[k], firsts[k + 1] - firsts[k], endOn[k]});
      if (areOpen[k] == 1) {
        next.push_back({asked.rank, asked.path, asked.piece + 1, ends[k]});
      }
    }
    return next;
  }

  /// `points` of a rank follow those of the rank before it, in the order of its pieces.
  static void join(std::int64_t numPaths, std::vector<Piece>& pieces, const std::vector<Place>& points, Paths& paths) {
    std::int64_t first = 0;
    for (Piece& piece : pieces) {
      piece.firstPoint = first;
      first += piece.numPoints;
    }
    std::sort(pieces.begin(), pieces.end(),
      [](const Piece& a, const Piece& b) { return std::tie(a.path, a.piece) < std::tie(b.path, b.piece); });
    std::vector<std::int64_t> offsets(static_cast<std::size_t>(numPaths) + 1, 0);
    std::vector<std::int32_t> triangles(static_cast<std::size_t>(numPaths), -1);
    std::vector<Place> joined;
    for (const Piece& piece : pieces) {
      const auto from = points.begin() + piece.firstPoint;
      joined.insert(joined.end(), from, from + piece.numPoints);
      offsets[static_cast<std::size_t>(piece.path) + 1] = static_cast<std::int64_t>(joined.size());
      triangles[static_cast<std::size_t>(piece.path)] = piece.triangle; // at the end that of the last piece
    }
    paths.offsets.prepare(numPaths + 1);
    paths.points.prepare(static_cast<std::int64_t>(joined.size()));
    paths.triangles.prepare(numPaths);
    Kokkos::deep_copy(paths.offsets.view(), HostArray<const std::int64_t>(offsets.data(), offsets.size()));
    Kokkos::deep_copy(paths.points.view(), HostArray<const Place>(joined.data(), joined.size()));
    Kokkos::deep_copy(paths.triangles.view(), HostArray<const std::int32_t>(triangles.data(), triangles.size()));
  }

  const ExecutionSpace& space_;
  const Grid<Dim, ExecutionSpace>& grid_;
  const Communicator& communicator_;
  parallel::RowCut cut_;
  Tracer<Dim> tracer_;
  Paths traced_;
  std::vector<Piece> pieces_;
  std::vector<Place> points_;
};

} // namespace

template <class ExecutionSpace, int Dim>
void tracePaths(const Context<ExecutionSpace>& context, const Grid<Dim, ExecutionSpace>& grid,
  const CellArray<const double, ExecutionSpace>& times, const CellArray<const double, ExecutionSpace>& gradient,
  const CellArray<const std::int32_t, ExecutionSpace>& origins,
  const Kokkos::View<const typename GridPaths<Dim, typename ExecutionSpace::memory_space>::Place*,
    typename ExecutionSpace::memory_space>& starts,
  double step, const SurfaceSources& surface, GridPaths<Dim, typename ExecutionSpace::memory_space>& paths) {
  SPANWISE_REGION("Eikonal::tracePaths");
  using Shared = SharedPaths<ExecutionSpace, Dim>;
  const ExecutionSpace& space = context.space();
  const auto numPaths = static_cast<std::int64_t>(starts.extent(0));
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  Tracer<Dim> tracer{};
  std::vector<PathHead<Dim>> shared;
  parallel::agree(grid.communicator(), [&] {
    tracer = makeTracer<ExecutionSpace, Dim>(space, grid, times, gradient, origins, step, surface, frame);
    const auto heads = frame.template array<PathHead<Dim>>(numPaths);
    forEach(SPANWISE_KERNEL("begin paths"), IndexRange<ExecutionSpace>(space, 0, numPaths),
      BeginPaths<Dim, typename Shared::Place>{starts.data(), heads.data()});
    if (grid.communicator().alone()) {
      std::uint8_t* const goOn = frame.template array<std::uint8_t>(numPaths).data();
      traceHere<ExecutionSpace, Dim>(space, tracer, heads.data(), numPaths, goOn, paths);
    } else {
      space.fence(SPANWISE_LABEL("Eikonal::paths"));
      append(shared, heads);
    }
  });
  if (!grid.communicator().alone()) {
    Shared all(space, grid, tracer);
    all.trace(shared);
    all.collect(numPaths, paths);
  }
}

#define SPANWISE_TRACE_PATHS(Space, Dim)                                                                               \
  template void tracePaths<Space, Dim>(const Context<Space>&, const Grid<Dim, Space>&,                                 \
    const CellArray<const double, Space>&, const CellArray<const double, Space>&,                                      \
    const CellArray<const std::int32_t, Space>&,                                                                       \
    const Kokkos::View<const GridPaths<Dim, Space::memory_space>::Place*, Space::memory_space>&, double,               \
    const SurfaceSources&, GridPaths<Dim, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_TRACE_PATHS)

} // namespace spanwise::eikonal
