#include "Core/Solvers/Lattice/Detail/PopulationsOf.hpp"

namespace spanwise::lattice::detail {

#define SPANWISE_POPULATIONS(Space)                                                                                    \
  template std::unique_ptr<Populations<Space, 2>> makePopulationsOf<D2Q9, Space>(                                      \
    const Context<Space>&, const LatticeOptions<2>&, const PopulationCells<Space, 2>&);                                \
  template std::unique_ptr<Populations<Space, 2>> makePopulationsOf<D2Q9, Space>(                                      \
    const Context<Space>&, const LatticeOptions<2>&, const LevelCells<Space, 2>&);
SPANWISE_FOR_EACH_SPACE(SPANWISE_POPULATIONS)

} // namespace spanwise::lattice::detail
