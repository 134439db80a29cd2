// Compiled for processors with AVX-512 (CMakeLists.txt says how): nothing but what Detail/VectorTiles.hpp declares may
// leave this file, and nothing of it may be called elsewhere.

#include "Core/Solvers/NBody/Detail/Avx512.hpp"
#include "Core/Solvers/NBody/Detail/VectorTiles.hpp"

namespace spanwise::nbody::detail {

#ifdef SPANWISE_HAS_AVX512
#define SPANWISE_TILES(Real, Interaction, Dim)                                                                         \
  template <>                                                                                                          \
  TileFunction<Interaction, Dim, Real> avx512Tile<Interaction, Dim, Real>(Parts parts, int numSides) {                 \
    return numSides == 1 ? tileFunctionOf<Avx512, SafeAvx512, Interaction, Dim, Real, 1>(parts)                        \
                         : tileFunctionOf<Avx512, SafeAvx512, Interaction, Dim, Real, sidesAtOnce>(parts);             \
  }                                                                                                                    \
  template <>                                                                                                          \
  MutualFunction<Interaction, Dim, Real> avx512Mutual<Interaction, Dim, Real>(Parts parts) {                           \
    return mutualFunctionOf<Avx512, SafeAvx512, Interaction, Dim, Real>(parts);                                        \
  }
#else
#define SPANWISE_TILES(Real, Interaction, Dim)                                                                         \
  template <>                                                                                                          \
  TileFunction<Interaction, Dim, Real> avx512Tile<Interaction, Dim, Real>(Parts, int) {                                \
    return nullptr;                                                                                                    \
  }                                                                                                                    \
  template <>                                                                                                          \
  MutualFunction<Interaction, Dim, Real> avx512Mutual<Interaction, Dim, Real>(Parts) {                                 \
    return nullptr;                                                                                                    \
  }
#endif
SPANWISE_FOR_EACH_INTERACTION(SPANWISE_TILES, float)

} // namespace spanwise::nbody::detail
