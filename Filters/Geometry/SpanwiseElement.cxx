#include "SpanwiseElement.h"

#include "SpanwiseAboutInput.h"
#include "SpanwiseBridge.h"
#include "SpanwiseInputCells.h"

#include "Core/Geometry/Copy.hpp"
#include "Core/Geometry/Translate.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

#include <vtkDataSet.h>

#include <algorithm>
#include <cmath>
#include <format>
#include <vector>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

/// The intervals of all ranks, which hold slabs in their order.
template <int Dim>
HostIntervalSet<Dim> gathered(const RankGroup& group, const HostIntervalSet<Dim>& set) {
  if (group.alone()) {
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
  const std::vector<std::int64_t> all = group.gather(mine);
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
  translate<HostExecutionSpace, Dim>(Context<HostExecutionSpace>(), set, move, moved);
  return moved;
}

} // namespace

template <int Dim>
StructuringElement<Dim> elementOf(
  const RankGroup& group, vtkDataSet* data, const double origin[3], const GridPlacement& placement) {
  InputCells input =
    aboutInput("second input (Element Cells)", [&] { return readCells(group, data, InputValues::None); });
  const bool any = group.maximum(std::visit([](const auto& cells) { return cells.set.numCells(); }, input.cells)) > 0;
  group.agree([&] {
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
  if (!group.alone()) {
    distribute(group, cells);
  }
  const HostIntervalSet<Dim> all = gathered<Dim>(group, cells.set.host());
  StructuringElement<Dim> element;
  group.agree([&] { element = StructuringElement<Dim>::of(aroundOrigin<Dim>(all, origin, input.placement)); });
  return element;
}

template StructuringElement<2> elementOf<2>(const RankGroup&, vtkDataSet*, const double[3], const GridPlacement&);
template StructuringElement<3> elementOf<3>(const RankGroup&, vtkDataSet*, const double[3], const GridPlacement&);

} // namespace spanwise
