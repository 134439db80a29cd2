#include "Core/Solvers/Eikonal/RankGridPaths.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/ByRank.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Solvers/Eikonal/Detail/GridTracer.hpp"
#include "Core/Solvers/Eikonal/Detail/PathWork.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace spanwise::eikonal {

namespace {

/// Where a path goes on.
template <int Dim>
struct Head {
  int rank;           ///< which has its start
  int next;           ///< which traces it
  std::int64_t path;  ///< its number on the rank of its start
  std::int64_t piece; ///< so many have been traced
  PathHead<Dim> at;
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

template <class Memory, class T>
Kokkos::View<T*, Memory> copied(const std::vector<T>& values) {
  const Kokkos::View<T*, Memory> array(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Eikonal::paths")), values.size());
  Kokkos::deep_copy(array, HostArray<const T>(values.data(), values.size()));
  return array;
}

template <class T, class View>
void append(std::vector<T>& values, const View& more) {
  const std::size_t before = values.size();
  values.resize(before + more.extent(0));
  Kokkos::deep_copy(HostArray<T>(values.data() + before, more.extent(0)), more);
}

/// The paths of all ranks, on one of them.
template <class ExecutionSpace, int Dim>
class RankPaths {
public:
  using Memory = typename ExecutionSpace::memory_space;
  using Paths = GridPaths<Dim, Memory>;
  using Place = typename Paths::Place;

  RankPaths(const ExecutionSpace& space, const RankGrid<ExecutionSpace, Dim>& grid, const Tracer<Dim>& tracer)
    : space_(space), grid_(grid), communicator_(grid.communicator()), tracer_(tracer) {}

  void trace(const std::vector<Place>& starts) {
    std::vector<Head<Dim>> heads;
    heads.reserve(starts.size());
    for (std::size_t k = 0; k < starts.size(); ++k) {
      const PathHead<Dim> head = headAt<Dim>(starts[k]);
      heads.push_back({communicator_.rank(), ownerOf(head), static_cast<std::int64_t>(k), 0, head});
    }
    while (communicator_.reduced(ReduceBy::Sum, static_cast<std::int64_t>(heads.size())) > 0) {
      std::vector<int> next;
      next.reserve(heads.size());
      for (const Head<Dim>& head : heads) {
        next.push_back(head.next);
      }
      const auto mine = parallel::exchanged(communicator_, parallel::sortedByRank(heads, next, communicator_.size()));
      parallel::agree(communicator_, [&] { heads = traced(mine.values); });
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
    const GridView<Dim>& view = grid_.grid().view();
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
    return grid_.cut().owner(plane);
  }

  /// Traces paths through the rank's own cells; returns where they go on.
  std::vector<Head<Dim>> traced(const std::vector<Head<Dim>>& heads) {
    std::vector<PathHead<Dim>> starts;
    starts.reserve(heads.size());
    for (const Head<Dim>& head : heads) {
      starts.push_back(head.at);
    }
    const auto count = static_cast<std::int64_t>(heads.size());
    const IndexRange<ExecutionSpace> range(space_, 0, count);
    const Work work = detail::workOfPaths(count);
    const auto from = copied<Memory>(starts);
    const auto ends = copied<Memory>(starts);
    const auto goOn = copied<Memory>(std::vector<std::uint8_t>(starts.size()));
    const auto triangles = copied<Memory>(std::vector<std::int32_t>(starts.size()));
    const auto offsets = copied<Memory>(std::vector<std::int64_t>(starts.size() + 1));
    forEach(SPANWISE_KERNEL("count points"), range,
      CountPoints<Dim, PathHead<Dim>>{tracer_, from.data(), offsets.data()}, work);
    const std::int64_t total = exclusiveScan(space_, SPANWISE_KERNEL("scan points"), offsets.data(), count);
    const Kokkos::View<Place*, Memory> points(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Eikonal::paths")),
      static_cast<std::size_t>(total));
    forEach(SPANWISE_KERNEL("write points"), range,
      WritePoints<Dim, Place, PathHead<Dim>>{
        tracer_, from.data(), offsets.data(), points.data(), triangles.data(), ends.data(), goOn.data()},
      work);
    space_.fence(SPANWISE_LABEL("Eikonal::paths"));

    std::vector<std::int64_t> firsts;
    std::vector<PathHead<Dim>> places;
    std::vector<std::int32_t> endOn;
    std::vector<std::uint8_t> areOpen;
    append(firsts, offsets);
    append(places, ends);
    append(endOn, triangles);
    append(areOpen, goOn);
    const auto before = static_cast<std::int64_t>(points_.size());
    append(points_, points);
    std::vector<Head<Dim>> next;
    for (std::size_t k = 0; k < heads.size(); ++k) {
      const Head<Dim>& head = heads[k];
      pieces_.push_back({head.rank, head.path, head.piece, before + firsts[k], firsts[k + 1] - firsts[k], endOn[k]});
      if (areOpen[k] == 1) {
        next.push_back({head.rank, ownerOf(places[k]), head.path, head.piece + 1, places[k]});
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
  const RankGrid<ExecutionSpace, Dim>& grid_;
  const Communicator& communicator_;
  Tracer<Dim> tracer_;
  std::vector<Piece> pieces_;
  std::vector<Place> points_;
};

} // namespace

template <class ExecutionSpace, int Dim>
void tracePathsOnRanks(const Context<ExecutionSpace>& context, const RankGrid<ExecutionSpace, Dim>& grid,
  const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& times,
  const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& gradient,
  const Kokkos::View<const std::int32_t*, typename ExecutionSpace::memory_space>& origins,
  const Kokkos::View<const typename GridPaths<Dim, typename ExecutionSpace::memory_space>::Place*,
    typename ExecutionSpace::memory_space>& starts,
  double step, const SurfaceSources& surface, GridPaths<Dim, typename ExecutionSpace::memory_space>& paths) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Eikonal::tracePathsOnRanks");
  using Rank = RankPaths<ExecutionSpace, Dim>;
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  Tracer<Dim> tracer{};
  std::vector<typename Rank::Place> places;
  parallel::agree(grid.communicator(), [&] {
    tracer = makeTracer<ExecutionSpace, Dim>(
      space, grid.set(), grid.grid(), times, gradient, origins, grid.owned(), step, surface, frame);
    append(places, starts);
  });
  Rank rank(space, grid, tracer);
  rank.trace(places);
  rank.collect(static_cast<std::int64_t>(places.size()), paths);
}

#define SPANWISE_TRACE_PATHS_ON_RANKS(Space, Dim)                                                                      \
  template void tracePathsOnRanks<Space, Dim>(const Context<Space>&, const RankGrid<Space, Dim>&,                      \
    const Kokkos::View<const double*, Space::memory_space>&, const Kokkos::View<const double*, Space::memory_space>&,  \
    const Kokkos::View<const std::int32_t*, Space::memory_space>&,                                                     \
    const Kokkos::View<const GridPaths<Dim, Space::memory_space>::Place*, Space::memory_space>&, double,               \
    const SurfaceSources&, GridPaths<Dim, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_TRACE_PATHS_ON_RANKS)

} // namespace spanwise::eikonal
