#include "Core/Solvers/Lattice/Detail/Populations.hpp"

#include "Core/Field/Arithmetic.hpp"
#include "Core/Solvers/Lattice/VelocitySet.hpp"

namespace spanwise::lattice::detail {

namespace {

template <class Set, class ExecutionSpace, class Cells>
std::unique_ptr<Populations<ExecutionSpace, Set::dimension>> makeStored(
  const Context<ExecutionSpace>& context, const LatticeOptions<Set::dimension>& options, const Cells& cells) {
  switch (options.storage) {
  case Storage::Half:
    return makePopulationsOf<Set, ScaledHalf, ExecutionSpace>(context, options, cells);
  case Storage::Float:
    return makePopulationsOf<Set, float, ExecutionSpace>(context, options, cells);
  default:
    return makePopulationsOf<Set, double, ExecutionSpace>(context, options, cells);
  }
}

template <class ExecutionSpace, int Dim, class Cells>
std::unique_ptr<Populations<ExecutionSpace, Dim>> makeFor(
  const Context<ExecutionSpace>& context, const LatticeOptions<Dim>& options, const Cells& cells) {
  if constexpr (Dim == 2) {
    return makeStored<D2Q9>(context, options, cells);
  } else {
    return options.velocities == Velocities::Fewest ? makeStored<D3Q19>(context, options, cells)
                                                    : makeStored<D3Q27>(context, options, cells);
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
