#include "Core/Multilevel/DomainFluxRegister.hpp"

#include "Core/Field/Checks.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Crop.hpp"
#include "Core/Multilevel/Detail/FluxFaces.hpp"
#include "Core/Multilevel/Transfer.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::multilevel {

namespace {

using namespace detail;

template <class ExecutionSpace>
using WorkspaceOn = Workspace<typename ExecutionSpace::memory_space>;

template <int Dim, class Run>
struct FindFacesAcross {
  geometry::IntervalSetView<Dim> cells; ///< coarse cells with a refined neighbour on this side
  geometry::IntervalSetView<Dim> coarse;
  geometry::IntervalSetView<Dim> refined;
  int side;
  Run* runs;

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t /*k*/, std::int64_t i) const {
    const geometry::RowKey<Dim> key = cells.rowKeys[row];
    const geometry::Interval interval = cells.intervals[i];
    const geometry::Coordinate step = side == 0 ? -1 : side == 1 ? 1 : 0;
    runs[i] = {firstOfCells(coarse, key, interval),
      firstOfCells(refined, rowAcross(side, key), geometry::Interval{interval.begin + step, interval.end + step})};
  }
};

/// The sums of the fluxes through the finer faces of refined cells, side by side.
template <int Dim, class T>
struct SumFluxes {
  geometry::SegmentsView cells;
  const ChildRun<Dim>* runs;
  FieldView<const T> flux;
  FieldView<T> sums;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    cells.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (int side = 0; side < 2 * Dim; ++side) {
        sumSide(runs[s], side, begin, end);
      }
    });
  }

private:
  KOKKOS_FUNCTION void sumSide(const ChildRun<Dim>& run, int side, std::int64_t begin, std::int64_t end) const {
    std::int64_t firstOfRows[childRows<Dim>];
    int rows = 0;
    for (int r = 0; r < childRows<Dim>; ++r) {
      if (isRowAtSide(side, r)) {
        firstOfRows[rows++] = run.fine[r] + (side / 2 == 0 ? childAtSide(side) : 0);
      }
    }
    const T* const fluxOfSide = flux.address(0, side);
    for (std::int64_t k = begin; k < end; ++k) {
      sums(run.coarse + k, side) = sumOfFluxes(fluxOfSide, firstOfRows, rows, side / 2 > 0, k);
    }
  }
};

template <class T>
struct AddAcross {
  const T* fineSums;
  T weight; ///< dt / number of finer faces
  T* sums;

  template <class Run>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Run& run, std::int64_t k, std::int64_t face) const {
    sums[face] += weight * fineSums[run.refined + k];
  }
};

} // namespace

template <class ExecutionSpace, int Dim, class T>
void buildFluxRegister(const Context<ExecutionSpace>& context, LevelDomain<ExecutionSpace, Dim>& domain, int l,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& coarse, const geometry::IntervalSetOn<Dim, ExecutionSpace>& fine,
  DomainFluxRegister<ExecutionSpace, Dim, T>& out) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Multilevel::buildFluxRegister");
  using Run = typename DomainFluxRegister<ExecutionSpace, Dim, T>::Run;
  domain.check(space, l, coarse);
  domain.check(space, l + 1, fine);
  auto& [atEnds, around, moved, faces] = out.scratch;
  parallel::agree(domain.communicator(), [&] {
    buildFluxRegister<ExecutionSpace, Dim, T>(context, coarse, fine, out.own);
    atEnds.clear();
    if (!domain.endsHere()) {
      const auto& refined = out.own.scratch[0];
      crop<ExecutionSpace, Dim>(context, refined, domain.box(l, -1), around);
      combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Difference, refined, around, atEnds);
    }
  });
  domain.surround(context, l, 1, atEnds, out.refined);
  out.halo.build(context, domain, l, 1, out.refined);
  parallel::agree(domain.communicator(), [&] {
    const geometry::IntervalSetOn<Dim, ExecutionSpace> none;
    buildTransferMap<ExecutionSpace, Dim>(context, out.refined, fine, none, Prolongation::Injection, out.children);
    combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Difference, out.refined, atEnds, around);
    const auto& unrefined = out.own.scratch[1];
    for (int s = 0; s < 2 * Dim; ++s) {
      auto& side = out.across[s];
      buildSide<Dim>(context, unrefined, around, s, side, {moved, faces}, [&](const auto& cells) {
        return FindFacesAcross<Dim, Run>{cells, coarse.view(), out.refined.view(), s, side.runs.data()};
      });
      clearSide(space, side);
    }
    out.sums.resize(out.refined.numCells(), 2 * Dim);
  });
}

