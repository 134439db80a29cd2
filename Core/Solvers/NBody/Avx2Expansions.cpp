// Compiled for processors with AVX2 (CMakeLists.txt says how): nothing but what Detail/ExpansionKernels.hpp declares
// may leave this file, and nothing of it may be called elsewhere.

#include "Core/Solvers/NBody/Detail/Avx2.hpp"
#include "Core/Solvers/NBody/Detail/ExpansionKernels.hpp"

namespace spanwise::nbody::detail {

SPANWISE_DEFINE_EXPANSIONS(avx2, Avx2, 2, float)
SPANWISE_DEFINE_EXPANSIONS(avx2, Avx2, 2, double)
SPANWISE_DEFINE_EXPANSIONS(avx2, Avx2, 3, float)
SPANWISE_DEFINE_EXPANSIONS(avx2, Avx2, 3, double)

} // namespace spanwise::nbody::detail
