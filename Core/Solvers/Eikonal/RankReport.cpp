#include "Core/Solvers/Eikonal/RankReport.hpp"

#include <span>

namespace spanwise::eikonal {

RankIterationReport reportOfAll(
  const Communicator& communicator, const IterationReport& mine, const MessageReport& sent) {
  RankIterationReport report{mine, {}};
  std::int64_t sums[6] = {
    mine.numActivations, mine.numUpdates, mine.numReached, sent.messages, sent.bytes, sent.bytesStaged};
  communicator.reduce(ReduceBy::Sum, std::span<std::int64_t>(sums));
  report.all.numActivations = sums[0];
  report.all.numUpdates = sums[1];
  report.all.numReached = sums[2];
  report.messages = {communicator.reduced(ReduceBy::Maximum, sent.exchanges), sums[3], sums[4], sums[5]};
  return report;
}

MessageReport sentSince(const MessageReport& before, const MessageReport& after) {
  return {after.exchanges - before.exchanges, after.messages - before.messages, after.bytes - before.bytes,
    after.bytesStaged - before.bytesStaged};
}

} // namespace spanwise::eikonal
