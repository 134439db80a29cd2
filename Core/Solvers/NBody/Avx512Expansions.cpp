// Compiled for processors with AVX-512 (CMakeLists.txt says how): nothing of this file but what
// Detail/ExpansionKernels.hpp declares may be called elsewhere. All else has Highway's name of the instructions in its
// own.

#include "Core/Solvers/NBody/Detail/ExpansionKernels.hpp"
#include "Core/Solvers/NBody/Detail/VectorLanes.hpp"

namespace spanwise::nbody::detail {

SPANWISE_DEFINE_EXPANSIONS(avx512, Avx512, 2, float)
SPANWISE_DEFINE_EXPANSIONS(avx512, Avx512, 2, double)
SPANWISE_DEFINE_EXPANSIONS(avx512, Avx512, 3, float)
SPANWISE_DEFINE_EXPANSIONS(avx512, Avx512, 3, double)

} // namespace spanwise::nbody::detail
