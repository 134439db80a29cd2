#include "Core/Field/Reductions.hpp"

#include "Core/Field/Checks.hpp"
#include "Core/Field/ForCells.hpp"

#include <Kokkos_Core.hpp>

#include <cmath>
#include <limits>

namespace spanwise {

namespace {

using namespace detail;

// Sums in so many lanes, which are then added in a fixed order: one after the other each addition would wait for the
// one before, and the compiler may not change the order.
constexpr int lanes = 8;

// Integers are added modulo 2^64: unsigned, since signed ones must not overflow.
template <class Sum>
using SummedIn = std::conditional_t<std::is_integral_v<Sum>, std::uint64_t, double>;

/// The sum of terms over the cells of a range and the components [firstComponent, endComponent).
template <class Terms, class Sum>
struct SumTerms {
  using value_type = Sum;
  Terms terms;
  int firstComponent;
  int endComponent;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last, Sum& value) const {
    for (int c = firstComponent; c < endComponent; ++c) {
      const auto term = terms.ofComponent(c);
      if (last - first == 1) { // as on devices
        value += term(first);
        continue;
      }
      Sum partial[lanes] = {};
      std::int64_t k = first;
      for (; k + lanes <= last; k += lanes) {
        for (int lane = 0; lane < lanes; ++lane) {
          partial[lane] += term(k + lane);
        }
      }
      for (int lane = 0; k < last; ++k, ++lane) {
        partial[lane] += term(k);
      }
      value += ((partial[0] + partial[4]) + (partial[2] + partial[6])) +
        ((partial[1] + partial[5]) + (partial[3] + partial[7]));
    }
  }
};

template <class T>
KOKKOS_FORCEINLINE_FUNCTION double magnitudeOf(T value) {
  return Kokkos::abs(static_cast<double>(value));
}

template <class T>
struct Values {
  FieldView<const T> x;
  [[nodiscard]] KOKKOS_FUNCTION auto ofComponent(int c) const {
    return [a = x.component[c]](std::int64_t k) { return static_cast<SummedIn<SumOf<T>>>(a[k]); };
  }
};

template <class T>
struct Products {
  FieldView<const T> x;
  FieldView<const T> y;
  [[nodiscard]] KOKKOS_FUNCTION auto ofComponent(int c) const {
    return [a = x.component[c], b = y.component[c]](std::int64_t k) {
      using Sum = SummedIn<SumOf<T>>;
      return static_cast<Sum>(a[k]) * static_cast<Sum>(b[k]);
    };
  }
};

template <class T>
struct Magnitudes {
  FieldView<const T> x;
  [[nodiscard]] KOKKOS_FUNCTION auto ofComponent(int c) const {
    return [a = x.component[c]](std::int64_t k) { return magnitudeOf(a[k]); };
  }
};

/// 1 where a value is not 0, NaN where it is NaN.
template <class T>
struct NonZeros {
  FieldView<const T> x;
  [[nodiscard]] KOKKOS_FUNCTION auto ofComponent(int c) const {
    return [a = x.component[c]](std::int64_t k) {
      const auto value = static_cast<double>(a[k]);
      return value == value ? static_cast<double>(value != 0.0) : value;
    };
  }
};

template <class T>
struct Squares {
  FieldView<const T> x;
  [[nodiscard]] KOKKOS_FUNCTION auto ofComponent(int c) const {
    return [a = x.component[c]](std::int64_t k) {
      const auto value = static_cast<double>(a[k]);
      return value * value;
    };
  }
};

/// The largest magnitude, and whether there is a NaN, which no comparison sees.
struct Largest {
  double magnitude;
  bool hasNan;
};

template <class T>
struct FindLargest {
  using value_type = Largest;
  FieldView<const T> x;

  KOKKOS_FUNCTION void init(Largest& value) const { value = {0.0, false}; }
  KOKKOS_FUNCTION void join(Largest& value, const Largest& other) const {
    value = {Kokkos::max(value.magnitude, other.magnitude), value.hasNan || other.hasNan};
  }
  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last, Largest& value) const {
    for (int c = 0; c < x.numComponents; ++c) {
      const T* const a = x.component[c];
      double largest = 0.0;
      std::int64_t nans = 0;
      for (std::int64_t k = first; k < last; ++k) {
        const double magnitude = magnitudeOf(a[k]);
        largest = magnitude > largest ? magnitude : largest;
        nans += static_cast<std::int64_t>(magnitude != magnitude);
      }
      join(value, {largest, nans > 0});
    }
  }
};

template <class T>
struct FindExtrema {
  using value_type = Extrema<T>;
  const T* values;