template <class ExecutionSpace, int Dim, class T>
void clear(const ExecutionSpace& space, DomainFluxRegister<ExecutionSpace, Dim, T>& fluxes) {
  clear<ExecutionSpace, Dim, T>(space, fluxes.own);
  clearSides(space, fluxes.across);
}

template <class ExecutionSpace, int Dim, class T>
void addCoarseFluxes(const ExecutionSpace& space, const field::FieldOn<T, ExecutionSpace>& flux,
  std::type_identity_t<T> dt, DomainFluxRegister<ExecutionSpace, Dim, T>& fluxes) {
  addCoarseFluxes<ExecutionSpace, Dim, T>(space, flux, dt, fluxes.own);
  addCoarseToSides(space, flux.view(), dt, fluxes.across);
}

template <class ExecutionSpace, int Dim, class T>
void addFineFluxes(const ExecutionSpace& space, const field::FieldOn<T, ExecutionSpace>& flux,
  std::type_identity_t<T> dt, DomainFluxRegister<ExecutionSpace, Dim, T>& fluxes) {
  SPANWISE_REGION("Multilevel::addFineFluxes");
  fluxes.halo.fillAfter(space, fluxes.sums, 2 * Dim, [&] {
    checkCells(flux, fluxes.own.numFineCells, "the fine set");
    checkComponents(flux, 2 * Dim);
    checkColumns(flux);
    field::forCells(space, SPANWISE_KERNEL("sum fluxes"), fluxes.children.coarseCells.numCells(),
      SumFluxes<Dim, T>{
        fluxes.children.coarseCells.view(), fluxes.children.childRuns.data(), flux.view(), fluxes.sums.view()});
  });
  addFineFluxes<ExecutionSpace, Dim, T>(space, flux, dt, fluxes.own);
  for (int s = 0; s < 2 * Dim; ++s) {
    auto& side = fluxes.across[s];
    forFaces(space, SPANWISE_KERNEL("fine fluxes"), side,
      AddAcross<T>{fluxes.sums.view().address(0, s ^ 1), dt / T{childRows<Dim>}, side.sums.data()});
  }
}

template <class ExecutionSpace, int Dim, class T>
void correct(const ExecutionSpace& space, const DomainFluxRegister<ExecutionSpace, Dim, T>& fluxes,
  const double (&dx)[Dim], field::FieldOn<T, ExecutionSpace>& coarse, int component) {
  SPANWISE_REGION("Multilevel::correct");
  checkCells(coarse, fluxes.own.numCoarseCells, "the coarse set");
  checkComponent(coarse, component);
  T* const values = columnOf(coarse, component);
  for (int s = 0; s < 2 * Dim; ++s) { // in the order of one rank: no cell has two faces on a side
    correctSide(space, fluxes.own.sides[s], s, dx, values);
    correctSide(space, fluxes.across[s], s, dx, values);
  }
}

#define SPANWISE_DOMAIN_FLUX_REGISTER_OF(T, Space, Dim)                                                                \
  template void buildFluxRegister<Space, Dim, T>(const Context<Space>&, LevelDomain<Space, Dim>&, int,                 \
    const geometry::IntervalSetOn<Dim, Space>&, const geometry::IntervalSetOn<Dim, Space>&,                            \
    DomainFluxRegister<Space, Dim, T>&);                                                                               \
  SPANWISE_FLUX_CALLS(T, Space, Dim, DomainFluxRegister<Space, Dim, T>)
#define SPANWISE_DOMAIN_FLUX_REGISTER(Space, Dim)                                                                      \
  SPANWISE_DOMAIN_FLUX_REGISTER_OF(float, Space, Dim) SPANWISE_DOMAIN_FLUX_REGISTER_OF(double, Space, Dim)
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_DOMAIN_FLUX_REGISTER)

} // namespace spanwise::multilevel
