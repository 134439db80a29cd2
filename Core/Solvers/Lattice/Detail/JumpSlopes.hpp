#pragma once

#include "Core/Field/StencilMap.hpp"
#include "Core/Multilevel/TransferMap.hpp"
#include "Core/Solvers/Lattice/Detail/RowPopulations.hpp"
#include "Core/Solvers/Lattice/Detail/StepFields.hpp"

#include <cstdint>

namespace spanwise::lattice::detail {

/// What a cell of a level is to the finer level.
enum class CellKind : std::uint8_t {
  Ghost,  ///< a child of a coarser cell
  Leaf,   ///< stepped
  Covered ///< has children
};

/// How a coarse cell's populations are spread over its children.
template <int Dim>
struct JumpSlopes {
  static constexpr unsigned none = 3;

  std::int32_t distance[2 * Dim]; ///< to the neighbour down and up each axis; 0 where it is not a leaf
  std::uint64_t entries;          ///< the axis along which each population comes to the finer level, or none: 2 bits

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION unsigned entry(int q) const {
    return static_cast<unsigned>(entries >> (2 * static_cast<unsigned>(q)) & 3U);
  }
};

/// Finds which neighbours are leaves, and through which faces all of a population comes to the finer level.
template <class Set>
struct FindJumpSlopes {
  static constexpr int Dim = Set::dimension;
  using Pattern = typename Set::Pattern;
  using Neighbours = field::StencilSegment<Pattern::count>;

  geometry::SegmentsView lengths;
  const Neighbours* neighbours;
  FieldView<const std::uint8_t> kinds;
  JumpSlopes<Dim>* slopes;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        JumpSlopes<Dim> found{};
        unrolled<2 * Dim>([&](auto side) {
          constexpr int n = decltype(side)::value;
          constexpr int sign = n % 2 == 0 ? -1 : 1;
          constexpr int to = neighbourOf < n / 2 == 0 ? sign : 0, n / 2 == 1 ? sign : 0, n / 2 == 2 ? sign : 0 > ;
          found.distance[n] = is(s, k, to, CellKind::Leaf) ? neighbours[s].distance[to] : 0;
        });
        unrolled<Set::count>([&](auto n) {
          constexpr int q = decltype(n)::value;
          found.entries |= std::uint64_t{entryOf<q>(s, k)} << (2 * static_cast<unsigned>(q));
        });
        slopes[lengths.offsets[s] + k] = found;
      }
    });
  }

private:
  template <int x, int y, int z>
  static constexpr int neighbourOf = Pattern::indexOf({x, y, z});

  [[nodiscard]] KOKKOS_FUNCTION bool is(std::int64_t s, std::int64_t k, int neighbour, CellKind kind) const {
    const std::int32_t distance = neighbours[s].distance[neighbour];
    return !Neighbours::isAbsent(distance) &&
      kinds(neighbours[s].cell + k + distance, 0) == static_cast<std::uint8_t>(kind);
  }

  /// The axis such that of the cells that the population passes those beyond a face across it have children, and the
  /// others have none.
  template <int q>
  [[nodiscard]] KOKKOS_FUNCTION unsigned entryOf(std::int64_t s, std::int64_t k) const {
    unsigned possible = (1U << Dim) - 1;
    unrolled<8>([&](auto mask) {
      constexpr int m = decltype(mask)::value;
      constexpr int x = Set::velocity(q, 0);
      constexpr int y = Set::velocity(q, 1);
      constexpr int z = Set::velocity(q, 2);
      constexpr bool passes = ((m & 1) == 0 || x != 0) && ((m & 2) == 0 || y != 0) && ((m & 4) == 0 || z != 0);
      if constexpr (m != 0 && passes) {
        constexpr int to = neighbourOf < (m & 1) != 0 ? x : 0, (m & 2) != 0 ? y : 0, (m & 4) != 0 ? z : 0 > ;
        possible &= is(s, k, to, CellKind::Covered) ? static_cast<unsigned>(m) : ~static_cast<unsigned>(m);
      }
    });
    unsigned axis = JumpSlopes<Dim>::none;
    unrolled<Dim>([&](auto d) {
      constexpr int n = decltype(d)::value;
      constexpr bool goesAlong = Set::velocity(q, n) != 0;
      if (goesAlong && (possible >> n & 1U) != 0) {
        axis = n;
      }
    });
    return axis;
  }
};

