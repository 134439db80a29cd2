#pragma once

#include "Core/Geometry/Components.hpp"
#include "Core/Geometry/GrowBox.hpp"
#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"

#include <cstdint>

namespace spanwise::geometry {

/// The size, the bounding box and the first moments of a component: whole numbers, so that parts may be added in any
/// order and give the same bits.
template <int Dim>
struct ComponentMeasures {
  std::int64_t size; ///< cells
  Box<Dim> box;      ///< the smallest one with all cells
  /// The sum over all cells of their coordinates, counted from minCoordinate: high * 2^32 + low.
  std::uint64_t momentLow[Dim];
  std::uint64_t momentHigh[Dim];

  /// Those of no cell.
  KOKKOS_FUNCTION static ComponentMeasures none() {
    ComponentMeasures result{};
    result.box = boxOfNothing<Dim>();
    return result;
  }

  /// Adds those of other cells of the component.
  KOKKOS_FUNCTION void add(const ComponentMeasures& other) {
    size += other.size;
    grow(box, other.box);
    for (int d = 0; d < Dim; ++d) {
      momentLow[d] += other.momentLow[d] & lowBits;
      momentHigh[d] += other.momentHigh[d] + (other.momentLow[d] >> 32) + (momentLow[d] >> 32);
      momentLow[d] &= lowBits;
    }
  }

  /// The mean of the cells' centres along an axis, c + 1/2 being the centre of the cell c. The whole part of the mean
  /// is exact, so nothing is off by more than the rounding of the result, or of 1 if that is larger. `size` is not 0.
  [[nodiscard]] KOKKOS_FUNCTION double centroid(int axis) const {
    const std::uint64_t high = momentHigh[axis] + (momentLow[axis] >> 32);
    const std::uint64_t low = momentLow[axis] & lowBits;
    const auto count = static_cast<std::uint64_t>(size);
    // The largest q with q * count <= the moment, by its 32 bits: q * count as high and low words.
    const auto highOf = [&](std::uint64_t q) { return q * (count >> 32) + ((q * (count & lowBits)) >> 32); };
    const auto lowOf = [&](std::uint64_t q) { return (q * (count & lowBits)) & lowBits; };
    std::uint64_t whole = 0;
    for (std::uint64_t bit = std::uint64_t{1} << 31; bit != 0; bit >>= 1) {
      const std::uint64_t q = whole + bit;
      if (highOf(q) < high || (highOf(q) == high && lowOf(q) <= low)) {
        whole = q;
      }
    }
    const std::uint64_t rest = ((high - highOf(whole)) << 32) + low - lowOf(whole);
    return static_cast<double>(static_cast<std::int64_t>(whole) + minCoordinate) +
      (0.5 + static_cast<double>(rest) / static_cast<double>(count));
  }

private:
  static constexpr std::uint64_t lowBits = 0xffffffffU;
};

/// The measures of each component.
template <class ExecutionSpace, int Dim>
using ComponentMeasuresOn = Kokkos::View<ComponentMeasures<Dim>*, typename ExecutionSpace::memory_space>;

/// Collective. measures[p] = those of the component of part p, on all ranks. `labels` and `numbering` are as from
/// connectedComponents(), `measures` has an entry for each part. O(intervals + parts). Throws InvalidArgument, on all
/// ranks, if `labels` has another length than there are intervals. Sets of up to 2^32 intervals.
template <class ExecutionSpace, int Dim>
void measureComponents(const Context<ExecutionSpace>& context, const IntervalSetOn<Dim, ExecutionSpace>& set,
  const ComponentNumbers<ExecutionSpace>& labels, const ComponentNumbering& numbering,
  const ComponentMeasuresOn<ExecutionSpace, Dim>& measures);

} // namespace spanwise::geometry
