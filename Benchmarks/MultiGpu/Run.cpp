#include "Benchmarks/MultiGpu/Run.hpp"

#include "Core/Runtime/Runtime.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <format>

namespace spanwise::benchmarks {

namespace {

/// What this rank's device, or the host where there is none, has held at most.
std::size_t peakBytes() {
  std::size_t most = 0;
  for (const MemoryAccount& account : runtimeReport().memory) {
    most = std::max(most, account.space == Space::memory_space::name() ? account.bytesPeak : 0);
  }
  return most;
}

} // namespace

int Run::edge(int full) const { return std::max(16, 2 * static_cast<int>(std::lround(0.5 * full * scale_))); }

std::int64_t Run::volume(std::int64_t full) const {
  return std::max<std::int64_t>(1000, std::llround(static_cast<double>(full) * scale_ * scale_ * scale_));
}

double Run::now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double Run::median(std::vector<double> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

// All have the same time of the slowest.
int Run::stepsOfRound(double secondsOfStep) const {
  return static_cast<int>(std::clamp(std::ceil(secondsOfRound / secondsOfStep), 1.0, 1000.0));
}

Traffic Run::most(const Traffic& after, const Traffic& before) const {
  std::int64_t values[] = {after.exchanges - before.exchanges, after.messages - before.messages,
    after.pieces - before.pieces, after.bytes - before.bytes, after.words - before.words,
    after.collectives - before.collectives, after.bytesGathered - before.bytesGathered};
  ranks().reduce(ReduceBy::Maximum, std::span<std::int64_t>(values));
  return {.exchanges = values[0],
    .messages = values[1],
    .pieces = values[2],
    .bytes = values[3],
    .words = values[4],
    .collectives = values[5],
    .bytesGathered = values[6]};
}

void Run::write(const std::string& theme, const std::string& name, double units, const StepCost& cost) const {
  const auto bytes = ranks().reduced(ReduceBy::Maximum, static_cast<std::int64_t>(peakBytes()));
  if (ranks().rank() != 0) {
    return;
  }
  const std::string row =
    std::format(R"({{"theme": "{}", "name": "{}", "ranks": {}, "units": {:.9g}, "seconds": {:.6g}, )"
                R"("launches": {}, "exchanges": {}, "messages": {}, "pieces": {}, "bytes": {}, )"
                R"("words": {}, "collectives": {}, "bytes gathered": {}, "memory": {}}})",
      theme, name, ranks().size(), units, cost.seconds, cost.launches, cost.sent.exchanges, cost.sent.messages,
      cost.sent.pieces, cost.sent.bytes, cost.sent.words, cost.sent.collectives, cost.sent.bytesGathered, bytes);
  std::puts(row.c_str());
  std::fflush(stdout); // what is measured is there if a later row fails
}

} // namespace spanwise::benchmarks
