#include "Core/Multilevel/BlockMeans.hpp"

#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Spaces.hpp"

namespace spanwise::multilevel {

namespace {

template <class T>
struct ValueInColumn {
  const T* values;
  std::int64_t componentStride;

  KOKKOS_FUNCTION T operator()(std::int64_t cell, int c) const { return values[c * componentStride + cell]; }
};

} // namespace

template <class ExecutionSpace, int Dim, class T>
void meansOfField(const Context<ExecutionSpace>& context, const CellsInBlocks<Dim>& in,
  const FieldView<const T>& values, const FieldView<T>& means) {
  if (values.isInColumns()) { // loops over a plain pointer take half the time
    meansOverBlocks<ExecutionSpace, Dim>(context, in, ValueInColumn<T>{values.values, values.componentStride}, means);
  } else {
    meansOverBlocks<ExecutionSpace, Dim>(context, in, values, means);
  }
}

#define SPANWISE_BLOCK_MEANS(Space, Dim)                                                                               \
  SPANWISE_BLOCK_MEANS_OF(Space, Dim, float)                                                                           \
  SPANWISE_BLOCK_MEANS_OF(Space, Dim, double)
#define SPANWISE_BLOCK_MEANS_OF(Space, Dim, T)                                                                         \
  template void meansOfField<Space, Dim, T>(                                                                           \
    const Context<Space>&, const CellsInBlocks<Dim>&, const FieldView<const T>&, const FieldView<T>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_BLOCK_MEANS)

} // namespace spanwise::multilevel
