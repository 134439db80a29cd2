#include "Core/Multilevel/LevelBoxes.hpp"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Fetch.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Scan.hpp"

namespace spanwise::multilevel {

namespace {

/// Rows and cells of boxes.
struct BoxTotals {
  std::int64_t rows = 0;
  std::int64_t cells = 0;

  KOKKOS_FUNCTION BoxTotals& operator+=(const BoxTotals& other) {
    rows += other.rows;
    cells += other.cells;
    return *this;
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void levelBoxes(const Context<ExecutionSpace>& context, const LeafCoverOn<Dim, ExecutionSpace>& cover, int level,
  geometry::ListOn<geometry::Box<Dim>, ExecutionSpace>& out) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Multilevel::levelBoxes");
  out.clear();
  const auto numLevels = static_cast<int>(cover.covered.size());
  if (level < 0 || level >= numLevels) {
    throw InvalidArgument(
      "level " + std::to_string(level) + " of a hierarchy of " + std::to_string(numLevels) + " levels was asked for");
  }
  if (level == 0) {
    boxesOf<ExecutionSpace, Dim>(context, cover.covered.front(), out);
    return;
  }
  boxesOf<ExecutionSpace, Dim>(context, cover.refined[static_cast<std::size_t>(level) - 1], out);
  // takes boxes to this level and finds the first that would leave the coordinate limits; that one stays
  geometry::Box<Dim>* const boxes = out.data();
  const auto refineBoxes = KOKKOS_LAMBDA(std::int64_t b, std::int64_t& first) {
    const geometry::Box<Dim> box = boxes[b];
    geometry::Box<Dim> fine{};
    bool within = true;
    for (int d = 0; d < Dim; ++d) {
      const std::int64_t begin = 2 * std::int64_t{box.begin[d]};
      const std::int64_t end = 2 * std::int64_t{box.end[d]};
      within = within && begin >= geometry::minCoordinate && end <= geometry::maxIntervalEnd;
      fine.begin[d] = static_cast<geometry::Coordinate>(begin);
      fine.end[d] = static_cast<geometry::Coordinate>(end);
    }
    if (within) {
      boxes[b] = fine;
    } else {
      first = Kokkos::min(first, b);
    }
  };
  std::int64_t firstBeyond = 0;
  reduceMin(
    SPANWISE_KERNEL("refine boxes"), IndexRange<ExecutionSpace>(space, 0, out.count()), refineBoxes, firstBeyond);
  if (firstBeyond < out.count()) {
    const geometry::Box<Dim> box = fetch(space, boxes, firstBeyond);
    out.clear();
    throw CoordinateOverflow("the box " + toString(box) + " of level " + std::to_string(level - 1) +
      " ends beyond 2^31 - 1 as a box of level " + std::to_string(level) + "; coordinates reach 2^31 - 1");
  }
}

template <class ExecutionSpace, int Dim>
void coveringsOfBoxes(const Context<ExecutionSpace>& context,
  const geometry::ListOn<geometry::Box<Dim>, ExecutionSpace>& boxes,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& leaves,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& refined, BoxCoveringsOn<ExecutionSpace>& out) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Multilevel::coveringsOfBoxes");
  out.cells.clear();
  typename Workspace<typename ExecutionSpace::memory_space>::Frame frame(context.workspace());
  const std::int64_t count = boxes.count();
  const geometry::Box<Dim>* const list = boxes.data();
  std::int64_t* const rows = frame.template array<std::int64_t>(count + 1).data();
  std::int64_t* const offsets = out.offsets.prepare(count + 1);
  BoxTotals totals;
  const auto countBoxes = KOKKOS_LAMBDA(std::int64_t b, BoxTotals& before, bool final) {
    if (final) {
      rows[b] = before.rows;
      offsets[b] = before.cells;
    }
    if (b < count) {
      const std::int64_t numRows = list[b].numRows();
      before += {numRows, numRows * list[b].extent(0)};
    }
  };
  scan(SPANWISE_KERNEL("count boxes"), IndexRange<ExecutionSpace>(space, 0, count + 1), countBoxes, totals);
  Covering* const cells = out.cells.prepare(totals.cells);
  const LevelCoverView<Dim> level{leaves.view(), refined.view()};
  forEachPart(
    space, SPANWISE_KERNEL("find coverings"), rows, count, totals.rows,
    KOKKOS_LAMBDA(std::int64_t b, std::int64_t r, std::int64_t /*part*/) {
      const geometry::Box<Dim> box = list[b];
      Covering* const row = cells + offsets[b] + r * box.extent(0);
      for (std::int64_t k = 0; k < box.extent(0); ++k) {
        row[k] = Covering();
      }
      level.forCoveredOf(box.row(r), box.begin[0], box.end[0],
        [&](std::int64_t x, const Covering& covering) { row[x - box.begin[0]] = covering; });
    });
}

#define SPANWISE_LEVEL_BOXES(Space, Dim)                                                                               \
  template void levelBoxes<Space, Dim>(                                                                                \
    const Context<Space>&, const LeafCoverOn<Dim, Space>&, int, geometry::ListOn<geometry::Box<Dim>, Space>&);         \
  template void coveringsOfBoxes<Space, Dim>(const Context<Space>&,                                                    \
    const geometry::ListOn<geometry::Box<Dim>, Space>&, const geometry::IntervalSetOn<Dim, Space>&,                    \
    const geometry::IntervalSetOn<Dim, Space>&, BoxCoveringsOn<Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_LEVEL_BOXES)

} // namespace spanwise::multilevel
