#ifndef SpanwiseLattices_h
#define SpanwiseLattices_h

// How two lattices lie to each other. Internal to this library.

#include "SpanwiseIntervalGrid.h"

#include <array>
#include <string>

namespace spanwise {

/// Names of the axes, for messages.
inline constexpr std::array<char, 3> axisNames{'x', 'y', 'z'};

/// The shift of shiftBetween(), or why there is none.
template <int Dim>
struct LatticeShift {
  geometry::Cell<Dim> cells{};
  std::string problem; ///< empty if there is a shift
};

template <int Dim>
LatticeShift<Dim> latticeShift(const GridPlacement& a, const GridPlacement& b);

} // namespace spanwise

#endif
