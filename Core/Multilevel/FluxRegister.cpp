#include "Core/Multilevel/FluxRegister.hpp"

#include "Core/Field/Arithmetic.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Translate.hpp"
#include "Core/Multilevel/Detail/IntervalSegments.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEachPart.hpp"

namespace spanwise::multilevel {

namespace {

using namespace detail;

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
    run.coarse = firstOfCells(coarse, key, interval);
    run.refined = firstOfCells(coarse, keyAcross, across);
    findChildren(side ^ 1, keyAcross, across.begin, run.fine);
    findChildren(side, key, interval.begin, run.ghost);
    runs[i] = run;
    offsets[i] = firstFace + cells.cellOffsets[i];
    if (i + 1 == cells.numIntervals) {
      offsets[i + 1] = firstFace + cells.numCells;
    }
  }

  /// The first child in each row of those at a side of the coarse cell x of a row.
  KOKKOS_FUNCTION void findChildren(int sideOfCell, const geometry::RowKey<Dim>& key, geometry::Coordinate x,
    std::int64_t (&firstOfRows)[childRows<Dim>]) const {
    const geometry::Coordinate first = 2 * x + (side / 2 == 0 ? childAtSide(sideOfCell) : 0);
    int found = 0;
    for (int r = 0; r < childRows<Dim>; ++r) {
      if (isRowAtSide(sideOfCell, r)) {
        firstOfRows[found++] = firstOfCells(fine, childRow(key, r), geometry::Interval{first, first + 1});
      }
    }
  }
};

template <class T>
struct CorrectCells {
  FieldView<const T> sums;
  T scale;
  FieldView<T> values;

  template <class Run>
  KOKKOS_FUNCTION void operator()(const Run& run, std::int64_t k, std::int64_t face) const {
    for (int c = 0; c < sums.numComponents; ++c) {
      values(run.coarse + k, c) += scale * sums(face, c);
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim, class T>
void buildFluxRegister(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain,
  const std::type_identity_t<MultilevelSetOn<Dim, ExecutionSpace>>& levels,
  const GhostLevels<ExecutionSpace, Dim>& ghosts, int l, FluxRegister<ExecutionSpace, Dim, T>& out) {
  SPANWISE_REGION("Multilevel::buildFluxRegister");
  using Run = typename FluxRegister<ExecutionSpace, Dim, T>::Run;
  auto& refined = out.scratch[0];
  auto& unrefined = out.scratch[1];
  auto& around = out.scratch[2];
  auto& moved = out.scratch[3];
  parallel::agree(domain.communicator(), [&] {
    if (l < 0 || l + 1 >= ghosts.numLevels) {
      throw InvalidArgument("there is no flux register of level " + std::to_string(l) + " and the next of " +
        std::to_string(ghosts.numLevels) + " levels");
    }
    coarsen<ExecutionSpace, Dim>(context, Coarsening::Inside, levels.level(l + 1), refined);
    combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Difference, levels.level(l), refined, unrefined);
  });
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
    geometry::detail::reserveArray(out.runs, numRuns, SPANWISE_LABEL("Multilevel::faceRuns"));
    out.sums.resize(out.firstFace[2 * Dim], out.numComponents);
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
  clear(context, out);
}

template <class ExecutionSpace, int Dim, class T>
void clear(const Context<ExecutionSpace>& context, FluxRegister<ExecutionSpace, Dim, T>& fluxes) {
  field::fill<ExecutionSpace, T>(context, fluxes.sums, T{});
}

template <class ExecutionSpace, int Dim, class T>
void correct(const Context<ExecutionSpace>& context, const FluxRegister<ExecutionSpace, Dim, T>& fluxes,
  const double (&dx)[Dim], field::Field<T, typename ExecutionSpace::memory_space>& coarse) {
  SPANWISE_REGION("Multilevel::correct");
  checkCells(coarse, fluxes.numCoarseCells, "the extended coarse level");
  checkComponents(coarse, fluxes.numComponents);
  for (int s = 0; s < 2 * Dim; ++s) { // one after the other: a cell may have faces on several sides
    const double scale = (s % 2 == 1 ? -1.0 : 1.0) / dx[s / 2];
    forFaces(context.space(), SPANWISE_KERNEL("correct cells"), fluxes, fluxes.firstFace[s], fluxes.firstFace[s + 1],
      CorrectCells<T>{fluxes.sums.view(), static_cast<T>(scale), coarse.view()});
  }
}

#define SPANWISE_FLUX_REGISTER_OF(T, Space, Dim)                                                                       \
  template void buildFluxRegister<Space, Dim, T>(const Context<Space>&, LevelDomain<Space, Dim>&,                      \
    const MultilevelSetOn<Dim, Space>&, const GhostLevels<Space, Dim>&, int, FluxRegister<Space, Dim, T>&);            \
  template void clear<Space, Dim, T>(const Context<Space>&, FluxRegister<Space, Dim, T>&);                             \
  template void correct<Space, Dim, T>(                                                                                \
    const Context<Space>&, const FluxRegister<Space, Dim, T>&, const double (&)[Dim], field::FieldOn<T, Space>&);
#define SPANWISE_FLUX_REGISTER(Space, Dim)                                                                             \
  SPANWISE_FLUX_REGISTER_OF(float, Space, Dim) SPANWISE_FLUX_REGISTER_OF(double, Space, Dim)
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_FLUX_REGISTER)

} // namespace spanwise::multilevel
