#pragma once

#include "Core/Field/Checks.hpp"
#include "Core/Field/Field.hpp"
#include "Core/Field/ForCells.hpp"
#include "Core/Field/NeighboursByOffset.hpp"
#include "Core/Field/StencilMap.hpp"

#include <algorithm>
#include <type_traits>

namespace spanwise::field {

/// Where the values of a cell and of its neighbours are, in a field of NumComponents components: what a body gets that
/// updates a field in place (updateStencil()). T is const where the field is only read.
template <class Pattern, class T, int NumComponents = 1>
class StencilPlace {
public:
  using MapSegment = StencilSegment<Pattern::count>;

  /// Cells side by side, on the host: where the values of the first one and of its neighbours are. Neighbours without a
  /// cell have an array of the value outside.
  struct Segment {
    T* centre[NumComponents];
    T* neighbour[NumComponents][Pattern::count];
    const std::int32_t* distance;
    std::int64_t cell;
  };

  /// Cell number k of a segment, whose values are `at` values from those of the first.
  KOKKOS_FORCEINLINE_FUNCTION StencilPlace(const Segment& segment, std::int64_t k, std::int64_t at)
    : segment_(&segment), k_(k), at_(at) {}

  /// On a device: from the map and the field, of which the component `firstComponent` is number 0.
  KOKKOS_FORCEINLINE_FUNCTION StencilPlace(
    const FieldView<T>& field, const MapSegment& segment, std::int64_t k, int firstComponent)
    : field_(&field), mapSegment_(&segment), k_(k), at_(firstComponent) {}

  /// The number of the cell in its set.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int64_t cell() const {
    KOKKOS_IF_ON_HOST((return segment_->cell + k_;))
    KOKKOS_IF_ON_DEVICE((return mapSegment_->cell + k_;))
  }

  /// Whether neighbour n of the pattern is a cell of the set, or one that the boundary policy put in its place.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool has(int n) const { return !MapSegment::isAbsent(distance(n)); }

  /// The sides of Boundary::domain that an absent neighbour is beyond. None: it lies within the domain and is not in
  /// the set, or is not absent.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION DomainSides crossed(int n) const {
    const std::int32_t d = distance(n);
    return {static_cast<std::uint8_t>(MapSegment::isAbsent(d) ? d - MapSegment::absent : 0)};
  }

  /// The number of neighbour n in the set, -1 where it is absent.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int64_t neighbourCell(int n) const {
    return has(n) ? cell() + distance(n) : -1;
  }

  /// The value of the cell.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T& centre(int component = 0) const {
    KOKKOS_IF_ON_HOST((return segment_->centre[component][at_];))
    KOKKOS_IF_ON_DEVICE((return (*field_)(cell(), static_cast<int>(at_) + component);))
  }

  /// The value of neighbour n, which must not be absent.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T& neighbour(int n, int component = 0) const {
    KOKKOS_IF_ON_HOST((return segment_->neighbour[component][n][at_];))
    KOKKOS_IF_ON_DEVICE((return (*field_)(cell() + distance(n), static_cast<int>(at_) + component);))
  }

private:
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int32_t distance(int n) const {
    KOKKOS_IF_ON_HOST((return segment_->distance[n];))
    KOKKOS_IF_ON_DEVICE((return mapSegment_->distance[n];))
  }

  const Segment* segment_ = nullptr;
  const FieldView<T>* field_ = nullptr;
  const MapSegment* mapSegment_ = nullptr;
  std::int64_t k_;
  std::int64_t at_;
};

/// What a stencil sees of a field at a cell: the values there and at the neighbours of a pattern, of each of
/// NumComponents components. Absent neighbours have been replaced as the map's boundary policy says.
template <class Pattern, class T, int NumComponents = 1>
class StencilPoint : public NeighboursByOffset<StencilPoint<Pattern, T, NumComponents>, Pattern, T> {
public:
  using value_type = T;
  using Place = StencilPlace<Pattern, const T, NumComponents>;

  KOKKOS_FORCEINLINE_FUNCTION StencilPoint(const Place& place, T outside) : place_(place), outside_(outside) {}

