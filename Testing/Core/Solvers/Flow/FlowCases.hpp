#pragma once

// Flows that the tests share, and what they read of them.

#include "Core/Field/Copy.hpp"
#include "Core/Geometry/BoxCells.hpp"
#include "Core/Geometry/Builders/Ball.hpp"
#include "Core/Geometry/Copy.hpp"
#include "Core/Solvers/Flow/CompressibleFlow.hpp"
#include "Testing/Rooms.hpp"

#include <cmath>

namespace spanwise::flow::testing {

/// A box of unit length along x, with square cells.
template <int Dim>
FlowOptions<Dim> boxOf(int nx, int others) {
  FlowOptions<Dim> options;
  for (int d = 0; d < Dim; ++d) {
    options.box.end[d] = d == 0 ? nx : others;
    options.lattice.spacing[d] = 1.0 / nx;
  }
  return options;
}

/// Calls visit(level, cell, state) for each leaf of this rank that holds gas.
template <class Space, int Dim, class Visit>
void forLeaves(CompressibleFlow<Space, Dim>& flow, const Visit& visit) {
  const auto& state = flow.state();
  for (int l = 0; l < flow.levels().numLevels(); ++l) {
    HostIntervalSet<Dim> level;
    HostIntervalSet<Dim> leaves;
    HostField<double> values;
    copy(flow.levels().level(l), level);
    copy(flow.leaves(l), leaves);
    copy(state.level(l), values);
    const IntervalSetView<Dim> set = leaves.view();
    for (std::int64_t r = 0; r < set.numRows; ++r) {
      for (std::int64_t i = set.rowOffsets[r]; i < set.rowOffsets[r + 1]; ++i) {
        for (Coordinate x = set.intervals[i].begin; x < set.intervals[i].end; ++x) {
          const Cell<Dim> cell = geometry::cellOf(set.rowKeys[r], x);
          Conserved<double, Dim> here;
          for (int c = 0; c < Component<Dim>::count; ++c) {
            here[static_cast<std::size_t>(c)] = values.view()(level.view().findCell(cell), c);
          }
          visit(l, cell, here);
        }
      }
    }
  }
}

/// The mean of |density - exact(position)| over the gas.
template <class Space, int Dim, class Exact>
double errorOfDensity(CompressibleFlow<Space, Dim>& flow, const Exact& exact) {
  double error = 0.0;
  double volume = 0.0;
  forLeaves<Space, Dim>(flow, [&](int l, const Cell<Dim>& cell, const Conserved<double, Dim>& state) {
    const auto lattice = flow.levels().lattice(l);
    double position[Dim];
    double v = 1.0;
    for (int d = 0; d < Dim; ++d) {
      position[d] = lattice.centre(d, cell.at[d]);
      v *= lattice.spacing[d];
    }
    error += v * std::fabs(state[Component<Dim>::density] - exact(position));
    volume += v;
  });
  return error / volume;
}

template <class Space, int Dim>
void stepTo(CompressibleFlow<Space, Dim>& flow, double time) {
  while (flow.time() < time) {
    flow.step(time);
  }
}

/// G. A. Sod's shock tube (J. Comput. Phys. 27, 1978), with its middle at 0.5.
template <int Dim>
struct SodTube {
  int axis;

  KOKKOS_FUNCTION Primitive<double, Dim> operator()(const double (&position)[Dim]) const {
    return position[axis] < 0.5 ? Primitive<double, Dim>{1.0, {}, 1.0} : Primitive<double, Dim>{0.125, {}, 0.1};
  }
};

/// A hot, dense ball off the centre.
template <int Dim>
struct Blast {
  KOKKOS_FUNCTION Primitive<double, Dim> operator()(const double (&position)[Dim]) const {
    double squares = 0.0;
    for (int d = 0; d < Dim; ++d) {
      squares += (position[d] - 0.4) * (position[d] - 0.4);
    }
    return squares < 0.15 * 0.15 ? Primitive<double, Dim>{2.0, {}, 5.0} : Primitive<double, Dim>{1.0, {}, 1.0};
  }
};

/// The isentropic vortex of C. W. Shu (ICASE 97-65, 1997) that a diagonal stream carries through a periodic square of
/// side 10, at a time after it was in the middle.
struct Vortex {
  double time = 0.0;

  KOKKOS_FUNCTION Primitive<double, 2> operator()(const double (&position)[2]) const {
    constexpr double pi = 3.14159265358979323846;
    constexpr double strength = 5.0;
    double at[2];
    for (int d = 0; d < 2; ++d) {
      const double away = position[d] - 5.0 - time;
      at[d] = away - 10.0 * Kokkos::round(away / 10.0);
    }
    const double squares = at[0] * at[0] + at[1] * at[1];
    const double swirl = strength / (2.0 * pi) * Kokkos::exp(0.5 * (1.0 - squares));
    const double temperature = 1.0 - 0.4 / (2.0 * 1.4) * swirl * swirl;
    const double density = Kokkos::pow(temperature, 1.0 / 0.4);
    return {density, {1.0 - swirl * at[1], 1.0 + swirl * at[0]}, density * temperature};
  }
};

/// A stream of Mach 2 along x to a disc, of density 1.4 and pressure 1: the speed of sound is 1. The upper and lower
/// sides are far enough not to matter.
template <class Space>
struct BowShock {
  int cellsOfRadius; ///< of the root
  FlowOptions<2> options{};
  IntervalSetOn<2, Space> disc{};

  BowShock(int cells, int numLevels) : cellsOfRadius(cells) {
    options.box = {{0, 0}, {4 * cells, 8 * cells}};
    options.lattice.spacing[0] = options.lattice.spacing[1] = 1.0 / cells;
    options.numLevels = numLevels;
    options.inflow = {1.4, {2.0, 0.0}, 1.0};
    options.sides[0] = Side::Inflow;
    options.sides[1] = options.sides[2] = options.sides[3] = Side::Outflow;
    const double finest = static_cast<double>(cells) * (1 << (numLevels - 1));
    makeBall<Space, 2>(Context<Space>(), {{3.0 * finest, 4.0 * finest}, finest}, disc);
  }
};

} // namespace spanwise::flow::testing
