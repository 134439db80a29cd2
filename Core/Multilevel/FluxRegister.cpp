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
    run.coarse = atFace(coarse, side, key, interval);
    run.refined = atFace(coarse, side ^ 1, keyAcross, across);
    findChildren(side ^ 1, keyAcross, across.begin, run.fine);
    findChildren(side, key, interval.begin, run.ghost);
    runs[i] = run;
    offsets[i] = firstFace + cells.cellOffsets[i];
    if (i + 1 == cells.numIntervals) {
      offsets[i + 1] = firstFace + cells.numCells;
    }
  }

  /// The first of cells of a row that have faces on a side, and the next cell away from these.
  KOKKOS_FUNCTION CellAtFace atFace(const geometry::IntervalSetView<Dim>& set, int sideOfCells,
    const geometry::RowKey<Dim>& key, const geometry::Interval& interval) const {
    const geometry::Coordinate step = sideOfCells == 0 ? 1 : sideOfCells == 1 ? -1 : 0;
    return {firstOfCells(set, key, interval),
      firstOfCells(set, rowAcross(sideOfCells ^ 1, key), {interval.begin + step, interval.end + step})};
  }

  /// The first child in each row of those at a side of the coarse cell x of a row.
  KOKKOS_FUNCTION void findChildren(int sideOfCell, const geometry::RowKey<Dim>& key, geometry::Coordinate x,
    CellAtFace (&firstOfRows)[childRows<Dim>]) const {
    const geometry::Coordinate first = 2 * x + (side / 2 == 0 ? childAtSide(sideOfCell) : 0);
    int found = 0;
    for (int r = 0; r < childRows<Dim>; ++r) {
      if (isRowAtSide(sideOfCell, r)) {
        firstOfRows[found++] = atFace(fine, sideOfCell, childRow(key, r), geometry::Interval{first, first + 1});
      }
    }
  }
};

/// Finds the faces on other sides of a face's coarse cell. Runs of a side are in the order of the cells.
template <int Dim, class Run, class Link>
struct LinkFaces {
  geometry::SegmentsView faces;
  const Run* runs;
  Kokkos::Array<std::int64_t, 2 * Dim + 1> firstRun; ///< of each side
  Link* links;

  KOKKOS_FUNCTION void operator()(const Run& run, std::int64_t k, std::int64_t face) const {
    Link link{-1, 0, true};
    for (int side = 2 * Dim - 1; side >= 0; --side) {
      const std::int64_t other = side == run.side ? -1 : faceOf(side, run.coarse.cell + k);
      if (other >= 0 && side > run.side) {
        link.next = other;
        link.nextSide = side;
      } else if (other >= 0) {
        link.isFirst = false;
      }
    }
    links[face] = link;
  }

  [[nodiscard]] KOKKOS_FUNCTION std::int64_t faceOf(int side, std::int64_t cell) const {
    const auto s = static_cast<std::size_t>(side);
    std::int64_t low = firstRun[s]; // the last run that begins at the cell or before it is low - 1
    std::int64_t high = firstRun[s + 1];
    while (low < high) {
      const std::int64_t middle = (low + high) / 2;
      if (runs[middle].coarse.cell <= cell) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == firstRun[s]) {
      return -1;
    }
    const std::int64_t face = faces.offsets[low - 1] + (cell - runs[low - 1].coarse.cell);
    return face < faces.offsets[low] ? face : -1;
  }
};

template <int Dim, class T, class Link>
struct CorrectCells {
  FieldView<const T> sums;
  const Link* links;
  Kokkos::Array<T, Dim> scale; ///< 1 / size of a coarse cell
  FieldView<T> values;

  template <class Run>
  KOKKOS_FUNCTION void operator()(const Run& run, std::int64_t k, std::int64_t first) const {
    if (!links[first].isFirst) {
      return;
    }
    for (int c = 0; c < sums.numComponents; ++c) {
      T& value = values(run.coarse.cell + k, c);
      T ofAxis{};
      int side = run.side;
      for (std::int64_t face = first; face >= 0;) {
        const Link link = links[face];
        ofAxis += side % 2 == 1 ? -sums(face, c) : sums(face, c);
        if (link.next < 0 || link.nextSide / 2 != side / 2) {
          value += scale[static_cast<std::size_t>(side / 2)] * ofAxis;
          ofAxis = T{};
        }
        face = link.next;
        side = link.nextSide;
      }
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
  using Link = typename FluxRegister<ExecutionSpace, Dim, T>::Link;
  auto& unrefined = out.scratch[0];
  auto& around = out.scratch[1];
  auto& moved = out.scratch[2];
  parallel::agree(domain.communicator(), [&] {
    if (l < 0 || l + 1 >= ghosts.numLevels) {
      throw InvalidArgument("there is no flux register of level " + std::to_string(l) + " and the next of " +
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
    geometry::detail::reserveArray(out.runs, numRuns, SPANWISE_LABEL("Multilevel::faceRuns"));
    geometry::detail::reserveArray(out.links, out.firstFace[2 * Dim], SPANWISE_LABEL("Multilevel::faceLinks"));
    out.sums.resize(out.firstFace[2 * Dim], out.numComponents);
    std::int64_t* offsets = out.faces.prepare(numRuns);
    Run* runs = out.runs.data();
    Kokkos::Array<std::int64_t, 2 * Dim + 1> firstRun{};
    for (int s = 0; s < 2 * Dim; ++s) {
      firstRun[static_cast<std::size_t>(s) + 1] =
        firstRun[static_cast<std::size_t>(s)] + out.cellsOfSide[s].numIntervals();
      const geometry::IntervalSetView<Dim> cells = out.cellsOfSide[s].view();
      forEachPart(context.space(), SPANWISE_KERNEL("find faces"), cells.rowOffsets, cells.numRows, cells.numIntervals,
        FindFaces<Dim, Run>{cells, coarse.view(), fine.view(), s, out.firstFace[s], offsets, runs});
      offsets += cells.numIntervals;
      runs += cells.numIntervals;
    }
    out.faces.finish(context.space(), numRuns, out.firstFace[2 * Dim]);
    forFaces(context.space(), SPANWISE_KERNEL("link faces"), out, 0, out.firstFace[2 * Dim],
      LinkFaces<Dim, Run, Link>{out.faces.view(), out.runs.data(), firstRun, out.links.data()});
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
  using Link = typename FluxRegister<ExecutionSpace, Dim, T>::Link;
  Kokkos::Array<T, Dim> scale{};
  for (int d = 0; d < Dim; ++d) {
    scale[static_cast<std::size_t>(d)] = static_cast<T>(1.0 / dx[d]);
  }
  forFaces(context.space(), SPANWISE_KERNEL("correct cells"), fluxes, 0, fluxes.faces.numCells(),
    CorrectCells<Dim, T, Link>{fluxes.sums.view(), fluxes.links.data(), scale, coarse.view()});
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
