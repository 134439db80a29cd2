#ifndef SpanwiseFlowDirections_h
#define SpanwiseFlowDirections_h

// Along a stream and across it. Not wrapped and not installed.

#include <array>
#include <cmath>
#include <cstddef>

namespace spanwise {

/// Across the stream, towards y; towards x where the stream goes along y.
inline std::array<double, 3> upFrom(const std::array<double, 3>& stream) {
  std::array<double, 3> up{0.0, 1.0, 0.0};
  if (std::abs(stream[1]) > 0.999) {
    up = {1.0, 0.0, 0.0};
  }
  double along = 0.0;
  for (std::size_t d = 0; d < 3; ++d) {
    along += up[d] * stream[d];
  }
  double squares = 0.0;
  for (std::size_t d = 0; d < 3; ++d) {
    up[d] -= along * stream[d];
    squares += up[d] * up[d];
  }
  for (double& component : up) {
    component /= std::sqrt(squares);
  }
  return up;
}

/// The component of a force.
template <int Dim>
double dot(const double (&force)[Dim], const std::array<double, 3>& direction) {
  double sum = 0.0;
  for (int d = 0; d < Dim; ++d) {
    sum += force[d] * direction[static_cast<std::size_t>(d)];
  }
  return sum;
}

} // namespace spanwise

#endif
