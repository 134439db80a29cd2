#include "Core/Field/Convert.hpp"

#include "Core/Field/Checks.hpp"
#include "Core/Field/ForCells.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise::field {

namespace {

/// Of the cells first ... last - 1, one piece after the other in which the values of both fields are at equal
/// distances.
template <class From, class To>
struct ConvertValues {
  FieldView<const From> x;
  FieldView<To> y;

  KOKKOS_FUNCTION void operator()(std::int64_t first, std::int64_t last) const {
    const bool unit = x.cellStride == 1 && y.cellStride == 1;
    while (first < last) {
      const FieldPiece<const From> from = x.piece(first);
      const FieldPiece<To> to = y.piece(first);
      const std::int64_t end = Kokkos::min(last, Kokkos::min(from.end, to.end));
      for (int c = 0; c < x.numComponents; ++c) {
        if (unit) {
          convert(from.template component<true>(c), to.template component<true>(c), end - first);
        } else {
          convert(from.template component<false>(c), to.template component<false>(c), end - first);
        }
      }
      first = end;
    }
  }

  template <class Source, class Target>
  KOKKOS_FORCEINLINE_FUNCTION static void convert(const Source from, const Target to, std::int64_t count) {
    SPANWISE_INDEPENDENT
    for (std::int64_t k = 0; k < count; ++k) {
      to[k] = static_cast<To>(from[k]);
    }
  }
};

} // namespace

template <class ExecutionSpace, class From, class To>
void convertValues(
  const Context<ExecutionSpace>& context, const FieldOn<From, ExecutionSpace>& x, FieldOn<To, ExecutionSpace>& y) {
  SPANWISE_REGION("Field::convertValues");
  checkSameShape(x, y);
  forCells(context.space(), SPANWISE_KERNEL("convert"), x.numCells(), ConvertValues<From, To>{x.view(), y.view()});
}

#define SPANWISE_CONVERT(Space, From, To)                                                                              \
  template void convertValues<Space, From, To>(const Context<Space>&, const FieldOn<From, Space>&, FieldOn<To, Space>&);
#define SPANWISE_CONVERSIONS(Space)                                                                                    \
  SPANWISE_CONVERT(Space, float, ScaledHalf)                                                                           \
  SPANWISE_CONVERT(Space, double, ScaledHalf)                                                                          \
  SPANWISE_CONVERT(Space, ScaledHalf, float)                                                                           \
  SPANWISE_CONVERT(Space, ScaledHalf, double)                                                                          \
  SPANWISE_CONVERT(Space, ScaledHalf, ScaledHalf)                                                                      \
  SPANWISE_CONVERT(Space, float, double)                                                                               \
  SPANWISE_CONVERT(Space, double, float)                                                                               \
  SPANWISE_CONVERT(Space, std::int32_t, double)                                                                        \
  SPANWISE_CONVERT(Space, std::int64_t, double)                                                                        \
  SPANWISE_CONVERT(Space, std::uint8_t, double)
SPANWISE_FOR_EACH_SPACE(SPANWISE_CONVERSIONS)

} // namespace spanwise::field
