#pragma once

#include "Core/Geometry/BoxCells.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/FieldView.hpp"
#include "Core/Solvers/Flow/Detail/Scheme.hpp"

#include <cstdint>
#include <utility>

namespace spanwise::flow::detail {

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