  /// The number of the cell in its set.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int64_t cell() const { return place_.cell(); }

  // Of neighbour n: see StencilPlace.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION bool has(int n) const { return place_.has(n); }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION DomainSides crossed(int n) const { return place_.crossed(n); }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION std::int64_t neighbourCell(int n) const { return place_.neighbourCell(n); }

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T centre(int component = 0) const { return place_.centre(component); }

  /// The value at neighbour n of the pattern.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T neighbour(int n, int component = 0) const {
    KOKKOS_IF_ON_HOST((return place_.neighbour(n, component);))
    KOKKOS_IF_ON_DEVICE((return place_.has(n) ? place_.neighbour(n, component) : outside_;))
  }

private:
  Place place_;
  T outside_;
};

/// Where a stencil's results at a cell go: to each of `count` components of a field.
template <class T, int count>
class StencilOutput {
public:
  /// On the host: where the results of the first cell of a segment go, and how far this one's are from there.
  KOKKOS_FORCEINLINE_FUNCTION StencilOutput(T* const* first, std::int64_t at) : first_(first), at_(at) {}
  /// On a device: to a cell's components from `firstComponent` on.
  KOKKOS_FORCEINLINE_FUNCTION StencilOutput(const FieldView<T>& field, std::int64_t cell, int firstComponent)
    : field_(&field), at_(cell), firstComponent_(firstComponent) {}

  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION T& operator()(int component = 0) const {
    KOKKOS_IF_ON_HOST((return first_[component][at_];))
    KOKKOS_IF_ON_DEVICE((return (*field_)(at_, firstComponent_ + component);))
  }

private:
  T* const* first_ = nullptr;
  const FieldView<T>* field_ = nullptr;
  std::int64_t at_;
  int firstComponent_ = 0;
};

namespace detail {

/// On a device: the view of the cells in a cell's run, from `first` to `end`; of all cells where there are no runs.
/// Compilers know that it has none.
template <class T>
struct ViewOfRun {
  FieldView<T> view;
  std::int64_t first = 0;
  std::int64_t end;

  KOKKOS_FORCEINLINE_FUNCTION ViewOfRun(const FieldView<T>& field, std::int64_t cell)
    : view(field), end(field.numCells) {
    view.runs = nullptr;
    if (field.runs != nullptr) {
      std::int64_t low = 0;
      for (std::int64_t high = field.numRuns; high - low > 1;) {
        const std::int64_t middle = (low + high) / 2;
        (field.runs[middle].firstCell <= cell ? low : high) = middle;
      }
      const LayoutRun run = field.runs[low];
      first = run.firstCell;
      end = low + 1 < field.numRuns ? field.runs[low + 1].firstCell : end;
      view.values += run.groupSlot * field.numComponents + run.firstSlot - run.groupSlot - first;
      view.componentStride = run.groupSize;
    }
  }
};

/// Calls the body with each cell of a map: body(point), or body(point, output) where `out` has components. T is the
/// type of what is read, const; where it is not, the body gets the place and may write there.
template <class Pattern, class T, int NumComponents, class Body, int NumOut = 0>
struct ApplyStencil {
  using Value = std::remove_const_t<T>;
  using Place = StencilPlace<Pattern, T, NumComponents>;
  using Point = std::conditional_t<std::is_const_v<T>, StencilPoint<Pattern, Value, NumComponents>, Place>;
  using MapSegment = StencilSegment<Pattern::count>;
  static constexpr std::int64_t maxLength = StencilMap<Pattern, Kokkos::HostSpace>::maxLength;
  static constexpr int numOut = NumOut > 0 ? NumOut : 1;

  geometry::SegmentsView lengths;
  const MapSegment* segments;
  FieldView<T> in;
  Value outside;
  Body body;
  FieldView<Value> out{};
  int firstComponent = 0; ///< of both fields

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    KOKKOS_IF_ON_HOST((in.isInColumns() && out.isInColumns() ? onColumns(first, last) : onPieces(first, last);))
    KOKKOS_IF_ON_DEVICE((onCell(first);))
  }

