#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>

/// The label of a View or a fence, "Spanwise::" before it. It is a `std::string` that is made once, since Kokkos takes
/// labels by `const std::string&`.
#define SPANWISE_LABEL(text)                                                                                           \
  ([]() -> const std::string& {                                                                                        \
    static const std::string madeOnce("Spanwise::" text);                                                              \
    return madeOnce;                                                                                                   \
  }())

/// The label of a kernel, at most 15 characters. Kokkos 5 copies it into a `std::string` on every launch, and a longer
/// one would be allocated each time. The SPANWISE_REGION around the kernel says whose it is.
#define SPANWISE_KERNEL(text) (::spanwise::detail::kernelLabel<sizeof(text)>(text))

/// A profiling region until the end of the scope: the public function that the kernels within belong to.
#define SPANWISE_REGION(text) const ::spanwise::detail::Region spanwiseRegion(SPANWISE_LABEL(text))

namespace spanwise::detail {

template <std::size_t length>
const char* kernelLabel(const char* text) {
  static_assert(length <= 16, "a kernel's label has at most 15 characters");
  return text;
}

class Region {
public:
  explicit Region(const std::string& name) { Kokkos::Profiling::pushRegion(name); }
  ~Region() { Kokkos::Profiling::popRegion(); }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
};

} // namespace spanwise::detail
