#pragma once

#include "Core/Multilevel/Boundary.hpp"
#include "Core/Solvers/Flow/IdealGas.hpp"

#include <cstdint>

namespace spanwise::flow {

/// What a side of the domain is to the gas.
enum class Side : std::uint8_t {
  SlipWall, ///< a wall without friction
  Outflow,  ///< zero gradient: right where the gas leaves faster than sound
  Inflow,   ///< a given state: right where the gas comes in faster than sound
};

/// What is in ghost cells outside of the domain.
template <class T, int Dim>
struct FlowBoundary {
  Side sides[2 * Dim] = {}; ///< lower and upper along x, along y, along z
  Conserved<T, Dim> inflow{};

  KOKKOS_FUNCTION void operator()(const multilevel::GhostState<T>& state, const multilevel::BoundaryFace& face) const {
    const Side side = sides[face.side()];
    if (side == Side::SlipWall) {
      multilevel::SlipWall{Component<Dim>::momentum}(state, face);
    } else if (side == Side::Outflow) {
      multilevel::NearestState()(state, face);
    } else {
      for (std::size_t c = 0; c < Component<Dim>::count; ++c) {
        state(static_cast<int>(c)) = inflow[c];
      }
    }
  }
};

} // namespace spanwise::flow
