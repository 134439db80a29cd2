#pragma once

#include "Core/Field/Checks.hpp"
#include "Core/Field/Field.hpp"
#include "Core/Field/ForCells.hpp"
#include "Core/Field/StencilMap.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace spanwise {

/// What a stencil sees of a field at a cell: the values there and at the neighbours of a pattern, of each of
/// NumComponents components. Absent neighbours have been replaced as the map's boundary policy says.
template <class Pattern, class T, int NumComponents = 1>
class StencilPoint {
public:
  using value_type = T;

  /// The cells of one segment, on the host: where each neighbour of its first cell is. Neighbours without a cell have
  /// an array of the value outside.
  struct Segment {
    const T* centre[NumComponents];
    const T* neighbour[NumComponents][Pattern::count];
    std::int64_t cell;
  };

  KOKKOS_FORCEINLINE_FUNCTION StencilPoint(const Segment& segment, std::int64_t k) : segment_(&segment), k_(k) {}

  /// On a device: from the map and the field.
  KOKKOS_FORCEINLINE_FUNCTION StencilPoint(
    const FieldView<const T>& field, const StencilSegment<Pattern::count>& segment, std::int64_t k, T outside)
    : field_(&field), mapSegment_(&segment), k_(k), outside_(outside) {}

  /// The number of the cell in its set.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int64_t cell() const {
    KOKKOS_IF_ON_HOST((return segment_->cell + k_;))
    KOKKOS_IF_ON_DEVICE((return mapSegment_->cell + k_;))
  }

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T centre(int component = 0) const {
    KOKKOS_IF_ON_HOST((return segment_->centre[component][k_];))
    KOKKOS_IF_ON_DEVICE((return field_->component[component][mapSegment_->cell + k_];))
  }

  /// The value at neighbour n of the pattern.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T neighbour(int n, int component = 0) const {
    KOKKOS_IF_ON_HOST((return segment_->neighbour[component][n][k_];))
    KOKKOS_IF_ON_DEVICE(
      (const std::int32_t distance = mapSegment_->distance[n]; return distance == StencilSegment<Pattern::count>::absent
          ? outside_
          : field_->component[component][mapSegment_->cell + k_ + distance];))
  }

  /// The value at an offset from the cell, which must be 0 or in the pattern: at<1, 0>() is the one on the right.
  template <int x, int y, int z = 0>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T at(int component = 0) const {
    if constexpr (x == 0 && y == 0 && z == 0) {
      return centre(component);
    } else {
      constexpr int n = Pattern::indexOf({x, y, z});
      static_assert(n >= 0, "the pattern has no neighbour at this offset");
      return neighbour(n, component);
    }
  }

  // The face neighbours: lower and upper along x, y and z.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T west(int component = 0) const { return at<-1, 0>(component); }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T east(int component = 0) const { return at<1, 0>(component); }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T south(int component = 0) const { return at<0, -1>(component); }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T north(int component = 0) const { return at<0, 1>(component); }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T down(int component = 0) const { return at<0, 0, -1>(component); }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T up(int component = 0) const { return at<0, 0, 1>(component); }

  /// The face neighbour along an axis on the lower or the upper side.
  template <int axis>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T lower(int component = 0) const {
    return at<axis == 0 ? -1 : 0, axis == 1 ? -1 : 0, axis == 2 ? -1 : 0>(component);
  }
  template <int axis>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T upper(int component = 0) const {
    return at<axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0>(component);
  }

  /// The sum of the values at all neighbours, in their order.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T sumOfNeighbours(int component = 0) const {
    return sumOf(component, std::make_integer_sequence<int, Pattern::count>());
  }

private:
  template <int... n>
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T sumOf(int component, std::integer_sequence<int, n...> /*all*/) const {
    return (... + neighbour(n, component));
  }

  const Segment* segment_ = nullptr;
  const FieldView<const T>* field_ = nullptr;
  const StencilSegment<Pattern::count>* mapSegment_ = nullptr;
  std::int64_t k_;
  T outside_{};
};

namespace detail {

/// Calls the body with the point of each cell of a map.
template <class Pattern, class T, int NumComponents, class Body>
struct ApplyStencil {
  using Point = StencilPoint<Pattern, T, NumComponents>;
  using MapSegment = StencilSegment<Pattern::count>;
  static constexpr std::int64_t maxLength = StencilMap<Pattern, Kokkos::HostSpace>::maxLength;

  SegmentsView lengths;
  const MapSegment* segments;
  FieldView<const T> in;
  T outside;
  Body body;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    KOKKOS_IF_ON_HOST((onHost(first, last);))
    KOKKOS_IF_ON_DEVICE((lengths.forPieces(first, last, [&](std::int64_t s, std::int64_t begin, std::int64_t /*end*/) {
      body(Point(in, segments[s], begin, outside));
    });))
  }

