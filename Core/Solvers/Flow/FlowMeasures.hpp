#pragma once

namespace spanwise::flow {

/// The components of what CompressibleFlow::measures() tells of a cell, and how many there are.
template <int Dim>
struct Measure {
  static constexpr int mach = 0;       ///< speed over speed of sound
  static constexpr int schlieren = 1;  ///< length of the density's gradient
  static constexpr int qCriterion = 2; ///< (|rotation|^2 - |strain|^2) / 2: positive in vortices
  static constexpr int vorticity = 3;  ///< of the velocity; in 3D a vector
  static constexpr int count = Dim == 2 ? 4 : 6;
};

} // namespace spanwise::flow
