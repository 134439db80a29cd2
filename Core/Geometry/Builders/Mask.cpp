#include "Core/Geometry/Builders/Mask.hpp"

#include "Core/Geometry/RowMarks.hpp"
#include "Core/Geometry/ValueBounds.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"

namespace spanwise::geometry {

namespace {

/// Tests the values of an image, row by row.
template <class T>
struct MaskRows {
  const T* values;
  std::int64_t length;
  ValueBounds<T> bounds;

  struct Row {
    const T* values;
    ValueBounds<T> bounds;

    KOKKOS_FUNCTION bool operator()(std::int64_t i) const { return bounds.contains(values[i]); }
  };

  [[nodiscard]] KOKKOS_FUNCTION Row row(std::int64_t r) const { return {values + r * length, bounds}; }
};

} // namespace

template <class T, class ExecutionSpace, int Dim>
void makeFromMask(const Context<ExecutionSpace>& context,
  const Kokkos::View<const T*, typename ExecutionSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>& values,
  const Box<Dim>& box, const ValueRange& range, IntervalSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Geometry::makeFromMask");
  out.clear();
  checkRange(range);
  const std::int64_t cells = numCells(box);
  if (static_cast<std::int64_t>(values.extent(0)) != cells) {
    throw InvalidArgument("there are " + std::to_string(values.extent(0)) + " values for the " + std::to_string(cells) +
      " cells of " + toString(box) + "; there must be one a cell");
  }
  MaskRows<T> rows{values.data(), box.extent(0), {}};
  if (setBounds(range, rows.bounds)) {
    detail::makeFromMarks(context, box, rows, out);
  }
}

#define SPANWISE_MAKE_FROM_MASK_OF(T, Space, Dim)                                                                      \
  template void makeFromMask<T, Space, Dim>(const Context<Space>&,                                                     \
    const Kokkos::View<const T*, Space::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>&, const Box<Dim>&,      \
    const ValueRange&, IntervalSetOn<Dim, Space>&);
#define SPANWISE_MAKE_FROM_MASK(Space, Dim) SPANWISE_FOR_EACH_ARRAY_TYPE(SPANWISE_MAKE_FROM_MASK_OF, Space, Dim)
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_MAKE_FROM_MASK)

} // namespace spanwise::geometry
