#include "Core/Geometry/Detail/JoinAcrossCuts.hpp"

#include "Core/Geometry/Detail/LabelIntervals.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/Context.hpp"
#include "Core/Runtime/ForEach.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace spanwise::geometry::detail {

namespace {

template <class ExecutionSpace>
ComponentNumbers<ExecutionSpace> newNumbers(std::int64_t count) {
  return ComponentNumbers<ExecutionSpace>(
    Kokkos::view_alloc(Kokkos::WithoutInitializing, SPANWISE_LABEL("Geometry::numbersAtCuts")),
    static_cast<std::size_t>(count));
}

/// For each cell of `some`, which are rows of the set, the number of its component: `offset` and its label.
template <class ExecutionSpace, int Dim>
ComponentNumbers<ExecutionSpace> numbersOfCells(const ExecutionSpace& space,
  const LabelledSet<ExecutionSpace, Dim>& mine, std::int64_t offset, const IntervalSetOn<Dim, ExecutionSpace>& some) {
  const auto numbers = newNumbers<ExecutionSpace>(some.numCells());
  const IntervalSetView<Dim> all = mine.set.view();
  const IntervalSetView<Dim> rows = some.view();
  const ComponentNumbers<ExecutionSpace> labels = mine.labels;
  forEach(
    SPANWISE_KERNEL("number at cuts"), IndexRange<ExecutionSpace>(space, 0, rows.numIntervals),
    KOKKOS_LAMBDA(std::int64_t i) {
      const std::int64_t r = rows.rowOfInterval(i);
      const std::int64_t there = all.rowOffsets[all.findRow(rows.rowKeys[r])] + i - rows.rowOffsets[r];
      for (std::int64_t c = rows.cellOffsets[i]; c < rows.cellOffsets[i + 1]; ++c) {
        numbers(c) = offset + labels(there);
      }
    });
  return numbers;
}

/// The number of the first cell of each interval, on the host.
template <class ExecutionSpace, int Dim>
Kokkos::View<std::int64_t*, Kokkos::HostSpace> numbersOfIntervals(const ExecutionSpace& space,
  const IntervalSetOn<Dim, ExecutionSpace>& set, const ComponentNumbers<ExecutionSpace>& ofCells) {
  const auto numbers = newNumbers<ExecutionSpace>(set.numIntervals());
  const IntervalSetView<Dim> view = set.view();
  forEach(
    SPANWISE_KERNEL("first numbers"), IndexRange<ExecutionSpace>(space, 0, view.numIntervals),
    KOKKOS_LAMBDA(std::int64_t i) { numbers(i) = ofCells(view.cellOffsets[i]); });
  space.fence(SPANWISE_LABEL("Geometry::numbersOfIntervals"));
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), numbers);
}

/// Pairs of numbers that are one component, each once, one after the other.
template <class Labels, class Numbers>
std::vector<std::int64_t> touchingNumbers(std::int64_t count, const Labels& labels, const Numbers& numbers) {
  std::vector<std::int64_t> firstOf(static_cast<std::size_t>(count), -1);
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (std::size_t i = 0; i < labels.extent(0); ++i) {
    std::int64_t& first = firstOf[static_cast<std::size_t>(labels(i))];
    if (first < 0) {
      first = numbers(i);
    } else if (first != numbers(i)) {
      pairs.emplace_back(first, numbers(i));
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  std::vector<std::int64_t> flat;
  flat.reserve(2 * pairs.size());
  for (const auto& [a, b] : pairs) {
    flat.insert(flat.end(), {a, b});
  }
  return flat;
}

} // namespace

template <class ExecutionSpace, int Dim>
ComponentNumbering joinAcrossCuts(const Context<ExecutionSpace>& context, Connectivity connectivity,
  const LabelledSet<ExecutionSpace, Dim>& mine, const SetDomain<Dim>& domain,
  PlanesAtCuts<ExecutionSpace, Dim>& planes) {
  const ExecutionSpace& space = context.space();

  const Communicator& communicator = ranksOf(context, domain);
  const std::vector<std::int64_t> counts = communicator.gather(mine.count);
  const std::int64_t offset = std::accumulate(counts.begin(), counts.begin() + communicator.rank(), std::int64_t{0});

  parallel::CellMove<ExecutionSpace, Dim>& move = planes.move();
  const IntervalSetOn<Dim, ExecutionSpace>& held = planes.held();
  ComponentNumbers<ExecutionSpace> ofOwn;
  parallel::agree(
    communicator, [&] { ofOwn = numbersOfCells<ExecutionSpace, Dim>(space, mine, offset, planes.own()); });
  ComponentNumbers<ExecutionSpace> ofHeld = ofOwn;
  if (move.moves()) {
    parallel::agree(communicator, [&] { ofHeld = newNumbers<ExecutionSpace>(move.numCells()); });
    const parallel::MovedColumn column{ofOwn.data(), ofHeld.data(), static_cast<std::int64_t>(sizeof(std::int64_t))};
    move.moveValues(space, std::span<const parallel::MovedColumn>(&column, 1));
  }

  std::vector<std::int64_t> touching;
  parallel::agree(communicator, [&] {
    const auto labels = newNumbers<ExecutionSpace>(held.numIntervals());
    const std::int64_t count =
      labelIntervals<ExecutionSpace, Dim>(context, connectivity, held, labels, domain.periodsHere());
    const auto numbers = numbersOfIntervals<ExecutionSpace, Dim>(space, held, ofHeld);
    touching = touchingNumbers(count, Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), labels), numbers);
  });
  const std::vector<std::int64_t> ofAll = communicator.gather(std::span<const std::int64_t>(touching));
  return ComponentNumbering(communicator, counts, ofAll);
}

#define SPANWISE_JOIN_ACROSS_CUTS(Space, Dim)                                                                          \
  template ComponentNumbering joinAcrossCuts<Space, Dim>(const Context<Space>&, Connectivity,                          \
    const LabelledSet<Space, Dim>&, const SetDomain<Dim>&, PlanesAtCuts<Space, Dim>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_JOIN_ACROSS_CUTS)

} // namespace spanwise::geometry::detail
