// Compiled for processors with AVX2 (CMakeLists.txt says how): nothing but what Detail/VectorTiles.hpp declares may
// leave this file, and nothing of it may be called elsewhere.

#include "Core/Solvers/NBody/Detail/Avx2.hpp"
#include "Core/Solvers/NBody/Detail/VectorTiles.hpp"

namespace spanwise::nbody::detail {

#ifdef SPANWISE_HAS_AVX2
#define SPANWISE_TILES(Real, Interaction, Dim)                                                                         \
  template <>                                                                                                          \
  TileFunction<Interaction, Dim, Real> avx2Tile<Interaction, Dim, Real>(Parts parts, int numSides) {                   \
    return numSides == 1 ? tileFunctionOf<Avx2, SafeAvx2, Interaction, Dim, Real, 1>(parts)                            \
                         : tileFunctionOf<Avx2, SafeAvx2, Interaction, Dim, Real, sidesAtOnce>(parts);                 \
  }                                                                                                                    \
  template <>                                                                                                          \
  MutualFunction<Interaction, Dim, Real> avx2Mutual<Interaction, Dim, Real>(Parts parts) {                             \
    return mutualFunctionOf<Avx2, SafeAvx2, Interaction, Dim, Real>(parts);                                            \
  }
#else
#define SPANWISE_TILES(Real, Interaction, Dim)                                                                         \
  template <>                                                                                                          \
  TileFunction<Interaction, Dim, Real> avx2Tile<Interaction, Dim, Real>(Parts, int) {                                  \
    return nullptr;                                                                                                    \
  }                                                                                                                    \
  template <>                                                                                                          \
  MutualFunction<Interaction, Dim, Real> avx2Mutual<Interaction, Dim, Real>(Parts) {                                   \
    return nullptr;                                                                                                    \
  }
#endif
SPANWISE_FOR_EACH_INTERACTION(SPANWISE_TILES, double)

} // namespace spanwise::nbody::detail
