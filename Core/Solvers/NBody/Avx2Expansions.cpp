// Compiled for processors with AVX2 (CMakeLists.txt says how): nothing of this file but what
// Detail/ExpansionKernels.hpp declares may be called elsewhere. All else has Highway's name of the instructions in its
// own.

#include "Core/Solvers/NBody/Detail/ExpansionKernels.hpp"
#include "Core/Solvers/NBody/Detail/VectorLanes.hpp"

namespace spanwise::nbody::detail {

SPANWISE_DEFINE_EXPANSIONS(avx2, Avx2, 2, float)
SPANWISE_DEFINE_EXPANSIONS(avx2, Avx2, 2, double)
SPANWISE_DEFINE_EXPANSIONS(avx2, Avx2, 3, float)
SPANWISE_DEFINE_EXPANSIONS(avx2, Avx2, 3, double)

} // namespace spanwise::nbody::detail
