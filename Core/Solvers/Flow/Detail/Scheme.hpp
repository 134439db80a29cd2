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
  const Primitive<T, Dim> from = onFace<Slope, 1>(below, lower, upper);
  const Primitive<T, Dim> to = onFace<Slope, -1>(lower, upper, above);
  return Riemann::template through<axis>(gas, from, to, gas.soundSpeeds(from, to));
}

// A cell whose density is 0 is solid, and a face between it and the gas is a wall: the gas sees its mirror image there,
// a different one through each face. That a mirror image is one of a face, and not a state of the solid cell, is what
// keeps mass at the corners of stairs.

template <class T, int Dim>
struct SeenCell {
  Primitive<T, Dim> state;
  T sound;
  bool isSolid;
};

template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION SeenCell<T, Dim> seen(const IdealGas<T>& gas, const Conserved<T, Dim>& values) {
  const Primitive<T, Dim> state = gas.template primitive<Dim>(values);
  return {state, gas.soundSpeed(state), values[Component<Dim>::density] == T(0)};
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

/// What flows through the upper faces of a cell, one axis after the other. Each face is computed once: half the work of
/// a kernel that computes all fluxes of a cell.
template <int Dim, class T, class Riemann, class Slope>
struct FaceFluxes {
  static constexpr int count = Component<Dim>::count;
  using Pattern = field::StarPattern<Dim, Slope::width>;
  using Point = field::StencilPoint<Pattern, T, count>;
  using Output = field::StencilOutput<T, Dim * count>;

  IdealGas<T> gas;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Point& p, const Output& out) const {
    write(p, out, std::make_integer_sequence<int, Dim>());
  }

  template <int axis>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Conserved<T, Dim> through(const Point& p) const {
    Conserved<T, Dim> values;
    for (std::size_t c = 0; c < count; ++c) {
      values[c] = p.centre(static_cast<int>(c));
    }
    const SeenCell<T, Dim> here = seen<T, Dim>(gas, values);
    const SeenCell<T, Dim> next = at(p, Pattern::index(axis, 1, true));
    const Primitive<T, Dim> lower = orMirrored<axis>(here.isSolid, here.state, next.state);
    const Primitive<T, Dim> upper = orMirrored<axis>(next.isSolid, next.state, here.state);
    if constexpr (Slope::width > 1) {
      // Behind a wall is what the mirror shows of the cell on the other side.
      const SeenCell<T, Dim> farBelow = at(p, Pattern::index(axis, 1, false));
      const SeenCell<T, Dim> farAbove = at(p, Pattern::index(axis, 2, true));
      const Primitive<T, Dim> behindLower = orMirrored<axis>(farBelow.isSolid, farBelow.state, lower);
      const Primitive<T, Dim> behindUpper = orMirrored<axis>(farAbove.isSolid, farAbove.state, upper);
      const Primitive<T, Dim> below = orMirrored<axis>(here.isSolid, behindLower, behindUpper);
      const Primitive<T, Dim> above = orMirrored<axis>(next.isSolid, behindUpper, behindLower);
      return fluxBetween<Riemann, Slope, axis>(gas, below, lower, upper, above);
    } else {
      const T soundBelow = select(here.isSolid, next.sound, here.sound);
      const T soundAbove = select(next.isSolid, here.sound, next.sound);
      return Riemann::template through<axis>(gas, lower, upper, {soundBelow, soundAbove});
    }
  }

private:
  template <int... axis>
  KOKKOS_FORCEINLINE_FUNCTION void write(
    const Point& p, const Output& out, std::integer_sequence<int, axis...> /*all*/) const {
    (writeAlong<axis>(p, out), ...);
  }
  template <int axis>
  KOKKOS_FORCEINLINE_FUNCTION void writeAlong(const Point& p, const Output& out) const {
    const Conserved<T, Dim> flux = through<axis>(p);
    for (int c = 0; c < count; ++c) {
      out(axis * count + c) = flux[static_cast<std::size_t>(c)];
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

// What FaceFluxes has written, for faces where levels meet.

template <int Dim, class T>
struct ReadFlux {
  FieldView<const T> fluxes;

  KOKKOS_FUNCTION Conserved<T, Dim> operator()(const multilevel::FluxFace& face) const {
    Conserved<T, Dim> flux;
    for (int c = 0; c < Component<Dim>::count; ++c) {
      flux[static_cast<std::size_t>(c)] = fluxes(face.lower, face.axis * Component<Dim>::count + c);
    }
    return flux;
  }
};

template <int Dim, class T>
struct ReplaceFlux {
  FieldView<T> fluxes;

  KOKKOS_FUNCTION void operator()(const multilevel::FluxFace& face, const Conserved<T, Dim>& flux) const {
    for (int c = 0; c < Component<Dim>::count; ++c) {
      fluxes(face.lower, face.axis * Component<Dim>::count + c) = flux[static_cast<std::size_t>(c)];
    }
  }
};

/// A stage of a step (C. W. Shu, S. Osher, J. Comput. Phys. 77, 1988), from fluxes: the output becomes `kept` times
/// what it is, and (1 - kept) times the state after a step of forward Euler.
template <int Dim, class T>
struct Stage {
  static constexpr int count = Component<Dim>::count;
  using Pattern = field::LowerFacePattern<Dim>;
  using Point = field::StencilPoint<Pattern, T, Dim * count>;

  const T* state;              ///< in columns
  std::int64_t stride;         ///< from one of its components to the next
  Kokkos::Array<T, Dim> ratio; ///< time step / size of a cell
  T kept;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Point& p, const field::StencilOutput<T, count>& out) const {
    for (int c = 0; c < count; ++c) {
      T after = state[c * stride + p.cell()];
      for (int d = 0; d < Dim; ++d) {
        after += ratio[static_cast<std::size_t>(d)] * (p.neighbour(d, d * count + c) - p.centre(d * count + c));
      }
      T& value = out(c);
      value = kept * value + (T(1) - kept) * after;
    }
  }
};

} // namespace spanwise::flow::detail
