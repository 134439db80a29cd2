#include "Core/Solvers/Eikonal/RankGridSources.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Parallel/Migration.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/Error.hpp"
#include "Core/Solvers/Eikonal/Detail/GridStarts.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string>

namespace spanwise::eikonal {

namespace {

/// What a rank knows of a source: it is in one of its cells.
struct Medium {
  std::int64_t source;
  SymmetricTensor inverse;
};

/// What is no number is the same as itself then.
bool haveSameBits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

/// Collective. The sources of all ranks, the same on all.
template <int Dim>
std::vector<FactoredSource<Dim>> sourcesOfAll(
  const Communicator& communicator, const std::vector<FactoredSource<Dim>>& mine, PointsOf whose) {
  std::vector<std::int64_t> counts;
  std::vector<FactoredSource<Dim>> all = communicator.gather(std::span<const FactoredSource<Dim>>(mine), &counts);
  if (whose == PointsOf::ThisRank) {
    return all;
  }
  // All ranks look at the same, and find the same.
  const auto first = std::vector<FactoredSource<Dim>>(all.begin(), all.begin() + counts[0]);
  auto from = all.begin();
  for (std::size_t r = 0; r < counts.size(); ++r) {
    const bool same = counts[r] == counts[0] &&
      std::equal(first.begin(), first.end(), from, [](const FactoredSource<Dim>& a, const FactoredSource<Dim>& b) {
        return std::equal(a.at, a.at + Dim, b.at, haveSameBits) && haveSameBits(a.time, b.time);
      });
    if (!same) {
      throw InvalidArgument("rank " + std::to_string(r) + " gives " + std::to_string(counts[r]) +
        " points that are not the " + std::to_string(counts[0]) + " of rank 0: points of every rank must be the same");
    }
    from += counts[r];
  }
  return first;
}

} // namespace

template <class ExecutionSpace, int Dim>
void startAtPointsOnRanks(const ExecutionSpace& space, RankGrid<ExecutionSpace, Dim>& grid,
  const std::vector<PointSource<Dim>>& points, PointsOf whose, double radius,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times,
  GridFactoring<Dim, typename ExecutionSpace::memory_space>& factoring) {
  SPANWISE_REGION("Eikonal::startAtPointsOnRanks");
  const Communicator& communicator = grid.communicator();
  std::vector<FactoredSource<Dim>> sources;
  parallel::agree(communicator, [&] {
    sources = gridstarts::sourcesAt(points, radius);
    gridstarts::checkTimes(times.extent(0), grid.set().numCells(), grid.numCells());
    factoring.setSources(space, {});
  });
  sources = sourcesOfAll<Dim>(communicator, sources, whose);
  if (sources.empty()) {
    return;
  }
  std::vector<Medium> mine;
  parallel::agree(communicator, [&] {
    const auto found = gridstarts::findMedium<ExecutionSpace, Dim>(
      space, grid.set(), grid.grid(), grid.owned().begin, grid.owned().end, sources);
    for (std::size_t s = 0; s < found.size(); ++s) {
      if (found[s] == 1) {
        mine.push_back({static_cast<std::int64_t>(s), sources[s].inverse});
      }
    }
  });
  std::vector<bool> found(sources.size(), false);
  for (const Medium& medium : communicator.gather(std::span<const Medium>(mine))) {
    const auto s = static_cast<std::size_t>(medium.source);
    sources[s].inverse = medium.inverse;
    found[s] = true;
  }
  for (std::size_t s = 0; s < sources.size(); ++s) {
    if (!found[s]) {
      gridstarts::refuse(sources[s]); // on all ranks
    }
  }
  parallel::agree(communicator,
    [&] { gridstarts::start<ExecutionSpace, Dim>(space, grid.set(), grid.grid(), sources, radius, times, factoring); });
}

template <class ExecutionSpace, int Dim>
void labelAroundPointsOnRanks(const ExecutionSpace& space, RankGrid<ExecutionSpace, Dim>& grid,
  const GridFactoring<Dim, typename ExecutionSpace::memory_space>& factoring,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times,
  const Kokkos::View<std::int32_t*, typename ExecutionSpace::memory_space>& labels) {
  SPANWISE_REGION("Eikonal::labelAroundPointsOnRanks");
  parallel::agree(grid.communicator(),
    [&] { labelAroundPoints<ExecutionSpace, Dim>(space, grid.set(), grid.grid(), factoring, times, labels); });
  grid.bring(space, labels);
}

template <class ExecutionSpace, int Dim>
std::int64_t startAtCellsOnRanks(const Context<ExecutionSpace>& context, RankGrid<ExecutionSpace, Dim>& grid,
  const geometry::IntervalSetOn<Dim, ExecutionSpace>& sources, double time,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times) {
  SPANWISE_REGION("Eikonal::startAtCellsOnRanks");
  const Communicator& communicator = grid.communicator();
  geometry::IntervalSetOn<Dim, ExecutionSpace> here;
  parallel::CellMove<ExecutionSpace, Dim> move(communicator);
  migrate<ExecutionSpace, Dim>(context, grid.cut(), sources, here, move);
  std::int64_t count = 0;
  parallel::agree(
    communicator, [&] { count = startAtCells<ExecutionSpace, Dim>(context.space(), grid.set(), here, time, times); });
  return communicator.reduced(ReduceBy::Sum, count);
}

#define SPANWISE_RANK_GRID_SOURCES(Space, Dim)                                                                         \
  template void startAtPointsOnRanks<Space, Dim>(const Space&, RankGrid<Space, Dim>&,                                  \
    const std::vector<PointSource<Dim>>&, PointsOf, double, const Kokkos::View<double*, Space::memory_space>&,         \
    GridFactoring<Dim, Space::memory_space>&);                                                                         \
  template void labelAroundPointsOnRanks<Space, Dim>(const Space&, RankGrid<Space, Dim>&,                              \
    const GridFactoring<Dim, Space::memory_space>&, const Kokkos::View<double*, Space::memory_space>&,                 \
    const Kokkos::View<std::int32_t*, Space::memory_space>&);                                                          \
  template std::int64_t startAtCellsOnRanks<Space, Dim>(const Context<Space>&, RankGrid<Space, Dim>&,                  \
    const geometry::IntervalSetOn<Dim, Space>&, double, const Kokkos::View<double*, Space::memory_space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_RANK_GRID_SOURCES)

} // namespace spanwise::eikonal
