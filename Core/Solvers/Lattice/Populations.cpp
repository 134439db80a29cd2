#include "Core/Solvers/Lattice/Detail/Populations.hpp"

#include "Core/Solvers/Lattice/VelocitySet.hpp"

namespace spanwise::lattice::detail {

namespace {

template <class ExecutionSpace, int Dim, class Cells>
std::unique_ptr<Populations<ExecutionSpace, Dim>> makeFor(
  const Context<ExecutionSpace>& context, const LatticeOptions<Dim>& options, const Cells& cells) {
  if constexpr (Dim == 2) {
    return makePopulationsOf<D2Q9, ExecutionSpace>(context, options, cells);
  } else {
    return options.velocities == Velocities::Fewest ? makePopulationsOf<D3Q19, ExecutionSpace>(context, options, cells)
                                                    : makePopulationsOf<D3Q27, ExecutionSpace>(context, options, cells);
  }
}

} // namespace

template <class ExecutionSpace, int Dim>
std::unique_ptr<Populations<ExecutionSpace, Dim>> makePopulations(const Context<ExecutionSpace>& context,
  const LatticeOptions<Dim>& options, const PopulationCells<ExecutionSpace, Dim>& cells) {
  return makeFor(context, options, cells);
}

template <class ExecutionSpace, int Dim>
std::unique_ptr<Populations<ExecutionSpace, Dim>> makePopulations(const Context<ExecutionSpace>& context,
  const LatticeOptions<Dim>& options, const LevelCells<ExecutionSpace, Dim>& cells) {
  return makeFor(context, options, cells);
}

#define SPANWISE_POPULATIONS(Space, Dim)                                                                               \
  template std::unique_ptr<Populations<Space, Dim>> makePopulations<Space, Dim>(                                       \
    const Context<Space>&, const LatticeOptions<Dim>&, const PopulationCells<Space, Dim>&);                            \
  template std::unique_ptr<Populations<Space, Dim>> makePopulations<Space, Dim>(                                       \
    const Context<Space>&, const LatticeOptions<Dim>&, const LevelCells<Space, Dim>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_POPULATIONS)

} // namespace spanwise::lattice::detail
