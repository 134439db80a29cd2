#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Combine.hpp"
#include "Core/Multilevel/Detail/Coarsen.hpp"
#include "Core/Multilevel/Detail/IntervalSegments.hpp"
#include "Core/Multilevel/Transfer.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachPart.hpp"
#include "Core/Runtime/Reduce.hpp"
#include "Core/Runtime/Reserve.hpp"

#include <string>

namespace spanwise::multilevel {

namespace {

using namespace detail;

template <class ExecutionSpace>
using WorkspaceOn = Workspace<typename ExecutionSpace::memory_space>;

/// How many fine cells are not in the fine set, and how many have no parent.
struct Missing {
  std::int64_t fine = 0;
  std::int64_t coarse = 0;
  KOKKOS_FUNCTION Missing& operator+=(const Missing& other) {
    fine += other.fine;
    coarse += other.coarse;
    return *this;
  }
};

/// Makes the intervals of a set of coarse cells runs, with the numbers of their children.
template <class Space, int Dim>
void findChildren(const Space& space, const geometry::IntervalSetView<Dim>& cells,
  const geometry::IntervalSetView<Dim>& coarse, const geometry::IntervalSetView<Dim>& fine,
  geometry::Segments<typename Space::memory_space>& segments,
  Kokkos::View<ChildRun<Dim>*, typename Space::memory_space>& runs) {
  reserve(runs, cells.numIntervals, SPANWISE_LABEL("Multilevel::childRuns"));
  intervalsAsSegments<Space, Dim>(space, cells, segments);
  ChildRun<Dim>* const out = runs.data();
  forEachPart(
    space, SPANWISE_KERNEL("find children"), cells.rowOffsets, cells.numRows, cells.numIntervals,
    KOKKOS_LAMBDA(std::int64_t row, std::int64_t /*k*/, std::int64_t i) {
      const geometry::RowKey<Dim> key = cells.rowKeys[row];
      const geometry::Interval parents = cells.intervals[i];
      ChildRun<Dim> run{};
      run.coarse = firstOfCells(coarse, key, parents);
      for (int r = 0; r < childRows<Dim>; ++r) {
        run.fine[r] = firstOfCells(fine, childRow(key, r), geometry::Interval{2 * parents.begin, 2 * parents.end});
      }
      out[i] = run;
    });
}

template <class Space, int Dim>
void findNeighbours(const Context<Space>& context, const geometry::IntervalSetOn<Dim, Space>& coarse,
  const geometry::IntervalSetOn<Dim, Space>& of, Prolongation method,
  ParentNeighbours<Dim, typename Space::memory_space>& out) {
  const field::Boundary<Dim> boundary{field::BoundaryPolicy::Value, {}};
  commonCells<Space, Dim>(context, coarse, of, out.cells);
  if (method == Prolongation::ThirdOrder) {
    buildStencilMap<field::BoxPattern<Dim>, Space>(context, coarse, boundary, out.box, out.cells);
  } else {
    buildStencilMap<field::FacePattern<Dim>, Space>(context, coarse, boundary, out.faces, out.cells);
  }
}

} // namespace

template <class ExecutionSpace, int Dim>
void buildProlongation(const Context<ExecutionSpace>& context,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& coarse, const geometry::IntervalSetOn<Dim, ExecutionSpace>& fine,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& onto, Prolongation method,
  TransferMapOn<Dim, ExecutionSpace>& out) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Multilevel::buildProlongation");
  out.numCoarseCells = coarse.numCells();
  out.numFineCells = fine.numCells();
  out.method = method;
  out.coarseCells.clear();

