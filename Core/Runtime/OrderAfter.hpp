#pragma once

#include <Kokkos_Core.hpp>

#include <string>
#include <type_traits>

#ifdef KOKKOS_ENABLE_CUDA
#include <cuda_runtime.h>
#endif

namespace spanwise {

/// The queue of a device that kernels of `space` are launched on, as its own interface takes it; null on the host, and
/// on devices of which that is not known.
template <class ExecutionSpace>
void* queueOf([[maybe_unused]] const ExecutionSpace& space) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda>) {
    return space.cuda_stream();
  }
#endif
  return nullptr;
}

/// What is launched on `later` from now on begins when all that is launched on `earlier` so far is done. On CUDA the
/// device sees to that, and this does not wait; elsewhere this waits, under the label.
template <class ExecutionSpace>
void orderAfter(const ExecutionSpace& later, const ExecutionSpace& earlier, const std::string& label) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<ExecutionSpace, Kokkos::Cuda>) {
    cudaEvent_t done = nullptr;
    const bool isOrdered = cudaEventCreateWithFlags(&done, cudaEventDisableTiming) == cudaSuccess &&
      cudaEventRecord(done, earlier.cuda_stream()) == cudaSuccess &&
      cudaStreamWaitEvent(later.cuda_stream(), done, 0) == cudaSuccess;
    if (done != nullptr) {
      cudaEventDestroy(done); // once the device has passed it
    }
    if (isOrdered) {
      return;
    }
  }
#endif
  if (later != earlier) {
    earlier.fence(label);
  }
}

} // namespace spanwise
