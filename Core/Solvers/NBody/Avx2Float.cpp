// Compiled for processors with AVX2 (CMakeLists.txt says how): nothing but what Detail/VectorTiles.hpp and
// Detail/SplitSums.hpp declare may leave this file, and nothing of it may be called elsewhere.

#include "Core/Solvers/NBody/Detail/Avx2.hpp"
#include "Core/Solvers/NBody/Detail/SplitSums.hpp"
#include "Core/Solvers/NBody/Detail/VectorTiles.hpp"

namespace spanwise::nbody::detail {

#define SPANWISE_TILES(Real, Interaction, Dim) SPANWISE_DEFINE_TILES(avx2, Avx2, Real, Interaction, Dim)
SPANWISE_FOR_EACH_INTERACTION(SPANWISE_TILES, float)
SPANWISE_DEFINE_SPLIT(avx2, Avx2, 2)
SPANWISE_DEFINE_SPLIT(avx2, Avx2, 3)

} // namespace spanwise::nbody::detail