  /// On a device. Where values are known to be at equal distances, a neighbour is one load (H200: 26 of them in 0.4 of
  /// the time): in fields without runs, and where a cell and all its neighbours are in one. The body is called in two
  /// places; called by a lambda, or in a third place for fields without runs, it takes 1.3 or 1.5 times as long
  /// (D3Q27).
  KOKKOS_FORCEINLINE_FUNCTION void onCell(std::int64_t k) const {
    const std::int64_t s = lengths.segmentOf(k);
    const std::int64_t begin = k - lengths.offsets[s];
    const MapSegment& segment = segments[s];
    const std::int64_t cell = segment.cell + begin;
    const ViewOfRun<T> from(in, cell);
    const ViewOfRun<Value> to(out, cell);
    bool isInRun = true;
    if (in.runs != nullptr) {
      for (int n = 0; n < Pattern::count; ++n) {
        const std::int32_t distance = segment.distance[n];
        isInRun =
          isInRun && (MapSegment::isAbsent(distance) || (cell + distance >= from.first && cell + distance < from.end));
      }
    }
    if (isInRun) {
      callWith(body, Place(from.view, segment, begin, firstComponent),
        StencilOutput<Value, numOut>(to.view, cell, firstComponent));
    } else {
      callWith(
        body, Place(in, segment, begin, firstComponent), StencilOutput<Value, numOut>(to.view, cell, firstComponent));
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void callWith(
    const Body& call, const Place& place, const StencilOutput<Value, numOut>& output) const {
    if constexpr (!std::is_const_v<T>) {
      call(place);
    } else if constexpr (NumOut == 0) {
      call(Point(place, outside));
    } else {
      call(Point(place, outside), output);
    }
  }

  /// On the host, where both fields are in columns: all pointers of a segment are a constant away from the cell's.
  SPANWISE_WIDE_VECTORS void onColumns(std::int64_t first, std::int64_t last) const;
  /// On the host, for all layouts: segments are cut where values are not at equal distances any more.
  SPANWISE_WIDE_VECTORS void onPieces(std::int64_t first, std::int64_t last) const;

  /// Cells of a segment of the map from number `begin` on: those of which the values of each neighbour are at equal
  /// distances, and no more than `longest`. Returns how many they are. A neighbour that is absent has the values of
  /// `absent`.
  std::int64_t findSegment(const MapSegment& from, std::int64_t begin, std::int64_t longest, Value* absent,
    typename Place::Segment& segment, Value* (&results)[numOut]) const {
    const std::int64_t cell = from.cell + begin;
    const FieldPiece<T> centre = in.piece(cell);
    std::int64_t count = Kokkos::min(longest, centre.end - cell);
    segment.cell = cell;
    segment.distance = from.distance;
    for (int c = 0; c < NumComponents; ++c) {
      segment.centre[c] = centre.values + (firstComponent + c) * centre.componentStride;
    }
    for (int n = 0; n < Pattern::count; ++n) {
      const std::int64_t distance = from.distance[n];
      if (MapSegment::isAbsent(from.distance[n])) {
        for (int c = 0; c < NumComponents; ++c) {
          segment.neighbour[c][n] = absent;
        }
      } else if (in.runs == nullptr) {
        for (int c = 0; c < NumComponents; ++c) {
          segment.neighbour[c][n] = segment.centre[c] + distance * in.cellStride;
        }
      } else {
        const FieldPiece<T> piece = in.piece(cell + distance);
        count = Kokkos::min(count, piece.end - (cell + distance));
        for (int c = 0; c < NumComponents; ++c) {
          segment.neighbour[c][n] = piece.values + (firstComponent + c) * piece.componentStride;
        }
      }
    }
    if constexpr (NumOut > 0) {
      const FieldPiece<Value> piece = out.piece(cell);
      count = Kokkos::min(count, piece.end - cell);
      for (int c = 0; c < NumOut; ++c) {
        results[c] = piece.values + (firstComponent + c) * piece.componentStride;
      }
    }
    return count;
  }
};

template <class Pattern, class T, int NumComponents, class Body, int NumOut>
SPANWISE_WIDE_VECTORS void ApplyStencil<Pattern, T, NumComponents, Body, NumOut>::onColumns(
  std::int64_t first, std::int64_t last) const {
  const Body call = body;  // of its own, so that nothing that is written can change it
  Value values[maxLength]; // outside of the set
  bool written = false;    // the values: when the first is needed
  for (std::int64_t s = lengths.segmentOf(first); first < last; ++s) {
    const std::int64_t begin = first - lengths.offsets[s];
    const std::int64_t end = Kokkos::min(lengths.offsets[s + 1], last) - lengths.offsets[s];
    first += end - begin;
    const MapSegment& from = segments[s];
    typename Place::Segment segment;
    segment.cell = from.cell;
    segment.distance = from.distance;
    for (int c = 0; c < NumComponents; ++c) {
      segment.centre[c] = in.values + (firstComponent + c) * in.componentStride + from.cell;
    }
    std::int32_t farthest = 0; // the neighbour that nothing has been read of yet
    std::int32_t min = 0;      // that of an absent neighbour, if there is one
    for (int n = 0; n < Pattern::count; ++n) {
      farthest = Kokkos::max(farthest, from.distance[n]);
      min = Kokkos::min(min, from.distance[n]);
      const bool absent = MapSegment::isAbsent(from.distance[n]);
      for (int c = 0; c < NumComponents; ++c) {
        segment.neighbour[c][n] = absent ? values : segment.centre[c] + from.distance[n];
      }
    }
    if (MapSegment::isAbsent(min) && !written && std::is_const_v<T>) {
      std::fill(values, values + maxLength, outside);
      written = true;
    }
    Value* results[numOut] = {};
    for (int c = 0; c < NumOut; ++c) {
      results[c] = out.values + (firstComponent + c) * out.componentStride + from.cell;
    }
    for (int c = 0; c < NumComponents; ++c) {
      spanwise::detail::prefetch(segment.centre[c] + farthest + ahead<Value> + begin, end - begin);
    }
    SPANWISE_INDEPENDENT
    for (std::int64_t k = begin; k < end; ++k) {
      callWith(call, Place(segment, k, k), StencilOutput<Value, numOut>(results, k));
    }
  }
}

template <class Pattern, class T, int NumComponents, class Body, int NumOut>
SPANWISE_WIDE_VECTORS void ApplyStencil<Pattern, T, NumComponents, Body, NumOut>::onPieces(
  std::int64_t first, std::int64_t last) const {
  const Body call = body;
  Value values[maxLength];
  std::fill(values, values + maxLength, outside);
  const bool unit = in.cellStride == 1 && out.cellStride == 1;
  const std::int64_t longest = Kokkos::max(std::int64_t{1}, maxLength / in.cellStride);
  for (std::int64_t s = lengths.segmentOf(first); first < last; ++s) {
    std::int64_t begin = first - lengths.offsets[s];
    const std::int64_t end = Kokkos::min(lengths.offsets[s + 1], last) - lengths.offsets[s];
    first += end - begin;
    while (begin < end) {
      typename Place::Segment segment;
      Value* results[numOut] = {};
      const std::int64_t count =
        findSegment(segments[s], begin, Kokkos::min(longest, end - begin), values, segment, results);
      begin += count;
      if (unit) {
        SPANWISE_INDEPENDENT
        for (std::int64_t k = 0; k < count; ++k) {
          callWith(call, Place(segment, k, k), StencilOutput<Value, numOut>(results, k));
        }
      } else {
        SPANWISE_INDEPENDENT
        for (std::int64_t k = 0; k < count; ++k) {
          callWith(
            call, Place(segment, k, k * in.cellStride), StencilOutput<Value, numOut>(results, k * out.cellStride));
        }
      }
    }
  }
}

template <class Function, class T>
struct WriteResult {
  Function function;

  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Point& point, const StencilOutput<T, 1>& out) const {
    out() = static_cast<T>(function(point));
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
    detail::ApplyStencil<Pattern, const T, NumComponents, Body>{
      map.lengths(), map.segments(), in.view(), outside, body},
    Work{map.numCells() * NumComponents});
}

/// The same with results that go to a field: void operator()(const StencilPoint<Pattern, T, NumComponents>&,
/// const StencilOutput<T, NumOut>& out) const writes component c of the cell as out(c) = .... The fields may have
/// different layouts. Throws InvalidArgument also if `out` does not have as many cells and NumOut components, or shares
/// its values with `in`.
template <int NumComponents, int NumOut, class ExecutionSpace, class Pattern, class T, class Body>
void forEachStencil(const ExecutionSpace& space, const StencilMap<Pattern, typename ExecutionSpace::memory_space>& map,
  const FieldOn<T, ExecutionSpace>& in, std::type_identity_t<T> outside, const Body& body,
  FieldOn<T, ExecutionSpace>& out) {
  SPANWISE_REGION("Field::forEachStencil");
  checkCells(in, map.numCellsOfSet(), "the stencil's set");
  checkCells(out, map.numCellsOfSet(), "the stencil's set");
  checkApart(in, out);
  checkComponents(in, NumComponents);
  checkComponents(out, NumOut);
  forCells(space, SPANWISE_KERNEL("stencil"), map.numCells(),
    detail::ApplyStencil<Pattern, const T, NumComponents, Body, NumOut>{
      map.lengths(), map.segments(), in.view(), outside, body, out.view()},
    Work{map.numCells() * (NumComponents + NumOut)});
}

/// Updates a field in place: calls body(place) for each cell of a map, in any order and side by side, with
/// void operator()(const StencilPlace<Pattern, T, NumComponents>&) const. A body reads and writes values of its cell
/// and of neighbours, by reference. No value may be touched by the bodies of two cells, if one writes it: so esoteric
/// pull (Lehmann 2022) takes each population from, and puts it to, places that are those of one cell alone. Neighbours
/// may be absent (place.has()) where the map's policy is Value: branch on that, since nvcc 13.0 loses what is written
/// through a reference that is to a value or to a variable of the body. Throws InvalidArgument as forEachStencil().
template <int NumComponents, class ExecutionSpace, class Pattern, class T, class Body>
void updateStencil(const ExecutionSpace& space, const StencilMap<Pattern, typename ExecutionSpace::memory_space>& map,
  FieldOn<T, ExecutionSpace>& field, const Body& body) {
  SPANWISE_REGION("Field::updateStencil");
  checkCells(field, map.numCellsOfSet(), "the stencil's set");
  checkComponents(field, NumComponents);
  forCells(space, SPANWISE_KERNEL("update stencil"), map.numCells(),
    detail::ApplyStencil<Pattern, T, NumComponents, Body>{map.lengths(), map.segments(), field.view(), T{}, body});
}

/// out = function(point) in each cell of a map, for each component by itself. `Function` is a functor that a kernel of
/// `ExecutionSpace` can call: T operator()(const StencilPoint<Pattern, T>&) const. Cells that are not in the map (those
/// that lack a neighbour by the policy Skip, those outside of its region) keep their values in `out`. The fields may
/// have different layouts. Throws InvalidArgument if the fields do not have the cells of the map's set, or not the same
/// number of components, or share their values. O(values + segments components); does not wait, and allocates nothing.
template <class ExecutionSpace, class Pattern, class T, class Function>
void applyStencil(const ExecutionSpace& space, const StencilMap<Pattern, typename ExecutionSpace::memory_space>& map,
  const FieldOn<T, ExecutionSpace>& in, std::type_identity_t<T> outside, const Function& function,
  FieldOn<T, ExecutionSpace>& out) {
  SPANWISE_REGION("Field::applyStencil");
  checkCells(in, map.numCellsOfSet(), "the stencil's set");
  checkSameShape(in, out);
  checkApart(in, out);
  for (int c = 0; c < in.numComponents(); ++c) {
    using Body = detail::WriteResult<Function, T>;
    forCells(space, SPANWISE_KERNEL("stencil"), map.numCells(),
      detail::ApplyStencil<Pattern, const T, 1, Body, 1>{
        map.lengths(), map.segments(), in.view(), outside, Body{function}, out.view(), c});
  }
}

} // namespace spanwise::field
