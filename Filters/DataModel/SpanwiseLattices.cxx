#include "SpanwiseLattices.h"

#include "Core/Runtime/PointText.hpp"

#include <cmath>
#include <limits>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

constexpr double spacingTolerance = 1e-6; // relative
constexpr double shiftTolerance = 1e-3;   // in cells

} // namespace

template <int Dim>
LatticeShift<Dim> latticeShift(const GridPlacement& a, const GridPlacement& b) {
  LatticeShift<Dim> shift;
  const auto both = [](const double* ofA, const double* ofB, int axis) {
    return std::string(1, axisNames[static_cast<std::size_t>(axis)]) + " are " + numberText(ofA[axis]) + " and " +
      numberText(ofB[axis]);
  };
  for (int d = 0; d < Dim; ++d) {
    if (!(std::abs(b.spacing[d] - a.spacing[d]) <= spacingTolerance * a.spacing[d])) {
      shift.problem =
        "the spacings along " + both(a.spacing, b.spacing, d) + "; they must be equal: make both with one spacing";
      return shift;
    }
    const double cells = (b.origin[d] - a.origin[d]) / a.spacing[d];
    const double whole = std::round(cells);
    if (!(std::abs(cells - whole) <= shiftTolerance)) {
      shift.problem = "the origins along " + both(a.origin, b.origin, d) + ", " + numberText(cells) +
        " cells of size " + numberText(a.spacing[d]) + " apart; they must be a whole number of cells apart";
      return shift;
    }
    if (std::abs(whole) > static_cast<double>(std::numeric_limits<Coordinate>::max())) {
      shift.problem = "the origins along " + both(a.origin, b.origin, d) + ", " + numberText(whole) +
        " cells apart; they must be less than 2^31 cells apart";
      return shift;
    }
    shift.cells.at[d] = static_cast<Coordinate>(whole);
  }
  if (Dim == 2 && !(std::abs(b.origin[2] - a.origin[2]) <= shiftTolerance * std::min(a.spacing[0], a.spacing[1]))) {
    shift.problem = "the planes of the grids at " + both(a.origin, b.origin, 2) + "; they must be the same";
  }
  return shift;
}

template LatticeShift<2> latticeShift<2>(const GridPlacement&, const GridPlacement&);
template LatticeShift<3> latticeShift<3>(const GridPlacement&, const GridPlacement&);

} // namespace spanwise
