#include "Core/Multilevel/Tagging.hpp"

#include "Core/Field/Checks.hpp"
#include "Core/Field/ForCells.hpp"
#include "Core/Field/SelectCells.hpp"
#include "Core/Field/Stencil.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/PointText.hpp"
#include "Core/Runtime/Reserve.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

namespace spanwise::multilevel {

namespace {

using namespace detail;

template <class T>
struct IsAtLeast {
  const T* values;
  double limit;
  KOKKOS_FUNCTION bool operator()(std::int64_t cell) const { return static_cast<double>(values[cell]) >= limit; }
};

struct IsMarked {
  const std::uint8_t* marks;
  KOKKOS_FUNCTION bool operator()(std::int64_t cell) const { return marks[cell] != 0; }
};

/// Marks cells by a criterion that looks at neighbours. Missing neighbours read as NaN.
template <int Dim, class T>
struct MarkCells {
  TagCriterion criterion;
  double limit;
  double filter;
  std::uint8_t* marks;

  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Point& point) const {
    Sums sums;
    add(sums, point.template lower<0>(), point.centre(), point.template upper<0>());
    add(sums, point.template lower<1>(), point.centre(), point.template upper<1>());
    if constexpr (Dim == 3) {
      add(sums, point.template lower<2>(), point.centre(), point.template upper<2>());
    }
    const bool marked = criterion == TagCriterion::Gradient
      ? sums.max >= limit
      : limit <= 0.0 || (sums.second > 0.0 && sums.second >= limit * limit * sums.first);
    marks[point.cell()] = static_cast<std::uint8_t>(marked);
  }

private:
  struct Sums {
    double max = 0.0;    ///< |difference|
    double second = 0.0; ///< squares of second differences
    double first = 0.0;  ///< squares of what they are compared with
  };

  KOKKOS_FORCEINLINE_FUNCTION void add(Sums& sums, T low, T centre, T high) const {
    const double below = Kokkos::abs(static_cast<double>(centre) - static_cast<double>(low));
    const double above = Kokkos::abs(static_cast<double>(high) - static_cast<double>(centre));
    // comparisons with NaN are false
    sums.max = below > sums.max ? below : sums.max;
    sums.max = above > sums.max ? above : sums.max;
    const double second = static_cast<double>(high) - 2.0 * static_cast<double>(centre) + static_cast<double>(low);
    const double first = below + above +
      filter *
        (Kokkos::abs(static_cast<double>(high)) + 2.0 * Kokkos::abs(static_cast<double>(centre)) +
          Kokkos::abs(static_cast<double>(low)));
    const bool complete = second == second;
    sums.second += complete ? second * second : 0.0;
    sums.first += complete ? first * first : 0.0;
  }
};

} // namespace

template <class ExecutionSpace, int Dim, class T>
void tagCells(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const field::FieldOn<T, ExecutionSpace>& field, const Tagging& tagging,
  geometry::IntervalSetOn<Dim, ExecutionSpace>& out, TagScratch<Dim, typename ExecutionSpace::memory_space>& scratch) {
  SPANWISE_REGION("Multilevel::tagCells");
  checkCells(field, set.numCells(), "its set");
  checkComponent(field, tagging.component);
  if (std::isnan(tagging.limit) || !(tagging.filter >= 0.0)) {
    throw InvalidArgument("cells cannot be tagged with the limit " + numberText(tagging.limit) + " and the filter " +
      numberText(tagging.filter) + ": both must be numbers, and the filter not negative");
  }
  if (tagging.criterion == TagCriterion::Value) {
    field::selectCells<ExecutionSpace, Dim>(
      context, set, IsAtLeast<T>{columnOf(field, tagging.component), tagging.limit}, out);
    return;
  }
  buildStencilMap<field::FacePattern<Dim>, ExecutionSpace>(
    context, set, {field::BoundaryPolicy::Value, {}}, scratch.faces);
  reserve(scratch.marks, set.numCells(), SPANWISE_LABEL("Multilevel::marks"));
  field::forCells(context.space(), SPANWISE_KERNEL("mark cells"), scratch.faces.numCells(),
    field::detail::ApplyStencil<field::FacePattern<Dim>, const T, 1, MarkCells<Dim, T>>{scratch.faces.lengths(),
      scratch.faces.segments(), field.view(), std::numeric_limits<T>::quiet_NaN(),
      MarkCells<Dim, T>{tagging.criterion, tagging.limit, tagging.filter, scratch.marks.data()}, {},
      tagging.component});
  field::selectCells<ExecutionSpace, Dim>(context, set, IsMarked{scratch.marks.data()}, out);
}

#define SPANWISE_TAGGING_OF(T, Space, Dim)                                                                             \
  template void tagCells<Space, Dim, T>(const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&,             \
    const field::FieldOn<T, Space>&, const Tagging&, geometry::IntervalSetOn<Dim, Space>&,                             \
    TagScratch<Dim, Space::memory_space>&);
#define SPANWISE_TAGGING(Space, Dim) SPANWISE_TAGGING_OF(float, Space, Dim) SPANWISE_TAGGING_OF(double, Space, Dim)
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_TAGGING)

} // namespace spanwise::multilevel
