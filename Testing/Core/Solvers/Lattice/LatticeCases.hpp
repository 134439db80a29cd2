#pragma once

// Flows that the tests share, and what they read of them.

#include "Core/Field/Copy.hpp"
#include "Core/Geometry/Builders/Cells.hpp"
#include "Core/Geometry/Copy.hpp"
#include "Core/Solvers/Lattice/LatticeFlow.hpp"
#include "Testing/Rooms.hpp"

#include <array>
#include <map>
#include <random>
#include <vector>

namespace spanwise::lattice::testing {

template <int Dim>
using At = std::array<int, Dim>;
/// Density and velocity of cells.
template <int Dim>
using States = std::map<At<Dim>, std::array<double, Dim + 1>>;

/// This rank's cells of a level with fluid.
template <class Space, int Dim>
States<Dim> statesOf(LatticeFlow<Space, Dim>& flow, int level = 0) {
  HostIntervalSet<Dim> cells;
  HostField<double> values;
  copy(flow.cells(level), cells);
  copy(flow.moments(level), values);
  const IntervalSetView<Dim> set = cells.view();
  const auto view = std::as_const(values).view();
  States<Dim> states;
  for (std::int64_t r = 0; r < set.numRows; ++r) {
    for (std::int64_t i = set.rowOffsets[r]; i < set.rowOffsets[r + 1]; ++i) {
      for (std::int64_t k = 0; k < set.cellOffsets[i + 1] - set.cellOffsets[i]; ++k) {
        At<Dim> at{};
        at[0] = static_cast<int>(set.intervals[i].begin + k);
        at[1] = set.rowKeys[r].y;
        if constexpr (Dim == 3) {
          at[2] = set.rowKeys[r].z;
        }
        auto& state = states[at];
        for (int c = 0; c <= Dim; ++c) {
          state[static_cast<std::size_t>(c)] = view(set.cellOffsets[i] + k, c);
        }
      }
    }
  }
  return states;
}

/// Some cells of a box.
template <class Space, int Dim>
IntervalSetOn<Dim, Space> someCells(
  const Context<Space>& context, const Box<Dim>& box, std::size_t count, std::mt19937& random) {
  Kokkos::View<Cell<Dim>*, Kokkos::HostSpace> cells("cells", count);
  for (std::size_t k = 0; k < count; ++k) {
    for (int d = 0; d < Dim; ++d) {
      cells(k).at[d] = std::uniform_int_distribution<Coordinate>(box.begin[d], box.end[d] - 1)(random);
    }
  }
  const Kokkos::View<const Cell<Dim>*, typename Space::memory_space> onSpace =
    Kokkos::create_mirror_view_and_copy(typename Space::memory_space(), cells);
  IntervalSetOn<Dim, Space> set;
  makeFromCells<Space, Dim>(context, onSpace, set);
  return set;
}

/// Another density and velocity in each cell, the same for a position whatever the ranks.
template <int Dim>
struct ManyStates {
  KOKKOS_FUNCTION FluidState<Dim> operator()(const double (&position)[Dim]) const {
    FluidState<Dim> state;
    double phase = 0.3;
    for (int d = 0; d < Dim; ++d) {
      phase += (1.7 + d) * position[d];
    }
    state.density = 1.0 + 0.02 * Kokkos::sin(phase);
    for (int d = 0; d < Dim; ++d) {
      state.velocity[d] = 0.03 * Kokkos::cos((2.0 + d) * phase);
    }
    return state;
  }
};

} // namespace spanwise::lattice::testing
