// Compiled for processors with AVX2 (CMakeLists.txt says how): nothing of this file but what Detail/VectorTiles.hpp
// declares may be called elsewhere. All else has Highway's name of the instructions in its own.

#include "Core/Solvers/NBody/Detail/VectorLanes.hpp"
#include "Core/Solvers/NBody/Detail/VectorTiles.hpp"

namespace spanwise::nbody::detail {

#define SPANWISE_TILES(Real, Interaction, Dim) SPANWISE_DEFINE_TILES(avx2, Avx2, Real, Interaction, Dim)
SPANWISE_FOR_EACH_INTERACTION(SPANWISE_TILES, double)

} // namespace spanwise::nbody::detail
