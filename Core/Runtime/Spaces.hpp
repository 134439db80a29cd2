#pragma once

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace spanwise {

/// Whether kernels of `ExecutionSpace` run on the host and see the host's memory.
template <class ExecutionSpace>
inline constexpr bool runsOnHost =
  Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename ExecutionSpace::memory_space>::accessible &&
  Kokkos::SpaceAccessibility<ExecutionSpace, Kokkos::HostSpace>::accessible;

/// The execution space of the host side: filters and readers use it for what lives in the host's memory.
using HostExecutionSpace = Kokkos::DefaultHostExecutionSpace;

} // namespace spanwise

// Functions without functors are compiled once for each execution space, in .cpp files: a file defines
// its own macro M(Space) or M(Space, Dim) with the explicit instantiations and hands it to one of these.
#ifdef KOKKOS_ENABLE_SERIAL
#define SPANWISE_IF_SERIAL(...) __VA_ARGS__
#else
#define SPANWISE_IF_SERIAL(...)
#endif
#ifdef KOKKOS_ENABLE_OPENMP
#define SPANWISE_IF_OPENMP(...) __VA_ARGS__
#else
#define SPANWISE_IF_OPENMP(...)
#endif
#ifdef KOKKOS_ENABLE_THREADS
#define SPANWISE_IF_THREADS(...) __VA_ARGS__
#else
#define SPANWISE_IF_THREADS(...)
#endif
#ifdef KOKKOS_ENABLE_CUDA
#define SPANWISE_IF_CUDA(...) __VA_ARGS__
#else
#define SPANWISE_IF_CUDA(...)
#endif
#ifdef KOKKOS_ENABLE_HIP
#define SPANWISE_IF_HIP(...) __VA_ARGS__
#else
#define SPANWISE_IF_HIP(...)
#endif
#ifdef KOKKOS_ENABLE_SYCL
#define SPANWISE_IF_SYCL(...) __VA_ARGS__
#else
#define SPANWISE_IF_SYCL(...)
#endif

#define SPANWISE_FOR_EACH_SPACE(M)                                                                                     \
  SPANWISE_IF_SERIAL(M(Kokkos::Serial))                                                                                \
  SPANWISE_IF_OPENMP(M(Kokkos::OpenMP))                                                                                \
  SPANWISE_IF_THREADS(M(Kokkos::Threads))                                                                              \
  SPANWISE_IF_CUDA(M(Kokkos::Cuda))                                                                                    \
  SPANWISE_IF_HIP(M(Kokkos::HIP))                                                                                      \
  SPANWISE_IF_SYCL(M(Kokkos::SYCL))

#define SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(M)                                                                       \
  SPANWISE_IF_SERIAL(M(Kokkos::Serial, 2) M(Kokkos::Serial, 3))                                                        \
  SPANWISE_IF_OPENMP(M(Kokkos::OpenMP, 2) M(Kokkos::OpenMP, 3))                                                        \
  SPANWISE_IF_THREADS(M(Kokkos::Threads, 2) M(Kokkos::Threads, 3))                                                     \
  SPANWISE_IF_CUDA(M(Kokkos::Cuda, 2) M(Kokkos::Cuda, 3))                                                              \
  SPANWISE_IF_HIP(M(Kokkos::HIP, 2) M(Kokkos::HIP, 3))                                                                 \
  SPANWISE_IF_SYCL(M(Kokkos::SYCL, 2) M(Kokkos::SYCL, 3))
