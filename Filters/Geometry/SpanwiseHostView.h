#ifndef SpanwiseHostView_h
#define SpanwiseHostView_h

// Memory of VTK's arrays as Kokkos sees it. Not wrapped and not installed.

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace spanwise {

/// Values that somebody else owns, in the host's memory.
template <class T>
using HostValues = Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

template <class T>
HostValues<T> hostValues(const T* values, std::int64_t count) {
  return HostValues<T>(values, static_cast<std::size_t>(count));
}

} // namespace spanwise

#endif
