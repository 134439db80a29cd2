#pragma once

#include "Core/Runtime/FieldView.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace spanwise::multilevel {

/// What lies between a ghost cell and the domain, along one axis.
struct BoundaryFace {
  int axis = 0;          ///< that the boundary is normal to
  bool upper = false;    ///< whether the ghost cell is above the domain along it
  bool obstacle = false; ///< whether it is in an obstacle; otherwise it is beyond a side of the domain's box

  /// The number of the side, 2 axis for lower ones and 2 axis + 1 for upper ones.
  [[nodiscard]] KOKKOS_FUNCTION constexpr int side() const { return 2 * axis + (upper ? 1 : 0); }
};

/// Where a ghost cell outside of the domain gets its state from: numbers of cells in the extended set, and for each
/// axis, as bits, whether the domain's boundary is crossed along it.
struct OutsideCell {
  std::int64_t nearest;
  std::int64_t image;
  std::uint8_t below;    ///< the ghost cell is below the domain along these axes
  std::uint8_t above;    ///< and above it along these
  std::uint8_t obstacle; ///< in an obstacle along these
};

/// The state of a ghost cell outside of the domain, which a boundary functor writes: all components of a field.
template <class T>
class GhostState {
public:
  KOKKOS_FUNCTION GhostState(const FieldView<T>& field, std::int64_t cell, const OutsideCell& from)
    : ghost_(field.piece(cell)), nearest_(field.piece(from.nearest)), cell_(cell), numComponents_(field.numComponents) {
    const FieldPiece<T> image = field.piece(from.image);
    for (int c = 0; c < numComponents_; ++c) {
      (*this)(c) = image.values[c * image.componentStride];
    }
  }

  /// Component c. At first what a mirror at the boundary shows: the ghost cell that is k cells out has what the cell k
  /// cells inside has.
  [[nodiscard]] KOKKOS_FUNCTION T& operator()(int c) const { return ghost_.values[c * ghost_.componentStride]; }
  /// What the nearest cell of the domain has.
  [[nodiscard]] KOKKOS_FUNCTION T nearest(int c) const { return nearest_.values[c * nearest_.componentStride]; }
  [[nodiscard]] KOKKOS_FUNCTION int numComponents() const { return numComponents_; }
  /// The ghost cell's number in the extended set.
  [[nodiscard]] KOKKOS_FUNCTION std::int64_t cell() const { return cell_; }

private:
  FieldPiece<T> ghost_;
  FieldPiece<T> nearest_;
  std::int64_t cell_;
  int numComponents_;
};

// Boundary functors: void operator()(const GhostState<T>& state, const BoundaryFace& face) const. Others may tell sides
// and obstacles apart.

/// The state that a mirror shows.
struct MirrorState {
  template <class T>
  KOKKOS_FUNCTION void operator()(const GhostState<T>& /*state*/, const BoundaryFace& /*face*/) const {}
};

/// The state of the nearest cell: a zero gradient, as at an outflow.
struct NearestState {
  template <class T>
  KOKKOS_FUNCTION void operator()(const GhostState<T>& state, const BoundaryFace& /*face*/) const {
    for (int c = 0; c < state.numComponents(); ++c) {
      state(c) = state.nearest(c);
    }
  }
};

/// One value in all components.
template <class T>
struct ValueState {
  T value;

  KOKKOS_FUNCTION void operator()(const GhostState<T>& state, const BoundaryFace& /*face*/) const {
    for (int c = 0; c < state.numComponents(); ++c) {
      state(c) = value;
    }
  }
};

/// What a mirror shows, with the component of a vector that is normal to the boundary turned round: a wall along which
/// a fluid slips. The vector's components begin at `firstComponent`.
struct SlipWall {
  int firstComponent = 0;

  template <class T>
  KOKKOS_FUNCTION void operator()(const GhostState<T>& state, const BoundaryFace& face) const {
    T& normal = state(firstComponent + face.axis);
    normal = -normal;
  }
};

} // namespace spanwise::multilevel
