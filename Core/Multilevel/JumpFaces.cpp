#include "Core/Multilevel/JumpFaces.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Translate.hpp"
#include "Core/Multilevel/Detail/IntervalSegments.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Reserve.hpp"

#include <string>

namespace spanwise::multilevel {

namespace {

using namespace detail;

/// Finds rows of a set. The last one is remembered: at faces normal to x all cells are in one.
template <int Dim>
struct RowFinder {
  const geometry::IntervalSetView<Dim>& set;
  bool hasFound = false;
  geometry::RowKey<Dim> last{};
  std::int64_t row = -1;

  KOKKOS_FUNCTION std::int64_t find(const geometry::RowKey<Dim>& key) {
    if (!hasFound || !(last == key)) {
      hasFound = true;
      last = key;
      row = set.findRow(key);
    }
    return row;
  }
};

template <int Dim, class Run>
struct FindFaces {
  geometry::IntervalSetView<Dim> cells; ///< coarse cells with a refined neighbour on this side
  geometry::IntervalSetView<Dim> coarse;
  geometry::IntervalSetView<Dim> fine;
  int side;
  std::int64_t firstFace; ///< of the side
  std::int64_t* offsets;
  Run* runs;

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t /*k*/, std::int64_t i) const {
    const geometry::RowKey<Dim> key = cells.rowKeys[row];
    const geometry::RowKey<Dim> keyAcross = rowAcross(side, key);
    const geometry::Interval interval = cells.intervals[i];
    const geometry::Coordinate step = side == 0 ? -1 : side == 1 ? 1 : 0;
    const geometry::Interval across{interval.begin + step, interval.end + step};
    Run run{};
    run.side = side;
    RowFinder<Dim> rows{coarse};
    run.coarse = atFace(rows, side, key, interval);
    run.refined = atFace(rows, side ^ 1, keyAcross, across);
    for (int n = 0; n < numRowsAtSide<Dim>(side); ++n) {
      RowFinder<Dim> rowsOfChildren{fine};
      run.fine[n] = childAt(rowsOfChildren, side ^ 1, n, keyAcross, across.begin);
      run.ghost[n] = childAt(rowsOfChildren, side, n, key, interval.begin);
    }
    runs[i] = run;
    offsets[i] = firstFace + cells.cellOffsets[i];
    if (i + 1 == cells.numIntervals) {
      offsets[i + 1] = firstFace + cells.numCells;
    }
  }

  /// The first of cells of a row that have faces on a side, and the next cell away from these.
  KOKKOS_FUNCTION CellAtFace atFace(
    RowFinder<Dim>& rows, int sideOfCells, const geometry::RowKey<Dim>& key, const geometry::Interval& interval) const {
    const geometry::Coordinate step = sideOfCells == 0 ? 1 : sideOfCells == 1 ? -1 : 0;
    const std::int64_t cell = firstOfCellsInRow(rows.set, rows.find(key), interval);
    const std::int64_t beyond = firstOfCellsInRow(
      rows.set, rows.find(rowAcross(sideOfCells ^ 1, key)), {interval.begin + step, interval.end + step});
    return {cell, beyond};
  }

  /// Of the coarse cell x of a row the first child, in the n-th row of those at a side.
  KOKKOS_FUNCTION CellAtFace childAt(
    RowFinder<Dim>& rows, int sideOfCell, int n, const geometry::RowKey<Dim>& key, geometry::Coordinate x) const {
    const geometry::Coordinate first = 2 * x + (side / 2 == 0 ? childAtSide(sideOfCell) : 0);
    return atFace(rows, sideOfCell, childRow(key, rowAtSide(sideOfCell, n)), {first, first + 1});
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void buildJumpFaces(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
  const std::type_identity_t<MultilevelSetOn<Dim, ExecutionSpace>>& levels,
  const GhostLevels<ExecutionSpace, Dim>& ghosts, int l, JumpFaces<ExecutionSpace, Dim>& out) {
  SPANWISE_REGION("Multilevel::buildJumpFaces");
  using Run = typename JumpFaces<ExecutionSpace, Dim>::Run;
  auto& unrefined = out.scratch[0];
  auto& around = out.scratch[1];
  auto& moved = out.scratch[2];
  parallel::agree(domain.communicator(), [&] {
    if (l < 0 || l + 1 >= ghosts.numLevels) {
      throw InvalidArgument("there are no faces between level " + std::to_string(l) + " and the next, of " +
        std::to_string(ghosts.numLevels) + " levels");
    }
    const std::int64_t numCells = ghosts.own[static_cast<std::size_t>(l)].numCellsOfB();
    if (levels.level(l).numCells() != numCells) {
      throw InvalidArgument("level " + std::to_string(l) + " has " + std::to_string(levels.level(l).numCells()) +
        " cells; the ghost levels are of one that has " + std::to_string(numCells));
    }
    combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Difference, levels.level(l),
      ghosts.refined[static_cast<std::size_t>(l)], unrefined);
  });
  const auto& refined = ghosts.refined[static_cast<std::size_t>(l)];
  if (!domain.endsHere()) {
    domain.surround(context, l, 1, refined, around);
  }
  parallel::agree(domain.communicator(), [&] {
    const auto& coarse = ghosts.extended[static_cast<std::size_t>(l)];
    const auto& fine = ghosts.extended[static_cast<std::size_t>(l) + 1];
    out.numCoarseCells = coarse.numCells();
    std::int64_t numRuns = 0;
    for (int s = 0; s < 2 * Dim; ++s) {
      auto& cells = out.cellsOfSide[s];
      geometry::Cell<Dim> offset{};
      offset.at[s / 2] = s % 2 == 1 ? -1 : 1;
      translate<ExecutionSpace, Dim>(context, domain.endsHere() ? refined : around, offset, moved);
      combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Intersection, unrefined, moved, cells);
      out.firstFace[s + 1] = out.firstFace[s] + cells.numCells();
      numRuns += cells.numIntervals();
    }
    reserve(out.runs, numRuns, SPANWISE_LABEL("Multilevel::faceRuns"));
    std::int64_t* offsets = out.faces.prepare(numRuns);
    Run* runs = out.runs.data();
    for (int s = 0; s < 2 * Dim; ++s) {
      const geometry::IntervalSetView<Dim> cells = out.cellsOfSide[s].view();
      forEachPart(context.space(), SPANWISE_KERNEL("find faces"), cells.rowOffsets, cells.numRows, cells.numIntervals,
        FindFaces<Dim, Run>{cells, coarse.view(), fine.view(), s, out.firstFace[s], offsets, runs});
      offsets += cells.numIntervals;
      runs += cells.numIntervals;
    }
    out.faces.finish(context.space(), numRuns, out.firstFace[2 * Dim]);
  });
}

#define SPANWISE_JUMP_FACES(Space, Dim)                                                                                \
  template void buildJumpFaces<Space, Dim>(const Context<Space>&, LevelDomain<Space, Dim>&,                            \
    const MultilevelSetOn<Dim, Space>&, const GhostLevels<Space, Dim>&, int, JumpFaces<Space, Dim>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_JUMP_FACES)

} // namespace spanwise::multilevel
