#pragma once

#include "Core/Field/Stencil.hpp"
#include "Core/Multilevel/FluxFace.hpp"
#include "Core/Runtime/FieldView.hpp"
#include "Core/Solvers/Flow/IdealGas.hpp"
#include "Core/Solvers/Flow/Reconstruction.hpp"
#include "Core/Solvers/Flow/RiemannFlux.hpp"

#include <cstdint>
#include <utility>

namespace spanwise::flow::detail {

/// The flux through the face between `lower` and `upper`; `below` and `above` are the next cells along the axis.
template <class Riemann, class Slope, int axis, class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION Conserved<T, Dim> fluxBetween(const IdealGas<T>& gas, const Primitive<T, Dim>& below,
  const Primitive<T, Dim>& lower, const Primitive<T, Dim>& upper, const Primitive<T, Dim>& above) {
  return Riemann::template through<axis>(
    gas, onFace<Slope>(below, lower, upper, T(1)), onFace<Slope>(lower, upper, above, T(-1)));
}

// A cell whose density is 0 is solid, and a face between it and the gas is a wall: the gas sees its mirror image there,
// a different one through each face. That a mirror image is one of a face, and not a state of the solid cell, is what
// keeps mass at the corners of stairs.

template <class T, int Dim>
struct SeenCell {
  Primitive<T, Dim> state;
  bool isSolid;
};

template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION SeenCell<T, Dim> seen(const IdealGas<T>& gas, const Conserved<T, Dim>& values) {
  return {gas.template primitive<Dim>(values), values[Component<Dim>::density] == T(0)};
}

/// The state of a cell or, where that is solid, the mirror image of another one at a face normal to `axis`.
template <int axis, class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION Primitive<T, Dim> orMirrored(
  bool isSolid, const Primitive<T, Dim>& cell, const Primitive<T, Dim>& image) {
  Primitive<T, Dim> result;
  result.density = select(isSolid, image.density, cell.density);
  for (int d = 0; d < Dim; ++d) {
    result.velocity[d] = select(isSolid, d == axis ? -image.velocity[d] : image.velocity[d], cell.velocity[d]);
  }
  result.pressure = select(isSolid, image.pressure, cell.pressure);
  return result;
}

/// What flows through a face, for flux registers: nothing between solid cells.
template <int Dim, class T, class Riemann, class Slope>
struct FaceFlux {
  IdealGas<T> gas;
  FieldView<const T> state;

  KOKKOS_FUNCTION Conserved<T, Dim> operator()(const multilevel::FluxFace& face) const {
    return face.axis == 0 ? along<0>(face) : face.axis == 1 ? along<1>(face) : along<Dim - 1>(face);
  }

private:
  template <int axis>
  [[nodiscard]] KOKKOS_FUNCTION Conserved<T, Dim> along(const multilevel::FluxFace& face) const {
    const SeenCell<T, Dim> lower = at(face.lower);
    const SeenCell<T, Dim> upper = at(face.upper);
    if (lower.isSolid || upper.isSolid) {
      return {};
    }
    if constexpr (Slope::width > 1) {
      const SeenCell<T, Dim> below = at(face.below);
      const SeenCell<T, Dim> above = at(face.above);
      return fluxBetween<Riemann, Slope, axis>(gas, orMirrored<axis>(below.isSolid, below.state, lower.state),
        lower.state, upper.state, orMirrored<axis>(above.isSolid, above.state, upper.state));
    } else {
      return Riemann::template through<axis>(gas, lower.state, upper.state);
    }
  }

  [[nodiscard]] KOKKOS_FUNCTION SeenCell<T, Dim> at(std::int64_t cell) const {
    Conserved<T, Dim> values;
    for (std::size_t c = 0; c < Component<Dim>::count; ++c) {
      values[c] = state(cell, static_cast<int>(c));
    }
    return seen<T, Dim>(gas, values);
  }
};

/// A stage of a step (C. W. Shu, S. Osher, J. Comput. Phys. 77, 1988): the output becomes `kept` times what it is, and
/// (1 - kept) times the state after a step of forward Euler.
template <int Dim, class T, class Riemann, class Slope>
struct Stage {
  static constexpr int count = Component<Dim>::count;
  using Pattern = field::StarPattern<Dim, Slope::width>;
  using Point = field::StencilPoint<Pattern, T, count>;

  IdealGas<T> gas;
  Kokkos::Array<T, Dim> ratio; ///< time step / size of a cell
  T kept;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Point& p, const field::StencilOutput<T, count>& out) const {
    Conserved<T, Dim> state;
    for (std::size_t c = 0; c < count; ++c) {
      state[c] = p.centre(static_cast<int>(c));
    }
    const Primitive<T, Dim> here = gas.template primitive<Dim>(state);
    addFluxes(p, here, state, std::make_integer_sequence<int, Dim>());
    for (std::size_t c = 0; c < count; ++c) {
      T& value = out(static_cast<int>(c));
      value = kept * value + (T(1) - kept) * state[c];
    }
  }

private:
  template <int... axis>
  KOKKOS_FORCEINLINE_FUNCTION void addFluxes(const Point& p, const Primitive<T, Dim>& here, Conserved<T, Dim>& state,
    std::integer_sequence<int, axis...> /*all*/) const {
    (addFlux<axis>(p, here, state), ...);
  }

  template <int axis>
  KOKKOS_FORCEINLINE_FUNCTION void addFlux(
    const Point& p, const Primitive<T, Dim>& here, Conserved<T, Dim>& state) const {
    const SeenCell<T, Dim> nextBelow = at(p, Pattern::index(axis, 1, false));
    const SeenCell<T, Dim> nextAbove = at(p, Pattern::index(axis, 1, true));
    const Primitive<T, Dim> lower = orMirrored<axis>(nextBelow.isSolid, nextBelow.state, here);
    const Primitive<T, Dim> upper = orMirrored<axis>(nextAbove.isSolid, nextAbove.state, here);
    Conserved<T, Dim> in;
    Conserved<T, Dim> out;
    if constexpr (Slope::width > 1) {
      // Behind a wall is what the mirror shows of the cell on the other side.
      const SeenCell<T, Dim> farBelow = at(p, Pattern::index(axis, 2, false));
      const SeenCell<T, Dim> farAbove = at(p, Pattern::index(axis, 2, true));
      const Primitive<T, Dim> below =
        orMirrored<axis>(nextBelow.isSolid, orMirrored<axis>(farBelow.isSolid, farBelow.state, lower), upper);
      const Primitive<T, Dim> above =
        orMirrored<axis>(nextAbove.isSolid, orMirrored<axis>(farAbove.isSolid, farAbove.state, upper), lower);
      in = fluxBetween<Riemann, Slope, axis>(gas, below, lower, here, upper);
      out = fluxBetween<Riemann, Slope, axis>(gas, lower, here, upper, above);
    } else {
      in = Riemann::template through<axis>(gas, lower, here);
      out = Riemann::template through<axis>(gas, here, upper);
    }
    for (std::size_t c = 0; c < count; ++c) {
      state[c] += ratio[axis] * (in[c] - out[c]);
    }
  }

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION SeenCell<T, Dim> at(const Point& p, int n) const {
    Conserved<T, Dim> values;
    for (std::size_t c = 0; c < count; ++c) {
      values[c] = p.neighbour(n, static_cast<int>(c));
    }
    return seen<T, Dim>(gas, values);
  }
};

} // namespace spanwise::flow::detail
