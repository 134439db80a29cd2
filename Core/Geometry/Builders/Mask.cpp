#include "Core/Geometry/Builders/Mask.hpp"

#include "Core/Geometry/Detail/RowMarks.hpp"
#include "Core/Runtime/Error.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

namespace spanwise {

namespace {

/// Tests the values of an image, row by row. The bounds have the values' own type where that is an integer.
template <class T>
struct MaskRows {
  using Bound = std::conditional_t<std::is_integral_v<T>, T, double>;
  const T* values;
  std::int64_t length;
  Bound lower;
  Bound upper;

  struct Row {
    const T* values;
    Bound lower;
    Bound upper;

    KOKKOS_FUNCTION bool operator()(std::int64_t i) const { return values[i] >= lower && values[i] <= upper; }
  };

  [[nodiscard]] KOKKOS_FUNCTION Row row(std::int64_t r) const { return {values + r * length, lower, upper}; }
};

/// Sets the bounds of `rows` to the same values as `range` has, in the values' type. False if no value can be in it.
template <class T>
bool setBounds(const ValueRange& range, MaskRows<T>& rows) {
  if constexpr (std::is_integral_v<T>) {
    using Limits = std::numeric_limits<T>;
    const double beyond = std::ldexp(1.0, Limits::digits); // largest value + 1; a double holds it, not always the value
    const double lower = std::ceil(range.lower);
    const double upper = std::floor(range.upper);
    if (lower >= beyond || upper < static_cast<double>(Limits::min())) {
      return false;
    }
    rows.lower = lower <= static_cast<double>(Limits::min()) ? Limits::min() : static_cast<T>(lower);
    rows.upper = upper >= beyond ? Limits::max() : static_cast<T>(upper);
  } else {
    rows.lower = range.lower;
    rows.upper = range.upper;
  }
  return rows.lower <= rows.upper;
}

} // namespace

template <class T, class ExecutionSpace, int Dim>
void makeFromMask(const ExecutionSpace& space,
  const Kokkos::View<const T*, typename ExecutionSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>& values,
  const Box<Dim>& box, const ValueRange& range, IntervalSetOn<Dim, ExecutionSpace>& out,
  Workspace<typename ExecutionSpace::memory_space>& workspace) {
  SPANWISE_REGION("Geometry::makeFromMask");
  out.clear();
  if (!(range.lower <= range.upper)) { // NaN too
    throw InvalidArgument("the range of values is [" + std::to_string(range.lower) + ", " +
      std::to_string(range.upper) + "]; its lower bound must not exceed its upper bound, and neither may be NaN");
  }
  const std::int64_t cells = detail::numCells(box);
  if (static_cast<std::int64_t>(values.extent(0)) != cells) {
    throw InvalidArgument("there are " + std::to_string(values.extent(0)) + " values for the " + std::to_string(cells) +
      " cells of " + toString(box) + "; there must be one a cell");
  }
  MaskRows<T> rows{values.data(), box.extent(0), {}, {}};
  if (setBounds(range, rows)) {
    detail::makeFromMarks(space, box, rows, out, workspace);
  }
}

#define SPANWISE_MAKE_FROM_MASK_OF(T, Space, Dim)                                                                      \
  template void makeFromMask<T, Space, Dim>(const Space&,                                                              \
    const Kokkos::View<const T*, Space::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>&, const Box<Dim>&,      \
    const ValueRange&, IntervalSetOn<Dim, Space>&, Workspace<Space::memory_space>&);
#define SPANWISE_MAKE_FROM_MASK(Space, Dim)                                                                            \
  SPANWISE_MAKE_FROM_MASK_OF(char, Space, Dim)                                                                         \
  SPANWISE_MAKE_FROM_MASK_OF(signed char, Space, Dim)                                                                  \
  SPANWISE_MAKE_FROM_MASK_OF(unsigned char, Space, Dim)                                                                \
  SPANWISE_MAKE_FROM_MASK_OF(short, Space, Dim)                                                                        \
  SPANWISE_MAKE_FROM_MASK_OF(unsigned short, Space, Dim)                                                               \
  SPANWISE_MAKE_FROM_MASK_OF(int, Space, Dim)                                                                          \
  SPANWISE_MAKE_FROM_MASK_OF(unsigned, Space, Dim)                                                                     \
  SPANWISE_MAKE_FROM_MASK_OF(long, Space, Dim)                                                                         \
  SPANWISE_MAKE_FROM_MASK_OF(unsigned long, Space, Dim)                                                                \
  SPANWISE_MAKE_FROM_MASK_OF(long long, Space, Dim)                                                                    \
  SPANWISE_MAKE_FROM_MASK_OF(unsigned long long, Space, Dim)                                                           \
  SPANWISE_MAKE_FROM_MASK_OF(float, Space, Dim)                                                                        \
  SPANWISE_MAKE_FROM_MASK_OF(double, Space, Dim)
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_MAKE_FROM_MASK)

} // namespace spanwise