  KOKKOS_FUNCTION void init(Extrema<T>& value) const { value = {}; }
  KOKKOS_FUNCTION void join(Extrema<T>& value, const Extrema<T>& other) const {
    if (other.cellOfLeast < 0) {
      return;
    }
    if (value.cellOfLeast < 0 || other.least < value.least ||
      (other.least == value.least && other.cellOfLeast < value.cellOfLeast)) {
      value.least = other.least;
      value.cellOfLeast = other.cellOfLeast;
    }
    if (value.cellOfGreatest < 0 || other.greatest > value.greatest ||
      (other.greatest == value.greatest && other.cellOfGreatest < value.cellOfGreatest)) {
      value.greatest = other.greatest;
      value.cellOfGreatest = other.cellOfGreatest;
    }
  }
  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last, Extrema<T>& value) const {
    Extrema<T> found;
    for (; first < last && values[first] != values[first]; ++first) { // NaN is neither
    }
    if (first == last) {
      return;
    }
    found = {values[first], values[first], first, first};
    for (std::int64_t k = first + 1; k < last; ++k) {
      if (values[k] < found.least) {
        found.least = values[k];
        found.cellOfLeast = k;
      }
      if (values[k] > found.greatest) {
        found.greatest = values[k];
        found.cellOfGreatest = k;
      }
    }
    join(value, found);
  }
};

template <class Sum, class Space, class Terms>
Sum sumOf(const Space& space, const char* label, std::int64_t numCells,
  const Within<typename Space::memory_space>& within, int firstComponent, int endComponent, const Terms& terms) {
  SummedIn<Sum> result{};
  reduceCells(
    space, label, numCells, within, SumTerms<Terms, SummedIn<Sum>>{terms, firstComponent, endComponent}, result);
  return static_cast<Sum>(result);
}

} // namespace

template <class ExecutionSpace, class T>
SumOf<T> sum(const ExecutionSpace& space, const FieldOn<T, ExecutionSpace>& x, int component,
  const Within<typename ExecutionSpace::memory_space>& within) {
  SPANWISE_REGION("Field::sum");
  checkComponent(x, component);
  checkWithin(x, within);
  return sumOf<SumOf<T>>(
    space, SPANWISE_KERNEL("sum"), x.numCells(), within, component, component + 1, Values<T>{x.view()});
}

template <class ExecutionSpace, class T>
SumOf<T> dot(const ExecutionSpace& space, const FieldOn<T, ExecutionSpace>& x, const FieldOn<T, ExecutionSpace>& y,
  const Within<typename ExecutionSpace::memory_space>& within) {
  SPANWISE_REGION("Field::dot");
  checkSameShape(x, y);
  checkWithin(x, within);
  return sumOf<SumOf<T>>(
    space, SPANWISE_KERNEL("dot"), x.numCells(), within, 0, x.numComponents(), Products<T>{x.view(), y.view()});
}

template <class ExecutionSpace, class T>
double norm(const ExecutionSpace& space, Norm kind, const FieldOn<T, ExecutionSpace>& x,
  const Within<typename ExecutionSpace::memory_space>& within) {
  SPANWISE_REGION("Field::norm");
  checkWithin(x, within);
  if (kind == Norm::L0) {
    return sumOf<double>(
      space, SPANWISE_KERNEL("norm L0"), x.numCells(), within, 0, x.numComponents(), NonZeros<T>{x.view()});
  }
  if (kind == Norm::L1) {
    return sumOf<double>(
      space, SPANWISE_KERNEL("norm L1"), x.numCells(), within, 0, x.numComponents(), Magnitudes<T>{x.view()});
  }
  if (kind == Norm::L2) {
    return std::sqrt(sumOf<double>(
      space, SPANWISE_KERNEL("norm L2"), x.numCells(), within, 0, x.numComponents(), Squares<T>{x.view()}));
  }
  Largest largest{};
  reduceCells(space, SPANWISE_KERNEL("norm Linf"), x.numCells(), within, FindLargest<T>{x.view()}, largest);
  return largest.hasNan ? std::numeric_limits<double>::quiet_NaN() : largest.magnitude;
}

template <class ExecutionSpace, class T>
Extrema<T> extrema(const ExecutionSpace& space, const FieldOn<T, ExecutionSpace>& x, int component,
  const Within<typename ExecutionSpace::memory_space>& within) {
  SPANWISE_REGION("Field::extrema");
  checkComponent(x, component);
  checkWithin(x, within);
  Extrema<T> result;
  reduceCells(
    space, SPANWISE_KERNEL("extrema"), x.numCells(), within, FindExtrema<T>{x.view().component[component]}, result);
  return result;
}

#define SPANWISE_REDUCTIONS_OF(T, Space)                                                                               \
  template SumOf<T> sum<Space, T>(const Space&, const FieldOn<T, Space>&, int, const Within<Space::memory_space>&);    \
  template SumOf<T> dot<Space, T>(                                                                                     \
    const Space&, const FieldOn<T, Space>&, const FieldOn<T, Space>&, const Within<Space::memory_space>&);             \
  template double norm<Space, T>(const Space&, Norm, const FieldOn<T, Space>&, const Within<Space::memory_space>&);    \
  template Extrema<T> extrema<Space, T>(                                                                               \
    const Space&, const FieldOn<T, Space>&, int, const Within<Space::memory_space>&);
#define SPANWISE_REDUCTIONS(Space) SPANWISE_FOR_EACH_FIELD_TYPE(SPANWISE_REDUCTIONS_OF, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_REDUCTIONS)

} // namespace spanwise
