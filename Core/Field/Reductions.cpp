#include "Core/Field/Reductions.hpp"

#include "Core/Field/Checks.hpp"
#include "Core/Field/ForCells.hpp"
#include "Core/Runtime/Context.hpp"

#include <Kokkos_Core.hpp>

#include <cmath>
#include <limits>

namespace spanwise::field {

namespace {

using namespace detail;

// Sums in so many lanes, which are then added in a fixed order: one after the other each addition would wait for the
// one before, and the compiler may not change the order.
constexpr int lanes = 8;

// Integers are added modulo 2^64: unsigned, since signed ones must not overflow.
template <class Sum>
using SummedIn = std::conditional_t<std::is_integral_v<Sum>, std::uint64_t, double>;

// What is summed, of one value or of the values of two fields.

template <class T>
struct Value {
  using Sum = SummedIn<SumOf<T>>;
  KOKKOS_FORCEINLINE_FUNCTION Sum operator()(T x) const { return static_cast<Sum>(x); }
};

template <class T>
struct Product {
  using Sum = SummedIn<SumOf<T>>;
  KOKKOS_FORCEINLINE_FUNCTION Sum operator()(T x, T y) const { return static_cast<Sum>(x) * static_cast<Sum>(y); }
};

template <class T>
KOKKOS_FORCEINLINE_FUNCTION double magnitudeOf(T value) {
  return Kokkos::abs(static_cast<double>(value));
}

template <class T>
struct Magnitude {
  using Sum = double;
  KOKKOS_FORCEINLINE_FUNCTION double operator()(T x) const { return magnitudeOf(x); }
};

/// 1 where a value is not 0, NaN where it is NaN.
template <class T>
struct NonZero {
  using Sum = double;
  KOKKOS_FORCEINLINE_FUNCTION double operator()(T x) const {
    const auto value = static_cast<double>(x);
    return value == value ? static_cast<double>(value != 0.0) : value;
  }
};

template <class T>
struct Square {
  using Sum = double;
  KOKKOS_FORCEINLINE_FUNCTION double operator()(T x) const {
    const auto value = static_cast<double>(x);
    return value * value;
  }
};

/// The sum of terms over the cells of a range and the components [firstComponent, endComponent), of x alone or of x and
/// y. The order of additions does not depend on the layouts of the fields.
template <class T, class Term, bool hasY>
struct SumTerms {
  using Sum = typename Term::Sum;
  using value_type = Sum;
  FieldView<const T> x;
  FieldView<const T> y;
  int firstComponent;
  int endComponent;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last, Sum& value) const {
    const bool inColumns = x.isInColumns() && y.isInColumns();
    for (int c = firstComponent; c < endComponent; ++c) {
      if (last - first == 1) { // as on devices
        value += term(x.address(first, c), y.address(first, hasY ? c : 0), 0);
        continue;
      }
      value += inColumns ? ofColumns(first, last, c) : ofPieces(first, last, c);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION Sum ofColumns(std::int64_t first, std::int64_t last, int c) const {
    const T* const a = x.values + c * x.componentStride;
    const T* const b = y.values + (hasY ? c : 0) * y.componentStride;
    Sum partial[lanes] = {};
    addAligned(a, b, first, last, partial);
    return sumOfLanes(partial);
  }

  KOKKOS_FUNCTION Sum ofPieces(std::int64_t first, std::int64_t last, int c) const {
    const bool unit = x.cellStride == 1 && y.cellStride == 1;
    Sum partial[lanes] = {};
    for (std::int64_t k = first; k < last;) {
      k = unit ? addPiece<true>(first, k, last, c, partial) : addPiece<false>(first, k, last, c, partial);
    }
    return sumOfLanes(partial);
  }

  KOKKOS_FORCEINLINE_FUNCTION static Sum sumOfLanes(const Sum (&partial)[lanes]) {
    return ((partial[0] + partial[4]) + (partial[2] + partial[6])) +
      ((partial[1] + partial[5]) + (partial[3] + partial[7]));
  }

  template <class Column>
  KOKKOS_FORCEINLINE_FUNCTION static Sum term(const Column a, const Column b, std::int64_t k) {
    if constexpr (hasY) {
      return Term()(a[k], b[k]);
    } else {
      return Term()(a[k]);
    }
  }

  /// Adds the terms of the cells from `begin` on that are in one piece, up to `last`, and returns where that ends. Cell
  /// `first` is in lane 0.
  template <bool unit>
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t addPiece(
    std::int64_t first, std::int64_t begin, std::int64_t last, int c, Sum (&partial)[lanes]) const {
    const FieldPiece<const T> ofX = x.piece(begin);
    const FieldPiece<const T> ofY = y.piece(begin);
    const std::int64_t end = Kokkos::min(last, Kokkos::min(ofX.end, ofY.end));
    const auto a = ofX.template component<unit>(c);
    const auto b = ofY.template component<unit>(hasY ? c : 0);
    const std::int64_t count = end - begin;
    const std::int64_t place = begin - first;
    std::int64_t k = 0;
    for (; k < count && (place + k) % lanes != 0; ++k) {
      partial[(place + k) % lanes] += term(a, b, k);
    }
    addAligned(a, b, k, count, partial);
    return end;
  }

  /// Adds the terms of the cells [k, end), of which the first is in lane 0.
  template <class Column>
  KOKKOS_FORCEINLINE_FUNCTION static void addAligned(
    const Column a, const Column b, std::int64_t k, std::int64_t end, Sum (&partial)[lanes]) {
    for (; k + lanes <= end; k += lanes) {
      for (int lane = 0; lane < lanes; ++lane) {
        partial[lane] += term(a, b, k + lane);
      }
    }
    for (int lane = 0; k < end; ++k, ++lane) {
      partial[lane] += term(a, b, k);
    }
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
    while (first < last) {
      const FieldPiece<const T> piece = x.piece(first);
      const std::int64_t end = Kokkos::min(last, piece.end);
      for (int c = 0; c < x.numComponents; ++c) {
        if (piece.cellStride == 1) {
          find(piece.template component<true>(c), end - first, value);
        } else {
          find(piece.template component<false>(c), end - first, value);
        }
      }
      first = end;
    }
  }

  template <class Column>
  KOKKOS_FORCEINLINE_FUNCTION void find(const Column& a, std::int64_t count, Largest& value) const {
    double largest = 0.0;
    std::int64_t nans = 0;
    for (std::int64_t k = 0; k < count; ++k) {
      const double magnitude = magnitudeOf(a[k]);
      largest = magnitude > largest ? magnitude : largest;
      nans += static_cast<std::int64_t>(magnitude != magnitude);
    }
    join(value, {largest, nans > 0});
  }
};

template <class T>
struct FindExtrema {
  using value_type = Extrema<T>;
  FieldView<const T> x;
  int component;

  KOKKOS_FUNCTION void init(Extrema<T>& value) const { value = {}; }
  KOKKOS_FUNCTION void join(Extrema<T>& value, const Extrema<T>& other) const {
    if (other.cellOfMin < 0) {
      return;
    }
    if (value.cellOfMin < 0 || other.min < value.min || (other.min == value.min && other.cellOfMin < value.cellOfMin)) {
      value.min = other.min;
      value.cellOfMin = other.cellOfMin;
    }
    if (value.cellOfMax < 0 || other.max > value.max || (other.max == value.max && other.cellOfMax < value.cellOfMax)) {
      value.max = other.max;
      value.cellOfMax = other.cellOfMax;
    }
  }
  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last, Extrema<T>& value) const {
    while (first < last) {
      const FieldPiece<const T> piece = x.piece(first);
      const std::int64_t end = Kokkos::min(last, piece.end);
      if (piece.cellStride == 1) {
        find(piece.template component<true>(component), first, end - first, value);
      } else {
        find(piece.template component<false>(component), first, end - first, value);
      }
      first = end;
    }
  }

  template <class Column>
  KOKKOS_FORCEINLINE_FUNCTION void find(
    const Column& values, std::int64_t cell, std::int64_t count, Extrema<T>& value) const {
    std::int64_t k = 0;
    for (; k < count && values[k] != values[k]; ++k) { // NaN is neither
    }
    if (k == count) {
      return;
    }
    Extrema<T> found{values[k], values[k], cell + k, cell + k};
    for (++k; k < count; ++k) {
      if (values[k] < found.min) {
        found.min = values[k];
        found.cellOfMin = cell + k;
      }
      if (values[k] > found.max) {
        found.max = values[k];
        found.cellOfMax = cell + k;
      }
    }
    join(value, found);
  }
};

/// Which components are summed.
struct ComponentRange {
  int begin;
  int end;
};

template <class Result, class Term, bool hasY, class Space, class T>
Result sumOf(const Space& space, const char* label, const FieldView<const T>& x, const FieldView<const T>& y,
  const ComponentRange& components, const Within<typename Space::memory_space>& within) {
  typename Term::Sum result{};
  reduceCells(
    space, label, x.numCells, within, SumTerms<T, Term, hasY>{x, y, components.begin, components.end}, result);
  return static_cast<Result>(result);
}

/// The sum over all components.
template <class Term, class Space, class T>
double sumOfAll(const Space& space, const char* label, const FieldView<const T>& x,
  const Within<typename Space::memory_space>& within) {
  return sumOf<double, Term, false>(space, label, x, x, {0, x.numComponents}, within);
}

} // namespace

template <class ExecutionSpace, class T>
SumOf<T> sum(const Context<ExecutionSpace>& context, const FieldOn<T, ExecutionSpace>& x, int component,
  const Within<typename ExecutionSpace::memory_space>& within) {
  SPANWISE_REGION("Field::sum");
  checkComponent(x, component);
  checkWithin(x, within);
  return sumOf<SumOf<T>, Value<T>, false>(
    context.space(), SPANWISE_KERNEL("sum"), x.view(), x.view(), {component, component + 1}, within);
}

template <class ExecutionSpace, class T>
SumOf<T> dot(const Context<ExecutionSpace>& context, const FieldOn<T, ExecutionSpace>& x,
  const FieldOn<T, ExecutionSpace>& y, const Within<typename ExecutionSpace::memory_space>& within) {
  SPANWISE_REGION("Field::dot");
  checkSameShape(x, y);
  checkWithin(x, within);
  return sumOf<SumOf<T>, Product<T>, true>(
    context.space(), SPANWISE_KERNEL("dot"), x.view(), y.view(), {0, x.numComponents()}, within);
}

template <class ExecutionSpace, class T>
double norm(const Context<ExecutionSpace>& context, Norm kind, const FieldOn<T, ExecutionSpace>& x,
  const Within<typename ExecutionSpace::memory_space>& within) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Field::norm");
  checkWithin(x, within);
  if (kind == Norm::L0) {
    return sumOfAll<NonZero<T>>(space, SPANWISE_KERNEL("norm L0"), x.view(), within);
  }
  if (kind == Norm::L1) {
    return sumOfAll<Magnitude<T>>(space, SPANWISE_KERNEL("norm L1"), x.view(), within);
  }
  if (kind == Norm::L2) {
    return std::sqrt(sumOfAll<Square<T>>(space, SPANWISE_KERNEL("norm L2"), x.view(), within));
  }
  Largest largest{};
  reduceCells(space, SPANWISE_KERNEL("norm Linf"), x.numCells(), within, FindLargest<T>{x.view()}, largest);
  return largest.hasNan ? std::numeric_limits<double>::quiet_NaN() : largest.magnitude;
}

