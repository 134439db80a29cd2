#ifndef SpanwiseBoxes_h
#define SpanwiseBoxes_h

// Sets of cells as boxes. Internal to this library.

#include "Core/Geometry/IntervalSet.hpp"

#include <vector>

namespace spanwise {

/// Boxes that together have every cell of a set once: equal intervals of neighbouring rows become a rectangle, and
/// equal rectangles of neighbouring planes a box. In the order of their first cells. O(intervals log intervals).
template <int Dim>
std::vector<Box<Dim>> boxesOf(const HostIntervalSet<Dim>& set);

} // namespace spanwise

#endif
