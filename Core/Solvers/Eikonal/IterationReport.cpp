#include "Core/Solvers/Eikonal/IterationReport.hpp"

#include <span>

namespace spanwise::eikonal {

IterationReport reportOfAll(
  const Communicator& communicator, const IterationReport& mine, const parallel::MessageReport& sent) {
  IterationReport report = mine;
  std::int64_t sums[7] = {
    mine.numActivations, mine.numUpdates, mine.numReached, sent.messages, sent.pieces, sent.bytes, sent.bytesStaged};
  communicator.reduce(ReduceBy::Sum, std::span<std::int64_t>(sums));
  report.numActivations = sums[0];
  report.numUpdates = sums[1];
  report.numReached = sums[2];
  report.messages.exchanges = communicator.reduced(ReduceBy::Maximum, sent.exchanges);
  report.messages.messages = sums[3];
  report.messages.pieces = sums[4];
  report.messages.bytes = sums[5];
  report.messages.bytesStaged = sums[6];
  return report;
}

} // namespace spanwise::eikonal
