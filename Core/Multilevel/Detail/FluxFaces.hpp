#pragma once

#include "Core/Field/ForCells.hpp"
#include "Core/Geometry/Segments.hpp"
#include "Core/Multilevel/FluxFace.hpp"
#include "Core/Multilevel/Refine.hpp"
#include "Core/Runtime/FieldView.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <utility>

namespace spanwise::multilevel::detail {

// Side s = 2 d of coarse cells is their lower faces along axis d, 2 d + 1 their upper ones. What lies across a face
// sees it as its side s ^ 1.

/// Which of the two children along the axis of a side are at its faces: 1 for the upper ones.
KOKKOS_INLINE_FUNCTION int childAtSide(int side) { return side & 1; }

/// The n-th of the child rows that have cells at the faces of a side.
KOKKOS_INLINE_FUNCTION int rowAtSide(int side, int n) {
  const int axis = side / 2;
  return axis == 0 ? n : axis == 1 ? 2 * n + childAtSide(side) : n + 2 * childAtSide(side);
}

/// How many of them there are. In each there is one cell at a face normal to x, otherwise two.
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

/// What a flux functor gives: Kokkos::Array<T, N>.
template <class Flux>
using FluxOf = decltype(std::declval<const Flux&>()(FluxFace{}));

/// A cell with a face on one side, and the next cell away from it.
struct CellAtFace {
  std::int64_t cell;
  std::int64_t beyond;

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION CellAtFace moved(std::int64_t by) const {
    return {cell + by, beyond < 0 ? beyond : beyond + by};
  }
};

/// The face on side `side` of a cell, with another cell across.
KOKKOS_FORCEINLINE_FUNCTION FluxFace faceBetween(int side, const CellAtFace& cell, const CellAtFace& across) {
  const bool upper = side % 2 == 1;
  const CellAtFace& below = upper ? cell : across;
  const CellAtFace& above = upper ? across : cell;
  return {side / 2, below.beyond, below.cell, above.cell, above.beyond};
}

/// Calls body(run, k, face) for faces: number `face` is the k-th one of a run.
template <class Run, class Body>
struct ForFaces {
  geometry::SegmentsView faces;
  const Run* runs;
  std::int64_t begin; ///< of the faces
  Body body;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    faces.forPieces(begin + first, begin + last, [&](std::int64_t s, std::int64_t from, std::int64_t to) {
      for (std::int64_t k = from; k < to; ++k) {
        body(runs[s], k, faces.offsets[s] + k);
      }
    });
  }
};

/// The faces [begin, end) of a register.
template <class Space, class Register, class Body>
void forFaces(const Space& space, const char* label, const Register& fluxes, std::int64_t begin, std::int64_t end,
  const Body& body) {
  using Run = typename Register::Run;
  field::forCells(space, label, end - begin, ForFaces<Run, Body>{fluxes.faces.view(), fluxes.runs.data(), begin, body});
}

/// The coarse face number k of a run.
template <class Run>
KOKKOS_FORCEINLINE_FUNCTION FluxFace coarseFace(const Run& run, std::int64_t k) {
  return faceBetween(run.side, run.coarse.moved(k), run.refined.moved(k));
}

/// The sum of the fluxes through the finer faces of the coarse face number k of a run. In pairs: so the sum for a
/// mirror image is that sum.
template <int Dim, class Flux, class Run>
KOKKOS_FORCEINLINE_FUNCTION FluxOf<Flux> sumOfFine(const Flux& flux, const Run& run, std::int64_t k) {
  const int inRow = run.side / 2 == 0 ? 1 : 2;
  FluxOf<Flux> pairs[2] = {};
  for (int r = 0; r < numRowsAtSide<Dim>(run.side); ++r) {
    for (int i = 0; i < inRow; ++i) {
      const std::int64_t at = 2 * k + i;
      const FluxOf<Flux> through = flux(faceBetween(run.side, run.ghost[r].moved(at), run.fine[r].moved(at)));
      for (std::size_t c = 0; c < FluxOf<Flux>::size(); ++c) {
        pairs[(r * inRow + i) / 2][c] += through[c];
      }
    }
  }
  for (std::size_t c = 0; c < FluxOf<Flux>::size(); ++c) {
    pairs[0][c] += pairs[1][c];
  }
  return pairs[0];
}

template <class T, class Flux>
struct AddCoarse {
  Flux flux;
  T dt;
  FieldView<T> sums;

  template <class Run>
  KOKKOS_FUNCTION void operator()(const Run& run, std::int64_t k, std::int64_t face) const {
    const FluxOf<Flux> through = flux(coarseFace(run, k));
    for (int c = 0; c < static_cast<int>(FluxOf<Flux>::size()); ++c) {
      sums(face, c) -= dt * through[static_cast<std::size_t>(c)];
    }
  }
};

template <int Dim, class T, class Flux>
struct AddFine {
  Flux flux;
  T weight; ///< dt / number of finer faces
  FieldView<T> sums;

  template <class Run>
  KOKKOS_FUNCTION void operator()(const Run& run, std::int64_t k, std::int64_t face) const {
    const FluxOf<Flux> through = sumOfFine<Dim>(flux, run, k);
    for (int c = 0; c < static_cast<int>(FluxOf<Flux>::size()); ++c) {
      sums(face, c) += weight * through[static_cast<std::size_t>(c)];
    }
  }
};

template <int Dim, class Flux, class Put>
struct PassFine {
  Flux flux;
  Put put;

  template <class Run>
  KOKKOS_FUNCTION void operator()(const Run& run, std::int64_t k, std::int64_t /*face*/) const {
    FluxOf<Flux> mean = sumOfFine<Dim>(flux, run, k);
    for (std::size_t c = 0; c < FluxOf<Flux>::size(); ++c) {
      mean[c] *= typename FluxOf<Flux>::value_type(1) / childRows<Dim>;
    }
    put(coarseFace(run, k), mean);
  }
};

} // namespace spanwise::multilevel::detail
