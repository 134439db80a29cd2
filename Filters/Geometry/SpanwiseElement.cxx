#include "SpanwiseElement.h"

#include "SpanwiseAboutInput.h"
#include "SpanwiseBridge.h"
#include "SpanwiseInputCells.h"

#include "Core/Geometry/Copy.hpp"
#include "Core/Geometry/Translate.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkDataSet.h>

#include <algorithm>
#include <cmath>
#include <format>
#include <vector>

namespace spanwise {

namespace {

constexpr double slack = 1e-6;      // of a cell: a radius of 0.3 is three cells of 0.1
constexpr double largest = 30000.0; // of a diamond that is a sum of a few crosses

void checkRadius(double cells, double most) {
  if (!(cells >= 0.0 && cells <= most)) {
    throw InvalidArgument(std::format("the radius is {:.10g} cells; it must be from 0 to {:.10g}", cells, most));
  }
}

bool cubes(const RadiusUnit& unit, int dimension) {
  return std::all_of(unit.cell, unit.cell + dimension, [&](double side) { return side == unit.cell[0]; });
}

/// The cells of all rows (y, z), each from -half to half, where half(y, z) is not negative.
template <int Dim, class Half>
StructuringElement<Dim> symmetricElement(const double reach[3], const Half& half) {
  std::vector<RowKey<Dim>> keys;
  std::vector<std::int64_t> offsets{0};
  std::vector<Interval> intervals;
  const auto mostY = static_cast<Coordinate>(reach[1]);
  const auto mostZ = static_cast<Coordinate>(Dim == 3 ? reach[2] : 0.0);
  for (Coordinate z = -mostZ; z <= mostZ; ++z) {
    for (Coordinate y = -mostY; y <= mostY; ++y) {
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

/// The radius in cells along each axis, of `most` at most.
template <int Dim>
void reachOf(double radius, const RadiusUnit& unit, double most, double reach[3]) {
  for (int d = 0; d < Dim; ++d) {
    reach[d] = radius / unit.cell[d] + (radius >= 0.0 ? slack : 0.0);
    checkRadius(reach[d], most + slack);
  }
}

/// The intervals of all ranks, which hold slabs in their order.
template <int Dim>
HostIntervalSet<Dim> gathered(const Team& team, const HostIntervalSet<Dim>& set) {
  if (team.alone()) {
    return set;
  }
  const IntervalSetView<Dim> view = set.view();
  std::vector<std::int64_t> mine;
  for (std::int64_t r = 0; r < view.numRows; ++r) {
    for (std::int64_t i = view.rowOffsets[r]; i < view.rowOffsets[r + 1]; ++i) {
      mine.insert(
        mine.end(), {view.rowKeys[r].y, view.rowKeys[r].zOr0(), view.intervals[i].begin, view.intervals[i].end});
    }
  }
  const std::vector<std::int64_t> all = team.gather(mine);
  std::vector<RowKey<Dim>> keys;
  std::vector<std::int64_t> offsets;
  std::vector<Interval> intervals;
  for (std::size_t k = 0; k < all.size(); k += 4) {
    const auto key = RowKey<Dim>::fromYZ(static_cast<Coordinate>(all[k]), static_cast<Coordinate>(all[k + 1]));
    if (keys.empty() || !(keys.back() == key)) {
      keys.push_back(key);
      offsets.push_back(static_cast<std::int64_t>(intervals.size()));
    }
    intervals.push_back({static_cast<Coordinate>(all[k + 2]), static_cast<Coordinate>(all[k + 3])});
  }
  offsets.push_back(static_cast<std::int64_t>(intervals.size()));
  return fromArrays<Dim>(keys, offsets, intervals);
}

/// The set moved so that the cell with a point becomes the origin.
template <int Dim>
HostIntervalSet<Dim> aroundOrigin(
  const HostIntervalSet<Dim>& set, const double origin[3], const GridPlacement& placement) {
  Cell<Dim> move;
  for (int d = 0; d < Dim; ++d) {
    const double at = std::floor((origin[d] - placement.origin[d]) / placement.spacing[d]);
    if (!(at > minCoordinate && at <= maxRowKey)) {
      throw InvalidArgument(std::format(
        "the element's origin is {} along axis {}; it must lie where cells have coordinates", origin[d], d));
    }
    move.at[d] = -static_cast<Coordinate>(at);
  }
  HostIntervalSet<Dim> moved;
  translate<HostExecutionSpace, Dim>(HostExecutionSpace(), set, move, moved);
  return moved;
}

} // namespace

template <int Dim>
StructuringElement<Dim> boxOf(const double radii[3], const RadiusUnit& unit) {
  Cell<Dim> cells;
  for (int d = 0; d < Dim; ++d) {
    const double along = radii[d] / unit.cell[d] + (radii[d] >= 0.0 ? slack : 0.0);
    checkRadius(along, maxRowKey);
    cells.at[d] = static_cast<Coordinate>(along);
  }
  return StructuringElement<Dim>::box(cells);
}

template <int Dim>
StructuringElement<Dim> diamondOf(double radius, const RadiusUnit& unit) {
  double reach[3];
  const bool isSum = cubes(unit, Dim);
  reachOf<Dim>(radius, unit, isSum ? largest : StructuringElement<Dim>::mostBallRadius, reach);
  if (isSum) {
    return StructuringElement<Dim>::diamond(static_cast<Coordinate>(reach[0]));
  }
  return symmetricElement<Dim>(reach, [&](Coordinate y, Coordinate z) {
    const double used = std::abs(y) * unit.cell[1] + (Dim == 3 ? std::abs(z) * unit.cell[2] : 0.0);
    return (radius - used) / unit.cell[0] + slack;
  });
}

template <int Dim>
StructuringElement<Dim> ballOf(double radius, const RadiusUnit& unit) {
  constexpr double most = StructuringElement<Dim>::mostBallRadius;
  double reach[3];
  reachOf<Dim>(radius, unit, most, reach);
  if (cubes(unit, Dim)) {
    return StructuringElement<Dim>::ball(std::min(reach[0], most));
  }
  return symmetricElement<Dim>(reach, [&](Coordinate y, Coordinate z) {
    const double alongY = y * unit.cell[1];
    const double alongZ = Dim == 3 ? z * unit.cell[2] : 0.0;
    const double reached = radius + slack * unit.cell[0];
    const double left = reached * reached - alongY * alongY - alongZ * alongZ;
    return left < 0.0 ? -1.0 : std::sqrt(left) / unit.cell[0];
  });
}

template <int Dim>
StructuringElement<Dim> elementOf(
  const Team& team, vtkDataSet* data, const double origin[3], const GridPlacement& placement) {
  InputCells input =
    aboutInput("second input (Element Cells)", [&] { return readCells(team, data, InputValues::None); });
  const bool any = team.maximum(std::visit([](const auto& cells) { return cells.set.numCells(); }, input.cells)) > 0;
  team.agree([&] {
    if (!any) {
      StructuringElement<Dim>::of({}); // says so; an input without cells has any dimension and spacing
    }
    if (input.dimension() != Dim) {
      throw InvalidArgument(
        std::format("the element is {}D and the input {}D; they must have the same dimension", input.dimension(), Dim));
    }
    GridPlacement there = input.placement;
    std::copy_n(placement.origin, 3, there.origin); // it may lie anywhere
    shiftBetween<Dim>(placement, there);
  });
  auto& cells = std::get<RankCells<Dim>>(input.cells);
  if (!team.alone()) {
    distribute(team, cells);
  }
  const HostIntervalSet<Dim> all = gathered<Dim>(team, cells.set);
  StructuringElement<Dim> element;
  team.agree([&] { element = StructuringElement<Dim>::of(aroundOrigin<Dim>(all, origin, input.placement)); });
  return element;
}

#define SPANWISE_ELEMENT(Dim)                                                                                          \
  template StructuringElement<Dim> boxOf<Dim>(const double[3], const RadiusUnit&);                                     \
  template StructuringElement<Dim> diamondOf<Dim>(double, const RadiusUnit&);                                          \
  template StructuringElement<Dim> ballOf<Dim>(double, const RadiusUnit&);                                             \
  template StructuringElement<Dim> elementOf<Dim>(const Team&, vtkDataSet*, const double[3], const GridPlacement&);
SPANWISE_ELEMENT(2)
SPANWISE_ELEMENT(3)

} // namespace spanwise