  SPANWISE_WIDE_VECTORS void onHost(std::int64_t first, std::int64_t last) const;
};

template <class Pattern, class T, int NumComponents, class Body>
SPANWISE_WIDE_VECTORS void ApplyStencil<Pattern, T, NumComponents, Body>::onHost(
  std::int64_t first, std::int64_t last) const {
  const Body call = body; // of its own, so that nothing that is written can change it
  T values[maxLength];    // outside of the set
  bool written = false;   // the values: when the first is needed
  for (std::int64_t s = lengths.segmentOf(first); first < last; ++s) {
    const std::int64_t begin = first - lengths.offsets[s];
    const std::int64_t end = Kokkos::min(lengths.offsets[s + 1], last) - lengths.offsets[s];
    first += end - begin;
    const MapSegment& from = segments[s];
    typename Point::Segment segment;
    segment.cell = from.cell;
    for (int c = 0; c < NumComponents; ++c) {
      segment.centre[c] = in.component[c] + from.cell;
    }
    std::int32_t farthest = 0; // the neighbour that nothing has been read of yet
    for (int n = 0; n < Pattern::count; ++n) {
      farthest = Kokkos::max(farthest, from.distance[n]);
      const bool absent = from.distance[n] == MapSegment::absent;
      if (absent && !written) {
        std::fill(values, values + maxLength, outside);
        written = true;
      }
      for (int c = 0; c < NumComponents; ++c) {
        segment.neighbour[c][n] = absent ? values : segment.centre[c] + from.distance[n];
      }
    }
    for (int c = 0; c < NumComponents; ++c) {
      prefetch(segment.centre[c] + farthest + ahead<T> + begin, end - begin);
    }
    SPANWISE_INDEPENDENT
    for (std::int64_t k = begin; k < end; ++k) {
      call(Point(segment, k));
    }
  }
}

template <class Function, class T>
struct WriteResult {
  Function function;
  T* out;

  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Point& point) const {
    out[point.cell()] = static_cast<T>(function(point));
  }
};

} // namespace detail

/// Calls body(point) for each cell of a map, in any order and side by side. `Body` is a functor that a kernel of
/// `ExecutionSpace` can call: void operator()(const StencilPoint<Pattern, T, NumComponents>&) const. It may write
/// values of the cell point.cell(), though not into `in`. `outside` is the value of what is not in the set where the
/// map's policy is Value. Throws InvalidArgument if `in` does not have the cells of the map's set, or has not
/// NumComponents components. O(cells + segments); does not wait, and allocates nothing.
template <int NumComponents, class ExecutionSpace, class Pattern, class T, class Body>
void forEachStencil(const ExecutionSpace& space, const StencilMap<Pattern, typename ExecutionSpace::memory_space>& map,
  const FieldOn<T, ExecutionSpace>& in, std::type_identity_t<T> outside, const Body& body) {
  SPANWISE_REGION("Field::forEachStencil");
  checkCells(in, map.numCellsOfSet(), "the stencil's set");
  checkComponents(in, NumComponents);
  forCells(space, SPANWISE_KERNEL("stencil"), map.numCells(),
    detail::ApplyStencil<Pattern, T, NumComponents, Body>{map.lengths(), map.segments(), in.view(), outside, body});
}

/// out = function(point) in each cell of a map, for each component by itself. `Function` is a functor that a kernel of
/// `ExecutionSpace` can call: T operator()(const StencilPoint<Pattern, T>&) const. Cells that are not in the map (those
/// that lack a neighbour by the policy Skip, those outside of its region) keep their values in `out`. Throws
/// InvalidArgument if the fields do not have the cells of the map's set, or not the same number of components, or share
/// their values. O(values + segments components); does not wait, and allocates nothing.
template <class ExecutionSpace, class Pattern, class T, class Function>
void applyStencil(const ExecutionSpace& space, const StencilMap<Pattern, typename ExecutionSpace::memory_space>& map,
  const FieldOn<T, ExecutionSpace>& in, std::type_identity_t<T> outside, const Function& function,
  FieldOn<T, ExecutionSpace>& out) {
  SPANWISE_REGION("Field::applyStencil");
  checkCells(in, map.numCellsOfSet(), "the stencil's set");
  checkSameShape(in, out);
  checkApart(in, out);
  const FieldView<T> to = out.view();
  for (int c = 0; c < in.numComponents(); ++c) {
    FieldView<const T> from;
    from.component[0] = in.view().component[c];
    from.numCells = in.numCells();
    using Body = detail::WriteResult<Function, T>;
    forCells(space, SPANWISE_KERNEL("stencil"), map.numCells(),
      detail::ApplyStencil<Pattern, T, 1, Body>{
        map.lengths(), map.segments(), from, outside, Body{function, to.component[c]}});
  }
}

} // namespace spanwise
