#pragma once

namespace spanwise::geometry {

/// Which values are in a set: lower <= value <= upper. NaN never is. Bounds may be infinite.
struct ValueRange {
  double lower;
  double upper;
};

} // namespace spanwise::geometry
