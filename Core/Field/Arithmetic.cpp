#include "Core/Field/Arithmetic.hpp"

#include "Core/Field/Checks.hpp"
#include "Core/Field/ForCells.hpp"

namespace spanwise {

namespace {

using namespace detail;

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

template <class T>
struct Fill {
  FieldView<T> out;
  T value;

  [[nodiscard]] KOKKOS_FUNCTION auto ofComponent(int c) const {
    return [to = out.component[c], v = value](std::int64_t k) { to[k] = v; };
  }
};

template <class T>
struct Scale {
  FieldView<T> out;
  T factor;

  [[nodiscard]] KOKKOS_FUNCTION auto ofComponent(int c) const {
    return [to = out.component[c], f = factor](std::int64_t k) { to[k] = product(f, to[k]); };
  }
};

template <class T>
struct CopyValues {
  FieldView<const T> x;
  FieldView<T> out;

  [[nodiscard]] KOKKOS_FUNCTION auto ofComponent(int c) const {
    return [from = x.component[c], to = out.component[c]](std::int64_t k) { to[k] = from[k]; };
  }
};

template <class T>
struct Axpy {
  FieldView<const T> x;
  FieldView<T> out;
  T factor;

  [[nodiscard]] KOKKOS_FUNCTION auto ofComponent(int c) const {
    return [from = x.component[c], to = out.component[c], f = factor](
             std::int64_t k) { to[k] = sum(product(f, from[k]), to[k]); };
  }
};

template <class T>
struct Add {
  FieldView<const T> x;
  FieldView<const T> y;
  FieldView<T> out;

  [[nodiscard]] KOKKOS_FUNCTION auto ofComponent(int c) const {
    return [a = x.component[c], b = y.component[c], to = out.component[c]](std::int64_t k) { to[k] = sum(a[k], b[k]); };
  }
};

template <class T>
struct Multiply {
  FieldView<const T> x;
  FieldView<const T> y;
  FieldView<T> out;

  [[nodiscard]] KOKKOS_FUNCTION auto ofComponent(int c) const {
    return
      [a = x.component[c], b = y.component[c], to = out.component[c]](std::int64_t k) { to[k] = product(a[k], b[k]); };
  }
};

/// An operation on the cells first ... last - 1, one component after the other.
template <class Operation>
struct OnCells {
  Operation operation;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    for (int c = 0; c < operation.out.numComponents; ++c) {
      const auto ofCell = operation.ofComponent(c);
      SPANWISE_INDEPENDENT
      for (std::int64_t k = first; k < last; ++k) {
        ofCell(k);
      }
    }
  }
};

template <class ExecutionSpace, class Operation>
void apply(const ExecutionSpace& space, const char* label, const Within<typename ExecutionSpace::memory_space>& within,
  const Operation& operation) {
  forCells(space, label, operation.out.numCells, within, OnCells<Operation>{operation});
}

} // namespace

template <class ExecutionSpace, class T>
void fill(const ExecutionSpace& space, FieldOn<T, ExecutionSpace>& x, std::type_identity_t<T> value,
  const Within<typename ExecutionSpace::memory_space>& within) {
  SPANWISE_REGION("Field::fill");
  checkWithin(x, within);
  apply(space, SPANWISE_KERNEL("fill"), within, Fill<T>{x.view(), value});
}

template <class ExecutionSpace, class T>
void scale(const ExecutionSpace& space, std::type_identity_t<T> factor, FieldOn<T, ExecutionSpace>& x,
  const Within<typename ExecutionSpace::memory_space>& within) {
  SPANWISE_REGION("Field::scale");
  checkWithin(x, within);
  apply(space, SPANWISE_KERNEL("scale"), within, Scale<T>{x.view(), factor});
}

template <class ExecutionSpace, class T>
void copyValues(const ExecutionSpace& space, const FieldOn<T, ExecutionSpace>& x, FieldOn<T, ExecutionSpace>& y,
  const Within<typename ExecutionSpace::memory_space>& within) {
  SPANWISE_REGION("Field::copyValues");
  checkSameShape(x, y);
  checkWithin(x, within);
  apply(space, SPANWISE_KERNEL("copy"), within, CopyValues<T>{x.view(), y.view()});
}

template <class ExecutionSpace, class T>
void axpy(const ExecutionSpace& space, std::type_identity_t<T> factor, const FieldOn<T, ExecutionSpace>& x,
  FieldOn<T, ExecutionSpace>& y, const Within<typename ExecutionSpace::memory_space>& within) {
  SPANWISE_REGION("Field::axpy");
  checkSameShape(x, y);
  checkWithin(x, within);
  apply(space, SPANWISE_KERNEL("axpy"), within, Axpy<T>{x.view(), y.view(), factor});
}

template <class ExecutionSpace, class T>
void add(const ExecutionSpace& space, const FieldOn<T, ExecutionSpace>& x, const FieldOn<T, ExecutionSpace>& y,
  FieldOn<T, ExecutionSpace>& out, const Within<typename ExecutionSpace::memory_space>& within) {
  SPANWISE_REGION("Field::add");
  checkSameShape(x, y);
  checkSameShape(x, out);
  checkWithin(x, within);
  apply(space, SPANWISE_KERNEL("add"), within, Add<T>{x.view(), y.view(), out.view()});
}

template <class ExecutionSpace, class T>
void multiply(const ExecutionSpace& space, const FieldOn<T, ExecutionSpace>& x, const FieldOn<T, ExecutionSpace>& y,
  FieldOn<T, ExecutionSpace>& out, const Within<typename ExecutionSpace::memory_space>& within) {
  SPANWISE_REGION("Field::multiply");
  checkSameShape(x, y);
  checkSameShape(x, out);
  checkWithin(x, within);
  apply(space, SPANWISE_KERNEL("multiply"), within, Multiply<T>{x.view(), y.view(), out.view()});
}

#define SPANWISE_ARITHMETIC_OF(T, Space)                                                                               \
  template void fill<Space, T>(const Space&, FieldOn<T, Space>&, T, const Within<Space::memory_space>&);               \
  template void scale<Space, T>(const Space&, T, FieldOn<T, Space>&, const Within<Space::memory_space>&);              \
  template void copyValues<Space, T>(                                                                                  \
    const Space&, const FieldOn<T, Space>&, FieldOn<T, Space>&, const Within<Space::memory_space>&);                   \
  template void axpy<Space, T>(                                                                                        \
    const Space&, T, const FieldOn<T, Space>&, FieldOn<T, Space>&, const Within<Space::memory_space>&);                \
  template void add<Space, T>(const Space&, const FieldOn<T, Space>&, const FieldOn<T, Space>&, FieldOn<T, Space>&,    \
    const Within<Space::memory_space>&);                                                                               \
  template void multiply<Space, T>(const Space&, const FieldOn<T, Space>&, const FieldOn<T, Space>&,                   \
    FieldOn<T, Space>&, const Within<Space::memory_space>&);
#define SPANWISE_ARITHMETIC(Space) SPANWISE_FOR_EACH_FIELD_TYPE(SPANWISE_ARITHMETIC_OF, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_ARITHMETIC)

} // namespace spanwise