/// From one neighbour of a cell to the other, or where one is missing from the cell itself. read(distance) is a
/// neighbour's value.
template <class Real, class Read>
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Real slopeOf(
  std::int32_t down, std::int32_t up, Real value, const Read& read) {
  if (down == 0 && up == 0) {
    return 0;
  }
  const Real lower = down == 0 ? value : read(down);
  const Real upper = up == 0 ? value : read(up);
  return down != 0 && up != 0 ? Real(0.5) * (upper - lower) : upper - lower;
}

/// What children have more of a population than their parent at the upper half of each axis: `along`, of zeros before.
/// Axes are constants: a device has no registers for arrays with indices that it computes.
template <class Set, class Real, class Read>
KOKKOS_FORCEINLINE_FUNCTION void addSlopes(
  const JumpSlopes<Set::dimension>& with, int q, Real value, const Read& read, Real (&along)[3]) {
  const unsigned n = with.entry(q);
  if (n == JumpSlopes<Set::dimension>::none) {
    return;
  }
  const int velocity[3] = {velocityAlong<Set, 0>(q), velocityAlong<Set, 1>(q), velocityAlong<Set, 2>(q)};
  const int across = n == 0 ? velocity[0] : n == 1 ? velocity[1] : velocity[2];
  Real alongEntry = 0;
  unrolled<Set::dimension>([&](auto axis) {
    constexpr unsigned d = decltype(axis)::value;
    if (n != d) {
      const Real quarter = Real(0.25) * slopeOf(with.distance[2 * d], with.distance[2 * d + 1], value, read);
      along[d] += quarter;
      alongEntry -= static_cast<Real>(velocity[d] * across) * quarter;
    }
  });
  unrolled<Set::dimension>([&](auto axis) {
    constexpr unsigned d = decltype(axis)::value;
    along[d] = n == d ? alongEntry : along[d];
  });
}

/// Gives children what their parent has, and along the face through which they come to the finer level what slopes
/// make of it (H. Chen, O. Filippova, J. Hoch, K. Molvig, R. Shock, C. Teixeira, R. Zhang, Physica A 362, 2006); their
/// mean is the parent's value.
///
/// With the slope g of a population with the velocity c, in equilibrium, one that has collided on a level has
/// - (time - 1) c . g on top, where g is less and the time longer from a level to the next. So a child at the place d
/// from its parent's centre, in coarse cells, should have g . (d - c / 4) more than its parent where it comes to the
/// finer level at once, and g . (d + c / 4) where it takes two steps: nothing along the axis n across the face, and
/// along another one d_d - c_d c_n d_n.
template <class Set, class T>
struct Explode {
  static constexpr int Dim = Set::dimension;
  using Real = Arithmetic<T>;

  RowPopulationsView chosen;   ///< of the rows of parents
  const std::int64_t* offsets; ///< of these rows
  const multilevel::ChildRun<Dim>* runs;
  const JumpSlopes<Dim>* slopes;
  FieldView<const T> coarse;
  FieldView<T> fine;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    chosen.forEach(first, last, [&](std::int64_t s, int q, std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        const std::int64_t parent = runs[s].coarse + k;
        const auto value = static_cast<Real>(coarse(parent, q));
        Real along[3] = {};
        addSlopes<Set>(
          slopes[offsets[s] + k], q, value,
          [&](std::int32_t distance) { return static_cast<Real>(coarse(parent + distance, q)); }, along);
        for (int r = 0; r < multilevel::childRows<Dim>; ++r) {
          const Real row = value + ((r & 1) != 0 ? along[1] : -along[1]) + ((r >> 1) != 0 ? along[2] : -along[2]);
          fine(runs[s].fine[r] + 2 * k, q) = static_cast<T>(row - along[0]);
          fine(runs[s].fine[r] + 2 * k + 1, q) = static_cast<T>(row + along[0]);
        }
      }
    });
  }
};

} // namespace spanwise::lattice::detail