  // families, and what is left
  coarsen<ExecutionSpace, Dim>(context, Coarsening::Inside, onto, out.families);
  findChildren<ExecutionSpace, Dim>(
    space, out.families.view(), coarse.view(), fine.view(), out.familyCells, out.familyRuns);
  if (out.families.numCells() * 2 * childRows<Dim> == onto.numCells()) {
    out.singles.clear();
  } else {
    refine<ExecutionSpace, Dim>(context, out.families, out.parents);
    combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Difference, onto, out.parents, out.singles);
  }
  coarsen<ExecutionSpace, Dim>(context, Coarsening::Outside, out.singles, out.parents);
  const geometry::IntervalSetView<Dim> singles = out.singles.view();
  reserve(out.singleRuns, singles.numIntervals, SPANWISE_LABEL("Multilevel::parentRuns"));
  intervalsAsSegments<ExecutionSpace, Dim>(space, singles, out.singleCells);
  // what has no place gets the number -1
  const geometry::IntervalSetView<Dim> parents = out.parents.view();
  const geometry::IntervalSetView<Dim> coarseCells = coarse.view();
  const geometry::IntervalSetView<Dim> fineCells = fine.view();
  ParentRun* const singleRuns = out.singleRuns.data();
  forEachPart(
    space, SPANWISE_KERNEL("find parents"), singles.rowOffsets, singles.numRows, singles.numIntervals,
    KOKKOS_LAMBDA(std::int64_t row, std::int64_t /*k*/, std::int64_t i) {
      const geometry::RowKey<Dim> key = singles.rowKeys[row];
      const geometry::Interval cells = singles.intervals[i];
      const geometry::Interval above = coarser(cells, 0);
      ParentRun run{};
      run.fine = firstOfCells(fineCells, key, cells);
      run.coarse = firstOfCells(coarseCells, parentRow(key), above);
      run.parent = firstOfCells(parents, parentRow(key), above);
      run.upper = (cells.begin & 1) | (key.y & 1) << 1 | (key.zOr0() & 1) << 2;
      singleRuns[i] = run;
    });

  Missing missing;
  const std::int64_t numFamilies = out.families.numIntervals();
  const ChildRun<Dim>* const families = out.familyRuns.data();
  reduce(
    SPANWISE_KERNEL("count missing"), IndexRange<ExecutionSpace>(space, 0, numFamilies + singles.numIntervals),
    KOKKOS_LAMBDA(std::int64_t i, Missing& sum) {
      if (i < numFamilies) {
        for (int r = 0; r < childRows<Dim>; ++r) {
          sum.fine += static_cast<std::int64_t>(families[i].fine[r] < 0);
          sum.coarse += static_cast<std::int64_t>(families[i].coarse < 0);
        }
      } else {
        sum.fine += static_cast<std::int64_t>(singleRuns[i - numFamilies].fine < 0);
        sum.coarse += static_cast<std::int64_t>(singleRuns[i - numFamilies].coarse < 0);
      }
    },
    missing);
  if (missing.fine > 0 || missing.coarse > 0) {
    out.familyCells.clear();
    out.singleCells.clear();
    throw InvalidArgument(std::to_string(missing.fine > 0 ? missing.fine : missing.coarse) +
      " intervals that are to be prolonged onto " +
      (missing.fine > 0 ? "are not in the fine set" : "have parents that are not in the coarse set"));
  }
  if (method != Prolongation::Injection) {
    findNeighbours<ExecutionSpace, Dim>(context, coarse, out.families, method, out.aroundFamilies);
    findNeighbours<ExecutionSpace, Dim>(context, coarse, out.parents, method, out.aroundParents);
  }
}

template <class ExecutionSpace, int Dim>
void buildRestriction(const Context<ExecutionSpace>& context,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& coarse, const geometry::IntervalSetOn<Dim, ExecutionSpace>& fine,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& onto, TransferMapOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Multilevel::buildRestriction");
  findChildren<ExecutionSpace, Dim>(
    context.space(), onto.view(), coarse.view(), fine.view(), out.coarseCells, out.childRuns);
}

template <class ExecutionSpace, int Dim>
void buildTransferMap(const Context<ExecutionSpace>& context,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& coarse, const geometry::IntervalSetOn<Dim, ExecutionSpace>& fine,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& onto, Prolongation method,
  TransferMapOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Multilevel::buildTransferMap");
  buildProlongation<ExecutionSpace, Dim>(context, coarse, fine, onto, method, out);
  // coarse cells with all children: those of Coarsening::Inside that are in the coarse set
  typename WorkspaceOn<ExecutionSpace>::Frame frame(context.workspace());
  const auto makeScratch = [&](std::int64_t rows, std::int64_t intervals) {
    return geometry::detail::scratchSet<Dim>(frame, rows, intervals);
  };
  geometry::WritableIntervalSet<Dim> arrays{};
  const geometry::SetTotals whole = coarsenInto<ExecutionSpace, Dim>(context.space(), fine.view(), insideReach, frame,
    [&](std::int64_t rows, std::int64_t intervals) { return arrays = makeScratch(rows, intervals); });
  const geometry::IntervalSetView<Dim> inside = arrays.view(whole);
  const geometry::WritableIntervalSet<Dim> both =
    makeScratch(inside.numRows + coarse.numRows(), inside.numIntervals + coarse.numIntervals());
  const geometry::IntervalSetView<Dim> refined = both.view(geometry::detail::combineInto<ExecutionSpace, Dim>(
    context, static_cast<unsigned>(geometry::SetOperation::Intersection), inside, coarse.view(), both));
  findChildren<ExecutionSpace, Dim>(
    context.space(), refined, coarse.view(), fine.view(), out.coarseCells, out.childRuns);
}

#define SPANWISE_TRANSFER_MAP(Space, Dim)                                                                              \
  template void buildProlongation<Space, Dim>(const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&,       \
    const geometry::IntervalSetOn<Dim, Space>&, const geometry::IntervalSetOn<Dim, Space>&, Prolongation,              \
    TransferMapOn<Dim, Space>&);                                                                                       \
  template void buildRestriction<Space, Dim>(const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&,        \
    const geometry::IntervalSetOn<Dim, Space>&, const geometry::IntervalSetOn<Dim, Space>&,                            \
    TransferMapOn<Dim, Space>&);                                                                                       \
  template void buildTransferMap<Space, Dim>(const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&,        \
    const geometry::IntervalSetOn<Dim, Space>&, const geometry::IntervalSetOn<Dim, Space>&, Prolongation,              \
    TransferMapOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_TRANSFER_MAP)

} // namespace spanwise::multilevel