template <class ExecutionSpace, class T>
Extrema<T> extrema(const Context<ExecutionSpace>& context, const FieldOn<T, ExecutionSpace>& x, int component,
  const Within<typename ExecutionSpace::memory_space>& within) {
  SPANWISE_REGION("Field::extrema");
  checkComponent(x, component);
  checkWithin(x, within);
  Extrema<T> result;
  reduceCells(
    context.space(), SPANWISE_KERNEL("extrema"), x.numCells(), within, FindExtrema<T>{x.view(), component}, result);
  return result;
}

#define SPANWISE_REDUCTIONS_OF(T, Space)                                                                               \
  template SumOf<T> sum<Space, T>(                                                                                     \
    const Context<Space>&, const FieldOn<T, Space>&, int, const Within<Space::memory_space>&);                         \
  template SumOf<T> dot<Space, T>(                                                                                     \
    const Context<Space>&, const FieldOn<T, Space>&, const FieldOn<T, Space>&, const Within<Space::memory_space>&);    \
  template double norm<Space, T>(                                                                                      \
    const Context<Space>&, Norm, const FieldOn<T, Space>&, const Within<Space::memory_space>&);                        \
  template Extrema<T> extrema<Space, T>(                                                                               \
    const Context<Space>&, const FieldOn<T, Space>&, int, const Within<Space::memory_space>&);
#define SPANWISE_REDUCTIONS(Space) SPANWISE_FOR_EACH_FIELD_TYPE(SPANWISE_REDUCTIONS_OF, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_REDUCTIONS)

} // namespace spanwise::field
