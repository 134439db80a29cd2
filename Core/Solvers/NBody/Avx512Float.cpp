// Compiled for processors with AVX-512 (CMakeLists.txt says how): nothing but what Detail/VectorTiles.hpp declares may
// leave this file, and nothing of it may be called elsewhere.

#include "Core/Solvers/NBody/Detail/Avx512.hpp"
#include "Core/Solvers/NBody/Detail/VectorTiles.hpp"

namespace spanwise::nbody::detail {

#define SPANWISE_TILES(Real, Interaction, Dim) SPANWISE_DEFINE_TILES(avx512, Avx512, Real, Interaction, Dim)
SPANWISE_FOR_EACH_INTERACTION(SPANWISE_TILES, float)

} // namespace spanwise::nbody::detail
