#include "SpanwiseInputCells.h"

#include "SpanwiseBridge.h"
#include "SpanwiseValues.h"

#include "Core/Geometry/Translate.hpp"
#include "Core/Runtime/Context.hpp"

#include <vtkCellData.h>
#include <vtkDataSet.h>

#include <algorithm>

using namespace spanwise::geometry;

namespace spanwise {

namespace {

template <int Dim>
InputCells cellsOf(const Intervals<Dim>& intervals, vtkDataSet* data, InputValues values) {
  RankCells<Dim> cells;
  cells.set = intervals.grid->mirrored();
  if (values != InputValues::None) {
    for (int k = 0; k < data->GetCellData()->GetNumberOfArrays(); ++k) {
      checkLength(data->GetCellData()->GetAbstractArray(k), data->GetNumberOfCells());
    }
    passCellData<Dim>(intervals, data->GetCellData(), cells.values);
    if (values == InputValues::All) {
      bringToHost(cells.values);
    }
  }
  return {std::move(cells), intervals.grid->placement()};
}

InputCells cellsOf(vtkDataSet* data, InputValues values, const Progress& progress) {
  if (numCellsOf(data) == 0) {
    InputCells nothing;
    if (const auto grid = gridOf<2>(data)) {
      nothing.placement = grid->placement();
    } else if (const auto solid = gridOf<3>(data)) {
      nothing.cells = RankCells<3>();
      nothing.placement = solid->placement();
    }
    return nothing;
  }
  return std::visit(
    [&](const auto& intervals) { return cellsOf(intervals, data, values); }, intervalsOf(data, nullptr, progress));
}

bool isEmpty(const InputCells& input) {
  return std::visit([](const auto& cells) { return cells.set.empty(); }, input.cells);
}

std::vector<double> toNumbers(const GridPlacement& placement) {
  std::vector<double> numbers(placement.origin, placement.origin + 3);
  numbers.insert(numbers.end(), placement.spacing, placement.spacing + 3);
  numbers.push_back(placement.level);
  return numbers;
}

GridPlacement fromNumbers(const std::vector<double>& numbers) {
  GridPlacement placement;
  std::copy_n(numbers.begin(), 3, placement.origin);
  std::copy_n(numbers.begin() + 3, 3, placement.spacing);
  placement.level = static_cast<int>(numbers[6]);
  return placement;
}

template <int Dim>
InputCells moved(const RankCells<Dim>& cells, const GridPlacement& from, const GridPlacement& to) {
  RankCells<Dim> result = cells;
  moveToLattice<Dim>(result.set, from, to);
  return {std::move(result), to};
}

} // namespace

template <int Dim>
void moveToLattice(MirroredSet<Dim>& set, const GridPlacement& from, const GridPlacement& placement) {
  const Cell<Dim> shift = shiftBetween<Dim>(placement, from);
  if (!(shift == Cell<Dim>{})) {
    set = set.visit([&]<ComputeSide side>(const SideContext<side>& context, const auto& where) {
      using Space = SpaceOf<side>;
      IntervalSetOn<Dim, Space> shifted;
      translate<Space, Dim>(context, where, shift, shifted);
      return MirroredSet<Dim>::template of<side>(shifted);
    });
  }
}

void sharePlacement(const RankGroup& group, int knowledge, GridPlacement& placement, int& dimension) {
  const std::vector<std::int64_t> all = group.gather(std::vector<std::int64_t>{knowledge});
  std::vector<double> numbers = toNumbers(placement);
  numbers.push_back(dimension);
  group.broadcast(numbers, static_cast<int>(std::max_element(all.begin(), all.end()) - all.begin()));
  placement = fromNumbers(numbers);
  dimension = static_cast<int>(numbers.back());
}

InputCells readCells(const RankGroup& group, vtkDataSet* data, InputValues values, const Progress& progress) {
  InputCells input;
  group.agree([&] { input = cellsOf(data, values, progress); });
  if (group.alone()) {
    return input;
  }
  const bool carriesGrid = gridOf<2>(data) != nullptr || gridOf<3>(data) != nullptr;
  GridPlacement placement = input.placement;
  int dimension = input.dimension();
  sharePlacement(group, isEmpty(input) ? static_cast<int>(carriesGrid) : 2, placement, dimension);
  group.agree([&] {
    if (isEmpty(input)) {
      InputCells nothing;
      if (dimension == 3) {
        nothing.cells = RankCells<3>();
      }
      nothing.placement = placement;
      input = nothing;
    } else if (input.dimension() != dimension) {
      throw InvalidArgument("the input is " + std::to_string(dimension) + "D on other ranks and " +
        std::to_string(input.dimension()) + "D here; it must be the same on all");
    } else {
      input = std::visit([&](const auto& cells) { return moved(cells, input.placement, placement); }, input.cells);
    }
  });
  std::visit([&](auto& cells) { unifyArrays(group, cells); }, input.cells);
  return input;
}

#define SPANWISE_INPUT_CELLS(Dim)                                                                                      \
  template void moveToLattice<Dim>(MirroredSet<Dim>&, const GridPlacement&, const GridPlacement&);
SPANWISE_INPUT_CELLS(2)
SPANWISE_INPUT_CELLS(3)

} // namespace spanwise
