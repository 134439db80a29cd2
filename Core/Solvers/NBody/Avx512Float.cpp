// Compiled for processors with AVX-512 (CMakeLists.txt says how): nothing of this file but what Detail/VectorTiles.hpp
// declares may be called elsewhere. All else has Highway's name of the instructions in its own.

#include "Core/Solvers/NBody/Detail/SplitSums.hpp"
#include "Core/Solvers/NBody/Detail/VectorLanes.hpp"
#include "Core/Solvers/NBody/Detail/VectorTiles.hpp"

namespace spanwise::nbody::detail {

#define SPANWISE_TILES(Real, Interaction, Dim) SPANWISE_DEFINE_TILES(avx512, Avx512, Real, Interaction, Dim)
SPANWISE_FOR_EACH_INTERACTION(SPANWISE_TILES, float)
SPANWISE_DEFINE_SPLIT(avx512, Avx512, 2)
SPANWISE_DEFINE_SPLIT(avx512, Avx512, 3)

} // namespace spanwise::nbody::detail
