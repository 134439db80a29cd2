#include "Core/Solvers/Eikonal/RankGridOrigins.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Runtime/ForEach.hpp"
#include "Core/Runtime/Reduce.hpp"

#include <string>

namespace spanwise::eikonal {

namespace {

/// Cells of the halo are their own origins: chains end there.
struct EndInHalo {
  std::int64_t firstOwned;
  std::int64_t endOwned;
  std::int32_t* origins;

  KOKKOS_FUNCTION void operator()(std::int64_t cell) const {
    if (cell < firstOwned || cell >= endOwned) {
      origins[cell] = static_cast<std::int32_t>(cell);
    }
  }
};

struct CountLabels {
  const std::int32_t* labels;

  KOKKOS_FUNCTION void operator()(std::int64_t cell, std::int64_t& count) const { count += labels[cell] >= 0 ? 1 : 0; }
};

} // namespace

template <class ExecutionSpace, int Dim>
void gradientOfTimesOnRanks(const ExecutionSpace& space, RankGrid<ExecutionSpace, Dim>& grid, int order,
  const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& times,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& gradient,
  const GridFactoringView<Dim>& factoring) {
  SPANWISE_REGION("Eikonal::gradientOfTimesOnRanks");
  parallel::agree(grid.communicator(), [&] {
    if (order > grid.order()) {
      throw InvalidArgument("order " + std::to_string(order) + " is asked for, of a grid whose halo is made for " +
        std::to_string(grid.order()));
    }
    gradientOfTimes<ExecutionSpace, Dim>(space, grid.grid(), order, times, gradient, factoring);
  });
  grid.bring(space, gradient, Dim);
}

template <class ExecutionSpace, int Dim>
void findOriginsOnRanks(const ExecutionSpace& space, const RankGrid<ExecutionSpace, Dim>& grid,
  const Kokkos::View<const double*, typename ExecutionSpace::memory_space>& times,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& origins) {
  SPANWISE_REGION("Eikonal::findOriginsOnRanks");
  parallel::agree(grid.communicator(), [&] { findOrigins<ExecutionSpace, Dim>(space, grid.grid(), times, origins); });
  forEach(SPANWISE_KERNEL("end in halo"), IndexRange<ExecutionSpace>(space, 0, grid.numCells()),
    EndInHalo{grid.owned().begin, grid.owned().end, origins.data()});
}

template <class ExecutionSpace, int Dim>
void labelBySourceOnRanks(const Context<ExecutionSpace>& context, RankGrid<ExecutionSpace, Dim>& grid,
  const Kokkos::View<const std::int32_t*, typename ExecutionSpace::memory_space>& origins,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& labels) {
  const ExecutionSpace& space = context.space();

  SPANWISE_REGION("Eikonal::labelBySourceOnRanks");
  const Communicator& communicator = grid.communicator();
  std::int64_t before = 0;
  std::int64_t numLabelled = 0; // of the own cells of all ranks
  do {
    before = numLabelled;
    grid.bring(space, labels);
    parallel::agree(communicator, [&] {
      labelBySource<ExecutionSpace>(context, origins, labels);
      reduce(SPANWISE_KERNEL("count labels"), IndexRange<ExecutionSpace>(space, grid.owned().begin, grid.owned().end),
        CountLabels{labels.data()}, numLabelled);
    });
    numLabelled = communicator.reduced(ReduceBy::Sum, numLabelled);
  } while (numLabelled > before && !communicator.alone());
}

#define SPANWISE_RANK_GRID_ORIGINS(Space, Dim)                                                                         \
  template void gradientOfTimesOnRanks<Space, Dim>(const Space&, RankGrid<Space, Dim>&, int,                           \
    const Kokkos::View<const double*, Space::memory_space>&, const Kokkos::View<double*, Space::memory_space>&,        \
    const GridFactoringView<Dim>&);                                                                                    \
  template void findOriginsOnRanks<Space, Dim>(const Space&, const RankGrid<Space, Dim>&,                              \
    const Kokkos::View<const double*, Space::memory_space>&, const Kokkos::View<std::int32_t*, Space::memory_space>&); \
  template void labelBySourceOnRanks<Space, Dim>(const Context<Space>&, RankGrid<Space, Dim>&,                         \
    const Kokkos::View<const std::int32_t*, Space::memory_space>&,                                                     \
    const Kokkos::View<std::int32_t*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_RANK_GRID_ORIGINS)

} // namespace spanwise::eikonal
