#pragma once

#include "Core/Field/Stencil.hpp"
#include "Core/Geometry/BoxCells.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/FieldView.hpp"
#include "Core/Solvers/Flow/Detail/Scheme.hpp"
#include "Core/Solvers/Flow/FlowMeasures.hpp"

#include <cstdint>
#include <utility>

namespace spanwise::flow::detail {

/// Measures at a cell, from it and its neighbours along each axis. At a wall the gas sees its mirror image.
template <int Dim, class Pattern, class T>
struct MeasureCells {
  static constexpr int count = Component<Dim>::count;
  using Point = field::StencilPoint<Pattern, T, count>;
  using Output = field::StencilOutput<T, Measure<Dim>::count>;

  IdealGas<T> gas;
  T half[Dim]; ///< 1 / (2 size of a cell)

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Point& p, const Output& out) const {
    Conserved<T, Dim> values;
    for (std::size_t c = 0; c < count; ++c) {
      values[c] = p.centre(static_cast<int>(c));
    }
    const Primitive<T, Dim> here = gas.template primitive<Dim>(values);
    Slopes slopes;
    find(p, here, slopes, std::make_integer_sequence<int, Dim>());
    T squares = T(0);
    T steepness = T(0);
    T product = T(0); // of the velocity's gradient with its transpose
    for (int d = 0; d < Dim; ++d) {
      squares += here.velocity[d] * here.velocity[d];
      steepness += slopes.density[d] * slopes.density[d];
      for (int e = 0; e < Dim; ++e) {
        product += slopes.velocity[d][e] * slopes.velocity[e][d];
      }
    }
    out(Measure<Dim>::mach) = Kokkos::sqrt(squares) / gas.soundSpeed(here);
    out(Measure<Dim>::schlieren) = Kokkos::sqrt(steepness);
    out(Measure<Dim>::qCriterion) = T(-0.5) * product;
    if constexpr (Dim == 2) {
      out(Measure<Dim>::vorticity) = slopes.velocity[0][1] - slopes.velocity[1][0];
    } else {
      for (int d = 0; d < 3; ++d) {
        const int a = (d + 1) % 3;
        const int b = (d + 2) % 3;
        out(Measure<Dim>::vorticity + d) = slopes.velocity[a][b] - slopes.velocity[b][a];
      }
    }
  }

private:
  struct Slopes {
    T density[Dim];
    T velocity[Dim][Dim]; ///< [axis][component]
  };

  template <int... axis>
  KOKKOS_FORCEINLINE_FUNCTION void find(
    const Point& p, const Primitive<T, Dim>& here, Slopes& slopes, std::integer_sequence<int, axis...> /*all*/) const {
    (findAlong<axis>(p, here, slopes), ...);
  }

  template <int axis>
  KOKKOS_FORCEINLINE_FUNCTION void findAlong(const Point& p, const Primitive<T, Dim>& here, Slopes& slopes) const {
    const Primitive<T, Dim> below = at<axis>(p, Pattern::index(axis, 1, false), here);
    const Primitive<T, Dim> above = at<axis>(p, Pattern::index(axis, 1, true), here);
    slopes.density[axis] = (above.density - below.density) * half[axis];
    for (int d = 0; d < Dim; ++d) {
      slopes.velocity[axis][d] = (above.velocity[d] - below.velocity[d]) * half[axis];
    }
  }

  template <int axis>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Primitive<T, Dim> at(
    const Point& p, int n, const Primitive<T, Dim>& here) const {
    Conserved<T, Dim> values;
    for (std::size_t c = 0; c < count; ++c) {
      values[c] = p.neighbour(n, static_cast<int>(c));
    }
    const SeenCell<T, Dim> cell = seen<T, Dim>(gas, values);
    return orMirrored<axis>(cell.isSolid, cell.state, here);
  }
};

/// A force, for sums.
template <int Dim>
struct ForceSum {
  double along[Dim] = {};

  KOKKOS_FUNCTION ForceSum& operator+=(const ForceSum& other) {
    for (int d = 0; d < Dim; ++d) {
      along[d] += other.along[d];
    }
    return *this;
  }
};

/// Of the cells of an interval: what they push through their walls, the time and the faces' areas apart.
template <int Dim, class Riemann, class Slope>
struct PushWalls {
  using value_type = ForceSum<Dim>;

  IdealGas<double> gas;
  geometry::IntervalSetView<Dim> cells; ///< that may have walls
  geometry::IntervalSetView<Dim> extended;
  FieldView<const double> state;
  double area[Dim]; ///< of faces normal to each axis

  KOKKOS_FUNCTION void operator()(std::int64_t i, ForceSum<Dim>& sum) const {
    const geometry::RowKey<Dim> key = cells.rowKeys[cells.rowOfInterval(i)];
    for (geometry::Coordinate x = cells.intervals[i].begin; x < cells.intervals[i].end; ++x) {
      const geometry::Cell<Dim> cell = geometry::cellOf(key, x);
      const SeenCell<double, Dim> here = at(cell);
      if (!here.isSolid) {
        pushAll(cell, here.state, sum, std::make_integer_sequence<int, Dim>());
      }
    }
  }

private:
  template <int... axis>
  KOKKOS_FUNCTION void pushAll(const geometry::Cell<Dim>& cell, const Primitive<double, Dim>& here, ForceSum<Dim>& sum,
    std::integer_sequence<int, axis...> /*all*/) const {
    (push<axis>(cell, here, sum), ...);
  }

  template <int axis>
  KOKKOS_FUNCTION void push(
    const geometry::Cell<Dim>& cell, const Primitive<double, Dim>& here, ForceSum<Dim>& sum) const {
    const SeenCell<double, Dim> below = at(moved<axis>(cell, -1));
    const SeenCell<double, Dim> above = at(moved<axis>(cell, 1));
    if (!below.isSolid && !above.isSolid) {
      return;
    }
    const Primitive<double, Dim> lower = orMirrored<axis>(below.isSolid, below.state, here);
    const Primitive<double, Dim> upper = orMirrored<axis>(above.isSolid, above.state, here);
    // Behind a wall is what the mirror shows of the cell on the other side.
    if (above.isSolid) {
      const Primitive<double, Dim> image = orMirrored<axis>(true, lower, lower);
      sum.along[axis] += area[axis] * through<axis>(lower, here, upper, image);
    }
    if (below.isSolid) {
      const Primitive<double, Dim> image = orMirrored<axis>(true, upper, upper);
      sum.along[axis] -= area[axis] * through<axis>(image, lower, here, upper);
    }
  }

  template <int axis>
  KOKKOS_FUNCTION double through(const Primitive<double, Dim>& below, const Primitive<double, Dim>& lower,
    const Primitive<double, Dim>& upper, const Primitive<double, Dim>& above) const {
    return fluxBetween<Riemann, Slope, axis>(gas, below, lower, upper, above)[Component<Dim>::along(axis)];
  }

  template <int axis>
  static KOKKOS_FUNCTION geometry::Cell<Dim> moved(geometry::Cell<Dim> cell, geometry::Coordinate by) {
    cell.at[axis] += by;
    return cell;
  }

  [[nodiscard]] KOKKOS_FUNCTION SeenCell<double, Dim> at(const geometry::Cell<Dim>& cell) const {
    const std::int64_t number = extended.findCell(cell);
    Conserved<double, Dim> values{};
    for (int c = 0; number >= 0 && c < Component<Dim>::count; ++c) {
      values[static_cast<std::size_t>(c)] = state(number, c);
    }
    return seen<double, Dim>(gas, values);
  }
};

} // namespace spanwise::flow::detail
