#pragma once

namespace spanwise::flow {

/// The components of what CompressibleFlow::values() tells of a cell, and how many there are.
template <int Dim>
struct FlowValue {
  static constexpr int density = 0;
  static constexpr int velocity = 1; ///< along x; the other axes follow
  static constexpr int pressure = Dim + 1;
  static constexpr int mach = Dim + 2;       ///< speed over speed of sound
  static constexpr int schlieren = Dim + 3;  ///< length of the density's gradient
  static constexpr int qCriterion = Dim + 4; ///< (|rotation|^2 - |strain|^2) / 2: positive in vortices
  static constexpr int vorticity = Dim + 5;  ///< of the velocity; in 3D a vector
  static constexpr int count = Dim + (Dim == 2 ? 6 : 8);
};

} // namespace spanwise::flow
