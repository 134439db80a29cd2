#include "Core/Field/Arithmetic.hpp"

#include "Core/Field/Checks.hpp"
#include "Core/Field/ForCells.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::field {

namespace {

// Signed integers would overflow; unsigned ones have the same bits and do not. uint8 is widened by itself.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T sum(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
  } else {
    return a + b;
  }
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T product(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) * static_cast<std::make_unsigned_t<T>>(b));
  } else {
    return a * b;
  }
}

// What becomes of a value, by what it was and the values of the other fields.

template <class T>
struct Fill {
  T value;
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T /*before*/) const { return value; }
};

template <class T>
struct Scale {
  T factor;
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T before) const { return product(factor, before); }
};

template <class T>
struct CopyValue {
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T /*before*/, T x) const { return x; }
};

template <class T>
struct Axpy {
  T factor;
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T before, T x) const { return sum(product(factor, x), before); }
};

template <class T>
struct Add {
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T /*before*/, T x, T y) const { return sum(x, y); }
};

template <class T>
struct Multiply {
  KOKKOS_FORCEINLINE_FUNCTION T operator()(T /*before*/, T x, T y) const { return product(x, y); }
};

/// A function of `numIn` fields on the cells first ... last - 1: one piece after the other in which the values of each
/// field are at equal distances, and one component after the other.
template <class T, int numIn, class Function>
struct OnCells {
  Function function;
  FieldView<T> out;
  FieldView<const T> x{};
  FieldView<const T> y{};

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    if (out.isInColumns() && x.isInColumns() && y.isInColumns()) { // runs of regions are short: 1.2 times as fast
      for (int c = 0; c < out.numComponents; ++c) {
        onColumns(last - first, column(out, first, c), column(x, first, c), column(y, first, c));
      }
      return;
    }
    const bool unit = out.cellStride == 1 && x.cellStride == 1 && y.cellStride == 1; // 1 where there is no field
    while (first < last) {
      first = unit ? onPiece<true>(first, last) : onPiece<false>(first, last);
    }
  }

  template <class Value>
  static KOKKOS_FORCEINLINE_FUNCTION Value* column(const FieldView<Value>& field, std::int64_t cell, int c) {
    return field.values == nullptr ? nullptr : field.values + (c * field.componentStride + cell);
  }

  template <bool unit>
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t onPiece(std::int64_t first, std::int64_t last) const {
    const FieldPiece<T> to = out.piece(first);
    FieldPiece<const T> a{};
    FieldPiece<const T> b{};
    std::int64_t end = Kokkos::min(last, to.end);
    if constexpr (numIn > 0) {
      a = x.piece(first);
      end = Kokkos::min(end, a.end);
    }
    if constexpr (numIn > 1) {
      b = y.piece(first);
      end = Kokkos::min(end, b.end);
    }
    for (int c = 0; c < out.numComponents; ++c) {
      onColumns(
        end - first, to.template component<unit>(c), a.template component<unit>(c), b.template component<unit>(c));
    }
    return end;
  }

  template <class To, class From>
  KOKKOS_FORCEINLINE_FUNCTION void onColumns(std::int64_t count, const To& to, const From& a, const From& b) const {
    const Function f = function;
    SPANWISE_INDEPENDENT
    for (std::int64_t k = 0; k < count; ++k) {
      if constexpr (numIn == 0) {
        to[k] = f(to[k]);
      } else if constexpr (numIn == 1) {
        to[k] = f(to[k], a[k]);
      } else {
        to[k] = f(to[k], a[k], b[k]);
      }
    }
  }
};

} // namespace

template <class ExecutionSpace, class T>
void fill(const Context<ExecutionSpace>& context, FieldOn<T, ExecutionSpace>& x, std::type_identity_t<T> value,
  const Within<typename ExecutionSpace::memory_space>& within) {
  SPANWISE_REGION("Field::fill");
  checkWithin(x, within);
  forCells(context.space(), SPANWISE_KERNEL("fill"), x.numCells(), within, OnCells<T, 0, Fill<T>>{{value}, x.view()});
}

