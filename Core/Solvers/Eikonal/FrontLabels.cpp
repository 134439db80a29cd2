#include "Core/Solvers/Eikonal/FrontLabels.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Scan.hpp"
#include "Core/Solvers/Eikonal/Detail/GridStarts.hpp"
#include "Core/Solvers/Eikonal/Detail/SurfaceAround.hpp"

#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace spanwise::eikonal {

namespace {

/// Cells that begin a front of their own.
template <class Stencil>
struct FindStarts {
  Stencil stencil;
  parallel::CellRange own;
  const double* times;
  const std::int32_t* points; ///< of cells that start from one, -1: others
  std::int64_t* counts;       ///< [own cells] 1 or 0

  KOKKOS_FUNCTION void operator()(std::int64_t mine) const {
    const auto cell = static_cast<std::int32_t>(own.begin + mine);
    const double time = times[cell];
    bool isRead = false; // by a cell that does not start before it
    if (time < notReached && points[cell] < 0) {
      stencil.forDependents(
        cell, false, [&](std::int32_t reader, int /*distance*/) { isRead = isRead || times[reader] > time; });
    }
    counts[mine] = isRead ? 1 : 0;
  }
};

/// Numbers the fronts of cells behind those of points.
template <int Dim>
struct NumberStarts {
  GridView<Dim> grid;
  detail::SurfaceAround<Dim> surface; ///< where fronts start, if hasSurface
  bool hasSurface;
  parallel::CellRange own;
  const double* times;
  const std::int64_t* offsets; ///< [own cells + 1] where each front would be among them
  std::int64_t first;          ///< the number of the first
  std::int32_t* fronts;
  FactoredSource<Dim>* sources;

  KOKKOS_FUNCTION void operator()(std::int64_t mine) const {
    if (offsets[mine + 1] == offsets[mine]) {
      return;
    }
    const std::int64_t cell = own.begin + mine;
    const geometry::Cell<Dim> at = grid.coordinates(cell);
    Point way = {};
    if (hasSurface) {
      const detail::Start start = surface.startOf(cell);
      way = start.time == times[cell] ? start.way : way;
    }
    const std::int64_t front = first + offsets[mine];
    fronts[cell] = static_cast<std::int32_t>(front);
    FactoredSource<Dim> source{};
    for (int axis = 0; axis < Dim; ++axis) {
      source.at[axis] = grid.lattice.centre(axis, at.at[axis]) + way[axis];
    }
    source.time = times[cell];
    source.inverse = grid.tensor(cell).inverse();
    if constexpr (Dim == 2) {
      source.inverse.zz = 0.0;
    }
    sources[front] = source;
  }
};

template <int Dim>
struct CopySources {
  const FactoredSource<Dim>* from;
  FactoredSource<Dim>* to;

  KOKKOS_FUNCTION void operator()(std::int64_t s) const { to[s] = from[s]; }
};

/// Numbers of own cells' fronts become those of all ranks.
struct MoveNumbers {
  std::int32_t* fronts;
  std::int32_t numPoints;
  std::int32_t before;

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const { fronts[cell] += fronts[cell] < numPoints ? 0 : before; }
};

template <int Dim, class Memory>
void reserveSources(FrontLabels<Dim, Memory>& labels) {
  if (labels.count >= std::numeric_limits<std::int32_t>::max()) {
    throw InvalidArgument(
      "there are " + std::to_string(labels.count) + " sources: fronts of at most 2^31 - 2 are told apart");
  }
  reserve(labels.sources, labels.count, SPANWISE_LABEL("Eikonal::fronts"));
}

/// Labels own cells, and gives the sources of points and of their fronts.
template <class ExecutionSpace, int Dim>
void labelOwn(const Context<ExecutionSpace>& context, const Grid<Dim, ExecutionSpace>& grid,
  const SurfaceSources& surface, const FrontOptions& options, const GridFactoringOn<Dim, ExecutionSpace>& factoring,
  const CellArray<double, ExecutionSpace>& times, FrontLabels<Dim, typename ExecutionSpace::memory_space>& labels) {
  using Memory = typename ExecutionSpace::memory_space;
  const ExecutionSpace& space = context.space();
  const std::int64_t numCells = grid.numCells();
  const parallel::CellRange own = grid.owned();
  if (static_cast<std::int64_t>(labels.ofCell.extent(0)) != numCells) { // a View of just so many, for halos
    labels.ofCell = Kokkos::View<std::int32_t*, Memory>(
      Kokkos::view_alloc(space, Kokkos::WithoutInitializing, SPANWISE_LABEL("Eikonal::fronts")),
      static_cast<std::size_t>(numCells));
  }
  const std::int64_t numPoints = factoring.numSources();
  labels.radius = options.factoringRadius;
  std::int32_t* const fronts = labels.ofCell.data();
  gridstarts::labelSources<ExecutionSpace, Dim>(
    space, grid, factoring, times, labels.ofCell, gridstarts::LabelBy::Place);

  typename Workspace<Memory>::Frame frame(context.workspace());
  std::int64_t* const offsets = frame.template array<std::int64_t>(own.count() + 1).data();
  const IndexRange<ExecutionSpace> cells(space, 0, own.count());
  if (grid.hasDirections()) {
    forEach(SPANWISE_KERNEL("find starts"), cells,
      FindStarts<TensorStencil<Dim>>{grid.view(), own, times.data(), fronts, offsets});
  } else {
    forEach(SPANWISE_KERNEL("find starts"), cells,
      FindStarts<AxisStencil<Dim>>{grid.view(), own, times.data(), fronts, offsets});
  }
  const std::int64_t count = exclusiveScan(space, SPANWISE_KERNEL("scan starts"), offsets, own.count());
  labels.count = numPoints + count;
  reserveSources(labels);
  forEach(SPANWISE_KERNEL("copy sources"), IndexRange<ExecutionSpace>(space, 0, numPoints),
    CopySources<Dim>{factoring.sources(), labels.sources.data()});
  NumberStarts<Dim> number{
    grid.view(), {}, surface.count > 0, own, times.data(), offsets, numPoints, fronts, labels.sources.data()};
  if (number.hasSurface) {
    number.surface = detail::makeAround<ExecutionSpace, Dim>(space, grid, surface, frame);
  }
  forEach(SPANWISE_KERNEL("number starts"), cells, number);
}

} // namespace

