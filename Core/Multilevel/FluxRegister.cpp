#include "Core/Multilevel/FluxRegister.hpp"

#include "Core/Field/Detail/Checks.hpp"
#include "Core/Field/Detail/ForCells.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Detail/Parts.hpp"
#include "Core/Geometry/Translate.hpp"
#include "Core/Multilevel/Detail/IntervalSegments.hpp"

namespace spanwise {

namespace {

using namespace detail;

template <class ExecutionSpace>
using WorkspaceOn = Workspace<typename ExecutionSpace::memory_space>;

/// Finer rows across a face normal to an axis. In each there is one cell across a face normal to x, otherwise two.
template <int Dim>
KOKKOS_INLINE_FUNCTION int rowsAcross(int axis) {
  return axis == 0 ? childRows<Dim> : childRows<Dim> / 2;
}

template <int Dim, class Run>
struct FindFaces {
  IntervalSetView<Dim> cells; ///< coarse cells with a finer neighbour on this side
  IntervalSetView<Dim> coarse;
  IntervalSetView<Dim> fine;
  int axis;
  bool upper;
  Run* runs;

  KOKKOS_FUNCTION void operator()(std::int64_t row, std::int64_t /*k*/, std::int64_t i) const {
    const RowKey<Dim> key = cells.rowKeys[row];
    const Interval interval = cells.intervals[i];
    const Coordinate step = upper ? 1 : -1;
    const Coordinate near = upper ? 0 : 1; // of the two children along the axis, the one at the face
    Run run{};
    run.coarse = firstOfCells(coarse, key, interval);
    const auto neighbour = RowKey<Dim>::fromYZ(key.y + (axis == 1 ? step : 0), key.zOr0() + (axis == 2 ? step : 0));
    const Coordinate x = axis == 0 ? 2 * (interval.begin + step) + near : 2 * interval.begin;
    int found = 0;
    for (int r = 0; r < childRows<Dim>; ++r) {
      const bool atFace = axis == 0 || (axis == 1 ? (r & 1) : (r >> 1)) == near;
      if (atFace) {
        run.fine[found++] = firstOfCells(fine, childRow(neighbour, r), Interval{x, x + 1});
      }
    }
    runs[i] = run;
  }
};

/// Calls body(run, k, face) for faces: number `face` of a side is the k-th one of a run.
template <class Run, class Body>
struct ForFaces {
  SegmentsView faces;
  const Run* runs;
  Body body;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    faces.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        body(runs[s], k, faces.offsets[s] + k);
      }
    });
  }
};

template <class Space, class Side, class Body>
void forFaces(const Space& space, const char* label, const Side& side, const Body& body) {
  using Run = typename decltype(side.runs)::non_const_value_type;
  forCells(space, label, side.faces.numCells(), ForFaces<Run, Body>{side.faces.view(), side.runs.data(), body});
}

template <class T>
struct AddCoarse {
  const T* flux;
  T dt;
  T* sums;

  template <class Run>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Run& run, std::int64_t k, std::int64_t face) const {
    sums[face] -= dt * flux[run.coarse + k];
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
    T sum{};
    for (int r = 0; r < rows; ++r) {
      const std::int64_t cell = run.fine[r] + 2 * k;
      sum += flux[cell];
      if (pairs) {
        sum += flux[cell + 1];
      }
    }
    sums[face] += weight * sum;
  }
};

template <class T>
struct CorrectCells {
  const T* sums;
  T scale;
  T* values;

  template <class Run>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Run& run, std::int64_t k, std::int64_t face) const {
    values[run.coarse + k] += scale * sums[face];
  }
};

template <class T>
struct SetToZero {
  T* values;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { values[i] = T{}; }
};

} // namespace

template <class ExecutionSpace, int Dim, class T>
void buildFluxRegister(const ExecutionSpace& space, const IntervalSetOn<Dim, ExecutionSpace>& coarse,
  const IntervalSetOn<Dim, ExecutionSpace>& fine, FluxRegisterOn<Dim, T, ExecutionSpace>& out,
  WorkspaceOn<ExecutionSpace>& workspace) {
  SPANWISE_REGION("Multilevel::buildFluxRegister");
  using Run = typename FluxRegisterOn<Dim, T, ExecutionSpace>::Run;
  out.numCoarseCells = coarse.numCells();
  out.numFineCells = fine.numCells();
  auto& [refined, unrefined, moved, faces] = out.scratch;
  coarsen<ExecutionSpace, Dim>(space, Coarsening::Inside, fine, refined, workspace);
  combine<ExecutionSpace, Dim>(space, SetOperation::Difference, coarse, refined, unrefined, workspace);
  for (int s = 0; s < 2 * Dim; ++s) {
    const int axis = s / 2;
    const bool upper = s % 2 == 1;
    Cell<Dim> offset{};
    offset.at[axis] = upper ? -1 : 1;
    translate<ExecutionSpace, Dim>(space, refined, offset, moved);
    combine<ExecutionSpace, Dim>(space, SetOperation::Intersection, unrefined, moved, faces, workspace);
    auto& side = out.sides[s];
    const IntervalSetView<Dim> cells = faces.view();
    reserveArray(side.runs, cells.numIntervals, SPANWISE_LABEL("Multilevel::faceRuns"));
    reserveArray(side.sums, cells.numCells, SPANWISE_LABEL("Multilevel::fluxSums"));
    intervalsAsSegments<ExecutionSpace, Dim>(space, cells, side.faces);
    forEachPart(space, SPANWISE_KERNEL("find faces"), cells.rowOffsets, cells.numRows, cells.numIntervals,
      FindFaces<Dim, Run>{cells, coarse.view(), fine.view(), axis, upper, side.runs.data()});
  }
  clear<ExecutionSpace, Dim, T>(space, out);
}

