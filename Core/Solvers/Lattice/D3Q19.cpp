#include "Core/Solvers/Lattice/Detail/PopulationsOf.hpp"

namespace spanwise::lattice::detail {

#define SPANWISE_POPULATIONS(Space)                                                                                    \
  template std::unique_ptr<Populations<Space, 3>> makePopulationsOf<D3Q19, Space>(                                     \
    const Context<Space>&, const LatticeOptions<3>&, const PopulationCells<Space, 3>&);                                \
  template std::unique_ptr<Populations<Space, 3>> makePopulationsOf<D3Q19, Space>(                                     \
    const Context<Space>&, const LatticeOptions<3>&, const LevelCells<Space, 3>&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_POPULATIONS)

} // namespace spanwise::lattice::detail
