#include "Core/Geometry/ScaledElement.hpp"

#include "Core/Geometry/Copy.hpp"
#include "Core/Runtime/Error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <format>
#include <vector>

namespace spanwise::geometry {

namespace {

constexpr double slack = 1e-6;               // of a cell
constexpr double maxDiamondRadius = 30000.0; // of a diamond that is a sum of a few crosses

/// A radius in cells of this side, and a slack. Throws if it is not from 0 to `most`, but for the slack.
double inCells(double radius, double side, double most) {
  const double cells = radius / side;
  if (!(cells >= 0.0 && cells <= most + slack)) { // ten digits: what stands behind them is of the division
    throw InvalidArgument(std::format("the radius is {:.10g} cells; it must be from 0 to {:.10g}", cells, most));
  }
  return cells + slack;
}

/// The radius in cells along each axis, of `most` at most.
template <int Dim>
Lengths<Dim> reachOf(double radius, const Lengths<Dim>& cell, double most) {
  Lengths<Dim> reach{};
  for (int d = 0; d < Dim; ++d) {
    reach.along[d] = inCells(radius, cell.along[d], most);
  }
  return reach;
}

template <int Dim>
bool areCubes(const Lengths<Dim>& cell) {
  return std::all_of(cell.along, cell.along + Dim, [&](double side) { return side == cell.along[0]; });
}

/// The cells of all rows (y, z) within reach, each from -half to half, where half(y, z) is not negative.
template <int Dim, class Half>
StructuringElement<Dim> symmetricElement(const Lengths<Dim>& reach, const Half& half) {
  std::vector<RowKey<Dim>> keys;
  std::vector<std::int64_t> offsets{0};
  std::vector<Interval> intervals;
  const auto maxY = static_cast<Coordinate>(reach.along[1]);
  const auto maxZ = static_cast<Coordinate>(Dim == 3 ? reach.along[Dim - 1] : 0.0);
  for (Coordinate z = -maxZ; z <= maxZ; ++z) {
    for (Coordinate y = -maxY; y <= maxY; ++y) {
      const double cells = half(y, z);
      if (cells >= 0.0) {
        const auto whole = static_cast<Coordinate>(cells);
        keys.push_back(RowKey<Dim>::fromYZ(y, z));
        intervals.push_back({-whole, whole + 1});
        offsets.push_back(static_cast<std::int64_t>(intervals.size()));
      }
    }
  }
  return StructuringElement<Dim>::of(fromArrays<Dim>(keys, offsets, intervals));
}

} // namespace

template <int Dim>
StructuringElement<Dim> scaledBox(const Lengths<Dim>& radii, const Lengths<Dim>& cell) {
  Cell<Dim> cells;
  for (int d = 0; d < Dim; ++d) {
    cells.at[d] = static_cast<Coordinate>(inCells(radii.along[d], cell.along[d], maxRowKey));
  }
  return StructuringElement<Dim>::box(cells);
}

template <int Dim>
StructuringElement<Dim> scaledDiamond(double radius, const Lengths<Dim>& cell) {
  if (areCubes(cell)) {
    return StructuringElement<Dim>::diamond(static_cast<Coordinate>(reachOf(radius, cell, maxDiamondRadius).along[0]));
  }
  const Lengths<Dim> reach = reachOf<Dim>(radius, cell, StructuringElement<Dim>::maxBallRadius);
  return symmetricElement<Dim>(reach, [&](Coordinate y, Coordinate z) {
    const double used = std::abs(y) * cell.along[1] + (Dim == 3 ? std::abs(z) * cell.along[Dim - 1] : 0.0);
    return (radius - used) / cell.along[0] + slack;
  });
}

template <int Dim>
StructuringElement<Dim> scaledBall(double radius, const Lengths<Dim>& cell) {
  constexpr double most = StructuringElement<Dim>::maxBallRadius;
  const Lengths<Dim> reach = reachOf(radius, cell, most);
  if (areCubes(cell)) {
    return StructuringElement<Dim>::ball(std::min(reach.along[0], most));
  }
  return symmetricElement<Dim>(reach, [&](Coordinate y, Coordinate z) {
    const double alongY = y * cell.along[1];
    const double alongZ = Dim == 3 ? z * cell.along[Dim - 1] : 0.0;
    const double reached = radius + slack * cell.along[0];
    const double left = reached * reached - alongY * alongY - alongZ * alongZ;
    return left < 0.0 ? -1.0 : std::sqrt(left) / cell.along[0];
  });
}

#define SPANWISE_SCALED_ELEMENT(Dim)                                                                                   \
  template StructuringElement<Dim> scaledBox<Dim>(const Lengths<Dim>&, const Lengths<Dim>&);                           \
  template StructuringElement<Dim> scaledDiamond<Dim>(double, const Lengths<Dim>&);                                    \
  template StructuringElement<Dim> scaledBall<Dim>(double, const Lengths<Dim>&);
SPANWISE_SCALED_ELEMENT(2)
SPANWISE_SCALED_ELEMENT(3)

} // namespace spanwise::geometry
