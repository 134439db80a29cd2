#include "Core/Field/Threshold.hpp"

#include "Core/Field/Checks.hpp"
#include "Core/Field/SelectCells.hpp"
#include "Core/Geometry/ValueBounds.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::field {

namespace {

template <class T>
struct Component {
  FieldView<const T> field;
  int component;

  KOKKOS_FUNCTION T operator[](std::int64_t cell) const { return field(cell, component); }
};

/// Values are a pointer, or a component of a field in any layout.
template <class T, class ExecutionSpace, int Dim, class Values>
void selectBy(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const Values& values, const ThresholdRule& rule, geometry::IntervalSetOn<Dim, ExecutionSpace>& out) {
  geometry::ValueBounds<T> bounds{};
  if (!setBounds(rule.range, bounds)) {
    bounds = {1, 0}; // no value
  }
  const bool invert = rule.invert;
  const auto passes = KOKKOS_LAMBDA(std::int64_t cell) {
    const T value = values[cell];
    return value == value && bounds.contains(value) != invert;
  };
  selectCells<ExecutionSpace, Dim>(context, set, passes, out);
}

template <class ExecutionSpace, class T, int Dim>
void selectByMagnitude(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const FieldView<const T>& values, const ThresholdRule& rule, geometry::IntervalSetOn<Dim, ExecutionSpace>& out) {
  geometry::ValueBounds<double> bounds{};
  setBounds(rule.range, bounds);
  const bool invert = rule.invert;
  const auto passes = KOKKOS_LAMBDA(std::int64_t cell) {
    double magnitude = Kokkos::abs(static_cast<double>(values(cell)));
    if (values.numComponents > 1) {
      double squares = 0.0;
      for (int c = 0; c < values.numComponents; ++c) {
        const auto value = static_cast<double>(values(cell, c));
        squares += value * value;
      }
      magnitude = Kokkos::sqrt(squares);
    }
    return magnitude == magnitude && bounds.contains(magnitude) != invert;
  };
  selectCells<ExecutionSpace, Dim>(context, set, passes, out);
}

} // namespace

template <class ExecutionSpace, class T, int Dim>
void threshold(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const FieldOn<T, ExecutionSpace>& field, const ThresholdRule& rule,
  geometry::IntervalSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Field::threshold");
  checkCells(field, set.numCells(), "its set");
  checkRange(rule.range);
  if (rule.component == ThresholdRule::magnitude) {
    selectByMagnitude<ExecutionSpace, T, Dim>(context, set, field.view(), rule, out);
    return;
  }
  checkComponent(field, rule.component);
  const FieldView<const T> values = field.view();
  if (values.isInColumns()) {
    selectBy<T, ExecutionSpace, Dim>(context, set, values.address(0, rule.component), rule, out);
  } else {
    selectBy<T, ExecutionSpace, Dim>(context, set, Component<T>{values, rule.component}, rule, out);
  }
}

template <class T, class ExecutionSpace, int Dim>
void selectByValue(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  const Kokkos::View<const T*, typename ExecutionSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>& values,
  const geometry::ValueRange& range, bool invert, geometry::IntervalSetOn<Dim, ExecutionSpace>& out) {
  SPANWISE_REGION("Field::selectByValue");
  checkRange(range);
  if (static_cast<std::int64_t>(values.extent(0)) != set.numCells()) {
    throw InvalidArgument("there are " + std::to_string(values.extent(0)) + " values for the " +
      std::to_string(set.numCells()) + " cells of the set; there must be one a cell");
  }
  selectBy<T, ExecutionSpace, Dim>(context, set, values.data(), ThresholdRule{range, 0, invert}, out);
}

#define SPANWISE_THRESHOLD_OF(T, Space, Dim)                                                                           \
  template void threshold<Space, T, Dim>(const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&,            \
    const FieldOn<T, Space>&, const ThresholdRule&, geometry::IntervalSetOn<Dim, Space>&);
#define SPANWISE_SELECT_BY_VALUE(T, Space, Dim)                                                                        \
  template void selectByValue<T, Space, Dim>(const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&,        \
    const Kokkos::View<const T*, Space::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>&,                       \
    const geometry::ValueRange&, bool, geometry::IntervalSetOn<Dim, Space>&);
#define SPANWISE_THRESHOLD(Space, Dim)                                                                                 \
  SPANWISE_FOR_EACH_FIELD_TYPE(SPANWISE_THRESHOLD_OF, Space, Dim)                                                      \
  SPANWISE_FOR_EACH_ARRAY_TYPE(SPANWISE_SELECT_BY_VALUE, Space, Dim)
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_THRESHOLD)

} // namespace spanwise::field
