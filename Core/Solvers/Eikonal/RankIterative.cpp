#include "Core/Solvers/Eikonal/RankIterative.hpp"

#include "Core/Parallel/Agree.hpp"
#include "Core/Solvers/Eikonal/Detail/Iteration.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>

namespace spanwise::eikonal {

namespace {

/// Throws on all ranks where their options differ in any bit.
void checkAlike(const Communicator& communicator, const IterationOptions& options) {
  const std::int64_t words[4] = {std::bit_cast<std::int64_t>(options.stopTime),
    std::bit_cast<std::int64_t>(options.tolerance), options.maxIterations, std::bit_cast<std::int64_t>(options.window)};
  std::int64_t least[4];
  std::int64_t most[4];
  std::copy_n(words, 4, least);
  std::copy_n(words, 4, most);
  communicator.reduce(ReduceBy::Minimum, std::span<std::int64_t>(least));
  communicator.reduce(ReduceBy::Maximum, std::span<std::int64_t>(most));
  if (!std::equal(least, least + 4, most)) {
    throw InvalidArgument("ranks iterate with other options than each other: all must have the same");
  }
}

/// The mean travel time along an edge of all ranks' simplices.
double meanEdgeTime(const Communicator& communicator, const EdgeTimes& mine) {
  std::int64_t sums[2] = {mine.sum, mine.count};
  communicator.reduce(ReduceBy::Sum, std::span<std::int64_t>(sums));
  return EdgeTimes{sums[0], sums[1]}.mean();
}

RankIterationReport ofAll(const Communicator& communicator, const IterationReport& mine, const MessageReport& before,
  const MessageReport& after) {
  RankIterationReport report{mine, {}};
  std::int64_t sums[6] = {mine.numActivations, mine.numUpdates, mine.numReached, after.messages - before.messages,
    after.bytes - before.bytes, after.bytesStaged - before.bytesStaged};
  communicator.reduce(ReduceBy::Sum, std::span<std::int64_t>(sums));
  report.all.numActivations = sums[0];
  report.all.numUpdates = sums[1];
  report.all.numReached = sums[2];
  report.messages = {
    communicator.reduced(ReduceBy::Maximum, after.exchanges - before.exchanges), sums[3], sums[4], sums[5]};
  return report;
}

} // namespace

template <class ExecutionSpace, int numCorners>
RankIterationReport iterateTimesOnRanks(const ExecutionSpace& space, RankBorder<ExecutionSpace>& border,
  const SimplexMesh<numCorners, typename ExecutionSpace::memory_space>& mesh, const IterationOptions& options,
  const Kokkos::View<double*, typename ExecutionSpace::memory_space>& times,
  Workspace<typename ExecutionSpace::memory_space>& workspace, const Progress& progress,
  const FactoringView& factoring) {
  SPANWISE_REGION("Eikonal::iterateTimesOnRanks");
  using Iteration = fronts::Iteration<ExecutionSpace, numCorners, RankBorder<ExecutionSpace>>;
  const Communicator& communicator = border.communicator();
  const MessageReport before = border.report();
  checkAlike(communicator, options);
  const double window = options.window * meanEdgeTime(communicator, mesh.edgeTimes());
  std::optional<typename Iteration::Frame> frame;
  std::optional<Iteration> iteration;
  agree(communicator, [&] {
    fronts::check(options, static_cast<std::int64_t>(times.extent(0)), mesh.numVertices());
    border.check(mesh.numVertices());
    frame.emplace(workspace);
    iteration.emplace(space, mesh, factoring, options, window, times.data(), border, *frame);
    iteration->start(); // finds times that are not valid, before they go anywhere
  });
  Iteration& agreed = *iteration; // NOLINT(bugprone-unchecked-optional-access): agree() throws where there is none
  border.join(space, times.data());
  agreed.start();
  try {
    const IterationReport mine = agreed.run(progress);
    return ofAll(communicator, mine, before, border.report());
  } catch (const Cancelled&) {
    Kokkos::deep_copy(space, times, notReached);
    throw;
  }
}

#define SPANWISE_ITERATE_ON_RANKS(Space, corners)                                                                      \
  template RankIterationReport iterateTimesOnRanks<Space, corners>(const Space&, RankBorder<Space>&,                   \
    const SimplexMesh<corners, Space::memory_space>&, const IterationOptions&,                                         \
    const Kokkos::View<double*, Space::memory_space>&, Workspace<Space::memory_space>&, const Progress&,               \
    const FactoringView&);
#define SPANWISE_ITERATE_TIMES_ON_RANKS(Space)                                                                         \
  SPANWISE_ITERATE_ON_RANKS(Space, 3)                                                                                  \
  SPANWISE_ITERATE_ON_RANKS(Space, 4)
SPANWISE_FOR_EACH_SPACE(SPANWISE_ITERATE_TIMES_ON_RANKS)

} // namespace spanwise::eikonal
