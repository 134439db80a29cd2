// Compiled for processors with AVX-512 (CMakeLists.txt says how): nothing but what Detail/ExpansionKernels.hpp declares
// may leave this file, and nothing of it may be called elsewhere.

#include "Core/Solvers/NBody/Detail/Avx512.hpp"
#include "Core/Solvers/NBody/Detail/ExpansionKernels.hpp"

namespace spanwise::nbody::detail {

SPANWISE_DEFINE_EXPANSIONS(avx512, Avx512, 2, float)
SPANWISE_DEFINE_EXPANSIONS(avx512, Avx512, 2, double)
SPANWISE_DEFINE_EXPANSIONS(avx512, Avx512, 3, float)
SPANWISE_DEFINE_EXPANSIONS(avx512, Avx512, 3, double)

} // namespace spanwise::nbody::detail
