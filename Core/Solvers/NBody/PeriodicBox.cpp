#include "Core/Solvers/NBody/PeriodicBox.hpp"

#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace spanwise::nbody {

namespace {

std::string inShort(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.9g", number);
  return text;
}

std::string listed(const std::array<double, 3>& numbers, int count) {
  std::string text = inShort(numbers[0]);
  for (int axis = 1; axis < count; ++axis) {
    text += (axis + 1 < count ? ", " : " and ") + inShort(numbers[axis]);
  }
  return text;
}

} // namespace

void checkBox(const PeriodicBox& box, int dimension) {
  for (int axis = 0; axis < dimension; ++axis) {
    if (!std::isfinite(box.low[axis])) {
      throw InvalidArgument(
        "the corner of the periodic box is at " + listed(box.low, dimension) + "; it must be finite");
    }
    if (!(box.edges[axis] > 0.0) || !std::isfinite(box.edges[axis])) {
      throw InvalidArgument(
        "the edges of the periodic box are " + listed(box.edges, dimension) + "; they must be finite and positive");
    }
  }
  const auto [shortest, longest] = std::minmax_element(box.edges.begin(), box.edges.begin() + dimension);
  if (*longest > mostElongated * *shortest) {
    throw InvalidArgument("the edges of the periodic box are " + listed(box.edges, dimension) +
      "; the longest may be " + inShort(mostElongated) + " times the shortest");
  }
}

bool isCube(const PeriodicBox& box, int dimension) {
  constexpr double rounding = 1e-12; // of bounds that are far from the origin
  return std::all_of(box.edges.begin(), box.edges.begin() + dimension,
    [&](double edge) { return std::abs(edge - box.edges[0]) <= rounding * box.edges[0]; });
}

void checkIsCube(const PeriodicBox& box, int dimension) {
  if (!isCube(box, dimension)) {
    throw InvalidArgument("the edges of the periodic box are " + listed(box.edges, dimension) +
      "; multipoles are for edges of the same length, other boxes for direct (Ewald) sums");
  }
}

void checkNeutral(const PeriodicBox& box, double sum, double sumOfMagnitudes) {
  if (!(std::abs(sum) <= box.neutralTo * sumOfMagnitudes)) {
    throw InvalidArgument("the total charge in the periodic box is " + inShort(sum) + " of " +
      inShort(sumOfMagnitudes) + " in magnitude; sums of this interaction converge only if it is 0 (to " +
      inShort(box.neutralTo) + " of the magnitudes)");
  }
}

} // namespace spanwise::nbody