template <class ExecutionSpace, int Dim, class T>
void clear(const ExecutionSpace& space, FluxRegisterOn<Dim, T, ExecutionSpace>& fluxes) {
  for (auto& side : fluxes.sides) {
    Kokkos::parallel_for(SPANWISE_KERNEL("clear fluxes"), Range<ExecutionSpace>(space, 0, side.faces.numCells()),
      SetToZero<T>{side.sums.data()});
  }
}

template <class ExecutionSpace, int Dim, class T>
void addCoarseFluxes(const ExecutionSpace& space, const FieldOn<T, ExecutionSpace>& flux, std::type_identity_t<T> dt,
  FluxRegisterOn<Dim, T, ExecutionSpace>& fluxes) {
  SPANWISE_REGION("Multilevel::addCoarseFluxes");
  checkCells(flux, fluxes.numCoarseCells, "the coarse set");
  checkComponents(flux, 2 * Dim);
  for (int s = 0; s < 2 * Dim; ++s) {
    auto& side = fluxes.sides[s];
    forFaces(
      space, SPANWISE_KERNEL("coarse fluxes"), side, AddCoarse<T>{flux.view().component[s], dt, side.sums.data()});
  }
}

template <class ExecutionSpace, int Dim, class T>
void addFineFluxes(const ExecutionSpace& space, const FieldOn<T, ExecutionSpace>& flux, std::type_identity_t<T> dt,
  FluxRegisterOn<Dim, T, ExecutionSpace>& fluxes) {
  SPANWISE_REGION("Multilevel::addFineFluxes");
  checkCells(flux, fluxes.numFineCells, "the fine set");
  checkComponents(flux, 2 * Dim);
  for (int s = 0; s < 2 * Dim; ++s) {
    auto& side = fluxes.sides[s];
    const int axis = s / 2;
    // a coarse cell's upper face is a lower face of the finer cells across it
    forFaces(space, SPANWISE_KERNEL("fine fluxes"), side,
      AddFine<T>{
        flux.view().component[s ^ 1], dt / T{childRows<Dim>}, rowsAcross<Dim>(axis), axis > 0, side.sums.data()});
  }
}

template <class ExecutionSpace, int Dim, class T>
void correct(const ExecutionSpace& space, const FluxRegisterOn<Dim, T, ExecutionSpace>& fluxes, const double (&dx)[Dim],
  FieldOn<T, ExecutionSpace>& coarse, int component) {
  SPANWISE_REGION("Multilevel::correct");
  checkCells(coarse, fluxes.numCoarseCells, "the coarse set");
  checkComponent(coarse, component);
  for (int s = 0; s < 2 * Dim; ++s) {
    const auto& side = fluxes.sides[s];
    const double scale = (s % 2 == 1 ? -1.0 : 1.0) / dx[s / 2];
    forFaces(space, SPANWISE_KERNEL("correct cells"), side,
      CorrectCells<T>{side.sums.data(), static_cast<T>(scale), coarse.view().component[component]});
  }
}

#define SPANWISE_FLUX_REGISTER_OF(T, Space, Dim)                                                                       \
  template void buildFluxRegister<Space, Dim, T>(const Space&, const IntervalSetOn<Dim, Space>&,                       \
    const IntervalSetOn<Dim, Space>&, FluxRegisterOn<Dim, T, Space>&, WorkspaceOn<Space>&);                            \
  template void clear<Space, Dim, T>(const Space&, FluxRegisterOn<Dim, T, Space>&);                                    \
  template void addCoarseFluxes<Space, Dim, T>(                                                                        \
    const Space&, const FieldOn<T, Space>&, T, FluxRegisterOn<Dim, T, Space>&);                                        \
  template void addFineFluxes<Space, Dim, T>(                                                                          \
    const Space&, const FieldOn<T, Space>&, T, FluxRegisterOn<Dim, T, Space>&);                                        \
  template void correct<Space, Dim, T>(                                                                                \
    const Space&, const FluxRegisterOn<Dim, T, Space>&, const double (&)[Dim], FieldOn<T, Space>&, int);
#define SPANWISE_FLUX_REGISTER(Space, Dim)                                                                             \
  SPANWISE_FLUX_REGISTER_OF(float, Space, Dim) SPANWISE_FLUX_REGISTER_OF(double, Space, Dim)
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_FLUX_REGISTER)

} // namespace spanwise
