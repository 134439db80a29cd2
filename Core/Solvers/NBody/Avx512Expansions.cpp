// Compiled for processors with AVX-512 (CMakeLists.txt says how): nothing but what Detail/ExpansionKernels.hpp declares
// may leave this file, and nothing of it may be called elsewhere.

#include "Core/Solvers/NBody/Detail/Avx512.hpp"
#include "Core/Solvers/NBody/Detail/ExpansionKernels.hpp"

namespace spanwise::nbody::detail {

#ifdef SPANWISE_HAS_AVX512
#define SPANWISE_EXPANSIONS(Dim, Real)                                                                                 \
  template <>                                                                                                          \
  ExpansionKernels<Dim, Real> avx512Expansions<Dim, Real>() {                                                          \
    return expansionKernelsOf<Avx512, Dim, Real>();                                                                    \
  }
#else
#define SPANWISE_EXPANSIONS(Dim, Real)                                                                                 \
  template <>                                                                                                          \
  ExpansionKernels<Dim, Real> avx512Expansions<Dim, Real>() {                                                          \
    return {};                                                                                                         \
  }
#endif
SPANWISE_EXPANSIONS(2, float)
SPANWISE_EXPANSIONS(2, double)
SPANWISE_EXPANSIONS(3, float)
SPANWISE_EXPANSIONS(3, double)

} // namespace spanwise::nbody::detail