template <class ExecutionSpace, int Dim>
void labelFronts(const Context<ExecutionSpace>& context, Grid<Dim, ExecutionSpace>& grid, const SurfaceSources& surface,
  const FrontOptions& options, const GridFactoringOn<Dim, ExecutionSpace>& factoring,
  const CellArray<double, ExecutionSpace>& times, FrontLabels<Dim, typename ExecutionSpace::memory_space>& labels) {
  SPANWISE_REGION("Eikonal::labelFronts");
  using Source = FactoredSource<Dim>;
  const ExecutionSpace& space = context.space();
  const Communicator& communicator = grid.communicator();
  const parallel::CellRange own = grid.owned();
  const std::int64_t numPoints = factoring.numSources();
  grid.bring(space, times); // of cells that read own ones
  parallel::agree(
    communicator, [&] { labelOwn<ExecutionSpace, Dim>(context, grid, surface, options, factoring, times, labels); });
  if (options.order == 2 && communicator.reduced(ReduceBy::Sum, labels.count - numPoints) > 0) {
    labels.count = 0;
    return;
  }
  if (communicator.alone()) {
    return;
  }
  std::vector<Source> mine;
  parallel::agree(communicator, [&] {
    const auto sources = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), labels.sources);
    mine.assign(sources.data() + numPoints, sources.data() + labels.count);
  });
  std::vector<std::int64_t> counts;
  const std::vector<Source> all = communicator.gather(std::span<const Source>(mine), &counts);
  parallel::agree(communicator, [&] {
    const auto before = std::accumulate(counts.begin(), counts.begin() + communicator.rank(), std::int64_t{0});
    labels.count = numPoints + static_cast<std::int64_t>(all.size());
    reserveSources(labels);
    const Kokkos::View<const Source*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
      all.data(), all.size());
    Kokkos::deep_copy(
      Kokkos::subview(labels.sources, Kokkos::pair<std::int64_t, std::int64_t>(numPoints, labels.count)), host);
    forEach(SPANWISE_KERNEL("copy sources"), IndexRange<ExecutionSpace>(space, 0, numPoints),
      CopySources<Dim>{factoring.sources(), labels.sources.data()});
    forEach(SPANWISE_KERNEL("move numbers"), IndexRange<ExecutionSpace>(space, own.begin, own.end),
      MoveNumbers{labels.ofCell.data(), static_cast<std::int32_t>(numPoints), static_cast<std::int32_t>(before)});
  });
  grid.bring(space, labels.ofCell);
}

#define SPANWISE_FRONT_LABELS(Space, Dim)                                                                              \
  template void labelFronts<Space, Dim>(const Context<Space>&, Grid<Dim, Space>&, const SurfaceSources&,               \
    const FrontOptions&, const GridFactoringOn<Dim, Space>&, const CellArray<double, Space>&,                          \
    FrontLabels<Dim, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_FRONT_LABELS)

} // namespace spanwise::eikonal
