#include "Core/Field/Copy.hpp"

#include "Core/Field/Arithmetic.hpp"
#include "Core/Runtime/HostCopy.hpp"
#include "Core/Runtime/Label.hpp"
#include "Core/Runtime/Sharing.hpp"
#include "Core/Runtime/Spaces.hpp"

namespace spanwise::field {

template <class T, class From, class To>
void copy(const Field<T, From>& field, Field<T, To>& out) {
  SPANWISE_REGION("Field::copy");
  Field<T, From> kept = sharing(field);
  if (!std::as_const(field).view().isInColumns()) {
    using Space = typename From::execution_space;
    const Context<Space> context;
    kept = Field<T, From>(field.name(), field.numCells(), field.numComponents());
    copyValues<Space, T>(context, field, kept);
    context.space().fence(SPANWISE_LABEL("Field::copy"));
  }
  const FieldView<const T> from = std::as_const(kept).view();
  out.setName(kept.name());
  out.resize(from.numCells, from.numComponents);
  const FieldView<T> to = out.view();
  for (int c = 0; c < from.numComponents && from.numCells > 0; ++c) {
    copyBetween<From, To>(from.address(0, c), from.numCells, to.address(0, c));
  }
}

#define SPANWISE_COPY(T, From, To) template void copy(const Field<T, From>&, Field<T, To>&);
#define SPANWISE_COPIES(T)                                                                                             \
  SPANWISE_COPY(T, Kokkos::HostSpace, Kokkos::HostSpace)                                                               \
  SPANWISE_IF_CUDA(SPANWISE_COPY(T, Kokkos::HostSpace, Kokkos::CudaSpace))                                             \
  SPANWISE_IF_CUDA(SPANWISE_COPY(T, Kokkos::CudaSpace, Kokkos::HostSpace))                                             \
  SPANWISE_IF_CUDA(SPANWISE_COPY(T, Kokkos::CudaSpace, Kokkos::CudaSpace))                                             \
  SPANWISE_IF_HIP(SPANWISE_COPY(T, Kokkos::HostSpace, Kokkos::HIPSpace))                                               \
  SPANWISE_IF_HIP(SPANWISE_COPY(T, Kokkos::HIPSpace, Kokkos::HostSpace))                                               \
  SPANWISE_IF_HIP(SPANWISE_COPY(T, Kokkos::HIPSpace, Kokkos::HIPSpace))
SPANWISE_FOR_EACH_FIELD_TYPE(SPANWISE_COPIES)

} // namespace spanwise::field
