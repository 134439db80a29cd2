#include "Core/Field/SpreadIntervals.hpp"

#include "Core/Field/ForCells.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/Search.hpp"
#include "Core/Runtime/Spaces.hpp"

#include <string>

namespace spanwise::field {

namespace {

struct SpreadNumbers {
  const std::int64_t* cellOffsets;
  std::int64_t numIntervals;
  const std::int64_t* numbers;
  std::int64_t* values;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    std::int64_t i = firstAbove(cellOffsets, 0, numIntervals + 1, first) - 1;
    for (std::int64_t cell = first; cell < last; ++i) {
      const std::int64_t end = Kokkos::min(cellOffsets[i + 1], last);
      const std::int64_t number = numbers[i];
      for (; cell < end; ++cell) {
        values[cell] = number;
      }
    }
  }
};

} // namespace

template <class ExecutionSpace, int Dim>
void spreadIntervals(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const NumbersOfIntervals<ExecutionSpace>& numbers, FieldOn<std::int64_t, ExecutionSpace>& out) {
  SPANWISE_REGION("Field::spreadIntervals");
  if (static_cast<std::int64_t>(numbers.extent(0)) != set.numIntervals()) {
    throw InvalidArgument(std::to_string(numbers.extent(0)) + " numbers are given for " +
      std::to_string(set.numIntervals()) + " intervals: there must be one for each");
  }
  out.resize(set.numCells());
  const geometry::IntervalSetView<Dim> view = set.view();
  forCells(context.space(), SPANWISE_KERNEL("spread"), view.numCells,
    SpreadNumbers{view.cellOffsets, view.numIntervals, numbers.data(), out.view().values});
}

#define SPANWISE_SPREAD_INTERVALS(Space, Dim)                                                                          \
  template void spreadIntervals<Space, Dim>(const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&,         \
    const NumbersOfIntervals<Space>&, FieldOn<std::int64_t, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_SPREAD_INTERVALS)

} // namespace spanwise::field
