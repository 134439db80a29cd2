#pragma once

#include "Core/Field/Stencil.hpp"
#include "Core/Solvers/Flow/Detail/Scheme.hpp"
#include "Core/Solvers/Flow/FlowValues.hpp"

#include <utility>

namespace spanwise::flow::detail {

/// What is told of a cell, from it and its neighbours along each axis. At a wall the gas sees its mirror image.
template <int Dim, class Pattern, class T>
struct CellValues {
  static constexpr int count = Component<Dim>::count;
  using Point = field::StencilPoint<Pattern, T, count>;
  using Output = field::StencilOutput<T, FlowValue<Dim>::count>;

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
    out(FlowValue<Dim>::density) = here.density;
    for (int d = 0; d < Dim; ++d) {
      out(FlowValue<Dim>::velocity + d) = here.velocity[d];
    }
    out(FlowValue<Dim>::pressure) = here.pressure;
    out(FlowValue<Dim>::mach) = Kokkos::sqrt(squares) / gas.soundSpeed(here);
    out(FlowValue<Dim>::schlieren) = Kokkos::sqrt(steepness);
    out(FlowValue<Dim>::qCriterion) = T(-0.5) * product;
    if constexpr (Dim == 2) {
      out(FlowValue<Dim>::vorticity) = slopes.velocity[0][1] - slopes.velocity[1][0];
    } else {
      for (int d = 0; d < 3; ++d) {
        const int a = (d + 1) % 3;
        const int b = (d + 2) % 3;
        out(FlowValue<Dim>::vorticity + d) = slopes.velocity[a][b] - slopes.velocity[b][a];
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

} // namespace spanwise::flow::detail
