#include "Core/Solvers/Eikonal/GridBorder.hpp"

#include "Core/Runtime/Spaces.hpp"

namespace spanwise::eikonal {

namespace {

template <class ExecutionSpace>
std::vector<typename GridBorder<ExecutionSpace>::Changed::Link> linksOf(const std::vector<parallel::CellSlab>& slabs) {
  std::vector<typename GridBorder<ExecutionSpace>::Changed::Link> links;
  links.reserve(slabs.size());
  for (const parallel::CellSlab& slab : slabs) {
    links.push_back({slab.rank, slab.numCells});
  }
  return links;
}

} // namespace

template <class ExecutionSpace>
GridBorder<ExecutionSpace>::GridBorder(const ExecutionSpace& space, const Communicator& communicator,
  parallel::CellRange owned, const std::vector<parallel::CellSlab>& isRead,
  const std::vector<parallel::CellSlab>& reads)
  : owned_{static_cast<std::int32_t>(owned.begin), static_cast<std::int32_t>(owned.count())},
    links_(Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Eikonal::GridBorder")), isRead.size()),
    changed_(space, communicator, linksOf<ExecutionSpace>(isRead), linksOf<ExecutionSpace>(reads)),
    progress_(communicator) {
  std::vector<Row> rows;
  rows.reserve(isRead.size());
  for (const parallel::CellSlab& slab : isRead) {
    rows.push_back({static_cast<std::int32_t>(slab.firstCell), static_cast<std::int32_t>(slab.numCells)});
  }
  firstRead_.reserve(reads.size());
  for (const parallel::CellSlab& slab : reads) {
    firstRead_.push_back(static_cast<std::int32_t>(slab.firstCell));
  }
  Kokkos::deep_copy(links_,
    Kokkos::View<const Row*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(rows.data(), rows.size()));
}

template <class ExecutionSpace>
typename GridBorder<ExecutionSpace>::View GridBorder<ExecutionSpace>::view() const {
  return {owned_, links_.data(), static_cast<std::int32_t>(links_.extent(0)), changed_.outbox()};
}

template <class ExecutionSpace>
double GridBorder<ExecutionSpace>::agreed(double first, bool& anyReached) {
  const auto least = progress_.least(std::array{first, anyReached ? -1.0 : 0.0});
  anyReached = least[1] < 0.0;
  return least[0];
}

#define SPANWISE_GRID_BORDER(Space) template class GridBorder<Space>;
SPANWISE_FOR_EACH_SPACE(SPANWISE_GRID_BORDER)

} // namespace spanwise::eikonal