template <class ExecutionSpace, class T>
void scale(const Context<ExecutionSpace>& context, std::type_identity_t<T> factor, FieldOn<T, ExecutionSpace>& x,
  const Within<typename ExecutionSpace::memory_space>& within) {
  SPANWISE_REGION("Field::scale");
  checkWithin(x, within);
  forCells(
    context.space(), SPANWISE_KERNEL("scale"), x.numCells(), within, OnCells<T, 0, Scale<T>>{{factor}, x.view()});
}

template <class ExecutionSpace, class T>
void copyValues(const Context<ExecutionSpace>& context, const FieldOn<T, ExecutionSpace>& x,
  FieldOn<T, ExecutionSpace>& y, const Within<typename ExecutionSpace::memory_space>& within) {
  SPANWISE_REGION("Field::copyValues");
  checkSameShape(x, y);
  checkWithin(x, within);
  forCells(context.space(), SPANWISE_KERNEL("copy"), x.numCells(), within,
    OnCells<T, 1, CopyValue<T>>{{}, y.view(), x.view()});
}

template <class ExecutionSpace, class T>
void axpy(const Context<ExecutionSpace>& context, std::type_identity_t<T> factor, const FieldOn<T, ExecutionSpace>& x,
  FieldOn<T, ExecutionSpace>& y, const Within<typename ExecutionSpace::memory_space>& within) {
  SPANWISE_REGION("Field::axpy");
  checkSameShape(x, y);
  checkWithin(x, within);
  forCells(context.space(), SPANWISE_KERNEL("axpy"), x.numCells(), within,
    OnCells<T, 1, Axpy<T>>{{factor}, y.view(), x.view()});
}

template <class ExecutionSpace, class T>
void add(const Context<ExecutionSpace>& context, const FieldOn<T, ExecutionSpace>& x,
  const FieldOn<T, ExecutionSpace>& y, FieldOn<T, ExecutionSpace>& out,
  const Within<typename ExecutionSpace::memory_space>& within) {
  SPANWISE_REGION("Field::add");
  checkSameShape(x, y);
  checkSameShape(x, out);
  checkWithin(x, within);
  forCells(context.space(), SPANWISE_KERNEL("add"), x.numCells(), within,
    OnCells<T, 2, Add<T>>{{}, out.view(), x.view(), y.view()});
}

template <class ExecutionSpace, class T>
void multiply(const Context<ExecutionSpace>& context, const FieldOn<T, ExecutionSpace>& x,
  const FieldOn<T, ExecutionSpace>& y, FieldOn<T, ExecutionSpace>& out,
  const Within<typename ExecutionSpace::memory_space>& within) {
  SPANWISE_REGION("Field::multiply");
  checkSameShape(x, y);
  checkSameShape(x, out);
  checkWithin(x, within);
  forCells(context.space(), SPANWISE_KERNEL("multiply"), x.numCells(), within,
    OnCells<T, 2, Multiply<T>>{{}, out.view(), x.view(), y.view()});
}

#define SPANWISE_ARITHMETIC_OF(T, Space)                                                                               \
  template void fill<Space, T>(const Context<Space>&, FieldOn<T, Space>&, T, const Within<Space::memory_space>&);      \
  template void scale<Space, T>(const Context<Space>&, T, FieldOn<T, Space>&, const Within<Space::memory_space>&);     \
  template void copyValues<Space, T>(                                                                                  \
    const Context<Space>&, const FieldOn<T, Space>&, FieldOn<T, Space>&, const Within<Space::memory_space>&);          \
  template void axpy<Space, T>(                                                                                        \
    const Context<Space>&, T, const FieldOn<T, Space>&, FieldOn<T, Space>&, const Within<Space::memory_space>&);       \
  template void add<Space, T>(const Context<Space>&, const FieldOn<T, Space>&, const FieldOn<T, Space>&,               \
    FieldOn<T, Space>&, const Within<Space::memory_space>&);                                                           \
  template void multiply<Space, T>(const Context<Space>&, const FieldOn<T, Space>&, const FieldOn<T, Space>&,          \
    FieldOn<T, Space>&, const Within<Space::memory_space>&);
#define SPANWISE_ARITHMETIC(Space) SPANWISE_FOR_EACH_FIELD_TYPE(SPANWISE_ARITHMETIC_OF, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_ARITHMETIC)

} // namespace spanwise::field
