#pragma once

#include "Core/Geometry/Surface/Blocks.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEachUneven.hpp"
#include "Core/Runtime/Label.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace spanwise::geometry {

namespace detail {

/// Adds up the values of the cells of blocks, and how many are numbers.
class BlockSums {
public:
  BlockSums(std::int64_t numBlocks, int components)
    : components_(static_cast<std::size_t>(components)), sums_(static_cast<std::size_t>(numBlocks) * components_, 0.0),
      counts_(sums_.size(), 0) {}

  /// Adds the values of cells of a block, component by component.
  template <class Range>
  void add(std::int64_t block, const Range& values) {
    const std::size_t out = static_cast<std::size_t>(block) * components_;
    if (components_ == 1) {
      double sum = 0.0;
      std::int64_t numbers = 0;
      for (const auto value : values) {
        const auto v = static_cast<double>(value);
        const bool number = v == v;
        sum += number ? v : 0.0;
        numbers += number ? 1 : 0;
      }
      sums_[out] += sum;
      counts_[out] += numbers;
      return;
    }
    std::size_t component = 0;
    for (const auto value : values) {
      const auto v = static_cast<double>(value);
      if (v == v) {
        sums_[out + component] += v;
        ++counts_[out + component];
      }
      component = component + 1 == components_ ? 0 : component + 1;
    }
  }

  /// Not-a-number if no value of the block was a number.
  [[nodiscard]] double mean(std::int64_t block, int component) const {
    const std::size_t k = static_cast<std::size_t>(block) * components_ + static_cast<std::size_t>(component);
    return counts_[k] > 0 ? sums_[k] / static_cast<double>(counts_[k]) : std::numeric_limits<double>::quiet_NaN();
  }

private:
  std::size_t components_;
  std::vector<double> sums_;
  std::vector<std::int64_t> counts_;
};

} // namespace detail

/// Calls setMean(block, component, mean) for the means of values over the cells of each block, where valuesOf(cell,
/// count) is the range of the values of `count` cells of the grid that begin at `cell`, all components of a cell side
/// by side. Values that are not numbers do not count; a block without any other has not-a-number. Both are called by
/// several threads. The same bits for any number of them. O(values).
template <int Dim, class ValuesOf, class SetMean>
void meansOverBlocks(const Context<HostExecutionSpace>& context, const SurfaceCells<Dim>& cells, const BlockMap& map,
  int components, const ValuesOf& valuesOf, const SetMean& setMean) {
  const HostExecutionSpace& space = context.space();

  const IntervalSetView<Dim> set = cells.set;
  const std::int64_t width = std::int64_t{1} << map.shift;
  detail::BlockSums sums(map.numBlocks(), components);
  forEachUneven(space, SPANWISE_LABEL("Geometry::sums of blocks"), map.numRows(), [&](std::int64_t b) {
    visitBlockRow(set, map, b, [&](std::int64_t i, const RowKey<Dim>&) {
      const Interval& interval = set.intervals[i];
      const std::int64_t base = cells.cellBase(i);
      std::int64_t block = map.firstBlock[static_cast<std::size_t>(i)];
      for (std::int64_t x = interval.begin; x < interval.end; ++block) {
        const std::int64_t end = std::min<std::int64_t>(interval.end, (x & ~(width - 1)) + width);
        sums.add(block, valuesOf(base + x, end - x));
        x = end;
      }
    });
  });
  forEachUneven(space, SPANWISE_LABEL("Geometry::means of blocks"), map.numBlocks(), [&](std::int64_t block) {
    for (int c = 0; c < components; ++c) {
      setMean(block, c, sums.mean(block, c));
    }
  });
}

} // namespace spanwise::geometry
