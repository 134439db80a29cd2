#include "Core/Solvers/Lattice/Detail/PopulationsOf.hpp"

namespace spanwise::lattice::detail {

#define SPANWISE_POPULATIONS(Space) SPANWISE_POPULATIONS_OF(D3Q27, ScaledHalf, Space)
SPANWISE_FOR_EACH_SPACE(SPANWISE_POPULATIONS)

} // namespace spanwise::lattice::detail
