#include "Core/Multilevel/FluxRegister.hpp"

#include "Core/Field/Checks.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Multilevel/Detail/FluxFaces.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::multilevel {

namespace {

using namespace detail;

template <class ExecutionSpace>
using WorkspaceOn = Workspace<typename ExecutionSpace::memory_space>;

template <int Dim, class Run>
struct FindFaces {
  geometry::IntervalSetView<Dim> cells; ///< coarse cells with a finer neighbour on this side
  geometry::IntervalSetView<Dim> coarse;
  geometry::IntervalSetView<Dim> fine;
  int side;
  Run* runs;

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t /*k*/, std::int64_t i) const {
    const geometry::RowKey<Dim> key = cells.rowKeys[row];
    const geometry::Interval interval = cells.intervals[i];
    const int across = side ^ 1;
    Run run{};
    run.coarse = firstOfCells(coarse, key, interval);
    const geometry::RowKey<Dim> neighbour = rowAcross(side, key);
    const geometry::Coordinate x =
      side / 2 == 0 ? 2 * (interval.begin + (side == 1 ? 1 : -1)) + childAtSide(across) : 2 * interval.begin;
    int found = 0;
    for (int r = 0; r < childRows<Dim>; ++r) {
      if (isRowAtSide(across, r)) {
        run.fine[found++] = firstOfCells(fine, childRow(neighbour, r), geometry::Interval{x, x + 1});
      }
    }
    runs[i] = run;
  }
};

template <class T>
struct AddFine {
  const T* flux;
  T weight; ///< dt / number of finer faces
  int rows;
  bool pairs;
  T* sums;

  template <class Run>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Run& run, std::int64_t k, std::int64_t face) const {
    sums[face] += weight * sumOfFluxes(flux, run.fine, rows, pairs, k);
  }
};

} // namespace

template <class ExecutionSpace, int Dim, class T>
void buildFluxRegister(const Context<ExecutionSpace>& context,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& coarse, const geometry::IntervalSetOn<Dim, ExecutionSpace>& fine,
  FluxRegisterOn<Dim, T, ExecutionSpace>& out) {
  SPANWISE_REGION("Multilevel::buildFluxRegister");
  using Run = typename FluxRegisterOn<Dim, T, ExecutionSpace>::Run;
  out.numCoarseCells = coarse.numCells();
  out.numFineCells = fine.numCells();
  auto& [refined, unrefined, moved, faces] = out.scratch;
  coarsen<ExecutionSpace, Dim>(context, Coarsening::Inside, fine, refined);
  combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Difference, coarse, refined, unrefined);
  for (int s = 0; s < 2 * Dim; ++s) {
    auto& side = out.sides[s];
    buildSide<Dim>(context, unrefined, refined, s, side, {moved, faces},
      [&](const auto& cells) { return FindFaces<Dim, Run>{cells, coarse.view(), fine.view(), s, side.runs.data()}; });
  }
  clear<ExecutionSpace, Dim, T>(context.space(), out);
}

template <class ExecutionSpace, int Dim, class T>
void clear(const ExecutionSpace& space, FluxRegisterOn<Dim, T, ExecutionSpace>& fluxes) {
  clearSides(space, fluxes.sides);
}

template <class ExecutionSpace, int Dim, class T>
void addCoarseFluxes(const ExecutionSpace& space, const field::FieldOn<T, ExecutionSpace>& flux,
  std::type_identity_t<T> dt, FluxRegisterOn<Dim, T, ExecutionSpace>& fluxes) {
  SPANWISE_REGION("Multilevel::addCoarseFluxes");
  checkCells(flux, fluxes.numCoarseCells, "the coarse set");
  checkComponents(flux, 2 * Dim);
  checkColumns(flux);
  addCoarseToSides(space, flux.view(), dt, fluxes.sides);
}

template <class ExecutionSpace, int Dim, class T>
void addFineFluxes(const ExecutionSpace& space, const field::FieldOn<T, ExecutionSpace>& flux,
  std::type_identity_t<T> dt, FluxRegisterOn<Dim, T, ExecutionSpace>& fluxes) {
  SPANWISE_REGION("Multilevel::addFineFluxes");
  checkCells(flux, fluxes.numFineCells, "the fine set");
  checkComponents(flux, 2 * Dim);
  for (int s = 0; s < 2 * Dim; ++s) {
    auto& side = fluxes.sides[s];
    // a coarse cell's upper face is a lower face of the finer cells across it
    forFaces(space, SPANWISE_KERNEL("fine fluxes"), side,
      AddFine<T>{columnOf(flux, s ^ 1), dt / T{childRows<Dim>}, numRowsAtSide<Dim>(s), s / 2 > 0, side.sums.data()});
  }
}

template <class ExecutionSpace, int Dim, class T>
void correct(const ExecutionSpace& space, const FluxRegisterOn<Dim, T, ExecutionSpace>& fluxes, const double (&dx)[Dim],
  field::FieldOn<T, ExecutionSpace>& coarse, int component) {
  SPANWISE_REGION("Multilevel::correct");
  checkCells(coarse, fluxes.numCoarseCells, "the coarse set");
  checkComponent(coarse, component);
  for (int s = 0; s < 2 * Dim; ++s) {
    correctSide(space, fluxes.sides[s], s, dx, columnOf(coarse, component));
  }
}

#define SPANWISE_FLUX_REGISTER_OF(T, Space, Dim)                                                                       \
  template void buildFluxRegister<Space, Dim, T>(const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&,    \
    const geometry::IntervalSetOn<Dim, Space>&, FluxRegisterOn<Dim, T, Space>&);                                       \
  SPANWISE_FLUX_CALLS(T, Space, Dim, FluxRegisterOn<Dim, T, Space>)
#define SPANWISE_FLUX_REGISTER(Space, Dim)                                                                             \
  SPANWISE_FLUX_REGISTER_OF(float, Space, Dim) SPANWISE_FLUX_REGISTER_OF(double, Space, Dim)
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_FLUX_REGISTER)

} // namespace spanwise::multilevel
