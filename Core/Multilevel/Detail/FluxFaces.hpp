#pragma once

#include "Core/Field/ForCells.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/Translate.hpp"
#include "Core/Multilevel/Detail/IntervalSegments.hpp"
#include "Core/Multilevel/FluxRegister.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachPart.hpp"

namespace spanwise::multilevel::detail {

// Side s = 2 d of coarse cells is their lower faces along axis d, 2 d + 1 their upper ones. What lies across a face
// sees it as its side s ^ 1.

/// Which of the two children along the axis of a side are at its faces: 1 for the upper ones.
KOKKOS_INLINE_FUNCTION int childAtSide(int side) { return side & 1; }

/// Whether child row r has cells at the faces of a side.
KOKKOS_INLINE_FUNCTION bool isRowAtSide(int side, int r) {
  const int axis = side / 2;
  return axis == 0 || (axis == 1 ? (r & 1) : (r >> 1)) == childAtSide(side);
}

/// How many rows of children have cells at the faces of a side. In each there is one at a face normal to x, otherwise
/// two.
template <int Dim>
KOKKOS_INLINE_FUNCTION int numRowsAtSide(int side) {
  return side / 2 == 0 ? childRows<Dim> : childRows<Dim> / 2;
}

/// The row across the faces of a side of a row's cells.
template <int Dim>
KOKKOS_INLINE_FUNCTION geometry::RowKey<Dim> rowAcross(int side, const geometry::RowKey<Dim>& key) {
  const int axis = side / 2;
  const geometry::Coordinate step = side % 2 == 1 ? 1 : -1;
  return geometry::RowKey<Dim>::fromYZ(key.y + (axis == 1 ? step : 0), key.zOr0() + (axis == 2 ? step : 0));
}

/// The sum of the fluxes through the finer faces of the k-th coarse face of a run. Wherever it is made, it is made in
/// this order.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T sumOfFluxes(
  const T* flux, const std::int64_t* firstOfRows, int numRows, bool pairs, std::int64_t k) {
  T sum{};
  for (int r = 0; r < numRows; ++r) {
    const std::int64_t cell = firstOfRows[r] + 2 * k;
    sum += flux[cell];
    if (pairs) {
      sum += flux[cell + 1];
    }
  }
  return sum;
}

/// Calls body(run, k, face) for faces: number `face` of a side is the k-th one of a run.
template <class Run, class Body>
struct ForFaces {
  geometry::SegmentsView faces;
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
  field::forCells(space, label, side.faces.numCells(), ForFaces<Run, Body>{side.faces.view(), side.runs.data(), body});
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

template <class Space, class Side>
void clearSide(const Space& space, const Side& side) {
  using T = typename decltype(side.sums)::non_const_value_type;
  forEach(SPANWISE_KERNEL("clear fluxes"), IndexRange<Space>(space, 0, side.faces.numCells()),
    SetToZero<T>{side.sums.data()});
}

template <class Space, class Side, int numSides>
void clearSides(const Space& space, const Side (&sides)[numSides]) {
  for (const Side& side : sides) {
    clearSide(space, side);
  }
}

/// Takes dt times the coarse fluxes from the sums: component s of the field is what goes through the faces of side s.
template <class Space, class Side, int numSides, class T>
void addCoarseToSides(const Space& space, const FieldView<const T>& flux, T dt, Side (&sides)[numSides]) {
  for (int s = 0; s < numSides; ++s) {
    forFaces(
      space, SPANWISE_KERNEL("coarse fluxes"), sides[s], AddCoarse<T>{flux.address(0, s), dt, sides[s].sums.data()});
  }
}

template <class Space, class Side, class T>
void correctSide(const Space& space, const Side& side, int s, const double* dx, T* values) {
  const double scale = (s % 2 == 1 ? -1.0 : 1.0) / dx[s / 2];
  forFaces(
    space, SPANWISE_KERNEL("correct cells"), side, CorrectCells<T>{side.sums.data(), static_cast<T>(scale), values});
}

/// What finding the faces of a side takes beside it.
template <int Dim, class MemorySpace>
struct FaceScratch {
  geometry::IntervalSet<Dim, MemorySpace>& moved;
  geometry::IntervalSet<Dim, MemorySpace>& cells;
};

/// The faces between cells that are not refined and refined ones across side s of them. find(cells) is the kernel for
/// each interval of such cells that writes its run.
template <int Dim, class Space, class Side, class Find>
void buildSide(const Context<Space>& context, const geometry::IntervalSetOn<Dim, Space>& unrefined,
  const geometry::IntervalSetOn<Dim, Space>& refined, int s, Side& side,
  const FaceScratch<Dim, typename Space::memory_space>& scratch, const Find& find) {
  const Space& space = context.space();

  geometry::Cell<Dim> offset{};
  offset.at[s / 2] = s % 2 == 1 ? -1 : 1;
  translate<Space, Dim>(context, refined, offset, scratch.moved);
  combine<Space, Dim>(context, geometry::SetOperation::Intersection, unrefined, scratch.moved, scratch.cells);
  const geometry::IntervalSetView<Dim> cells = scratch.cells.view();
  geometry::detail::reserveArray(side.runs, cells.numIntervals, SPANWISE_LABEL("Multilevel::faceRuns"));
  geometry::detail::reserveArray(side.sums, cells.numCells, SPANWISE_LABEL("Multilevel::fluxSums"));
  intervalsAsSegments<Space, Dim>(space, cells, side.faces);
  forEachPart(space, SPANWISE_KERNEL("find faces"), cells.rowOffsets, cells.numRows, cells.numIntervals, find(cells));
}

/// Compiles what registers have in common; the register comes last, since it has commas.
#define SPANWISE_FLUX_CALLS(T, Space, Dim, ...)                                                                        \
  template void clear<Space, Dim, T>(const Space&, __VA_ARGS__&);                                                      \
  template void addCoarseFluxes<Space, Dim, T>(const Space&, const field::FieldOn<T, Space>&, T, __VA_ARGS__&);        \
  template void addFineFluxes<Space, Dim, T>(const Space&, const field::FieldOn<T, Space>&, T, __VA_ARGS__&);          \
  template void correct<Space, Dim, T>(                                                                                \
    const Space&, const __VA_ARGS__&, const double (&)[Dim], field::FieldOn<T, Space>&, int);

} // namespace spanwise::multilevel::detail
